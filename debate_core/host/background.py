"""Runs debates as tasks of one event loop, in a thread of this process.

It knows debates by their id only: how one is run, and what to do when that breaks, it is told.
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
"""When to try again to run a debate that another process holds, or whose store could not be written."""
RunDebate = Callable[[str, asyncio.Event], Awaitable[float | None]]
"""Runs a debate until only people are waited for; gives the seconds after which to look again by itself, if any."""
OnBreak = Callable[[str, Exception], object]
"""What to do with a debate whose run broke."""


class Running:
    """The debates that one loop is running; what goes wrong in one must not touch the others."""

    def __init__(self, run: RunDebate, on_break: OnBreak, *, retry_s: float, patience_s: float = 0) -> None:
        """`patience_s` is how long to wait here for a lease that somebody holds, rather than to look again."""
        self._run = run
        self._on_break = on_break
        self._retry_s = retry_s
        self._patience_s = patience_s
        self._wakes: dict[str, asyncio.Event] = {}
        """One for every debate that is being run."""
        self._left: set[str] = set()
        """Debates that were written by a newer version: they are left to whoever can read them."""
        self._ending = asyncio.Event()

    @property
    def debates(self) -> Set[str]:
        """Which they are; from any thread."""
        return self._wakes.keys()

    # Everything below is for the loop alone.

    def nudge(self, debate_id: str) -> bool:
        """Let whoever runs it here look at once; False if nobody does."""
        if debate_id in self._wakes:
            self._wakes[debate_id].set()
        return debate_id in self._wakes

    def end(self) -> None:
        """This process ends: nobody waits for a lease any more, and each run looks at once what is left to do."""
        self._ending.set()
        for wake in self._wakes.values():
            wake.set()

    def begin(self, debate_id: str) -> asyncio.Event:
        """Its wake, for `serve`. It counts as running from now on, so that nobody begins it twice."""
        wake = self._wakes[debate_id] = asyncio.Event()
        return wake

    async def serve(self, debate_id: str, wake: asyncio.Event) -> float | None:
        """Run one debate as far as it goes; the seconds after which to look again, None = when somebody wakes it."""
        try:
            while True:
                wake.clear()
                look_again_s = await self._run_once_free(debate_id, wake)
                # Somebody may have woken it after its last look.
                if not wake.is_set():
                    return look_again_s
        except NewerRecord as error:
            if debate_id not in self._left:
                self._left.add(debate_id)
                log.warning("%s is left to a process of a newer version: %s", debate_id, error)
            return self._retry_s
        except StoreError as error:
            # Above all a lease: another process runs the debate; should that one die, this one takes over.
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
            # Once, when it ends: a holder that lives has renewed it by then.
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), free_in_s)


class Background:
    """Wakes debates in this process alone. Its thread starts when it is first needed; an `idle` one never starts."""

    reaches_others = False

    def __init__(self, run: RunDebate, on_break: OnBreak, *, idle: bool = False) -> None:
        self._running = Running(run, on_break, retry_s=RETRY_S)
        self._idle = idle
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._alarms: dict[str, asyncio.TimerHandle] = {}
        """When to look again at a debate that waits."""

    @property
    def running(self) -> Set[str]:
        """The debates that are being run now."""
        return self._running.debates

    def start(self) -> None:
        """Nothing: its thread starts with the first debate."""

    def nudge(self, debate_id: str) -> None:
        """Let whoever runs it look at once; nothing if nobody does. From any thread."""
        with self._lock:
            if self._loop is not None and not self._idle:
                self._loop.call_soon_threadsafe(self._running.nudge, debate_id)

    def wake(self, debate_id: str) -> None:
        """See to it that somebody looks whom to ask in this debate; from any thread."""
        with self._lock:
            if self._idle:
                return
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="debates", daemon=True)
                self._thread.start()
            self._loop.call_soon_threadsafe(self._attend, debate_id)

    def close(self, drain_s: float = 0) -> None:
        """Let the runs so long end by themselves, then cut off the seats; give back every lease, end the thread."""
        with self._lock:
            self._idle = True
            loop = self._loop
            thread = self._thread
        if loop and thread:
            asyncio.run_coroutine_threadsafe(self._end(drain_s), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    # Everything below runs on the loop.

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
