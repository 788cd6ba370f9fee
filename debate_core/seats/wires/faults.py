"""What went wrong with a call, in words: HTTP statuses and error events.

Says for each fault whether the same call would fail again. Knows no vendor's library and opens no connection.
"""

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from debate_core.seats.wires.provider_errors import ProviderError, Server, provider_error, scrub
from debate_core.seats.wires.retry_after import wait_ms
from debate_core.seats.wires.token_limits import ReplyLimit, is_about_the_limit, never_fits_a_minute, reply_limit
from debate_core.seats.wires.wire import ReplyStatus
from debate_core.sentence import Sentence

SOON_MS = 1
"""Stands for the time to wait where the server names none: not 0, so the call is worth making again. How long to wait
before that is worked out by whoever makes it."""
SCHEMA = "schema"
"""Name of the way in which a JSON reply is asked for, among the optional parts of a call."""

# As providers say it: "maximum context length is 8192 tokens", "prompt is too long: 210000 tokens > 200000 maximum".
_CONTEXT = re.compile(
    r"context[ _-]?(length|window|size|limit)|maximum context|(prompt|input) is too long|too many (input )?tokens", re.I
)
# As providers say it: "insufficient_quota", "Your credit balance is too low".
_QUOTA = re.compile(r"insufficient_quota|insufficient.balance|billing|credit", re.I)
# As providers say it: "API key not valid. Please pass a valid API key.", "Incorrect API key provided", "Unauthorized",
# "Your API key does not have permission to use m".
_KEY = re.compile(
    r"(invalid|incorrect|expired|missing|no)\b.{0,20}\b(api|access|subscription)[ _-]?key|API_KEY_INVALID|"
    r"invalid_api_key|authentication_error|\bUNAUTHENTICATED\b|unauthorized|"
    r"\bkey\b.{0,40}\b(invalid|incorrect|expired|missing|disabled|revoked|not|cannot|lacks)\b",
    re.I,
)
# Of status 401, which is about who asks: "Invalid token", "Authentication failed", "Bad credentials".
_LOGIN = re.compile(r"\bkey\b|token|credential|authenticat|bearer", re.I)
# As providers say it: "response_format: json_schema is not supported", "failed to parse grammar".
_SCHEMA = re.compile(r"response_format|json_?schema|json_object|output_config|output_format|text\.format|grammar", re.I)
# As providers say it: "Streaming is not supported", "must be verified to stream this model".
_NO_STREAM = re.compile(
    r"\bstream(ing)?\b.{0,30}(not |n.t |un)\w*(support|allow|permit|available)|verified to stream", re.I
)
# As providers say it: "Unsupported parameter: 'max_tokens'", "extra inputs are not permitted"; not "supports at most".
_UNSUPPORTED = re.compile(
    r"unsupported|\b(not|n.t|no) (currently )?(be )?(support|permit|allow|accept)|unknown|unrecogni|unexpected|extra",
    re.I,
)
# As providers say it: "overloaded_error", "rate_limit_exceeded", "503".
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
"""What an HTTP status says is wrong: the address, the credit, the key, and so on."""
_WORDS: Mapping[_Meaning, str] = {
    "elsewhere": Sentence("{host} redirects elsewhere ({status}); not followed: give its final address as base_url"),
    "proxy_login": Sentence("a proxy asks for a login on the way to {host} ({status}){why}"),
    "network_login": Sentence("the network asks for a login on the way to {host} ({status}){why}"),
    "filter": Sentence("{host} refuses by its filter what is asked ({status}){why}"),
    "page": Sentence(
        "{host} answered with a web page instead of JSON ({status}){title}: a proxy or a filter may stand between, or "
        "base_url may be wrong"
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
"""Statuses that mean this whatever the provider says with them."""
_PASSING = (408, 409, 425, 429)
"""Statuses below 500 after which the same call may be made again."""
_BAD_CALL = (400, 422)
"""Statuses of a call with a part that the server does not take, or with a key that is none."""
_FILTERING = (400, 403, 422, 451)
"""Statuses by which filters refuse what is asked."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a call is not complete. The fields without words of their own are those of `wire.Reply`."""

    message: str
    status: ReplyStatus = "error"
    permanent: bool = False
    retry_after_ms: int = 0
    refused: str = ""
    """The optional part of the call that this server does not take; calls leave it out from then on."""
    limit: ReplyLimit | None = None
    """How many tokens of a reply this server takes; calls ask for no more from then on."""
    sent: bool = True
    """False if the request did not reach the server."""
    billed: bool = True
    """False if the server turned the request away unread: then no token was used."""
    transport: bool = False
    """True if it says nothing of what was asked: the server was out of reach, or could not answer."""
    in_between: bool = False
    """True if it was a proxy, a filter or a page that answered, and not the server."""

    @property
    def reached(self) -> bool:
        """True if the server itself refuses the call for good."""
        return self.permanent and self.sent and not self.in_between


def temporary_fault(message: str, *, status: ReplyStatus = "error", sent: bool = True) -> Fault:
    """A fault that may be over soon, when the server does not say when."""
    return Fault(message, status, retry_after_ms=SOON_MS, sent=sent, transport=True)


def permanent_fault(message: str, *, sent: bool = True, transport: bool = True) -> Fault:
    """A fault that the same call would meet again, as long as nobody mends what is in its way."""
    return Fault(message, permanent=True, sent=sent, transport=transport)


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """An answer that is no reply: its status, its body (as text if it is no JSON), its headers."""

    status: int
    body: object
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CallTerms:
    """What a refusal is measured against."""

    deadline_s: float
    optional: Collection[str] = ()
    """Names of what the call could have left out."""
    max_tokens: int = 0
    """Most that its reply could have."""


def http_fault(server: Server, answer: ErrorAnswer, asked: CallTerms) -> Fault:
    """The fault of an HTTP status."""
    fault = _of_status(server, answer, asked)
    return replace(fault, billed=answer.status >= 500)


def event_fault(server: Server, error: object) -> Fault:
    """The fault of an error that comes in the middle of a stream, by its type and code."""
    told = provider_error(error, server)
    message = Sentence(
        "{host} broke off with an error: {error}",
        host=server.host,
        error=told.message or scrub(told.code, server) or Sentence("it does not say which"),
    )
    if _is_filtered(told):
        return Fault(message, "filtered")
    code = told.code.lower()
    may_be_over_soon = _TRANSIENT.search(code) or not code
    if may_be_over_soon and not _QUOTA.search(code):
        return temporary_fault(message)
    return permanent_fault(message)


def _of_status(server: Server, answer: ErrorAnswer, asked: CallTerms) -> Fault:
    """What a status means, in words."""
    error = provider_error(answer.body, server)
    meaning = _meaning(answer.status, error, asked)
    if meaning == "call":
        return _of_refused_call(server, answer.status, error, asked)
    template = _KEYLESS if meaning == "key" and not server.key else _WORDS[meaning]
    message = Sentence(template, **_values(server, answer.status, error))
    if meaning in ("limits", "trouble"):
        return _wait_fault(message, answer, asked.deadline_s)
    if meaning == "filter":
        return Fault(message, "filtered")
    fault = permanent_fault(message, transport=meaning not in ("minute", "length"))
    return replace(fault, in_between=meaning in _IN_BETWEEN)


def _values(server: Server, status: int, error: ProviderError) -> dict[str, object]:
    """What the sentences name."""
    set_it = Sentence("set {key_env}", key_env=server.key_env)
    return {
        "host": server.host,
        "model": server.model,
        "status": status,
        "why": f": {error.message}" if error.message else "",
        "title": f" ({error.message})" if error.message else "",
        "key_env": server.key_env or Sentence("use"),
        "what_to_do": set_it if server.key_env else Sentence("name its variable in key_env"),
    }


def _meaning(status: int, error: ProviderError, asked: CallTerms) -> _Meaning:
    """The more special one first: providers use a status for several things."""
    if 300 <= status < 400:
        return "elsewhere"
    if status in (407, 511):
        return "proxy_login" if status == 407 else "network_login"
    if error.is_page and status < 500 and status not in _PASSING:
        return "page"
    if status in _FILTERING and _is_filtered(error):
        return "filter"
    if status in (403, 429) and _QUOTA.search(error.code):
        return "quota"
    if status in (413, 429) and never_fits_a_minute(error.reason):
        return "minute"
    return _ONE_MEANING.get(status) or _who_asks(status, error) or _what_is_asked(status, error, asked)


def _who_asks(status: int, error: ProviderError) -> _Meaning | None:
    """A key only where codes or words say so: firewalls, countries and terms are refused by the same statuses."""
    if status == 401:
        has_no_words = not error.words
        return "key" if has_no_words or _KEY.search(error.words) or _LOGIN.search(error.words) else "forbidden"
    if status == 403:
        return "key" if _KEY.search(error.words) else "forbidden"
    if status in _BAD_CALL and _KEY.search(error.words):
        return "key"
    return None


def _what_is_asked(status: int, error: ProviderError, asked: CallTerms) -> _Meaning:
    if status in _BAD_CALL and reply_limit(error.reason, asked.max_tokens):
        return "call"
    if 400 <= status < 500 and _CONTEXT.search(error.words):
        return "length"
    if status == 429:
        return "limits"
    return "trouble" if status in _PASSING or status >= 500 else "call"


def _is_filtered(error: ProviderError) -> bool:
    return bool(_FILTER_CODE.search(error.code) or _FILTER_WORDS.search(error.reason))


def _of_refused_call(server: Server, status: int, error: ProviderError, asked: CallTerms) -> Fault:
    """A call that cannot be made like this, unless a lower limit is named or one of its optional parts can go."""
    values = _values(server, status, error)
    is_bad_call = status in _BAD_CALL
    if is_bad_call and (limit := reply_limit(error.reason, asked.max_tokens)):
        message = Sentence(
            "{host} takes replies of at most {most:,} tokens ({status}), which is the limit from now on{why}",
            most=limit.tokens,
            **values,
        )
        return Fault(message, limit=limit, transport=True)
    part = _refused_part(error, asked.optional) if is_bad_call else ""
    if not part:
        return permanent_fault(Sentence(_WORDS["call"], **values))
    message = Sentence(
        "{host} does not take {part} ({status}); it is left out from now on{why}",
        part=Sentence("the enforced JSON schema") if part == SCHEMA else part,
        **values,
    )
    return Fault(message, refused=part, transport=True)


def _refused_part(error: ProviderError, optional: Collection[str]) -> str:
    """The optional part of the call that the server complains of, "" if it is none of them."""
    if "stream" in optional and _refuses_to_stream(error):
        return "stream"
    for part in optional:
        if part not in ("stream", SCHEMA) and _refuses(part, error):
            return part
    if SCHEMA in optional and _SCHEMA.search(error.complaint):
        return SCHEMA
    return ""


def _refuses_to_stream(error: ProviderError) -> bool:
    """ "The stream broke off" is no reason to do without; "must be verified to stream this model" is."""
    return error.parameter == "stream" or _NO_STREAM.search(error.reason) is not None


def _refuses(part: str, error: ProviderError) -> bool:
    """ "max_tokens is too large" is no reason to leave it out; "unsupported parameter: max_tokens" is."""
    if not re.search(rf"\b{part}\b", error.complaint):
        return False
    return not is_about_the_limit(part) or _UNSUPPORTED.search(error.words) is not None


def _wait_fault(message: str, answer: ErrorAnswer, deadline_s: float) -> Fault:
    asked_ms = wait_ms(answer.headers, answer.body)
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
