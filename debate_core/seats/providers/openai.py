"""OpenAI's two dialects: `responses`, which is its own, and `chat`, which all compatible servers speak.

Defines the body of a call and the meaning of its events; `http` makes the call. Imported only when a seat of a model is
made.
"""

import json
from collections.abc import Mapping
from typing import ClassVar, cast

import httpx2
import openai

from debate_core.seats.providers.connection_faults import VendorFault
from debate_core.seats.providers.exchange import (
    Ending,
    Exchange,
    RequestBody,
    count_at,
    text_at,
    value_at,
    with_max_items,
)
from debate_core.seats.providers.faults import event_fault
from debate_core.seats.providers.http import NO_KEY, Events, HttpWire
from debate_core.seats.providers.wire import Call, ToolOffer
from debate_core.spec.values import Json

MAX_ITEMS = 8
"""Upper bound of a list in a reply for servers of small models; OpenAI's own models need none."""
LIMIT_FIELDS = ("max_tokens", "max_completion_tokens")
"""Names of the field for the maximum tokens of a reply; a server accepts one of them."""
_FINISHED: dict[str, Ending] = {
    **dict.fromkeys(("stop", "stop_sequence", "eos", "eos_token", "end_turn", "complete", "completed"), "whole"),
    **dict.fromkeys(("length", "max_tokens", "max_output_tokens", "model_length"), "limit"),
    **dict.fromkeys(("content_filter", "safety", "recitation", "prohibited_content", "sensitive"), "filtered"),
    **dict.fromkeys(("tool_calls", "function_call", "tool_use"), "tool"),
    **dict.fromkeys(("error", "abort", "cancelled", "network_error", "insufficient_system_resource"), "broken"),
    "refusal": "declined",
}
"""Reasons for the end of a reply, in the words of OpenAI, Google, Mistral, DeepSeek, vLLM, SGLang, Zhipu and others."""
_INCOMPLETE: dict[str, Ending] = {"max_output_tokens": "limit", "content_filter": "filtered"}
_Stream = openai.AsyncStream[object]


MAX_BREAKPOINTS = 4
_CACHE_PARTS = ("prompt_cache_options", "prompt_cache_breakpoint", "prompt_cache_key")


class _OpenAIWire(HttpWire):
    vendor_url: ClassVar[str] = "https://api.openai.com/v1"
    vendor_error: ClassVar[type[Exception]] = openai.OpenAIError
    path: ClassVar[str]

    def connect(self, http: httpx2.AsyncClient) -> None:
        self._client = openai.AsyncOpenAI(
            api_key=self.server.key or NO_KEY, base_url=self.base_url, max_retries=0, http_client=http
        )
        if self.line.base_url:
            # The environment's account at OpenAI must not reach another server.
            self._client.organization = self._client.project = None

    def cache_parts(self) -> tuple[str, ...]:
        """Parts of a call that only OpenAI gets."""
        return _CACHE_PARTS if self.line.provider == "openai" else ()

    def cached(self, call: Call, parts: list[RequestBody]) -> RequestBody:
        """Parameters that make OpenAI cache the prefix; marks the parts after which a cache should end.

        Without marks the cache would end after the newest message, which only one seat sends: written, paid and never
        read.
        """
        if self.line.provider != "openai":
            return {}
        cache: RequestBody = {}
        if call.cache_key and self.takes("prompt_cache_key"):
            cache["prompt_cache_key"] = call.cache_key
        if call.breakpoints and self.takes("prompt_cache_options") and self.takes("prompt_cache_breakpoint"):
            cache["prompt_cache_options"] = {"mode": "explicit", "ttl": "30m"}
            for index in call.breakpoints[-MAX_BREAKPOINTS:]:
                parts[index]["prompt_cache_breakpoint"] = {"mode": "explicit"}
        return cache

    async def post(self, body: RequestBody, timeout: httpx2.Timeout) -> Events:
        stream = await self._client.post(
            self.path, cast_to=object, body=body, options={"timeout": timeout}, stream=True, stream_cls=_Stream
        )
        return cast(Events, stream)

    def read_error(self, error: Exception) -> VendorFault:
        match error:
            case openai.APIStatusError():
                return VendorFault(error.response)
            case openai.APIError():
                return VendorFault(event=error.body)
        return VendorFault()

    def strictly(self) -> RequestBody:
        return {"strict": True} if self.takes("strict") else {}

    def function(self, tool: ToolOffer) -> RequestBody:
        """A tool as both dialects describe it."""
        return {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters,
            **self.strictly(),
        }

    async def fetch_models(self, timeout: httpx2.Timeout) -> object:
        return await self._client.get("/models", cast_to=object, options={"timeout": timeout})


