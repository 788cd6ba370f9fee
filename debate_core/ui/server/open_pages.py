"""A cap on the sockets that are open, those of Streamlit's pages and the live ones, by client and in all.

Where it is reached, a page that is opened says so in one sentence. Whoever was let in is counted apart from strangers.
"""

import asyncio
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from debate_core.errors import StoreError, TooMany
from debate_core.host.caps import PAGES, STRANGERS, Open
from debate_core.host.network import client_place
from debate_core.language import _, said
from debate_core.ui.kit.logged_in import by_cookies
from debate_core.ui.room.live.socket import TRY_AGAIN
from debate_core.ui.server.plain_pages import page


class OpenPages:
    """ASGI middleware: counts sockets, and refuses those beyond the cap."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.known = Open(PAGES)
        self.strangers = Open(STRANGERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what there is room for."""
        try:
            if scope["type"] == "websocket":
                counted = await self._counter(scope)
                with counted.one(_client(scope)):
                    await self.app(scope, receive, send)
                return
            if scope["type"] == "http" and _opens_a_page(scope):
                (await self._counter(scope)).refuse_more(_client(scope))
        except TooMany as error:
            await _refuse(said(error), scope, receive, send)
            return
        await self.app(scope, receive, send)

    async def _counter(self, scope: Scope) -> Open:
        is_known = await asyncio.to_thread(_was_let_in, _cookies(scope))
        return self.known if is_known else self.strangers


def _was_let_in(cookies: dict[str, str]) -> bool:
    from debate_core.host.host import shared_host

    try:
        return shared_host().door.was_let_in(cookies) or bool(by_cookies(cookies))
    except StoreError:
        return False


def _cookies(scope: Scope) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(Headers(scope=scope).get("cookie", "")).items()}
    except CookieError:
        return {}


def _client(scope: Scope) -> str:
    """The address that a socket is counted for; empty for a browser on this machine."""
    address = scope["client"][0] if scope.get("client") else ""
    from debate_core.host.host import shared_host

    is_here = shared_host().door.hosting.is_at_machine(address, Headers(scope=scope))
    return "" if is_here else client_place(address)


def _opens_a_page(scope: Scope) -> bool:
    """True for what a browser asks for when somebody goes to an address."""
    return scope["method"] == "GET" and "text/html" in Headers(scope=scope).get("accept", "")


async def _refuse(why: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": TRY_AGAIN, "reason": _("too many pages are open")})
        return
    await page(_("Too many pages are open"), why, status=503)(scope, receive, send)
