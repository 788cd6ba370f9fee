"""Rights in a room: one refusal for each act, and the roles that are allowed."""

from functools import cache

import pytest

from debate_core.engine.engine import submit
from debate_core.engine.rights import fault_in_flow, words_of
from debate_core.errors import RuleViolation
from debate_core.record import acts
from debate_core.record.commands import (
    Act,
    AnyCommand,
    FailTurn,
    Pause,
    Resume,
    SetMark,
    SkipTurn,
    StartAttempt,
    Stop,
    TakeTurn,
)
from debate_core.record.events import DeadlinePassed, LimitRaised, Truncated, TurnSkipped
from debate_core.spec.contents import Argument, Claim, Mark
from debate_core.spec.people import Person
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Seat
from tests.people import ABE, ANN, BEN, FAY, GUS, JUNE, MO, OLA, room_spec
from tests.playing import AT, Played

ADA = Person(id="p-ada", name="Ada", role="debater", seats=("s0",))
DAN = Person(id="p-dan", name="Dan", role="debater")
SEATS = (Seat(id="s0", occupant="human"), Seat(id="s1", occupant="human"), Seat(id="s2", occupant="scripted"))
WORDS = Argument(rationale="why", vote="adopt", claims=(Claim(text="It pays off."),))
READ = Mark(claim_id="s0.1.1", option="adopt", reading="supports")


@cache
def running() -> Played:
    """Ada has spoken for s0, nobody holds s1, and s2 speaks by itself. Ben has left."""
    held = Played(room_spec((FAY, MO, ADA, DAN, ANN, BEN, JUNE, ABE, GUS, OLA), seats=SEATS))
    held.act(FAY, acts.PersonLeft(person=BEN.id))
    held.go_on()
    return held.say(WORDS, by=ADA.id)


REFUSED: tuple[tuple[AnyCommand, str], ...] = (
    (TakeTurn(by=ADA.id, request="1.opening.s1.1", content=WORDS), "the turns of s1 are given by no one yet"),
    (TakeTurn(by="s1", request="1.opening.s1.1", content=WORDS), "the turns of s1 are given by no one yet"),
    (TakeTurn(by=ADA.id, request="1.opening.s2.1", content=WORDS), "are given by s2 itself: take the seat first"),
    (
        SkipTurn(by=GUS.id, request="1.opening.s1.1", reason="x"),
        "to skip a turn is for the facilitator, moderator; Gus",
    ),
    (
        SkipTurn(by=GUS.id, request="1.opening.s9.1", reason="x"),
        "to skip a turn is for the facilitator, moderator; Gus",
    ),
    (SkipTurn(by="s1", request="1.opening.s1.1", reason="x"), "'s1' is not in this room: join it first"),
    (SkipTurn(by=BEN.id, request="1.opening.s1.1", reason="x"), "Ben has left this room"),
    (StartAttempt(by=FAY.id, request="1.opening.s2.1"), "only the program itself asks a seat"),
    (FailTurn(by=FAY.id, request="1.opening.s2.1", error="failed"), "only the program itself asks a seat"),
    (Pause(by=ANN.id, reason="x"), "to pause and resume is for the facilitator, moderator; Ann is voter"),
    (Resume(by=ANN.id), "to pause and resume is for the facilitator, moderator; Ann is voter"),
    (Stop(by=MO.id, reason="x"), "to stop the debate is for the facilitator; Mo is moderator"),
    (Stop(by="host", reason="x"), "'host' is not in this room"),
    (SetMark(by=ANN.id, mark=READ), "to mark claims is for the approver, facilitator, moderator; Ann is voter"),
    (Act(by=BEN.id, act=acts.Asked(text="Why?")), "Ben has left this room"),
    (Act(by=OLA.id, act=acts.Asked(text="Why?")), "asked is for the approver, debater, facilitator, judge, moderator"),
    (Act(by=GUS.id, act=acts.PersonLeft(person=ANN.id)), "only a facilitator can remove someone from the room"),
    (Act(by=GUS.id, act=acts.PersonChanged(person=ANN)), "people change their own name and declared interest"),
    (
        Act(by=GUS.id, act=acts.PersonChanged(person=GUS.model_copy(update={"role": "judge"}))),
        "people change their own name and declared interest",
    ),
    (Act(by=GUS.id, act=acts.PersonJoined(person=BEN)), "people join under their own id"),
    (Act(by=DAN.id, act=acts.SeatTaken(seat="s1", reason="x")), "Dan was not asked to speak for s1: that is for who"),
)
ALLOWED: tuple[AnyCommand, ...] = (
    SkipTurn(by=MO.id, request="1.opening.s1.1", reason="x"),
    SkipTurn(by="s2", request="1.opening.s2.1", reason="x"),
    TakeTurn(by="s2", request="1.opening.s2.1", content=WORDS),
    StartAttempt(by="runner", request="1.opening.s2.1"),
    Pause(by="host", reason="x"),
    Pause(by=MO.id, reason="x"),
    Stop(by=FAY.id, reason="x"),
    Act(by=GUS.id, act=acts.PersonLeft(person=GUS.id)),
    Act(by=GUS.id, act=acts.PersonChanged(person=GUS.model_copy(update={"name": "Gustav", "interest": "I sell it."}))),
    Act(by=FAY.id, act=acts.PersonChanged(person=GUS.model_copy(update={"role": "judge", "electorate": None}))),
    Act(by=ADA.id, act=acts.SeatTaken(seat="s0", reason="x")),
    Act(by=MO.id, act=acts.SeatTaken(seat="s1", reason="x")),
)


