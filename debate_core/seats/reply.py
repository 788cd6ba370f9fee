"""Reads replies of models: the prose and the thinking while they stream, and then the JSON object.

Only the prose field is shown early, because half a vote or half a number is a wrong one.
"""

import json
import re
import time
from collections.abc import Callable, Iterable

import pydantic_core
from pydantic import JsonValue

from debate_core.errors import BadReply
from debate_core.seats import OnText
from debate_core.spec.contents import PROSE_FIELDS

EVERY_S = 0.03
"""Least time between two pieces of prose; eyes cannot follow shorter ones."""
MAX_THINKING_CHARS = 4_000
"""Only the end is shown; thinking is not part of the turn and is not kept."""
_OPEN, _CLOSE = "<think>", "</think>"


def without_thinking(text: str) -> tuple[str, str]:
    """(reply, thinking): some servers leave the thinking in the text, in a tag before the reply, open or closed."""
    bare = text.lstrip()
    if bare.startswith("{"):
        return text, ""
    before, closing_tag, after = bare.partition(_CLOSE)
    if closing_tag:
        return after, before.removeprefix(_OPEN)
    is_part_of_the_tag = bare != "" and _OPEN.startswith(bare)
    if bare.startswith(_OPEN) or is_part_of_the_tag:
        return "", bare.removeprefix(_OPEN)
    return text, ""


def prose_of(text: str) -> str:
    """The prose of an incomplete JSON reply, "" if there is none yet."""
    start = text.find("{")
    if start < 0:
        return ""
    try:
        data = pydantic_core.from_json(text[start:], allow_partial="trailing-strings")
    except ValueError:
        return ""
    return prose_in(data)


def prose_in(data: object) -> str:
    """The prose field of a parsed reply, "" if there is none yet."""
    if isinstance(data, dict):
        for name in PROSE_FIELDS:
            if isinstance(data.get(name), str):
                return str(data[name])
    return ""


def plain_prose(text: str) -> str:
    """The prose of a reply that was requested as plain text, even if it came as JSON."""
    if text.lstrip().startswith(("{", "```")):
        return prose_of(text)
    return text.strip()


class Listener:
    """Receives a reply piece by piece and streams its prose to the room, at a rate that eyes can follow."""

    def __init__(
        self, on_text: OnText, request: str, on_begin: Callable[[], None], reads: Callable[[str], str] = prose_of
    ) -> None:
        """`reads` extracts the prose from the incomplete reply."""
        self._on_text = on_text
        self._request = request
        self._on_begin = on_begin
        self._reads = reads
        self._text = self._thinking = ""
        self.prose = ""
        """The prose that was streamed so far."""
        self._news = ("", "")
        self._news_at_s = 0.0

    def __call__(self, text: str, thinking: str) -> None:
        if not (self._text or self._thinking):
            self._on_begin()
        self._text += text
        self._thinking += thinking
        if time.monotonic() - self._news_at_s >= EVERY_S:
            self.tell()

    def tell(self) -> None:
        """Stream the current prose and thinking, if they changed. Prose never gets shorter."""
        reply, tagged_thinking = without_thinking(self._text)
        self.prose = max(self._reads(reply), self.prose, key=len)
        thinking = (self._thinking + tagged_thinking)[-MAX_THINKING_CHARS:]
        news = (self.prose, thinking)
        if news != self._news:
            self._news = news
            self._news_at_s = time.monotonic()
            self._on_text(self._request, self.prose, thinking=thinking)


NOT_READABLE = ("the reply holds", "the reply is")
"""Beginnings of the messages for replies that are no JSON object."""
MOST_WORDS_ON_FORM = 15
NAMED_TWICE = "named twice"
"""Replaces two values of one name, so that no field is read from it: either of two votes would be a guess."""


