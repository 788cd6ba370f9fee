"""Claims for options that lost, and how many of them the synthesis contains: counted by hand."""

import json

import pytest

from debate_core.record import acts
from debate_core.record.commands import SetMark
from debate_core.report.facts.account import account
from debate_core.report.facts.lost_claims import LostClaims, lost_claims
from debate_core.report.files.export import debate_json, dumps
from debate_core.report.files.report import markdown_report, text_report
from debate_core.report.phrases.lost_claims import lost_claims_sentence
from debate_core.spec.contents import Argument, Claim, Linked, Mark, Synthesis
from debate_core.spec.people import Room
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.rules import MaxRounds, Threshold
from debate_core.spec.values import Seat
from tests.by_hand import small
from tests.people import EVERYBODY, MO, OPTIONS, SYD
from tests.playing import Played

FAST = "The new queue handled 4,000 messages per second in our load test."
DEAR = "Running it costs $900 a month and needs a second operator."
NEW_TEAM = "No one in the team has operated such a store before."
LATE = "The vendor promised the migration tool for the coming spring."
CLAIMS = {"s0": (FAST,), "s1": (FAST, "It is quick to set up on our own machines."), "s2": (DEAR, NEW_TEAM, LATE)}
"""The claims of each seat: the last seat votes for another option than the first two."""
LINKS_ONE = Linked(text="Its cost is disputed.", links=("s2.1.1",))


def synthesised(votes: str, *lines: Linked, answer: str = "We adopt it.") -> Played:
    """One round of three seats with these votes, and a synthesis with these contested points."""
    protocol = Protocol(
        name="own",
        each_round=(Phase(name="opening"),),
        after=(Phase(name="synthesis", gives="synthesis", role="synthesiser"),),
        stop=(MaxRounds(),),
        decide=Threshold(votes=2),
    )
    seats = (
        *(Seat(id=seat, occupant="scripted") for seat in CLAIMS),
        Seat(id="syn", role="synthesiser", occupant="offline"),
    )
    spec = Spec(
        question="Which?", options=OPTIONS, seats=seats, protocol=protocol, max_rounds=1, room=Room(people=EVERYBODY)
    )
    held = Played(spec).go_on()
    for (seat, texts), vote in zip(CLAIMS.items(), votes.split(), strict=True):
        claims = tuple(Claim(text=text) for text in texts)
        held.say(Argument(rationale="why", vote=vote, claims=claims), by=seat)
    return held.say(Synthesis(answer=answer, contested=lines), by="syn")


def told(held: Played) -> tuple[LostClaims | None, str]:
    found = account(held.state, held.events)
    return lost_claims(found), lost_claims_sentence(found)


@pytest.mark.parametrize(
    ("lines", "answer", "appear"),
    [
        ((), "We adopt it.", 0),
        ((LINKS_ONE,), "We adopt it.", 1),
        ((LINKS_ONE,), f"We adopt it. {NEW_TEAM}", 2),
        ((Linked(text="All agree.", links=("s2.1.1", "s2.1.2", "s2.1.3")),), "We adopt it.", 3),
        ((Linked(text=FAST, links=("s0.1.1",)),), "We adopt it.", 0),
    ],
)
def test_claims_of_the_losing_side_count_if_linked_or_said(lines: tuple[Linked, ...], answer: str, appear: int):
    held = synthesised("adopt adopt defer", *lines, answer=answer)
    verb = "appears" if appear == 1 else "appear"
    sentence = f"Claims of options that lost: {appear} of 3 {verb} in it."
    assert told(held) == (LostClaims(appear, 3), sentence)
    found = account(held.state, held.events)
    for report in (text_report(found), markdown_report(found)):
        assert sentence in report
    assert json.loads(dumps(debate_json(found)))["lost_claims"] == {"appear": appear, "of": 3}


def test_a_later_version_of_a_person_is_counted_instead():
    held = synthesised("adopt adopt defer", LINKS_ONE)
    held.act(SYD, acts.SynthesisRevised(content=Synthesis(answer="We adopt it.")))
    assert told(held)[0] == LostClaims(0, 3)


def test_marks_of_people_precede_ballots_for_lost_claims():
    held = synthesised("adopt adopt defer", LINKS_ONE)
    for claim, reading, option in (
        ("s2.1.1", "supports", "adopt"),
        ("s2.1.2", "neutral", "defer"),
        ("s0.1.1", "supports", "reject"),
    ):
        held.do(SetMark(by=MO.id, mark=Mark.model_validate({"claim_id": claim, "reading": reading, "option": option})))
    # Only the third claim of s2 and the first one of s0 are left, and no line links them.
    assert told(held)[0] == LostClaims(0, 2)


def test_lost_claims_are_unknown_without_a_loser():
    undecided = synthesised("adopt defer reject", LINKS_ONE)
    assert told(undecided)[1] == "Claims of options that lost: unknown, because no option was decided."
    unanimous = synthesised("adopt adopt adopt", LINKS_ONE)
    assert told(unanimous)[1] == "Claims of options that lost: unknown, because no claim is known to support one."


def test_lost_claims_need_an_end_and_a_synthesis():
    held = small(Phase(name="opening"), decide=Threshold(votes=2))
    assert told(held) == (None, "")
    assert told(held.play("a")) == (None, "")
