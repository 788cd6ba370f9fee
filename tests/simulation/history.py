"""One history: processes that run one debate beside people, with every kind of failure, on a simulated clock.

The run loop and the store are the real ones. This module performs the effects of a run: processes are killed before and
after any effect, are suspended for longer than a lease lasts, have different clocks, and meet a store that is busy, or
that stores an append without confirming it. The same seed gives the same history. `watch` has the invariants.
"""

import heapq
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from random import Random
from typing import Any, Protocol
from zlib import crc32

from debate_core.errors import Busy, Conflict, Leased, StoreError
from debate_core.host.background import RETRY_S
from debate_core.host.run_loop import (
    LEASE_TTL_S,
    Acquire,
    Append,
    Ask,
    Attempt,
    CutOff,
    Effect,
    Listen,
    Load,
    Monotonic,
    News,
    Planner,
    Release,
    Renew,
    Rest,
    Steps,
    given_back,
    run_loop,
)
from debate_core.host.runner import TOGETHER_S
from debate_core.host.stores import Store
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import AnyCommand
from debate_core.record.events import Event
from tests.simulation.process import Process, Time
from tests.simulation.watch import Watch

FAULTS_UNTIL_S = 30.0
OVER_BY_S = 200.0
"""Faults end after 30 s, and a pause lasts at most 30 s more: long before this, the debate must be over."""
FAULT_SHARE = 0.08
"""Of all effects, while there are faults."""
LATE_SHARE = 0.15
"""Of all effects: these take some milliseconds, in which others come first."""
SKEW_S = 0.5
SLOW_SHARE = 0.04
"""Of all answers: these take longer than a lease lives without being renewed."""
STORE = ("Load", "Append", "Acquire", "Renew", "Release")
WRITES = STORE[1:]


@dataclass(frozen=True)
class Person:
    """Somebody who writes to the debate beside its runners, from `first_s` on."""

    act: Callable[[Sequence[Event], float], Sequence[Event]]
    """What they do in this state of the record, at this time; empty = nothing, now."""
    first_s: float
    again_s: float | None = None
    """How soon they look again; None = they do one thing."""


class Play(Protocol):
    """A debate to be played: its rules, its seats and its people."""

    debate: str

    def opening(self) -> Sequence[Event]:
        """Return the opening commands."""

    def planner(self, time: Time) -> Planner:
        """Whoever says what is written in one run, by the clock of its process."""

    def answer(self, attempt: Attempt) -> AnyCommand:
        """Return the seat's answer."""

    def people(self) -> Sequence[Person]:
        """Return the people beside the seats."""

    def again_s(self, planner: Planner) -> float | None:
        """Return the seconds until the next scheduled look after a run; None = only when woken."""

    def faults(self, record: Sequence[Event]) -> Sequence[str]:
        """List the faults of a finished record under its own rules."""


class Later:
    """Effect whose result is not known yet."""


LATER = Later()


