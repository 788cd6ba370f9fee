"""Limits and lengths of time in words."""

from decimal import Decimal
from typing import assert_never

from debate_core.engine.limits import AXES
from debate_core.language import _, _n, format_number, spoken_list
from debate_core.record.state import State
from debate_core.report.facts.limits_from_use import LEAST_DEBATES, LimitsRow
from debate_core.report.facts.terms import named
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Axis

MINUTE_S, HOUR_S, DAY_S = 60, 3_600, 86_400
MAX_MINUTES, MAX_HOURS = 100, 48
"""Longest times in minutes and in hours; longer ones are in the next unit."""
_UNITS = (
    (DAY_S, "{n} day", "{n} days"),
    (HOUR_S, "{n} hour", "{n} hours"),
    (MINUTE_S, "{n} minute", "{n} minutes"),
    (1, "{n} second", "{n} seconds"),
)


def duration_words(seconds: int) -> str:
    """`3 days`, `90 minutes`, `45 seconds`: in the largest unit that gives a whole number."""
    exact = (unit for unit in _UNITS if seconds >= unit[0] and seconds % unit[0] == 0)
    length, one, many = next(exact, _UNITS[-1])
    return _n(seconds // length, one, many)


def about_words(seconds: float) -> str:
    """`under 1 min`, `12 min`, `3.5 h`, `2.1 days`: a measured time, as precise as a reader needs it."""
    if seconds < MINUTE_S:
        return _("under 1 min")
    if seconds < MAX_MINUTES * MINUTE_S:
        return _("{n:.0f} min", n=seconds / MINUTE_S)
    if seconds < MAX_HOURS * HOUR_S:
        return _("{n:.1f} h", n=seconds / HOUR_S)
    return _("{n:.1f} days", n=seconds / DAY_S)


def limit_words(axis: Axis, limit: str) -> str:
    """`10 calls`, `50,000 tokens`, `600 s`, `0.50 USD`."""
    match axis:
        case "calls":
            return _n(int(limit), "{n} call", "{n} calls")
        case "tokens":
            return _("{limit:,} tokens", limit=int(limit))
        case "seconds":
            return f"{limit} s"
        case "usd":
            return _("{amount} USD", amount=Decimal(limit))
        case _:
            assert_never(axis)


def raised_words(to: Ceiling) -> str:
    """`10 calls and 2.50 USD`: the changed limits."""
    changed = {axis: getattr(to, axis) for axis in AXES}
    return spoken_list([limit_words(axis, str(value)) for axis, value in changed.items() if value is not None])


def agreed_limit(state: State, axis: Axis) -> str:
    """`10 calls`: the present limit on an axis that has one."""
    return limit_words(axis, str(getattr(state.spec.ceiling(), axis)))


def proposed_limits_sentence(row: LimitsRow) -> str:
    """`From 34 debates under expert panel (security): 24 calls, 61,000 tokens, 15 minutes. ...`, or what is missing."""
    about = named(row.protocol)
    if row.task:
        about = _("{protocol} ({task})", protocol=about, task=named(row.task))
    if row.calls is None or row.tokens is None or row.seconds is None:
        return _(
            "Unknown for {about}: it needs at least {least} finished debates with models; so far {n}.",
            about=about,
            least=LEAST_DEBATES,
            n=row.n,
        )
    return _(
        "From {n} debates under {about}: {calls} calls, {tokens} tokens, {duration}. 99 of 100 used at most two thirds "
        "of that.",
        n=row.n,
        about=about,
        calls=format_number(row.calls, ","),
        tokens=format_number(row.tokens, ","),
        duration=duration_words(row.seconds),
    )