def _object_of(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    """Object hook for `json` that keeps all values of a repeated name."""
    values_of: dict[str, list[JsonValue]] = {}
    for name, value in pairs:
        values_of.setdefault(name, []).append(value)
    fields: dict[str, JsonValue] = {}
    for name, values in values_of.items():
        fields[name] = values[0] if len(values) == 1 else {NAMED_TWICE: values}
    return fields


_TEXTS = frozenset({*PROSE_FIELDS, "stance", "claims", "answers", "concedes"})
"""Fields without a decision: objects that differ only in these count as equal."""
_DECODER = json.JSONDecoder(object_pairs_hook=_object_of)
MOST_LEVELS = 100
"""Maximum nesting of a reply; requested contents have five levels at most."""


def read_reply(text: str) -> JsonValue:
    """The JSON object of a reply, after leading prose or inside a code fence. BadReply if there is none, or two.

    Small models repeat an object: the first one counts if all of them decide the same. NaN and Infinity, which some
    servers write, are parsed, but no field accepts them.
    """
    start = text.find("{")
    if start < 0:
        raise BadReply("the reply holds no JSON object")
    if text[:start].rstrip().endswith("["):
        raise BadReply("the reply is a JSON list, not one object")
    data: dict[str, JsonValue]
    try:
        data, end = _DECODER.raw_decode(text, start)
        # Refuses half a surrogate pair, which no record can hold.
        json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise BadReply(f"the reply is not readable JSON: {error}") from None
    nested: list[JsonValue] = [data]
    for _ in range(MOST_LEVELS):
        nested = [part for value in nested for part in _parts(value)]
    # Code that follows the levels recursively might exceed the recursion limit.
    if nested:
        raise BadReply(f"the reply is nested in more than {MOST_LEVELS} levels: give the fields that were asked for")
    if not _is_said_again(data, text, end, was_cut=False):
        raise BadReply("the reply holds more than one JSON object")
    return data


def _parts(value: JsonValue) -> Iterable[JsonValue]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _is_said_again(said: dict[str, JsonValue], text: str, at: int, *, was_cut: bool) -> bool:
    """True if all further objects decide the same; the last one as far as it goes, if the text was cut."""
    decided = _without_texts(said)
    while (start := text.find("{", at)) >= 0:
        try:
            again, at = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            fields, _ = closed_fields(text[start:])
            return was_cut and _without_texts(fields).items() <= decided.items()
        if again != said and not decided == _without_texts(again) != {}:
            return False
    return True


def _without_texts(fields: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {name: value for name, value in fields.items() if name not in _TEXTS}


def closed_fields(text: str) -> tuple[dict[str, JsonValue], str | None]:
    """(fields, rest): the whole fields of a JSON object that is cut off, and the text after them; None = no rest.

    A field is whole if something follows it, as `7` may be the beginning of `70`. There are no fields if a name is
    repeated, or if the object is whole and a further one decides differently. The whole items of a cut list are a field
    too.
    """
    fields = dict[str, JsonValue]()
    at = text.find("{") + 1
    try:
        whole, end = _DECODER.raw_decode(text, at - 1)
        if _is_said_again(whole, text, end, was_cut=True):
            return whole, None
        return {}, text
    except (ValueError, RecursionError):
        pass
    try:
        while at:
            name, end = _DECODER.raw_decode(text, _behind(text, at, ""))
            start = _behind(text, _behind(text, end, ":"), "")
            if not isinstance(name, str) or name in fields:
                return {}, text
            try:
                value, end = _DECODER.raw_decode(text, start)
                after = _behind(text, end, ",")
            except ValueError:
                items, at = _closed_items(text, start)
                if items:
                    fields[name] = items
                return fields, text[at:]
            fields[name] = value
            at = after
    except (ValueError, RecursionError):
        pass
    return fields, text[at:]


def _closed_items(text: str, at: int) -> tuple[list[JsonValue], int]:
    """The whole objects of a cut list, and the place of their end."""
    items = list[JsonValue]()
    if text[at : at + 1] != "[":
        return items, at
    at += 1
    try:
        while text[_behind(text, at, "")] == "{":
            item, at = _DECODER.raw_decode(text, _behind(text, at, ""))
            items.append(item)
            at = _behind(text, at, ",")
    except (ValueError, RecursionError, IndexError):
        pass
    return items, at


def _behind(text: str, at: int, mark: str) -> int:
    """The place of the next value after blanks and this mark; ValueError without the mark."""
    found = re.compile(rf"[ \t\r\n]*{mark}[ \t\r\n]*").match(text, at)
    if found is None:
        raise ValueError(f"no {mark} at {at}")
    return found.end()


def speaks_of_its_form(prose: str, question: str) -> bool:
    """True if the prose is only about JSON, such as `I hold no JSON object`: an echo of the instructions."""
    words = prose.casefold().split()
    return len(words) <= MOST_WORDS_ON_FORM and "json" in prose.casefold() and "json" not in question.casefold()
