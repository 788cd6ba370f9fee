"""Decision drivers: agreed before the start with weights out of 100, told to every seat, kept in every document."""

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.engine import requests
from debate_core.engine.seat_view import view
from debate_core.errors import InvalidSpec
from debate_core.record.events import Event
from debate_core.record.state import State
from debate_core.report.facts.account import account
from debate_core.report.files.export import export_files
from debate_core.report.files.report import text_report
from debate_core.report.phrases.agreement import contract
from debate_core.seats.prompts.blocks import blocks_of
from debate_core.seats.scripted import script_from_record, spec_of
from debate_core.spec.checks import check
from debate_core.spec.presets import compose, protocol
from debate_core.spec.protocol import Driver, Spec
from debate_core.spec.values import Seat
from tests.holding import hold, script, steady
from tests.people import room_spec
from tests.playing import Played

DRIVERS = ({"name": "time until it works", "weight": 60}, {"name": "cost", "weight": 40})
AGREED = tuple(Driver(**d) for d in DRIVERS)  # type: ignore[arg-type]
SAID = "Decision drivers, of 100 together: time until it works 60, cost 40."


def held() -> tuple[State, tuple[Event, ...]]:
    return hold(script(steady({"planner": "release", "critic": "release", "operator": "revise"}), drivers=DRIVERS))


def test_drivers_are_recorded_and_reach_seats_and_documents():
    state, events = held()
    assert verify(events) == ()
    assert state.spec.drivers == AGREED
    assert SAID in text_report(account(state, events))
    assert (
        "* time until it works (weight 60 of 100)"
        in b"".join(export_files(account(state, events), "adr").values()).decode()
    )
    assert spec_of(script_from_record(events)).drivers == AGREED
    assert b'"drivers"' in export_files(account(state, events), "json")["debate.json"]


def test_drivers_are_read_beside_the_question_if_there_are_any():
    seats = [Seat(id="a"), Seat(id="b")]
    with_them, without = (
        compose("Which?", ["x", "y"], protocol("bounded_vote"), seats, drivers=drivers) for drivers in (AGREED, ())
    )
    told = [
        blocks_of(view(state, requests(state)[0]))[0][0] for state in (Played(with_them).state, Played(without).state)
    ]
    line = 'What a good decision is measured by, and how much of 100 it weighs: "time until it works" 60, "cost" 40'
    assert told[0] == told[1].replace('"x", "y"', f'"x", "y"\n\n{line}')


def test_they_stand_on_the_card_that_the_room_agrees_on():
    spec = room_spec()
    assert "Drivers" not in dict(contract(spec, ()))
    card = dict(contract(spec.model_copy(update={"drivers": AGREED}), ()))
    assert card["Drivers"] == "time until it works 60 · cost 40"


def test_weights_that_were_not_given_are_left_out():
    """Names that the room collects are weighted as evenly as whole numbers allow."""
    even = tuple(Driver(name=name, weight=weight) for name, weight in (("time", 34), ("cost", 33), ("risk", 33)))
    seats = [Seat(id="a"), Seat(id="b")]
    state = Played(compose("Which?", ["x", "y"], protocol("bounded_vote"), seats, drivers=even)).state
    asked = blocks_of(view(state, requests(state)[0]))[0][0]
    assert 'What a good decision is measured by: "time", "cost", "risk"' in asked
    card = dict(contract(room_spec().model_copy(update={"drivers": even}), ()))
    assert card["Drivers"] == "time · cost · risk"
    assert "Decision drivers: time, cost, risk." in text_report(account(state))


BAD = [
    (({"name": "cost", "weight": 60},), "the weights of the drivers sum to 60: they must sum to 100"),
    (({"name": " ", "weight": 100},), "driver 1 has no name"),
    (({"name": "Cost", "weight": 50}, {"name": "cost", "weight": 50}), "driver 'cost' is named twice"),
]


@pytest.mark.parametrize(("drivers", "why"), BAD)
def test_invalid_drivers_are_refused_in_one_sentence(drivers: tuple[dict[str, object], ...], why: str):
    with pytest.raises(InvalidSpec, match=why):
        hold(script([], drivers=drivers))


def test_a_spec_without_drivers_reads_as_before():
    spec = compose("Which?", ["x", "y"], protocol("bounded_vote"), [Seat(id="a"), Seat(id="b")])
    told = spec.model_dump(mode="json")
    told.pop("drivers")
    assert Spec.model_validate(told) == spec
    check(spec)
