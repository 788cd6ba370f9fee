"""The way to the read API and the MCP endpoint: closed while there is no token; a server without one loads neither."""

import asyncio

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from debate_core.errors import StoreError
from debate_core.ui.kit.failures import BUSY

ROOT, MCP = "/api", "/mcp"
CLOSED = "There is no API on this server: a host opens it by making an access token."


class ApiEntry:
    """ASGI middleware: answers `/mcp` and every request below `/api`; it passes on all others, and sockets.

    It is no route, because Streamlit answers some paths, such as those with two dots, before any route.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 404 without a token, 503 without a database; else pass on to the API."""
        is_below = scope["type"] == "http" and f"{scope['path']}/".startswith((f"{ROOT}/", f"{MCP}/"))
        await (self._answer if is_below else self.app)(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        from debate_core.host.host import shared_host

        host = await asyncio.to_thread(shared_host)
        try:
            is_open = await asyncio.to_thread(host.door.tokens.exist)
        except StoreError:
            await _refuse(503, BUSY)(scope, receive, send)
            return
        if not is_open:
            await _refuse(404, CLOSED)(scope, receive, send)
            return
        # Imported at the first request with a token in the store.
        if f"{scope['path']}/".startswith(f"{MCP}/"):
            from debate_core.api.mcp_endpoint import answer_mcp

            await answer_mcp(host, scope, receive, send)
            return
        from debate_core.api.app import answer

        await answer(host, scope["path"].removeprefix(ROOT), scope, receive, send)


def _refuse(status: int, words: str) -> JSONResponse:
    """A refusal in English, as all answers to programs."""
    return JSONResponse({"error": words}, status, headers={"Cache-Control": "no-store"})
