"""Detail view of a claim: fixed numbers, names for ids, and the opened part of a long source."""

import pytest

from debate_core.report.facts import claim_reading
from debate_core.report.facts.account import Reader, account
from debate_core.report.facts.claim_reading import claim_readings, rows_by_wording
from debate_core.report.phrases.names import claim_name, in_names
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat, Source
from tests.playing import Played


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


def test_repeated_claims_share_their_status():
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben", "cyd", "dan")]
    played = Played(compose("Q?", ["a", "b"], protocol("society"), seats, max_rounds=2))
    played.say(Argument(rationale="r", vote="a", claims=(Claim(text="It is dear."),)))
    played.say(Argument(rationale="r", vote="a", claims=(Claim(text="It is  dear!"),))).say("b").say("b").say("a")
    played.say("a").say(Argument(rationale="r", vote="b", concedes=("ana.1.1",)))
    played.say(Argument(rationale="r", vote="b", claims=(Claim(text="Not so.", answers=("ben.1.1",)),)))
    told = account(played.state)
    first, repeat, _answer = told.claims
    assert (first.conceded_by, first.attacked_by, repeat.attacked_by) == (("2.answer.cyd.1",), (), ("dan.2.1",))
    assert first.status == repeat.status == "contested"
    assert rows_by_wording(told)[repeat.wording] == [first, repeat]


@pytest.mark.parametrize(
    ("room", "second"), [(30_000, None), (2 * 18_033 - 1, None), (2 * 18_033, "E2"), (1_000_000, "E2")]
)
def test_an_open_document_stays_open_where_space_is_short(
    room: int, second: str | None, monkeypatch: pytest.MonkeyPatch
):
    assert claim_reading.MAX_CHARS == 1_000_000
    monkeypatch.setattr(claim_reading, "MAX_CHARS", room)
    quote = "The queue held what it was given."
    documents = [Source(id=f"E{n}", title=f"Document {n}", text=quote + "x" * 18_000) for n in (1, 2)]
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben")]
    played = Played(compose("Q?", ["a", "b"], protocol("society"), seats, max_rounds=1, sources=documents))
    claims = [Claim(text=f"Claim {n}.", source_id=source, quote=quote) for n, source in enumerate(("E1", "E2", "E1"))]
    played.say(Argument(rationale="r", vote="a", claims=tuple(claims))).say("b")
    opened = [read.quoted.source.id if read.quoted else None for read in claim_readings(account(played.state))]
    assert opened == ["E1", second, "E1"]


@pytest.mark.parametrize(
    ("claim", "heading", "places"),
    [
        ({"source_id": "E1", "quote": "The queue held what it was given."}, "Load", ((17, 49),)),
        # A quote that is not there opens its document at the beginning.
        ({"source_id": "E1", "quote": "Nobody ever liked any of this at all."}, "", ()),
        ({"source_id": "E9", "quote": "The queue held what it was given."}, None, None),
        ({"source_id": "E1"}, None, None),
    ],
)
def test_a_document_is_opened_where_its_quote_stands(claim: dict[str, str], heading: str | None, places):
    page = Source(id="E1", title="Test", text="# Test\n\n## Load\n\nThe queue held what it was given.\n")
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben")]
    played = Played(compose("Q?", ["a", "b"], protocol("society"), seats, max_rounds=1, sources=[page]))
    said = Claim.model_validate({"text": "It holds.", **claim})
    played.say(Argument(rationale="r", vote="a", claims=(said,))).say("b")
    (read,) = claim_readings(account(played.state))
    found = None if read.quoted is None else (read.quoted.heading, read.quoted.places, read.quoted.stretch)
    assert found == (None if heading is None else (heading, places, (0, len(page.text))))


def test_a_long_document_is_shown_around_its_quote():
    quote = "The queue held what it was given."
    text = f"{'word ' * 2_398}{quote}{' word' * 4_000}"
    begin = text.index(quote)
    assert begin < 12_000 < begin + len(quote)
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben")]
    page = Source(id="E1", title="Test", text=text)
    played = Played(compose("Q?", ["a", "b"], protocol("society"), seats, max_rounds=1, sources=[page]))
    said = Claim(text="It holds.", source_id="E1", quote=quote)
    played.say(Argument(rationale="r", vote="a", claims=(said,))).say("b")
    (read,) = claim_readings(account(played.state))
    assert read.quoted is not None
    assert (read.quoted.stretch, read.quoted.places[0][0]) == ((0, 18_000), begin)


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
    assert claim_name(account(debate().state), "ben.9.9") == "an unknown claim"


def test_the_number_of_a_claim_never_changes():
    played, before = debate(), dict[str, int]()
    for _ in range(3):
        now = played.state.claim_numbers()
        assert before.items() <= now.items()
        before = now
        if played.requests():
            played.say(Argument(rationale="r", vote="a", claims=(Claim(text="More."),)))
    assert len(before) == 4


def test_a_claim_that_a_turn_answers_as_a_whole_links_the_turn():
    held = debate().say(Argument(rationale="Both are dear.", vote="b", answers=("big_ana.1.1",)))
    dear, cheap, *_ = claim_readings(account(held.state))
    assert [(link.kind, link.seat, link.round, link.text, link.claim_id) for link in dear.links] == [
        ("answered", "ben", 2, "Both are dear.", "")
    ]
    assert [(link.kind, link.seat, link.text) for link in cheap.links] == [("answered", "big_ana", "Not so.")]
    assert [(r.argues_for, r.is_struck) for r in (dear, cheap)] == [("", False)] * 2
