"""One debate for all who watch it: what several viewers see alike is drawn, compared and serialised once.

While anyone watches, the debate is read every 40 ms, with more than 100 viewers less often, and each change is a
moment that all viewers get. Reads the host, never writes.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from itertools import count
from typing import Generic, Self, TypeVar

from debate_core.host.attendance import Attendance
from debate_core.host.host import Host
from debate_core.language import spoken
from debate_core.record.state import State
from debate_core.text import without_direction
from debate_core.ui.room.live.transcript import changes, picture, sides_read
from debate_core.ui.room.live.visibility import Sight, Veiled, veil
from debate_core.ui.room.live.wire_types import LiveUpdate, PanelUpdate, Picture
from debate_core.ui.room.shared_parts import PanelPart, PanelReader, PartName, panel_parts

POLL_S = 0.04
MAX_SENT_PER_S = 2_500
"""Messages to all viewers of a debate together."""
ATTENDANCE_S = 1.0
_DRAWERS = ThreadPoolExecutor(2, "drawing")
_PANEL_MAKERS = ThreadPoolExecutor(1, "panels")
"""Separate threads, so that drawing takes none from health checks, and counting none from drawing."""
QUIET_S = 15.0
"""Interval of keep-alive messages without news, by which browsers notice a dead connection."""
Seen = TypeVar("Seen")
PanelContents = tuple[int, Mapping[PartName, PanelPart]]
"""The version of the debate, and the parts as of then."""
_NUMBERS = count(1)
log = logging.getLogger(__name__)


class SeenAlike(Generic[Seen]):
    """Something that many viewers see alike. The changes for all who saw the same earlier one are serialised once."""

    def __init__(self, seen: Seen, changes: Callable[[Seen | None, Seen], Sequence[LiveUpdate]]) -> None:
        self._seen = seen
        self._changes = changes
        self._written: dict[int, str] = {}
        self._number = next(_NUMBERS)

    def since(self, before: "Self | None") -> str:
        """JSON of the changes since `before`, None = nothing seen yet; empty if both look the same."""
        number = before._number if before else 0
        if number not in self._written:
            news = self._changes(before._seen if before else None, self._seen)
            written = json.dumps(news, ensure_ascii=False, separators=(",", ":")) if news else ""
            self._written[number] = without_direction(written)
        return self._written[number]


class SharedView(SeenAlike[Picture]):
    """The transcript of everyone with the same sight at one moment. `raw`: the same with all names."""

    def __init__(self, picture: Picture, raw: Picture, veiled: Veiled) -> None:
        super().__init__(picture, batch)
        self.picture = picture
        self.raw = raw
        self.veiled = veiled


class SharedPanel(SeenAlike[PanelContents]):
    """The parts of the panel of everyone with the same sight in one state."""

    def __init__(self, host: Host, state: State, sight: Sight) -> None:
        reader = PanelReader(
            host=host,
            holds=tuple(sight.holds),
            names=sight.names or sides_read(state, sight.holds),
            sees_result=sight.counts,
            leads=sight.leads,
        )
        with spoken(sight.language):
            super().__init__((state.version, panel_parts(state, reader)), changed_parts)
        self.state = state


def changed_parts(before: PanelContents | None, after: PanelContents) -> list[LiveUpdate]:
    """The parts that differ, with the version up to which all parts are right then."""
    version, parts = after
    known_version, known = before or (-1, {})
    changed: dict[str, object] = {
        name: part for name, part in parts.items() if name not in known or known[name] != part
    }
    # The parts also differ in one version, after another sight: a person whose link was taken back.
    if not changed and known_version == version:
        return []
    return [("panel", PanelUpdate(version=version, parts=changed))]


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
    """Follows one debate for all its viewers.

    `last` is the latest moment, None before the first one; `told` counts moments and newly drawn panels.
    """

    def __init__(self, host: Host, debate_id: str) -> None:
        self._host = host
        self._debate = debate_id
        self.last: Moment | None = None
        self.told = 0
        self.viewers = 0
        self.attendance = Attendance()
        self._panels: dict[Sight, SharedPanel] = {}
        self._in_work: dict[Sight, asyncio.Future[SharedPanel]] = {}
        self._broken: State | None = None
        self._has_news = asyncio.Event()
        self._looking = asyncio.create_task(self._look())
        self._looking.add_done_callback(lambda _: self._has_news.set())

    async def news(self) -> None:
        """Wait for another moment, or for QUIET_S without changes. Raises `StoreError` if the debate cannot be read."""
        await self._has_news.wait()
        if self.ended:
            await self._looking

    def panel(self, sight: Sight, state: State) -> SharedPanel | None:
        """The latest panel of this sight, None before the first. It never delays the transcript.

        If it is not of this state, the newer one is made in a thread; then there is news.
        """
        known = self._panels.get(sight)
        # A slow viewer may still ask for a state before that of the latest panel.
        is_old = known is None or (known.state is not state and known.state.version <= state.version)
        # The counts of a tournament are no shared parts.
        is_shared = not state.spec.protocol.paired and self._broken is not state
        if is_old and is_shared and sight not in self._in_work:
            making = asyncio.get_running_loop().run_in_executor(_PANEL_MAKERS, SharedPanel, self._host, state, sight)
            self._in_work[sight] = making
            making.add_done_callback(partial(self._keep_panel, sight, state))
        return known

    def _keep_panel(self, sight: Sight, state: State, made: "asyncio.Future[SharedPanel]") -> None:
        del self._in_work[sight]
        if made.cancelled():
            return
        if (error := made.exception()) is not None:
            self._broken = state
            log.error("the panel of debate %s cannot be drawn", self._debate, exc_info=error)
            return
        # Sights change with what is hidden: panels of earlier states are no longer needed.
        self._panels = {of: panel for of, panel in self._panels.items() if panel.state.version >= state.version}
        self._panels[sight] = made.result()
        self._tell()

    def _tell(self) -> None:
        self.told += 1
        self._has_news.set()
        self._has_news = asyncio.Event()

    @property
    def ended(self) -> bool:
        """True once it no longer follows the debate."""
        return self._looking.done()

    def close(self) -> None:
        """Stop following, after the last viewer has left."""
        self._looking.cancel()

    async def _look(self) -> None:
        host = self._host
        clock = asyncio.get_running_loop().time
        known = (-1, 0)
        news_s = looked_s = clock()
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
                self._tell()
            if clock() - looked_s > ATTENDANCE_S:
                looked_s = clock()
                attendance = await asyncio.to_thread(host.attendances.of, self._debate)
                if attendance != self.attendance:
                    self.attendance = attendance
                    self._tell()
            await asyncio.sleep(look_interval_s(self.viewers))


def look_interval_s(viewers: int) -> float:
    """Return the seconds between two readings, so that all viewers together get at most MAX_SENT_PER_S messages."""
    return max(POLL_S, viewers / MAX_SENT_PER_S)


_channels: dict[tuple[asyncio.AbstractEventLoop, Host, str], Channel] = {}


def n_viewers() -> int:
    """The number of viewers of all debates in this process; from any thread."""
    return sum(channel.viewers for channel in [*_channels.values()])


@asynccontextmanager
async def watching(host: Host, debate_id: str) -> AsyncIterator[Channel]:
    """The channel of a host's debate, which exists while anyone watches."""
    key = asyncio.get_running_loop(), host, debate_id
    channel = _channels.get(key)
    if channel is None or channel.ended:
        channel = _channels[key] = Channel(host, debate_id)
    channel.viewers += 1
    try:
        yield channel
    finally:
        channel.viewers -= 1
        if not channel.viewers:
            channel.close()
            if _channels.get(key) is channel:
                del _channels[key]
