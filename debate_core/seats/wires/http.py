"""What the dialects have in common: one deadline, one way to name a fault, one memory of what a server refuses.

A call is one request. It goes through the vendor's own client, and its events come back as plain objects: reading them
into the vendor's types costs more than the rest of a call. Knows no vendor. The client is made in `client`, faults of
the connection are named in `connection_faults`, and those of answers in `faults`.

An error of the address, the key, the connection or the server becomes a fault in words. What breaks in this program
itself is raised as it is: told as a fault, it would send people to look for the mistake in their address or key.
"""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol
from urllib.parse import urlsplit

# No slip of the pen: the package on which the libraries of both vendors are built, and not `httpx`.
import httpx2

from debate_core.errors import SeatError, SeatTimeout
from debate_core.seats.wires.client import client_over, connect_s, timeout, transport_to
from debate_core.seats.wires.connection_faults import connection_fault, not_sendable
from debate_core.seats.wires.exchange import Exchange, RequestBody, prompt_chars
from debate_core.seats.wires.faults import (
    SCHEMA,
    CallTerms,
    ErrorAnswer,
    Fault,
    event_fault,
    http_fault,
    permanent_fault,
    temporary_fault,
)
from debate_core.seats.wires.network import DIRECT, Network, proxy_name, proxy_password
from debate_core.seats.wires.offers import offers_in, ollama_context
from debate_core.seats.wires.provider_errors import Server, provider_error, scrub
from debate_core.seats.wires.silence import SilenceTimer
from debate_core.seats.wires.token_limits import ServerLimits
from debate_core.seats.wires.wire import Call, Offer, OnPiece, Reply
from debate_core.sentence import Sentence
from debate_core.spec.models import ModelLine
from debate_core.spec.values import Json

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


