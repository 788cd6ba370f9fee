"""What the dialects have in common: one HTTP client, one deadline, one way to name a fault.

A call is one request; no redirect is followed, no proxy or certificate is taken from the environment. The request
goes through the vendor's own client, and its events come back as plain objects: reading them into the vendor's types
costs more than the rest of a call. Knows no vendor.

An error of the address, the key, the connection or the server becomes a fault in words. What breaks in this program
itself is raised as it is: told as a fault, it would send people to look for the mistake in their address or key.
"""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager, aclosing
from functools import cache, partial
from ssl import SSLContext
from typing import ClassVar, Literal, Protocol, Self
from urllib.parse import urlsplit

# No slip of the pen: the package on which the libraries of both vendors are built, and not `httpx`.
import httpx2

from debate_core.errors import SeatError, SeatTimeout
from debate_core.seats.wires.exchange import Exchange, RequestBody
from debate_core.seats.wires.faults import (
    SCHEMA,
    ErrorAnswer,
    Fault,
    Server,
    event_fault,
    http_fault,
    permanent_fault,
    scrub,
    temporary_fault,
)
from debate_core.seats.wires.offers import offers_in, ollama_context
from debate_core.seats.wires.wire import Call, Offer, OnPiece, Reply
from debate_core.sentence import Sentence
from debate_core.spec.models import ModelLine
from debate_core.spec.values import Json

CONNECT_S = 5.0
MOST_KEPT = 20
"""Connections that are kept for the next call."""
IDLE_S = 180.0
"""How long a stream that has begun may be silent. Before its first byte a server may think, or let a call wait."""
LOOKS = 4
"""How often to look in that time."""
MAX_SCHEMAS = 8
"""How many adapted schemas a wire keeps: more than a debate has kinds of turns. They are compared, for no schema has a
hash."""
NO_KEY = "none"
"""Sent where a server asks for no key: the vendors' clients do not work without one."""
NOT_SENDABLE = (httpx2.InvalidURL, UnicodeEncodeError)
"""What comes of an address or a key that no request can hold, as a key with an é in it."""
NOT_READABLE = (httpx2.StreamError, ValueError, TypeError, AttributeError, LookupError, RecursionError)
"""What the vendors' clients raise when a server answers in shapes that they do not expect, as half an object."""


class _NotSendable(Exception):
    """No request can hold this address or this key."""


class _NotReadable(Exception):
    """The vendor's client cannot read what the server sent."""


class Events(AbstractAsyncContextManager["Events"], Protocol):
    """The stream of either vendor's client."""

    response: httpx2.Response

    def __aiter__(self) -> AsyncIterator[object]: ...


@cache
def tls() -> SSLContext:
    """Made once: it takes longer than a call's own work."""
    return httpx2.create_ssl_context(trust_env=False)


def usual_client(
    transport: httpx2.AsyncBaseTransport | None = None, *, most_kept: int = MOST_KEPT
) -> httpx2.AsyncClient:
    """What every call goes through, over a transport of one's own if there is one."""
    limits = httpx2.Limits(max_keepalive_connections=most_kept)
    return httpx2.AsyncClient(follow_redirects=False, trust_env=False, verify=tls(), transport=transport, limits=limits)


