"""Rotation of models: the round of a turn determines which model answers for a seat."""

import asyncio

from debate_core import run
from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate
from debate_core.engine.seat_view import View
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import TakeTurn
from debate_core.record.events import Event
from debate_core.record.fold import replay
from debate_core.record.state import Request
from debate_core.report.facts.account import account
from debate_core.report.facts.turns import turn_rows
from debate_core.report.facts.usage import usage_rows
from debate_core.report.phrases.costs import cost_lines
from debate_core.report.phrases.foreword import first_words
from debate_core.seats import Filler, OnText
from debate_core.seats.forecast import forecast
from debate_core.spec.contents import Argument
from debate_core.spec.protocol import Spec
from debate_core.spec.rotation import seat_in_round
from debate_core.spec.values import Usage
from debate_core.spec.warnings import warnings
from tests.paid import AT, OPTIONS, paid_spec

SEATS = ("planner", "critic", "operator")


def rotating(lines: str = "north south south", rounds: int = 3) -> Spec:
    spec = paid_spec(lines=lines, max_rounds=rounds, threshold=3)
    return spec.model_copy(update={"protocol": spec.protocol.model_copy(update={"rotate_models": True})})


def models_by_round(spec: Spec) -> list[list[str | None]]:
    return [[seat_in_round(spec, seat, number).model for seat in SEATS] for number in (1, 2, 3, 4)]


def answering(model_of: str) -> Filler:
    """A seat driver that signs its answers, and never agrees with the others."""

    async def answer(request: Request, view: View, on_text: OnText) -> TakeTurn:
        vote = OPTIONS[SEATS.index(request.seat)]
        content = Argument(rationale=f"Driven by {model_of}.", vote=vote)
        return TakeTurn(by=request.seat, request=request.id, content=content, usage=Usage(calls=1, cost_usd="0.01"))

    return answer


def held(spec: Spec) -> tuple[Event, ...]:
    store = MemoryStore()
    store.append("d1", open_debate(spec, debate_id="d1", at=AT), after=0)
    asyncio.run(run("d1", store, {seat: answering(seat) for seat in SEATS}))
    return tuple(store.load("d1"))


def test_models_move_on_by_one_seat_after_every_round() -> None:
    spec = rotating()
    assert models_by_round(spec) == [
        ["north", "south", "south"],
        ["south", "south", "north"],
        ["south", "north", "south"],
        ["north", "south", "south"],
    ]
    assert seat_in_round(spec, "planner", 2).stance == "planner side"
    assert seat_in_round(spec, "planner", 2).family == "south"
    usual = paid_spec(lines="north south south")
    assert models_by_round(usual) == [["north", "south", "south"]] * 4


def test_each_turn_is_given_and_named_by_the_model_of_its_round() -> None:
    events = held(rotating())
    state = replay(events)
    assert verify(events) == ()
    drivers = {(turn.round, turn.seat): turn.content.words for turn in state.turns if turn.content}
    assert [drivers[number, "planner"] for number in (1, 2, 3)] == [
        f"Driven by {seat}." for seat in ("planner", "critic", "operator")
    ]
    rows = {(row.round, row.seat): row.model_line for row in turn_rows(state, events)}
    assert [rows[number, "planner"] for number in (1, 2, 3)] == ["north", "south", "south"]
    used = {(row.round, row.seat): (row.line, row.family) for row in usage_rows(state)}
    assert used[2, "operator"] == ("north", "north")


def test_costs_are_listed_by_seat_and_model() -> None:
    events = held(rotating())
    lines = "\n".join(cost_lines(account(replay(events), events)))
    assert "planner, north-large (anthropic, family north): 4 calls" in lines
    assert "planner, south-1 (openai, family south): 8 calls" in lines
    assert any("The models rotate" in sentence for sentence in first_words(account(replay(events))))


def test_a_forecast_prices_the_model_of_each_round() -> None:
    turns = forecast(rotating(rounds=2)).rows
    assert {turn.model for turn in turns if (turn.round, turn.seat) == (2, "operator")} == {"north-large"}
    assert {turn.model for turn in turns if (turn.round, turn.seat) == (1, "operator")} == {"south-1"}


def test_a_rotation_without_effect_is_warned_about() -> None:
    words = "rotate_models changes nothing: it needs debaters with different models, and a second round"
    assert words in warnings(rotating(lines="north north north"))
    assert words in warnings(rotating(rounds=1))
    assert words not in warnings(rotating())
