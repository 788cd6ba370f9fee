"""A debate with people in it, from the lobby to the signature: what happens, and what is refused in words."""

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate, requests
from debate_core.engine.seat_view import view
from debate_core.engine.stage import (
    LOBBY,
    final_decision,
    joined_late,
    known_as,
    result_of,
    sealed,
    sitting,
    stage,
    support,
    why_it_waits,
)
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.record import acts
from debate_core.record.commands import Act, Pause, Resume, SetMark, SkipTurn, Stop, TakeTurn
from debate_core.record.events import dump_record, parse_record
from debate_core.record.fold import replay
from debate_core.report.facts.account import account
from debate_core.report.phrases.ending import end_words, ended_words
from debate_core.spec.contents import Argument, Mark
from debate_core.spec.people import Person
from debate_core.spec.rules import Majority
from debate_core.spec.values import Seat
from tests.people import ABE, ANN, BEN, EVERYBODY, FAY, GUS, JUNE, MO, OLA, SYD, refused, room_spec, whole_workshop
from tests.playing import AT, Played


def test_it_waits_in_the_lobby_until_the_facilitator_begins():
    held = Played(room_spec())
    assert (held.state.paused, stage(held.state)) == (LOBBY, "lobby")
    assert [r.seat for r in requests(held.state)] == ["s0", "s1", "s2"]
    with pytest.raises(RuleViolation, match="the lobby is open"):
        held.say()
    held.go_on()
    assert (held.state.paused, stage(held.state)) == (None, "round")


def test_it_waits_before_each_round_despite_a_second_click():
    held = Played(room_spec())
    held.go_on()
    held.play()
    assert held.state.paused == "round 2 is ready: the facilitator lets it begin"
    held.go_on()
    with pytest.raises(RuleViolation, match="not paused"):
        held.go_on()
    held.play()
    assert held.state.outcome is not None
    assert verify(held.events) == ()


def test_without_a_hold_only_the_lobby_waits():
    held = Played(room_spec(hold="none"))
    held.go_on()
    held.play()
    assert held.state.outcome is not None


def test_the_record_of_a_room_is_read_as_it_was_written():
    held = whole_workshop()
    data = dump_record(held.events).encode()
    assert parse_record(data) == tuple(held.events)
    assert verify(held.events) == ()


def test_electorates_are_counted_apart_with_fixed_weights():
    held = whole_workshop()
    panel, room = result_of(held.state, "final", "panel"), result_of(held.state, "final", "room")
    assert panel is not None
    assert (panel.winners, panel.cast, panel.eligible, panel.weight_cast) == (("adopt",), 2, 2, 3)
    assert room is not None
    assert (room.winners, room.cast, room.abstained, room.eligible) == ((), 0, 1, 1)
    before = result_of(held.state, "pre", "panel")
    assert before is not None
    assert {p.option: p.points for p in before.points} == {"adopt": "2", "defer": "1", "reject": "0"}
    assert final_decision(held.state).option == "adopt"
    assert final_decision(held.state).by == "panel"
    assert stage(held.state) == "signed"


def test_a_sealed_vote_has_no_result_and_is_named_as_sealed():
    held = Played(room_spec())
    held.act(FAY, acts.PollOpened(poll="pre"))
    held.ballot(ANN, "pre", "defer")
    assert sealed(held.state) == ("the pre-vote",)
    held.act(FAY, acts.PollClosed(poll="pre"))
    assert result_of(held.state, "pre", "panel") is None
    refused(held, FAY, acts.PollRevealed(poll="pre"), "stay sealed to the end")


