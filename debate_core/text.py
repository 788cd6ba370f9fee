"""Words of people made safe to print: one line, Markdown, plurals and lists."""

import re
from collections.abc import Sequence

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")

_DIRECTION = re.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


_MARKUP = re.compile(r"[\\`*_\[\]<>|$~&@]|:(?=//)|(?<=[wW]{3})\.")


_LINE_START = re.compile(r"(?m)^[ \t]*(?:([#+=-])|(\d{1,9})([.)]))")


def plain(text: str) -> str:
    """Text without control and direction characters: a terminal or a diff shows what is there."""
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def without_direction(text: str) -> str:
    """Text without the characters that turn the writing direction of what follows them: U+202E and its kin."""
    return _DIRECTION.sub("", text)


def line(text: str) -> str:
    """The same on one line."""
    return " ".join(plain(re.sub(r"[\r\n\x85\u2028\u2029]", " ", text)).split())


def first_words(text: str, most: int) -> str:
    """As many words of a text on one line; that there are more is seen at its end."""
    words = line(text).split()
    return " ".join(words) if len(words) <= most else f"{' '.join(words[:most])} …"


def md_text(text: str) -> str:
    """Markdown that shows exactly these words: no heading, list, table, formula, HTML, image or link."""
    escaped = _MARKUP.sub(lambda m: "\\" + m.group(), plain(text))
    return _LINE_START.sub(lambda m: f"\\{m[1]}" if m[1] else f"{m[2]}\\{m[3]}", escaped)


def capitalized(words: str) -> str:
    """With a capital at its beginning, as a line of its own; later ones stay, for German nouns and names have them."""
    return f"{words[:1].upper()}{words[1:]}"


def whole_sentence(words: str) -> str:
    """With a capital at its beginning and one mark at its end: a question keeps its own."""
    return capitalized(words) if words.endswith((".", "?", "!")) else f"{capitalized(words)}."


def plural(n: int, noun: str) -> str:
    """`1 vote`, `2 votes`."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def spoken_list(items: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))
