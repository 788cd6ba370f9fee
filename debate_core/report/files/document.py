"""A document as blocks, and its two forms: Markdown for a file, plain lines for a terminal.

Whoever fills a block writes plain text, of people too. Only the two forms below make markup, and they see to it that
no text becomes any: no heading, list, link, image or HTML, and no command of a terminal.
"""

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, assert_never

from debate_core.text import line, md_text, plain


@dataclass(frozen=True, slots=True)
class Strong:
    """Words that stand out."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """An id or a hash. A record from elsewhere may have any text there: other signs than those of ids become `?`."""

    text: str


@dataclass(frozen=True, slots=True)
class Own:
    """Words of this program, and names in which the spec allows letters, digits and `_` alone: written as they are."""

    text: str


Span = str | Strong | Code | Own
Inline = Span | tuple[Span, ...]
"""Text on one line; what is given as `str` may hold anything."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `level` 1 is the title. `number` stands before it."""

    level: int
    text: Inline
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph on one line."""

    text: Inline


@dataclass(frozen=True, slots=True)
class Items:
    """A list. In a terminal each item begins with `label`, or is indented if there is none."""

    items: tuple[Inline, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """Text of people word for word, line by line."""

    text: str


@dataclass(frozen=True, slots=True)
class Speech:
    """What somebody said at a place of the debate: `remark` stands behind their name, `notes` below their words."""

    place: str
    speaker: str
    remark: str
    text: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table; `head` is written in words of this program, a cell may hold anything."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines of a machine, which stand apart and as they are."""

    text: str


Block = Heading | Paragraph | Items | Quote | Speech | Table | Verbatim
FrontValue = str | date | tuple[str, ...]
Front = Mapping[str, FrontValue]


@dataclass(frozen=True, slots=True)
class Document:
    """Blocks from top to bottom."""

    blocks: tuple[Block, ...]
    front: Front = field(default_factory=dict)
    """What a decision record has before its first block in Markdown; keys without a value are left out."""
    marker: Literal["-", "*"] = "-"
    """What stands before an item of a list in Markdown."""

    def markdown(self) -> str:
        """Markdown that no linter objects to: one empty line between any two blocks."""
        parts = list[str]()
        if self.front:
            parts.append("\n".join(_front_matter(self.front)))
        for block in self.blocks:
            parts += filter(None, _markdown(block, self.marker))
        return "\n\n".join(parts) + "\n"

    def terminal(self) -> str:
        """Plain lines: an empty one before whatever begins something new."""
        lines = list[str]()
        for block in self.blocks:
            for text in _terminal(block):
                is_double = not text and (not lines or not lines[-1])
                if not is_double:
                    lines.append(text)
        return "\n".join(lines) + "\n"


def items(lines: Iterable[Inline], label: str = "") -> list[Block]:
    """A list, or nothing if there are no items."""
    listed = tuple(lines)
    return [Items(listed, label)] if listed else []


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """A table of whatever has a text."""
    return Table(tuple(head), tuple(tuple(map(str, row)) for row in rows))


# Markdown


def _markdown(block: Block, marker: str) -> Iterator[str]:
    match block:
        case Heading(level, text, number):
            numbered = "" if number is None else f"{number}. "
            yield f"{'#' * level} {numbered}{_line(text)}"
        case Paragraph(text):
            yield _line(text)
        case Items(listed):
            yield _list(listed, marker)
        case Quote(text):
            yield _quote(text)
        case Speech(_, speaker, remark, text, notes):
            yield _line((Strong(speaker), remark))
            yield _quote(text)
            yield _list(notes, marker)
        case Table(head, rows):
            yield "\n".join([_row(head), f"|{'---|' * len(head)}", *(_row(map(_line, row)) for row in rows)])
        case Verbatim(text):
            yield "\n".join(f"    {part}" for part in plain(text).splitlines())
        case _:
            assert_never(block)


_BRACES = re.compile(r"[{}]")
"""Site generators fill in what stands between braces: `{{ page.title }}`."""
_DEFINITION = re.compile(r"(?m)^:")
"""Some readers of Markdown take a line that begins so for the definition of a word."""
_NO_ID = re.compile(r"[^A-Za-z0-9_-]")
_MAX_ID_CHARS = 64
"""As long as a hash."""


