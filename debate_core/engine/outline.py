"""A document as a reader takes it in: the headings it has, and the paragraphs and list items of prose under them.

Everything is told as places in the text as loaded, so that what is quoted is a slice of it. Lines may end in LF, CR LF
or CR. Left out are front matter, comments, code, tables, status lines, and sections that only say what a file is.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from debate_core.spec.values import Source

MAX_HEADING_CHARS = 120
BOLD_LEVEL = 7
"""A line that is bold as a whole heads what follows, below every heading of Markdown."""


class SourceHeading(NamedTuple):
    """Where a heading begins, its level (1 = highest), its words without markup, and where they stand."""

    start: int
    level: int
    title: str
    words: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Prose:
    """The slice `start:end` of the text: one paragraph or list item. `headings` as `headings_at` gives them."""

    start: int
    end: int
    headings: tuple[str, ...]


class _SourceLine(NamedTuple):
    """A line without its end; what is no prose for sure has no words any more."""

    start: int
    raw: str


_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|\Z)")
_FRONT_MATTER = re.compile(
    r"---[ \t]*(?:\r\n|\r|\n).*?[\r\n](?:---|\.\.\.)[ \t]*(?:\r\n|\r|\n|\Z)",  # "---\nstatus: accepted\n---\n"
    re.DOTALL,
)
# What stands before the text of an item: "- ", "> 2. ", "- [x] "
_ITEM = re.compile(r"[ \t]*(?:>[ \t]*)*(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+|>[ \t]*)?(?:\[[ xX]\][ \t]+)?")
# The beginning of "* text" and of "12) text"
_STARTS_ITEM = re.compile(r"[ \t]*(?:>[ \t]*)*(?:[-*+•][ \t]|\d{1,3}[.)][ \t])")
# "-----", "| ::", a tag or an unfinished comment alone in front, a picture
_NO_PROSE = re.compile(r"[-=*_| :+]+$|</?[a-zA-Z!]|!\[")
# "## Title", and "== Title" as other formats have it
_HEADING = re.compile(r"(#{1,6}|={1,5})(?:[ \t]+|$)")
# A line that is bold as a whole, such as "**Pros**" or "__Cons:__"
_BOLD_LINE = re.compile(r"(?:\*\*|__)([^*_]{2,80})(?:\*\*|__):?$")
_UNDERLINE = re.compile(r"(=+|-{2,})$")
# Below the head of a table: "|---|:--|", "--- | ---"
_TABLE_LINE = re.compile(r"[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*\|[-| :\t]*$")
_ROW = re.compile(r"[ \t]*(?:>[ \t]*)*\|")
# "```python", "~~~", also within an item or a quotation
_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+)?(`{3,}|~{3,})")
_OPENING_TAG = re.compile(r"[ \t]*<(table|pre|script|style|svg)\b", re.IGNORECASE)
# A line such as "Status: accepted" or "* **Deciders:** Ann"
_STATUS_LINE = re.compile(
    r"[*_\s]*(?:status|date|deciders?|decision[- ]makers?|consulted|informed|contacts?|authors?|owners?|reviewers?"
    r"|tags?|last updated|technical story|tickets?|supersedes|superseded by|amends|amended by)[*_\s]*:",
    re.IGNORECASE,
)
_NO_SECTION = frozenset(
    {"status", "references", "links", "contents", "table of contents", "license", "licence", "copyright", "metadata"}
)
"""Sections that say what a document is and where others are; nothing in them is a reason."""


def front_matter_end(text: str) -> int:
    """Where the text begins after a block of metadata between two lines of dashes; 0 if there is none."""
    block = _FRONT_MATTER.match(text)
    return block.end() if block else 0


def document_title(text: str) -> str:
    """The first heading of the highest level; empty if there is none."""
    return next((h.title for h in _outline(text).headings if h.level == 1), "")


def headings_at(text: str, place: int) -> tuple[str, ...]:
    """The headings that a place of the text stands under, outermost first, without the title of the whole text."""
    return _outline(text).above(place)


def heading_places(text: str) -> tuple[tuple[int, int], ...]:
    """Where the words of every heading stand, in reading order, without the signs that make it one."""
    return tuple(heading.words for heading in _outline(text).headings)


def heading_of(source: Source, quote: str) -> str:
    """The headings that a quote stands under: `Options / Pros`; empty if there are none, or no such slice."""
    place = source.text.find(quote) if quote else -1
    if place < 0:
        return ""  # without reading the whole document, which may be long
    return in_one_line(headings_at(source.text, place))


def in_one_line(headings: Sequence[str]) -> str:
    """The two innermost ones: more of them is a path, which nobody reads."""
    return " / ".join(headings[-2:])


def paragraphs_of(text: str) -> tuple[Prose, ...]:
    """The paragraphs and list items of prose, in reading order."""
    outline = _outline(text)
    paragraphs = [Prose(start, end, outline.above(start)) for start, end in outline.prose]
    return tuple(prose for prose in paragraphs if _NO_SECTION.isdisjoint(_plain(prose.headings)))


def _plain(headings: Sequence[str]) -> set[str]:
    """As `_NO_SECTION` has them: "2. Status:" is "status"."""
    return {re.sub(r"^[\d.) ]+|[\s:.]+$", "", heading).casefold() for heading in headings}


class _Outline(NamedTuple):
    headings: tuple[SourceHeading, ...]
    paths: tuple[tuple[str, ...], ...]
    """What stands under each heading stands under all of these."""
    prose: tuple[tuple[int, int], ...]

    def above(self, place: int) -> tuple[str, ...]:
        nearest = bisect_right(self.headings, place, key=lambda heading: heading.start)
        return self.paths[nearest - 1] if nearest else ()


@lru_cache(maxsize=8)
def _outline(text: str) -> _Outline:
    headings: list[SourceHeading] = []
    prose: list[tuple[int, int]] = []
    n_lines = 0  # of the block that is being read; 0 outside of one
    for line in readable_lines(text):
        start, rest = _without_item_sign(line)
        starts_item = _STARTS_ITEM.match(line.raw) is not None
        heading = _heading(rest, start)
        underline = _UNDERLINE.match(rest)
        if n_lines == 1 and underline and not starts_item:
            headings.append(_underlined(text, *prose.pop(), underline.group()))
            n_lines = 0
        elif heading is not None:
            headings.append(heading)
            n_lines = 0
        elif _is_no_prose(line.raw, rest, in_block=n_lines > 0, starts_item=starts_item):
            n_lines = 0
        elif n_lines and not starts_item:
            prose[-1] = (prose[-1][0], start + len(rest))
            n_lines += 1
        else:
            prose.append((start, start + len(rest)))
            n_lines = 1
    return _Outline(tuple(headings), tuple(_paths(headings)), tuple(prose))


def _without_item_sign(line: _SourceLine) -> tuple[int, str]:
    """Where the text of a line begins, after what makes it an item or a quotation, and the text."""
    item = _ITEM.match(line.raw)
    at = item.end() if item else 0
    return line.start + at, line.raw[at:].rstrip()


def _underlined(text: str, start: int, end: int, underline: str) -> SourceHeading:
    """The heading that a line of prose is if `===` or `---` stands under it."""
    level = 1 if underline.startswith("=") else 2
    return SourceHeading(start, level, _title(text[start:end]), (start, end))


def _paths(headings: Sequence[SourceHeading]) -> Iterator[tuple[str, ...]]:
    """The titles above each heading, and its own, the highest first.

    A heading that is alone on the first level is the title of the whole: all stands under it, so it is left out.
    """
    levels = [heading.level for heading in headings]
    top_level = 2 if levels.count(1) == 1 else 1
    path: list[SourceHeading] = []
    for heading in headings:
        path = [*(above for above in path if above.level < heading.level), heading]
        yield tuple(above.title for above in path if above.level >= top_level)


def _heading(rest: str, start: int) -> SourceHeading | None:
    marks = _HEADING.match(rest)
    if marks and (words := rest[marks.end() :].strip("#= \t")):
        low = start + rest.index(words, marks.end())
        return SourceHeading(start, len(marks.group(1)), _title(rest[marks.end() :]), (low, low + len(words)))
    bold = _BOLD_LINE.match(rest)
    if bold is None:
        return None
    return SourceHeading(start, BOLD_LEVEL, _title(bold.group(1)), (start + bold.start(1), start + bold.end(1)))


def _title(words: str) -> str:
    """Without markup: "**Use** [C#](x) ##" is "Use C#"."""
    unlinked = re.sub(r"\[([^\[\]]{1,200})\]\([^()]{0,400}\)", r"\1", words)
    plain = " ".join(unlinked.replace("`", "").replace("*", "").split())
    return re.sub(r"(?: [#=]+|:)$", "", plain)[:MAX_HEADING_CHARS]


def _is_no_prose(raw: str, rest: str, *, in_block: bool, starts_item: bool) -> bool:
    if not rest or _NO_PROSE.match(rest) or _HEADING.match(rest):
        return True
    is_code = raw.startswith(("    ", "\t")) and not starts_item
    return not in_block and (is_code or _STATUS_LINE.match(rest) is not None)


# --- what is no prose, line by line


def readable_lines(text: str) -> Iterator[_SourceLine]:
    """Every line after the front matter; lines of comments, code and tables are empty."""
    readable = _without_comments(text)
    lines = [_SourceLine(m.start(), m.group(1)) for m in _LINE.finditer(readable, front_matter_end(text))]
    return _without_tables(_without_markup_blocks(_without_fences(lines)))


def _without_comments(text: str) -> str:
    """As long as the text: a comment is an empty line. One that never ends is left as it is."""
    parts, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        end += len("-->")
        parts += [text[at:start], "\n", " " * (end - start - 2), "\n"]
        at = end
    return "".join([*parts, text[at:]])


def _without_fences(lines: Sequence[_SourceLine]) -> Iterator[_SourceLine]:
    """The same lines, with empty ones in the place of fenced code. A longer fence closes a shorter one too."""
    fence = ""
    for line in lines:
        here = _FENCE.match(line.raw)
        mark = here.group(1) if here else ""
        if not fence and not mark:
            yield line
            continue
        yield _empty(line)
        if not fence:
            fence = mark
        elif mark.startswith(fence):
            fence = ""


def _empty(line: _SourceLine) -> _SourceLine:
    return _SourceLine(line.start, "")


def _without_markup_blocks(lines: Iterator[_SourceLine]) -> Iterator[_SourceLine]:
    """Tables, scripts and the like that are written as tags."""
    closing = ""
    for line in lines:
        opening = _OPENING_TAG.match(line.raw)
        if opening and not closing:
            closing = f"</{opening.group(1)}>".casefold()
        yield _empty(line) if closing else line
        if closing in line.raw.casefold():
            closing = ""


def _without_tables(lines: Iterator[_SourceLine]) -> Iterator[_SourceLine]:
    """Rows between bars, and from the line under a head without bars to the next empty line.

    Without the last line of all, the one after the last end of a line: it has no words.
    """
    previous: _SourceLine | None = None  # it may turn out to be the head of a table
    in_table = False
    for line in lines:
        if _TABLE_LINE.match(line.raw):
            in_table = True
            previous = previous and _empty(previous)
        in_table = in_table and bool(line.raw.strip())
        if previous is not None:
            yield previous
        is_row = _ROW.match(line.raw) is not None
        previous = _empty(line) if in_table or is_row else line