class ChatWire(_OpenAIWire):
    """Chat completions. The prompt is one user message: many servers refuse parts, or two messages of one role.

    OpenAI accepts parts, and its caches end at marked ones.
    """

    path: ClassVar[str] = "/chat/completions"

    def optional_parts(self) -> tuple[str, ...]:
        return ("stream_options", "reasoning_effort", "strict", self._limit_field(), *self.cache_parts())

    def body(self, call: Call) -> RequestBody:
        parts: list[RequestBody] = [{"type": "text", "text": text} for text in (*call.blocks, call.tail)]
        cache = self.cached(call, parts)
        content = parts if "prompt_cache_options" in cache else "\n\n".join((*call.blocks, call.tail))
        messages: list[RequestBody] = [{"role": "user", "content": content}]
        if call.system:
            messages.insert(0, {"role": "system", "content": call.system})
        body: RequestBody = {
            "model": self.line.model,
            "messages": messages,
            self._limit_field(): call.max_tokens,
            **cache,
        }
        if self.takes("stream_options") and self.takes("stream"):
            body["stream_options"] = {"include_usage": True}
        if self.line.effort and self.takes("reasoning_effort"):
            body["reasoning_effort"] = self.line.effort
        body |= self._response_format(call)
        if self.offers_tools(call):
            body["tools"] = [{"type": "function", "function": self.function(tool)} for tool in call.tools]
        return body

    def _response_format(self, call: Call) -> RequestBody:
        how, schema = self.structure(call)
        if how == "schema":
            named = {"name": "turn", **self.strictly(), "schema": schema}
            return {"response_format": {"type": "json_schema", "json_schema": named}}
        return {"response_format": {"type": "json_object"}} if how == "json" else {}

    def adapt_schema(self, schema: Mapping[str, Json]) -> object:
        return schema if self.line.provider == "openai" else with_max_items(schema, MAX_ITEMS)

    def _limit_field(self) -> str:
        """The name of the limit for this server: the line's, unless it was refused."""
        other = next(name for name in LIMIT_FIELDS if name != self.line.max_key)
        return self.line.max_key if self.takes(self.line.max_key) else other

    def events_of_unstreamed(self, reply: Mapping[str, object]) -> list[object]:
        choice = value_at(reply, "choices", 0)
        if not isinstance(choice, Mapping) or not isinstance(choice.get("message"), Mapping):
            return []
        return [{**reply, "choices": [{**choice, "delta": choice["message"]}]}]

    def read_event(self, event: object, exchange: Exchange) -> None:
        if value_at(event, "error"):
            exchange.fail(event_fault(self.server, event))
        choice = value_at(event, "choices", 0)
        exchange.began = exchange.began or choice is not None
        exchange.model = text_at(event, "model") or exchange.model
        delta = value_at(choice, "delta")
        exchange.add("", text_at(delta, "reasoning_content") or text_at(delta, "reasoning"))
        exchange.add_content(value_at(delta, "content"))
        exchange.refusal += text_at(delta, "refusal")
        _read_tool_calls(value_at(delta, "tool_calls"), exchange)
        if usage := value_at(event, "usage"):
            _read_usage(usage, exchange, "prompt_tokens", "completion_tokens")
        reason = text_at(choice, "finish_reason")
        if reason and exchange.refusal:
            exchange.end_as("declined")
        elif reason:
            exchange.end_by(reason, _FINISHED)


class ResponsesWire(_OpenAIWire):
    """Responses, without storage at the vendor. The tail is a developer message after the shared prompt."""

    path: ClassVar[str] = "/responses"

    def optional_parts(self) -> tuple[str, ...]:
        return ("reasoning", "store", "strict", *self.cache_parts())

    def body(self, call: Call) -> RequestBody:
        parts: list[RequestBody] = [{"type": "input_text", "text": block} for block in call.blocks]
        cache = self.cached(call, parts)
        messages: list[RequestBody] = [{"role": "developer", "content": call.tail}]
        if parts:
            messages.insert(0, {"role": "user", "content": parts})
        body: RequestBody = {
            "model": self.line.model,
            "instructions": call.system,
            "input": messages,
            "max_output_tokens": call.max_tokens,
            **cache,
        }
        if self.takes("store"):
            body["store"] = False
        if self.line.effort and self.takes("reasoning"):
            body["reasoning"] = {"effort": self.line.effort}
        how, schema = self.structure(call)
        if how == "schema":
            named = {"type": "json_schema", "name": "turn", **self.strictly(), "schema": schema}
            body["text"] = {"format": named}
        elif how == "json":
            body["text"] = {"format": {"type": "json_object"}}
        if self.offers_tools(call):
            body["tools"] = [{"type": "function", **self.function(tool)} for tool in call.tools]
        return body

    def events_of_unstreamed(self, reply: Mapping[str, object]) -> list[object]:
        if not isinstance(reply.get("output"), list):
            return []
        return [{"type": f"response.{text_at(reply, 'status') or 'completed'}", "response": reply}]

    def read_event(self, event: object, exchange: Exchange) -> None:
        kind = text_at(event, "type")
        exchange.began = exchange.began or kind.startswith("response.")
        exchange.model = text_at(event, "response", "model") or exchange.model
        match kind:
            case "response.output_item.added":
                exchange.heard_item = False
                _note_aside(value_at(event, "item"), event, exchange)
            case "response.output_text.delta":
                exchange.heard_item = True
                _add_text(text_at(event, "delta"), event, exchange)
            case "response.output_text.done" | "response.content_part.done" | "response.output_item.done":
                _add_unheard(event, exchange)
            case "response.reasoning_summary_text.delta" | "response.reasoning_text.delta":
                exchange.add("", text_at(event, "delta"))
            case "response.refusal.delta":
                exchange.refusal += text_at(event, "delta")
            case "response.refusal.done":
                exchange.refusal = exchange.refusal or text_at(event, "refusal")
            case "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled":
                self._end(kind.removeprefix("response."), value_at(event, "response"), exchange)
            case "error":
                exchange.fail(event_fault(self.server, value_at(event, "error") or event))

    def _end(self, named: str, response: object, exchange: Exchange) -> None:
        """Record the end of the reply, by the status of the response, or else by the name of the event."""
        _read_usage(value_at(response, "usage"), exchange, "input_tokens", "output_tokens")
        _read_output(value_at(response, "output"), exchange)
        status = text_at(response, "status") or named
        reason = text_at(response, "incomplete_details", "reason")
        if status == "failed":
            exchange.fail(event_fault(self.server, value_at(response, "error")))
        elif exchange.refusal:
            exchange.end_as("declined")
        elif status == "completed":
            exchange.end_as("whole")
        else:
            exchange.reason = reason or status
            exchange.end_as(_INCOMPLETE.get(exchange.reason, "broken"))


