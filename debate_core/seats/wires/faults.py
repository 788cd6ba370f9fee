"""What went wrong with a call, in words: HTTP statuses, error events, headers that say when to come back.

Says for each fault whether the same call would fail again. What a provider says is scrubbed: providers echo keys.
Knows no vendor's library and opens no connection.
"""

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal, assert_never

from debate_core.seats.wires.redact import printable, without_key
from debate_core.seats.wires.wire import ReplyStatus
from debate_core.sentence import Sentence

MAX_SAID_CHARS = 200
SOON_MS = 1
"""Stands for the time to wait where the server names none: not 0, so the call is worth making again. How long to wait
before that is worked out by whoever makes it."""
MAX_WAIT_MS = 86_400_000
SCHEMA = "schema"
"""Name of the way in which a JSON reply is asked for, among the optional parts of a call."""

# As providers say it: "maximum context length is 8192 tokens", "prompt is too long: 210000 tokens > 200000 maximum".
_CONTEXT = re.compile(
    r"context[ _-]?(length|window|size|limit)|maximum context|(prompt|input) is too long|too many (input )?tokens", re.I
)
# As providers say it: "insufficient_quota", "Your credit balance is too low".
_QUOTA = re.compile(r"insufficient_quota|insufficient.balance|billing|credit", re.I)
# As providers say it: "API key not valid. Please pass a valid API key.", "Incorrect API key provided", "Unauthorized".
_KEY = re.compile(
    r"api[ _-]?key\b.{0,40}(not valid|invalid|incorrect|expired|missing)|(invalid|incorrect|expired|missing|no)\b"
    r".{0,20}\bapi[ _-]?key|API_KEY_INVALID|invalid_api_key|authentication_error|\bUNAUTHENTICATED\b|unauthorized",
    re.I,
)
# As providers say it: "41s", "1.5s".
_DELAY = re.compile(r"^(\d{1,9}(?:\.\d+)?)s$")
# As providers say it: "response_format: json_schema is not supported", "failed to parse grammar".
_SCHEMA = re.compile(r"response_format|json_?schema|json_object|output_config|output_format|text\.format|grammar", re.I)
# As providers say it: "Streaming is not supported", "must be verified to stream this model".
_NO_STREAM = re.compile(
    r"\bstream(ing)?\b.{0,30}(not |n.t |un)\w*(support|allow|permit|available)|verified to stream", re.I
)
# As providers say it: "Unsupported parameter: 'max_tokens'", "extra inputs are not permitted".
_UNSUPPORTED = re.compile(r"support|unknown|unrecogni|unexpected|extra|permitted|allowed", re.I)
# As providers say it: "overloaded_error", "rate_limit_exceeded", "503".
_TRANSIENT = re.compile(
    r"overloaded|server_error|rate_?limit|api_error|timeout|internal|unavailable|\b(408|409|429|5\d\d)\b"
)
# As providers say it: "content_policy_violation", "invalid_prompt".
_FILTERED = re.compile(r"polic|invalid_prompt|content_filter|safety")
# As providers say it: "sk-proj-***8rQ".
_MASKED = re.compile(r"\S*\*{2,}\S*")
# As providers say it: "gsk_0123456789abcdef", "Bearer abc".
_KEY_LIKE = re.compile(r"\b(?:sk|pk|rk|gsk|xai|hf|key)[-_][\w.-]{6,}|\bAIza[\w-]{6,}|\bBearer\s+\S+")
# Letters and digits, twenty or more together: "0123456789abcdef0123".
_LONG_TOKEN = re.compile(r"(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}")


_Meaning = Literal["elsewhere", "quota", "key", "model", "length", "limits", "trouble", "call"]
"""What an HTTP status says is wrong: the address, the credit, the key, and so on."""
_ONE_MEANING: Mapping[int, _Meaning] = {401: "key", 402: "quota", 403: "key", 404: "model", 413: "length"}
"""Statuses that mean this whatever the provider says with them."""
_BAD_CALL = (400, 422)
"""Statuses of a call with a part that the server does not take, or with a key that is none."""


