"""The HTTP client of all calls: certificates, proxy, kept connections.

It follows no redirects and reads nothing from the environment; `Network` has all settings.
"""

from functools import cache
from ssl import SSLContext
from urllib.parse import urlsplit

# The package on which the libraries of both vendors are built, not `httpx`.
import httpx2

from debate_core.seats.providers.network import DIRECT, Network

CONNECT_S = 5.0
CONNECT_TRIES = 2
"""Without a proxy. A process that stands still for seconds finds its first try late, although the server was there."""
MAX_IDLE_CONNECTIONS = 20
"""Connections kept for the next call."""


@cache
def tls(ca_file: str = "") -> SSLContext:
    """The TLS context for a file of authorities; cached, because making it takes longer than the work of a call."""
    context = httpx2.create_ssl_context(trust_env=False)
    if ca_file:
        context.load_verify_locations(ca_file)
    return context


def transport_to(base_url: str, network: Network = DIRECT) -> httpx2.AsyncHTTPTransport:
    """Make the connections to the server at this address."""
    # Small servers close a connection that they promised to keep, and the next call is lost. Without TLS a new
    # connection costs next to nothing.
    most_kept = MAX_IDLE_CONNECTIONS if urlsplit(base_url).scheme == "https" else 0
    limits = httpx2.Limits(max_keepalive_connections=most_kept)
    verify = tls(network.ca_file)
    proxy = network.proxy_for(base_url)
    if not proxy:
        return httpx2.AsyncHTTPTransport(verify=verify, trust_env=False, limits=limits, retries=CONNECT_TRIES - 1)
    own_tls = verify if proxy.startswith("https:") else None
    through = httpx2.Proxy(proxy, ssl_context=own_tls)
    return httpx2.AsyncHTTPTransport(verify=verify, trust_env=False, limits=limits, proxy=through)


def client_over(transport: httpx2.AsyncBaseTransport) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(follow_redirects=False, trust_env=False, transport=transport)


def timeout(deadline_s: float, *, proxied: bool) -> httpx2.Timeout:
    """Timeouts of a call: connecting ends before the deadline, so that an unsent call is recognised as such."""
    tries = 1 if proxied else CONNECT_TRIES
    return httpx2.Timeout(None, connect=connect_s(deadline_s) / tries)


def connect_s(deadline_s: float) -> float:
    """Maximum time to connect, with all tries."""
    return min(CONNECT_S, deadline_s / 2)
