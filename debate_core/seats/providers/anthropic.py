"""Anthropic's dialect, `messages`, and servers that speak it too.

Defines the body of a call and the meaning of its events; `http` makes the call. Imported only when a seat of a model is
made.
"""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import ClassVar, cast

import anthropic
import httpx2
from anthropic.resources import messages

from debate_core.seats.providers.connection_faults import VendorFault
from debate_core.seats.providers.exchange import Ending, Exchange, RequestBody, count_at, text_at, value_at
from debate_core.seats.providers.faults import event_fault, permanent_fault
from debate_core.seats.providers.http import NO_KEY, Events, HttpWire
from debate_core.seats.providers.wire import Call
from debate_core.sentence import Sentence
from debate_core.spec.values import Json

MAX_BREAKPOINTS = 4
_STOPPED: dict[str, Ending] = {
    "": "whole",
    "end_turn": "whole",
    "stop_sequence": "whole",
    "refusal": "declined",
    "max_tokens": "limit",
    "tool_use": "tool",
    "pause_turn": "tool",
}


class MessagesWire(HttpWire):
    """Messages. One user message with a part for each block, the tail last; caches end at the breakpoints."""

    vendor_url: ClassVar[str] = "https://api.anthropic.com"
    vendor_error: ClassVar[type[Exception]] = anthropic.AnthropicError

    def connect(self, http: httpx2.AsyncClient) -> None:
        # With a key given, the client looks for no profile or token of this machine.
        self._client = anthropic.AsyncAnthropic(
            api_key=self.server.key or NO_KEY,
            auth_token=None,
            base_url=self.base_url,
            max_retries=0,
            http_client=http,
        )

    async def post(self, body: RequestBody, timeout: httpx2.Timeout) -> Events:
        stream = await self._client.post(
            "/v1/messages",
            cast_to=object,
            body=body,
            options={"timeout": timeout},
            stream=True,
            stream_cls=anthropic.AsyncStream[object],
        )
        return cast(Events, stream)

    async def fetch_models(self, timeout: httpx2.Timeout) -> object:
        params = {"limit": 1000}
        return await self._client.get("/v1/models", cast_to=object, options={"timeout": timeout, "params": params})

    def optional_parts(self) -> tuple[str, ...]:
        return ("effort", "cache_control")

    def body(self, call: Call) -> RequestBody:
        parts: list[RequestBody] = [{"type": "text", "text": text} for text in (*call.blocks, call.tail)]
        if self.takes("cache_control"):
            _mark_breakpoints(parts, call)
        body: RequestBody = {
            "model": self.line.model,
            "max_tokens": call.max_tokens,
            "messages": [{"role": "user", "content": parts}],
        }
        if call.system:
            body["system"] = call.system
        config: RequestBody = {}
        if self.line.effort and self.takes("effort"):
            config["effort"] = self.line.effort
        how, schema = self.structure(call)
        if how == "schema":
            config["format"] = {"type": "json_schema", "schema": schema}
        if config:
            body["output_config"] = config
        if self.offers_tools(call):
            body["tool_choice"] = {"type": "auto", "disable_parallel_tool_use": True}
            body["tools"] = [
                {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
                for tool in call.tools
            ]
        return body

    def adapt_schema(self, schema: Mapping[str, Json]) -> object:
        return anthropic.transform_schema(dict(schema))

    def events_of_unstreamed(self, reply: Mapping[str, object]) -> list[object]:
        parts = reply.get("content")
        if not isinstance(parts, list):
            return []
        delta = {name: reply.get(name) for name in ("stop_reason", "stop_details")}
        return [
            {"type": "message_start", "message": reply},
            *({"type": "content_block_delta", "delta": part} for part in parts),
            {"type": "message_delta", "delta": delta, "usage": reply.get("usage")},
            {"type": "message_stop"},
        ]

    def read_event(self, event: object, exchange: Exchange) -> None:
        match text_at(event, "type"):
            case "message_start":
                exchange.began = True
                exchange.model = text_at(event, "message", "model") or exchange.model
                _read_usage(value_at(event, "message", "usage"), exchange, final=False)
            case "content_block_start":
                block = value_at(event, "content_block")
                exchange.add(text_at(block, "text"), text_at(block, "thinking"))
                if text_at(block, "type") == "tool_use":
                    exchange.add_tool_call(value_at(event, "index"), text_at(block, "name"))
            case "content_block_delta":
                _read_delta(event, exchange)
            case "message_delta":
                exchange.reason = text_at(event, "delta", "stop_reason") or exchange.reason
                exchange.refusal = _refusal_words(value_at(event, "delta", "stop_details")) or exchange.refusal
                _read_usage(value_at(event, "usage"), exchange, final=True)
            case "message_stop":
                self._end(exchange)
            case "error":
                exchange.fail(event_fault(self.server, event))

    def _end(self, exchange: Exchange) -> None:
        if exchange.reason == "model_context_window_exceeded":
            too_long = Sentence(
                "prompt and reply are longer than {model} accepts at {host}",
                model=self.line.model,
                host=self.server.host,
            )
            exchange.fail(permanent_fault(too_long))
        else:
            exchange.end_by(exchange.reason, _STOPPED)

    def read_error(self, error: Exception) -> VendorFault:
        match error:
            # An error event of a stream carries the response that had begun.
            case anthropic.APIStatusError():
                return VendorFault(error.response, error.body)
            case anthropic.APIError():
                return VendorFault(event=error.body)
        return VendorFault()


def _read_delta(event: object, exchange: Exchange) -> None:
    """Read a part of a block; the block of a reply that was not streamed is one part."""
    delta = value_at(event, "delta")
    exchange.add(text_at(delta, "text"), text_at(delta, "thinking"))
    match text_at(delta, "type"):
        case "input_json_delta":
            exchange.add_tool_call(value_at(event, "index"), arguments=text_at(delta, "partial_json"))
        case "tool_use":
            exchange.add_tool_call(None, text_at(delta, "name"), json.dumps(value_at(delta, "input")))


def _refusal_words(details: object) -> str:
    """The vendor's explanation of a refusal, followed by its category."""
    category, explanation = text_at(details, "category"), text_at(details, "explanation")
    if not explanation:
        return category
    return f"{explanation} ({category})" if category else explanation


def _mark_breakpoints(parts: Sequence[RequestBody], call: Call) -> None:
    """Name the parts up to which the server may cache the prompt."""
    cache = {"type": "ephemeral", "ttl": "1h"} if call.keeps_an_hour else {"type": "ephemeral"}
    for index in call.breakpoints[-MAX_BREAKPOINTS:]:
        parts[index]["cache_control"] = cache


def _read_usage(usage: object, exchange: Exchange, *, final: bool) -> None:
    """Set the usage. Input counts come first; servers that follow the vendor exactly repeat them at the end."""
    cached = count_at(usage, "cache_read_input_tokens")
    has_written = value_at(usage, "cache_creation_input_tokens") is not None
    written = count_at(usage, "cache_creation_input_tokens") if has_written else None
    sent = count_at(usage, "input_tokens") + cached + (written or 0)
    before = exchange.reported
    if before is not None and not sent:
        sent = before.input_tokens
        cached = before.cached_tokens
        written = before.cache_write_tokens
    thinking = count_at(usage, "output_tokens_details", "thinking_tokens")
    output = count_at(usage, "output_tokens")
    exchange.set_usage(sent=sent, cached=cached, output=output, thinking=thinking, final=final, written=written)


def retirement(model: str) -> date | None:
    """The day on which this model is retired, if the vendor's library gives it: `November 30th, 2026`."""
    day = getattr(messages, "DEPRECATED_MODELS", {}).get(model, "")
    day_in_digits = re.sub(r"(?<=\d)(st|nd|rd|th)", "", day)
    with suppress(ValueError):
        return datetime.strptime(day_in_digits, "%B %d, %Y").replace(tzinfo=UTC).date()
    return None
