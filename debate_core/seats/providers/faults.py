"""Faults of a call in words, from HTTP statuses, error events and `retry-after` headers.

Each fault says whether the same call would fail again. Knows no vendor's library and opens no connection.
"""

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal

from debate_core.seats.providers.provider_errors import ProviderError, Server, error_value, provider_error, scrub
from debate_core.seats.providers.token_limits import ReplyLimit, is_about_the_limit, never_fits_a_minute, reply_limit
from debate_core.seats.providers.wire import ReplyStatus
from debate_core.sentence import Sentence

SOON_MS = 1
"""Wait of a call that can be repeated if the server names none; the caller decides how long it really waits."""
SCHEMA = "schema"
"""Name of the enforced JSON schema among the optional parts of a call."""

MAX_WAIT_MS = 86_400_000
# Examples: "41s", "1.5s".
_DELAY = re.compile(r"^(\d{1,9}(?:\.\d+)?)s$")
# Examples: "maximum context length is 8192 tokens", "prompt is too long: 210000 tokens > 200000 maximum".
_CONTEXT = re.compile(
    r"context[ _-]?(length|window|size|limit)|maximum context|(prompt|input) is too long|too many (input )?tokens", re.I
)
# Examples: "insufficient_quota", "Your credit balance is too low".
_QUOTA = re.compile(r"insufficient_quota|insufficient.balance|billing|credit", re.I)
# Examples: "API key not valid. Please pass a valid API key.", "Incorrect API key provided", "Unauthorized",
# "Your API key does not have permission to use m".
_KEY = re.compile(
    r"(invalid|incorrect|expired|missing|no)\b.{0,20}\b(api|access|subscription)[ _-]?key|API_KEY_INVALID|"
    r"invalid_api_key|authentication_error|\bUNAUTHENTICATED\b|unauthorized|"
    r"\bkey\b.{0,40}\b(invalid|incorrect|expired|missing|disabled|revoked|not|cannot|lacks)\b",
    re.I,
)
# With status 401: "Invalid token", "Authentication failed", "Bad credentials".
_LOGIN = re.compile(r"\bkey\b|token|credential|authenticat|bearer", re.I)
# Examples: "response_format: json_schema is not supported", "failed to parse grammar".
_SCHEMA = re.compile(r"response_format|json_?schema|json_object|output_config|output_format|text\.format|grammar", re.I)
# Examples: "Streaming is not supported", "must be verified to stream this model".
_NO_STREAM = re.compile(
    r"\bstream(ing)?\b.{0,30}(not |n.t |un)\w*(support|allow|permit|available)|verified to stream", re.I
)
# Examples: "Unsupported parameter: 'max_tokens'", "extra inputs are not permitted"; not "supports at most".
_UNSUPPORTED = re.compile(
    r"unsupported|\b(not|n.t|no) (currently )?(be )?(support|permit|allow|accept)|unknown|unrecogni|unexpected|extra",
    re.I,
)
# Examples: "overloaded_error", "rate_limit_exceeded", "503".
_TRANSIENT = re.compile(
    r"overloaded|server_error|rate_?limit|api_error|timeout|internal|unavailable|\b(408|409|429|5\d\d)\b"
)
# Codes of a filter: "content_policy_violation", "invalid_prompt", "ResponsibleAIPolicyViolation", "cyber_policy".
_FILTER_CODE = re.compile(
    r"content_?filter|content_?policy|policy_?violation|[a-z]_policy\b|invalid_prompt|safety|moderation|"
    r"data_?inspection|flagged",
    re.I,
)
# Filters that say it in words alone: "Content violates usage guidelines", "Content Exists Risk",
# "Output blocked by content filtering policy".
_FILTER_WORDS = re.compile(
    r"content (management|filter\w*|policy|exists risk)|violates (our |the )?(usage|content)|flagged (by|as|for)|"
    r"DataInspectionFailed|moderation|SAFETY_CHECK",
    re.I,
)

