"""Usage of the calls of a debate, by round, phase and seat, and the use of its limits.

A call without any reply counts with unknown usage, neither with its reservation nor with 0. Derived from the state;
knows no words and no file format.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from debate_core.engine import limits
from debate_core.engine.engine import requests
from debate_core.record.events import BaselineReply
from debate_core.record.ids import RequestId, TurnId
from debate_core.record.state import State
from debate_core.spec.protocol import Spec
from debate_core.spec.rotation import seat_in_round
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Axis, BaselineName, Role, Seat, Usage

LOST = ("timeout", "refused", "cut", "unparseable", "failed", "weak")
"""Statuses of attempts without a result."""
CHECKING_CALL: tuple[BaselineName, int] = ("supervised_answer", 2)
"""The call of a baseline that checks the answer before it."""


@dataclass(frozen=True, slots=True)
class Used:
    """Recorded usage of some calls. A sum keeps unknown values unknown."""

    recorded: tuple[Usage, ...] = ()
    failed_attempts: int = 0
    lost_calls: int = 0
    """Calls without any reply; they may have cost something."""
    calls_under_way: int = 0

    def __add__(self, other: "Used") -> "Used":
        return Used(
            self.recorded + other.recorded,
            self.failed_attempts + other.failed_attempts,
            self.lost_calls + other.lost_calls,
            self.calls_under_way + other.calls_under_way,
        )

    @property
    def unknown_calls(self) -> int:
        """Calls of unknown usage: lost, or under way."""
        return self.lost_calls + self.calls_under_way

    @property
    def calls(self) -> int:
        """All calls, including those of unknown usage."""
        return self.known().calls + self.unknown_calls

    def known(self) -> Usage:
        """Sum of the known usage; a lower bound if there are unknown calls."""
        return limits.total(self.recorded)

    def tokens(self) -> Usage | None:
        """Known usage; None if there are calls and all of them are unknown."""
        known = self.known()
        return None if self.unknown_calls and not known.calls else known

    def written_tokens(self) -> int | None:
        """Tokens written into a cache; None if no server reports them."""
        return self.known().cache_write_tokens if self.calls else 0

    @property
    def cost_usd(self) -> str | None:
        """Cost of all calls; None if one is unknown."""
        return None if self.unknown_calls else self.known().cost_usd

    @property
    def priced_usd(self) -> str:
        """Cost of the calls with a known price."""
        return limits.total(u for u in self.recorded if u.cost_usd is not None).cost_usd or "0"

    @property
    def unpriced_calls(self) -> int:
        """Ended calls of unknown cost, including lost ones."""
        return sum(u.calls for u in self.recorded if u.cost_usd is None) + self.lost_calls

    @property
    def estimated(self) -> bool:
        """True if the usage of one call was estimated from its characters, because its server did not report it."""
        return any(u.estimated for u in self.recorded)

    @property
    def models(self) -> tuple[str, ...]:
        """Models that answered, as named by their servers, in order of first appearance."""
        return tuple(dict.fromkeys(u.model for u in self.recorded if u.model))


@dataclass(frozen=True, slots=True)
class UsageRow:
    """Usage of one seat in one phase of one round; None where no model is agreed for the seat."""

    round: int
    phase: str
    seat: str
    role: Role
    line: str | None
    provider: str | None
    asked_model: str | None
    family: str | None
    used: Used


@dataclass(frozen=True, slots=True)
class LimitRow:
    """One limit of the debate. `used` includes calls of unknown usage with their reservation."""

    axis: Axis
    used: str | None
    limit: str
    share: Fraction | None
    """Share of the limit, 1 = all of it; None if `used` is None."""

    @property
    def near(self) -> bool:
        """True from the warning level on."""
        return self.share is not None and self.share >= limits.WARN_AT


def used_by_place(state: State) -> dict[TurnId, Used]:
    """Usage for each turn, all its attempts together; turns without a call are left out."""
    found: defaultdict[TurnId, Used] = defaultdict(Used)
    for turn, used in _uses(state):
        found[turn] += used
    asked = {seat.id for seat in state.spec.seats if state.spec.line(seat)}
    by_place = {}
    for place, used in found.items():
        # Seats without a model may report zero calls: they get no row.
        if used.calls or (used.failed_attempts and place.seat in asked):
            by_place[place] = used
    return by_place


def _uses(state: State) -> Iterator[tuple[TurnId, Used]]:
    """Yield each attempt, look-up and reservation with its turn."""
    for turn in (*state.failed_attempts, *state.all_turns()):
        recorded = (turn.usage,) if turn.usage is not None else ()
        yield turn.address(), Used(recorded, failed_attempts=int(turn.status in LOST))
    for one in state.look_ups:
        if one.usage is not None:
            yield RequestId.parse(one.request).turn, Used((one.usage,))
    under_way = _reservations_under_way(state)
    for index, (request, _) in enumerate(state.reserved):
        now = index in under_way
        yield RequestId.parse(request).turn, Used(lost_calls=int(not now), calls_under_way=int(now))


def _reservations_under_way(state: State) -> set[int]:
    """Indices of the latest reservation of each open request, which may still be answered."""
    latest = {request: index for index, (request, _) in enumerate(state.reserved)}
    return {latest[request.id] for request in requests(state) if request.id in latest}


def usage_rows(state: State) -> tuple[UsageRow, ...]:
    """One row per round, phase and seat with a call, in the order of the phases and seats."""
    used: defaultdict[tuple[int, str, str], Used] = defaultdict(Used)
    for turn, used_for_it in used_by_place(state).items():
        used[turn.round, turn.phase, turn.seat] += used_for_it
    rows = []
    for number, phase in state.ran:
        for seat in state.spec.seats:
            if (number, phase, seat.id) in used:
                rows.append(_usage_row(state, number, phase, seat, used[number, phase, seat.id]))
    return tuple(rows)


def _usage_row(state: State, number: int, phase: str, seat: Seat, used: Used) -> UsageRow:
    row = UsageRow(
        round=number,
        phase=phase,
        seat=seat.id,
        role=seat.role,
        line=None,
        provider=None,
        asked_model=None,
        family=family_of(state.spec, seat_in_round(state.spec, seat.id, number)),
        used=used,
    )
    agreed = state.spec.line(seat_in_round(state.spec, seat.id, number))
    if agreed is None:
        return row
    return replace(row, line=agreed.id, provider=agreed.provider, asked_model=agreed.model or None)


def baseline_usage_rows(state: State) -> tuple[UsageRow, ...]:
    """Usage of the baselines, a row for each answer; not part of the debate's own figures."""
    lines = {line.id: line for line in state.spec.models}
    rows = []
    for held in state.baselines:
        for number, reply in enumerate(held.replies, start=1):
            line = lines[reply.line]
            role: Role = "referee" if (held.name, number) == CHECKING_CALL else "debater"
            row = UsageRow(
                round=state.current_round(),
                phase=held.name,
                seat=f"answer_{number}",
                role=role,
                line=line.id,
                provider=line.provider,
                asked_model=line.model or None,
                family=line.family or None,
                used=used_by_reply(reply),
            )
            rows.append(row)
    return tuple(rows)


