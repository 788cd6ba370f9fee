"""Runs debates as tasks of one event loop, in a thread of this process.

It knows debates by id only; callers pass in how to run one and how to handle a failed run.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Set
from contextlib import suppress

from debate_core.errors import Leased, NewerRecord, StoreError

log = logging.getLogger(__name__)
RETRY_S = 5.0
"""How soon to retry a debate that another process runs, or whose store could not be written."""
RunDebate = Callable[[str, asyncio.Event], Awaitable[float | None]]
"""Runs a debate until only people have open requests; returns the seconds until the next check, or None."""
OnBreak = Callable[[str, Exception], object]
"""Handles a debate whose run failed."""


class Running:
    """The debates that one loop runs. A failure in one does not affect the others."""

    def __init__(self, run: RunDebate, on_break: OnBreak, *, retry_s: float, patience_s: float = 0) -> None:
        """`patience_s`: how long to wait here for another process's lease before giving up."""
        self._run = run
        self._on_break = on_break
        self._retry_s = retry_s
        self._patience_s = patience_s
        self._wakes: dict[str, asyncio.Event] = {}
        self._left: set[str] = set()
        """Debates of a newer version, left to processes that can read them."""
        self._ending = asyncio.Event()

    @property
    def debates(self) -> Set[str]:
        """Ids of the running debates; thread-safe."""
        return self._wakes.keys()

    # Call the methods below on the loop only.

    def nudge(self, debate_id: str) -> bool:
        """Wake the run of this debate; False if it is not running here."""
        if debate_id in self._wakes:
            self._wakes[debate_id].set()
        return debate_id in self._wakes

    def end(self) -> None:
        """Prepare for shutdown: wake every run and stop waiting for leases."""
        self._ending.set()
        for wake in self._wakes.values():
            wake.set()

    def begin(self, debate_id: str) -> asyncio.Event:
        """Register the debate as running, so that it starts only once; returns its wake event for `serve`."""
        wake = self._wakes[debate_id] = asyncio.Event()
        return wake

    async def serve(self, debate_id: str, wake: asyncio.Event) -> float | None:
        """Run one debate as far as possible; returns the seconds until the next check, None = when woken."""
        try:
            while True:
                wake.clear()
                look_again_s = await self._run_once_free(debate_id, wake)
                # A wake may have arrived after the run's last check.
                if not wake.is_set():
                    return look_again_s
        except NewerRecord as error:
            if debate_id not in self._left:
                self._left.add(debate_id)
                log.warning("%s is left to a process of a newer version: %s", debate_id, error)
            return self._retry_s
        except StoreError as error:
            # Usually a lease: another process runs the debate. This one takes over if that process dies.
            log.info("%s cannot go on here for now: %s", debate_id, error)
            return self._retry_s
        except Exception as error:
            log.exception("the runner of %s broke", debate_id)
            asyncio.get_running_loop().call_soon(self._on_break, debate_id, error)
            return None
        finally:
            del self._wakes[debate_id]

    async def _run_once_free(self, debate_id: str, wake: asyncio.Event) -> float | None:
        until_s = time.monotonic() + self._patience_s
        while True:
            try:
                return await self._run(debate_id, wake)
            except Leased as held:
                free_in_s = held.free_in_s
                if not free_in_s or time.monotonic() + free_in_s > until_s:
                    raise
            # Retry once, at expiry: a living holder has renewed the lease by then.
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), free_in_s)


class Background:
    """A `Notifier` for this process only. Its thread starts on first use; an `idle` one never starts."""

    reaches_others = False

    def __init__(self, run: RunDebate, on_break: OnBreak, *, idle: bool = False) -> None:
        self._running = Running(run, on_break, retry_s=RETRY_S)
        self._idle = idle
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._alarms: dict[str, asyncio.TimerHandle] = {}
        """Timers for the next check of waiting debates."""

    @property
    def running(self) -> Set[str]:
        return self._running.debates

    def start(self) -> None:
        """Do nothing: the thread starts with the first debate."""

    def nudge(self, debate_id: str) -> None:
        with self._lock:
            if self._loop is not None and not self._idle:
                self._loop.call_soon_threadsafe(self._running.nudge, debate_id)

    def wake(self, debate_id: str) -> None:
        with self._lock:
            if self._idle:
                return
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="debates", daemon=True)
                self._thread.start()
            self._loop.call_soon_threadsafe(self._attend, debate_id)

    def close(self, drain_s: float = 0) -> None:
        with self._lock:
            self._idle = True
            loop = self._loop
            thread = self._thread
        if loop and thread:
            asyncio.run_coroutine_threadsafe(self._end(drain_s), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    # The methods below run on the loop.

    def _attend(self, debate_id: str) -> None:
        if self._idle:
            return
        if alarm := self._alarms.pop(debate_id, None):
            alarm.cancel()
        if self._running.nudge(debate_id):
            return
        task = asyncio.get_running_loop().create_task(self._serve(debate_id, self._running.begin(debate_id)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, debate_id: str, wake: asyncio.Event) -> None:
        look_again_s = await self._running.serve(debate_id, wake)
        if look_again_s is not None:
            loop = asyncio.get_running_loop()
            self._alarms[debate_id] = loop.call_later(look_again_s, self._attend, debate_id)

    async def _end(self, drain_s: float) -> None:
        self._running.end()
        runs = tuple(self._tasks)
        if runs:
            await asyncio.wait(runs, timeout=drain_s)
        for task in runs:
            task.cancel()
        await asyncio.gather(*runs, return_exceptions=True)
