"""Proxy and certificate authorities for calls to model servers.

Values only; connections are made in `client`. A login at the proxy is in no event, log or error.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from urllib.parse import unquote, urlsplit

from debate_core.spec.panels import is_loopback

# "models.example", "models.example:8443", "[fd00::7]", "[fd00::7]:8443"; not "fd00::7", which is a network.
_NAME_AND_PORT = re.compile(r"(\[[^\]]+\]|[^:]+)(?::(\d+))?")


@dataclass(frozen=True, slots=True)
class Network:
    """The proxy for https addresses, and a file of authorities that are trusted beside those of this machine.

    Servers on this machine, and those that `no_proxy` names, are asked directly, as is every http address.
    """

    https_proxy: str = field(default="", repr=False)
    """`http://proxy.example:8080`, with `NAME:PASSWORD@` before the host where it asks for a login. Never shown."""
    no_proxy: tuple[str, ...] = ()
    """Hosts (`models.example`, which includes those below it), `HOST:PORT`, networks (`10.0.0.0/8`), or `*` for all."""
    ca_file: str = ""
    """Path of a file with certificates in PEM form."""

    def proxy_for(self, base_url: str) -> str:
        """The proxy for this address, "" if it is asked directly."""
        parts = urlsplit(base_url)
        is_proxied = self.https_proxy and parts.scheme == "https" and not is_loopback(base_url)
        if not is_proxied or any(self._exceptions_for(parts.hostname or "", parts.port or 443)):
            return ""
        return self.https_proxy

    def _exceptions_for(self, host: str, port: int) -> Iterator[str]:
        for given in self.no_proxy:
            parts = _NAME_AND_PORT.fullmatch(given.casefold().removeprefix("*.").lstrip("."))
            name, named_port = parts.groups() if parts else (given, None)
            name = name.strip("[]")
            fits_port = not named_port or named_port == str(port)
            is_named = name in ("*", host) or host.endswith(f".{name}")
            if (is_named and fits_port) or _is_in_network(host, given):
                yield given


def _is_in_network(host: str, network: str) -> bool:
    try:
        return ip_address(host) in ip_network(network, strict=False)
    except ValueError:
        return False


DIRECT = Network()
"""No proxy, and the usual authorities."""


def proxy_name(proxy: str) -> str:
    """Host and port of a proxy, as a message may name it."""
    return urlsplit(proxy).netloc.rpartition("@")[2]


def proxy_password(proxy: str) -> str:
    """What no message may name."""
    return unquote(urlsplit(proxy).password or "")
