"""Lets the first of several equal prompts go ahead, so that the others find it in the server's cache.

Knows prompts only as keys to compare. Shared by the seats on one wire of one debate.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

MIN_PREFIX_CHARS = 4 * 1_024
"""About 1,024 tokens: shorter prefixes are not cached anywhere."""
MAX_WAIT_S = 10.0
MAX_PREFIXES = 8
"""How many are remembered: the seats of a phase share one, or have one each."""


class Gate:
    """Open for every prefix but one whose first reply has not begun yet."""

    def __init__(self) -> None:
        self._answering: dict[tuple[str, ...], asyncio.Event] = {}

    @asynccontextmanager
    async def enter(self, prefix: tuple[str, ...], *, wait_s: float) -> AsyncIterator[Callable[[], None]]:
        """Wait while another call with this prefix is about to begin; call what comes out at the first token."""
        first = self._answering.get(prefix)
        if first is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await first.wait()
            yield first.set
            return
        first = self._answering[prefix] = asyncio.Event()
        while len(self._answering) > MAX_PREFIXES:
            oldest = next(iter(self._answering))
            self._answering.pop(oldest).set()
        try:
            yield first.set
        finally:
            first.set()
