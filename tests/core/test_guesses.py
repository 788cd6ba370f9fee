"""Guesses on the final ballot of a question of fact: surprisingly popular options by brute force, and the seal."""

import csv
import io
from fractions import Fraction
from math import lcm
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine.audit import verify
from debate_core.engine.stage import poll_results
from debate_core.errors import InvalidSpec
from debate_core.record.acts import BallotCast, ExpectedVotes, PollClosed, PollOpened, PollRevealed
from debate_core.report.facts.account import account
from debate_core.report.facts.guesses import GuessRow, all_guess_rows, expected_shares
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.export import csv_files, debate_json, dumps, export_files
from debate_core.report.files.report import markdown_report
from debate_core.report.phrases.agreement import contract
from debate_core.report.phrases.guesses import guess_sentences
from debate_core.spec.people import Person, Room
from debate_core.spec.protocol import read
from debate_core.spec.rules import Elected, Plurality
from tests.examples import examples
from tests.people import FAY, OPTIONS, refused, room_spec
from tests.playing import Played

VOTERS = tuple(Person(id=f"p-w{n:02}", name=f"Voter {n}", electorate="room", weight=1 + n % 2) for n in range(12))


def guess(*votes: int) -> tuple[ExpectedVotes, ...]:
    return tuple(ExpectedVotes(option=option, votes=n) for option, n in zip(OPTIONS, votes, strict=True))


def opened(**agreed: Any) -> Played:
    """A final vote of twelve people that has just been opened."""
    held = Played(
        room_spec((FAY, *VOTERS), pre_vote="none", decides="room", hold="none", **{"asks_guess": True} | agreed)
    )
    held.go_on()
    held.to_the_end()
    return held.act(FAY, PollOpened(poll="final"))


def voted(choices: str, guesses: int) -> Played:
    """Ballots by letters; the first voters guess 2 of 12 for `adopt`, 9 for `defer` and 1 for `reject`."""
    held = opened()
    options = {option[0]: option for option in OPTIONS} | {"x": "abstain"}
    for n, (voter, letter) in enumerate(zip(VOTERS, choices, strict=True)):
        expects = guess(2, 9, 1) if n < guesses else ()
        held.act(voter, BallotCast(poll="final", choice=options[letter], expects=expects))
    return held.act(FAY, PollClosed(poll="final"))


SHARES = st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any), min_size=1, max_size=15)


