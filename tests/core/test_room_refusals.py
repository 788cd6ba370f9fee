"""Refusals in a room: two roles in one person, late votes, a lowered bar."""

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate, requests, submit
from debate_core.engine.stage import sitting, speaks_for
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.record import acts
from debate_core.record.commands import Act, FailTurn, Resume, SkipTurn, StartAttempt, Stop, TakeTurn
from debate_core.report.facts.interventions import override_rows
from debate_core.report.facts.who_judged import judge_flags
from debate_core.report.phrases.events import act_phrase
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.people import Person
from debate_core.spec.rules import Majority
from debate_core.spec.values import Seat
from tests.people import ANN, BEN, FAY, GUS, JUNE, MO, belief, refused, room_spec
from tests.playing import AT, Played

ADA = Person(id="p-ada", name="Ada", role="debater", seats=("s0",))
BOB = Person(id="p-bob", name="Bob", role="debater", seats=("s1",))
SEATS = (Seat(id="s0", occupant="human"), Seat(id="s1", occupant="human"))


def test_who_sits_in_a_debaters_seat_cannot_become_a_judge():
    held = Played(room_spec())
    held.go_on()
    held.act(MO, acts.SeatTaken(seat="s0", reason="the provider is down"))
    for office in ("judge", "synthesiser"):
        act = acts.PersonChanged(person=MO.model_copy(update={"role": office}))
        refused(held, FAY, act, f"Mo cannot be {office} and speak for s0")
    held.act(MO, acts.SeatReturned(seat="s0"))
    held.act(FAY, acts.PersonChanged(person=MO.model_copy(update={"role": "judge"})))


def test_one_person_holds_a_seat_and_returns_to_it_only():
    held = Played(room_spec((FAY, ADA, BOB), seats=SEATS))
    late = Person(id="p-late", name="Lea", role="debater", seats=("s0",))
    refused(held, late, acts.PersonJoined(person=late), "Ada speaks for s0")
    refused(held, FAY, acts.PersonChanged(person=BOB.model_copy(update={"seats": ("s1", "s0")})), "Ada speaks for s0")
    held.act(FAY, acts.PersonLeft(person="p-ada"))
    held.act(late, acts.PersonJoined(person=late))
    assert speaks_for(held.state, "s0") == ("p-late",)


def test_a_debater_cannot_take_or_return_the_opposing_seat():
    held = Played(room_spec((FAY, MO, ADA, BOB), seats=SEATS))
    held.go_on()
    refused(held, ADA, acts.SeatTaken(seat="s1", reason="mine now"), "Ada was not asked to speak for s1")
    held.act(MO, acts.SeatTaken(seat="s1", reason="Bob is late"))
    refused(held, ADA, acts.SeatReturned(seat="s1"), "Ada was not asked to speak for s1")
    held.act(BOB, acts.SeatReturned(seat="s1", reason="here I am"))
    assert sitting(held.state) == {}


@pytest.mark.parametrize("request_id", ["", "s0", "1.argument.nobody.1", "one.argument.s0.one"])
def test_what_is_the_address_of_no_request_is_refused_in_words(request_id: str):
    held = Played(room_spec())
    held.go_on()
    content = Argument(rationale="Because.", claims=(Claim(text="It pays."),))
    for command in (
        TakeTurn(by=FAY.id, request=request_id, content=content),
        SkipTurn(by=FAY.id, request=request_id, reason="no time"),
    ):
        with pytest.raises(RuleViolation, match="is not asked now"):
            submit(held.state, command, at=AT)


def test_whoever_is_in_an_electorate_can_vote():
    held = Played(room_spec())
    held.act(FAY, acts.PollOpened(poll="pre"))
    refused(held, FAY, acts.PersonChanged(person=ANN.model_copy(update={"role": "observer"})), "Ann only observes")
    held.ballot(ANN, "pre", "adopt")
    odd = Person(id="p-odd", name="Odd", role="observer", electorate="room")
    refused(held, odd, acts.PersonJoined(person=odd), "Odd only observes")
    with pytest.raises(InvalidSpec, match="Odd only observes"):
        open_debate(room_spec((FAY, odd)), debate_id="d", at=AT)


def test_who_comes_after_a_poll_was_opened_has_one_vote():
    held = Played(room_spec())
    held.act(FAY, acts.PollOpened(poll="pre"))
    heavy = Person(id="p-heavy", name="Hal", electorate="panel", weight=100)
    refused(held, heavy, acts.PersonJoined(person=heavy), "weights are fixed")
    held.act(heavy, acts.PersonJoined(person=heavy.model_copy(update={"weight": 1})))


