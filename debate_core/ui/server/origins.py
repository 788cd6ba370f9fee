"""The host names that this server answers to, and the origins that may send to it: for pages, routes and sockets.

Prevents DNS rebinding: another site can point its own host name at an address of this network, and the browser then
takes both for one site. The `Host` header reveals the foreign name. Numeric addresses, `localhost` and the name of this
machine cannot be rebound.
"""

import socket
from collections.abc import Iterable
from functools import cached_property
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from debate_core.host.access.hosting import is_from_here
from debate_core.host.settings import Settings, read_settings
from debate_core.language import _, message
from debate_core.ui.room.live.socket import NOT_LET_IN

READS = ("GET", "HEAD", "OPTIONS")
FOREIGN_PAGE = message("A page of another site may not send to this server: open the debate here, and try again.")
NOT_HERE = message("There is nothing at this address.")
STREAMLITS_OWN = "/_stcore/"
BROWSERS_NEED = ("health", "host-config", "stream", "upload_file", "bidi-components")
"""Streamlit's own routes that a page needs. All others, such as metrics, are for this machine only."""


def known_names(public_url: str) -> frozenset[str]:
    """The host names that this server answers to, besides numeric addresses: its own, and that of `public_url`."""
    machine = socket.gethostname().lower()
    public = urlsplit(public_url).hostname or ""
    return frozenset({"localhost", machine, f"{machine}.local", public} - {"", ".local"})


def is_ours(host: str, names: Iterable[str]) -> bool:
    """True if a `Host` header has one of these names or a numeric address, with or without a port."""
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
    """True if the sending page came from this server, or if a program sends no origin; False for `null`.

    Behind a proxy the page has the public address, regardless of the `Host` header that the proxy sends.
    """
    if origin is None:
        return True
    page = urlsplit(origin)
    public = urlsplit(public_url)
    return bool(page.netloc) and (page.netloc == host or origin == f"{public.scheme}://{public.netloc}")


def is_internal(path: str) -> bool:
    """True for a Streamlit route that no page needs, below any base path."""
    _before, found, inner = path.partition(STREAMLITS_OWN)
    return bool(found) and inner.partition("/")[0] not in BROWSERS_NEED


class OwnOrigin:
    """ASGI middleware: refuses foreign `Host` names, requests of other sites' pages, and internal routes to others."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    # Read at the first request, so that the host reports a malformed setting first, in one sentence.

    @cached_property
    def settings(self) -> Settings:
        """The settings of the public address and the trusted proxies."""
        return read_settings()

    @cached_property
    def names(self) -> frozenset[str]:
        """The host names of this server."""
        return known_names(self.settings.public_url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on permitted requests."""
        if "client" in scope and not self.settings.trusted_proxies:
            scope = _ignore_forwarded(scope)
        fault = self._find_fault(scope) if scope["type"] in ("http", "websocket") else None
        if fault is None:
            await self.app(scope, receive, send)
            return
        status, why = fault
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": NOT_LET_IN, "reason": why[:120]})
            return
        await PlainTextResponse(why, status, headers={"Cache-Control": "no-store"})(scope, receive, send)

    def _find_fault(self, scope: Scope) -> tuple[int, str] | None:
        """Status and reason of a refusal; None for a permitted request."""
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


def _ignore_forwarded(scope: Scope) -> Scope:
    """The scope with the real client address, for servers without a trusted proxy.

    uvicorn accepts `X-Forwarded-For` from every program on this machine and then sets port 0. FORWARDED_ALLOW_IPS,
    which uvicorn reads too, names trusted proxies.
    """
    client = scope["client"]
    if client is None or client[1] != 0:
        return scope
    return {**scope, "client": ("127.0.0.1", 0)}
