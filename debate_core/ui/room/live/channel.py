"""One debate for all who watch it: what several viewers see alike is drawn, compared and serialised once.

While anyone watches, the debate is read every 40 ms, and each change is a moment that all viewers get. Reads the host,
never writes.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count

from debate_core.language import spoken
from debate_core.record.state import State
from debate_core.text import without_direction
from debate_core.ui.room.live.transcript import changes, picture
from debate_core.ui.room.live.visibility import Sight, Veiled, veil
from debate_core.ui.room.live.wire_types import LiveUpdate, Picture

POLL_S = 0.04
_DRAWERS = ThreadPoolExecutor(2, "drawing")
"""Separate threads, so that drawing takes none from health checks."""
QUIET_S = 15.0
"""Interval of keep-alive messages without news, by which browsers notice a dead connection."""


@dataclass(eq=False, slots=True)
class SharedView:
    """The view of everyone with the same sight at one moment."""

    picture: Picture
    raw: Picture
    """The same with all names."""
    veiled: Veiled
    number: int = field(default_factory=count(1).__next__)
    _written: dict[int, str] = field(default_factory=dict)

    def since(self, before: "SharedView | None") -> str:
        """JSON of the changes since `before`, None = nothing seen yet; empty if both look the same."""
        number = before.number if before else 0
        if number not in self._written:
            news = batch(before.picture if before else None, self.picture)
            written = json.dumps(news, ensure_ascii=False, separators=(",", ":")) if news else ""
            self._written[number] = without_direction(written)
        return self._written[number]


def batch(before: Picture | None, after: Picture) -> list[LiveUpdate]:
    """The updates for a viewer who has seen `before`; None = nothing yet.

    If turns are gone, seats have other names now: all is redrawn, and nothing is read aloud again.
    """
    updates: list[LiveUpdate] = changes(before, after) if before is not None else []
    if before is None or any(kind == "gone" for kind, _ in updates):
        return [("snapshot", after)]
    return updates


class Moment:
    """A debate at one moment: its state, the texts of the turns in progress, the number of viewers."""

    def __init__(
        self,
        state: State,
        live: Mapping[str, str],
        thinking: Mapping[str, str],
        watching: int,
        before: "Moment | None" = None,
    ) -> None:
        self.state = state
        self._live = live
        self._thinking = thinking
        self._watching = watching
        # Only the moment before: its frames contain drawn turns that are used again.
        self._before = before._frames if before else {}
        self._frames: dict[Sight, SharedView] = {}
        self._drawing: dict[Sight, asyncio.Future[SharedView]] = {}

    async def shown(self, sight: Sight) -> SharedView:
        """The frame of this sight, drawn once and outside of the event loop, which stays free for others."""
        if (frame := self._frames.get(sight)) is not None:
            return frame
        if sight not in self._drawing:
            self._drawing[sight] = asyncio.get_running_loop().run_in_executor(_DRAWERS, self.frame, sight)
        # A viewer who leaves must not cancel the drawing for the others.
        return await asyncio.shield(self._drawing[sight])

    def frame(self, sight: Sight) -> SharedView:
        """The view of this sight."""
        if sight not in self._frames:
            before = self._before.get(sight)
            with spoken(sight.language):
                raw = picture(self.state, self._live, sight.holds, before.raw if before else None, self._thinking)
                raw["meta"]["watching"] = self._watching
                shown, veiled = veil(raw, sight, before.veiled if before else {})
            self._frames[sight] = SharedView(shown, raw, veiled)
        return self._frames[sight]


class Channel:
    """Follows one debate for all its viewers. `last` is the latest moment, None before the first one."""

    def __init__(self, debate_id: str) -> None:
        self._debate = debate_id
        self.last: Moment | None = None
        self.viewers = 0
        self._has_news = asyncio.Event()
        self._looking = asyncio.create_task(self._look())
        self._looking.add_done_callback(lambda _: self._has_news.set())

    async def news(self) -> None:
        """Wait for another moment, or for QUIET_S without changes. Raises `StoreError` if the debate cannot be read."""
        await self._has_news.wait()
        if self.ended:
            await self._looking

    @property
    def ended(self) -> bool:
        """True once it no longer follows the debate."""
        return self._looking.done()

    def close(self) -> None:
        """Stop following, after the last viewer has left."""
        self._looking.cancel()

    async def _look(self) -> None:
        # Late, so that the import of app.py does not import the store.
        from debate_core.host.host import shared_host

        host = shared_host()
        clock = asyncio.get_running_loop().time
        known = (-1, 0)
        news_s = clock()
        # The first reading of a long record takes a while.
        await asyncio.to_thread(host.cache, self._debate)
        while True:
            cache = host.cache(self._debate)
            now = cache.feed, self.viewers
            if now != known or clock() - news_s > QUIET_S:
                known = now
                news_s = clock()
                # Texts first: a turn that ends in between is then in the state as well, never in neither.
                live = cache.live()
                thinking = cache.thinking()
                state = await asyncio.to_thread(host.state, self._debate)
                self.last = Moment(state, live, thinking, self.viewers, self.last)
                self._has_news.set()
                self._has_news = asyncio.Event()
            await asyncio.sleep(POLL_S)


_channels: dict[tuple[asyncio.AbstractEventLoop, str], Channel] = {}


def n_viewers() -> int:
    """The number of viewers of all debates in this process; from any thread."""
    return sum(channel.viewers for channel in [*_channels.values()])


@asynccontextmanager
async def watching(debate_id: str) -> AsyncIterator[Channel]:
    """The channel of a debate, which exists while anyone watches."""
    key = asyncio.get_running_loop(), debate_id
    channel = _channels.get(key)
    if channel is None or channel.ended:
        channel = _channels[key] = Channel(debate_id)
    channel.viewers += 1
    try:
        yield channel
    finally:
        channel.viewers -= 1
        if not channel.viewers:
            channel.close()
            if _channels.get(key) is channel:
                del _channels[key]
