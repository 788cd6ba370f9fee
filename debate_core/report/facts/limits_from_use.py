"""Limits proposed from the use of earlier debates: the 99th percentile of each axis, with room above it.

Counts use as the limits of a debate do. Debates without calls, and those that did not reach their end, teach nothing:
a limit that cut them off would be proposed again. Knows no store.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from debate_core.engine import limits
from debate_core.record.state import State
from debate_core.spec.rules import Ceiling

LEAST_DEBATES = 20
"""Our own cut: with fewer debates the greatest use says little about the next one."""
PERCENTILE = 99
ROOM = 3, 2
"""A proposed limit is at least 3/2 of the percentile; rounding leaves it below twice the percentile."""
MINUTES_FROM_S = 600


@dataclass(frozen=True, slots=True)
class DebateUse:
    """The use of one debate, as its limits would count it."""

    protocol: str
    task: str
    """The kind of decision; empty if not said."""
    calls: int
    tokens: int
    seconds: int


@dataclass(frozen=True, slots=True)
class LimitsRow:
    """The use of similar debates and the limits that follow; all numbers are None with too few debates."""

    protocol: str
    task: str
    """Empty: all kinds of decisions together."""
    n: int
    p99_calls: int | None = None
    p99_tokens: int | None = None
    p99_seconds: int | None = None
    calls: int | None = None
    tokens: int | None = None
    seconds: int | None = None

    @property
    def ceiling(self) -> Ceiling | None:
        """The proposed limits; None if unknown."""
        if self.calls is None:
            return None
        return Ceiling(calls=self.calls, tokens=self.tokens, seconds=self.seconds)


def use_of(state: State) -> DebateUse | None:
    """The use of a debate that reached its end with at least one call; None for others."""
    spent = limits.spent(state)
    if state.outcome is None or state.outcome.status not in ("decided", "undecided") or not spent.calls:
        return None
    seconds = limits.elapsed_s(state, state.closed_at)
    spec = state.spec
    return DebateUse(spec.protocol.name, spec.task or "", spent.calls, spent.all_tokens, ceil(seconds))


def limits_rows(held: Sequence[DebateUse]) -> tuple[LimitsRow, ...]:
    """A row for each protocol, and one for each of its kinds of decisions if it has several; sorted."""
    rows = []
    for protocol in sorted({use.protocol for use in held}):
        under_it = [use for use in held if use.protocol == protocol]
        rows.append(_row(protocol, "", under_it))
        tasks = sorted({use.task for use in under_it})
        if len(tasks) > 1:
            rows += [
                _row(protocol, task, [use for use in under_it if use.task == task]) for task in filter(None, tasks)
            ]
    return tuple(rows)


def limits_for(held: Sequence[DebateUse], protocol: str, task: str) -> LimitsRow:
    """The limits for the next debate: from those of its kind under its protocol, else from all under its protocol."""
    under_it = [use for use in held if use.protocol == protocol]
    of_kind = [use for use in under_it if use.task == task]
    if task and len(of_kind) >= LEAST_DEBATES:
        return _row(protocol, task, of_kind)
    return _row(protocol, "", under_it)


def _row(protocol: str, task: str, held: Sequence[DebateUse]) -> LimitsRow:
    if len(held) < LEAST_DEBATES:
        return LimitsRow(protocol, task, len(held))
    calls = _percentile(use.calls for use in held)
    tokens = _percentile(use.tokens for use in held)
    seconds = _percentile(use.seconds for use in held)
    return LimitsRow(
        protocol,
        task,
        len(held),
        p99_calls=calls,
        p99_tokens=tokens,
        p99_seconds=seconds,
        calls=_with_room(calls),
        tokens=_with_room(tokens),
        seconds=_whole_minutes(_with_room(seconds)),
    )


def _percentile(values: Iterable[int]) -> int:
    """The nearest-rank percentile; of fewer than 100 values the greatest."""
    ordered = sorted(values)
    return ordered[ceil(len(ordered) * PERCENTILE / 100) - 1]


def _with_room(value: int) -> int:
    """At least 3/2 of a value and at most twice as much, in two significant digits; at least 1."""
    over, under = ROOM
    wanted = max(1, ceil(value * over / under))
    step: int = 10 ** max(0, floor(log10(wanted)) - 1)
    return ceil(wanted / step) * step


def _whole_minutes(seconds: int) -> int:
    """Round times from ten minutes on up to whole minutes, for which twice the percentile is still far."""
    return seconds if seconds < MINUTES_FROM_S else ceil(seconds / 60) * 60