def test_removing_people_during_a_poll_lowers_no_bar():
    held = Played(room_spec((FAY, ANN, BEN, GUS), vote=Majority(), pre_vote="shown_at_close"))
    held.act(FAY, acts.PersonLeft(person="p-gus"))
    held.act(FAY, acts.PollOpened(poll="pre"))
    held.ballot(ANN, "pre", "adopt")
    held.act(FAY, acts.PersonLeft(person="p-ben"))
    held.act(FAY, acts.PollClosed(poll="pre"))
    closed = held.state.room.polls["pre"].closed
    assert closed is not None
    # Gus had left before it was opened; Ben, who weighs 2, had not.
    assert [(r.electorate, r.winners, r.weight_eligible) for r in closed.fact.results] == [("panel", (), 3)]
    assert verify(held.events) == ()


def test_the_pre_vote_ends_when_the_debate_begins_or_stops():
    for moves_on in (Resume(by="p-fay"), Stop(by="p-fay", reason="no")):
        held = Played(room_spec())
        held.act(FAY, acts.PollOpened(poll="pre"))
        held.do(moves_on)
        refused(held, ANN, acts.BallotCast(poll="pre", choice="adopt"), "comes before the first turn")
        held.act(FAY, acts.PollClosed(poll="pre"))
    held = Played(room_spec())
    held.do(Stop(by="p-fay", reason="no"))
    refused(held, FAY, acts.PollOpened(poll="pre"), "begun or is over")


def test_nobody_speaks_fails_or_skips_in_the_lobby():
    held = Played(room_spec())
    name = requests(held.state)[0].id
    for command in (
        SkipTurn(by="p-mo", request=name, reason="go"),
        StartAttempt(by="s0", request=name),
        FailTurn(by="s0", request=name, error="failed"),
    ):
        with pytest.raises(RuleViolation, match="the lobby is open"):
            held.do(command)
    with pytest.raises(RuleViolation, match="not in this room"):
        held.do(Resume(by="host"))


def test_nobody_speaks_before_a_round_that_is_waited_for():
    held = Played(room_spec((FAY, MO, ADA, BOB), seats=SEATS))
    held.go_on()
    while held.state.paused is None:
        held.say(by="p-ada" if requests(held.state)[0].seat == "s0" else "p-bob")
    with pytest.raises(RuleViolation, match="no turn yet: round 2 is ready"):
        held.say(by="p-ada")
    held.go_on()
    held.say(by="p-ada")


def test_nobody_takes_the_name_of_somebody_else():
    held = Played(room_spec())
    refused(held, GUS, acts.PersonChanged(person=GUS.model_copy(update={"name": " fAY "})), "already in this room")
    held.act(GUS, acts.PersonChanged(person=GUS.model_copy(update={"name": "Gustav"})))


def test_a_judge_compares_a_pair_once_and_not_after_the_reveal():
    held = Played(room_spec())
    held.go_on()
    held.play()
    pair = {"a": "1.opening.s0", "b": "1.opening.s1"}
    held.act(JUNE, acts.Compared(**pair, winner="a"))
    refused(held, JUNE, acts.Compared(a=pair["b"], b=pair["a"], winner="b"), "already")
    cell = acts.Rated(option="adopt", criterion="clarity", score=3)
    refused(held, JUNE, acts.Judged(ratings=(cell, cell.model_copy(update={"score": 5}))), "one score")
    held.to_the_end()
    refused(held, JUNE, belief(1, 50, 30, 20, final=True, explanation="so"), "after the last round, 2")
    held.act(JUNE, belief(2, 50, 30, 20, final=True, explanation="so"))
    held.act(JUNE, acts.Judged(ratings=(cell,)))
    held.act(FAY, acts.BeliefsRevealed(round=2))
    refused(held, JUNE, acts.Judged(ratings=(cell,)), "probabilities were revealed")
    refused(held, JUNE, acts.Compared(a=pair["a"], b="1.opening.s2", winner="a"), "probabilities were revealed")


def test_a_partisan_cannot_judge_and_is_told_so():
    held = Played(room_spec())
    held.go_on()
    held.act(MO, acts.SeatTaken(seat="s0", reason="the provider is down"))
    held.say(by="p-mo")
    held.act(MO, acts.SeatReturned(seat="s0"))
    refused(held, FAY, acts.PersonChanged(person=MO.model_copy(update={"role": "judge"})), "Mo cannot be judge")
    held.play()
    held.act(JUNE, belief(1, 50, 30, 20))
    held.act(FAY, acts.PersonChanged(person=JUNE.model_copy(update={"role": "moderator"})))
    held.go_on()
    held.act(JUNE, acts.SeatTaken(seat="s1", reason="nobody else is here"))
    held.say()
    held.say(by="p-june")
    assert "June judged this debate and spoke in it" in judge_flags(held.state)


