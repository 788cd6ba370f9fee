"""Which names this server answers to, and whose pages may send to it: one rule for pages, routes and sockets.

A page of another site can make a browser in this network open any address under a name of its own (DNS rebinding).
The browser then takes both for one site, but the name in `Host` gives it away: an address in figures cannot be
rebound, and no stranger decides what `localhost` or this machine's name is.
"""

import socket
from collections.abc import Iterable
from functools import cached_property
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from debate_core.host.door.hosting import is_from_here
from debate_core.host.settings import Settings, read_settings
from debate_core.language import _, message
from debate_core.ui.room.live.socket import NOT_LET_IN

READS = ("GET", "HEAD", "OPTIONS")
FOREIGN_PAGE = message("A page of another site may not send to this server: open the debate here, and try again.")
NOT_HERE = message("There is nothing at this address.")
STREAMLITS_OWN = "/_stcore/"
BROWSERS_NEED = ("health", "host-config", "stream", "upload_file", "bidi-components")
"""What a page asks of Streamlit's own routes. All others (counts, agents, whatever comes) are for this machine."""


def known_names(public_url: str) -> frozenset[str]:
    """The host names that this server answers to, beside addresses in figures: its own, and that of `public_url`."""
    machine = socket.gethostname().lower()
    public = urlsplit(public_url).hostname or ""
    return frozenset({"localhost", machine, f"{machine}.local", public} - {"", ".local"})


def is_ours(host: str, names: Iterable[str]) -> bool:
    """True if a `Host` header names this server: one of its names, or an address in figures; with or without a port."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    try:
        ip_address(name.partition("%")[0])
    except ValueError:
        return name in names or name.endswith(".localhost")
    return True


def same_origin(origin: str | None, host: str | None, public_url: str = "") -> bool:
    """True if the page that sends this came from this very server; programs name no origin, and `null` is nobody's.

    Behind a proxy the page has the public address, whatever `Host` the proxy passes on.
    """
    if origin is None:
        return True
    page = urlsplit(origin)
    return bool(page.netloc) and (page.netloc == host or origin == _origin_of(public_url))


def _origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def is_internal(path: str) -> bool:
    """True for a route of Streamlit's own that no page asks for, under whatever path the app is served."""
    _before, found, inner = path.partition(STREAMLITS_OWN)
    return bool(found) and inner.partition("/")[0] not in BROWSERS_NEED


class OwnOrigin:
    """ASGI middleware: refuses other names in `Host`, what pages of other sites send or listen to, and from elsewhere
    what no page needs."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    # Not before the first request: a setting that is malformed is told by the start of the host, in one sentence.

    @cached_property
    def settings(self) -> Settings:
        """The settings in force: the public address, and which proxies may be believed."""
        return read_settings()

    @cached_property
    def names(self) -> frozenset[str]:
        """What this server is called."""
        return known_names(self.settings.public_url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is ours."""
        if "client" in scope and not self.settings.trusted_proxies:
            scope = _not_forwarded(scope)
        if scope["type"] in ("http", "websocket") and (fault := self._fault(scope)):
            await _refuse(*fault, scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _fault(self, scope: Scope) -> tuple[int, str] | None:
        """Status and sentence; None if it is ours."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not is_ours(host, self.names):
            name = host[:80] if host.isprintable() else _("this name")
            return 421, (
                _(
                    "This server does not answer to {name!r}: open it by its address, or have DEBATE_PUBLIC_URL set "
                    "to the address that people use.",
                    name=name,
                )
            )
        sends = scope["type"] == "websocket" or scope["method"] not in READS
        if sends and not same_origin(headers.get("origin"), host, self.settings.public_url):
            return 403, _(FOREIGN_PAGE)
        caller = (scope["client"] or ("", 0))[0]
        is_here = self.settings.trusts_loopback and is_from_here(caller, headers)
        if is_internal(scope["path"]) and not is_here:
            return 404, _(NOT_HERE)
        return None


async def _refuse(status: int, why: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": NOT_LET_IN, "reason": why[:120]})
        return
    await PlainTextResponse(why, status, headers={"Cache-Control": "no-store"})(scope, receive, send)


def _not_forwarded(scope: Scope) -> Scope:
    """The scope with the address that really called, where no proxy was named.

    uvicorn believes `X-Forwarded-For` of whoever calls from this machine, and marks it by port 0. A proxy that may be
    believed is named in FORWARDED_ALLOW_IPS, which uvicorn reads too.
    """
    client = scope["client"]
    if client is None or client[1] != 0:
        return scope
    return {**scope, "client": ("127.0.0.1", 0)}
