"""A limit on open sockets (of Streamlit's pages and of the live transcript), for each client and in total.

At the limit a new page shows one sentence. Admitted people and strangers have separate limits.
"""

import asyncio
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from debate_core.errors import StoreError, TooMany
from debate_core.host.network import client_place
from debate_core.host.quotas import PAGES, STRANGERS, Open
from debate_core.language import _, said
from debate_core.ui.kit.logged_in import by_cookies
from debate_core.ui.room.live.socket import TRY_AGAIN
from debate_core.ui.server.plain_pages import page


class OpenPages:
    """ASGI middleware: counts sockets, and refuses those above the limit."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.known = Open(PAGES)
        self.strangers = Open(STRANGERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on requests below the limit."""
        is_get = scope["type"] == "http" and scope["method"] == "GET"
        try:
            if scope["type"] == "websocket":
                counted = await self._choose_counter(scope)
                with counted.one(_client(scope)):
                    await self.app(scope, receive, send)
                return
            if is_get and "text/html" in Headers(scope=scope).get("accept", ""):
                (await self._choose_counter(scope)).refuse_more(_client(scope))
        except TooMany as error:
            if scope["type"] == "websocket":
                await receive()
                await send({"type": "websocket.close", "code": TRY_AGAIN, "reason": _("too many pages are open")})
            else:
                await page(_("Too many pages are open"), said(error), status=503)(scope, receive, send)
            return
        await self.app(scope, receive, send)

    async def _choose_counter(self, scope: Scope) -> Open:
        is_known = await asyncio.to_thread(_is_admitted, scope)
        return self.known if is_known else self.strangers


def _is_admitted(scope: Scope) -> bool:
    from debate_core.host.host import shared_host

    try:
        morsels = SimpleCookie(Headers(scope=scope).get("cookie", ""))
        cookies = {name: morsel.value for name, morsel in morsels.items()}
        return shared_host().door.was_let_in(cookies) or bool(by_cookies(cookies))
    except (CookieError, StoreError):
        return False


def _client(scope: Scope) -> str:
    """The address for which a socket counts; empty for a browser on this machine."""
    address = scope["client"][0] if scope.get("client") else ""
    from debate_core.host.host import shared_host

    is_here = shared_host().door.hosting.is_at_machine(address, Headers(scope=scope))
    return "" if is_here else client_place(address)