def test_the_latest_ballot_counts_and_all_are_recorded():
    held = Played(room_spec(pre_vote="shown_at_close"))
    held.act(FAY, acts.PollOpened(poll="pre"))
    for choice in ("adopt", "defer", "reject"):
        held.ballot(ANN, "pre", choice)
    held.act(FAY, acts.PollClosed(poll="pre"))
    held.act(FAY, acts.PollRevealed(poll="pre"))
    panel = result_of(held.state, "pre", "panel")
    assert panel is not None
    assert {p.option: p.points for p in panel.points} == {"adopt": "0", "defer": "0", "reject": "1"}
    assert held.state.room.polls["pre"].cast_times == {"p-ann": 3}


def test_late_repeated_foreign_or_unentitled_votes_are_refused():
    held = Played(room_spec())
    refused(held, ANN, acts.BallotCast(poll="pre", choice="adopt"), "was not opened")
    held.act(FAY, acts.PollOpened(poll="pre"))
    refused(held, FAY, acts.PollOpened(poll="pre"), "opened already")
    refused(held, JUNE, acts.BallotCast(poll="pre", choice="adopt"), "only members of an electorate")
    refused(held, OLA, acts.BallotCast(poll="pre", choice="adopt"), "is here as observer")
    refused(held, ANN, acts.BallotCast(poll="pre", choice="maybe"), "none of the options")
    refused(held, ANN, acts.BallotCast(poll="pre"), "empty")
    refused(held, Person(id="p-forged", name="X"), acts.BallotCast(poll="pre", choice="adopt"), "not in this room")
    held.act(FAY, acts.PollClosed(poll="pre"))
    refused(held, ANN, acts.BallotCast(poll="pre", choice="adopt"), "is closed")
    refused(held, ANN, acts.PollOpened(poll="final"), "is for the facilitator")
    refused(held, FAY, acts.PollOpened(poll="final"), "when the debate is over")


def test_verification_recounts_a_stated_result():
    held = Played(room_spec())
    held.act(FAY, acts.PollOpened(poll="pre"))
    held.ballot(ANN, "pre", "defer")
    held.act(FAY, acts.PollClosed(poll="pre", results=()))
    stated = held.state.room.polls["pre"].closed
    assert stated is not None
    assert [r.electorate for r in stated.fact.results] == ["panel", "room"]


def test_one_poll_is_open_at_a_time():
    # Whoever votes is shown one ballot: of a second poll nobody would know.
    held = Played(room_spec())
    held.act(FAY, acts.PollOpened(poll="pre"))
    held.go_on()
    refused(held, FAY, acts.PollOpened(poll="pulse-1"), "the pre-vote is still open: close it first")
    held.act(FAY, acts.PollClosed(poll="pre"))
    held.act(FAY, acts.PollOpened(poll="pulse-1"))
    assert list(held.state.room.polls) == ["pre", "pulse-1"]


def test_who_joins_after_the_opening_votes_and_is_marked():
    held = Played(room_spec(pre_vote="shown_at_close"))
    held.act(FAY, acts.PollOpened(poll="pre"))
    late = Person(id="p-late", name="Lea", electorate="room")
    held.act(late, acts.PersonJoined(person=late))
    held.ballot(late, "pre", "adopt")
    assert joined_late(held.state, "pre", "p-late")
    assert not joined_late(held.state, "pre", "p-ann")
    refused(held, late, acts.PersonJoined(person=late), "in this room already")


def test_only_the_facilitator_changes_roles():
    held = Played(room_spec())
    refused(held, ANN, acts.PersonChanged(person=ANN.model_copy(update={"role": "facilitator"})), "own name")
    held.act(ANN, acts.PersonChanged(person=ANN.model_copy(update={"interest": "owns the old system"})))
    refused(
        held, FAY, acts.PersonChanged(person=JUNE.model_copy(update={"seats": ("s0",)})), "cannot be judge and speak"
    )
    refused(
        held, FAY, acts.PersonChanged(person=FAY.model_copy(update={"role": "voter"})), "the room needs a facilitator"
    )
    held.act(FAY, acts.PersonChanged(person=MO.model_copy(update={"role": "facilitator"})))
    held.act(FAY, acts.PersonLeft(person="p-fay"))
    refused(held, FAY, acts.PollOpened(poll="pre"), "has left")
    held.go_on(MO.id)


