"""Reads a reply that is still growing: its prose, and what the model thinks aloud before it.

Shows nothing but the one prose field: half a vote or half a number is a wrong one.
"""

import json
import time
from collections.abc import Callable, Iterable

import pydantic_core
from pydantic import JsonValue

from debate_core.errors import BadReply
from debate_core.seats import OnText
from debate_core.spec.contents import PROSE_FIELDS

EVERY_S = 0.03
"""Between two pieces of prose: more often than eyes can follow would only cost time."""
MAX_THINKING_CHARS = 4_000
"""The last of it; it is no part of the turn and is not kept."""
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
    if isinstance(data, dict):
        for name in PROSE_FIELDS:
            if isinstance(data.get(name), str):
                return str(data[name])
    return ""


def plain_prose(text: str) -> str:
    """The text of a reply that was asked for as plain text; its prose, if it came as JSON all the same."""
    if text.lstrip().startswith(("{", "```")):
        return prose_of(text)
    return text.strip()


class Listener:
    """Hears a reply piece by piece and tells the room its prose, not more often than eyes can follow."""

    def __init__(
        self, on_text: OnText, request: str, on_begin: Callable[[], None], reads: Callable[[str], str] = prose_of
    ) -> None:
        """`reads` finds the prose in what has come."""
        self._on_text = on_text
        self._request = request
        self._on_begin = on_begin
        self._reads = reads
        self._text = self._thinking = ""
        self.prose = ""
        """What the room has been told of the turn."""
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
        """Tell what is there now, if it is news. Prose never gets shorter."""
        reply, tagged_thinking = without_thinking(self._text)
        self.prose = max(self._reads(reply), self.prose, key=len)
        thinking = (self._thinking + tagged_thinking)[-MAX_THINKING_CHARS:]
        news = (self.prose, thinking)
        if news != self._news:
            self._news = news
            self._news_at_s = time.monotonic()
            self._on_text(self._request, self.prose, thinking=thinking)


NOT_READABLE = ("the reply holds", "the reply is")
"""How a sentence begins that says why a reply is no JSON object."""
MOST_WORDS_ON_FORM = 15
NAMED_TWICE = "named twice"
"""What stands for two values of one name. No field can be read from it: which of two votes counts would be a guess."""


def _object_of(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    """For `json`: keeps all values of a name that is there more than once."""
    values_of: dict[str, list[JsonValue]] = {}
    for name, value in pairs:
        values_of.setdefault(name, []).append(value)
    fields: dict[str, JsonValue] = {}
    for name, values in values_of.items():
        fields[name] = values[0] if len(values) == 1 else {NAMED_TWICE: values}
    return fields


_TEXTS = frozenset({*PROSE_FIELDS, "stance", "claims", "answers", "concedes"})
"""Fields that decide nothing: objects that differ in these alone say the same."""
_DECODER = json.JSONDecoder(object_pairs_hook=_object_of)
MOST_LEVELS = 100
"""Of a reply, each within the one before it: what is asked for has five at most."""


def read_reply(text: str) -> JsonValue:
    """The JSON object of a reply, behind leading prose or inside a code fence. BadReply if there is none, or two.

    Small models say the same object again and again: it is the first one, as long as all of them decide the same.
    NaN and Infinity stand in no JSON, but some servers write them: they are read, and no field takes them.
    """
    start = text.find("{")
    if start < 0:
        raise BadReply("the reply holds no JSON object")
    if text[:start].rstrip().endswith("["):
        raise BadReply("the reply is a JSON list, not one object")
    data: dict[str, JsonValue]
    try:
        data, end = _DECODER.raw_decode(text, start)
        # Refuses half a character, which no record could hold.
        json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise BadReply(f"the reply is not readable JSON: {error}") from None
    if _is_too_deep(data):
        raise BadReply(f"the reply is nested in more than {MOST_LEVELS} levels: give the fields that were asked for")
    if not _is_said_again(data, text, end, was_cut=False):
        raise BadReply("the reply holds more than one JSON object")
    return data


def _is_too_deep(data: JsonValue) -> bool:
    """True if whatever goes through its levels one within the other might not come to their end."""
    within: list[JsonValue] = [data]
    for _ in range(MOST_LEVELS):
        within = [part for value in within for part in _parts(value)]
    return bool(within)


def _parts(value: JsonValue) -> Iterable[JsonValue]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _is_said_again(said: dict[str, JsonValue], text: str, at: int, *, was_cut: bool) -> bool:
    """True if each further object decides the same; the last one as far as it goes, if the text was cut."""
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
    """The fields of a JSON object that is cut off, as far as each is whole, and the rest of its text; None = no rest.

    A field is whole if something follows it: `7` may be the beginning of `70`. None are, if a name is there twice, or
    if the object is whole and another one follows that decides otherwise. Of a list that is cut, the items that are
    whole are a field too.
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
    """The objects of a list that are whole, and where they end."""
    items = list[JsonValue]()
    if text[at : at + 1] != "[":
        return items, at
    at += 1
    try:
        while text[_behind(text, at, "")] == "{":
            item, end = _DECODER.raw_decode(text, _behind(text, at, ""))
            items.append(item)
            at = end
            at = _behind(text, end, ",")
    except (ValueError, RecursionError, IndexError):
        pass
    return items, at


def _behind(text: str, at: int, mark: str) -> int:
    """Where the next value begins, behind blanks and this mark. ValueError if it is not there."""
    at = _skipped(text, at)
    if not text.startswith(mark, at):
        raise ValueError(f"no {mark} at {at}")
    return _skipped(text, at + len(mark))


def _skipped(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def speaks_of_its_form(prose: str, question: str) -> bool:
    """True if this says nothing but that it is JSON or not, as `I hold no JSON object`: an echo of what it was told."""
    words = prose.casefold().split()
    return len(words) <= MOST_WORDS_ON_FORM and "json" in prose.casefold() and "json" not in question.casefold()
