"""The live socket of one viewer: first a full picture, then only the changes from `channel`.

Reads the host, never writes. A slow or lost viewer costs the others nothing; after a reconnection it gets a new full
picture. Mounted by `launch`.
"""

import asyncio
import contextlib
import math
from dataclasses import dataclass, replace
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from debate_core.engine import judge_view
from debate_core.engine.stage import name_of, person
from debate_core.errors import StoreError, UnknownDebate
from debate_core.host.access.reading import is_owner
from debate_core.host.attendance import Attendance, here_now
from debate_core.host.host import Host, shared_host
from debate_core.record.ownership import NOBODY
from debate_core.record.state import State
from debate_core.ui.kit import text_first
from debate_core.ui.kit.browser_language import of_cookies
from debate_core.ui.kit.logged_in import looker
from debate_core.ui.room.live.channel import QUIET_S, Seen, SeenAlike, watching
from debate_core.ui.room.live.visibility import Sight, own_news, sight_of
from debate_core.ui.room.live.wire_types import HereUpdate, LiveUpdate

ALIVE = '[["alive",null]]'
LOOK_S = 3.0
"""Interval of checking cookies: a person whose link was taken back is a stranger then, a removed one at once."""
NOT_LET_IN = 4403
NO_SUCH_DEBATE = 4404
TRY_AGAIN = 1013
_SCREEN = "screen"
"""Query parameter of a viewer who asks for the view of the wall."""


async def watch(socket: WebSocket) -> None:
    """Serve one viewer until they leave. Where no people were agreed, `?as=seat,seat` are the seats they hold."""

    async def until_left() -> None:
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass

    host = await asyncio.to_thread(shared_host)
    if not await asyncio.to_thread(_may_look, host, socket):
        await socket.close(NOT_LET_IN)
        return
    await socket.accept()
    sending = asyncio.create_task(_send_all(host, socket, socket.path_params["debate_id"]))
    leaving = asyncio.create_task(until_left())
    await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
    for task in (sending, leaving):
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect):
            await task


def _may_look(host: Host, socket: WebSocket) -> bool:
    """True for viewers with access to the pages of this debate; if it does not exist, only for this machine."""
    with contextlib.suppress(StoreError):
        who = looker(host, socket)
        on_wall = _SCREEN in socket.query_params
        return host.may_look(socket.path_params["debate_id"], socket.cookies, who, on_wall=on_wall)
    return host.door.hosting.standing(socket.client.host if socket.client else "", socket.headers, {}) == "machine"


async def _send_all(host: Host, socket: WebSocket, debate_id: str) -> None:
    looks = _Looks(host, socket, debate_id)
    feed = _ViewerFeed(socket)
    told = 0
    try:
        async with watching(host, debate_id) as channel:
            while True:
                if channel.last is None or channel.told == told:
                    await channel.news()
                    continue
                told = channel.told
                moment = channel.last
                is_let_in = await looks.let_in(moment.state)
                looks.count()
                if not is_let_in:
                    await socket.close(NOT_LET_IN)
                    return
                sight = looks.sight(moment.state)
                await feed.send("picture", await moment.shown(sight))
                await feed.send("panel", channel.panel(sight, moment.state))
                for update in _own_updates(moment.state, channel.attendance, looks.who, leads=sight.leads):
                    await feed.send(update[0], SeenAlike(update, _changed))
                await feed.keep_alive()
    # Without the text of the error, because details of a store, such as a path, are for the operator.
    except UnknownDebate:
        await socket.close(NO_SUCH_DEBATE, f"there is no debate {debate_id[:80]!r}")
    except StoreError:
        await socket.close(TRY_AGAIN, "the debates cannot be read now")
    finally:
        looks.leave()


