"""The live socket of one viewer: a full picture first, then only what changed, as `channel` tells of it.

Reads the host, never writes. A slow or lost viewer costs nobody else anything; who comes back gets a new full
picture. Mounted by `launch`.
"""

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import replace

from starlette.websockets import WebSocket, WebSocketDisconnect

from debate_core.engine import judge_view
from debate_core.engine.stage import person
from debate_core.errors import StoreError, UnknownDebate
from debate_core.host.door.reading import is_owner
from debate_core.record.ownership import NOBODY
from debate_core.record.state import State
from debate_core.spec.people import Person
from debate_core.ui.kit.browser_language import of_cookies
from debate_core.ui.kit.logged_in import looker
from debate_core.ui.room.live.channel import QUIET_S, Moment, SharedView, watching
from debate_core.ui.room.live.visibility import Sight, sight_of

ALIVE = '[["alive",null]]'
LOOK_S = 3.0
"""How often cookies are looked at: whose link was taken back is a stranger after this long, at once if shown out."""
NOT_LET_IN = 4403
NO_SUCH_DEBATE = 4404
TRY_AGAIN = 1013


async def watch(socket: WebSocket) -> None:
    """Serve one viewer until they leave. Where no people were agreed, `?as=seat,seat` are the seats they hold."""
    if not await asyncio.to_thread(_may_look, socket):
        await socket.close(NOT_LET_IN)
        return
    await socket.accept()
    sending = asyncio.create_task(_send_all(socket, socket.path_params["debate_id"]))
    leaving = asyncio.create_task(_until_left(socket))
    await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
    for task in (sending, leaving):
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect):
            await task


def viewer_of(cookies: Mapping[str, str], debate_id: str) -> Person | None:
    """Who looks at a debate with people: the person of the cookie, whatever the address says. None = anybody else."""
    from debate_core.host.host import shared_host

    return shared_host().viewer(debate_id, cookies)


def _may_look(socket: WebSocket) -> bool:
    """Whoever may open the pages of this debate. That there is none is told to the machine itself alone."""
    from debate_core.host.host import shared_host

    host = shared_host()
    with contextlib.suppress(StoreError):
        who = looker(host, socket)
        return host.may_look(socket.path_params["debate_id"], socket.cookies, who)
    return host.door.hosting.standing(socket.client.host if socket.client else "", socket.headers, {}) == "machine"


async def _until_left(socket: WebSocket) -> None:
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


async def _send_all(socket: WebSocket, debate_id: str) -> None:
    looks = _Looks(socket, debate_id)
    moment: Moment | None = None
    sent: SharedView | None = None
    sent_s = 0.0
    try:
        async with watching(debate_id) as channel:
            while True:
                if channel.last is None or channel.last is moment:
                    await channel.news()
                    continue
                moment = channel.last
                sight = await looks.sight(moment.state)
                if sight is None:
                    await socket.close(NOT_LET_IN)
                    return
                frame = await moment.shown(sight)
                text, now = frame.since(sent), asyncio.get_running_loop().time()
                if text or now - sent_s > QUIET_S / 2:
                    await socket.send_text(text or ALIVE)
                    sent_s = now
                sent = frame
    except UnknownDebate as error:
        await socket.close(NO_SUCH_DEBATE, str(error)[:120])
    except StoreError as error:
        await socket.close(TRY_AGAIN, str(error)[:120])


class _Looks:
    """Who looks through one socket, and how much they may see; found anew whenever the debate has changed."""

    def __init__(self, socket: WebSocket, debate_id: str) -> None:
        self._socket = socket
        self._cookies, self._seats = socket.cookies, socket.query_params.get("as", "")
        # A projector shows what a stranger may see, whoever has opened it.
        self._screen = "screen" in socket.query_params
        self._debate = debate_id
        self._language = of_cookies(socket.cookies, socket.headers.get("accept-language", ""))
        self._who = ""
        self._may_judge = True
        self._looked_s = -LOOK_S
        self._found: tuple[State, str, Sight] | None = None

    async def sight(self, state: State) -> Sight | None:
        """How much may be seen of this state; None if nothing may any more."""
        now = asyncio.get_running_loop().time()
        if (state.spec.has_people or state.ownership != NOBODY) and now - self._looked_s >= LOOK_S:
            if not await asyncio.to_thread(_may_look, self._socket):
                return None
            await asyncio.to_thread(self._look, state)
            self._looked_s = now
        if self._found is None or self._found[0] is not state or self._found[1] != self._who:
            viewer = person(state, self._who)
            found = sight_of(state, viewer, self._seats, may_judge=self._may_judge)
            self._found = state, self._who, replace(found, language=self._language)
        return self._found[2]

    def _look(self, state: State) -> None:
        """Who it is now, and whether a stranger has to be taken for a judge: not on the wall, and of no file."""
        from debate_core.host.host import shared_host

        host, viewer = shared_host(), viewer_of(self._cookies, self._debate)
        is_judge = viewer is not None and not judge_view.may_see_result(state, viewer.id)
        on_wall = self._screen and (host.is_wall(self._debate, self._cookies) or (viewer is not None and not is_judge))
        self._who = viewer.id if viewer and not on_wall else ""
        self._may_judge = not on_wall and not host.is_imported(self._debate)
        if not is_owner(state.ownership, looker(host, self._socket)):
            # Where no people were agreed, seats are the owner's: whoever else reads it holds none.
            self._seats = ""
