"""The icons of the pages in a font of their own: those that are used, instead of the 4,000 that Streamlit ships.

A phone loads 50 kB instead of 375. `bench/icons.py` makes the font out of Streamlit's (Material Symbols, Apache 2.0).
Another version of Streamlit has its font under another name, and sends it whole until this one is made anew.
"""

import hashlib
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

_HERE = Path(__file__).parent
FILE, *NAMES = (_HERE / "icons.txt").read_text("utf-8").split()
"""Streamlit's file that it was made of, and the names of its icons."""


class SmallIconFont:
    """ASGI middleware: answers for that one file."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.font = (_HERE / "icons.woff2").read_bytes()
        self.tag = f'"{hashlib.sha256(self.font).hexdigest()[:16]}"'

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is another file."""
        if scope["type"] != "http" or not scope["path"].endswith(f"/static/media/{FILE}"):
            await self.app(scope, receive, send)
            return
        # Asked for anew at each visit: with one more icon it has the same address.
        headers = {"Cache-Control": "no-cache", "ETag": self.tag}
        is_known = self.tag in Headers(scope=scope).get("if-none-match", "")
        answer = Response(status_code=304, headers=headers) if is_known else self._whole(headers)
        await answer(scope, receive, send)

    def _whole(self, headers: dict[str, str]) -> Response:
        return Response(self.font, media_type="font/woff2", headers=headers)
