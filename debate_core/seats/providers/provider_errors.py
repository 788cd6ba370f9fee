"""Parses the body of an error of any shape: codes, the part of the call, the reason, or a web page.

Values of bodies are untrusted, and messages are scrubbed, because providers echo keys. Draws no conclusion.
"""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from debate_core.seats.providers.redact import printable, without_key

MAX_SAID_CHARS = 200
MAX_READ_CHARS = 2_000
MAX_PAGE_CHARS = 10_000
"""Length of a page in which its title is searched."""
# Examples: "sk-proj-***8rQ".
_MASKED = re.compile(r"\S*\*{2,}\S*")
# Examples: "gsk_0123456789abcdef", "Bearer abc".
_KEY_LIKE = re.compile(r"\b(?:sk|pk|rk|gsk|xai|hf|key)[-_][\w.-]{6,}|\bAIza[\w-]{6,}|\bBearer\s+\S+")
# Letters and digits, twenty or more together: "0123456789abcdef0123".
_LONG_TOKEN = re.compile(r"(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}")
# The beginning of a page: "<!DOCTYPE html>", "<html lang='en'>".
_PAGE = re.compile(r"\s*<(!doctype html|html|head|body|title)\b", re.I)
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.I | re.S)
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class Server:
    """The called server: names for messages, and secrets that no message may contain."""

    host: str
    model: str
    key: str
    key_env: str
    proxy: str = ""
    """Host and port of the proxy between; empty = none."""
    proxy_password: str = ""
    proxy_has_certificate: bool = False
    """True if the proxy itself is called over https."""


@dataclass(frozen=True, slots=True)
class ProviderError:
    """Content of an error body. Only `message` is scrubbed; the other fields are never shown."""

    code: str = ""
    """Its types and codes."""
    parameter: str = ""
    reason: str = ""
    message: str = ""
    """The reason, scrubbed."""
    is_page: bool = False
    """True for a web page, whose title is the reason; no model server sends one."""

    @property
    def complaint(self) -> str:
        """The part of the call, or else the reason."""
        return self.parameter or self.reason

    @property
    def words(self) -> str:
        """Codes and reason."""
        return f"{self.code} {self.reason}".strip()


def scrub(text: str, server: Server) -> str:
    """Shorten a provider's text to one line, without secrets, parts of them, or anything that looks like one."""
    text = " ".join(printable(text[:MAX_READ_CHARS]).split())
    for secret in (server.key, server.proxy_password):
        text = without_key(text, secret)
    text = _MASKED.sub("[...]", _KEY_LIKE.sub("[...]", text))
    text = _LONG_TOKEN.sub(lambda m: m[0] if m[0] in server.model else "[...]", text)
    if len(text) <= MAX_SAID_CHARS:
        return text
    return text[: MAX_SAID_CHARS - 3] + "..."


def error_value(body: object) -> object:
    """The error in a body: Google sends a list of one, Mistral uses `message`, FastAPI `detail`."""
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, Mapping):
        return body
    error = body.get("error", body)
    if isinstance(error, str) and body.get("code"):
        # Some servers send the error as words with its kind in a separate field.
        return {**body, "message": error}
    return error


def provider_error(body: object, server: Server) -> ProviderError:
    """Read the error from a body of any shape."""
    error = error_value(body)
    if isinstance(error, str):
        return _of_text(error, server)
    if not isinstance(error, Mapping):
        return ProviderError()
    parameter, reason = "", ""
    for name in ("message", "detail", "msg"):
        parameter, reason = _part_and_reason(error.get(name))
        if parameter or reason:
            break
    parameter = str(error.get("param") or parameter)
    reason = reason[:MAX_READ_CHARS]
    return ProviderError(" ".join(_codes(error)), parameter, reason, scrub(reason, server))


def _of_text(text: str, server: Server) -> ProviderError:
    """Read a body that is not JSON: a page, or a few words, perhaps in XML."""
    if _PAGE.match(text):
        title = _TITLE.search(text[:MAX_PAGE_CHARS])
        reason = html.unescape(title[1]) if title else ""
        return ProviderError(reason=reason, message=scrub(reason, server), is_page=True)
    reason = _TAG.sub(" ", text[:MAX_READ_CHARS])
    return ProviderError(reason=reason, message=scrub(reason, server))


def _codes(error: Mapping[str, object]) -> Iterator[str]:
    """The types and codes of an error, with those of its details and of its inner error."""
    for name in ("type", "code", "status"):
        if error.get(name) is not None:
            yield str(error[name])[:80]
    inner = error.get("innererror")
    if isinstance(inner, Mapping):
        yield from _codes(inner)
    details = error.get("detail")
    for detail in details if isinstance(details, list) else ():
        if isinstance(detail, Mapping):
            yield from _codes(detail)
    metadata = error.get("metadata")
    if isinstance(metadata, Mapping) and "flagged_input" in metadata:
        # OpenRouter names the flagged input, and no kind.
        yield "flagged_input"


def _part_and_reason(value: object) -> tuple[str, str]:
    """(part of the call, reason) from a `message` or `detail`: words, or a list of faults."""
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
            # `["body", "response_format"]`: the first entry is the place in the request.
            part = ".".join(map(str, place[1:]))
            parts.append(part)
            why = f"{part}: {why}"
        if why:
            whys.append(why)
    return ", ".join(parts), "; ".join(whys)
