"""`estimate`: what a debate would probably cost, turn by turn. Asks nobody and needs no key.

The figures are those of `forecast`.
"""

from argparse import Namespace
from collections.abc import Iterable
from fractions import Fraction

from debate_core.cli.models import UNNAMED, chosen, concerns, is_priced
from debate_core.cli.spec import planned
from debate_core.host.settings import Settings
from debate_core.report.files.export import Json, dumps
from debate_core.report.words.costs import UNKNOWN, usd_words
from debate_core.seats.forecast import ASSUMPTIONS, Forecast, ForecastTurn, forecast
from debate_core.spec.checks import warnings
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Usage


def estimate(flags: Namespace, settings: Settings) -> int:
    """Print the forecast of the debate that the flags describe; 0."""
    spec = planned(flags, settings, chosen(flags, settings)).spec
    expected, notes = forecast(spec), _notes(spec)
    print(dumps(_json(expected, notes)) if flags.json else "\n".join(_text(expected, notes)) + "\n", end="")
    return 0


def _notes(spec: Spec) -> tuple[str, ...]:
    unpriced = [
        f"line {m.id} names no model: the only one that its server offers would sit there"
        if m.model == UNNAMED and is_priced(m)
        else f"the price of {m.model} (line {m.id}) is not known, so neither is the whole"
        for m in spec.models
        if m.model == UNNAMED or not is_priced(m)
    ]
    return (*warnings(spec), *concerns(spec), *unpriced)


def _json(expected: Forecast, notes: Iterable[str]) -> Json:
    return {
        "rows": [_row(row) for row in expected.rows],
        "total": _usage(expected.total),
        "with_retries": _usage(expected.with_retries),
        "earliest": _usage(expected.earliest),
        "single_call": _usage(expected.single_call),
        "multiple": _times(expected.multiple),
        "multiple_tokens": _times(expected.multiple_tokens),
        "assumptions": ASSUMPTIONS,
        "warnings": list(notes),
    }


def _row(row: ForecastTurn) -> Json:
    return {
        "stage": row.stage,
        "round": row.round,
        "phase": row.phase,
        "seat": row.seat,
        "model": row.model or None,
        "calls": row.calls,
        "input_tokens": row.input_tokens,
        "output_tokens": row.output_tokens,
        "cost_usd": _usd(row.cost_usd),
        "note": row.note,
    }


def _usage(used: Usage | None) -> Json:
    if used is None:
        return None
    return {
        "calls": used.calls,
        "input_tokens": used.input_tokens,
        "output_tokens": used.output_tokens,
        "cost_usd": _usd(used.cost_usd),
    }


def _usd(amount: str | None) -> float | None:
    return None if amount is None else float(amount)


def _times(multiple: Fraction | None) -> float | None:
    return None if multiple is None else round(float(multiple), 2)


def _text(expected: Forecast, notes: Iterable[str]) -> list[str]:
    times = expected.multiple if expected.multiple is not None else expected.multiple_tokens
    what = "the price" if expected.multiple is not None else "the tokens"
    return [
        *map(_row_words, expected.rows),
        "",
        f"In all: {_words(expected.total)}",
        f"If every turn takes all its attempts: {_words(expected.with_retries)}",
        *([f"If it is decided as early as it can be: {_words(expected.earliest)}"] if expected.earliest else []),
        *(
            [f"One call with the same question and sources: {_words(expected.single_call)}"]
            if expected.single_call
            else []
        ),
        *([f"The debate is {float(times):.1f} times {what} of that call"] if times is not None else []),
        f"Assumed: {ASSUMPTIONS}",
        *(f"Note: {note}" for note in notes),
    ]


def _row_words(row: ForecastTurn) -> str:
    what = _words(row.usage) if row.calls else row.note
    model = f" ({row.model})" if row.model else ""
    return f"round {row.round}, {row.phase}, {row.seat}{model}: {what}"


def _words(used: Usage) -> str:
    cost = f"price {UNKNOWN}" if used.cost_usd is None else usd_words(used.cost_usd)
    calls = "1 call" if used.calls == 1 else f"{used.calls} calls"
    return f"{calls}, {used.input_tokens:,} tokens in, {used.output_tokens:,} out, {cost}"
