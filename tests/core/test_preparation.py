"""Preparation of a room before its first vote: options are proposed and agreed, the brief is read; all recorded."""

from typing import Any

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate
from debate_core.engine.next_step import next_step
from debate_core.engine.preparation import asked, prepared, proposals
from debate_core.engine.stage import deadline
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.record import acts
from debate_core.record.commands import Resume
from debate_core.report.facts.account import account
from debate_core.report.facts.agenda import agenda
from debate_core.report.facts.interventions import Change, change
from debate_core.report.files.adr.record import decision_record
from debate_core.report.phrases.agreement import contract
from debate_core.report.phrases.events import act_phrase
from debate_core.spec.people import Preparation, Room
from debate_core.spec.protocol import Driver
from debate_core.spec.values import Seat
from tests.people import ABE, ANN, FAY, GUS, OLA, refused, room_spec
from tests.playing import AT, Played

COLLECT, BRIEF = Preparation(step="collect", minutes=10), Preparation(step="brief", minutes=5)
PEOPLE = (FAY, ANN, GUS, ABE, OLA)
AGREED = acts.OptionsAgreed(options=("adopt", "defer", "buy it"), drivers=(Driver(name="cost", weight=100),))


def lobby(*steps: Preparation, options: tuple[str, ...] = ("adopt", "defer"), **agreed: Any) -> Played:
    spec = room_spec(PEOPLE, rounds=1, preparation=steps, decides="room", **agreed)
    return Played(spec.model_copy(update={"options": options}))


def collecting(**more: Any) -> Played:
    return lobby(COLLECT, BRIEF, **more).act(FAY, acts.PreparationBegun(step="collect"))


def words(played: Played) -> str | None:
    step = next_step(played.state, FAY.id)
    return step.words if step else None


def test_preparation_steps_are_one_press_each():
    held = lobby(COLLECT, BRIEF)
    assert words(held) == "Collect options"
    held.act(FAY, acts.PreparationBegun(step="collect"))
    assert words(held) is None
    held.act(FAY, AGREED)
    assert words(held) == "Open the brief"
    held.act(FAY, acts.PreparationBegun(step="brief"))
    assert words(held) == "Open the pre-vote"
    held.act(FAY, acts.PollOpened(poll="pre"))
    assert words(held) == "Close the pre-vote"


def test_what_was_agreed_on_is_what_the_debate_is_about():
    held = collecting(options=())
    held.act(GUS, acts.Suggested(text="buy it")).act(ANN, acts.Suggested(kind="driver", text="cost"))
    held.act(FAY, AGREED)
    assert held.state.spec.options == AGREED.options
    assert held.state.spec.drivers == AGREED.drivers
    held.act(FAY, acts.PollOpened(poll="pre")).ballot(GUS, "pre", "buy it").act(FAY, acts.PollClosed(poll="pre"))
    held.go_on().to_the_end()
    assert held.state.outcome is not None
    assert verify(held.events) == ()
    told = decision_record(account(held.state, held.events)).text
    assert "Fay, facilitator: set the options (adopt, defer, buy it); event" in told


def test_a_proposal_stands_once_and_the_floor_alone_proposes():
    held = collecting().act(GUS, acts.Suggested(text="Buy it"))
    refused(held, ANN, acts.Suggested(text="buy it"), "was proposed already")
    refused(held, ANN, acts.Suggested(text="  "), "write what you propose")
    refused(held, OLA, acts.Suggested(text="wait"), "Ola is here as observer")
    refused(held, GUS, AGREED, "is for the facilitator")
    held.act(ANN, acts.Suggested(kind="driver", text="buy it"))
    told = [[done.fact.text for done in proposals(held.state, kind)] for kind in ("option", "driver")]
    assert told == [["Buy it"], ["buy it"]]
    for number in range(11):
        held.act(GUS, acts.Suggested(text=f"way {number}"))
    refused(held, GUS, acts.Suggested(text="one more"), "12 already")