@dataclass(frozen=True, slots=True)
class Server:
    """Whom we call: what messages may name, and the key, which they may not."""

    host: str
    model: str
    key: str
    key_env: str


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a call is not complete. The fields without words of their own are those of `wire.Reply`."""

    message: str
    status: ReplyStatus = "error"
    permanent: bool = False
    retry_after_ms: int = 0
    refused: str = ""
    """The optional part of the call that this server does not take; calls leave it out from then on."""
    sent: bool = True
    """False if the request did not reach the server."""
    billed: bool = True
    """False if the server turned the request away unread: then no token was used."""
    transport: bool = False
    """True if it says nothing of what was asked: the server was out of reach, or could not answer."""


def temporary_fault(message: str, *, status: ReplyStatus = "error", sent: bool = True) -> Fault:
    """A fault that may be over soon, when the server does not say when."""
    return Fault(message, status, retry_after_ms=SOON_MS, sent=sent, transport=True)


def permanent_fault(message: str, *, sent: bool = True, transport: bool = True) -> Fault:
    """A fault that the same call would meet again, as long as nobody mends what is in its way."""
    return Fault(message, permanent=True, sent=sent, transport=transport)


def scrub(text: str, server: Server) -> str:
    """What a provider says, on one line and short, without the key, parts of it, or anything that looks like one."""
    on_one_line = " ".join(printable(text[:2_000]).split())
    text = without_key(on_one_line, server.key)
    text = _MASKED.sub("[...]", _KEY_LIKE.sub("[...]", text))
    text = _LONG_TOKEN.sub(lambda m: m[0] if m[0] in server.model else "[...]", text)
    if len(text) <= MAX_SAID_CHARS:
        return text
    return text[: MAX_SAID_CHARS - 3] + "..."


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """An answer that is no reply: its status, its body as far as it is JSON, its headers."""

    status: int
    body: object
    headers: Mapping[str, str]


def http_fault(server: Server, answer: ErrorAnswer, *, optional: Collection[str], deadline_s: float) -> Fault:
    """The fault of an HTTP status. `optional` names what this call could have left out."""
    fault = _of_status(server, answer, optional, deadline_s)
    return replace(fault, billed=answer.status >= 500)


def _of_status(server: Server, answer: ErrorAnswer, optional: Collection[str], deadline_s: float) -> Fault:
    """What a status means, in words."""
    error = _error_in(answer.body, server)
    status = answer.status
    host = server.host
    why = f": {error.message}" if error.message else ""
    meaning = _meaning(status, error)
    match meaning:
        case "elsewhere":
            message = Sentence(
                "{host} redirects elsewhere ({status}); not followed: give its final address as base_url",
                host=host,
                status=status,
            )
            return permanent_fault(message)
        case "quota":
            message = Sentence(
                "{host} says that the quota or the credit is used up ({status}){why}", host=host, status=status, why=why
            )
            return permanent_fault(message)
        case "key":
            return permanent_fault(_key_refused(server, status))
        case "model":
            message = Sentence(
                "{host} does not know the model {model!r}, or not at this address (404){why}",
                host=host,
                model=server.model,
                why=why,
            )
            return permanent_fault(message)
        case "length":
            message = Sentence(
                "the prompt is longer than {model} takes at {host} ({status}){why}",
                model=server.model,
                host=host,
                status=status,
                why=why,
            )
            return permanent_fault(message, transport=False)
        case "limits":
            message = Sentence(
                "{host} limits how often it is called ({status}){why}", host=host, status=status, why=why
            )
            return _wait_fault(message, _wait_ms(answer), deadline_s)
        case "trouble":
            message = Sentence("{host} is in trouble ({status}){why}", host=host, status=status, why=why)
            return _wait_fault(message, _wait_ms(answer), deadline_s)
        case "call":
            return _of_refused_call(host, status, error, optional, why)
        case _:
            assert_never(meaning)


def _meaning(status: int, error: "_ProviderError") -> _Meaning:
    """The more special one first: providers use a status for several things."""
    if status in (403, 429) and _QUOTA.search(error.code):
        return "quota"
    if status in _ONE_MEANING:
        return _ONE_MEANING[status]
    words = f"{error.code} {error.message}"
    if status in _BAD_CALL and _KEY.search(words):
        return "key"
    if 400 <= status < 500 and _CONTEXT.search(words):
        return "length"
    return _usual_meaning(status)


def _usual_meaning(status: int) -> _Meaning:
    """Where the provider says nothing more special."""
    if 300 <= status < 400:
        return "elsewhere"
    if status == 429:
        return "limits"
    if status in (408, 409, 425) or status >= 500:
        return "trouble"
    return "call"


def _of_refused_call(host: str, status: int, error: "_ProviderError", optional: Collection[str], why: str) -> Fault:
    """A call that cannot be made like this, unless it is one of its optional parts that the server does not take."""
    part = _refused_part(error, optional) if status in _BAD_CALL else ""
    if not part:
        return permanent_fault(Sentence("{host} refuses the call ({status}){why}", host=host, status=status, why=why))
    message = Sentence(
        "{host} does not take {part} ({status}); it is left out from now on{why}",
        host=host,
        part=Sentence("the enforced JSON schema") if part == SCHEMA else part,
        status=status,
        why=why,
    )
    return Fault(message, refused=part, transport=True)


def event_fault(server: Server, error: object) -> Fault:
    """The fault of an error that comes in the middle of a stream, by its type and code."""
    provider_error = _error_in(error, server)
    message = Sentence(
        "{host} broke off with an error: {error}",
        host=server.host,
        error=provider_error.message or provider_error.code or Sentence("it does not say which"),
    )
    code = provider_error.code.lower()
    if _FILTERED.search(code):
        return Fault(message, "filtered")
    may_be_over_soon = _TRANSIENT.search(code) or not code
    if may_be_over_soon and not _QUOTA.search(code):
        return temporary_fault(message)
    return permanent_fault(message)


def _key_refused(server: Server, status: int) -> str:
    if not server.key:
        set_it = Sentence("set {key_env}", key_env=server.key_env)
        name = set_it if server.key_env else Sentence("name its variable in key_env")
        return Sentence(
            "{host} asks for a key ({status}): {what_to_do}", host=server.host, status=status, what_to_do=name
        )
    return Sentence(
        "{host} rejects the key in {key_env} for {model} ({status})",
        host=server.host,
        key_env=server.key_env or Sentence("use"),
        model=server.model,
        status=status,
    )


@dataclass(frozen=True, slots=True)
class _ProviderError:
    """What an error body says, as far as it says it; `code` is its type and its code, `parameter` is not scrubbed."""

    code: str = ""
    parameter: str = ""
    message: str = ""

    @property
    def complaint(self) -> str:
        """What it complains of, as closely as it says."""
        return self.parameter or self.message


def _error_value(body: object) -> object:
    """The error in a body: Google sends a list of one, Mistral puts it into `message`, FastAPI into `detail`."""
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, Mapping):
        return body
    error = body.get("error", body)
    if isinstance(error, str) and body.get("code"):
        # Some say the error in words, and its kind beside it.
        return {**body, "message": error}
    return error


def _error_in(body: object, server: Server) -> _ProviderError:
    """What a body of whatever shape says of the error."""
    error = _error_value(body)
    if isinstance(error, str) and "<" not in error:
        return _ProviderError(message=scrub(error, server))
    if not isinstance(error, Mapping):
        return _ProviderError()
    codes = [str(error[name])[:80] for name in ("type", "code", "status") if error.get(name) is not None]
    parameter, message = "", ""
    for name in ("message", "detail", "msg"):
        parameter, message = _part_and_reason(error.get(name))
        if parameter or message:
            break
    parameter = str(error.get("param") or parameter)
    return _ProviderError(scrub(" ".join(codes), server), parameter, scrub(message, server))


def _part_and_reason(value: object) -> tuple[str, str]:
    """(the part of the call that it is about, why) of a `message` or `detail`: words, or a list of what is wrong."""
    if isinstance(value, Mapping):
        value = value.get("detail") or value.get("message")
    if isinstance(value, str):
        return "", value
    if not isinstance(value, list):
        return "", ""
    parts: list[str] = []
    whys: list[str] = []
    for wrong in value:
        if not isinstance(wrong, Mapping):
            continue
        place = wrong.get("loc")
        why = str(wrong.get("msg", ""))
        if isinstance(place, list):
            # `["body", "response_format"]`: first comes where it was sent.
            part = ".".join(map(str, place[1:]))
            parts.append(part)
            why = f"{part}: {why}"
        if why:
            whys.append(why)
    return ", ".join(parts), "; ".join(whys)


def _refused_part(error: _ProviderError, optional: Collection[str]) -> str:
    """The optional part of the call that the server complains of, "" if it is none of them."""
    if "stream" in optional and _refuses_to_stream(error):
        return "stream"
    for part in optional:
        if part not in ("stream", SCHEMA) and _refuses(part, error):
            return part
    if SCHEMA in optional and _SCHEMA.search(error.complaint):
        return SCHEMA
    return ""


def _refuses_to_stream(error: _ProviderError) -> bool:
    """ "The stream broke off" is no reason to do without; "must be verified to stream this model" is."""
    return error.parameter == "stream" or _NO_STREAM.search(error.message) is not None


def _refuses(part: str, error: _ProviderError) -> bool:
    """ "max_tokens is too large" is no reason to leave it out; "unsupported parameter: max_tokens" is."""
    if not re.search(rf"\b{part}\b", error.complaint):
        return False
    is_a_bound = part.startswith("max_")
    return not is_a_bound or _UNSUPPORTED.search(error.message) is not None


def _wait_ms(answer: ErrorAnswer) -> int | None:
    """What the server asks to wait, in its headers or else in its body, as Google does."""
    in_headers_ms = retry_after_ms(answer.headers)
    if in_headers_ms is None:
        return _delay_ms(_error_value(answer.body))
    return in_headers_ms


def _delay_ms(error: object) -> int | None:
    """The `retryDelay` among the details of an error."""
    details = error.get("details") if isinstance(error, Mapping) else None
    if not isinstance(details, list):
        return None
    for detail in details:
        delay = _DELAY.match(str(detail.get("retryDelay"))) if isinstance(detail, Mapping) else None
        if delay is not None:
            return min(MAX_WAIT_MS, math.ceil(float(delay[1]) * 1000))
    return None


def _wait_fault(message: str, wait_ms: int | None, deadline_s: float) -> Fault:
    if wait_ms is None:
        return temporary_fault(message)
    if wait_ms > deadline_s * 1000:
        message = Sentence(
            "{message}; it asks to wait {wait} s, a turn may take {deadline:g} s",
            message=message,
            wait=math.ceil(wait_ms / 1000),
            deadline=round(deadline_s, 1),
        )
    return Fault(message, retry_after_ms=max(wait_ms, 1), transport=True)


def retry_after_ms(headers: Mapping[str, str]) -> int | None:
    """What the server asks to wait: `retry-after-ms`, or `retry-after` in seconds or as a date; None if nothing."""
    for name, factor in (("retry-after-ms", 1), ("retry-after", 1000)):
        try:
            wait_ms = float(headers[name]) * factor
        except (KeyError, ValueError):
            continue
        if math.isfinite(wait_ms) and wait_ms >= 0:
            return min(MAX_WAIT_MS, math.ceil(wait_ms))
    try:
        until = parsedate_to_datetime(headers["retry-after"])
    except (KeyError, ValueError, OverflowError):
        return None
    left_s = (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return min(MAX_WAIT_MS, max(0, math.ceil(left_s * 1000)))
