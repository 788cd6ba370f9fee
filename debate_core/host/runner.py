"""Asks the seats of one debate until none is left to ask.

`debate_core/host/run_loop.py` has the order of steps, `debate_core/host/run_planner.py` the decisions. `Runner`
performs them with a store, a loop and the seats. All its knowledge is in the store: after a crash the next `run`
continues where the record ends.
"""

import asyncio
import logging
import time
from collections.abc import Iterable
from contextlib import AsyncExitStack, closing
from datetime import UTC, datetime
from functools import partial
from types import TracebackType
from typing import TypeVar, assert_never, cast

from debate_core.engine import stop_functions
from debate_core.engine.engine import submit
from debate_core.engine.rights import HOST
from debate_core.errors import SeatError, SeatTimeout, StoreError
from debate_core.host.error_places import places
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
    Release,
    Renew,
    Rest,
    Steps,
    given_back,
    run_loop,
)
from debate_core.host.run_options import AS_USUAL, RunOptions
from debate_core.host.run_planner import Fillers, RunPlanner, failed
from debate_core.host.stores import Lease, Store
from debate_core.host.stores.owner import this_process
from debate_core.record.commands import AnyCommand, Stop
from debate_core.record.state import State
from debate_core.seats.server_queue import Place, renew_places

T = TypeVar("T")

log = logging.getLogger(__name__)

GRACE_S = 5.0
"""Extra seconds for a seat that enforces its own deadline."""
TOGETHER_S = 0.003
"""How long to wait for simultaneous answers: one append instead of several."""


def now() -> datetime:
    """The time of this machine, in UTC."""
    return datetime.now(UTC)


async def run(debate_id: str, store: Store, fillers: Fillers, options: RunOptions = AS_USUAL) -> State:
    """Ask the seats with a filler; return when the debate is over, paused, or waits for people only.

    It also returns where servers ask for a long wait (`options.waits_hours`) and on shutdown (`options.is_ending`).
    Leased if another runner holds the debate; UnknownDebate if there is none. The exception of a stop function stops
    the debate and is raised again.
    """
    planner = RunPlanner(fillers, options)
    runner = Runner(debate_id, store, planner, options)
    async with AsyncExitStack() as at_end:
        at_end.push_async_callback(runner.close)
        at_end.push_async_exit(runner.stop_if_broken)
        parked_until = await runner.drive(run_loop(planner))
        if parked_until is not None:
            options.on_parked(parked_until)
    return planner.state


