"""Base class of all dialects: one request per call, one deadline, and the optional parts that a server refuses.

A call goes through the vendor's own client, and its events come back as plain objects: parsing them into the vendor's
types costs more than the rest of a call. Knows no vendor. `client` makes the HTTP client, `connection_faults` names
the exceptions of a call, `faults` the error answers of a server, and `silence` ends a stream that falls silent.

Bugs of this program are raised unchanged: reported as a fault, they would make people check their address or key.
"""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, aclosing
from typing import ClassVar, Literal, Protocol
from urllib.parse import urlsplit

# The package on which the libraries of both vendors are built, not `httpx`.
import httpx2

from debate_core.errors import SeatError, SeatTimeout
from debate_core.seats.providers.client import client_over, timeout, transport_to
from debate_core.seats.providers.connection_faults import (
    NOT_READABLE,
    NOT_SENDABLE,
    NotReadable,
    NotSendable,
    VendorFault,
    call_fault,
)
from debate_core.seats.providers.exchange import Exchange, RequestBody, prompt_chars
from debate_core.seats.providers.faults import SCHEMA, CallTerms, Fault, permanent_fault, temporary_fault
from debate_core.seats.providers.network import DIRECT, Network, proxy_name, proxy_password
from debate_core.seats.providers.offers import offers_in, ollama_context
from debate_core.seats.providers.provider_errors import Server, provider_error, scrub
from debate_core.seats.providers.silence import SilenceTimer
from debate_core.seats.providers.token_limits import ServerLimits
from debate_core.seats.providers.wire import Call, Offer, OnPiece, Reply
from debate_core.sentence import Sentence
from debate_core.spec.models import ModelLine
from debate_core.spec.values import Json

TOOLS = "tools"
NO_KEY = "none"
"""Sent where a server asks for no key: the vendors' clients do not work without one."""


class Events(AbstractAsyncContextManager["Events"], Protocol):
    """The stream of either vendor's client."""

    response: httpx2.Response

    def __aiter__(self) -> AsyncIterator[object]: ...


