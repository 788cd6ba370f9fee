"""The crux of a final vote: the decisive claim, answers to "if that were not so?", and the sentences about them."""

from typing import Any

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.crux import answers, asked_claims
from debate_core.engine.next_step import next_step, onward
from debate_core.engine.stage import poll_results, sealed
from debate_core.errors import InvalidSpec
from debate_core.record.acts import BallotCast, PollClosed, PollOpened, PollRevealed, Supposed
from debate_core.record.commands import SetMark
from debate_core.record.state import Request
from debate_core.report.facts.account import account
from debate_core.report.facts.carrying_claims import carrying_claims
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.export import csv_files
from debate_core.report.phrases.crux import crux_headline, crux_sentences
from debate_core.spec.contents import Argument, Claim, Mark
from debate_core.spec.people import Person, Room
from debate_core.spec.protocol import read
from tests.people import ABE, FAY, refused, room_spec
from tests.playing import Played

VOTERS = tuple(Person(id=f"p-w{n:02}", name=f"Voter {n}", electorate="room") for n in range(12))
FIRST, SECOND, THIRD = "s0.1.1", "s1.1.1", "s2.1.1"


def closed(named: str, votes: str = "aaaaaaaddddd", **agreed: Any) -> Played:
    """Twelve people vote by letters and name the first, second, third or no claim (1, 2, 3, .)."""
    held = Played(room_spec((FAY, ABE, *VOTERS), pre_vote="none", decides="room", **{"asks_crux": True} | agreed))
    while held.state.outcome is None:
        held.go_on()
        held.play(_says)
    held.act(FAY, PollOpened(poll="final"))
    options = {"a": "adopt", "d": "defer"}
    claims = {"1": FIRST, "2": SECOND, "3": THIRD, ".": None}
    for voter, vote, claim in zip(VOTERS, votes, named, strict=True):
        held.act(voter, BallotCast(poll="final", choice=options[vote], decided_by=claims[claim]))
    return held.act(FAY, PollClosed(poll="final"))


def _says(request: Request) -> Argument:
    claims = (Claim(text=f"{request.seat} says that replays are safe"),) if request.round == 1 else ()
    return Argument(rationale="why", vote="adopt", claims=claims)


def answered(held: Played, claim: str, letters: str) -> Played:
    """Answers of the voters by letters; a dot is no answer."""
    options = {"a": "adopt", "d": "defer", "x": "abstain"}
    for voter, letter in zip(VOTERS, letters, strict=True):
        if letter != ".":
            held.act(voter, Supposed(claim_id=claim, choice=options[letter]))
    return held


def said(held: Played) -> tuple[str, ...]:
    return crux_sentences(account(held.state, held.events), "room")


def test_crux_says_who_switches_and_what_wins():
    held = answered(closed("111111122223"), FIRST, "dddddaaddddd")
    counted = poll_results(held.state, held.state.room.polls["final"])
    assert said(held) == ()
    held.act(FAY, PollRevealed(poll="final"))
    words = said(held)
    assert words[0] == "If claim 1 is false, 5 of 12 switch and defer wins. No one has checked claim 1."
    assert words[1] == "If claim 2 is false, 0 of 12 switch and the result is unknown. 12 did not answer. " + (
        "No one has checked claim 2."
    )
    assert words[-1] == "1 other ballot can change the result: 1 with the ballot adopt."
    assert poll_results(held.state, held.state.room.polls["final"]) == counted
    assert crux_headline(account(held.state)) == words[0]
    assert verify(held.events) == ()
    shown = account(held.state, held.events)
    assert words[0] in decision_record(shown).text
    assert csv_files(shown)["crux.csv"].splitlines()[1].split(",")[1:3] == ['"room"', f'"{FIRST}"']


def test_missing_answers_are_unknown_and_not_the_first_vote():
    held = answered(closed("111111122222"), FIRST, "aaaaaaa.....").act(FAY, PollRevealed(poll="final"))
    assert said(held)[0].startswith("If claim 1 is false, 0 of 12 switch and the result stays. 5 did not answer.")
    late = answered(closed("111111122222"), FIRST, "aaaaa.......").act(FAY, PollRevealed(poll="final"))
    refused(late, VOTERS[5], Supposed(claim_id=FIRST, choice="defer"), "revealed", "unknown")
    assert "the result is unknown. 7 did not answer." in said(late)[0]


def test_marked_claim_counts_as_checked():
    held = answered(closed("111111122222"), FIRST, "dddddaaddddd").act(FAY, PollRevealed(poll="final"))
    held.do(SetMark(by=FAY.id, mark=Mark(claim_id=FIRST, reading="neutral")))
    assert "No one has checked" not in said(held)[0]


def test_third_claim_is_asked_only_in_a_tie():
    assert asked_claims(closed("111122223333").state) == (FIRST, SECOND, THIRD)
    assert asked_claims(closed("111112222333").state) == (FIRST, SECOND)
    assert asked_claims(closed("............").state) == ()


def test_answers_stay_sealed_between_close_and_reveal():
    held = closed("111111122222")
    step = next_step(held.state, FAY.id)
    assert step is not None
    assert onward(closed("111111122222").state, step) is None
    assert [str(words) for words in sealed(held.state)] == ["the final vote"]
    answered(held, FIRST, "d...........")
    answered(held, FIRST, "x...........")
    assert answers(held.state) == {FIRST: {VOTERS[0].id: "abstain"}, SECOND: {}}
    assert [str(words) for words in sealed(held.state)] == ["the final vote"]


def test_acts_that_do_not_fit_are_refused():
    held = closed("111111122222")
    refused(held, VOTERS[0], Supposed(claim_id=THIRD, choice="adopt"), THIRD, "not one of the claims")
    refused(held, VOTERS[0], Supposed(claim_id=FIRST, choice="nothing"), "'nothing' is no option")
    refused(held, ABE, Supposed(claim_id=FIRST, choice="adopt"), "only people with a ballot")
    off = closed("............", asks_crux=False)
    refused(off, VOTERS[0], Supposed(claim_id=FIRST, choice="adopt"), "not agreed")
    fresh = Played(room_spec((FAY, *VOTERS), asks_crux=True))
    fresh.act(FAY, PollOpened(poll="pre"))
    refused(fresh, VOTERS[0], BallotCast(poll="pre", choice="adopt", decided_by=FIRST), "does not ask")


def test_crux_without_a_final_vote_is_refused():
    with pytest.raises(InvalidSpec, match="asks_crux needs a final vote"):
        read(Room, {"people": (FAY,), "final_vote": "none", "asks_crux": True})


def test_room_without_crux_keeps_its_bytes():
    assert "asks_crux" not in Room(people=(FAY,)).model_dump_json()
    assert "decided_by" not in BallotCast(poll="final", choice="adopt").model_dump_json()


def test_claims_named_by_winning_ballots_are_offered_at_sign_off():
    """The second claim is named most, but by voters of the other option."""
    held = closed("1133...22222").act(FAY, PollRevealed(poll="final"))
    found = carrying_claims(account(held.state, held.events))
    assert [row.claim_id for row in found] == [FIRST, THIRD]


def test_no_claim_is_offered_before_the_reveal():
    held = closed("1133...22222")
    assert carrying_claims(account(held.state, held.events)) == ()
