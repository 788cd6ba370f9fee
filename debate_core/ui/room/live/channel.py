"""One debate for all who watch it: whatever several people may see alike is drawn, compared and written out once.

A debate is looked at every 40 ms as long as anybody watches, and each change is a moment that all its viewers are
told of. Reads the host, never writes.
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
"""Of their own: what is drawn takes no thread from those who only ask whether the server is up."""
QUIET_S = 15.0
"""A sign of life after this long without news, so that a dead connection is noticed."""


@dataclass(eq=False, slots=True)
class SharedView:
    """What everybody with one sight sees at one moment."""

    picture: Picture
    raw: Picture
    """The same before names were taken out."""
    veiled: Veiled
    number: int = field(default_factory=count(1).__next__)
    _written: dict[int, str] = field(default_factory=dict)

    def since(self, before: "SharedView | None") -> str:
        """JSON of what turns `before` into this, None = nothing seen yet; empty if they look the same."""
        number = before.number if before else 0
        if number not in self._written:
            news = batch(before.picture if before else None, self.picture)
            written = json.dumps(news, ensure_ascii=False, separators=(",", ":")) if news else ""
            self._written[number] = without_direction(written)
        return self._written[number]


def batch(before: Picture | None, after: Picture) -> list[LiveUpdate]:
    """What to send somebody who has seen `before`; None = nothing yet.

    Where turns are gone, seats are read under other names now: all is drawn anew, and nothing is read aloud again.
    """
    updates: list[LiveUpdate] = changes(before, after) if before is not None else []
    if before is None or any(kind == "gone" for kind, _ in updates):
        return [("snapshot", after)]
    return updates


class Moment:
    """A debate as it was when somebody looked: its state, the texts of the turns being given, how many watch."""

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
        # One moment back and no further: what a frame of before has drawn of ended turns is used again.
        self._before = before._frames if before else {}
        self._frames: dict[Sight, SharedView] = {}
        self._drawing: dict[Sight, asyncio.Future[SharedView]] = {}

    async def shown(self, sight: Sight) -> SharedView:
        """The frame of this sight, drawn once and beside the loop: others are answered however long it takes."""
        if (frame := self._frames.get(sight)) is not None:
            return frame
        if sight not in self._drawing:
            self._drawing[sight] = asyncio.get_running_loop().run_in_executor(_DRAWERS, self.frame, sight)
        # One of those who wait for it may leave.
        return await asyncio.shield(self._drawing[sight])

    def frame(self, sight: Sight) -> SharedView:
        """What somebody sees who sees this much."""
        if sight not in self._frames:
            before = self._before.get(sight)
            with spoken(sight.language):
                raw = picture(self.state, self._live, sight.holds, before.raw if before else None, self._thinking)
                raw["meta"]["watching"] = self._watching
                shown, veiled = veil(raw, sight, before.veiled if before else {})
            self._frames[sight] = SharedView(shown, raw, veiled)
        return self._frames[sight]


class Channel:
    """Looks at one debate for everybody who watches it. `last` is the latest moment, None before the first look."""

    def __init__(self, debate_id: str) -> None:
        self._debate = debate_id
        self.last: Moment | None = None
        self.viewers = 0
        self._has_news = asyncio.Event()
        self._looking = asyncio.create_task(self._look())
        self._looking.add_done_callback(lambda _: self._has_news.set())

    async def news(self) -> None:
        """Until there is another moment, or nothing has changed for QUIET_S. StoreError: it cannot be read."""
        await self._has_news.wait()
        if self.ended:
            await self._looking

    @property
    def ended(self) -> bool:
        """True once it looks no more."""
        return self._looking.done()

    def close(self) -> None:
        """Nobody watches any more."""
        self._looking.cancel()

    async def _look(self) -> None:
        # Late, as in `socket.py`: the import of app.py costs nothing of the store.
        from debate_core.host.host import shared_host

        host = shared_host()
        clock = asyncio.get_running_loop().time
        known = (-1, 0)
        news_s = clock()
        # A long record that nobody has opened yet takes its time.
        await asyncio.to_thread(host.mirror, self._debate)
        while True:
            mirror = host.mirror(self._debate)
            now = mirror.feed, self.viewers
            if now != known or clock() - news_s > QUIET_S:
                known = now
                news_s = clock()
                # Texts first: a turn that ends in between is then in the state, and never in neither.
                live = mirror.live()
                thinking = mirror.thinking()
                state = await asyncio.to_thread(host.state, self._debate)
                self.last = Moment(state, live, thinking, self.viewers, self.last)
                self._has_news.set()
                self._has_news = asyncio.Event()
            await asyncio.sleep(POLL_S)


_channels: dict[tuple[asyncio.AbstractEventLoop, str], Channel] = {}


def n_viewers() -> int:
    """How many watch a debate through this process now; from any thread."""
    return sum(channel.viewers for channel in [*_channels.values()])


@asynccontextmanager
async def watching(debate_id: str) -> AsyncIterator[Channel]:
    """The channel of a debate, which is there as long as anybody watches."""
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
