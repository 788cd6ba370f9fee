"""`estimate`: forecasts the cost of a debate, turn by turn. Calls no model and needs no key.

`forecast` computes the figures.
"""

from argparse import Namespace
from collections.abc import Iterable
from fractions import Fraction

from debate_core.cli.models import UNNAMED, by_key_words, choice_or_key, concerns
from debate_core.cli.plan import plan_of
from debate_core.cli.terminal import answer
from debate_core.host.settings import Settings
from debate_core.report.phrases.costs import UNKNOWN, usd_words
from debate_core.report.phrases.rules import agreed_words
from debate_core.seats.forecast import ASSUMPTIONS, CostForecast, ForecastTurn, forecast
from debate_core.seats.pricing import is_priced
from debate_core.spec.values import Json, Usage
from debate_core.spec.warnings import warnings
from debate_core.text import plural


def estimate(flags: Namespace, settings: Settings) -> int:
    """Print the forecast of the debate that the flags describe; always 0."""
    choice = choice_or_key(flags, settings)
    spec = plan_of(flags, settings, choice).spec
    notes = [*warnings(spec), *concerns(spec)]
    for line in spec.models:
        if line.model == UNNAMED:
            notes.append(f"line {line.id} names no model: it would use the only one that its server offers")
        if not is_priced(line):
            model = "the model" if line.model == UNNAMED else line.model
            notes.append(f"the price of {model} (line {line.id}) is unknown, so the total is, too")
    if choice and choice.by_key:
        notes.insert(0, by_key_words(spec))
    expected = forecast(spec)
    rule = agreed_words(spec)
    answer(
        flags,
        {
            "rule": rule,
            "rows": [_row_json(row) for row in expected.rows],
            "total": _usage_json(expected.total),
            "with_retries": _usage_json(expected.with_retries),
            "earliest": _usage_json(expected.earliest),
            "single_call": _usage_json(expected.single_call),
            "multiple": _times(expected.multiple),
            "multiple_tokens": _times(expected.multiple_tokens),
            "assumptions": ASSUMPTIONS,
            "warnings": list(notes),
        },
        _text(expected, rule, notes),
    )
    return 0


def _row_json(row: ForecastTurn) -> Json:
    place: dict[str, Json] = {
        "stage": row.stage,
        "round": row.round,
        "phase": row.phase,
        "seat": row.seat,
        "model": row.model or None,
    }
    return {**place, **_usage_fields(row.usage), "note": row.note}


def _usage_json(usage: Usage | None) -> Json:
    return None if usage is None else _usage_fields(usage)


def _usage_fields(usage: Usage) -> dict[str, Json]:
    return {
        "calls": usage.calls,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost_usd": None if usage.cost_usd is None else float(usage.cost_usd),
    }


def _times(multiple: Fraction | None) -> float | None:
    return None if multiple is None else round(float(multiple), 2)


def _text(expected: CostForecast, rule: str, notes: Iterable[str]) -> str:
    rows = []
    for row in expected.rows:
        what = _format_usage(row.usage) if row.calls else row.note
        model = f" ({row.model})" if row.model else ""
        rows.append(f"round {row.round}, {row.phase}, {row.seat}{model}: {what}")
    lines = [
        *rows,
        "",
        f"In all: {_format_usage(expected.total)}",
        f"If every turn takes all its attempts: {_format_usage(expected.with_retries)}",
    ]
    if expected.may_repeat:
        lines.append("It can be more: the moderator may let a seat speak more than once in a round.")
    if expected.earliest:
        lines.append(f"If it is decided as early as possible: {_format_usage(expected.earliest)}")
    if expected.single_call:
        lines.append(f"One call with the same question and sources: {_format_usage(expected.single_call)}")
    if expected.multiple is not None:
        lines.append(f"The debate is {float(expected.multiple):.1f} times the price of that call")
    elif expected.multiple_tokens is not None:
        lines.append(f"The debate is {float(expected.multiple_tokens):.1f} times the tokens of that call")
    lines += [f"Assumed: {ASSUMPTIONS}", f"What decides: {rule}"]
    lines += [f"Note: {note}" for note in notes]
    return "\n".join(lines) + "\n"


def _format_usage(usage: Usage) -> str:
    cost = f"price {UNKNOWN}" if usage.cost_usd is None else usd_words(usage.cost_usd)
    calls = plural(usage.calls, "call")
    return f"{calls}, {usage.input_tokens:,} tokens in, {usage.output_tokens:,} out, {cost}"
