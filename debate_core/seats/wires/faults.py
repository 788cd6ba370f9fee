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

from debate_core.seats.wires.redact import printable, without_key
from debate_core.seats.wires.wire import ReplyStatus
from debate_core.sentence import Sentence

MAX_SAID_CHARS = 200
SOON_MS = 1
"""Before a new attempt where the server does not say how long: how long is for whoever asks it to say."""
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


@dataclass(frozen=True, slots=True)
class Server:
    """Whom we call: what messages may name, and the key, which they may not."""

    host: str
    model: str
    key: str
    key_env: str


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a call is not complete; the fields are those of `wire.Reply`."""

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
    return text if len(text) <= MAX_SAID_CHARS else text[: MAX_SAID_CHARS - 3] + "..."


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
    """One line a meaning, the more special one first: providers use a status for several things."""
    error = _error_in(answer.body, server)
    status, host = answer.status, server.host
    why = f": {error.message}" if error.message else ""
    quota_is_used_up = status in (403, 429) and _QUOTA.search(error.code)
    prompt_is_too_long = 400 <= status < 500 and _CONTEXT.search(f"{error.code} {error.message}")
    if 300 <= status < 400:
        return permanent_fault(
            Sentence(
                "{host} redirects elsewhere ({status}); not followed: give its final address as base_url",
                host=host,
                status=status,
            )
        )
    if status == 402 or quota_is_used_up:
        return permanent_fault(
            Sentence(
                "{host} says that the quota or the credit is used up ({status}){why}", host=host, status=status, why=why
            )
        )
    if status in (401, 403) or (status in (400, 422) and _KEY.search(f"{error.code} {error.message}")):
        return permanent_fault(_key_refused(server, status))
    if status == 404:
        return permanent_fault(
            Sentence(
                "{host} does not know the model {model!r}, or not at this address (404){why}",
                host=host,
                model=server.model,
                why=why,
            )
        )
    if status == 413 or prompt_is_too_long:
        longer = Sentence(
            "the prompt is longer than {model} takes at {host} ({status}){why}",
            model=server.model,
            host=host,
            status=status,
            why=why,
        )
        return permanent_fault(longer, transport=False)
    if status in (408, 409, 425, 429) or status >= 500:
        limits = Sentence("{host} limits how often it is called ({status}){why}", host=host, status=status, why=why)
        trouble = Sentence("{host} is in trouble ({status}){why}", host=host, status=status, why=why)
        return _wait_fault(limits if status == 429 else trouble, _wait_ms(answer), deadline_s)
    if status in (400, 422) and (part := _refused_part(error, optional)):
        left_out = Sentence("the enforced JSON schema") if part == SCHEMA else part
        return Fault(
            Sentence(
                "{host} does not take {part} ({status}); it is left out from now on{why}",
                host=host,
                part=left_out,
                status=status,
                why=why,
            ),
            refused=part,
            transport=True,
        )
    return permanent_fault(Sentence("{host} refuses the call ({status}){why}", host=host, status=status, why=why))


def event_fault(server: Server, error: object) -> Fault:
    """The fault of an error that comes in the middle of a stream, by its type and code."""
    told = _error_in(error, server)
    message = Sentence(
        "{host} broke off with an error: {error}",
        host=server.host,
        error=told.message or told.code or Sentence("it does not say which"),
    )
    code = told.code.lower()
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


def _error_value(body: object) -> object:
    """The error in a body: Google sends a list of one, Mistral puts it into `message`, FastAPI into `detail`."""
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, Mapping):
        return body
    error = body.get("error", body)
    # Some say the error in words, and its kind beside it.
    return {**body, "message": error} if isinstance(error, str) and body.get("code") else error


def _error_in(body: object, server: Server) -> _ProviderError:
    """What a body of whatever shape says of the error."""
    error = _error_value(body)
    if isinstance(error, Mapping):
        codes = [str(error[name])[:80] for name in ("type", "code", "status") if error.get(name) is not None]
        told = [_told(error.get(name)) for name in ("message", "detail", "msg")]
        parameter, message = next((one for one in told if one != ("", "")), ("", ""))
        parameter = str(error.get("param") or parameter)
        return _ProviderError(scrub(" ".join(codes), server), parameter, scrub(message, server))
    if isinstance(error, str) and "<" not in error:
        return _ProviderError(message=scrub(error, server))
    return _ProviderError()


def _told(value: object) -> tuple[str, str]:
    """(the part of the call that it is about, why) of a `message` or `detail`: words, or a list of what is wrong."""
    if isinstance(value, Mapping):
        value = value.get("detail") or value.get("message")
    if isinstance(value, str):
        return "", value
    if not isinstance(value, list):
        return "", ""
    parts, whys = [], []
    for wrong in value:
        if not isinstance(wrong, Mapping):
            continue
        place, why = wrong.get("loc"), str(wrong.get("msg", ""))
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
    # "The stream broke off" is no reason to do without; "must be verified to stream this model" is.
    if "stream" in optional and (error.parameter == "stream" or _NO_STREAM.search(error.message)):
        return "stream"
    text = error.parameter or error.message
    for part in optional:
        if part in ("stream", SCHEMA) or not re.search(rf"\b{part}\b", text):
            continue
        # "max_tokens is too large" is no reason to leave it out.
        is_a_bound = part.startswith("max_")
        if not is_a_bound or _UNSUPPORTED.search(error.message):
            return part
    return SCHEMA if SCHEMA in optional and _SCHEMA.search(text) else ""


def _wait_ms(answer: ErrorAnswer) -> int | None:
    """What the server asks to wait, in its headers or else in its body, as Google does."""
    asked = retry_after_ms(answer.headers)
    return _delay_ms(_error_value(answer.body)) if asked is None else asked


def _delay_ms(error: object) -> int | None:
    """The `retryDelay` among the details of an error."""
    details = error.get("details") if isinstance(error, Mapping) else None
    for detail in details if isinstance(details, list) else ():
        delay = detail.get("retryDelay") if isinstance(detail, Mapping) else None
        if isinstance(delay, str) and (found := _DELAY.match(delay)):
            return min(MAX_WAIT_MS, math.ceil(float(found[1]) * 1000))
    return None


def _wait_fault(message: str, wait_ms: int | None, deadline_s: float) -> Fault:
    if wait_ms is None:
        return temporary_fault(message)
    if wait_ms > deadline_s * 1000:
        longer = Sentence(
            "{message}; it asks to wait {wait} s, a turn may take {deadline:g} s",
            message=message,
            wait=math.ceil(wait_ms / 1000),
            deadline=round(deadline_s, 1),
        )
        return Fault(longer, permanent=True, retry_after_ms=wait_ms, transport=True)
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
