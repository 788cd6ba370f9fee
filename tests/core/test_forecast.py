"""Forecast of a debate from its rules and seats: calls, tokens and money, before the start."""

from collections.abc import Mapping
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest

from debate_core.seats.forecast import (
    ANSWER_TOKENS,
    INSTRUCTION_TOKENS,
    THINKING_TOKENS,
    CostForecast,
    ForecastTurn,
    forecast,
)
from debate_core.spec import presets
from debate_core.spec.models import ModelLine, Price
from debate_core.spec.people import Room
from debate_core.spec.protocol import Protocol, Spec
from debate_core.spec.rules import Ceiling, Threshold
from debate_core.spec.values import Seat, Source, Usage
from debate_core.ui.setup.summary import least_and_most_calls
from tests.people import FAY

AT = datetime(2026, 11, 21, 12, tzinfo=UTC)
PRICE = Price(input="1", output="2")
LINE = ModelLine(id="one", model="m1", provider="acme", dialect="chat", price=PRICE, effort="low")


def spec_of(protocol: Protocol, *, n: int = 3, lines: tuple[ModelLine, ...] = (LINE,), **fields: Any) -> Spec:
    debaters = [Seat(id=f"s{i}", model=lines[i % len(lines)].id, stance=f"side {i}") for i in range(n)]
    closing = [Seat(id="syn", role="synthesiser", model=lines[-1].id)]
    roles = {p.role for p in protocol.phases()}
    seats = [*debaters, *(closing if "synthesiser" in roles else [])]
    return presets.compose("Adopt it?", ("adopt", "wait"), protocol, fields.pop("seats", seats), models=lines, **fields)


def of(spec: Spec) -> CostForecast:
    return forecast(spec, at=AT)


def rows_of(found: CostForecast, phase: str) -> list[ForecastTurn]:
    return [r for r in found.rows if r.phase == phase]


@pytest.mark.parametrize("n", [2, 3, 5])
@pytest.mark.parametrize("rounds", [1, 2, 3, 6])
def test_a_deliberation_calls_debaters_times_rounds_plus_one(n: int, rounds: int):
    # R140, R116, R211
    found = of(spec_of(presets.DELIBERATION, n=n, max_rounds=rounds))
    assert found.total.calls == n * rounds + 1
    assert found.with_retries.calls == 2 * found.total.calls


def test_calls_of_a_panel_grow_with_its_seats():
    # R211
    assert [of(spec_of(presets.EXPERT_PANEL, n=n)).total.calls for n in (2, 3, 4)] == [5, 7, 9]
    assert of(spec_of(presets.BOUNDED_VOTE, n=3)).total.calls == 4 * 3 * 2


def test_every_turn_has_a_row_in_the_order_of_the_debate():
    # R200
    found = of(spec_of(presets.EXPERT_PANEL, n=2))
    assert [(r.stage, r.round, r.phase, r.seat, r.model, r.calls, r.note) for r in found.rows] == [
        ("round", 1, "opening", "s0", "m1", 1, ""),
        ("round", 1, "opening", "s1", "m1", 1, ""),
        ("round", 2, "critique", "s0", "m1", 1, ""),
        ("round", 2, "critique", "s1", "m1", 1, ""),
        ("after", 2, "synthesis", "syn", "m1", 1, ""),
    ]
    assert {r.output_tokens for r in rows_of(found, "opening")} == {ANSWER_TOKENS["argument"] + THINKING_TOKENS["low"]}
    assert found.total.input_tokens == sum(r.input_tokens for r in found.rows)


def test_the_transcript_is_sent_again_each_turn():
    # R116
    found = of(spec_of(presets.EXPERT_PANEL, n=3))
    opening, critique, synthesis = (rows_of(found, p)[0].input_tokens for p in ("opening", "critique", "synthesis"))
    # Each turn that is seen weighs its text and a few words around it.
    assert 3 * ANSWER_TOKENS["argument"] < critique - opening < 3 * ANSWER_TOKENS["argument"] + 300
    assert synthesis - critique > 2 * ANSWER_TOKENS["critique"]


def test_a_source_counts_from_the_round_in_which_it_joins():
    text = "x" * 40_000
    plain = of(spec_of(presets.EXPERT_PANEL))
    late = of(spec_of(presets.EXPERT_PANEL, sources=[Source(id="E1", title="t", text=text, from_round=2)]))
    more = [b.input_tokens - a.input_tokens for a, b in zip(plain.rows, late.rows, strict=True)]
    assert more[:3] == [0, 0, 0]
    assert all(10_000 < m < 10_100 for m in more[3:])
    assert late.single_call is not None
    assert plain.single_call is not None
    assert late.single_call.input_tokens - plain.single_call.input_tokens == 10_000


def test_a_decision_can_end_it_early():
    found = of(spec_of(presets.BOUNDED_VOTE, n=3))
    assert found.earliest is not None
    assert found.earliest.calls == 3
    # A unanimous first ballot decides, and the synthesis still follows.
    panel = of(spec_of(presets.EXPERT_PANEL, n=3))
    assert panel.earliest is not None
    assert panel.earliest.calls == 4
    # The synthesiser decides when the rounds are over, never before.
    assert of(spec_of(presets.DELIBERATION)).earliest is None