@examples(100)
@given(SHARES, st.lists(st.integers(0, 9), min_size=3, max_size=3))
def test_surprisingly_popular_equals_brute_force(guesses: list[list[int]], votes: list[int]):
    """Every guess becomes a crowd of the same size, in whole people; the crowds together are the expectation."""
    size = lcm(*range(1, 16))
    crowds = [[n * size // sum(own) for n in own] for own in guesses]
    ballots = sum(votes)
    shares = expected_shares([dict(zip(OPTIONS, own, strict=True)) for own in guesses])
    for place, option in enumerate(OPTIONS):
        row = GuessRow("room", option, votes[place], ballots, len(guesses), shares[option] * ballots)
        expected = sum(crowd[place] for crowd in crowds) * ballots
        everyone = size * len(crowds)
        assert row.surprisingly_popular == (votes[place] * everyone > expected)
        assert row.expected is not None
        assert row.expected * everyone == expected


def test_surprisingly_popular_option_is_named_with_numbers():
    held = voted("aaaaddddddrx", 10)
    counted = poll_results(held.state, held.state.room.polls["final"])
    held.act(FAY, PollRevealed(poll="final"))
    shown = account(held.state, held.events)
    said = guess_sentences(shown, "room")
    assert said == (
        "Advice of the room, not counted: adopt was chosen by 4 of 11; voters expected 1.8. It is "
        "surprisingly popular, by 10 guesses.",
        "Advice of the room, not counted: reject was chosen by 1 of 11; voters expected 0.917. It is "
        "surprisingly popular, by 10 guesses.",
    )
    for text in (decision_record(shown).text, markdown_report(shown)):
        assert all(sentence in text for sentence in said)
    rows = list(csv.DictReader(io.StringIO(csv_files(shown)["guesses.csv"].removeprefix("\ufeff"))))
    assert [(row["option"], row["votes"], row["expected"], row["surprisingly_popular"]) for row in rows] == [
        ("adopt", "4", "1.833", "true"),
        ("defer", "6", "8.25", "false"),
        ("reject", "1", "0.917", "true"),
    ]
    as_json: Any = debate_json(shown)
    assert [row["expected"] for row in as_json["guesses"]] == [1.833, 8.25, 0.917]
    assert poll_results(held.state, held.state.room.polls["final"]) == counted
    assert verify(held.events) == ()


def test_nine_guesses_are_too_few_and_give_no_numbers():
    """Nine guesses: a mean of few could show the guess of one person."""
    held = voted("aaaaddddddrx", 9).act(FAY, PollRevealed(poll="final"))
    shown = account(held.state, held.events)
    assert guess_sentences(shown, "room") == (
        "Advice of the room, not counted: 9 guesses are too few for surprisingly popular options; 10 are needed.",
    )
    assert {row.expected for row in all_guess_rows(shown)} == {None}


def test_expected_votes_are_no_surprise():
    held = opened()
    for voter, option in zip(VOTERS, ("adopt", "defer", "reject") * 4, strict=True):
        held.act(voter, BallotCast(poll="final", choice=option, expects=guess(4, 4, 4)))
    held.act(FAY, PollClosed(poll="final")).act(FAY, PollRevealed(poll="final"))
    assert guess_sentences(account(held.state), "room") == (
        "Advice of the room, not counted: no option was chosen by more voters than expected.",
    )


def test_latest_ballot_counts_with_its_guess_or_without_one():
    held = opened()
    for voter in VOTERS:
        held.act(voter, BallotCast(poll="final", choice="adopt", expects=guess(2, 9, 1)))
    held.act(VOTERS[0], BallotCast(poll="final", choice="adopt"))
    held.act(VOTERS[1], BallotCast(poll="final", choice="adopt", expects=guess(12, 0, 0)))
    held.act(FAY, PollClosed(poll="final")).act(FAY, PollRevealed(poll="final"))
    first = all_guess_rows(account(held.state))[0]
    assert (first.guesses, first.expected) == (11, Fraction(10 * 2 + 12, 11))


def test_guess_is_sealed_until_the_reveal():
    held = voted("aaaaddddddrx", 12)
    shown = account(held.state, held.events)
    assert all_guess_rows(shown) == ()
    assert guess_sentences(shown, "room") == ()
    for text in (decision_record(shown).text, markdown_report(shown), dumps(debate_json(shown))):
        assert "expected" not in text
        assert "surprisingly" not in text
    assert "guesses.csv" not in csv_files(shown)
    with pytest.raises(InvalidSpec, match="sealed until revealed"):
        export_files(shown, "csv")


def test_guesses_that_do_not_fit_are_refused():
    held = opened()
    some = guess(2, 9, 1)
    for expects, words in (
        (some[:2], "one number for each option: adopt, defer, reject"),
        ((*some, some[0]), "one number for each option"),
        (guess(0, 0, 0), "at least one vote"),
    ):
        refused(held, VOTERS[0], BallotCast(poll="final", choice="adopt", expects=expects), words)
    off = opened(asks_guess=False)
    refused(off, VOTERS[0], BallotCast(poll="final", choice="adopt", expects=some), "does not ask for a guess")
    early = Played(room_spec((FAY, *VOTERS), asks_guess=True)).act(FAY, PollOpened(poll="pre"))
    refused(early, VOTERS[0], BallotCast(poll="pre", choice="adopt", expects=some), "does not ask for a guess")


@pytest.mark.parametrize(
    ("agreed", "words"),
    [
        ({"final_vote": "none"}, "asks_guess needs a final vote"),
        ({"vote": Elected(kind="borda")}, "needs ballots that name one option, and 'borda' has others"),
    ],
)
def test_room_that_cannot_ask_for_a_guess_is_refused(agreed: dict[str, object], words: str):
    with pytest.raises(InvalidSpec, match=words):
        read(Room, {"people": (FAY,), "asks_guess": True} | agreed)


def test_room_without_a_guess_keeps_its_bytes_and_files():
    assert "asks_guess" not in Room(people=(FAY,), vote=Plurality()).model_dump_json()
    assert "expects" not in BallotCast(poll="final", choice="adopt").model_dump_json()
    held = opened(asks_guess=False).act(FAY, PollClosed(poll="final")).act(FAY, PollRevealed(poll="final"))
    assert "guesses" not in dumps(debate_json(account(held.state, held.events)))
    assert "guesses.csv" not in csv_files(account(held.state, held.events))


def test_ground_rules_say_that_a_guess_is_asked():
    with_guess, without = (dict(contract(opened(asks_guess=on).state.spec, VOTERS)) for on in (True, False))
    assert "for a guess how many will choose each option" in with_guess["Votes of people"]
    assert "guess" not in without["Votes of people"]