class HttpWire(ABC):
    """A `Wire` over HTTP; a dialect says what a call looks like and what its events mean.

    The smallest dialect:

        class EchoWire(HttpWire):
            vendor_url = "https://echo.example/v1"
            vendor_error = EchoError

            def connect(self, http): self._client = EchoClient(http_client=http)
            def optional_parts(self): return ("effort",)
            def body(self, call):
                body = {"model": self.line.model, "text": call.tail}
                how, schema = self.structure(call)
                if how == "schema": body["schema"] = schema
                if self.takes("effort"): body["effort"] = self.line.effort
                return body
            async def post(self, body, timeout): return await self._client.stream(**body, timeout=timeout)
            def read_event(self, event, exchange):
                exchange.add(event.text)
                if event.done: exchange.end_as("whole")
            def events_of_unstreamed(self, reply): return []
            async def fetch_models(self, timeout): return await self._client.models(timeout=timeout)

    Connection, deadline and faults are done here. A reply whose end `read_event` does not tell counts as cut off. What
    it does not tell of usage (`Exchange.set_usage`) is estimated from the characters.
    """

    vendor_url: ClassVar[str]
    vendor_error: ClassVar[type[Exception]]

    def __init__(
        self,
        line: ModelLine,
        key: str | None,
        refused: set[str] | None = None,
        new_client: Callable[[], httpx2.AsyncClient] | None = None,
    ) -> None:
        """`refused`: optional parts that the server of this line does not take; it learns more of them.

        `new_client`: what the calls go through, for whoever listens to what passes.
        """
        self.line = line
        self.base_url = line.base_url or self.vendor_url
        parts = urlsplit(self.base_url)
        # Small servers close a connection that they said they would keep, and the call that comes next is lost. Without
        # TLS a new one costs next to nothing.
        most_kept = MOST_KEPT if parts.scheme == "https" else 0
        self._new_client = new_client or partial(usual_client, most_kept=most_kept)
        host = parts.netloc.rpartition("@")[2]
        self.server = Server(host, line.model, (key or "").strip(), line.key_env)
        self._refused: set[str] = set() if refused is None else refused
        self._adapted: tuple[tuple[Mapping[str, Json], object], ...] = ()
        self._http: httpx2.AsyncClient | None = None
        self._call_errors = (self.vendor_error, httpx2.HTTPError, _NotSendable, _NotReadable)
        self._open()

    @abstractmethod
    def connect(self, http: httpx2.AsyncClient) -> None:
        """Make the vendor's client on this one."""

    @abstractmethod
    def body(self, call: Call) -> RequestBody:
        """The call as this dialect says it."""

    @abstractmethod
    def optional_parts(self) -> tuple[str, ...]:
        """Parts of a body that a server may not take and that can be left out, named as servers name them."""

    @abstractmethod
    async def post(self, body: RequestBody, timeout: httpx2.Timeout) -> Events:
        """Send it; its stream, once the server has begun to answer.

        Raises `vendor_error` (with the `response`, if there was one), an error of the connection, or of NOT_SENDABLE.
        """

    def adapt_schema(self, schema: Mapping[str, Json]) -> object:
        """The schema as this dialect's servers take it."""
        return schema

    @abstractmethod
    def read_event(self, event: object, exchange: Exchange) -> None:
        """Tell the exchange what an event means; never raises."""

    @abstractmethod
    async def fetch_models(self, timeout: httpx2.Timeout) -> object:
        """The server's own list of models, as it says it."""

    @abstractmethod
    def events_of_unstreamed(self, reply: Mapping[str, object]) -> list[object]:
        """The events in which a reply that came at once would have come; [] if it is none."""

    def takes(self, part: str) -> bool:
        """False once the server has refused this optional part of a call."""
        return part not in self._refused

    def structure(self, call: Call) -> tuple[Literal["schema", "json", "prompt"], object]:
        """How a JSON reply is asked for, and the schema if that is how.

        A schema is adapted once, and not for every call.
        """
        if call.structured == "prompt" or not self.takes(SCHEMA):
            return "prompt", None
        if call.structured == "json":
            return "json", None
        for known, adapted in self._adapted:
            if known == call.schema:
                return "schema", adapted
        adapted = self.adapt_schema(call.schema)
        self._adapted = (*self._adapted[1 - MAX_SCHEMAS :], (call.schema, adapted))
        return "schema", adapted

    async def ask(self, call: Call, on_piece: OnPiece, *, deadline_s: float) -> Reply:
        """One request and its reply, or how far it came; raises nothing but cancellation and bugs."""
        limit = asyncio.timeout(deadline_s)
        exchange = Exchange(self.server, call, on_piece, limit)
        optional_parts = ("stream", "temperature", "seed", *self.optional_parts())
        if call.structured != "prompt":
            optional_parts = (*optional_parts, SCHEMA)
        # Now, not when the answer comes: seats side by side are refused the same part.
        could_be_left_out = [part for part in optional_parts if self.takes(part)]
        try:
            async with limit:
                await self._converse(exchange, deadline_s)
        except TimeoutError:
            # The exchange ends the reading by this limit, too, after the end of a reply and where one is too long: then
            # it has its end or its fault, and what is told here changes nothing. Where the deadline has passed, a reply
            # that has begun takes too long: it is not its stream that broke.
            late = Sentence(
                "{host} was not done within {deadline:g} s", host=self.server.host, deadline=round(deadline_s, 1)
            )
            exchange.fail(Fault(late, "timeout", transport=not exchange.began))
        except self._call_errors as error:
            fault = self._fault(error, could_be_left_out, deadline_s, answered=exchange.answered)
            if fault.refused:
                self._refused.add(fault.refused)
            exchange.fail(fault)
        return exchange.reply()

    async def models(self, *, deadline_s: float) -> tuple[Offer, ...]:
        """The models that the server offers. SeatError says why it does not."""
        try:
            async with asyncio.timeout(deadline_s):
                self._open()
                page = await self._fetch_models(deadline_s)
        except TimeoutError:
            raise SeatTimeout(
                "{host} did not list its models within {deadline_s:g} s", host=self.server.host, deadline_s=deadline_s
            ) from None
        except _NotReadable:
            raise SeatError("{host} lists its models in a form that cannot be read", host=self.server.host) from None
        except self._call_errors as error:
            raise SeatError(self._fault(error, (), deadline_s, answered=False).message) from None
        offers = offers_in(page, self.server.key)
        if not offers:
            raise SeatError("{host} lists no models", host=self.server.host)
        return offers

    async def context_tokens(self, *, deadline_s: float) -> int | None:
        """What fits into one call of a server without a key that says so beside its list, as Ollama does."""
        if self._http is None or self.server.key or not self.line.base_url:
            return None
        return await ollama_context(self._http, self.line, deadline_s=deadline_s)

    async def close(self) -> None:
        """Let go of the connections; a later call makes new ones."""
        http = self._http
        self._http = None
        if http is not None:
            await http.aclose()

    def _open(self) -> None:
        if self._http is None:
            self._http = self._new_client()
            self.connect(self._http)

    async def _converse(self, exchange: Exchange, deadline_s: float) -> None:
        self._open()
        stream = await self._send(self._full_body(exchange.call), deadline_s)
        exchange.answered = True
        async with stream, aclosing(_events_of(stream)) as events, _Silence(stream.response) as silence:
            kind = stream.response.headers.get("content-type", "no content type")
            if kind.startswith("application/json"):
                await self._read_unstreamed(stream.response, exchange)
                if exchange.began:
                    return
            if not kind.startswith("text/event-stream"):
                shown = scrub(kind.partition(";")[0][:60], self.server)
                message = Sentence(
                    "{host} answered with {shown} instead of a stream of events", host=self.server.host, shown=shown
                )
                exchange.fail(temporary_fault(message, status="malformed"))
                return
            async for event in events:
                self.read_event(event, exchange)
        if silence.lasted:
            message = Sentence("{host} sent nothing for {silence:g} s", host=self.server.host, silence=IDLE_S)
            exchange.fail(Fault(message, "timeout", transport=True))

    async def _read_unstreamed(self, response: httpx2.Response, exchange: Exchange) -> None:
        """A reply that came as one JSON object, if it is one."""
        reply = await _unstreamed_reply(response)
        if reply:
            for event in self.events_of_unstreamed(reply):
                self.read_event(event, exchange)

    def _full_body(self, call: Call) -> RequestBody:
        """The call as this dialect says it, with what the line adds."""
        line = self.line
        body = self.body(call)
        body["stream"] = self.takes("stream")
        if line.temperature is not None and self.takes("temperature"):
            body["temperature"] = float(line.temperature)
        if line.seed is not None and self.takes("seed"):
            body["seed"] = line.seed
        return {**body, **json.loads(line.extra or "{}")}

    async def _send(self, body: RequestBody, deadline_s: float) -> Events:
        try:
            return await self.post(body, _timeout(deadline_s))
        except NOT_SENDABLE as error:
            raise _NotSendable from error

    async def _fetch_models(self, deadline_s: float) -> object:
        try:
            return await self.fetch_models(_timeout(deadline_s))
        except NOT_SENDABLE as error:
            raise _NotSendable from error
        except (ValueError, RecursionError) as error:
            raise _NotReadable from error

    def _fault(self, error: Exception, optional: Collection[str], deadline_s: float, *, answered: bool) -> Fault:
        """What this error means. A response tells most, then the connection, then whether anything was sent.

        Both vendors' errors carry the response and its body, or come from an error of the connection.
        """
        response = getattr(error, "response", None)
        if isinstance(response, httpx2.Response) and response.status_code >= 300:
            answer = ErrorAnswer(response.status_code, getattr(error, "body", None), response.headers)
            return http_fault(self.server, answer, optional=optional, deadline_s=deadline_s)
        cause = error if isinstance(error, httpx2.HTTPError) else error.__cause__
        if isinstance(cause, httpx2.HTTPError):
            return _of_transport(self.server.host, cause, answered=answered)
        if not answered:
            # Neither a server nor the connection: the client has refused the address or the key by itself.
            return _not_sendable(self.server.host)
        if isinstance(error, self.vendor_error):
            return event_fault(self.server, getattr(error, "body", None))
        # The connection's fault, not the model's: it is asked the same again, without words on its reply.
        return temporary_fault(Sentence("{host} sent events that cannot be read", host=self.server.host), status="cut")