def test_an_invited_person_speaks_after_taking_the_seat():
    dan = Person(id="p-dan", name="Dan", role="debater", seats=("s0",))
    held = Played(room_spec((FAY, dan)))
    held.go_on()
    with pytest.raises(RuleViolation, match="take the seat first"):
        held.say(by="p-dan")
    held.act(dan, acts.SeatTaken(seat="s0", reason="I was asked to"))
    held.say(by="p-dan")


def test_judges_are_not_revealed_for_a_round_that_runs():
    held = Played(room_spec())
    refused(held, FAY, acts.BeliefsRevealed(round=1), "round 1 is not over")
    held.go_on()
    refused(held, FAY, acts.BeliefsRevealed(round=1), "round 1 is not over")
    held.play()
    held.act(FAY, acts.BeliefsRevealed(round=1))
    refused(held, FAY, acts.BeliefsRevealed(round=2), "round 2 is not over")
    held.to_the_end()
    held.act(FAY, acts.BeliefsRevealed(round=2))


def test_facilitators_and_the_operator_change_links():
    held = Played(room_spec())
    made = acts.LinkChanged(what="made", person="p-new", role="judge")
    refused(held, MO, made, "link changed is for the facilitator; Mo is here as moderator")
    refused(held, Person(id="p-odd", name="Odd"), made, "not in this room")
    held.act(FAY, made)
    held.do(Act(by="host", act=acts.LinkChanged(what="replaced", person=GUS.id, role="voter", reason="lost")))
    refused(held, FAY, acts.LinkChanged(what="made", role="judge"), "a public link lets in only observers and voters")
    refused(held, FAY, acts.LinkChanged(what="made", role="voter", electorate="panel"), "voters of the room")
    refused(held, FAY, acts.LinkChanged(what="made", person="p-x", role="observer", electorate="room"), "has no vote")
    held.act(FAY, acts.LinkChanged(what="made", role="voter", electorate="room"))
    held.act(FAY, acts.PersonLeft(person=GUS.id))
    held.act(FAY, acts.LinkChanged(what="taken_back", person=GUS.id, role="voter", electorate="room"))
    for what in ("made", "replaced"):
        act = acts.LinkChanged.model_validate({"what": what, "person": GUS.id, "role": "voter"})
        refused(held, FAY, act, "Gus has left or was removed")
    names = {i: p.name for i, p in held.state.room.people.items()}
    assert [act_phrase(d.fact, names) for d in held.state.room.of(acts.LinkChanged)] == [
        "made a link for a new judge",
        "replaced the link for Gus",
        "made a link for everyone (voter)",
        "revoked the link for Gus",
    ]
    vote = acts.LinkChanged(what="made", person="p-new", role="approver", electorate="panel")
    assert act_phrase(vote, names) == "made a link for a new approver with a vote among the named people"
    assert verify(held.events) == ()


def test_removing_an_intruder_recounts_without_open_ballots():
    # A script that joined many times is counted out, and `verify` counts the same.
    held = Played(room_spec((FAY, ANN, BEN, GUS)))
    stuffed = [Person(id=f"p-z{n}", name=f"Zed {n}", electorate="room") for n in range(3)]
    held.act(FAY, acts.PollOpened(poll="pre"))
    for voter in stuffed:
        held.act(voter, acts.PersonJoined(person=voter))
        held.ballot(voter, "pre", "defer")
    held.ballot(GUS, "pre", "adopt")
    why = "a script joined thirty times"
    refused(held, FAY, acts.PersonLeft(person="p-z0", withdrawn=True), "give a reason")
    refused(held, FAY, acts.PersonLeft(person="p-gus", reason=why, withdrawn=True), "was here from the start")
    refused(held, GUS, acts.PersonLeft(person="p-gus", reason=why, withdrawn=True), "only a facilitator")
    for voter in stuffed[:2]:
        held.act(FAY, acts.PersonLeft(person=voter.id, reason=why, withdrawn=True))
    held.act(FAY, acts.PollClosed(poll="pre"))
    # What was counted stays as it was: the third has gone too late to change it.
    held.act(FAY, acts.PersonLeft(person="p-z2", reason=why, withdrawn=True))
    closed = held.state.room.polls["pre"].closed
    assert closed is not None
    [room] = [r for r in closed.fact.results if r.electorate == "room"]
    assert {p.option: p.points for p in room.points} == {"adopt": "1", "defer": "1", "reject": "0"}
    assert (room.cast, room.eligible) == (2, 2)
    assert verify(held.events) == ()
    shown_out = [row for row in override_rows(held.events) if row.action == "show out"]
    assert [row.after for row in shown_out] == ["left, open ballots withdrawn"] * 3
