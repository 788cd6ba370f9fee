"""What the dialects have in common: one HTTP client, one deadline, one way to name a fault.

A call is one request; no redirect is followed, no proxy or certificate is taken from the environment. The request
goes through the vendor's own client, and its events come back as plain objects: reading them into the vendor's types
costs more than the rest of a call. Knows no vendor.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import AbstractAsyncContextManager
from functools import cache
from ssl import SSLContext
from typing import ClassVar, Literal, Protocol
from urllib.parse import urlsplit

import httpx2

from debate_core.errors import SeatError, SeatTimeout
from debate_core.seats.wires.exchange import Body, Exchange, dig, text_at
from debate_core.seats.wires.faults import (
    SCHEMA,
    Fault,
    Server,
    Turned,
    event_fault,
    http_fault,
    lasting,
    passing,
    scrub,
)
from debate_core.seats.wires.redact import name_of
from debate_core.seats.wires.wire import Call, Heard, Json, Reply
from debate_core.spec.models import ModelLine

CONNECT_S, IDLE_S = 5.0, 60.0
NO_KEY = "none"
"""Sent where a server asks for no key: the vendors' clients do not work without one."""
_ODD = (httpx2.InvalidURL, httpx2.StreamError, ValueError, TypeError, AttributeError, LookupError, RecursionError)
"""What the vendors' clients raise when a server answers in shapes that they do not expect."""


class Events(AbstractAsyncContextManager["Events"], Protocol):
    """The stream of either vendor's client."""

    response: httpx2.Response

    def __aiter__(self) -> AsyncIterator[object]: ...


@cache
def tls() -> SSLContext:
    """Made once: it takes longer than a call's own work."""
    return httpx2.create_ssl_context(trust_env=False)


