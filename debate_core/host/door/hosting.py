"""Who may host debates on this server: make them, see the list of all, spend its keys.

On a server for this machine alone, every browser on it may. Everyone else needs the code of this server, which is kept
as a cookie.
"""

import hashlib
import hmac
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit

from debate_core.host.door.rate_limit import RateLimit
from debate_core.host.door.signing import Signer
from debate_core.sentence import Sentence

Caller = Literal["machine", "host", "stranger"]
"""What somebody is to the server as a whole, whoever they are in a debate."""
COOKIE = "host"
COOKIE_LASTS = timedelta(days=30)
NO_CODE = Sentence(
    "Nobody can host from elsewhere, because this server has no host code: start it with "
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
"""How other headers begin that proxies, tunnels and networks of caches add; no browser sends any of them."""
_HERE = ("127.0.0.1", "::1")


class Hosting:
    """Gives cookies for the host code, and knows them again. `code`: empty = none does.

    `trusts_loopback` is false on a server that others reach: a tunnel or a proxy on this machine calls from it, too.
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
        # A cookie is as good as the code that it was given for.
        self._of_code = hashlib.sha256(code.encode()).hexdigest()[:16]

    def cookie(self, code: str, *, address: str) -> str:
        """What the browser of a host brings back. NotAllowed if this is not the code; tries are counted by address.

        The right code is never refused because others at its address guess: a room may share one.
        """
        if not self._code:
            raise self._rate_limit.refusal(NO_CODE)
        if not hmac.compare_digest(code.strip().encode(), self._code.encode()):
            raise self._rate_limit.wrong_try(f"hosting at {address}", WRONG_CODE, too_often=MANY_WRONG)
        until_s = int((self._clock() + COOKIE_LASTS).timestamp())
        return self._signer.sign("host", f"{self._of_code}.{until_s}")

    def is_host(self, cookies: Mapping[str, str]) -> bool:
        """True if these cookies have one that was given for the code that holds now."""
        match (self._signer.read("host", cookies.get(COOKIE, "")) or "").split("."):
            case [of_code, until_s]:
                return bool(self._code) and of_code == self._of_code and self._clock().timestamp() < int(until_s)
            case _:
                return False

    def standing(self, client: str, headers: Mapping[str, str], cookies: Mapping[str, str]) -> Caller:
        """Of whoever sends this request."""
        if self.is_at_machine(client, headers):
            return "machine"
        return "host" if self.is_host(cookies) else "stranger"

    def is_at_machine(self, client: str, headers: Mapping[str, str]) -> bool:
        """True for a browser or a program on this machine, where that makes anyone the operator: `is_from_here`."""
        return self._trusts_loopback and is_from_here(client, headers)


def is_from_here(client: str, headers: Mapping[str, str]) -> bool:
    """True if a request comes from this very machine, to it by a name of its own, and with no sign of a proxy.

    `client` is the address that called; `headers` are read in any case. Some forwarders leave no sign (`ssh -R`).
    """
    if client not in _HERE or any(_is_of_a_proxy(name.lower()) for name in headers):
        return False
    name = urlsplit(f"//{headers.get('host', '')}").hostname or ""
    return name == "localhost" or name.endswith(".localhost") or _is_loopback(name)


def _is_of_a_proxy(header: str) -> bool:
    return header in _PROXY_HEADERS or header.startswith(_OF_PROXIES)


def _is_loopback(name: str) -> bool:
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