def _read_tool_calls(calls: object, exchange: Exchange) -> None:
    for call in calls if isinstance(calls, list) else ():
        function = value_at(call, "function")
        exchange.add_tool_call(value_at(call, "index"), text_at(function, "name"), _arguments_of(function))


def _read_function_call(item: object, exchange: Exchange) -> None:
    """Read a whole call, if none was read before: the end of a response repeats its items."""
    if text_at(item, "type") == "function_call" and not exchange.tool_name:
        exchange.add_tool_call(None, text_at(item, "name"), _arguments_of(item))


def _arguments_of(function: object) -> str:
    """The arguments of a call; some servers send them as an object."""
    arguments = value_at(function, "arguments")
    return json.dumps(arguments) if isinstance(arguments, Mapping) else text_at(function, "arguments")


def _item_names(item: object, event: object) -> set[str]:
    """The names of an item in its events: some use its id, some its index."""
    index = value_at(event, "output_index")
    names = (text_at(item, "id"), text_at(event, "item_id"), "" if index is None else str(index))
    return {name for name in names if name}


def _note_aside(item: object, event: object, exchange: Exchange) -> None:
    """Exclude commentary, which a model writes before its answer, from the reply."""
    if text_at(item, "phase") == "commentary":
        exchange.asides |= _item_names(item, event)


def _add_text(text: str, event: object, exchange: Exchange) -> None:
    is_aside = _item_names(None, event) & exchange.asides
    exchange.add(*(("", text) if is_aside else (text, "")))


def _add_unheard(event: object, exchange: Exchange) -> None:
    """Add the text or the call of a finished item, if none of it was streamed."""
    item = value_at(event, "item")
    _read_function_call(item, exchange)
    _note_aside(item, event, exchange)
    text = text_at(event, "text") or text_at(event, "part", "text") or _text_of(item)
    is_reply = text_at(item, "type") in ("", "message") and text_at(event, "part", "type") in ("", "output_text")
    if text and is_reply and not exchange.heard_item:
        _add_text(text, event, exchange)
    # Events after the end of an item belong to another one.
    exchange.heard_item = item is None


def _read_output(output: object, exchange: Exchange) -> None:
    """Read from the whole response a refusal that some servers report only here, and text that was not streamed or that
    includes commentary."""
    messages = []
    for item in output if isinstance(output, list) else ():
        _read_function_call(item, exchange)
        if text_at(item, "type") in ("", "message"):
            messages.append(item)
    refusals = [text_at(item, "content", 0, "refusal") for item in messages]
    exchange.refusal = next(filter(None, [exchange.refusal, *refusals]), "")
    answers = [item for item in messages if text_at(item, "phase") != "commentary"]
    text = "".join(map(_text_of, answers))
    if not text:
        return
    if not exchange.text:
        exchange.add(text)
    elif len(answers) < len(messages):
        exchange.restate(text)


def _text_of(item: object) -> str:
    parts = value_at(item, "content")
    return "".join(text_at(part, "text") for part in parts) if isinstance(parts, list) else ""


def _read_usage(usage: object, exchange: Exchange, sent: str, output: str) -> None:
    """Set the usage; `sent` and `output` are the dialect's names of the two counts."""
    written = value_at(usage, f"{sent}_details", "cache_write_tokens")
    exchange.set_usage(
        sent=count_at(usage, sent),
        cached=count_at(usage, f"{sent}_details", "cached_tokens"),
        output=count_at(usage, output),
        thinking=count_at(usage, f"{output}_details", "reasoning_tokens"),
        final=True,
        written=None if written is None else count_at(written),
    )
