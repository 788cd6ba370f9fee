"""Decides who hosts debates on this server: creates them, sees the list, spends its keys.

On a server for this machine only, every local browser hosts. Others need the server's host code, kept as a cookie.
"""

import hashlib
import hmac
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit

from debate_core.host.access.rate_limit import RateLimit
from debate_core.host.access.signing import Signer
from debate_core.sentence import Sentence

Caller = Literal["machine", "host", "stranger"]
"""The standing of a caller with the server, apart from any debate."""
COOKIE = "host"
COOKIE_LASTS = timedelta(days=30)
NO_CODE = Sentence(
    "This server has no host code, so only its own machine can host: start it with "
    "`make workshop`, or set DEBATE_HOST_CODE."
)
WRONG_CODE = Sentence("This is not the host code of this server: it stands where the server was started.")
MANY_WRONG = Sentence(
    "This is not the host code of this server, and many wrong ones have come from your network within a minute. The "
    "right one is accepted at any time: it stands where the server was started."
)
_PROXY_HEADERS = frozenset(
    {
        "forwarded",
        "via",
        "x-real-ip",
        "x-client-ip",
        "x-cluster-client-ip",
        "true-client-ip",
        "fastly-client-ip",
        "fly-client-ip",
        "cdn-loop",
        "x-amzn-trace-id",
        "x-cloud-trace-context",
    }
)
_OF_PROXIES = ("x-forwarded-", "x-original-", "x-envoy-", "x-azure-", "x-appengine-", "x-arr-", "cf-", "tailscale-")
"""Prefixes of other headers added by proxies, tunnels and content delivery networks; no browser sends them."""
_HERE = ("127.0.0.1", "::1")


class Hosting:
    """Issues and checks cookies for the host code. `code`: empty = no one hosts by code.

    `trusts_loopback` is false on a public server: a tunnel or a proxy on this machine calls from it, too.
    """

    def __init__(
        self,
        signer: Signer,
        rate_limit: RateLimit,
        *,
        clock: Callable[[], datetime],
        code: str,
        trusts_loopback: bool = True,
    ) -> None:
        self._signer = signer
        self._rate_limit = rate_limit
        self._clock = clock
        self._code = code
        self._trusts_loopback = trusts_loopback
        # A cookie, or a token made with it, is valid as long as the code it was issued for.
        self.of_code = hashlib.sha256(code.encode()).hexdigest()[:16]

    def cookie(self, code: str, *, address: str) -> str:
        """The cookie of a host. NotAllowed for a wrong code; tries are counted by address.

        Wrong guesses from the same address never block the right code: a room may share one.
        """
        if not self._code:
            raise self._rate_limit.refusal(NO_CODE)
        if not hmac.compare_digest(code.strip().encode(), self._code.encode()):
            raise self._rate_limit.wrong_try(f"hosting at {address}", WRONG_CODE, too_often=MANY_WRONG)
        until_s = int((self._clock() + COOKIE_LASTS).timestamp())
        return self._signer.sign("host", f"{self.of_code}.{until_s}")

    def is_host(self, cookies: Mapping[str, str]) -> bool:
        """True if these cookies contain one for the current code."""
        match (self._signer.read("host", cookies.get(COOKIE, "")) or "").split("."):
            case [of_code, until_s]:
                return bool(self._code) and of_code == self.of_code and self._clock().timestamp() < int(until_s)
            case _:
                return False

    def standing(self, client: str, headers: Mapping[str, str], cookies: Mapping[str, str]) -> Caller:
        """The standing of the sender of a request."""
        if self.is_at_machine(client, headers):
            return "machine"
        return "host" if self.is_host(cookies) else "stranger"

    def is_at_machine(self, client: str, headers: Mapping[str, str]) -> bool:
        """True for a client on this machine that is trusted as the operator; see `is_from_here`."""
        return self._trusts_loopback and is_from_here(client, headers)


def is_from_here(client: str, headers: Mapping[str, str]) -> bool:
    """True if a request comes from this machine, to one of its own names, without any sign of a proxy.

    `client` is the calling address; `headers` in any case. Some forwarders leave no sign (`ssh -R`).
    """
    names = [name.lower() for name in headers]
    has_proxy = any(name in _PROXY_HEADERS or name.startswith(_OF_PROXIES) for name in names)
    if client not in _HERE or has_proxy:
        return False
    name = urlsplit(f"//{headers.get('host', '')}").hostname or ""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