_Meaning = Literal[
    "elsewhere",
    "proxy_login",
    "network_login",
    "filter",
    "page",
    "quota",
    "key",
    "forbidden",
    "model",
    "minute",
    "length",
    "limits",
    "trouble",
    "call",
]
"""Meaning of an HTTP status: the address, the credit, the key, and so on."""
_WORDS: Mapping[_Meaning, str] = {
    "elsewhere": Sentence("{host} redirects elsewhere ({status}); not followed: give its final address as base_url"),
    "proxy_login": Sentence("a proxy asks for a login on the way to {host} ({status}){why}"),
    "network_login": Sentence("the network asks for a login on the way to {host} ({status}){why}"),
    "filter": Sentence("the content filter of {host} refuses the call ({status}){why}"),
    "page": Sentence(
        "{host} answered with a web page instead of JSON ({status}){title}: a proxy or a filter may be in between, "
        "or base_url may be wrong"
    ),
    "quota": Sentence("{host} says that the quota or the credit is used up ({status}){why}"),
    "key": Sentence("{host} rejects the key in {key_env} for {model} ({status}){why}"),
    "forbidden": Sentence("{host} refuses access to {model} ({status}){why}"),
    "model": Sentence("{host} does not know the model {model!r}, or not at this address (404){why}"),
    "minute": Sentence(
        "the request is larger than {host} ever allows in a minute, so lower max_tokens or shorten the sources "
        "({status}){why}"
    ),
    "length": Sentence("the prompt is longer than {model} takes at {host} ({status}){why}"),
    "limits": Sentence("{host} limits how often it is called ({status}){why}"),
    "trouble": Sentence("{host} is in trouble ({status}){why}"),
    "call": Sentence("{host} refuses the call ({status}){why}"),
}
_IN_BETWEEN: tuple[_Meaning, ...] = ("elsewhere", "proxy_login", "network_login", "page")
_KEYLESS = Sentence("{host} asks for a key, so {what_to_do} ({status}){why}")
_ONE_MEANING: Mapping[int, _Meaning] = {402: "quota", 404: "model", 413: "length"}
"""Statuses with the same meaning at all providers."""
_PASSING = (408, 409, 425, 429)
"""Statuses below 500 after which the same call can be repeated."""
_BAD_CALL = (400, 422)
"""Statuses of a call with a part that the server does not accept, or with an invalid key."""
_FILTERING = (400, 403, 422, 451)
"""Statuses of a refusal by a content filter."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Cause of an incomplete call. `wire.Reply` documents the fields that have no docstring here."""

    message: str
    status: ReplyStatus = "error"
    permanent: bool = False
    retry_after_ms: int = 0
    refused: str = ""
    """The optional part of the call that this server does not accept; later calls leave it out."""
    limit: ReplyLimit | None = None
    """The maximum reply length of this server; later calls keep to it."""
    sent: bool = True
    """False if the request did not reach the server."""
    billed: bool = True
    """False if the server rejected the request unread, so that no token was used."""
    transport: bool = False
    """True if the fault is not about the prompt: the server was out of reach, or could not answer."""
    in_between: bool = False
    """True if a proxy, a filter or a page answered instead of the server."""

    @property
    def reached(self) -> bool:
        """True if the server itself refuses the call for good."""
        return self.permanent and self.sent and not self.in_between


def temporary_fault(message: str, *, status: ReplyStatus = "error", sent: bool = True) -> Fault:
    """A fault that may be over soon, without a wait named by the server."""
    return Fault(message, status, retry_after_ms=SOON_MS, sent=sent, transport=True)


def permanent_fault(message: str, *, sent: bool = True, transport: bool = True) -> Fault:
    """A fault that the same call would meet again until someone fixes its cause."""
    return Fault(message, permanent=True, sent=sent, transport=transport)


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """An answer that is no reply: status, body (as text if it is no JSON), headers."""

    status: int
    body: object
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CallTerms:
    """The parts of a call that a refusal can be about."""

    deadline_s: float
    optional: Collection[str] = ()
    """Names of the parts that the call could have left out."""
    max_tokens: int = 0
    """Limit of its reply."""


