"""The course of one run of one debate, as a generator of effects: what is done to the world, and in which order.

`course` yields an effect, and is sent what came of it; what the store refuses is raised there. It has no store, clock,
loop or seat: `Runner` in `debate_core/host/runner.py` does what it asks for, and `tests/simulation` does so in a time
of its own, with processes that stop at any of these effects. What is written and who is asked, a `Clerk` says.
Whatever that says, this order keeps a debate safe: killed after any effect, the next run goes on where the record ends,
and an attempt is in the record before its seat is asked, so that a call made twice is seen.

Read `course`, then `_Holding.steps`: the rest stands below in the order in which it happens.
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
"""After this long without a sign of its runner a debate is taken over: within 10 s, with the time to notice."""
BUSY_S = 30.0
"""How long to try again while somebody else keeps the store from being written; what was answered is not lost."""
SOON_S = 0.02
"""How often to look whether the store can be written, or a seat be asked again, at most."""


@dataclass(frozen=True, slots=True)
class Load:
    """Read the events after this version; they are sent. Those that others appended are told to whoever listens."""

    after: int


@dataclass(frozen=True, slots=True)
class Append:
    """Add these events after this version in one transaction, and tell them; without a lease for `EndWait` alone.

    Conflict if somebody else was first, Leased if another run holds the debate by now.
    """

    events: Sequence[Event]
    after: int
    lease: Lease | None


@dataclass(frozen=True, slots=True)
class Acquire:
    """Become the one who runs the debate; the lease is sent. Leased if somebody else is."""


@dataclass(frozen=True, slots=True)
class Renew:
    """Hold it for longer. Leased if it was taken over."""

    lease: Lease


@dataclass(frozen=True, slots=True)
class Release:
    """Give it back; nothing happens if it was taken over."""

    lease: Lease


@dataclass(frozen=True, slots=True)
class Attempt:
    """A request that a seat is to be asked, with what the seat sees.

    `place` is its right to call a server, `reserved` what it may use at most; None where nobody has to pay.
    """

    request: Request
    seen: View
    place: Place | None = None
    reserved: Usage | None = None
    spending: Spending = NOTHING
    """What is reserved of the budget of the day."""

    def used(self, usage: Usage | None) -> None:
        """What the call has used takes the place of what was reserved; None = that is not known."""
        self.spending.settle(usage)
        if self.place is not None and usage is not None:
            self.place.tokens = usage.all_tokens


@dataclass(frozen=True, slots=True)
class Ask:
    """Let a seat begin to answer; the answer comes with a later `Listen`."""

    attempt: Attempt


@dataclass(frozen=True, slots=True)
class CutOff:
    """Let go of who answers these requests."""

    requests: Collection[str]


@dataclass(frozen=True, slots=True)
class Listen:
    """Until a seat has answered, somebody wakes us, or so many seconds have passed; `News` is sent."""

    seconds: float


@dataclass(frozen=True, slots=True)
class News:
    """What came of a wait: answers by request id, and whether somebody woke us."""

    answers: Mapping[str, AnyCommand]
    woken: bool


@dataclass(frozen=True, slots=True)
class Rest:
    """Let so many seconds pass."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Monotonic:
    """Send the seconds of a clock that never goes back."""


Effect = Load | Append | Acquire | Renew | Release | Ask | CutOff | Listen | Rest | Monotonic
Steps = Generator[Effect, Any, T]
"""Effects in their order, and what comes of them all. What is sent for an effect, its docstring says."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What is written together, and who is asked once it is in the record; else what is reserved is given back."""

    events: Sequence[Event]
    attempts: Sequence[Attempt] = ()
    give_back: ExitStack = field(default_factory=ExitStack)
    """Gives back what is reserved for the attempts."""


class Clerk(Protocol):
    """Says what is written and who is asked; the state of the debate is with it alone."""

    @property
    def version(self) -> int:
        """How many events it knows."""

    def take_in(self, events: Sequence[Event]) -> None:
        """What was read from the record: all of it at first, then what others have appended."""

    def overdue(self) -> Sequence[Event]:
        """What ends a wait for people that took longer than agreed; empty if nobody is waited for too long."""

    def has_seats_to_ask(self) -> bool:
        """True if somebody other than a person is to be asked, now or later; never during a pause."""

    def parks_until(self) -> datetime | None:
        """When the first server may be asked again, if all who are asked wait for servers, longer than a run waits.

        None otherwise: then a run goes on.
        """

    def begin(self) -> None:
        """The lease is ours: batches follow."""

    def next_batch(self, answers: Mapping[str, AnyCommand], under_way: Collection[str]) -> Batch:
        """What is made of these answers, and the attempts that follow; seats are answering what is `under_way`."""

    def kept(self) -> None:
        """The events that it gave last are in the record."""

    def open_request_ids(self) -> Collection[str]:
        """Ids of the requests that seats may answer now, during a pause too, whether they are being asked or not."""

    def look_s(self, under_way: Collection[str]) -> float:
        """How long to wait at most: until it is time for news, or to ask a seat again."""


