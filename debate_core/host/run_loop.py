"""The loop of one run of one debate, as a generator of effects on the outside world, in order.

`run_loop` yields an effect and receives its result; store errors are raised at the `yield`. It has no store, no clock,
no event loop and no seat: `Runner` in `debate_core/host/runner.py` performs the effects, and `tests/simulation` does so
on a simulated clock, with processes that stop at any effect. A `Planner` decides on writing and asking. The order alone
keeps a debate safe: after a crash at any effect the next run continues where the record ends, and an attempt is
recorded before its seat is asked, so that a repeated call is visible.

Read `run_loop`, then `_Holding.steps`; the other methods follow in the order of their calls.
"""

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Protocol, TypeVar

from debate_core.engine.seat_view import View
from debate_core.errors import Busy, Conflict
from debate_core.host.daily_budget import NOTHING, Spending
from debate_core.host.stores import Lease
from debate_core.record.commands import AnyCommand
from debate_core.record.events import Event
from debate_core.record.state import Request
from debate_core.seats.server_queue import Place
from debate_core.spec.values import Usage

T = TypeVar("T")

LEASE_TTL_S = 8.0
"""A debate is taken over this long after its runner's last renewal: within 10 s, including detection."""
BUSY_S = 30.0
"""How long to retry while others lock the store, so that no answer is lost."""
SOON_S = 0.02
"""Shortest interval between checks of a busy store or a waiting seat."""


@dataclass(frozen=True, slots=True)
class Load:
    """Read and send the events after this version. Events of others are passed to subscribers."""

    after: int


@dataclass(frozen=True, slots=True)
class Append:
    """Append these events after this version in one transaction and publish them; only `EndWait` needs no lease.

    Conflict if someone else was first, Leased if another run holds the debate.
    """

    events: Sequence[Event]
    after: int
    lease: Lease | None


@dataclass(frozen=True, slots=True)
class Acquire:
    """Take the lease of the debate and send it. Leased if another process holds it."""


@dataclass(frozen=True, slots=True)
class Renew:
    """Renew the lease. Leased if it was taken over."""

    lease: Lease


@dataclass(frozen=True, slots=True)
class Release:
    """Release the lease; does nothing if it was taken over."""

    lease: Lease


@dataclass(frozen=True, slots=True)
class Attempt:
    """A request for a seat, with the view of the seat.

    `place` is the permission to call a server, `reserved` the maximum usage; both None if calls are free.
    """

    request: Request
    seen: View
    place: Place | None = None
    reserved: Usage | None = None
    spending: Spending = NOTHING
    """The reservation in the daily budget."""
    instructions: str | None = None
    """Instructions for this call alone, already part of `seen`."""

    def used(self, usage: Usage | None) -> None:
        """Replace the reservation by the actual usage; None = unknown."""
        self.spending.settle(usage)
        if self.place is not None and usage is not None:
            self.place.tokens = usage.all_tokens


@dataclass(frozen=True, slots=True)
class Ask:
    """Start asking a seat; a later `Listen` returns the answer."""

    attempt: Attempt


@dataclass(frozen=True, slots=True)
class CutOff:
    """Cancel the seats that answer these requests."""

    requests: Collection[str]


@dataclass(frozen=True, slots=True)
class Listen:
    """Wait for an answer, a wake or a timeout in seconds; sends `News`."""

    seconds: float


@dataclass(frozen=True, slots=True)
class News:
    """The result of a wait: answers by request id, and whether a wake arrived."""

    answers: Mapping[str, AnyCommand]
    woken: bool


@dataclass(frozen=True, slots=True)
class Rest:
    """Sleep."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Monotonic:
    """Send the seconds of a monotonic clock."""


Effect = Load | Append | Acquire | Renew | Release | Ask | CutOff | Listen | Rest | Monotonic
Steps = Generator[Effect, Any, T]
"""Effects in order, and the final result. The docstring of an effect says what it sends."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Events to append together, and the attempts to start afterwards; else the reservations are released."""

    events: Sequence[Event]
    attempts: Sequence[Attempt] = ()
    give_back: ExitStack = field(default_factory=ExitStack)
    """Releases the reservations of the attempts."""


class Planner(Protocol):
    """Decides on writing and asking; only the planner holds the state."""

    @property
    def version(self) -> int:
        """Number of events read."""

    def take_in(self, events: Sequence[Event]) -> None:
        """Add events read from the record: first all, then those of others."""

    def overdue(self) -> Sequence[Event]:
        """Events that end an overlong wait for people; empty if there is none."""

    def has_seats_to_ask(self) -> bool:
        """True if a seat other than a person's needs asking, now or later; False during a pause."""

    def parks_until(self) -> datetime | None:
        """The time at which the first server may be called again, if all requests wait for servers longer than a run
        waits.

        None if the run continues.
        """

    def begin(self) -> None:
        """Prepare for batches; the lease is held."""

    def next_batch(self, answers: Mapping[str, AnyCommand], under_way: Collection[str]) -> Batch:
        """Turn answers into events and plan the next attempts; seats are still answering `under_way`."""

    def kept(self) -> None:
        """Confirm that the last batch is in the record."""

    def open_request_ids(self) -> Collection[str]:
        """Ids of the requests that seats may answer now, also during a pause, whether asked yet or not."""

    def look_s(self, under_way: Collection[str]) -> float:
        """Maximum seconds until the next check for events or for a seat that can be asked again."""


