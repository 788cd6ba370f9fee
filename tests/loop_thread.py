"""A server on loopback with its own event loop, in a thread while it is entered."""

import asyncio
import threading
from abc import ABC, abstractmethod
from typing import Self


class LoopThread(ABC):
    """Listens from enter to exit, and then cancels every task of the loop."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name=type(self).__name__, daemon=True)

    @abstractmethod
    async def listen(self) -> list[asyncio.Server]:
        """Start listening, and note the ports."""

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        listening = await self.listen()
        self._ready.set()
        await self._over.wait()
        for server in listening:
            server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
