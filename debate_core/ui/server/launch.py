"""The server around the screens: start and end of the host, routes, middleware, security headers.

`app.py` passes these to Streamlit. Knows no page and no rule of a debate.
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
from debate_core.ui.server.api_entry import ApiEntry
from debate_core.ui.server.front_page import SCRIPT, FrontPage
from debate_core.ui.server.open_pages import OpenPages
from debate_core.ui.server.origins import OwnOrigin
from debate_core.ui.server.small_fonts import SmallFonts
from debate_core.ui.server.static_gzip import PackedFiles

SWITCH_S = 0.001
ERROR, BAD_INPUT = 1, 2
"""Exit codes, as on the command line."""


@asynccontextmanager
async def lifespan(_app: object) -> AsyncIterator[None]:
    """Start the host before the first visitor, and let it save everything at the end."""
    # Imported late, so that app.py starts without loading the store.
    from debate_core.host.host import reset_shared_host, shared_host
    from debate_core.host.workers import second_signal_kills

    try:
        host = await asyncio.to_thread(shared_host)
    except DebateError as error:
        # An exception here would leave a server that answers with errors, and log a traceback of fifty lines.
        print(f"debate_core: {' '.join(str(error).split())}", file=sys.stderr, flush=True)
        os._exit(BAD_INPUT if error.is_bad_input else ERROR)
    host.health.n_viewers = n_viewers
    await asyncio.to_thread(_reduce_latency)
    streamlit_patch.apply()
    set_launched(up=True)
    try:
        yield
    finally:
        set_launched(up=False)
        with second_signal_kills():
            await asyncio.to_thread(reset_shared_host)


def show_failure(error: Exception) -> bool:
    """Show an error in the reader's language instead of Streamlit's own box; True tells Streamlit not to show it."""
    from debate_core.ui.kit import session

    words = session.told(error) if isinstance(error, DebateError) else _(BROKEN)
    st.error(safe_text(words), icon=":material/error:")
    return True


def _reduce_latency() -> None:
    """Avoid delays in a full room: import all modules now, switch threads sooner, and freeze imported objects.

    While a hundred pages are drawn, the thread of the live text gets its turn five times sooner. A full garbage
    collection of the imported objects would stop everyone for 0.2 s.
    """
    for module in pkgutil.walk_packages(ui.__path__, f"{ui.__name__}."):
        importlib.import_module(module.name)
    sys.setswitchinterval(SWITCH_S)
    gc.collect()
    gc.freeze()


def inline_script_hashes(html: str) -> tuple[str, ...]:
    """Content-Security-Policy sources of the inline scripts of a page."""
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    return tuple(f"'sha256-{base64.b64encode(d).decode()}'" for d in digests)


def content_security_policy() -> str:
    """The policy: nothing from other hosts. Streamlit loads scripts of components from `blob:`."""
    index = Path(st.__file__).parent / "static" / "index.html"
    page = f"{index.read_text('utf-8')}<script>{SCRIPT}</script>"
    scripts = " ".join(("'self'", "'wasm-unsafe-eval'", "blob:", *inline_script_hashes(page)))
    return (
        f"default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; script-src {scripts}; "
        "connect-src 'self'; font-src 'self' data:; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; "
        "frame-ancestors 'none'; form-action 'self'"
    )


_CUT = re.compile(r"(/join/|/wall/|/read/|[?&]code=|drt_)[^?&]+")


class WithoutTokens(logging.Filter):
    """Remove tokens and codes, which admit to debates, from the access log."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Pass every record, with links and codes cut off."""
        if isinstance(record.args, tuple):
            record.args = tuple(_CUT.sub(r"\1…", a) if isinstance(a, str) else a for a in record.args)
        return True


class SecurityHeaders:
    """ASGI middleware: adds the security headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.headers = {
            "Content-Security-Policy": content_security_policy(),
            "X-Content-Type-Options": "nosniff",
            # Our own forms need the referrer; other sites get none.
            "Referrer-Policy": "same-origin",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, and add the headers to the start of the answer."""

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
    Middleware(ApiEntry),
    Middleware(OpenPages),
    Middleware(FrontPage),
    Middleware(SmallFonts),
    Middleware(PackedFiles),
)
logging.getLogger("uvicorn.access").addFilter(WithoutTokens())