class Runner:
    """Performs the effects of one run.

    Two clocks apply. `clock` gives the times of the record, and `sleep` waits by it. Leases and a busy store use the
    machine's time (`Monotonic`, `Rest`), as do waits while a seat is answering.
    """

    def __init__(self, debate_id: str, store: Store, planner: RunPlanner, options: RunOptions) -> None:
        self._debate_id = debate_id
        self._store = store
        self._planner = planner
        self._options = options
        self._wake = options.wake or asyncio.Event()
        self._lease: Lease | None = None
        self._under_way: dict[str, asyncio.Task[AnyCommand]] = {}
        self._places: set[Place] = set()
        """Server places of running calls."""

    async def drive(self, steps: Steps[T]) -> T:
        """Perform the effects in order and return the final result. Store errors go back to the generator."""
        with closing(steps):
            try:
                effect = next(steps)
                while True:
                    try:
                        came = await self._perform(effect)
                    except StoreError as error:
                        effect = steps.throw(error)
                    else:
                        effect = steps.send(came)
            except StopIteration as end:
                return cast(T, end.value)

    async def stop_if_broken(
        self, _kind: type[BaseException] | None, error: BaseException | None, _where: TracebackType | None
    ) -> None:
        """End the debate if a stop function raised this exception; its round is not recorded as ended."""
        name = stop_functions.broken_function(error)
        if name is None:
            return
        reason = f"the stop function {name} raised {type(error).__name__}"
        events = submit(self._planner.state, Stop(by=HOST, reason=reason), at=self._options.clock())
        await self._perform(Append(events, self._planner.version, self._lease))

    async def close(self) -> None:
        """Cancel running seats and release everything."""
        await self._cut_off(tuple(self._under_way))
        try:
            await self._close_fillers()
        finally:
            if self._lease is not None:
                await self.drive(given_back(self._lease))

    async def _close_fillers(self) -> None:
        """Close every paid filler; faults are only logged, because the record is not affected."""
        # One filler can serve several seats.
        fillers = {id(paid): paid for paid in self._planner.paid.values()}.values()
        for fault in await asyncio.gather(*(filler.close() for filler in fillers), return_exceptions=True):
            if fault is not None:
                self._log_break("a line", fault)

    def _log_break(self, what: str, error: BaseException) -> None:
        """Log type and place only: messages of vendors' libraries can contain keys and addresses."""
        log.warning(
            "%s of %s broke with %s: %s", what, self._debate_id, type(error).__name__, " > ".join(places(error))
        )

    async def _perform(self, effect: Effect) -> object:
        """Perform the effect; returns what the generator receives."""
        match effect:
            case Load(after):
                events = self._store.load(self._debate_id, after)
                if after and events:
                    self._options.on_events(events)
                return events
            case Append(events, after, None):
                # Without a lease the store waits long for other writers, and must not block this thread's debates.
                await asyncio.to_thread(self._store.append, self._debate_id, events, after=after)
                self._options.on_events(events)
            case Append(events, after, lease):
                self._store.append(self._debate_id, events, after=after, lease=lease)
                self._options.on_events(events)
            case Acquire():
                self._lease = self._store.acquire(self._debate_id, this_process(), ttl_s=LEASE_TTL_S)
                return self._lease
            case Renew(lease):
                self._store.renew(lease, ttl_s=LEASE_TTL_S)
                renew_places(self._places, at=self._options.clock())
            case Release(lease):
                self._store.release(lease)
            case Ask(attempt):
                task = self._under_way[attempt.request.id] = asyncio.create_task(self._answer(attempt))
                if attempt.place is not None:
                    self._places.add(attempt.place)
                    task.add_done_callback(partial(self._leave, attempt.place))
            case CutOff(request_ids):
                await self._cut_off(request_ids)
            case Listen(seconds):
                return await self._news(seconds)
            case Rest(seconds):
                await asyncio.sleep(seconds)
            case Monotonic():
                return time.monotonic()
            case _:
                assert_never(effect)
        return None

    def _leave(self, place: Place, _task: object) -> None:
        self._places.discard(place)
        place.leave(at=self._options.clock())

    async def _answer(self, attempt: Attempt) -> AnyCommand:
        """Ask the seat; every fault becomes an answer, only cancelling does not."""
        request = attempt.request
        filler = self._planner.filler_for(request)
        paid = self._planner.paid_for(request)
        assert filler is not None, "only requests with a filler are planned"
        text_so_far = ""
        if attempt.place is not None:
            attempt.place.begin()

        def on_text(request_id: str, text: str, /, thinking: str = "") -> None:
            nonlocal text_so_far
            text_so_far = text
            if attempt.place is not None:
                attempt.place.answered(at=self._options.clock())
            self._options.on_text(request_id, text, thinking=thinking)

        # A paid seat enforces its own deadline, because only it knows the usage until then.
        deadline = asyncio.timeout(self._options.deadline_s if paid is None else paid.deadline_s + GRACE_S)
        try:
            async with deadline:
                command = await filler(request, attempt.seen, on_text)
            attempt.used(getattr(command, "usage", None))
            return self._planner.answered(attempt, command)
        except SeatError as error:
            return failed(request, error.error, str(error), text_so_far)
        except Exception as error:
            # A seat can also raise TimeoutError itself.
            if isinstance(error, TimeoutError) and deadline.expired():
                why = f"no answer within {self._options.deadline_s:g} s"
                return failed(request, SeatTimeout.error, why, text_so_far)
            self._log_break("a seat", error)
            return failed(request, SeatError.error, f"the seat broke with {type(error).__name__}", text_so_far)

    async def _cut_off(self, request_ids: Iterable[str]) -> None:
        """Cancel seats and wait until they have ended."""
        cut_off = [self._under_way.pop(request_id) for request_id in request_ids]
        for task in cut_off:
            task.cancel()
        await asyncio.gather(*cut_off, return_exceptions=True)

    async def _news(self, seconds: float) -> News:
        """Wait for answers, including simultaneous ones."""
        woken = asyncio.create_task(self._wake.wait())
        # Running seats use the machine's time, not the injected clock.
        sleep = asyncio.sleep if self._under_way else self._options.sleep
        alarm = asyncio.ensure_future(sleep(seconds))
        try:
            done, _ = await asyncio.wait({woken, alarm, *self._under_way.values()}, return_when=asyncio.FIRST_COMPLETED)
            if done - {woken, alarm}:
                await asyncio.wait(self._under_way.values(), timeout=TOGETHER_S)
        finally:
            woken.cancel()
            alarm.cancel()
        answered = [request_id for request_id, task in self._under_way.items() if task.done()]
        news = News({name: self._under_way.pop(name).result() for name in answered}, self._wake.is_set())
        self._wake.clear()
        return news
