"""Proxy and certificate authorities for calls to model servers.

Values only; connections are made in `client`. A login at the proxy is in no event, log or error.
"""

import re
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from urllib.parse import unquote, urlsplit

from debate_core.spec.panels import is_loopback

# "models.example", "models.example:8443", "[fd00::7]", "[fd00::7]:8443"; not "fd00::7", which is a network.
_NAME_AND_PORT = re.compile(r"(\[[^\]]+\]|[^:]+)(?::(\d+))?")


@dataclass(frozen=True, slots=True)
class Network:
    """The proxy for https addresses, and a file of certificate authorities that are trusted in addition to the
    system's.

    Servers on this machine, those in `no_proxy` and all http addresses are called directly.
    """

    https_proxy: str = field(default="", repr=False)
    """`http://proxy.example:8080`, with `NAME:PASSWORD@` before the host where it asks for a login. Never shown."""
    no_proxy: tuple[str, ...] = ()
    """Hosts (`models.example`, which includes its subdomains), `HOST:PORT`, networks (`10.0.0.0/8`), or `*` for all."""
    ca_file: str = ""
    """Path of a file with certificates in PEM form."""

    def proxy_for(self, base_url: str) -> str:
        """The proxy for this address, "" for a direct connection."""
        parts = urlsplit(base_url)
        if parts.scheme != "https" or is_loopback(base_url):
            return ""
        host = parts.hostname or ""
        port = parts.port or 443
        is_excepted = any(_is_exception(given, host, port) for given in self.no_proxy)
        return "" if is_excepted else self.https_proxy


def _is_exception(given: str, host: str, port: int) -> bool:
    """True if an entry of `no_proxy` covers this host and port."""
    with suppress(ValueError):
        if ip_address(host) in ip_network(given, strict=False):
            return True
    parts = _NAME_AND_PORT.fullmatch(given.casefold().removeprefix("*.").lstrip("."))
    name, named_port = parts.groups() if parts else (given, None)
    name = name.strip("[]")
    is_named = name in ("*", host) or host.endswith(f".{name}")
    return is_named and (not named_port or named_port == str(port))


DIRECT = Network()
"""No proxy, and the usual authorities."""


def proxy_name(proxy: str) -> str:
    """Host and port of a proxy, for messages."""
    return urlsplit(proxy).netloc.rpartition("@")[2]


def proxy_password(proxy: str) -> str:
    """The password of a proxy, which no message may contain."""
    return unquote(urlsplit(proxy).password or "")
