"""Markdown for decision records: blocks that no linter objects to, and text of people that can become no markup.

Knows no debate.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from debate_core.text import line, md_text, plain

_END_OF_HEADING = ".,;:!?。，；：！？ "
_BRACES = re.compile(r"([{}])")
_DEFINITION = re.compile(r"(?m)^:")
_SLUG_CHARS = 60


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `level` 1 is the title."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Para:
    """A paragraph of Markdown on one line; what it quotes has gone through `inline`."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list; each item is Markdown on one line."""

    items: tuple[str, ...]
    marker: str = "*"


@dataclass(frozen=True, slots=True)
class Quote:
    """Text of people word for word, line by line."""

    text: str


Block = Heading | Para | Items | Quote


def inline(text: str) -> str:
    """Foreign text on one line: neither Markdown nor HTML, and nothing that a site generator fills in."""
    return _escaped(_flat(text)) or "(empty)"


def _flat(text: str) -> str:
    return line(text.replace("\t", " "))


def _escaped(text: str) -> str:
    return _DEFINITION.sub(r"\\:", _BRACES.sub(r"\\\1", md_text(text)))


def bullets(items: Iterable[str], marker: str = "*") -> list[Block]:
    """A list, or nothing if there are no items."""
    found = tuple(items)
    return [Items(found, marker)] if found else []


def code(identifier: str) -> str:
    """An id or a hash as code; a record from elsewhere may have any text there."""
    return f"`{re.sub(r'[^A-Za-z0-9_-]', '?', identifier)[:64]}`"


def heading_text(text: str, taken: set[str]) -> str:
    """Foreign text as a heading: no punctuation at its end, and unlike every heading before it (added to `taken`)."""
    flat = _flat(text).rstrip(_END_OF_HEADING) or "unnamed"
    name, number = flat, 1
    while name.casefold() in taken:
        number += 1
        name = f"{flat} ({number})"
    taken.add(name.casefold())
    return _escaped(name)


def render(blocks: Sequence[Block], front: Mapping[str, str | tuple[str, ...]] | None = None) -> str:
    """The document: front matter if there is any, every block apart from the next by one empty line."""
    parts = [part for block in blocks if (part := _block(block))]
    head = _front_matter(front) if front else []
    return "\n\n".join([*(["\n".join(head)] if head else []), *parts]) + "\n"


def _block(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {text}"
        case Para(text):
            return text
        case Items(items, marker):
            return "\n".join(f"{marker} {item}" for item in items)
        case Quote(text):
            return _quote(text)


def _quote(text: str) -> str:
    shown = [" ".join(part.split()) for part in plain(text.replace("\t", " ")).strip().split("\n")]
    # Each line by itself: an escape at the beginning of a line must see that beginning.
    lines = [f"> {_escaped(part)}" if part else ">" for part in shown]
    return "\n".join(once for i, once in enumerate(lines) if once != ">" or (i and lines[i - 1] != ">"))


def _front_matter(front: Mapping[str, str | tuple[str, ...]]) -> list[str]:
    """YAML whose values are JSON strings: whatever a name holds, it ends neither its line nor the block."""
    fields = [f"{key}: {_scalar(key, value)}" for key, value in front.items() if value]
    return ["---", *fields, "---"]


def _scalar(key: str, value: str | tuple[str, ...]) -> str:
    text = value if isinstance(value, str) else ", ".join(map(_flat, value))
    return text if key == "date" else json.dumps(_flat(text), ensure_ascii=False)


def slug(text: str) -> str:
    """`Which database?` -> `which-database`: letters and digits of any script fold to ASCII where they can."""
    plain_letters = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", plain_letters)
    name = ""
    for word in words:
        longer = f"{name}-{word}" if name else word[:_SLUG_CHARS]
        if len(longer) > _SLUG_CHARS:
            break
        name = longer
    return name or "decision"
