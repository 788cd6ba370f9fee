"""A document as blocks, and its three forms: Markdown and HTML for files, plain lines for a terminal.

Blocks hold plain text, also of people. Only the renderers write markup, and they escape all text: it cannot become
a heading, list, link, image or HTML, nor a command of a terminal.
"""

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from html import escape
from typing import Literal, assert_never

from debate_core.text import line, md_text, plain


@dataclass(frozen=True, slots=True)
class Strong:
    """Bold text."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """An id or a hash; characters that ids cannot have become `?`, as a foreign record may contain any text."""

    text: str


@dataclass(frozen=True, slots=True)
class Own:
    """Text of this program, and names of letters, digits and `_`: written without escapes."""

    text: str


Span = str | Strong | Code | Own
Inline = Span | tuple[Span, ...]
"""Text on one line; a `str` may contain anything."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading with an optional number; `level` 1 is the title."""

    level: int
    text: Inline
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph on one line."""

    text: Inline


@dataclass(frozen=True, slots=True)
class Items:
    """A list. In a terminal each item begins with `label`, or is indented without one."""

    items: tuple[Inline, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class LabelledLines:
    """Labels with their lines, from top to bottom."""

    fields: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """Text of people word for word, line by line."""

    text: str


@dataclass(frozen=True, slots=True)
class Speech:
    """Speech at a place of the debate, with a remark after the speaker's name and notes below the text."""

    place: str
    speaker: str
    remark: str
    text: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table; `head` is text of this program, a cell may contain anything."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Preformatted lines."""

    text: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart; forms without pictures have its words."""

    words: str
    svg: str
    """An element by `debate_core.report.figures.svg`, which escapes all texts."""


Block = Heading | Paragraph | Items | LabelledLines | Quote | Speech | Table | Verbatim | Drawing
FrontEntry = Mapping[str, str | int | float | bool]


@dataclass(frozen=True, slots=True)
class FrontData:
    """A value of the front matter with named parts, for programs: one entry, or a list of entries."""

    entries: FrontEntry | tuple[FrontEntry, ...]

    def __bool__(self) -> bool:
        return bool(self.entries)


FrontValue = str | date | tuple[str, ...] | FrontData
Front = Mapping[str, FrontValue]


@dataclass(frozen=True, slots=True)
class Document:
    """Blocks from top to bottom."""

    blocks: tuple[Block, ...]
    front: Front = field(default_factory=dict)
    """Front matter of the Markdown form; keys without a value are omitted."""
    marker: Literal["-", "*"] = "-"
    """Marker of a list item in Markdown."""

    def markdown(self) -> str:
        """The Markdown form, with one empty line between two blocks."""
        parts = list[str]()
        if self.front:
            # JSON on one line is YAML, and its strings cannot end their line or the block.
            fields = [f"{key}: {_front_scalar(value)}" for key, value in self.front.items() if value]
            parts.append("\n".join(("---", *fields, "---")))
        for block in self.blocks:
            parts += filter(None, _render_markdown(block, self.marker))
        return "\n\n".join(parts) + "\n"

    def terminal(self) -> str:
        """The plain form; double empty lines become one."""
        lines = list[str]()
        for block in self.blocks:
            for text in _render_terminal(block):
                is_double = not text and (not lines or not lines[-1])
                if not is_double:
                    lines.append(text)
        return "\n".join(lines) + "\n"

    def html(self, name: str) -> str:
        """The HTML form without styles and scripts; the n-th heading has the id `name-n`, from 1."""
        parts = list[str]()
        heading = 0
        for block in self.blocks:
            heading += isinstance(block, Heading)
            parts += _render_html(block, f"{name}-{heading}")
        return "\n".join(parts) + "\n"

    def contents(self, name: str) -> list[tuple[str, str]]:
        """Ids and texts of the headings below the title, as `html` names them."""
        headings = [block for block in self.blocks if isinstance(block, Heading)]
        numbered = enumerate(headings, start=1)
        return [(f"{name}-{n}", _plain_inline(heading.text)) for n, heading in numbered if heading.level == _SECTION]


def items(lines: Iterable[Inline], label: str = "") -> list[Block]:
    """A list, or nothing if there are no items."""
    listed = tuple(lines)
    return [Items(listed, label)] if listed else []


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """A table of values, each as its `str`."""
    return Table(tuple(head), tuple(tuple(map(str, row)) for row in rows))


# Markdown


def _render_markdown(block: Block, marker: str) -> Iterator[str]:
    match block:
        case Heading(level, text, number):
            numbered = "" if number is None else f"{number}. "
            yield f"{'#' * level} {numbered}{_render_inline(text)}"
        case Paragraph(text):
            yield _render_inline(text)
        case Items(listed):
            yield _render_list(listed, marker)
        case LabelledLines(fields):
            # Without bold labels: no reader of decision records takes them for markup of people.
            yield _render_list((f"{label}: {' '.join(lines)}" for label, lines in fields), marker)
        case Quote(text):
            yield _render_quote(text)
        case Speech(_, speaker, remark, text, notes):
            yield _render_inline((Strong(speaker), remark))
            yield _render_quote(text)
            yield _render_list(notes, marker)
        case Table(head, rows):
            cells = [head, *(map(_render_inline, row) for row in rows)]
            lines = [f"| {' | '.join(row)} |" for row in cells]
            yield "\n".join((lines[0], f"|{'---|' * len(head)}", *lines[1:]))
        case Verbatim(text):
            yield "\n".join(f"    {part}" for part in plain(text).splitlines())
        case Drawing(words):
            yield _render_inline(words)
        case _:
            assert_never(block)


_BRACES = re.compile(r"[{}]")
"""Site generators evaluate text between braces: `{{ page.title }}`."""
_DEFINITION = re.compile(r"(?m)^:")
"""Some Markdown parsers read such a line as the definition of a term."""
_NO_ID = re.compile(r"[^A-Za-z0-9_-]")
_NOT_IN_YAML = re.compile(r"[\ufffe\uffff]")
"""Code points that JSON allows and YAML does not, beside those that `line` removes."""
_MAX_ID_CHARS = 64
"""Length of a SHA-256 hash in hex digits."""


def _render_inline(text: Inline) -> str:
    return "".join(map(_render_span, _spans(text))).strip()


def _spans(text: Inline) -> tuple[Span, ...]:
    return text if isinstance(text, tuple) else (text,)


def _render_span(span: Span) -> str:
    match span:
        case Strong(text):
            return f"**{_escape(line(text))}**"
        case Code(text):
            return code(text)
        case Own(text):
            return text
        case _:
            return _escape(_one_line(span))


def code(identifier: str) -> str:
    """An id or a hash as code in Markdown."""
    return f"`{_id_text(identifier)}`"


def _id_text(identifier: str) -> str:
    return _NO_ID.sub("?", identifier)[:_MAX_ID_CHARS]


def _one_line(text: str) -> str:
    """`line`, but with a space kept at either end, because another span may follow."""
    flat = line(text)
    if not flat:
        return ""
    before = " " if text[0].isspace() else ""
    after = " " if text[-1].isspace() else ""
    return f"{before}{flat}{after}"


def _escape(text: str) -> str:
    return _DEFINITION.sub(r"\\:", _BRACES.sub(r"\\\g<0>", md_text(text)))


def _render_list(lines: Iterable[Inline], marker: str) -> str:
    return "\n".join(f"{marker} {_render_inline(text)}" for text in lines)


def _render_quote(text: str) -> str:
    quoted = list[str]()
    # Line by line, because some escapes apply only at the beginning of a line.
    for part in plain(text).strip().split("\n"):
        words = _escape(" ".join(part.split()))
        is_double = not words and (not quoted or quoted[-1] == ">")
        if not is_double:
            quoted.append(f"> {words}".rstrip())
    return "\n".join(quoted)


def _front_scalar(value: FrontValue) -> str:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, FrontData):
        entries = value.entries
        return f"[{', '.join(map(_front_entry, entries))}]" if isinstance(entries, tuple) else _front_entry(entries)
    return _front_json(value if isinstance(value, str) else ", ".join(map(line, value)))


def _front_entry(entry: FrontEntry) -> str:
    return f"{{{', '.join(f'{_front_json(key)}: {_front_json(value)}' for key, value in entry.items())}}}"


def _front_json(value: str | float) -> str:
    text = json.dumps(line(value) if isinstance(value, str) else value, ensure_ascii=False)
    return _NOT_IN_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


# HTML

_SECTION = 2


def _render_html(block: Block, heading_id: str) -> Iterator[str]:
    """The elements of a block; `heading_id` is the id of the heading, or of the last one before the block."""
    match block:
        case Heading(level, text, number):
            numbered = "" if number is None else f"{number}. "
            yield f'<h{level} id="{heading_id}">{numbered}{_html_inline(text)}</h{level}>'
        case Paragraph(text):
            yield f"<p>{_html_inline(text)}</p>"
        case Items(listed):
            yield _html_list(listed)
        case LabelledLines(fields):
            yield _html_fields(fields)
        case Quote(text):
            yield _html_quote(text)
        case Speech(_, speaker, remark, text, notes):
            head = f"<p>{_html_inline((Strong(speaker), remark))}</p>"
            yield f"<article>\n{head}\n{_html_quote(text)}\n{_html_list(notes) if notes else ''}</article>"
        case Table(head, rows):
            yield _html_table(head, rows, heading_id)
        case Verbatim(text):
            yield f"<pre>{escape(plain(text))}</pre>"
        case Drawing(_, svg):
            yield f'<figure tabindex="0" aria-labelledby="{heading_id}">{svg}</figure>'
        case _:
            assert_never(block)


def _html_inline(text: Inline) -> str:
    return "".join(map(_html_span, _spans(text))).strip()


def _html_span(span: Span) -> str:
    match span:
        case Strong(text):
            return f"<strong>{escape(line(text))}</strong>"
        case Code(text):
            return f"<code>{_id_text(text)}</code>"
        case Own(text):
            return escape(text)
        case _:
            return escape(_one_line(span))


def _html_list(lines: Iterable[Inline]) -> str:
    listed = "".join(f"<li>{_html_inline(text)}</li>\n" for text in lines)
    return f"<ul>\n{listed}</ul>"


def _html_fields(fields: Iterable[tuple[str, tuple[str, ...]]]) -> str:
    listed = (
        f"<dt>{_html_inline(label)}</dt>\n" + "".join(f"<dd>{_html_inline(words)}</dd>\n" for words in lines)
        for label, lines in fields
    )
    return f"<dl>\n{''.join(listed)}</dl>"


def _html_quote(text: str) -> str:
    return f'<blockquote dir="auto">{escape(plain(text).strip())}</blockquote>'


def _html_table(head: Iterable[str], rows: Iterable[Iterable[str]], heading_id: str) -> str:
    """A table that scrolls within the page, also by keyboard."""
    heads = "".join(f'<th scope="col">{_html_inline(cell)}</th>' for cell in head)
    lines = "".join(f"<tr>{''.join(f'<td>{_html_inline(cell)}</td>' for cell in row)}</tr>\n" for row in rows)
    table = f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{lines}</tbody>\n</table>"
    return f'<div role="region" tabindex="0" aria-labelledby="{heading_id}">{table}</div>'


# The terminal


def _render_terminal(block: Block) -> Iterator[str]:
    match block:
        case Heading(1, text):
            yield from (_plain_inline(text), "")
        case Heading(_, text):
            words = _plain_inline(text)
            yield from ("", words if words.endswith(".") else f"{words}:")
        case Paragraph(text):
            yield _plain_inline(text)
        case Items(listed, label):
            start = f"{label}: " if label else "  "
            yield from (f"{start}{_plain_inline(text)}" for text in listed)
        case LabelledLines(fields):
            yield from (f"{label}: {line(' '.join(lines))}" for label, lines in fields)
        case Quote(text):
            yield from _indent(text)
        case Speech(place, speaker, remark, text, notes):
            yield from ("", f"[{place}] {line(speaker)}{plain(remark)}")
            yield from _indent(text)
            yield from (f"  - {line(note)}" for note in notes)
        case Table(head, rows):
            yield from ("  ".join(map(line, row)) for row in (head, *rows))
        case Verbatim(text):
            yield from ("", *plain(text).splitlines())
        case Drawing(words):
            yield _plain_inline(words)
        case _:
            assert_never(block)


def _plain_inline(text: Inline) -> str:
    return line("".join(span if isinstance(span, str) else span.text for span in _spans(text)))


def _indent(text: str) -> Iterator[str]:
    return (f"  {part}" for part in plain(text).splitlines())


# Names of headings and files

_END_OF_HEADING = ".,;:!?。，；：！？ "
_MAX_SLUG_CHARS = 60


def unlike(text: str, taken: Collection[str]) -> str:
    """Text as a heading: without punctuation at the end, and with a number if another heading is equal."""
    flat = line(text).rstrip(_END_OF_HEADING) or "unnamed"
    folded = {name.casefold() for name in taken}
    name = flat
    number = 1
    while name.casefold() in folded:
        number += 1
        name = f"{flat} ({number})"
    return name


def slug(text: str) -> str:
    """`Which database?` -> `which-database`; letters and digits of other scripts fold to ASCII if possible."""
    plain_letters = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", plain_letters)
    name = ""
    for word in words:
        longer = f"{name}-{word}" if name else word[:_MAX_SLUG_CHARS]
        if len(longer) > _MAX_SLUG_CHARS:
            break
        name = longer
    return name or "decision"


def titled(name: str, blocks: list[Block], *, level: int = 2) -> list[Block]:
    """The blocks under a title; nothing without any."""
    return [Heading(level, name), *blocks] if blocks else []