class HttpWire(ABC):
    """A `Wire` over HTTP. A dialect defines the body of a call and the meaning of its events.

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
            def read_error(self, error): return VendorFault(error.response)
            def events_of_unstreamed(self, reply): return []
            async def fetch_models(self, timeout): return await self._client.models(timeout=timeout)

    This class handles connection, deadline and faults. A reply without an end from `read_event` counts as cut off.
    Usage that `read_event` does not set (`Exchange.set_usage`) is estimated from the characters.
    """

    vendor_url: ClassVar[str]
    vendor_error: ClassVar[type[Exception]]

    def __init__(
        self,
        line: ModelLine,
        key: str | None,
        limits: ServerLimits | None = None,
        network: Network = DIRECT,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        """`limits` are updated by refusals of the server; `transport` replaces the network."""
        self.line = line
        self.base_url = line.base_url or self.vendor_url
        self._network = network
        self._transport = transport
        proxy = network.proxy_for(self.base_url)
        host = urlsplit(self.base_url).netloc.rpartition("@")[2]
        self.server = Server(
            host,
            line.model,
            (key or "").strip(),
            line.key_env,
            proxy_name(proxy),
            proxy_password(proxy),
            proxy_has_certificate=proxy.startswith("https:"),
        )
        self._limits = limits or ServerLimits()
        self._http: httpx2.AsyncClient | None = None
        self._call_errors = (self.vendor_error, httpx2.HTTPError, NotSendable, NotReadable)
        self._open()

    @abstractmethod
    def connect(self, http: httpx2.AsyncClient) -> None:
        """Make the vendor's client on top of this one."""

    @abstractmethod
    def body(self, call: Call) -> RequestBody:
        """Build the JSON body of a call."""

    @abstractmethod
    def optional_parts(self) -> tuple[str, ...]:
        """Names, as servers use them, of the parts of a body that can be left out if a server refuses them."""

    @abstractmethod
    async def post(self, body: RequestBody, timeout: httpx2.Timeout) -> Events:
        """Send the body and return its stream once the server has begun to answer.

        Raises `vendor_error`, an error of the connection (perhaps as its cause), or one of NOT_SENDABLE.
        """

    def adapt_schema(self, schema: Mapping[str, Json]) -> object:
        """Adapt the schema to what servers of this dialect accept."""
        return schema

    @abstractmethod
    def read_event(self, event: object, exchange: Exchange) -> None:
        """Update the exchange from an event; never raises."""

    @abstractmethod
    def read_error(self, error: Exception) -> VendorFault:
        """Extract the response or the error event from an error of the vendor's client; never raises."""

    @abstractmethod
    async def fetch_models(self, timeout: httpx2.Timeout) -> object:
        """Fetch the server's list of models as plain objects."""

    @abstractmethod
    def events_of_unstreamed(self, reply: Mapping[str, object]) -> list[object]:
        """Convert a reply that was not streamed to events; [] if it is no reply."""

    def takes(self, part: str) -> bool:
        """Return False once the server has refused this optional part of a call."""
        return part not in self._limits.refused

    def structure(self, call: Call) -> tuple[Literal["schema", "json", "prompt"], object]:
        """The way to ask for a JSON reply, with the adapted schema for "schema"."""
        if call.structured == "prompt" or not self.takes(SCHEMA):
            return "prompt", None
        if call.structured == "json":
            return "json", None
        return "schema", self.adapt_schema(call.schema)

    def offers_tools(self, call: Call) -> bool:
        """True if this call offers tools, and the server has not refused them."""
        return bool(call.tools) and self.takes(TOOLS)

    async def ask(self, call: Call, on_piece: OnPiece, *, deadline_s: float) -> Reply:
        """Send one request and return its reply, complete or not; raises nothing but cancellation and bugs."""
        limit = asyncio.timeout(deadline_s)
        call = self._limits.fitted(call, prompt_chars(call))
        exchange = Exchange(self.server, call, on_piece, limit)
        optional_parts = ("stream", "temperature", "seed", *self.optional_parts())
        if call.structured != "prompt":
            optional_parts = (*optional_parts, SCHEMA)
        if call.tools:
            optional_parts = (*optional_parts, TOOLS)
        # Computed before the answer comes, because parallel calls are refused for the same part.
        could_be_left_out = [part for part in optional_parts if self.takes(part)]
        asked = CallTerms(deadline_s, could_be_left_out, call.max_tokens)
        try:
            async with limit:
                await self._converse(exchange, deadline_s)
        except TimeoutError:
            # The exchange also uses this limit to stop reading, after the end of a reply or if it is too long; it has
            # its end or fault then, and this call of `fail` changes nothing.
            exchange.fail(self._late_fault(exchange, deadline_s))
        except self._call_errors as error:
            fault = self._fault(error, asked, answered=exchange.answered)
            if fault.refused:
                self._limits.refused.add(fault.refused)
            if fault.limit and not self._limits.lower(fault.limit, prompt_chars(call)):
                fault = permanent_fault(fault.message)
            exchange.fail(fault)
        return exchange.reply()

    async def models(self, *, deadline_s: float) -> tuple[Offer, ...]:
        """List the models that the server offers; SeatError if it does not list them."""
        try:
            async with asyncio.timeout(deadline_s):
                self._open()
                page = await self._fetch_models(deadline_s)
        except TimeoutError:
            raise SeatTimeout(
                "{host} did not list its models within {deadline_s:g} s", host=self.server.host, deadline_s=deadline_s
            ) from None
        except NotReadable:
            raise SeatError("{host} lists its models in a form that cannot be read", host=self.server.host) from None
        except self._call_errors as error:
            raise SeatError(self._fault(error, CallTerms(deadline_s), answered=False).message) from None
        offers = offers_in(page, self.server.key)
        if not offers:
            raise SeatError("{host} lists no models", host=self.server.host)
        return offers

    async def context_tokens(self, *, deadline_s: float) -> int | None:
        """Tokens that fit into one call, for a server without a key that has Ollama's API."""
        if self._http is None or self.server.key or not self.line.base_url:
            return None
        return await ollama_context(self._http, self.line, deadline_s=deadline_s)

    async def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        http = self._http
        self._http = None
        if http is not None:
            await http.aclose()

    def _open(self) -> None:
        if self._http is None:
            self._http = client_over(self._transport or transport_to(self.base_url, self._network))
            self.connect(self._http)

    def _timeout(self, deadline_s: float) -> httpx2.Timeout:
        return timeout(deadline_s, proxied=bool(self.server.proxy))

    async def _converse(self, exchange: Exchange, deadline_s: float) -> None:
        self._open()
        try:
            stream = await self.post(self._full_body(exchange.call), self._timeout(deadline_s))
        except NOT_SENDABLE as error:
            raise NotSendable from error
        exchange.answered = True
        self._limits.answered()
        async with stream, aclosing(_events_of(stream)) as events, SilenceTimer(stream.response) as silence:
            kind = stream.response.headers.get("content-type", "no content type")
            if kind.startswith("application/json"):
                await self._read_unstreamed(stream.response, exchange)
                if exchange.began:
                    return
            if not kind.startswith("text/event-stream"):
                exchange.fail(await self._no_stream(stream.response, kind))
                return
            async for event in events:
                self.read_event(event, exchange)
        if silence.expired:
            message = Sentence("{host} sent nothing for {silence:g} s", host=self.server.host, silence=silence.limit_s)
            exchange.fail(Fault(message, "timeout", transport=True))

    async def _read_unstreamed(self, response: httpx2.Response, exchange: Exchange) -> None:
        """Read a reply that came as one JSON object, if it is one."""
        try:
            reply = json.loads(await response.aread())
        except (ValueError, RecursionError):
            return
        if isinstance(reply, Mapping):
            for event in self.events_of_unstreamed(reply):
                self.read_event(event, exchange)

    async def _no_stream(self, response: httpx2.Response, kind: str) -> Fault:
        """The fault of an answer that is neither a stream nor a reply."""
        error = provider_error((await response.aread()).decode("utf-8", "replace"), self.server)
        host = self.server.host
        if error.is_page:
            message = Sentence(
                "{host} answered with a web page instead of a stream of events{title}: a proxy or a filter may be in "
                "between, or base_url may be wrong",
                host=host,
                title=f" ({error.message})" if error.message else "",
            )
        else:
            shown = scrub(kind.partition(";")[0][:60], self.server)
            message = Sentence("{host} answered with {shown} instead of a stream of events", host=host, shown=shown)
        return temporary_fault(message, status="malformed")

    def _full_body(self, call: Call) -> RequestBody:
        """The body of a call with the settings of its line; `extra` overrides everything."""
        line = self.line
        body = self.body(call)
        body["stream"] = self.takes("stream")
        if line.temperature is not None and self.takes("temperature"):
            body["temperature"] = float(line.temperature)
        if line.seed is not None and self.takes("seed"):
            body["seed"] = line.seed
        return {**body, **json.loads(line.extra or "{}")}

    async def _fetch_models(self, deadline_s: float) -> object:
        try:
            return await self.fetch_models(self._timeout(deadline_s))
        except NOT_SENDABLE as error:
            raise NotSendable from error
        except (ValueError, RecursionError) as error:
            raise NotReadable from error

    def _fault(self, error: Exception, asked: CallTerms, *, answered: bool) -> Fault:
        vendor_fault = self.read_error(error) if isinstance(error, self.vendor_error) else None
        return call_fault(self.server, error, vendor_fault, asked, answered=answered)

    def _late_fault(self, exchange: Exchange, deadline_s: float) -> Fault:
        """The fault of a passed deadline; it names the proxy, which may be the cause, if nothing came through it."""
        host, deadline = self.server.host, round(deadline_s, 1)
        message = Sentence("{host} did not finish within {deadline:g} s", host=host, deadline=deadline)
        if self.server.proxy and not exchange.answered:
            message = Sentence(
                "{host} did not finish within {deadline:g} s through the proxy {proxy}",
                host=host,
                deadline=deadline,
                proxy=self.server.proxy,
            )
        # A reply that has begun is too long for the deadline: its stream did not break.
        return Fault(message, "timeout", transport=not exchange.began)


async def _events_of(stream: Events) -> AsyncGenerator[object]:
    """The events of a stream; its unexpected errors become NotReadable, errors of the caller's loop do not."""
    try:
        async for event in stream:
            yield event
    except NOT_READABLE as error:
        raise NotReadable from error
