"""Everything that the fault server can do wrong, and what providers say when they refuse.

Pure: no socket and no clock.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from tests.model_replies import Data, Dialect, Ending, Filling, schema_of

Refusing = Literal["401", "403", "404", "schema", "parameter", "context", "429", "quota", "500", "503", "529"]
"""Answers with an HTTP status. `schema` and `parameter` only to a call that asks for one, as servers do."""
NoStream = Literal["html", "badjson", "shape", "nothing", "redirect", "hang", "closed"]
"""Status 200 without a stream: a page, half an object, another object, no bytes; another address; no answer at all,
while the connection stays open, or at once its end."""
Broken = Literal["cut", "reset", "error_event", "failed", "stall", "drip", "bad_event", "odd_event"]
"""The stream begins and goes wrong in its middle. `cut` ends it cleanly, without the terminal event."""
BadText = Literal["garbage", "wrong_fields", "bad_vote", "no_vote", "empty", "refusal", "length", "filter"]
"""A whole stream whose text is no good turn."""
Odd = Literal["thinking", "fence", "prose", "think_tags", "slow"]
"""A whole stream with a good turn, which the client has to find or wait for."""
Kind = Refusing | NoStream | Broken | BadText | Odd


@dataclass(frozen=True)
class Fault:
    """Fault on certain calls (counted from 1): those of `at`, else `times` calls from `first` on."""

    kind: Kind
    at: tuple[int, ...] = ()
    first: int = 1
    times: int | None = None
    """None = for ever."""
    model: str | None = None
    """Only calls that ask for this model."""
    headers: Mapping[str, str] = field(default_factory=lambda: {"retry-after": "1"})
    """Of a 429, 503 or 529."""
    lasts: Callable[[], bool] | None = None
    """Asked at each such call: True as long as it goes wrong."""
    said: "Refusal | None" = None
    """What the provider answers instead of its usual words."""
    wait_s: float = 0.3
    """Until the first byte of a slow reply."""

    def hits(self, number: int, model: str) -> bool:
        if self.model not in (None, model):
            return False
        if self.at:
            return number in self.at
        in_time = number >= self.first and (self.times is None or number < self.first + self.times)
        return in_time and (self.lasts is None or self.lasts())


@dataclass(frozen=True)
class Refusal:
    """An HTTP status and its body."""

    status: int
    body: Data | Sequence[Data]


_SLOWLY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "41s"}
VENDOR_BODIES: Mapping[str, Refusal] = {
    "Google, wrong key": Refusal(
        400, [{"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT"}}]
    ),
    "Google, RetryInfo": Refusal(
        429, [{"error": {"code": 429, "message": "Quota exceeded.", "status": "EXHAUSTED", "details": [_SLOWLY]}}]
    ),
    "Mistral, detail": Refusal(
        422, {"message": {"detail": [{"loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}]}}
    ),
    "FastAPI, detail": Refusal(422, {"detail": [{"loc": ["body", "messages"], "msg": "Field required"}]}),
}
"""Errors in forms of their own, as these servers send them."""

_STATUS = {
    "401": 401,
    "403": 403,
    "404": 404,
    "schema": 400,
    "parameter": 400,
    "context": 400,
    "429": 429,
    "quota": 429,
}


def refusal(kind: Refusing, dialect: Dialect | None, model: str, key: str) -> Refusal:
    """Return the provider's error for a dialect. Like theirs, the answer to a wrong key shows a part of it."""
    status = _STATUS.get(kind, int(kind) if kind.isdigit() else 400)
    echo = f"{key[:8]}***{key[-4:]}"
    if dialect == "messages":
        type_, message = _ANTHROPIC[kind]
        error: Data = {"type": type_, "message": message.format(model=model, echo=echo)}
        status = 402 if kind == "quota" else status
        return Refusal(status, {"type": "error", "error": error, "request_id": "req_1"})
    type_, code, message = _OPENAI[kind]
    param = {"schema": "text.format.schema", "parameter": "reasoning.effort"}.get(kind)
    if dialect == "chat" and param:
        param = {"schema": "response_format", "parameter": "reasoning_effort"}[kind]
    message = message.format(model=model, echo=echo, param=param)
    return Refusal(status, {"error": {"message": message, "type": type_, "code": code, "param": param}})