class HttpWire(ABC):
    """A `Wire` over HTTP; a dialect says what a call looks like and what its events mean."""

    vendor_url: ClassVar[str]
    vendor_error: ClassVar[type[Exception]]

    def __init__(self, line: ModelLine, key: str | None) -> None:
        self.line = line
        self.base_url = line.base_url or self.vendor_url
        parts = urlsplit(self.base_url)
        host = parts.netloc.rpartition("@")[2]
        self.server = Server(host, line.model, (key or "").strip(), line.key_env)
        self._refused: set[str] = set()
        self._adapted: tuple[tuple[Mapping[str, Json], object], ...] = ()
        self._http: httpx2.AsyncClient | None = None
        self._broken = (self.vendor_error, httpx2.HTTPError, *_ODD)
        self._open()

    @abstractmethod
    def connect(self, http: httpx2.AsyncClient) -> None:
        """Make the vendor's client on this one."""

    @abstractmethod
    def body(self, call: Call) -> Body:
        """The call as this dialect says it."""

    @abstractmethod
    def optional(self) -> tuple[str, ...]:
        """Parts of a body that a server may not take and that can be left out, named as servers name them."""

    @abstractmethod
    async def post(self, body: Body, timeout: httpx2.Timeout) -> Events: ...

    def adapted(self, schema: Mapping[str, Json]) -> object:
        """The schema as this dialect's servers take it."""
        return schema

    @abstractmethod
    def hear(self, event: object, exchange: Exchange) -> None:
        """Tell the exchange what an event means; never raises."""

    @abstractmethod
    async def listed(self, timeout: httpx2.Timeout) -> object:
        """The server's own list of models, as it says it."""

    def takes(self, part: str) -> bool:
        """False once the server has refused this optional part of a call."""
        return part not in self._refused

    def structure(self, call: Call) -> tuple[Literal["schema", "json", "prompt"], object]:
        """How a JSON reply is asked for, and the schema if that is how; it is adapted once, not for every call."""
        if call.structured == "prompt" or not self.takes(SCHEMA):
            return "prompt", None
        if call.structured == "json":
            return "json", None
        for known, adapted in self._adapted:
            if known == call.schema:
                return "schema", adapted
        adapted = self.adapted(call.schema)
        self._adapted = (*self._adapted[-7:], (call.schema, adapted))
        return "schema", adapted

    async def ask(self, call: Call, heard: Heard, *, deadline_s: float) -> Reply:
        """One request and its reply, or how far it came; raises nothing but cancellation."""
        limit = asyncio.timeout(deadline_s)
        exchange = Exchange(self.server, call, heard, limit)
        ways = () if call.structured == "prompt" else (SCHEMA,)
        # Now, not when the answer comes: seats side by side are refused the same part.
        optional = [part for part in (*self.optional(), *ways) if self.takes(part)]
        try:
            async with limit:
                await self._converse(exchange, deadline_s)
        except TimeoutError:
            exchange.fail(Fault(f"{self.server.host} was not done within {deadline_s:g} s", "timeout"))
        except self._broken as error:
            fault = self._fault(error, optional, deadline_s, answered=exchange.sent)
            self._refused |= {fault.refused} - {""}
            exchange.fail(fault)
        return exchange.reply()

    async def models(self, *, deadline_s: float) -> tuple[str, ...]:
        """Ids of the models that the server offers. SeatError says why it does not."""
        try:
            async with asyncio.timeout(deadline_s):
                self._open()
                page = await self.listed(_timeout(deadline_s))
        except TimeoutError:
            raise SeatTimeout(f"{self.server.host} did not list its models within {deadline_s:g} s") from None
        except self._broken as error:
            raise SeatError(self._fault(error, (), deadline_s, answered=False).message) from None
        data = dig(page, "data")
        listed = [text_at(m, "id") for m in data] if isinstance(data, list) else []
        ids = tuple(i for i in listed if i and i == name_of(i, self.server.key))
        if not ids:
            raise SeatError(f"{self.server.host} lists no models")
        return ids

    async def close(self) -> None:
        """Let go of the connections; a later call makes new ones."""
        http, self._http = self._http, None
        if http is not None:
            await http.aclose()

    def _open(self) -> None:
        if self._http is None:
            self._http = httpx2.AsyncClient(follow_redirects=False, trust_env=False, verify=tls())
            self.connect(self._http)

    async def _converse(self, exchange: Exchange, deadline_s: float) -> None:
        self._open()
        stream = await self.post(self.body(exchange.call), _timeout(deadline_s))
        exchange.sent = True
        async with stream:
            kind = stream.response.headers.get("content-type", "no content type")
            if not kind.startswith("text/event-stream"):
                said = scrub(kind.partition(";")[0][:60], self.server)
                what = f"{self.server.host} answered with {said} instead of a stream of events"
                exchange.fail(passing(what, status="malformed"))
                return
            async for event in stream:
                self.hear(event, exchange)

    def _fault(self, error: Exception, optional: Collection[str], deadline_s: float, *, answered: bool) -> Fault:
        """What this error means; both vendors' errors carry the response and its body, or come from a transport's."""
        response = getattr(error, "response", None)
        if isinstance(response, httpx2.Response) and response.status_code >= 300:
            turned = Turned(response.status_code, getattr(error, "body", None), response.headers)
            return http_fault(self.server, turned, optional=optional, deadline_s=deadline_s)
        cause = error if isinstance(error, httpx2.HTTPError) else error.__cause__
        if isinstance(cause, httpx2.HTTPError):
            return _of_transport(self.server.host, cause, answered=answered)
        if not answered:
            what = f"the call cannot be sent to {self.server.host}: check base_url and the key"
            return lasting(what, sent=False)
        if isinstance(error, self.vendor_error):
            return event_fault(self.server, getattr(error, "body", None))
        return passing(f"{self.server.host} sent events that cannot be read", status="malformed")


def _of_transport(host: str, error: httpx2.HTTPError, *, answered: bool) -> Fault:
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout):
        return passing(f"no connection to {host}: is the server running, and its address right?", sent=False)
    if isinstance(error, httpx2.LocalProtocolError | httpx2.UnsupportedProtocol):
        return lasting(f"the call cannot be sent to {host}: check base_url and the key", sent=False)
    if isinstance(error, httpx2.TimeoutException):
        return Fault(f"{host} sent nothing for too long", "timeout")
    if answered:
        return passing(f"the connection to {host} broke before the reply was whole", status="cut")
    return passing(f"{host} closed the connection without an answer")


def _timeout(deadline_s: float) -> httpx2.Timeout:
    """Connecting ends before the deadline does, so that a call that was never sent is known as such."""
    return httpx2.Timeout(None, connect=min(CONNECT_S, deadline_s / 2), read=min(IDLE_S, deadline_s))
