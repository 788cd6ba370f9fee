"""The chair in the room: one press approves, a reason sends a directive back, positions are changed field by field."""

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.engine.schedule import directive_of, stance_of
from debate_core.host.host import Host
from debate_core.record.commands import TakeTurn
from debate_core.report.facts.interventions import steering
from debate_core.spec.contents import Argument, Content, Directive, Position, Positions
from debate_core.spec.presets import compose, default_seats, protocol
from debate_core.spec.protocol_changes import with_synthesis_each_round
from debate_core.spec.values import Seat
from tests.app.visiting import press, results, room, words

GIVEN = Directive(reason="Cost was left out", next_speakers=("ben",), briefing="Price per month")
SIDES = Positions(
    reason="Two readings",
    positions=(
        Position(name="stay", claim="Keep it", because="it does not fail"),
        Position(name="later", claim="Move next year", because="the team is small"),
    ),
)


def opened(host: Host, name: str, stances: tuple[str, str], first: Content) -> str:
    """A debate of people in which the chair is asked what it makes of the first turn."""
    rules = protocol(name)
    people = [Seat(id=i, occupant="human", stance=s) for i, s in zip(("ana", "ben"), stances, strict=True)]
    offices = [s for s in default_seats(rules, "Which?", ["migrate", "stay"], "human") if s.role != "debater"]
    chair = Seat(id="chair", role="chair", occupant="human")
    debate = host.create(compose("Which?", ["migrate", "stay"], rules, [*people, *offices, chair]), by="tests")
    phase = rules.phases()[0]
    turn = TakeTurn(by=phase.role, request=f"1.{phase.name}.{phase.role}.1", content=first)
    host.submit(debate, turn)
    return debate


def test_one_press_approves_a_directive(app: AppTest, host: Host):
    # R290
    debate = opened(host, "moderated_judge", ("migrate", "stay"), GIVEN)
    room(app, debate, "chair")
    press(app, f"{debate}/chair/1.gate:approve")
    state = host.state(debate)
    assert [(t.phase, t.status, t.message) for t in state.turns][-1] == ("gate", "skipped", "approved as it stands")
    assert directive_of(state, 1) == GIVEN


def test_a_directive_is_sent_back_with_a_reason_and_only_once(app: AppTest, host: Host):
    # R290
    debate = opened(host, "moderated_judge", ("migrate", "stay"), GIVEN)
    room(app, debate, "chair")
    name = f"{debate}/chair/1.gate"
    press(app, f"{name}:redo")
    assert [e.value for e in app.error] == ["say why the directive is sent back\\: the moderator reads it"]
    app.text_area(key=f"{name}:back").input("Name both").run()
    press(app, f"{name}:redo")
    state = host.state(debate)
    assert state.turns[-1].content == Directive(reason="Name both", redo=True)
    again = TakeTurn(by="moderator", request="1.redirection.moderator.1", content=GIVEN)
    host.submit(debate, again)
    room(app, debate, "chair")
    keys = {str(b.key) for b in app.button}
    assert f"{debate}/chair/1.second_gate:approve" in keys
    assert f"{debate}/chair/1.second_gate:redo" not in keys


@pytest.mark.parametrize("changed", [False, True])
def test_the_chair_confirms_positions_or_changes_them(app: AppTest, host: Host, changed: bool):
    # R147
    debate = opened(host, "assigned_positions", ("", ""), SIDES)
    room(app, debate, "chair")
    name = f"{debate}/chair/1.confirmation"
    assert app.text_area(key=f"{name}:claim1").value == "Move next year"
    if changed:
        app.text_area(key=f"{name}:name0").input("stay for a year").run()
        app.text_area(key=f"{name}:reason").input("It says how long").run()
    press(app, f"{name}:send" if changed else f"{name}:approve")
    assert stance_of(host.state(debate), "ana") == ("stay for a year" if changed else "stay")
    room(app, debate, "ana")
    assert "You defend: stay" in words(app)


@pytest.mark.parametrize(("ticked", "ended"), [(True, True), (False, False)])
def test_a_person_ends_the_rounds_with_a_synthesis(app: AppTest, host: Host, ticked: bool, ended: bool):
    rules = with_synthesis_each_round(protocol("deliberation"), 1)
    options = ["migrate", "stay"]
    seats = default_seats(rules, "Move?", options, "human")
    debate = host.create(compose("Move?", options, rules, seats, max_rounds=3), by="tests")
    for request in requests(host.state(debate)):
        said = Argument(rationale="It pays.")
        host.submit(debate, TakeTurn(by=request.seat, request=request.id, content=said))
    room(app, debate, "synthesiser")
    name = f"{debate}/synthesiser/1.interim_synthesis"
    app.text_area(key=f"{name}:answer").input("Cost decides it.").run()
    for number in range(2):
        app.checkbox(key=f"{name}:strongest{number}.none").set_value(True).run()
    app.checkbox(key=f"{name}:no_other_round").set_value(ticked).run()
    press(app, f"{name}:send")
    phase = requests(host.state(debate))[0].phase
    assert (phase == "synthesis") == ended, phase


def test_the_results_tell_which_sides_were_given(app: AppTest, host: Host):
    debate = opened(host, "assigned_positions", ("", ""), SIDES)
    results(app, debate, "Process")
    assert "- **later**: Move next year Because: the team is small" in words(app)


def test_the_proposal_is_editable_and_differences_are_marked(app: AppTest, host: Host):
    debate = opened(host, "moderated_judge", ("migrate", "stay"), GIVEN)
    room(app, debate, "chair")
    name = f"{debate}/chair/1.gate"
    assert "Your copy says the same as the proposal." in words(app)
    app.text_area(key=f"{name}:briefing").input("Price per year, in <b>USD</b>").run()
    assert "**What all should know:** Price per :red[~~month~~] :green[**year, in \\<b\\>USD\\</b\\>**]" in words(app)
    press(app, f"{name}:empty")
    # Emptied fields are others: what is typed meanwhile into the old ones cannot come back.
    assert app.text_area(key=f"{name}:briefing~1").value == ""
    assert "**Speakers:** :red[~~ben~~]" in words(app)
    app.multiselect(key=f"{name}:next_speakers~1").set_value(["ana"]).run()
    app.text_area(key=f"{name}:reason").input("Ana was not heard").run()
    press(app, f"{name}:send")
    replaced = directive_of(host.state(debate), 1)
    assert replaced is not None
    assert (replaced.next_speakers, replaced.briefing) == (("ana",), "")
    assert steering(host.state(debate)).reviews == (False,)
