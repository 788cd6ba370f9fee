"""The one thread in which all debates of this process are run, each as a task of one event loop.

It knows debates by their id only: how one is run, and what to do when that breaks, it is told.
"""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable

from debate_core.errors import StoreError

log = logging.getLogger(__name__)
RETRY_S = 5.0
"""When to try again to run a debate that another process holds, or whose store could not be written."""


class Background:
    """Runs debates that were woken. The thread starts when it is first needed; one that is `idle` never starts."""

    def __init__(
        self,
        run: Callable[[str, asyncio.Event], Awaitable[float | None]],
        on_break: Callable[[str, Exception], object],
        *,
        idle: bool = False,
    ) -> None:
        """`run` gives the seconds after which to look again by itself, None = when somebody wakes it."""
        self._run = run
        self._on_break = on_break
        self._idle = idle
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._wakes: dict[str, asyncio.Event] = {}
        """One for every debate that is being run."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._alarms: dict[str, asyncio.TimerHandle] = {}
        """When to look again at a debate that waits."""

    @property
    def n_running(self) -> int:
        """How many debates are being run now."""
        return len(self._wakes)

    def is_running(self, debate_id: str) -> bool:
        """True while this debate is being run."""
        return debate_id in self._wakes

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

    def close(self) -> None:
        """Cut off the seats, give back every lease, end the thread."""
        with self._lock:
            self._idle = True
            loop, thread = self._loop, self._thread
        if loop and thread:
            asyncio.run_coroutine_threadsafe(self._cut_off(), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    # Everything below runs on the loop.

    def _attend(self, debate_id: str) -> None:
        if alarm := self._alarms.pop(debate_id, None):
            alarm.cancel()
        if debate_id in self._wakes:
            self._wakes[debate_id].set()
            return
        wake = self._wakes[debate_id] = asyncio.Event()
        task = asyncio.get_running_loop().create_task(self._serve(debate_id, wake))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, debate_id: str, wake: asyncio.Event) -> None:
        """Run one debate as far as it goes; what goes wrong in it must not touch the others."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                wake.clear()
                look_again_s = await self._run(debate_id, wake)
                # Somebody may have woken it after its last look.
                if not wake.is_set():
                    break
            if look_again_s is not None:
                self._alarms[debate_id] = loop.call_later(look_again_s, self._attend, debate_id)
        except StoreError as error:
            # Above all a lease: another process runs the debate; should that one die, this one takes over.
            log.info("%s cannot go on here for now: %s", debate_id, error)
            loop.call_later(RETRY_S, self._attend, debate_id)
        except Exception as error:
            log.exception("the runner of %s broke", debate_id)
            loop.call_soon(self._on_break, debate_id, error)
        finally:
            del self._wakes[debate_id]

    async def _cut_off(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