def test_the_cost_is_the_sum_of_rows_and_a_multiple_of_one_call():
    found = of(spec_of(presets.EXPERT_PANEL, n=3))
    sent, given = found.total.input_tokens, found.total.output_tokens
    assert Fraction(found.total.cost_usd or "0") == Fraction(sent + 2 * given, 1_000_000)
    one = found.single_call
    assert one is not None
    assert one.input_tokens == INSTRUCTION_TOKENS + 3
    assert one.output_tokens == ANSWER_TOKENS["synthesis"] + THINKING_TOKENS["low"]
    assert found.multiple == Fraction(sent + 2 * given, one.input_tokens + 2 * one.output_tokens)
    assert found.multiple_tokens == Fraction(sent + given, one.input_tokens + one.output_tokens)
    assert found.total.estimated


def test_an_unknown_price_is_unknown_in_every_sum():
    unknown = LINE.model_copy(update={"id": "two", "model": "m2", "price": None})
    found = of(spec_of(presets.EXPERT_PANEL, n=2, lines=(LINE, unknown)))
    assert [r.cost_usd is None for r in found.rows] == [False, True, False, True, True]
    assert (found.total.cost_usd, found.multiple) == (None, None)
    assert found.multiple_tokens is not None


def test_a_free_server_has_no_multiple_of_money():
    free = LINE.model_copy(update={"price": Price(input="0", output="0")})
    found = of(spec_of(presets.EXPERT_PANEL, lines=(free,)))
    assert (found.total.cost_usd, found.multiple) == ("0", None)
    assert (found.multiple_tokens or 0) > 1


def test_seats_that_nobody_calls_say_so():
    seats = [
        Seat(id="ann", occupant="human"),
        Seat(id="doc", occupant="offline"),
        Seat(id="bot", model="one"),
        Seat(id="gap"),
        Seat(id="syn", role="synthesiser", occupant="human"),
        Seat(id="chair", role="chair", occupant="human"),
    ]
    found = of(spec_of(presets.EXPERT_PANEL, seats=seats, max_rounds=1))
    notes: Mapping[str, tuple[int, str]] = {r.seat: (r.calls, r.note) for r in found.rows}
    assert notes == {
        "ann": (0, "a person: no call"),
        "doc": (0, "the evidence panel: no call"),
        "bot": (1, ""),
        "gap": (0, "no model is set up: no call"),
        "syn": (0, "a person: no call"),
    }
    assert found.total.calls == 1
    assert found.by_phase()["synthesis"] == Usage(cost_usd="0")


def test_without_a_model_there_is_nothing_to_compare():
    seats = [Seat(id=i, occupant="human") for i in ("a", "b")]
    spec = presets.compose("Q?", ("x", "y"), presets.BOUNDED_VOTE, seats)
    found = of(spec)
    assert (found.total, found.single_call) == (Usage(cost_usd="0"), None)
    assert (found.multiple, found.multiple_tokens) == (None, None)


def test_a_ceiling_does_not_make_the_forecast_smaller():
    bounded = presets.EXPERT_PANEL.model_copy(update={"stop": (Ceiling(calls=0), *presets.EXPERT_PANEL.stop)})
    assert of(spec_of(bounded)).rows == of(spec_of(presets.EXPERT_PANEL)).rows


def test_a_reply_is_never_longer_than_its_line_allows():
    short = LINE.model_copy(update={"max_tokens": 100})
    assert {r.output_tokens for r in of(spec_of(presets.EXPERT_PANEL, lines=(short,))).rows} == {100}


def test_a_prompt_that_does_not_fit_is_named():
    small = LINE.model_copy(update={"context_tokens": 10_000})
    found = of(spec_of(presets.EXPERT_PANEL, lines=(small,), sources=[Source(id="E1", title="t", text="x" * 40_000)]))
    assert all(r.note.endswith("tokens are more than the 10000 that fit into one call") for r in found.rows)


def test_phases_add_up():
    # R200
    found = of(spec_of(presets.DELIBERATION, n=2))
    assert {name: used.calls for name, used in found.by_phase().items()} == {
        "opening": 2,
        "rebuttal": 2,
        "closing": 2,
        "synthesis": 1,
    }


def test_other_rules_are_forecast_by_the_same_engine():
    strict = presets.BOUNDED_VOTE.model_copy(update={"decide": Threshold(votes=3), "check_after": "round"})
    found = of(spec_of(strict, n=3))
    assert found.earliest is not None
    assert (found.total.calls, found.earliest.calls) == (24, 12)


def test_repeatable_speakers_make_the_forecast_a_minimum():
    # R097
    told = {}
    for name in ("moderated_judge", "stance_judge"):
        rules = presets.protocol(name)
        seats = presets.default_seats(rules, "Which?", ["a", "b"], "model")
        expected = forecast(presets.compose("Which?", ["a", "b"], rules, seats))
        told[name] = (expected.may_repeat, "more than once in a round" in " ".join(least_and_most_calls(expected)))
    assert told == {"moderated_judge": (True, True), "stance_judge": (False, False)}


def test_a_room_adds_no_calls_to_the_forecast():
    alone = spec_of(presets.BOUNDED_VOTE, max_rounds=2)
    room = alone.model_copy(update={"room": Room(people=(FAY,))})
    assert of(room).total == of(alone).total