class History:
    """One debate from its opening to its end."""

    def __init__(
        self,
        seed: int,
        play: Play,
        *,
        store: Callable[[Time], Store] = MemoryStore,
        loop: Callable[[Planner], Steps[datetime | None]] = run_loop,
        trace: bool = False,
    ) -> None:
        self.watch = Watch()
        self.counts: Counter[str] = Counter()
        """What happened, how often."""
        self.digest = seed
        """Of everything that happened, who did it, and when."""
        self.lines: list[str] = []
        """The same in words, with `trace`."""
        self._trace = trace
        self._now_s = 0.0
        self._random = random = Random(seed)
        self._play = play
        self._debate = play.debate
        self._loop = loop
        self._store = store(lambda: self._now_s)
        self._newest_fence = 0
        self._queue: list[tuple[float, int, Process | None, int, Callable[..., None], tuple[Any, ...]]] = []
        self._n_queued = 0
        self._busy_until_s = 0.0
        """Until then nobody can write."""
        n_processes = random.choice((2, 2, 3))
        self._processes = [Process(n + 1, random.uniform(-SKEW_S, SKEW_S)) for n in range(n_processes)]
        # By name: a deliberately changed loop has its own classes of effects.
        self._doing: dict[str, Callable[[Process, Any], object]] = {
            "Load": self._load,
            "Append": self._append,
            "Acquire": self._acquire,
            "Renew": self._renew,
            "Release": self._release,
            "Ask": self._ask,
            "CutOff": self._cut_off,
            "Listen": self._listen,
            "Rest": self._rest,
            "Monotonic": self._monotonic,
        }

    def played(self) -> "History":
        """Play it until nobody does anything any more, or something is wrong."""
        opening = self._play.opening()
        self._store.append(self._debate, opening, after=0)
        self.watch.kept += opening
        for process in self._processes:
            self._in(self._random.random(), self._start, process)
        for person in self._play.people():
            self._in(person.first_s, self._look, None, person)
        while self._queue and not self.watch.wrong:
            self._now_s, _, whose, life, act, given = heapq.heappop(self._queue)
            if whose is None:
                act(*given)
            elif whose.life == life:
                act(whose, *given)
            if self._now_s > OVER_BY_S:
                self.watch.wrong.append("it does not end")
        if not self.watch.wrong:
            record = self._store.load(self._debate)
            self.watch.looks_back(record)
            self.watch.wrong += self._play.faults(record)
            self.digest ^= int(record[-1].hash[:12], 16)
        return self

    def _in(self, seconds: float, act: Callable[..., None], process: Process | None, *given: object) -> None:
        """Let this happen later; to a process only if it has lost nothing until then."""
        self._n_queued += 1
        life = process.life if process else 0
        heapq.heappush(self._queue, (self._now_s + seconds, self._n_queued, process, life, act, given))

    def _happens(self, what: str, process: Process | None = None, detail: object = "") -> None:
        self.counts[what] += 1
        number = process.number if process else 0
        self.digest = (self.digest * 1_000_003 ^ int(self._now_s * 1e6) ^ _code(what) ^ number) & 0xFFFF_FFFF_FFFF
        if self._trace:
            who = f"process {number}" if number else "a person"
            self.lines.append(f"{self._now_s:10.6f} {who} {what} {_in_words(detail)}".rstrip())

    # Processes.

    def _start(self, process: Process) -> None:
        process.again_s = None
        process.woken = process.is_dead = False
        process.planner = self._play.planner(lambda: self._now_s + process.skew_s)
        process.steps = self._loop(process.planner)
        self._happens("starts", process)
        self._go_on(process, None)

    def _go_on(self, process: Process, came: object, error: StoreError | None = None) -> None:
        """Send the result of an effect to the run, and perform its next effects until it has to wait."""
        assert process.steps is not None
        while True:
            try:
                effect = process.steps.send(came) if error is None else process.steps.throw(error)
            except StopIteration:
                return self._ended(process)
            except StoreError as refused:
                return self._broke(process, refused)
            if self._is_late(process, effect):
                return None
            came, error = self._done(process, effect)
            if came is LATER:
                return None

    def _do(self, process: Process, effect: Effect) -> None:
        came, error = self._done(process, effect)
        if came is not LATER:
            self._go_on(process, came, error)

    def _done(self, process: Process, effect: Effect) -> tuple[object, StoreError | None]:
        """Return the result of an effect, or the store's refusal."""
        name = type(effect).__name__
        came, error = None, None
        try:
            if self._now_s < self._busy_until_s and name in WRITES:
                raise Busy("somebody else is writing")
            came = self._doing[name](process, effect)
        except StoreError as refused:
            error = refused
            is_zombie = isinstance(refused, Leased) and name in ("Append", "Renew")
            self._happens("is fenced off" if is_zombie else f"meets {type(refused).__name__}", process, effect)
        if name in STORE:
            self.watch.meets(process, error, self._now_s)
        return came, error

    def _is_late(self, process: Process, effect: Effect) -> bool:
        """True if this effect is not simply done now: others come first, or something goes wrong before it or after."""
        chance = self._random.random()
        if chance < LATE_SHARE:
            self._in(chance / LATE_SHARE * 0.01, self._do, process, effect)
            return True
        if chance > 1 - FAULT_SHARE and self._now_s < FAULTS_UNTIL_S:
            return self._goes_wrong(process, effect, (1 - chance) / FAULT_SHARE)
        return False

    def _goes_wrong(self, process: Process, effect: Effect, which: float) -> bool:
        name = type(effect).__name__
        if which < 0.2:
            self._kill(process, "before", effect)
        elif which < 0.4:
            self._done(process, effect)
            self._kill(process, "after", effect)
        elif which < 0.6:
            self._in(self._pause(process, "before", effect), self._do, process, effect)
        elif which < 0.8:
            came, error = self._done(process, effect)
            if came is not LATER:
                self._in(self._pause(process, "after", effect), self._go_on, process, came, error)
        elif which < 0.9 and name in WRITES:
            self._be_busy(process)
            self._do(process, effect)
        elif name in STORE:
            self._hear_nothing(process, effect)
        else:
            return False
        return True

    def _pause(self, process: Process, when: str, effect: Effect | News) -> float:
        """For how long it stands still: up to a second, or up to three times as long as a lease lives."""
        pause_s = self._random.uniform(0, self._random.choice((1.0, 3 * LEASE_TTL_S)))
        self._happens(f"stands still {when}", process, effect)
        process.stalled_until_s = max(process.stalled_until_s, self._now_s + pause_s)
        return pause_s

    def _be_busy(self, process: Process) -> None:
        """Nobody can write for a while; very rarely for longer than a run tries."""
        for_s = 35.0 if self._random.random() < 0.01 else self._random.expovariate(10)
        self._busy_until_s = max(self._busy_until_s, self._now_s + for_s)
        self._happens("meets a busy store", process, f"for {for_s:.3f} s")
        for each in self._processes:
            each.stalled_until_s = max(each.stalled_until_s, self._busy_until_s)

    def _hear_nothing(self, process: Process, effect: Effect) -> None:
        """The store does what it was asked, and cannot say so."""
        self._happens("hears nothing of", process, effect)
        since_s = process.busy_since_s
        self._done(process, effect)
        process.busy_since_s = since_s
        if type(effect).__name__ == "Acquire":
            process.lease = None
        lost = Busy("the connection was lost")
        self.watch.meets(process, lost, self._now_s)
        self._go_on(process, None, lost)

    def _kill(self, process: Process, when: str, effect: Effect) -> None:
        self._happens(f"is killed {when}", process, effect)
        assert process.steps is not None
        process.steps.close()
        process.steps = process.lease = None
        process.is_dead = True
        self.watch.lost(process)
        process.forgets()
        self._in(self._random.uniform(0.05, 4), self._start, process)

    def _ended(self, process: Process) -> None:
        self._happens("ends", process)
        self.watch.ended(process)
        assert process.planner is not None
        self._let_go(process, self._play.again_s(process.planner) if process.again_s is None else process.again_s)

    def _broke(self, process: Process, error: StoreError) -> None:
        """Handle a failure as the runner does: release the lease and try again later."""
        self._happens("breaks off", process, error)
        self.watch.broke(process, error, self._now_s)
        self._let_go(process, RETRY_S)

    def _let_go(self, process: Process, again_s: float | None) -> None:
        """Give the lease back first, if it has one."""
        self.watch.lost(process)
        process.forgets()
        lease, process.lease, process.steps = process.lease, None, None
        process.again_s = again_s
        if lease is not None:
            process.steps = given_back(lease)
            self._go_on(process, None)
        elif again_s is not None or process.woken:
            self._in(max(0.0, again_s or 0.0), self._start, process)

    # The effects of a run.

    def _load(self, process: Process, effect: Load) -> object:
        events = self._store.load(self._debate, effect.after)
        self.watch.reads(process, events)
        return events

    def _append(self, process: Process, effect: Append) -> object:
        self._store.append(self._debate, effect.events, after=effect.after, lease=effect.lease)
        self._happens("writes", process, effect.events)
        fence = effect.lease.fence if effect.lease else None
        self.watch.writes(process, effect.events, fence=fence, newest=self._newest_fence)
        return None

    def _acquire(self, process: Process, _effect: Acquire) -> object:
        lease = self._store.acquire(self._debate, f"process {process.number}", ttl_s=LEASE_TTL_S)
        self._happens("acquires", process)
        for former in self._processes:
            if former.lease is not None and former.lease.fence == lease.fence - 1:
                self._happens("is taken over", former)
                self.watch.taken_over(former)
        process.lease = lease
        self._newest_fence = lease.fence
        self.watch.renewed(process, self._now_s)
        return lease

    def _renew(self, process: Process, effect: Renew) -> object:
        self._store.renew(effect.lease, ttl_s=LEASE_TTL_S)
        self._happens("renews", process)
        self.watch.renewed(process, self._now_s)
        return None

    def _release(self, process: Process, effect: Release) -> object:
        self._store.release(effect.lease)
        self._happens("releases", process)
        return None

    def _ask(self, process: Process, effect: Ask) -> object:
        request = effect.attempt.request.id
        self._happens("asks", process, request)
        self.watch.asks(process, request, newest=self._newest_fence)
        is_slow = self._random.random() < SLOW_SHARE
        answers_in_s = self._random.uniform(2, 16) if is_slow else self._random.uniform(0.02, 1.5)
        process.in_flight[request] = self._now_s + answers_in_s, self._play.answer(effect.attempt)
        return None

    def _cut_off(self, process: Process, effect: CutOff) -> object:
        self.watch.cuts_off(process, effect.requests)
        for request in effect.requests:
            self._happens("cuts off", process, request)
            process.in_flight.pop(request, None)
        return None

    def _monotonic(self, process: Process, _effect: Monotonic) -> object:
        # It counts from whenever the machine was started.
        return self._now_s + 1000 * process.number

    def _rest(self, process: Process, effect: Rest) -> object:
        self._in(effect.seconds, self._go_on, process, None)
        return LATER

    def _listen(self, process: Process, effect: Listen) -> object:
        self.watch.listens(process)
        until_s = self._now_s + effect.seconds
        ready_s = min((ready_s for ready_s, _ in process.in_flight.values()), default=until_s)
        wait_s = 0.0 if process.woken else max(0.0, min(until_s, ready_s) - self._now_s)
        process.listens = self._n_queued + 1
        self._in(wait_s, self._hear, process, process.listens)
        return LATER

    def _hear(self, process: Process, listens: int) -> None:
        if process.listens != listens:
            return
        process.listens = 0
        together_s = self._now_s + TOGETHER_S
        ready = [request for request, (ready_s, _) in process.in_flight.items() if ready_s <= together_s]
        news = News({request: process.in_flight.pop(request)[1] for request in ready}, process.woken)
        process.woken = False
        self._happens("hears", process, ready)
        if news.woken or not ready:
            process.must_know = len(self.watch.kept)
        if self._random.random() < FAULT_SHARE / 4 and self._now_s < FAULTS_UNTIL_S:
            self._in(self._pause(process, "after", news), self._go_on, process, news)
        else:
            self._go_on(process, news)

    # People.

    def _look(self, person: Person) -> None:
        record = self._store.load(self._debate)
        if events := person.act(record, self._now_s):
            self._in(self._random.random() * 0.005, self._send, None, person, events, len(record))
        else:
            self._come_back(person)

    def _send(self, person: Person, events: Sequence[Event], after: int) -> None:
        """Send a command, and send it again if the process of the page is killed before or after writing."""
        killed = self._random.choice(("before", "after")) if self._random.random() < 0.1 else ""
        if killed != "before":
            try:
                self._store.append(self._debate, events, after=after)
            except Conflict:
                self._happens("is not first", None, events)
                self._look(person)
                return
            self._happens("writes", None, events)
            self.watch.kept += events
            self._wake(self._random.choice(self._processes))
        if killed:
            self._in(1.0, self._look, None, person)
        else:
            self._come_back(person)

    def _come_back(self, person: Person) -> None:
        if person.again_s is not None and self._store.find(self._debate, "closed") is None:
            self._in(self._random.uniform(0.1, 2 * person.again_s), self._look, None, person)

    def _wake(self, process: Process) -> None:
        """A process in which somebody has written looks at once whom to ask; one that is dead does when it starts."""
        if process.is_dead:
            return
        process.woken = True
        if process.listens:
            self._in(0.0, self._hear, process, process.listens)
        elif process.steps is None:
            # It is not started a second time where it was to run again by itself.
            process.life += 1
            self._in(0.0, self._start, process)


def _in_words(detail: object) -> str:
    """Name an effect, or the keys of events."""
    if isinstance(detail, Sequence) and not isinstance(detail, str):
        return ", ".join(getattr(each, "key", str(each)) for each in detail)
    return str(detail) if isinstance(detail, str | StoreError) else type(detail).__name__


@cache
def _code(what: str) -> int:
    return crc32(what.encode()) << 8