def _of_transport(host: str, error: httpx2.HTTPError, *, answered: bool) -> Fault:
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout):
        return temporary_fault(
            Sentence("no connection to {host}: is the server running, and its address right?", host=host), sent=False
        )
    if isinstance(error, httpx2.LocalProtocolError | httpx2.UnsupportedProtocol):
        return _not_sendable(host)
    if answered:
        return temporary_fault(
            Sentence("the connection to {host} broke before the reply was whole", host=host), status="cut"
        )
    return temporary_fault(Sentence("{host} closed the connection without an answer", host=host))


def _not_sendable(host: str) -> Fault:
    return permanent_fault(
        Sentence("the call cannot be sent to {host}: check base_url and the key", host=host), sent=False
    )


async def _unstreamed_reply(response: httpx2.Response) -> Mapping[str, object] | None:
    """A reply that came as one JSON object; None if it is none."""
    try:
        data = json.loads(await response.aread())
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, Mapping) else None


class _Silence:
    """Ends the reading of a stream that has begun and then sends no byte for IDLE_S, or up to a quarter longer."""

    def __init__(self, response: httpx2.Response) -> None:
        self._response = response
        self._limit = asyncio.timeout(None)
        self._looks = 0
        self._seen_bytes = 0
        self._next: asyncio.TimerHandle | None = None
        self.lasted = False
        """True if the stream was ended."""

    async def __aenter__(self) -> Self:
        await self._limit.__aenter__()
        self._look()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, at: object) -> bool:
        if self._next is not None:
            self._next.cancel()
        try:
            await self._limit.__aexit__(kind, error, None)
        except TimeoutError:
            self.lasted = True
        return self.lasted

    def _look(self) -> None:
        """Every quarter of IDLE_S: the fifth look that sees no new byte ends it."""
        now_bytes = self._response.num_bytes_downloaded
        is_silent = now_bytes > 0 and now_bytes == self._seen_bytes
        self._looks = self._looks + 1 if is_silent else 0
        self._seen_bytes = now_bytes
        loop = asyncio.get_running_loop()
        if self._looks > LOOKS:
            self._limit.reschedule(loop.time())
        else:
            self._next = loop.call_later(IDLE_S / LOOKS, self._look)


async def _events_of(stream: Events) -> AsyncGenerator[object]:
    """The events of a stream. Errors in the loop of whoever reads them are never raised in here."""
    try:
        async for event in stream:
            yield event
    except NOT_READABLE as error:
        raise _NotReadable from error


def _timeout(deadline_s: float) -> httpx2.Timeout:
    """Connecting ends before the deadline does, so that a call that was never sent is known as such."""
    return httpx2.Timeout(None, connect=min(CONNECT_S, deadline_s / 2))
