"""What somebody reads who opens a claim: numbers that stay, names for ids, what is opened of a long source."""

import pytest

from debate_core.report.facts.account import Reader, account
from debate_core.report.facts.claim_reading import claim_readings
from debate_core.report.facts.source_text import WHOLE_CHARS, blocks_of, blocks_within, stretch_around
from debate_core.report.words.names import claim_name, in_names
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from tests.playing import Played

LONG = "# Head\n\n" + "\n\n".join(f"Paragraph {n} says what it says." for n in range(2_000))


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        (
            "# A\n\nOne\ntwo.\n- three\n- four",
            [("A", True), ("One\ntwo.", False), ("- three", False), ("- four", False)],
        ),
        ("Title\n=====\r\n\r\nText.", [("Title", True), ("Text.", False)]),
        ("One\ntwo\n---\nthree", [("One\ntwo\n---\nthree", False)]),
        ("---\n\n", []),
    ],
)
def test_a_document_is_paragraphs_under_headings(text: str, blocks: list[tuple[str, bool]]):
    assert [(text[b.start : b.end], b.is_heading) for b in blocks_of(text)] == blocks


@pytest.mark.parametrize("word", ["Paragraph 3 says", "Paragraph 900 says", "Paragraph 1999 says"])
def test_of_a_long_document_what_stands_around_a_quote_is_opened(word: str):
    place = LONG.index(word)
    low, high = stretch_around(LONG, place)
    assert low <= place < high
    assert high - low <= WHOLE_CHARS
    shown = blocks_within(blocks_of(LONG), (low, high))
    assert all(low <= block.start <= block.end <= high for block in shown)
    assert any(block.start <= place < block.end for block in shown)


def debate() -> Played:
    """Round 1 is over, and in round 2, which nobody may read yet, big_ana has answered ben."""
    seats = [Seat(id=name, occupant="human") for name in ("big_ana", "ben")]
    played = Played(compose("Q?", ["a", "b"], protocol("society"), seats, max_rounds=2))
    for text, vote in (("dear", "a"), ("cheap", "b")):
        played.say(Argument(rationale="r", vote=vote, claims=(Claim(text=text),)))
    return played.say(Argument(rationale="r", vote="a", claims=(Claim(text="Not so.", answers=("ben.1.1",)),)))


def test_only_what_its_reader_may_read_is_told_of_a_claim():
    seen = claim_readings(account(debate().state, reader=Reader(holds=("ben",))))
    told = [(r.number, r.row.claim_id, r.row.status, r.links) for r in seen]
    assert told == [(1, "big_ana.1.1", "unanswered", ()), (2, "ben.1.1", "unanswered", ())]
    [answered] = claim_readings(account(debate().say("b").state))[1].links
    assert (answered.kind, answered.seat, answered.claim_id) == ("answered", "big_ana", "big_ana.2.1")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("big_ana.1.1, then ben.1.1.", "claim 1, then claim 2."),
        ("(1.answer.ben.1) skip 1.answer.ben", "(ben in answer of round 1) skip ben in answer of round 1"),
        ("ben.9.9 and v1.2.3 and xben.1.1 stay", "ben.9.9 and v1.2.3 and xben.1.1 stay"),
    ],
)
def test_ids_in_a_sentence_become_names(text: str, named: str):
    assert in_names(account(debate().state), text) == named
    assert claim_name(account(debate().state), "ben.9.9") == "a claim that nobody made"


def test_the_number_of_a_claim_never_changes():
    played, before = debate(), dict[str, int]()
    for _ in range(3):
        now = played.state.claim_numbers()
        assert before.items() <= now.items()
        before = now
        if played.requests():
            played.say(Argument(rationale="r", vote="a", claims=(Claim(text="More."),)))
    assert len(before) == 4
