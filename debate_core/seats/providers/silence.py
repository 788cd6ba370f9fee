"""Timer that ends the reading of a stream that has begun and then falls silent."""

import asyncio
from typing import Self

import httpx2

IDLE_S = 180.0
"""Maximum silence of a stream that has begun. Before its first byte a server may think, or queue the call."""
LOOKS = 4
"""Checks within that time."""


class SilenceTimer:
    """Context manager around the reading of a response; ends it IDLE_S, or up to a quarter more, after the last new
    byte."""

    def __init__(self, response: httpx2.Response) -> None:
        self.limit_s = IDLE_S
        self._response = response
        self._limit = asyncio.timeout(None)
        self._looks = 0
        self._seen_bytes = 0
        self._next: asyncio.TimerHandle | None = None
        self.expired = False
        """True if the stream was ended."""

    async def __aenter__(self) -> Self:
        await self._limit.__aenter__()
        self._look()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, at: object) -> bool:
        if self._next is not None:
            self._next.cancel()
        try:
            await self._limit.__aexit__(kind, error, None)
        except TimeoutError:
            self.expired = True
        return self.expired

    def _look(self) -> None:
        """Run every quarter of IDLE_S; the fifth check without a new byte ends the reading."""
        now_bytes = self._response.num_bytes_downloaded
        is_silent = now_bytes > 0 and now_bytes == self._seen_bytes
        self._looks = self._looks + 1 if is_silent else 0
        self._seen_bytes = now_bytes
        loop = asyncio.get_running_loop()
        if self._looks > LOOKS:
            self._limit.reschedule(loop.time())
        else:
            self._next = loop.call_later(self.limit_s / LOOKS, self._look)
