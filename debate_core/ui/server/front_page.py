"""Add the address of the server and the faces of the text font to Streamlit's page, and compress it.

Without the address, the page looks below its own address first (`/results/_stcore/health`) and gets two 404 errors
before it asks at the root.
"""

import gzip

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send

from debate_core.ui.server.small_fonts import FACES
from debate_core.ui.server.static_gzip import uncompressed_answer

SCRIPT = 'window.__streamlit = { BACKEND_BASE_URL: location.origin + "/" }'
FIRST = b'<script type="module"'
"""The start of Streamlit's first script, which reads the address."""
_END = b"</head>"
_EVEN_SPACES = "body{text-rendering:geometricPrecision}button,input,select,textarea{text-rendering:inherit}"
"""Without it, Chromium on Linux rounds widths to pixels, and two words seem to be one."""
_WITH_FACES = f"<style>{FACES}{_EVEN_SPACES}</style>".encode() + _END
_WITH_ADDRESS = f"<script>{SCRIPT}</script>{FIRST.decode()}".encode()


class FrontPage:
    """ASGI middleware: adds these lines to Streamlit's page, and compresses it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer page requests; pass on all others."""
        is_get = scope["type"] == "http" and scope["method"] == "GET"
        if not is_get or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self.app(scope, receive, send)
            return
        answer = await uncompressed_answer(self.app, scope, receive)
        start, *parts = answer
        body = b"".join(part.get("body", b"") for part in parts)
        if FIRST in body:
            body = body.replace(FIRST, _WITH_ADDRESS, 1).replace(_END, _WITH_FACES, 1)
            headers = MutableHeaders(raw=start["headers"])
            if "gzip" in Headers(scope=scope).get("accept-encoding", ""):
                body = gzip.compress(body)
                headers["Content-Encoding"] = "gzip"
            headers["Content-Length"] = str(len(body))
            headers.add_vary_header("Accept-Encoding")
            answer = [start, {"type": "http.response.body", "body": body}]
        for message in answer:
            await send(message)