@pytest.mark.parametrize(("command", "why"), REFUSED)
def test_who_may_not_is_told_in_one_sentence(command: AnyCommand, why: str):
    with pytest.raises(RuleViolation) as told:
        submit(running().state, command, at=AT)
    assert why in str(told.value)


def test_nobody_in_the_room_ends_a_debate_as_the_engine():
    waited = DeadlinePassed(seats=("s0",), since="2026-03-04T05:06:07.000000Z")
    why = "only the program itself ends a debate at a limit, or after too long a wait"
    for ends in (waited, Truncated(request="1.opening.s2.1", axis="calls")):
        assert fault_in_flow(running().state, ends, FAY.id) == why
        assert fault_in_flow(running().state, ends, "runner") is None


@pytest.mark.parametrize("command", ALLOWED)
def test_who_may_is_heard(command: AnyCommand):
    assert submit(running().state, command, at=AT)


def test_before_a_round_a_speaker_reads_what_is_awaited():
    held = Played(room_spec((FAY, MO, ADA), seats=SEATS))
    turn = TakeTurn(by=ADA.id, request="1.opening.s0.1", content=WORDS)
    with pytest.raises(RuleViolation, match="the lobby is open: turns are given once the facilitator lets the debate"):
        held.do(turn)
    with pytest.raises(RuleViolation, match="the lobby is open: turns are given once the facilitator lets the debate"):
        held.do(StartAttempt(by="runner", request="1.opening.s2.1"))
    held.go_on()
    held.do(turn)


@pytest.mark.parametrize("by", ["engine", "host", "runner", "s2"])
def test_without_people_code_performs_no_act_of_people(by: str):
    alone = room_spec(seats=SEATS).model_copy(update={"room": None})
    held = Played(alone)
    with pytest.raises(RuleViolation, match=f"'{by}' is no person: this is for people alone"):
        held.do(Act(by=by, act=acts.SeatTaken(seat="s2", reason="x")))
    with pytest.raises(RuleViolation, match="this debate has no room"):
        held.do(Act(by="whoever", act=acts.PollOpened(poll="pre")))
    held.do(Act(by="whoever", act=acts.SeatTaken(seat="s2", reason="the server is down")))
    assert words_of(acts.PollOpened) == "poll opened"


def test_without_people_no_code_raises_a_limit():
    alone = Played(room_spec(seats=SEATS).model_copy(update={"room": None})).state
    raised = LimitRaised(to=Ceiling(calls=9), reason="x")
    assert fault_in_flow(alone, raised, "s2") == "'s2' is no person: this is for people alone"
    assert [fault_in_flow(alone, raised, by) for by in ("whoever", "s0")] == [None, None]
    assert fault_in_flow(alone, TurnSkipped(request="1.opening.s2.1", reason="x"), "s2") is None


@pytest.mark.parametrize("request_id", ["1.opening.ghost.1", "nothing", ""])
def test_a_turn_of_nobody_is_skipped_by_who_leads_alone(request_id: str):
    skipped = TurnSkipped(request=request_id, reason="x")
    assert fault_in_flow(running().state, skipped, "ghost") == "'ghost' is not in this room: join it first"
    assert fault_in_flow(running().state, skipped, FAY.id) is None
