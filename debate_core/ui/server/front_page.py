"""The page that every screen begins with, told where its server is.

By itself it asks below the address of the screen first (`/results/_stcore/health`), is answered 404 twice, and only
then asks at the root: two requests and two errors in the console before the first word.
"""

import gzip

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from debate_core.ui.server.packed import as_it_is

SCRIPT = 'window.__streamlit = { BACKEND_BASE_URL: location.origin + "/" }'
FIRST = b'<script type="module"'
"""Before the first script of Streamlit's own, which reads it."""
_TOLD = f"<script>{SCRIPT}</script>{FIRST.decode()}".encode()


class FrontPage:
    """ASGI middleware: adds one line to Streamlit's page, and packs it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what nobody goes to with a browser."""
        if (
            scope["type"] != "http"
            or scope["method"] != "GET"
            or "text/html" not in Headers(scope=scope).get("accept", "")
        ):
            await self.app(scope, receive, send)
            return
        told: list[Message] = []

        async def take(message: Message) -> None:
            told.append(message)

        await self.app(as_it_is(scope), receive, take)
        start, *parts = told
        body = b"".join(part.get("body", b"") for part in parts)
        if FIRST in body:
            body = body.replace(FIRST, _TOLD, 1)
            headers = MutableHeaders(raw=start["headers"])
            if "gzip" in Headers(scope=scope).get("accept-encoding", ""):
                body = gzip.compress(body)
                headers["Content-Encoding"] = "gzip"
            headers["Content-Length"] = str(len(body))
            headers.add_vary_header("Accept-Encoding")
            told = [start, {"type": "http.response.body", "body": body}]
        for message in told:
            await send(message)