def http_fault(server: Server, answer: ErrorAnswer, asked: CallTerms) -> Fault:
    return replace(_status_fault(server, answer, asked), billed=answer.status >= 500)


def event_fault(server: Server, error: object) -> Fault:
    """The fault of an error that comes in the middle of a stream, by its type and code."""
    read = provider_error(error, server)
    message = Sentence(
        "{host} broke off with an error: {error}",
        host=server.host,
        error=read.message or scrub(read.code, server) or Sentence("it does not say which"),
    )
    if _is_filtered(read):
        return Fault(message, "filtered")
    code = read.code.lower()
    may_be_over_soon = _TRANSIENT.search(code) or not code
    if may_be_over_soon and not _QUOTA.search(code):
        return temporary_fault(message)
    return permanent_fault(message)


def _status_fault(server: Server, answer: ErrorAnswer, asked: CallTerms) -> Fault:
    error = provider_error(answer.body, server)
    meaning = _status_meaning(answer.status, error, asked)
    if meaning == "call":
        return _refusal_fault(server, answer.status, error, asked)
    template = _KEYLESS if meaning == "key" and not server.key else _WORDS[meaning]
    message = Sentence(template, **_values(server, answer.status, error))
    if meaning in ("limits", "trouble"):
        return _wait_fault(message, answer, asked.deadline_s)
    if meaning == "filter":
        return Fault(message, "filtered")
    fault = permanent_fault(message, transport=meaning not in ("minute", "length"))
    return replace(fault, in_between=meaning in _IN_BETWEEN)


def _values(server: Server, status: int, error: ProviderError) -> dict[str, object]:
    """Values of the placeholders in `_WORDS`."""
    what_to_do = Sentence("name its variable in key_env")
    if server.key_env:
        what_to_do = Sentence("set {key_env}", key_env=server.key_env)
    why = f": {error.message}" if error.message else ""
    title = f" ({error.message})" if error.message else ""
    return {
        "host": server.host,
        "model": server.model,
        "status": status,
        "why": why,
        "title": title,
        "key_env": server.key_env or Sentence("use"),
        "what_to_do": what_to_do,
    }


def _status_meaning(status: int, error: ProviderError, asked: CallTerms) -> _Meaning:
    """The most specific meaning that fits, because providers use one status for several faults."""
    in_between = _meaning_in_between(status, error)
    if in_between is not None:
        return in_between
    if status in _FILTERING and _is_filtered(error):
        return "filter"
    if status in (403, 429) and _QUOTA.search(error.code):
        return "quota"
    if status in (413, 429) and never_fits_a_minute(error.reason):
        return "minute"
    return _ONE_MEANING.get(status) or _access_meaning(status, error) or _content_meaning(status, error, asked)


def _meaning_in_between(status: int, error: ProviderError) -> _Meaning | None:
    """The meaning of an answer that comes from a proxy or another server on the way."""
    if 300 <= status < 400:
        return "elsewhere"
    if status in (407, 511):
        return "proxy_login" if status == 407 else "network_login"
    is_instead = error.is_page and status < 500 and status not in _PASSING
    return "page" if is_instead else None


def _access_meaning(status: int, error: ProviderError) -> _Meaning | None:
    """ "key" only if codes or words say so: firewalls, countries and terms are refused by the same statuses."""
    if status == 401:
        is_key = not error.words or _KEY.search(error.words) or _LOGIN.search(error.words)
        return "key" if is_key else "forbidden"
    if status == 403:
        return "key" if _KEY.search(error.words) else "forbidden"
    if status in _BAD_CALL and _KEY.search(error.words):
        return "key"
    return None


def _content_meaning(status: int, error: ProviderError, asked: CallTerms) -> _Meaning:
    if status in _BAD_CALL and reply_limit(error.reason, asked.max_tokens):
        return "call"
    if 400 <= status < 500 and _CONTEXT.search(error.words):
        return "length"
    if status == 429:
        return "limits"
    return "trouble" if status in _PASSING or status >= 500 else "call"