def used_by_reply(reply: BaselineReply) -> Used:
    """Usage of one baseline answer; a call without usage is lost, not free."""
    recorded = (reply.usage,) if reply.usage is not None else ()
    return Used(recorded, failed_attempts=int(reply.error is not None), lost_calls=int(reply.usage is None))


def family_of(spec: Spec, seat: Seat) -> str | None:
    """Family of the model that is agreed for a seat; None without one."""
    if seat.occupant != "model":
        return None
    line = spec.line(seat)
    return seat.family or (line.family if line else "") or None


def used_in(rows: Iterable[UsageRow]) -> Used:
    """Sum of some rows."""
    return sum((row.used for row in rows), Used())


def usage_json(state: State) -> dict[str, int | float | None]:
    """Usage of all calls, including failed and lost ones; the cost is null if that of one call is unknown.

    Tokens are the known ones, null if none are; tokens written into a cache are null if no server reports them.
    """
    used = used_in(usage_rows(state))
    known = used.tokens()
    cost_usd = None if used.cost_usd is None else float(used.cost_usd)
    input_tokens = cached_tokens = output_tokens = None
    if known is not None:
        input_tokens = known.input_tokens
        cached_tokens = known.cached_tokens
        output_tokens = known.output_tokens
    return {
        "calls": used.calls,
        "input_tokens": input_tokens,
        "cached_tokens": cached_tokens,
        "cache_write_tokens": used.written_tokens(),
        "output_tokens": output_tokens,
        "cost_usd": cost_usd,
    }


def limit_rows(state: State, *, at: str = "") -> tuple[LimitRow, ...]:
    """Every limit and its use at `at` (UTC text), or at the latest time in the record."""
    bound = state.spec.ceiling() or Ceiling()
    spent = limits.spent(state)
    when = at or _last_at(state)
    shares = limits.shares(state, at=when)
    measured: dict[Axis, tuple[str | None, int | str | None]] = {
        "calls": (str(spent.calls), bound.calls),
        "tokens": (str(spent.input_tokens + spent.output_tokens), bound.tokens),
        "seconds": (f"{limits.elapsed_s(state, when):.0f}", bound.seconds),
        "usd": (spent.cost_usd, bound.usd),
    }
    rows = []
    for axis, (used, limit) in measured.items():
        if limit is not None:
            rows.append(LimitRow(axis, used, str(limit), shares.get(axis)))
    return tuple(rows)


def _last_at(state: State) -> str:
    """The latest time in the state, at most the end of the debate."""
    if state.closed_at:
        return state.closed_at
    times = [state.opened_at]
    times += [turn.at for turn in (*state.failed_attempts, *state.all_turns())]
    if state.open is not None:
        times += state.open.started.values()
    return max(times)