class _ViewerFeed:
    """Sends one viewer what changed since the latest message of the same kind, and signs of life in between."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._sent: dict[str, Any] = {}
        self._sent_s = 0.0

    async def send(self, kind: str, seen: SeenAlike[Seen] | None) -> None:
        """Send the changes, None = nothing to see yet."""
        if seen is None:
            return
        text = seen.since(self._sent.get(kind))
        self._sent[kind] = seen
        if text:
            text_first.note_text()
            await self._socket.send_text(text)
            self._sent_s = asyncio.get_running_loop().time()

    async def keep_alive(self) -> None:
        """Send a sign of life after a long silence."""
        now = asyncio.get_running_loop().time()
        if now - self._sent_s > QUIET_S / 2:
            await self._socket.send_text(ALIVE)
            self._sent_s = now


def _changed(before: LiveUpdate | None, after: LiveUpdate) -> list[LiveUpdate]:
    # A page begins without a receipt.
    return [] if after == (before or ("own", "")) else [after]


def _own_updates(state: State, attendance: Attendance, who: str, *, leads: bool) -> list[LiveUpdate]:
    """The receipt of this person's ballot, and for people of the debate who else is here and who calls for help."""
    own: LiveUpdate = ("own", own_news(state, who))
    if not who:
        return [own]
    update = HereUpdate(here=[], calls=[], calling=who in attendance.calls)
    if leads:
        update["here"] = here_now(state, attendance, who)
        present = state.room.people.keys() - state.room.left
        update["calls"] = [(caller, name_of(state, caller)) for caller in attendance.calls if caller in present]
    return [own, ("here", update)]


@dataclass(frozen=True, slots=True)
class _Viewer:
    """The viewer of a socket, by their cookies."""

    who: str = ""
    """Id of a person of the debate; empty for others and for a wall."""
    seats: str = ""
    """Seats that they claim, where no people were agreed."""
    may_judge: bool = True
    """False for a stranger who cannot be a judge: on the wall, and of a file."""


class _Looks:
    """The viewer of one socket and their sight, checked again whenever the debate has changed."""

    def __init__(self, host: Host, socket: WebSocket, debate_id: str) -> None:
        self._host = host
        self._socket = socket
        # A projector shows the view of a stranger, even if a judge has opened it.
        self._screen = _SCREEN in socket.query_params
        self._debate = debate_id
        self._language = of_cookies(socket.cookies, socket.headers.get("accept-language", ""))
        self._viewer: _Viewer | None = _Viewer(seats=socket.query_params.get("as", ""))
        self._looked_s = -math.inf
        self._looking: asyncio.Future[_Viewer | None] | None = None
        self._found: tuple[State, _Viewer, Sight] | None = None
        self._counted = ""

    @property
    def who(self) -> str:
        """Id of a person of the debate; empty for others."""
        return self._viewer.who if self._viewer else ""

    def count(self) -> None:
        """Count the viewer of this page as present. A wall is no person."""
        who = "" if self._screen else self.who
        if who == self._counted:
            return
        attendances = self._host.attendances
        if self._counted:
            attendances.leave(self._debate, self._counted)
        if who:
            attendances.come(self._debate, who)
        self._counted = who

    def leave(self) -> None:
        """Count this page no longer."""
        self._viewer = None
        self.count()

    async def let_in(self, state: State) -> bool:
        """False if the viewer may see nothing now. A check that is repeated in time delays nothing."""
        loop = asyncio.get_running_loop()
        known_for_s = loop.time() - self._looked_s
        if (state.spec.has_people or state.ownership != NOBODY) and known_for_s >= LOOK_S:
            if self._looking is None:
                self._looking = loop.run_in_executor(None, self._look, state)
            if known_for_s >= 2 * LOOK_S:
                await self._looking
        if self._looking is not None and self._looking.done():
            self._viewer = self._looking.result()
            self._looked_s = loop.time()
            self._looking = None
        return self._viewer is not None

    def sight(self, state: State) -> Sight:
        """The sight of an admitted viewer in this state."""
        assert self._viewer is not None
        if self._found is None or self._found[0] is not state or self._found[1] != self._viewer:
            viewer = person(state, self._viewer.who)
            found = sight_of(state, viewer, self._viewer.seats, may_judge=self._viewer.may_judge)
            self._found = state, self._viewer, replace(found, language=self._language)
        return self._found[2]

    def _look(self, state: State) -> _Viewer | None:
        """The present viewer; None if they may not look."""
        host = self._host
        if not _may_look(host, self._socket):
            return None
        # Where no people were agreed, seats are the owner's: other readers hold none.
        is_owned = is_owner(state.ownership, looker(host, self._socket))
        seats = self._socket.query_params.get("as", "") if is_owned else ""
        viewer = host.viewer(self._debate, self._socket.cookies)
        shows_all = viewer is not None and judge_view.may_see_result(state, viewer.id)
        is_wall = self._screen and (shows_all or host.is_wall(self._debate, self._socket.cookies))
        if is_wall:
            return _Viewer(seats=seats, may_judge=False)
        return _Viewer(viewer.id if viewer else "", seats, may_judge=not host.is_imported(self._debate))