_OPENAI: dict[Refusing, tuple[str, str | None, str]] = {
    "401": ("invalid_request_error", "invalid_api_key", "Incorrect API key provided: {echo}."),
    "403": ("invalid_request_error", "forbidden", "Key {echo} may not use this project."),
    "404": ("invalid_request_error", "model_not_found", "The model `{model}` does not exist or you have no access."),
    "schema": (
        "invalid_request_error",
        "invalid_json_schema",
        "Invalid schema for {param}: 'minimum' is not permitted.",
    ),
    "parameter": ("invalid_request_error", "unsupported_parameter", "Unsupported parameter: '{param}'."),
    "context": ("invalid_request_error", "context_length_exceeded", "Your input exceeds the context window."),
    "429": ("requests", "rate_limit_exceeded", "Rate limit reached for {model}."),
    "quota": ("insufficient_quota", "insufficient_quota", "You exceeded your current quota, check your plan."),
    "500": ("server_error", None, "The server had an error while processing your request."),
    "503": ("server_error", None, "The engine is overloaded."),
    "529": ("overloaded_error", None, "Overloaded."),
}
_ANTHROPIC: dict[Refusing, tuple[str, str]] = {
    "401": ("authentication_error", "invalid x-api-key {echo}"),
    "403": ("permission_error", "Your key {echo} may not use this resource."),
    "404": ("not_found_error", "model: {model}"),
    "schema": ("invalid_request_error", "output_config.format.schema: 'minimum' is not supported."),
    "parameter": ("invalid_request_error", "output_config.effort: This model does not support the effort parameter."),
    "context": ("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
    "429": ("rate_limit_error", "This request would exceed your rate limit."),
    "quota": ("billing_error", "Your credit balance is too low."),
    "500": ("api_error", "Internal server error"),
    "503": ("api_error", "Service unavailable"),
    "529": ("overloaded_error", "Overloaded"),
}


def applies(kind: Kind, body: Mapping[str, Any]) -> bool:
    """False for a fault that needs something which this call does not ask for."""
    if kind == "schema":
        return schema_of(body) is not None
    if kind == "parameter":
        return any(k in body for k in ("reasoning_effort", "reasoning")) or "effort" in (
            body.get("output_config") or {}
        )
    return True


def chosen(faults: Sequence[Fault], number: int, model: str, body: Mapping[str, Any]) -> Fault | None:
    """The first fault that hits this call."""
    return next((f for f in faults if f.hits(number, model) and applies(f.kind, body)), None)


def text_of(kind: Kind | None, reply: Data, filling: Filling) -> str:
    """The text of a reply under a fault of its text."""
    match kind:
        case "garbage":
            return '{"rationale": "half a sen\n"vote": sup'
        case "wrong_fields":
            return '{"summary": "All good.", "score": 7}'
        case "empty" | "filter" | "refusal":
            return ""
        case "no_vote":
            return _json({k: v for k, v in reply.items() if k not in ("vote", "option")})
        case "bad_vote":
            named: Data = {k: "something else" for k in ("vote", "option") if k in reply}
            return _json({**reply, **named})
        case "length":
            return _json(reply)[: filling.text_chars // 2]
        case "fence":
            return f"```json\n{_json(reply)}\n```"
        case "prose":
            return f"Here is my answer, as you asked:\n\n{_json(reply)}\n\nI hope this helps."
        case "think_tags":
            return f"<think>First {{ I weigh }} both sides.</think>\n{_json(reply)}"
        case _:
            return _json(reply)


def ending_of(kind: Kind | None) -> Ending:
    return kind if kind in ("refusal", "length", "filter") else "stop"


def _json(value: Data) -> str:
    return json.dumps(value, ensure_ascii=False)


REFUSING = get_args(Refusing)
NO_STREAM = get_args(NoStream)
BROKEN = get_args(Broken)
BAD_TEXT = get_args(BadText)
ODD = get_args(Odd)
