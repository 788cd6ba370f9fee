"""The scripts and styles of the pages go out packed: each is packed once, when it is first asked for, and kept.

Streamlit packs other answers. Its own files it would pack anew for every browser, and so it leaves them as they are.
"""

import asyncio
import gzip

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FOLDERS = ("/static/", "/drawn/")
TEXTS = (".js", ".css")
"""Fonts and pictures are packed already."""
STAYS = "immutable"
"""A file with its digest in its name says so: another content has another address."""


class PackedFiles:
    """ASGI middleware: answers with the packed file to whoever can unpack it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.kept: dict[str, list[Message]] = {}
        self.packing = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is no such file."""
        if not _may_be_packed(scope):
            await self.app(scope, receive, send)
            return
        # A room that comes in at once waits for one packing of each file, and starts no other.
        async with self.packing:
            answer = self.kept.get(scope["path"]) or await self._answer(scope)
        for message in answer:
            await send(message)

    async def _answer(self, scope: Scope) -> list[Message]:
        """What the app says; packed and kept if it is a whole file that stays as it is.

        It is told of nobody who leaves meanwhile: what it would then leave out would be missing for everybody.
        """
        told: list[Message] = []
        asked = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def receive() -> Message:
            return next(asked, None) or await asyncio.Future[Message]()

        async def take(message: Message) -> None:
            told.append(message)

        await self.app(as_it_is(scope), receive, take)
        start, *parts = told
        said = Headers(raw=start["headers"])
        body = b"".join(part.get("body", b"") for part in parts)
        if start["status"] != 200 or STAYS not in said.get("cache-control", ""):
            return told
        if said.get("content-length") != str(len(body)):
            return told
        packed = await asyncio.to_thread(gzip.compress, body, 9)
        headers = MutableHeaders(raw=start["headers"])
        headers["Content-Encoding"] = "gzip"
        headers["Content-Length"] = str(len(packed))
        headers.add_vary_header("Accept-Encoding")
        self.kept[scope["path"]] = [start, {"type": "http.response.body", "body": packed}]
        return self.kept[scope["path"]]


def as_it_is(scope: Scope) -> Scope:
    """The same question for bytes that nobody has packed: no path of a file either, which extensions allow."""
    headers = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
    return {**scope, "headers": headers, "extensions": {}}


def _may_be_packed(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    if not (scope["path"].startswith(FOLDERS) and scope["path"].endswith(TEXTS)):
        return False
    headers = Headers(scope=scope)
    return "gzip" in headers.get("accept-encoding", "") and "range" not in headers
