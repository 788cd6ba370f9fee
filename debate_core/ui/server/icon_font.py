"""Serve a font with only the icons that the pages use, instead of Streamlit's 4,000: 50 kB instead of 375.

`bench/icons.py` makes the font from Streamlit's (Material Symbols, Apache 2.0). Another version of Streamlit has its
font under another name and serves it whole until this one is rebuilt.
"""

import hashlib
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

_HERE = Path(__file__).parent
FILE, *NAMES = (_HERE / "icons.txt").read_text("utf-8").split()
"""Streamlit's font file, and the names of the icons that the small font contains."""


class SmallIconFont:
    """ASGI middleware: answers requests for that file."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.font = (_HERE / "icons.woff2").read_bytes()
        self.tag = f'"{hashlib.sha256(self.font).hexdigest()[:16]}"'

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer requests for the font; pass on all others."""
        if scope["type"] != "http" or not scope["path"].endswith(f"/static/media/{FILE}"):
            await self.app(scope, receive, send)
            return
        # Browsers revalidate at each visit, because the address stays the same when an icon is added.
        headers = {"Cache-Control": "no-cache", "ETag": self.tag}
        answer = Response(self.font, media_type="font/woff2", headers=headers)
        if self.tag in Headers(scope=scope).get("if-none-match", ""):
            answer = Response(status_code=304, headers=headers)
        await answer(scope, receive, send)
