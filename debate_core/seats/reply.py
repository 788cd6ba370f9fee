"""Reads a reply that is still growing: its prose, and what the model thinks aloud before it.

Shows nothing but the one prose field: half a vote or half a number is a wrong one.
"""

import json
import time
from collections.abc import Callable

import pydantic_core
from pydantic import JsonValue

from debate_core.errors import BadReply
from debate_core.seats import OnText

EVERY_S = 0.03
MAX_THINKING_CHARS = 4_000
"""The last of it; it is no part of the turn and is not kept."""
PROSE_FIELDS = ("rationale", "answer", "thesis", "reason", "synthesis", "reasoning")
"""The field of each content kind that is read aloud; no kind has two of them."""
_OPEN, _CLOSE = "<think>", "</think>"


def without_thinking(text: str) -> tuple[str, str]:
    """(reply, thinking): some servers leave the thinking in the text, in a tag before the reply, open or closed."""
    bare = text.lstrip()
    if bare.startswith("{"):
        return text, ""
    before, closed, after = bare.partition(_CLOSE)
    if closed:
        return after, before.removeprefix(_OPEN)
    if bare.startswith(_OPEN) or (bare and _OPEN.startswith(bare)):
        return "", bare.removeprefix(_OPEN)
    return text, ""


def prose_of(text: str) -> str:
    """The prose of a JSON reply as far as it has come, "" if there is none yet."""
    start = text.find("{")
    if start < 0:
        return ""
    try:
        data = pydantic_core.from_json(text[start:], allow_partial="trailing-strings")
    except ValueError:
        return ""
    return prose_in(data)


def prose_in(data: object) -> str:
    """What is read aloud of a reply, as far as it is there."""
    if not isinstance(data, dict):
        return ""
    return next((found for name in PROSE_FIELDS if isinstance(found := data.get(name), str)), "")


class Listener:
    """Hears a reply piece by piece and tells the room its prose, not more often than eyes can follow."""

    def __init__(self, on_text: OnText, request: str, begun: Callable[[], None]) -> None:
        self._on_text, self._request, self._begun = on_text, request, begun
        self._text = self._thinking = ""
        self._told = ("", "")
        self._told_at_s = 0.0

    def __call__(self, text: str, thinking: str) -> None:
        if not (self._text or self._thinking):
            self._begun()
        self._text += text
        self._thinking += thinking
        if time.monotonic() - self._told_at_s >= EVERY_S:
            self.tell()

    def tell(self) -> None:
        """Tell what is there now, if it is news. Prose never gets shorter."""
        reply, aloud = without_thinking(self._text)
        prose = max(prose_of(reply), self._told[0], key=len)
        news = (prose, (self._thinking + aloud)[-MAX_THINKING_CHARS:])
        if news != self._told:
            self._told, self._told_at_s = news, time.monotonic()
            self._on_text(self._request, prose, thinking=news[1])

    @property
    def prose(self) -> str:
        """What the room has been told of the turn."""
        return self._told[0]


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number in JSON")


def _named_once(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    """Which of two votes counts would be a guess."""
    found = dict(pairs)
    if len(found) != len(pairs):
        again = next(name for i, (name, _) in enumerate(pairs) if name in dict(pairs[:i]))
        raise ValueError(f"{again[:80]!r} is named twice")
    return found


def read_reply(text: str) -> JsonValue:
    """The JSON object of a reply, behind leading prose or inside a code fence. BadReply if there is none, or two."""
    start = text.find("{")
    if start < 0:
        raise BadReply("the reply holds no JSON object")
    if text[:start].rstrip().endswith("["):
        raise BadReply("the reply is a JSON list, not one object")
    try:
        decoder = json.JSONDecoder(parse_constant=_no_number, object_pairs_hook=_named_once)
        data, end = decoder.raw_decode(text[start:])
        json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise BadReply(f"the reply is not readable JSON: {error}") from None
    if "{" in text[start + end :]:
        raise BadReply("the reply holds more than one JSON object")
    found: JsonValue = data
    return found