def test_an_opened_poll_fixes_weights_and_electorates():
    held = Played(room_spec())
    held.act(FAY, acts.PersonChanged(person=ANN.model_copy(update={"weight": 3})))
    held.act(FAY, acts.PollOpened(poll="pre"))
    refused(held, FAY, acts.PersonChanged(person=ANN.model_copy(update={"weight": 9})), "fixed once a poll")


@pytest.mark.parametrize("who", [p for p in EVERYBODY if p.role not in ("facilitator", "moderator")])
def test_the_procedure_is_for_those_who_hold_it(who):
    held = Played(room_spec())
    for early in (Resume(by=who.id), Stop(by=who.id, reason="x")):
        with pytest.raises(RuleViolation, match="is for the"):
            held.do(early)
    held.go_on()
    asked = requests(held.state)[0].id
    given = TakeTurn(by=who.id, request=asked, content=Argument(rationale="mine", vote="reject"))
    for command in (Pause(by=who.id, reason="x"), SkipTurn(by=who.id, request=asked, reason="x"), given):
        with pytest.raises(RuleViolation, match=r"is for the|are given by"):
            held.do(command)


def test_a_person_takes_over_a_seat_and_hands_it_back():
    held = Played(room_spec())
    held.go_on()
    held.act(MO, acts.SeatTaken(seat="s0", reason="the provider is down"))
    assert sitting(held.state) == {"s0": "p-mo"}
    with pytest.raises(RuleViolation, match="given by Mo"):
        held.say()
    held.say(by="p-mo")
    held.act(MO, acts.SeatReturned(seat="s0"))
    held.to_the_end()
    assert [(t.seat, t.by) for t in held.state.turns[:2]] == [("s0", "p-mo"), ("s1", "s1")]
    assert verify(held.events) == ()


def test_a_person_holds_a_seat_that_was_kept_for_them():
    dan = Person(id="p-dan", name="Dan", role="debater", seats=("s2",))
    seats = (Seat(id="s0", occupant="scripted"), Seat(id="s1", occupant="scripted"), Seat(id="s2", occupant="human"))
    held = Played(room_spec((FAY, dan), seats=seats))
    held.go_on()
    held.say()
    held.say()
    for nobody in ("s2", "p-fay"):
        with pytest.raises(RuleViolation, match="given by Dan"):
            held.say(by=nobody)
    held.say(by="p-dan")
    assert held.state.turns[2].by == "p-dan"


def test_a_struck_turn_is_hidden_later_and_keeps_its_vote():
    held = Played(room_spec())
    held.go_on()
    for vote in ("adopt", "adopt", "defer"):
        held.say(vote)
    held.act(MO, acts.Struck(turn="1.opening.s0", reason="insults"))
    seen = view(held.state, requests(held.state)[0])
    assert [t.speaker for t in seen.turns if t.own] == []
    assert len(seen.turns) == 2
    assert held.state.ballots["s0"].choice == "adopt"
    assert [(t.status, t.message, t.content is not None) for t in held.state.turns[:1]] == [("struck", "insults", True)]
    refused(held, MO, acts.Struck(turn="1.opening.s0", reason="again"), "no turn that can be struck")
    refused(held, ANN, acts.Struck(turn="1.opening.s1", reason="no"), "is for the facilitator, moderator")


def test_words_to_all_seats_reach_the_next_seat():
    held = Played(room_spec())
    held.go_on()
    held.act(MO, acts.Intervened(kind="question", text="What does it cost?"))
    assert view(held.state, requests(held.state)[0]).interventions == (
        acts.Intervened(kind="question", text="What does it cost?"),
    )


