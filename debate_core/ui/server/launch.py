"""The server around the screens: start and end of the host, the routes that are no page, the security headers.

`app.py` hands these to Streamlit. Knows no page and no rule of a debate.
"""

import asyncio
import base64
import gc
import hashlib
import importlib
import logging
import os
import pkgutil
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from debate_core import ui
from debate_core.errors import DebateError
from debate_core.language import _
from debate_core.ui.kit.failures import BROKEN
from debate_core.ui.kit.launched import set_launched
from debate_core.ui.kit.text import safe_text
from debate_core.ui.room.live.channel import n_viewers
from debate_core.ui.room.live.socket import watch
from debate_core.ui.server import (
    drawn_routes,
    health_routes,
    host_routes,
    join_routes,
    language_routes,
    streamlit_patch,
)
from debate_core.ui.server.front_page import SCRIPT, FrontPage
from debate_core.ui.server.icon_font import SmallIconFont
from debate_core.ui.server.open_pages import OpenPages
from debate_core.ui.server.origins import OwnOrigin
from debate_core.ui.server.packed import PackedFiles

SWITCH_S = 0.001
ERROR, BAD_INPUT = 1, 2
"""Exit status, as on the command line."""


@asynccontextmanager
async def lifespan(_app: object) -> AsyncIterator[None]:
    """Start the host before the first visitor, and let it write everything down at the end."""
    # Late, so that the import of app.py costs nothing of the store.
    from debate_core.host.ending import second_signal_kills
    from debate_core.host.host import reset_shared_host, shared_host

    try:
        host = await asyncio.to_thread(shared_host)
    except DebateError as error:
        # Otherwise the server would serve errors, and say why in fifty lines.
        print(f"debate_core: {' '.join(str(error).split())}", file=sys.stderr, flush=True)
        os._exit(BAD_INPUT if error.is_bad_input else ERROR)
    host.health.n_viewers = n_viewers
    await asyncio.to_thread(_be_quick)
    streamlit_patch.apply()
    set_launched(up=True)
    try:
        yield
    finally:
        set_launched(up=False)
        with second_signal_kills():
            await asyncio.to_thread(reset_shared_host)


def show_failure(error: Exception) -> bool:
    """Say in the language of the reader that a page failed, in the place of Streamlit's own box; True: it is said."""
    from debate_core.ui.kit import session

    words = session.told(error) if isinstance(error, DebateError) else _(BROKEN)
    st.error(safe_text(words), icon=":material/error:")
    return True


def _be_quick() -> None:
    """What would otherwise keep a full room waiting: late imports, long turns of threads, collecting what stays.

    While a hundred pages are drawn, the thread that sends the words gets its turn five times sooner; and a collection
    that looks through all that was imported would stop everybody for a fifth of a second.
    """
    for module in pkgutil.walk_packages(ui.__path__, f"{ui.__name__}."):
        importlib.import_module(module.name)
    sys.setswitchinterval(SWITCH_S)
    gc.collect()
    gc.freeze()


def inline_script_hashes(html: str) -> tuple[str, ...]:
    """Content-Security-Policy sources of the scripts that stand in the page itself."""
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    return tuple(f"'sha256-{base64.b64encode(d).decode()}'" for d in digests)


def content_security_policy() -> str:
    """Nothing from other hosts. `blob:` is how Streamlit loads the transcript's own script."""
    index = Path(st.__file__).parent / "static" / "index.html"
    page = f"{index.read_text('utf-8')}<script>{SCRIPT}</script>"
    scripts = " ".join(("'self'", "'wasm-unsafe-eval'", "blob:", *inline_script_hashes(page)))
    return (
        f"default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; script-src {scripts}; "
        "connect-src 'self'; font-src 'self' data:; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; "
        "frame-ancestors 'none'; form-action 'self'"
    )


_CUT = re.compile(r"(/join/|/wall/|/read/|[?&]code=)[^?&]+")


class WithoutTokens(logging.Filter):
    """What lets somebody into a debate stands in no access log."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record passes, links and codes cut off."""
        if isinstance(record.args, tuple):
            record.args = tuple(_CUT.sub(r"\1…", a) if isinstance(a, str) else a for a in record.args)
        return True


class SecurityHeaders:
    """ASGI middleware: the same security headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.headers = {
            "Content-Security-Policy": content_security_policy(),
            "X-Content-Type-Options": "nosniff",
            # To our own forms it must say where they came from; other sites are told nothing.
            "Referrer-Policy": "same-origin",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, adding the headers where an answer starts."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)


live = WebSocketRoute("/api/debates/{debate_id}/live", watch)
routes = (
    *health_routes.routes,
    *join_routes.routes,
    *host_routes.routes,
    *language_routes.routes,
    *drawn_routes.routes,
    live,
)
middleware = (
    Middleware(SecurityHeaders),
    Middleware(OwnOrigin),
    Middleware(OpenPages),
    Middleware(FrontPage),
    Middleware(SmallIconFont),
    Middleware(PackedFiles),
)
logging.getLogger("uvicorn.access").addFilter(WithoutTokens())