def course(clerk: Clerk) -> Steps[datetime | None]:
    """One run: until the debate is over, paused, waits for people only or long for servers, or its process is ending.

    What it comes to: until when it waits for servers, None if it does not. The lease is given back by who runs this.
    """
    clerk.take_in((yield from unless_busy(partial(_only, Load(after=0)))))
    if overdue := clerk.overdue():
        yield from unless_busy(partial(_only, Append(overdue, clerk.version, lease=None)))
        clerk.kept()
    elif clerk.has_seats_to_ask():
        held = yield from unless_busy(partial(_acquired, clerk))
        clerk.begin()
        return (yield from held.steps())
    return None


def given_back(lease: Lease) -> Steps[None]:
    """The end of every run that was not killed."""
    yield from unless_busy(partial(_only, Release(lease)))


def unless_busy(act: Callable[[], Steps[T]]) -> Steps[T]:
    """What comes of it, tried again while others write; meanwhile the other debates of this thread go on."""
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


def _acquired(clerk: Clerk) -> Steps["_Holding"]:
    # The time before: a lease that took long to come by ends sooner than we believe, and never later.
    now_s: float = yield Monotonic()
    lease: Lease = yield Acquire()
    return _Holding(clerk, lease, now_s)


class _Holding:
    """A run that has the lease: what it holds in its hands. The record itself is in the store."""

    def __init__(self, clerk: Clerk, lease: Lease, since_s: float) -> None:
        self._clerk = clerk
        self._lease = lease
        self._renewed_s = since_s
        self._under_way: set[str] = set()
        """Ids of the requests that a seat is answering."""
        self._answers: Mapping[str, AnyCommand] = {}
        """Request id -> what its seat answered, until it is in the record."""

    def steps(self) -> Steps[datetime | None]:
        """Write down what was answered and whom we ask next, ask them, and wait for answers or for news."""
        while True:
            yield from unless_busy(self._keep_lease)
            while not (yield from unless_busy(self._write)):
                pass
            yield from self._call_off()
            if not self._under_way:
                parked_until = self._clerk.parks_until()
                if parked_until is not None or not self._clerk.has_seats_to_ask():
                    return parked_until
            yield from self._listen()

    def _keep_lease(self) -> Steps[None]:
        now_s: float = yield Monotonic()
        if now_s - self._renewed_s > LEASE_TTL_S / 3:
            yield Renew(self._lease)
            self._renewed_s = now_s

    def _write(self) -> Steps[bool]:
        """Append the answers and the attempts that follow, then ask.

        False if somebody else was first: then nothing is written and nobody is asked, and the state is theirs.
        """
        batch = self._clerk.next_batch(self._answers, self._under_way)
        with batch.give_back as give_back:
            if batch.events and not (yield from self._append(batch.events)):
                return False
            self._answers = {}
            for attempt in batch.attempts:
                yield Ask(attempt)
                self._under_way.add(attempt.request.id)
            # All of them are asked: what is reserved is theirs.
            give_back.pop_all()
        return True

    def _append(self, events: Sequence[Event]) -> Steps[bool]:
        try:
            yield Append(events, self._clerk.version, self._lease)
        except Conflict:
            if not (yield from self._catch_up()):
                raise
            return False
        self._clerk.kept()
        return True

    def _catch_up(self) -> Steps[bool]:
        """Take in what others appended; True if there was something."""
        tail: Sequence[Event] = yield Load(self._clerk.version)
        if tail:
            self._clerk.take_in(tail)
        return bool(tail)

    def _call_off(self) -> Steps[None]:
        """Cut off who answers what is no longer asked."""
        if obsolete := self._under_way.difference(self._clerk.open_request_ids()):
            yield CutOff(obsolete)
            self._under_way -= obsolete

    def _listen(self) -> Steps[None]:
        # However long there is no news: the lease is to be renewed.
        news: News = yield Listen(min(self._clerk.look_s(self._under_way), LEASE_TTL_S / 3))
        self._answers = news.answers
        self._under_way.difference_update(news.answers)
        # Otherwise a conflict tells soon enough that others have appended.
        if news.woken or not news.answers:
            yield from unless_busy(self._catch_up)