def run_loop(planner: Planner) -> Steps[datetime | None]:
    """One run: until the debate is over, paused, waits for people or long for servers, or the process shuts down.

    Returns when a server may be called again, None without such a wait. The caller releases the lease.
    """
    planner.take_in((yield from unless_busy(partial(_only, Load(after=0)))))
    if overdue := planner.overdue():
        yield from unless_busy(partial(_only, Append(overdue, planner.version, lease=None)))
        planner.kept()
    elif planner.has_seats_to_ask():
        held = yield from unless_busy(partial(_acquire, planner))
        planner.begin()
        return (yield from held.steps())
    return None


def given_back(lease: Lease) -> Steps[None]:
    """Release the lease; every run that was not killed ends with this."""
    yield from unless_busy(partial(_only, Release(lease)))


def unless_busy(act: Callable[[], Steps[T]]) -> Steps[T]:
    """Retry while others lock the store; meanwhile the other debates of this thread continue."""
    busy_since_s: float | None = None
    while True:
        try:
            return (yield from act())
        except Busy:
            now_s: float = yield Monotonic()
            busy_since_s = now_s if busy_since_s is None else busy_since_s
            if now_s >= busy_since_s + BUSY_S:
                raise
        yield Rest(SOON_S)


def _only(effect: Load | Append | Release) -> Steps[Any]:
    return (yield effect)


def _acquire(planner: Planner) -> Steps["_Holding"]:
    # The time before acquiring: the lease may end sooner than assumed, never later.
    now_s: float = yield Monotonic()
    lease: Lease = yield Acquire()
    return _Holding(planner, lease, now_s)


class _Holding:
    """A run that holds the lease. The record itself is in the store."""

    def __init__(self, planner: Planner, lease: Lease, since_s: float) -> None:
        self._planner = planner
        self._lease = lease
        self._renewed_s = since_s
        self._under_way: set[str] = set()
        self._answers: Mapping[str, AnyCommand] = {}
        """Answers by request id that are not in the record yet."""

    def steps(self) -> Steps[datetime | None]:
        """Record answers and attempts, ask the seats, then wait for answers or news."""
        while True:
            yield from unless_busy(self._keep_lease)
            while not (yield from unless_busy(self._write)):
                pass
            yield from self._cancel_closed()
            if not self._under_way:
                parked_until = self._planner.parks_until()
                if parked_until is not None or not self._planner.has_seats_to_ask():
                    return parked_until
            yield from self._listen()

    def _keep_lease(self) -> Steps[None]:
        now_s: float = yield Monotonic()
        if now_s - self._renewed_s > LEASE_TTL_S / 3:
            yield Renew(self._lease)
            self._renewed_s = now_s

    def _write(self) -> Steps[bool]:
        """Append the answers and the next attempts, then ask.

        False on a conflict: then nothing is written or asked, and the events of others are read.
        """
        batch = self._planner.next_batch(self._answers, self._under_way)
        with batch.give_back as give_back:
            if batch.events and not (yield from self._append(batch.events)):
                return False
            self._answers = {}
            for attempt in batch.attempts:
                yield Ask(attempt)
                self._under_way.add(attempt.request.id)
            # All seats are asked, so their reservations stay.
            give_back.pop_all()
        return True

    def _append(self, events: Sequence[Event]) -> Steps[bool]:
        try:
            yield Append(events, self._planner.version, self._lease)
        except Conflict:
            if not (yield from self._catch_up()):
                raise
            return False
        self._planner.kept()
        return True

    def _catch_up(self) -> Steps[bool]:
        """Read events of others; False if there are none."""
        tail: Sequence[Event] = yield Load(self._planner.version)
        if tail:
            self._planner.take_in(tail)
        return bool(tail)

    def _cancel_closed(self) -> Steps[None]:
        if obsolete := self._under_way.difference(self._planner.open_request_ids()):
            yield CutOff(obsolete)
            self._under_way -= obsolete

    def _listen(self) -> Steps[None]:
        # Without news, too, the lease needs renewal.
        news: News = yield Listen(min(self._planner.look_s(self._under_way), LEASE_TTL_S / 3))
        self._answers = news.answers
        self._under_way.difference_update(news.answers)
        # Otherwise a conflict reveals new events soon enough.
        if news.woken or not news.answers:
            yield from unless_busy(self._catch_up)
