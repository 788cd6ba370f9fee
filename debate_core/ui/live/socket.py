"""The live socket of one viewer: a full picture first, then only what changed, at most every 40 ms.

Reads the host, never writes. A slow or lost viewer costs nobody else anything; who comes back gets a new full
picture. Mounted by `launch`.
"""

import asyncio
import contextlib
import json
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.websockets import WebSocket, WebSocketDisconnect

from debate_core.errors import StoreError, UnknownDebate
from debate_core.room import Person
from debate_core.ui.live.feed import changes, picture
from debate_core.ui.live.shapes import Change, Item, Picture
from debate_core.ui.live.sight import Sight, Veiled, seen, sight_of

POLL_S = 0.04
QUIET_S = 15.0
"""A sign of life after this long without news, so that a dead connection is noticed."""
LOOK_S = 1.0
"""How often it is looked at who somebody is: whoever was shown out is a stranger after this long."""
WRONG_ORIGIN = 4403
NO_SUCH_DEBATE = 4404
TRY_AGAIN = 1013


async def watch(socket: WebSocket) -> None:
    """Serve one viewer until they leave. Where no people were agreed, `?as=seat,seat` are the seats they hold."""
    if not same_origin(socket.headers.get("origin"), socket.headers.get("host")):
        await socket.close(WRONG_ORIGIN)
        return
    await socket.accept()
    gone = asyncio.create_task(_until_left(socket))
    try:
        with contextlib.suppress(WebSocketDisconnect):
            await _send_all(socket, socket.path_params["debate_id"], gone)
    finally:
        gone.cancel()


def viewer_of(cookies: Mapping[str, str], debate_id: str) -> Person | None:
    """Who looks at a debate with people: the person of the cookie, whatever the address says. None = anybody else."""
    from debate_core.host import shared_host

    return shared_host().viewer(debate_id, cookies)


def same_origin(origin: str | None, host: str | None) -> bool:
    """True if the page that opens the socket came from this very server; programs send no Origin."""
    return origin is None or urlsplit(origin).netloc == host


async def _until_left(socket: WebSocket) -> None:
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


async def _send_all(socket: WebSocket, debate_id: str, gone: "asyncio.Task[None]") -> None:
    from debate_core.host import shared_host

    host = shared_host()
    sent: Picture | None = None
    sight, known, veiled = Sight(), dict[str, Item](), Veiled()
    viewer, looked_s = None, -LOOK_S
    # A projector shows what a stranger may see, whoever has opened it.
    screen = "screen" in socket.query_params
    seen_version, quiet_since = -1, asyncio.get_running_loop().time()
    while not gone.done():
        now = asyncio.get_running_loop().time()
        try:
            version = host.feed_version(debate_id)
            if version != seen_version:
                seen_version = version
                # Texts first: a turn that ends in between is then in the state, and never in neither.
                live, thinking = host.live(debate_id), host.thinking(debate_id)
                state = await asyncio.to_thread(host.state, debate_id)
                if state.spec.room is not None and now - looked_s >= LOOK_S and not screen:
                    viewer, looked_s = await asyncio.to_thread(viewer_of, socket.cookies, debate_id), now
                before, sight = sight, sight_of(state, viewer, socket.query_params.get("as", ""))
                raw = picture(state, live, sight.holds, known, thinking)
                known = {i["id"]: i for i in raw["items"]}
                after, veiled = seen(
                    raw, sight, veiled if (before.names, before.counts) == (sight.names, sight.counts) else {}
                )
                await _send(socket, batch(sent, after))
                sent, quiet_since = after, now
        except UnknownDebate as error:
            return await socket.close(NO_SUCH_DEBATE, str(error)[:120])
        except StoreError as error:
            return await socket.close(TRY_AGAIN, str(error)[:120])
        if now - quiet_since > QUIET_S:
            await _send(socket, [("alive", None)])
            quiet_since = now
        await asyncio.sleep(POLL_S)


def batch(before: Picture | None, after: Picture) -> list[Change]:
    """What to send somebody who has seen `before`; None = nothing yet."""
    return [("snapshot", after)] if before is None else changes(before, after)


async def _send(socket: WebSocket, news: list[Change]) -> None:
    if news:
        await socket.send_text(json.dumps(news, ensure_ascii=False, separators=(",", ":")))