def _line(text: Inline) -> str:
    return "".join(map(_span, _spans(text))).strip()


def _spans(text: Inline) -> tuple[Span, ...]:
    return text if isinstance(text, tuple) else (text,)


def _span(span: Span) -> str:
    match span:
        case Strong(text):
            return f"**{_escaped(line(text))}**"
        case Code(text):
            return code(text)
        case Own(text):
            return text
        case _:
            return _escaped(_one_line(span))


def code(identifier: str) -> str:
    """An id or a hash as code in Markdown."""
    return f"`{_NO_ID.sub('?', identifier)[:_MAX_ID_CHARS]}`"


def _one_line(text: str) -> str:
    """The same as `line`, but for one space at either end if there is any: another span may follow."""
    flat = line(text)
    if not flat:
        return ""
    before = " " if text[0].isspace() else ""
    after = " " if text[-1].isspace() else ""
    return f"{before}{flat}{after}"


def _escaped(text: str) -> str:
    return _DEFINITION.sub(r"\\:", _BRACES.sub(r"\\\g<0>", md_text(text)))


def _list(lines: Iterable[Inline], marker: str) -> str:
    return "\n".join(f"{marker} {_line(text)}" for text in lines)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _quote(text: str) -> str:
    """Each line by itself: an escape at the beginning of a line must see that beginning."""
    quoted = list[str]()
    for part in plain(text).strip().split("\n"):
        words = _escaped(" ".join(part.split()))
        is_double = not words and (not quoted or quoted[-1] == ">")
        if not is_double:
            quoted.append(f"> {words}".rstrip())
    return "\n".join(quoted)


def _front_matter(front: Front) -> list[str]:
    """YAML whose texts are JSON strings: whatever a name holds, it ends neither its line nor the block."""
    fields = [f"{key}: {_scalar(value)}" for key, value in front.items() if value]
    return ["---", *fields, "---"]


def _scalar(value: FrontValue) -> str:
    if isinstance(value, date):
        return value.isoformat()
    text = value if isinstance(value, str) else ", ".join(map(line, value))
    return json.dumps(line(text), ensure_ascii=False)


# The terminal


def _terminal(block: Block) -> Iterator[str]:
    match block:
        case Heading(1, text):
            yield from (_words(text), "")
        case Heading(_, text):
            words = _words(text)
            yield from ("", words if words.endswith(".") else f"{words}:")
        case Paragraph(text):
            yield _words(text)
        case Items(listed, label):
            start = f"{label}: " if label else "  "
            yield from (f"{start}{_words(text)}" for text in listed)
        case Quote(text):
            yield from _indented(text)
        case Speech(place, speaker, remark, text, notes):
            yield from ("", f"[{place}] {line(speaker)}{plain(remark)}")
            yield from _indented(text)
            yield from (f"  - {line(note)}" for note in notes)
        case Table(head, rows):
            yield from ("  ".join(map(line, row)) for row in (head, *rows))
        case Verbatim(text):
            yield from ("", *plain(text).splitlines())
        case _:
            assert_never(block)


def _words(text: Inline) -> str:
    return line("".join(span if isinstance(span, str) else span.text for span in _spans(text)))


def _indented(text: str) -> Iterator[str]:
    return (f"  {part}" for part in plain(text).splitlines())


# Names of headings and files

_END_OF_HEADING = ".,;:!?。，；：！？ "
_MAX_SLUG_CHARS = 60


def unlike(text: str, taken: Collection[str]) -> str:
    """Text as a heading: no punctuation at its end, and a number behind it if another heading reads the same."""
    flat = line(text).rstrip(_END_OF_HEADING) or "unnamed"
    folded = {name.casefold() for name in taken}
    name = flat
    number = 1
    while name.casefold() in folded:
        number += 1
        name = f"{flat} ({number})"
    return name


def slug(text: str) -> str:
    """`Which database?` -> `which-database`: letters and digits of any script fold to ASCII where they can."""
    plain_letters = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", plain_letters)
    name = ""
    for word in words:
        longer = f"{name}-{word}" if name else word[:_MAX_SLUG_CHARS]
        if len(longer) > _MAX_SLUG_CHARS:
            break
        name = longer
    return name or "decision"
