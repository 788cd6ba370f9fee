"""What went wrong with a call, in words: HTTP statuses, error events, headers that say when to come back.

Says for each fault whether the same call would fail again. What a provider says is scrubbed: providers echo keys.
Knows no vendor's library and opens no connection.
"""

import math
import random
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from debate_core.seats.wires.redact import printable
from debate_core.seats.wires.wire import ReplyStatus

MAX_SAID_CHARS = 200
BACK_OFF_MS = (300, 700)
"""Before a new attempt where the server does not say how long; at random, so that seats do not come back together."""
MAX_WAIT_MS = 86_400_000
SCHEMA = "schema"
"""Name of the way in which a JSON reply is asked for, among the optional parts of a call."""

_CONTEXT = re.compile(
    r"context[ _-]?(length|window|size|limit)|maximum context|(prompt|input) is too long|too many (input )?tokens", re.I
)
_QUOTA = re.compile(r"insufficient_quota|insufficient.balance|billing|credit", re.I)
_SCHEMA = re.compile(r"response_format|json_?schema|json_object|output_config|output_format|text\.format|grammar", re.I)
_UNSUPPORTED = re.compile(r"support|unknown|unrecogni|unexpected|extra|permitted|allowed", re.I)
_TRANSIENT = re.compile(
    r"overloaded|server_error|rate_?limit|api_error|timeout|internal|unavailable|\b(408|409|429|5\d\d)\b"
)
_FILTERED = re.compile(r"polic|invalid_prompt|content_filter|safety")
_MASKED = re.compile(r"\S*\*{2,}\S*")
_KEY_LIKE = re.compile(r"\b(?:sk|pk|rk|gsk|xai|hf|key)[-_][\w.-]{6,}|\bAIza[\w-]{6,}|\bBearer\s+\S+")
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


def passing(message: str, *, status: ReplyStatus = "error", sent: bool = True) -> Fault:
    """A fault that may be over soon, when the server does not say when."""
    return Fault(message, status, retry_after_ms=random.randint(*BACK_OFF_MS), sent=sent)


def lasting(message: str, *, sent: bool = True) -> Fault:
    """A fault that the same call would meet again."""
    return Fault(message, permanent=True, sent=sent)


def scrub(said: str, server: Server) -> str:
    """What a provider says, on one line and short, without the key, parts of it, or anything that looks like one."""
    text = _without_key(" ".join(printable(said[:2_000]).split()), server.key)
    text = _MASKED.sub("[...]", _KEY_LIKE.sub("[...]", text))
    text = _LONG_TOKEN.sub(lambda m: m[0] if m[0] in server.model else "[...]", text)
    return text if len(text) <= MAX_SAID_CHARS else text[: MAX_SAID_CHARS - 3] + "..."


def _without_key(text: str, key: str) -> str:
    """Without any 8 letters in a row that are in the key, without its last 4 as a word, without a short key."""
    size = min(8, len(key))
    if not size:
        return text
    hidden = {j for i in range(len(text) - size + 1) if text[i : i + size] in key for j in range(i, i + size)}
    text = "".join("*" if i in hidden else char for i, char in enumerate(text))
    text = re.sub(rf"\b{re.escape(key[-4:])}\b", "**", text) if len(key) >= size > 4 else text
    return re.sub(r"\*{2,}", "**", text)


@dataclass(frozen=True, slots=True)
class Turned:
    """An answer that is no reply: its status, its body as far as it is JSON, its headers."""

    status: int
    body: object
    headers: Mapping[str, str]


def http_fault(server: Server, turned: Turned, *, optional: Collection[str], deadline_s: float) -> Fault:
    """The fault of an HTTP status. `optional` names what this call could have left out."""
    fault = _of_status(server, turned, optional, deadline_s)
    return replace(fault, billed=turned.status >= 500)


def _of_status(server: Server, turned: Turned, optional: Collection[str], deadline_s: float) -> Fault:
    words, named, said = _error_in(turned.body, server)
    status, host, told = turned.status, server.host, f": {said}" if said else ""
    if 300 <= status < 400:
        return lasting(f"{host} redirects elsewhere ({status}); not followed: give its final address as base_url")
    if status == 402 or (status in (403, 429) and _QUOTA.search(words)):
        return lasting(f"{host} says that the quota or the credit is used up ({status}){told}")
    if status in (401, 403):
        return lasting(_key_refused(server, status))
    if status == 404:
        return lasting(f"{host} does not know the model {server.model!r}, or not at this address (404){told}")
    if status == 413 or (400 <= status < 500 and _CONTEXT.search(f"{words} {said}")):
        return lasting(f"the prompt is longer than {server.model} takes at {host} ({status}){told}")
    if status in (408, 409, 425, 429) or status >= 500:
        what = "limits how often it is called" if status == 429 else "is in trouble"
        return _coming_back(f"{host} {what} ({status}){told}", turned.headers, deadline_s)
    part = _refused_part(named, said, optional) if status in (400, 422) else ""
    if part:
        what = "the enforced JSON schema" if part == SCHEMA else part
        return Fault(f"{host} does not take {what} ({status}); it is left out from now on{told}", refused=part)
    return lasting(f"{host} refuses the call ({status}){told}")


def event_fault(server: Server, error: object) -> Fault:
    """The fault of an error that comes in the middle of a stream, by its type and code."""
    words, _, said = _error_in(error, server)
    message = f"{server.host} broke off with an error: {said or words or 'it does not say which'}"
    words = words.lower()
    if _FILTERED.search(words):
        return Fault(message, "filtered")
    if not _QUOTA.search(words) and (_TRANSIENT.search(words) or not words):
        return passing(message)
    return lasting(message)


def _key_refused(server: Server, status: int) -> str:
    if not server.key:
        name = f"set {server.key_env}" if server.key_env else "name its variable in key_env"
        return f"{server.host} asks for a key ({status}): {name}"
    return f"{server.host} rejects the key in {server.key_env or 'use'} for {server.model} ({status})"


def _error_in(body: object, server: Server) -> tuple[str, str, str]:
    """(type and code, parameter, scrubbed message) of an error body, whatever its shape."""
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    if not isinstance(inner, Mapping):
        return "", "", scrub(inner, server) if isinstance(inner, str) and "<" not in inner else ""
    words = " ".join(str(v)[:80] for k in ("type", "code") if (v := inner.get(k)) is not None)
    said = next((v for k in ("message", "detail") if isinstance(v := inner.get(k), str)), "")
    return scrub(words, server), str(inner.get("param") or ""), scrub(said, server)


def _refused_part(named: str, said: str, optional: Collection[str]) -> str:
    """The optional part of the call that the server complains of, "" if it is none of them."""
    text = named or said
    for part in optional:
        if part != SCHEMA and re.search(rf"\b{part}\b", text):
            # "max_tokens is too large" is no reason to leave it out.
            if part.startswith("max_") and not _UNSUPPORTED.search(said):
                continue
            return part
    return SCHEMA if SCHEMA in optional and _SCHEMA.search(text) else ""


def _coming_back(message: str, headers: Mapping[str, str], deadline_s: float) -> Fault:
    wait_ms = retry_after_ms(headers)
    if wait_ms is None:
        return passing(message)
    if wait_ms > deadline_s * 1000:
        return lasting(f"{message}; it asks to wait {math.ceil(wait_ms / 1000)} s, a turn may take {deadline_s:g} s")
    return Fault(message, retry_after_ms=wait_ms)


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
    except (KeyError, ValueError):
        return None
    left_s = (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return min(MAX_WAIT_MS, max(0, math.ceil(left_s * 1000)))