def test_nobody_votes_or_begins_before_the_options_are_agreed_on():
    for held in (lobby(COLLECT), collecting()):
        refused(held, FAY, acts.PollOpened(poll="pre"), "options are still being collected")
        with pytest.raises(RuleViolation, match="still being collected"):
            held.do(Resume(by=FAY.id))


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (acts.OptionsAgreed(options=("adopt", "Adopt")), "named twice"),
        (acts.OptionsAgreed(options=("adopt", "abstain")), "kept for abstentions"),
        (acts.OptionsAgreed(options=("a", "b"), drivers=(Driver(name="cost", weight=50),)), "sum to 50"),
        (acts.PreparationBegun(step="brief"), "not the next"),
        (acts.Prepared(step="brief"), "not at this step"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(act: acts.RoomAct, why: str):
    refused(collecting(), FAY, act, why)


def test_an_option_that_a_seat_defends_stays():
    seats = (Seat(id="s0", occupant="scripted", stance="adopt"), Seat(id="s1", occupant="scripted"))
    held = collecting(seats=seats)
    refused(held, FAY, acts.OptionsAgreed(options=("defer", "buy it")), "a seat defends 'adopt'")


def test_each_step_is_held_once_and_only_where_it_was_agreed():
    refused(lobby(), FAY, acts.PreparationBegun(step="brief"), "not agreed before the start")
    held = collecting().act(FAY, AGREED)
    refused(held, FAY, AGREED, "agreed on once")
    refused(held, FAY, acts.PreparationBegun(step="collect"), "is over")
    refused(held, GUS, acts.Suggested(text="late"), "while the room collects")
    with pytest.raises(ValueError, match="every step comes once"):
        Room(people=(FAY,), preparation=(BRIEF, BRIEF))
    with pytest.raises(InvalidSpec, match="2 to 8 options"):
        open_debate(room_spec(PEOPLE).model_copy(update={"options": ()}), debate_id="d", at=AT)


def test_the_agenda_has_submissions_and_the_time_of_a_step():
    held = collecting(phase_seconds=240)
    assert [p.id for p in asked(held.state)] == [ANN.id, GUS.id, ABE.id]
    held.act(GUS, acts.Prepared(step="collect")).act(GUS, acts.Prepared(step="collect"))
    assert prepared(held.state, "collect") == {GUS.id}
    told = [(step.name, step.when, step.beside) for step in agenda(held.state)]
    assert told[:5] == [
        ("Lobby", "done", ""),
        ("Options", "now", "1 of 3 in"),
        ("Brief", "next", "5 min"),
        ("Pre-vote", "next", ""),
        ("Round 1", "next", "8 min"),
    ]
    held.act(FAY, AGREED)
    both = held.copy().act(FAY, acts.PreparationBegun(step="brief"))
    told = [(step.name, step.when, step.beside) for step in agenda(both.state)]
    assert told[1:3] == [("Options", "done", ""), ("Brief", "now", "0 of 3 in")]
    # Those who lead and only watch are not waited for.
    for gone in (ANN, GUS, ABE):
        both.act(FAY, acts.PersonLeft(person=gone.id, reason="asked to"))
    assert [step.beside for step in agenda(both.state)][1:3] == ["", ""]
    held.act(FAY, acts.PollOpened(poll="pre")).ballot(GUS, "pre", "defer")
    told = [(step.name, step.when, step.beside) for step in agenda(held.state)]
    assert told[1:4] == [("Options", "done", ""), ("Pre-vote", "now", ""), ("Round 1", "next", "8 min")]


def test_a_steps_clock_runs_in_the_lobby_and_can_be_extended():
    held = collecting()
    begun = held.state.room.of(acts.PreparationBegun)[0].at
    before = deadline(held.state)
    assert before is not None
    assert (before.isoformat() > begun, (before - AT).seconds // 60) == (True, 10)
    after = deadline(held.act(FAY, acts.Extended(seconds=120, reason="more to say")).state)
    assert after is not None
    assert (after - before).seconds == 120
    assert deadline(held.act(FAY, AGREED).state) is None


def test_it_is_agreed_told_and_counted_as_what_it_is():
    held = collecting(options=())
    said = dict(contract(held.state.spec, PEOPLE))
    assert said["Options"] == "Collected before the first vote"
    assert said["Before the first vote"].startswith("10 minutes to propose options and drivers")
    assert "5 minutes to read" in said["Before the first vote"]
    assert act_phrase(acts.Suggested(text="wait")) == "proposed the option: wait"
    assert act_phrase(AGREED) == "set the options of the debate: adopt, defer, buy it"
    made = change(held.state, AGREED, FAY.id)
    assert made == Change("set options", "options", "", "adopt, defer, buy it")