def test_a_round_is_added_within_the_maximum_or_made_the_last():
    held = Played(room_spec(rounds=1))
    held.go_on()
    held.say()
    held.act(FAY, acts.Extended(rounds=1, reason="not settled"))
    held.to_the_end()
    assert held.state.current_round() == 2
    assert verify(held.events) == ()
    short = Played(room_spec(rounds=3))
    short.go_on()
    short.act(MO, acts.LastRound(reason="time is up"))
    short.to_the_end()
    assert short.state.outcome is not None
    assert (short.state.outcome.ended_by, short.state.current_round()) == ("last_round_called", 1)
    why = "a person had declared this the last round"
    assert end_words(short.state.outcome) == ended_words(account(short.state)) == why
    assert verify(short.events) == ()


def test_no_round_beyond_the_hard_maximum_and_no_less_time():
    held = Played(room_spec(rounds=8))
    held.go_on()
    refused(held, FAY, acts.Extended(rounds=1, reason="more"), "at most 8 rounds")
    refused(held, FAY, acts.Extended(reason="more"), "how much more")


def test_a_tie_of_the_panel_decides_nothing():
    held = Played(room_spec((FAY, ANN, BEN.model_copy(update={"weight": 1})), decides="panel", vote=Majority()))
    held.to_the_end()
    held.act(FAY, acts.PollOpened(poll="final"))
    held.ballot(ANN, "final", "adopt")
    held.ballot(BEN, "final", "defer")
    assert final_decision(held.state).pending
    held.act(FAY, acts.PollClosed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="final"))
    final = final_decision(held.state)
    assert (final.option, final.pending) == (None, False)


def test_an_electorate_of_nobody_decides_nothing():
    held = Played(room_spec((FAY, GUS), decides="panel"))
    held.to_the_end()
    held.act(FAY, acts.PollOpened(poll="final"))
    held.act(FAY, acts.PollClosed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="final"))
    assert (final_decision(held.state).option, final_decision(held.state).pending) == (None, False)


def test_a_person_is_never_taken_for_a_seat():
    seats = (Seat(id="p-fay", occupant="scripted"), Seat(id="s1", occupant="scripted"))
    with pytest.raises(InvalidSpec, match="p-fay is the id of a seat"):
        open_debate(room_spec(seats=seats), debate_id="d", at=AT)
    held = Played(room_spec((FAY,), seats=(Seat(id="p-new", occupant="scripted"), Seat(id="s1", occupant="scripted"))))
    new = Person(id="p-new", name="New")
    refused(held, new, acts.PersonJoined(person=new), "is the id of a seat")


def test_marks_in_a_room_are_for_those_who_moderate():
    held = Played(room_spec())
    held.go_on()
    with pytest.raises(RuleViolation, match="to mark claims is for"):
        held.do(SetMark(by=ANN.id, mark=Mark(claim_id="s0.1.1", reading="neutral")))


def test_a_room_is_checked_before_anything_happens():
    for spec, why in (
        (room_spec((ANN,)), "there is no facilitator"),
        (room_spec((FAY, FAY)), "named twice"),
        (room_spec((FAY, JUNE.model_copy(update={"seats": ("s0",)}))), "cannot be judge and speak for s0"),
        (
            room_spec((FAY, SYD.model_copy(update={"seats": ("nobody",)}))),
            "that Syd could speak for: this debate has s0, s1, s2",
        ),
        (room_spec(decides="room", final_vote="none"), "final_vote must be asked"),
    ):
        with pytest.raises(InvalidSpec, match=why):
            open_debate(spec, debate_id="d", at=AT)


def test_a_debate_without_a_room_has_no_people_and_no_polls():
    spec = room_spec().model_copy(update={"room": None})
    events = open_debate(spec, debate_id="d", at=AT)
    assert replay(events).paused is None
    held = Played(spec)
    refused(held, ANN, acts.PollOpened(poll="pre"), "has no room")
    held.do(Act(by="somebody", act=acts.Intervened(text="look at the cost")))
    with pytest.raises(RuleViolation, match="is no person"):
        held.do(Act(by="s0", act=acts.Intervened(text="I am the moderator now")))