@dataclass(frozen=True, slots=True)
class VendorFault:
    """What an error of a vendor's client carries."""

    response: httpx2.Response | None = None
    """The answer with an HTTP status, if there was one."""
    event: object = None
    """The error event of a stream that had begun."""


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
            def read_error(self, error): return VendorFault(error.response)
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
        limits: ServerLimits | None = None,
        network: Network = DIRECT,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        """`limits`: what the server of this line does not take; it learns more of that.

        `transport`: what the calls go through instead of the network, for whoever listens to what passes.
        """
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

        Raises `vendor_error`, an error of the connection (perhaps as its cause), or of NOT_SENDABLE.
        """

    def adapt_schema(self, schema: Mapping[str, Json]) -> object:
        """The schema as this dialect's servers take it."""
        return schema

    @abstractmethod
    def read_event(self, event: object, exchange: Exchange) -> None:
        """Tell the exchange what an event means; never raises."""

    @abstractmethod
    def read_error(self, error: Exception) -> VendorFault:
        """What an error of the vendor's client carries; never raises."""

    @abstractmethod
    async def fetch_models(self, timeout: httpx2.Timeout) -> object:
        """The server's own list of models, as it says it."""

    @abstractmethod
    def events_of_unstreamed(self, reply: Mapping[str, object]) -> list[object]:
        """The events in which a reply that came at once would have come; [] if it is none."""

    def takes(self, part: str) -> bool:
        """False once the server has refused this optional part of a call."""
        return part not in self._limits.refused

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
        call = self._limits.fitted(call, prompt_chars(call))
        exchange = Exchange(self.server, call, on_piece, limit)
        optional_parts = ("stream", "temperature", "seed", *self.optional_parts())
        if call.structured != "prompt":
            optional_parts = (*optional_parts, SCHEMA)
        # Now, not when the answer comes: seats side by side are refused the same part.
        could_be_left_out = [part for part in optional_parts if self.takes(part)]
        asked = CallTerms(deadline_s, could_be_left_out, call.max_tokens)
        try:
            async with limit:
                await self._converse(exchange, deadline_s)
        except TimeoutError:
            # The exchange ends the reading by this limit, too, after the end of a reply and where one is too long: then
            # it has its end or its fault, and what is told here changes nothing. Where the deadline has passed, a reply
            # that has begun takes too long: it is not its stream that broke.
            exchange.fail(Fault(self._late_words(exchange, deadline_s), "timeout", transport=not exchange.began))
        except self._call_errors as error:
            fault = self._fault(error, asked, answered=exchange.answered)
            exchange.fail(self._learnt(fault, call))
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
            raise SeatError(self._fault(error, CallTerms(deadline_s), answered=False).message) from None
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
            self._http = client_over(self._transport or transport_to(self.base_url, self._network))
            self.connect(self._http)

    async def _converse(self, exchange: Exchange, deadline_s: float) -> None:
        self._open()
        stream = await self._send(self._full_body(exchange.call), deadline_s)
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
        """A reply that came as one JSON object, if it is one."""
        reply = await _unstreamed_reply(response)
        if reply:
            for event in self.events_of_unstreamed(reply):
                self.read_event(event, exchange)

    async def _no_stream(self, response: httpx2.Response, kind: str) -> Fault:
        """A whole answer that is neither a stream nor a reply."""
        told = provider_error((await response.aread()).decode("utf-8", "replace"), self.server)
        host = self.server.host
        if told.is_page:
            message = Sentence(
                "{host} answered with a web page instead of a stream of events{title}: a proxy or a filter may stand "
                "between, or base_url may be wrong",
                host=host,
                title=f" ({told.message})" if told.message else "",
            )
        else:
            shown = scrub(kind.partition(";")[0][:60], self.server)
            message = Sentence("{host} answered with {shown} instead of a stream of events", host=host, shown=shown)
        return temporary_fault(message, status="malformed")

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
            return await self.post(body, timeout(deadline_s))
        except NOT_SENDABLE as error:
            raise _NotSendable from error

    async def _fetch_models(self, deadline_s: float) -> object:
        try:
            return await self.fetch_models(timeout(deadline_s))
        except NOT_SENDABLE as error:
            raise _NotSendable from error
        except (ValueError, RecursionError) as error:
            raise _NotReadable from error

    def _fault(self, error: Exception, asked: CallTerms, *, answered: bool) -> Fault:
        """What this error means. A response tells most, then the connection, then whether anything was sent."""
        told = self.read_error(error) if isinstance(error, self.vendor_error) else VendorFault()
        if told.response is not None and told.response.status_code >= 300:
            return http_fault(self.server, _error_answer(told.response), asked)
        cause = error if isinstance(error, httpx2.HTTPError) else error.__cause__
        if isinstance(cause, httpx2.HTTPError):
            return connection_fault(self.server, cause, answered=answered, connect_s=connect_s(asked.deadline_s))
        if not answered:
            # Neither a server nor the connection: the client has refused the address or the key by itself.
            return not_sendable(self.server)
        if isinstance(error, self.vendor_error):
            return event_fault(self.server, told.event)
        # The connection's fault, not the model's: it is asked the same again, without words on its reply.
        return temporary_fault(Sentence("{host} sent events that cannot be read", host=self.server.host), status="cut")

    def _learnt(self, fault: Fault, call: Call) -> Fault:
        """The fault, once what the server does not take is remembered."""
        if fault.refused:
            self._limits.refused.add(fault.refused)
        if fault.limit and not self._limits.lower(fault.limit, prompt_chars(call)):
            return permanent_fault(fault.message)
        return fault

    def _late_words(self, exchange: Exchange, deadline_s: float) -> str:
        """That the deadline has passed; where a proxy stands between and nothing came, it may be the proxy."""
        host, deadline = self.server.host, round(deadline_s, 1)
        if self.server.proxy and not exchange.answered:
            return Sentence(
                "{host} was not done within {deadline:g} s through the proxy {proxy}",
                host=host,
                deadline=deadline,
                proxy=self.server.proxy,
            )
        return Sentence("{host} was not done within {deadline:g} s", host=host, deadline=deadline)


def _error_answer(response: httpx2.Response) -> ErrorAnswer:
    """An answer with an HTTP status; the vendors' clients have read it whole before they raise."""
    try:
        body: object = json.loads(response.content)
    except httpx2.StreamError:
        body = None
    except (ValueError, RecursionError):
        body = response.text
    return ErrorAnswer(response.status_code, body, response.headers)


async def _unstreamed_reply(response: httpx2.Response) -> Mapping[str, object] | None:
    """A reply that came as one JSON object; None if it is none."""
    try:
        data = json.loads(await response.aread())
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, Mapping) else None


async def _events_of(stream: Events) -> AsyncGenerator[object]:
    """The events of a stream. Errors in the loop of whoever reads them are never raised in here."""
    try:
        async for event in stream:
            yield event
    except NOT_READABLE as error:
        raise _NotReadable from error
