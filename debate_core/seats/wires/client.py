"""The HTTP client that every call goes through: certificates, the proxy, connections that are kept.

No redirect is followed, and nothing is taken from the environment: `Network` says all of it.
"""

from functools import cache
from ssl import SSLContext
from urllib.parse import urlsplit

# No slip of the pen: the package on which the libraries of both vendors are built, and not `httpx`.
import httpx2

from debate_core.seats.wires.network import DIRECT, Network

CONNECT_S = 5.0
MAX_IDLE_CONNECTIONS = 20
"""Connections that are kept for the next call."""


@cache
def tls(ca_file: str = "") -> SSLContext:
    """What a server's certificate is checked by. Made once: it takes longer than a call's own work."""
    context = httpx2.create_ssl_context(trust_env=False)
    if ca_file:
        context.load_verify_locations(ca_file)
    return context


def transport_to(base_url: str, network: Network = DIRECT) -> httpx2.AsyncHTTPTransport:
    """Connections to the server at this address."""
    # Small servers close a connection that they said they would keep, and the call that comes next is lost. Without
    # TLS a new one costs next to nothing.
    most_kept = MAX_IDLE_CONNECTIONS if urlsplit(base_url).scheme == "https" else 0
    limits = httpx2.Limits(max_keepalive_connections=most_kept)
    verify = tls(network.ca_file)
    proxy = network.proxy_for(base_url)
    if not proxy:
        return httpx2.AsyncHTTPTransport(verify=verify, trust_env=False, limits=limits)
    own_tls = verify if proxy.startswith("https:") else None
    through = httpx2.Proxy(proxy, ssl_context=own_tls)
    return httpx2.AsyncHTTPTransport(verify=verify, trust_env=False, limits=limits, proxy=through)


def client_over(transport: httpx2.AsyncBaseTransport) -> httpx2.AsyncClient:
    """A client over this transport and no other."""
    return httpx2.AsyncClient(follow_redirects=False, trust_env=False, transport=transport)


def timeout(deadline_s: float) -> httpx2.Timeout:
    """Connecting ends before the deadline does, so that a call that was never sent is known as such."""
    return httpx2.Timeout(None, connect=connect_s(deadline_s))


def connect_s(deadline_s: float) -> float:
    """How long connecting may take."""
    return min(CONNECT_S, deadline_s / 2)