def test_a_debate_without_people_runs_like_one_led_by_one_person():
    spec = room_spec().model_copy(update={"room": None})
    terms = spec.terms
    assert not spec.has_people
    assert [person.role for person in terms.people] == ["facilitator"]
    assert (terms.decides, terms.hold, terms.blind, terms.phase_seconds) == ("debaters", "none", "named", None)
    assert (terms.pre_vote, terms.final_vote, terms.joining) == ("none", "none", "named")
    assert (spec.people(), spec.model_dump()["room"]) == ((), None)
    state = Played(spec).state
    assert (state.paused, stage(state), state.room.people) == (None, "round", {})
    assert room_spec().terms == room_spec().room


def test_the_stage_of_a_room_from_its_lobby_to_the_signature():
    held = Played(room_spec(rounds=1))
    stages = [stage(held.state)]
    held.act(FAY, acts.PollOpened(poll="pre"))
    stages.append(stage(held.state))
    held.act(FAY, acts.PollClosed(poll="pre"))
    held.go_on()
    stages.append(stage(held.state))
    held.to_the_end()
    stages.append(stage(held.state))
    held.act(FAY, acts.PollOpened(poll="final"))
    stages.append(stage(held.state))
    held.act(FAY, acts.PollClosed(poll="final"))
    stages.append(stage(held.state))
    for poll in ("final", "pre"):
        held.act(FAY, acts.PollRevealed(poll=poll))
    held.act(ABE, acts.Signed(verdict="accept", option="adopt"))
    assert [*stages, stage(held.state)] == ["lobby", "prevote", "round", "over", "finalvote", "over", "signed"]


def test_what_a_room_waits_for():
    held = Played(room_spec())
    waits = [why_it_waits(held.state)]
    held.act(FAY, acts.PollOpened(poll="pre"))
    waits.append(why_it_waits(held.state))
    held.act(FAY, acts.PollClosed(poll="pre"))
    waits.append(why_it_waits(held.state))
    held.go_on().play()
    assert [*waits, why_it_waits(held.state)] == ["lobby", "prevote", "lobby", "held"]


def test_turns_of_an_open_sealed_phase_are_labelled_sealed():
    spec = room_spec(pre_vote="none")
    sealed_phase = spec.protocol.each_round[0].model_copy(update={"sealed": True})
    rules = spec.protocol.model_copy(update={"each_round": (sealed_phase, *spec.protocol.each_round[1:])})
    held = Played(spec.model_copy(update={"protocol": rules})).go_on()
    assert sealed(held.state) == ()
    held.say()
    assert sealed(held.state) == ("the turns of opening",)
    held.say()
    held.say()
    assert sealed(held.state) == ()


def test_a_question_expects_an_answer_and_supported_ones_lead():
    held = Played(room_spec())
    held.act(GUS, acts.Asked(text="What does it cost?"))
    held.act(ANN, acts.Asked(text="Who pays?"))
    held.act(ANN, acts.Asked(text="Who runs it?"))
    first, second, third = (d.seq for d in held.state.room.of(acts.Asked))
    held.act(BEN, acts.Upvoted(question=second))
    assert list(support(held.state).items()) == [(second, 2), (first, 1), (third, 1)]


def test_how_somebody_was_known_before_an_event():
    held = Played(room_spec())
    for name in ("Gustav", "Gustavo"):
        held.act(FAY, acts.PersonChanged(person=GUS.model_copy(update={"name": name})))
    last = held.events[-1].seq
    assert [p.name for p in known_as(held.state, GUS.id)] == ["Gus", "Gustav", "Gustavo"]
    assert [p.name for p in known_as(held.state, GUS.id, before=last)] == ["Gus", "Gustav"]
