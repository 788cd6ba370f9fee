"""Programs that read the API: in this process, and over HTTP at a running server."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Any

from starlette.applications import Starlette
from starlette.types import Message, Scope

from debate_core.host.access.reading import OPERATOR, Looker
from debate_core.host.host import Host
from debate_core.host.runner import now
from debate_core.ui.server import launch

LINES_S = 20.0


def token_for(host: Host, looker: Looker = OPERATOR, **more: Any) -> str:
    """The text of a token that is valid today."""
    return host.door.tokens.make("test", looker, until=now().date() + timedelta(days=1), **more)[1]


def bearer(token: str) -> dict[str, str]:
    """The header with this token."""
    return {"Authorization": f"Bearer {token}"}


def read_messages(text: str) -> list[tuple[int, dict[str, Any]]]:
    """Number and data of each message of a stream; comments and the time of a retry are left out."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
        if "data" in fields:
            found.append((int(fields["id"]), json.loads(fields["data"])))
    return found


def streamed(path: str, token: str, *, until: int, headers: Mapping[str, str] | None = None) -> str:
    """Read a stream until `until` messages have come or it ends, then leave; returns the text."""
    return asyncio.run(_streamed(path, {**bearer(token), **(headers or {})}, until))


async def _streamed(path: str, headers: Mapping[str, str], until: int) -> str:
    app = Starlette(routes=list(launch.routes), middleware=list(launch.middleware))
    sent = [(name.lower().encode(), value.encode()) for name, value in {"host": "localhost", **headers}.items()]
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": sent,
        "client": ("127.0.0.1", 50_000),
        "server": ("localhost", 80),
    }
    read = bytearray()
    has_enough = asyncio.Event()

    async def send(message: Message) -> None:
        read.extend(message.get("body", b""))
        if read.count(b"data: ") >= until:
            has_enough.set()

    async def receive() -> Message:
        await has_enough.wait()
        return {"type": "http.disconnect"}

    with suppress(TimeoutError):
        await asyncio.wait_for(app(scope, receive, send), LINES_S)
    return read.decode()
