"""Serve gzip-compressed scripts and styles, compressed once and cached.

Streamlit compresses other answers, but not its own static files.
"""

import asyncio
import gzip

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FOLDERS = ("/static/", "/drawn/")
TEXTS = (".js", ".css")
"""Fonts and pictures are compressed already."""
STAYS = "immutable"
"""Cache directive of files with a hash in their name."""


class PackedFiles:
    """ASGI middleware: answers with the compressed file if the client accepts gzip."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.kept: dict[str, list[Message]] = {}
        self.packing = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer requests for such files; pass on all others."""
        if not _may_be_packed(scope):
            await self.app(scope, receive, send)
            return
        # One compression at a time: many people who join at once ask for the same file.
        async with self.packing:
            answer = self.kept.get(scope["path"]) or await self._answer(scope)
        for message in answer:
            await send(message)

    async def _answer(self, scope: Scope) -> list[Message]:
        """The answer of the app; compressed and cached if it is a complete immutable file.

        The app never hears that the client left: the cached answer would be incomplete for all others.
        """
        asked = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def receive() -> Message:
            return next(asked, None) or await asyncio.Future[Message]()

        answer = await uncompressed_answer(self.app, scope, receive)
        start, *parts = answer
        headers = MutableHeaders(raw=start["headers"])
        body = b"".join(part.get("body", b"") for part in parts)
        if start["status"] != 200 or STAYS not in headers.get("cache-control", ""):
            return answer
        if headers.get("content-length") != str(len(body)):
            return answer
        packed = await asyncio.to_thread(gzip.compress, body, 9)
        headers["Content-Encoding"] = "gzip"
        headers["Content-Length"] = str(len(packed))
        headers.add_vary_header("Accept-Encoding")
        self.kept[scope["path"]] = [start, {"type": "http.response.body", "body": packed}]
        return self.kept[scope["path"]]


async def uncompressed_answer(app: ASGIApp, scope: Scope, receive: Receive) -> list[Message]:
    """The answer of the app; without extensions, which may answer with the path of a file."""
    answer: list[Message] = []

    async def collect(message: Message) -> None:
        answer.append(message)

    headers = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
    await app({**scope, "headers": headers, "extensions": {}}, receive, collect)
    return answer


def _may_be_packed(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    if not (scope["path"].startswith(FOLDERS) and scope["path"].endswith(TEXTS)):
        return False
    headers = Headers(scope=scope)
    return "gzip" in headers.get("accept-encoding", "") and "range" not in headers
