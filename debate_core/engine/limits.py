"""Limits on calls, tokens, seconds and money, and their use.

A call is allowed only if its reservation fits every limit; a call of unknown use counts at its reservation. Exact
decimals, never floats.
"""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import get_args

from debate_core.record.state import State, waited_since
from debate_core.sentence import Sentence
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Axis, Usage

AXES: tuple[Axis, ...] = get_args(Axis)
MOST_USD = 10**9
"""An Amount has at most nine digits before its point."""
WARN_AT = Fraction(4, 5)
"""Share of a limit from which people are warned."""


def total(used: Iterable[Usage]) -> Usage:
    """The sum. The cost is None if that of one call is unknown, or it exceeds an Amount."""
    each = list(used)
    calls = input_tokens = cached_tokens = output_tokens = reasoning_tokens = 0
    for usage in each:
        calls += usage.calls
        input_tokens += usage.input_tokens
        cached_tokens += usage.cached_tokens
        output_tokens += usage.output_tokens
        reasoning_tokens += usage.reasoning_tokens
    written = [u.cache_write_tokens for u in each if u.cache_write_tokens is not None]
    total_written = sum(written) if written else None
    return Usage(
        calls=calls,
        input_tokens=input_tokens,
        cached_tokens=cached_tokens,
        output_tokens=output_tokens,
        reasoning_tokens=reasoning_tokens,
        cost_usd=_total_cost(each),
        estimated=any(usage.estimated for usage in each),
        cache_write_tokens=total_written,
    )


def _total_cost(used: Iterable[Usage]) -> str | None:
    cost = Decimal(0)
    for usage in used:
        if not usage.calls:
            continue
        if usage.cost_usd is None:
            return None
        cost += Decimal(usage.cost_usd)
    return decimal_text(cost) if cost < MOST_USD else None


def decimal_text(amount: Decimal) -> str:
    """Plain digits with at most 12 decimals, rounded up, so that a reservation is never too small."""
    text = f"{amount.quantize(Decimal('1e-12'), rounding='ROUND_UP'):f}"
    return text.rstrip("0").rstrip(".")


def recorded(state: State) -> tuple[Usage, ...]:
    """The use of each ended attempt, failed and repeated ones included, and of each call that led to a look-up."""
    turns = (*state.all_turns(), *state.failed_attempts)
    used = (*(turn.usage for turn in turns), *(one.usage for one in state.look_ups))
    return tuple(usage for usage in used if usage is not None)


def spent(state: State) -> Usage:
    """Known use plus the reservations of calls of unknown use."""
    return total((*recorded(state), *(usage for _, usage in state.reserved)))


def passed(state: State, reserved: Usage | None, *, at: str) -> Axis | None:
    """The first limit that one more call with this reservation would exceed at `at` (UTC text), or None.

    A seat without costs (None) can exceed only the limit of seconds. An unknown cost exceeds any limit of money.
    """
    bound = state.spec.ceiling()
    if bound is None:
        return None
    if bound.seconds is not None and elapsed_s(state, at) > bound.seconds:
        return "seconds"
    if reserved is None:
        return None
    return _passed_by_use(bound, total((spent(state), reserved)))


def _passed_by_use(bound: Ceiling, used: Usage) -> Axis | None:
    """The first limit that this use exceeds, time aside."""
    if bound.calls is not None and used.calls > bound.calls:
        return "calls"
    if bound.tokens is not None and used.all_tokens > bound.tokens:
        return "tokens"
    if bound.usd is not None and (used.cost_usd is None or Decimal(used.cost_usd) > Decimal(bound.usd)):
        return "usd"
    return None


def fault_in_raise(state: State, to: Ceiling, *, at: str) -> Sentence | None:
    """The reason why limits cannot be raised to this: only agreed limits, and only above the present use."""
    bound = state.spec.ceiling()
    if bound is None:
        return Sentence("no limit was agreed, so there is none to raise")
    raised = [axis for axis in AXES if getattr(to, axis) is not None]
    if not raised:
        return Sentence("say which limit is raised, and to what: {axes}", axes=", ".join(AXES))
    used = _used(state, at=at)
    for axis in raised:
        why = _fault_in_axis(axis, getattr(bound, axis), getattr(to, axis), used[axis])
        if why:
            return why
    return None


def _fault_in_axis(axis: Axis, agreed: str | int | None, value: str | int, used: Fraction | None) -> Sentence | None:
    """The reason why this limit cannot be raised to this value; `used` None = unknown."""
    if agreed is None:
        return Sentence("no limit of {axis} was agreed, so there is none to raise", axis=axis)
    if Fraction(value) <= Fraction(agreed):
        return Sentence(
            "the limit of {axis} is {agreed}: it can only be raised, not set to {value}",
            axis=axis,
            agreed=agreed,
            value=value,
        )
    if used is not None and Fraction(value) < used:
        return Sentence(
            "{value} {axis} are less than what is used already ({used:,.12g})",
            value=value,
            axis=axis,
            used=float(used),
        )
    return None


def elapsed_s(state: State, at: str) -> float:
    """Seconds since the opening; in a room without pauses and waits for people.

    Otherwise the time in the lobby would use up the limit before the first turn.
    """
    since = datetime.fromisoformat(at) - datetime.fromisoformat(state.opened_at)
    if state.spec.has_people:
        since -= state.waited + waited_since(state, at)
    return since.total_seconds()


def shares(state: State, *, at: str) -> dict[Axis, Fraction]:
    """Used share of each limit, 1 = all; axes without a limit or of unknown use are left out."""
    bound = state.spec.ceiling() or Ceiling()
    share_of: dict[Axis, Fraction] = {}
    for axis, used in _used(state, at=at).items():
        limit = getattr(bound, axis)
        if limit is not None and used is not None:
            share_of[axis] = used / Fraction(limit) if Fraction(limit) else Fraction(1)
    return share_of


def _used(state: State, *, at: str) -> dict[Axis, Fraction | None]:
    """The use on each axis at `at`; None = unknown."""
    used = spent(state)
    return {
        "calls": Fraction(used.calls),
        "tokens": Fraction(used.all_tokens),
        "seconds": Fraction(elapsed_s(state, at)),
        "usd": None if used.cost_usd is None else Fraction(used.cost_usd),
    }