def _is_filtered(error: ProviderError) -> bool:
    return bool(_FILTER_CODE.search(error.code) or _FILTER_WORDS.search(error.reason))


def _refusal_fault(server: Server, status: int, error: ProviderError, asked: CallTerms) -> Fault:
    """The fault of a refused call: permanent, unless it names a lower limit or an optional part."""
    values = _values(server, status, error)
    is_bad_call = status in _BAD_CALL
    if is_bad_call and (limit := reply_limit(error.reason, asked.max_tokens)):
        message = Sentence(
            "{host} accepts replies of at most {most:,} tokens ({status}), which is the limit from now on{why}",
            most=limit.tokens,
            **values,
        )
        return Fault(message, limit=limit, transport=True)
    part = _refused_part(error, asked.optional) if is_bad_call else ""
    if not part:
        return permanent_fault(Sentence(_WORDS["call"], **values))
    message = Sentence(
        "{host} does not accept {part} ({status}); it is left out from now on{why}",
        part=Sentence("the enforced JSON schema") if part == SCHEMA else part,
        **values,
    )
    return Fault(message, refused=part, transport=True)


def _refused_part(error: ProviderError, optional: Collection[str]) -> str:
    """The optional part of the call that the error is about, "" if it is about none of them."""
    if "stream" in optional and _refuses_to_stream(error):
        return "stream"
    for part in optional:
        if part not in ("stream", SCHEMA) and _refuses(part, error):
            return part
    if SCHEMA in optional and _SCHEMA.search(error.complaint):
        return SCHEMA
    return ""


def _refuses_to_stream(error: ProviderError) -> bool:
    """False for "the stream broke off", True for "must be verified to stream this model"."""
    return error.parameter == "stream" or _NO_STREAM.search(error.reason) is not None


def _refuses(part: str, error: ProviderError) -> bool:
    """False for "max_tokens is too large", True for "unsupported parameter: max_tokens"."""
    if not re.search(rf"\b{part}\b", error.complaint):
        return False
    return not is_about_the_limit(part) or _UNSUPPORTED.search(error.words) is not None


def _wait_fault(message: str, answer: ErrorAnswer, deadline_s: float) -> Fault:
    asked_ms = retry_after_ms(answer.headers)
    if asked_ms is None:
        asked_ms = _delay_ms(error_value(answer.body))
    if asked_ms is None:
        return temporary_fault(message)
    if asked_ms > deadline_s * 1000:
        message = Sentence(
            "{message}; it asks to wait {wait} s, a turn may take {deadline:g} s",
            message=message,
            wait=math.ceil(asked_ms / 1000),
            deadline=round(deadline_s, 1),
        )
    return Fault(message, retry_after_ms=max(asked_ms, 1), transport=True)


def retry_after_ms(headers: Mapping[str, str]) -> int | None:
    """The wait in `retry-after-ms`, or in `retry-after` as seconds or as a date; None without these headers."""
    for name, factor in (("retry-after-ms", 1), ("retry-after", 1000)):
        try:
            asked_ms = float(headers[name]) * factor
        except (KeyError, ValueError):
            continue
        if math.isfinite(asked_ms) and asked_ms >= 0:
            return min(MAX_WAIT_MS, math.ceil(asked_ms))
    try:
        until = parsedate_to_datetime(headers["retry-after"])
    except (KeyError, ValueError, OverflowError):
        return None
    left_s = (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return min(MAX_WAIT_MS, max(0, math.ceil(left_s * 1000)))


def _delay_ms(error: object) -> int | None:
    """The `retryDelay` among the details of an error, as Google sends it."""
    details = error.get("details") if isinstance(error, Mapping) else None
    if not isinstance(details, list):
        return None
    for detail in details:
        delay = _DELAY.match(str(detail.get("retryDelay"))) if isinstance(detail, Mapping) else None
        if delay is not None:
            return min(MAX_WAIT_MS, math.ceil(float(delay[1]) * 1000))
    return None
