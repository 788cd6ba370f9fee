"""A document as one value for all readers: its fields, its title, its blocks and the headings above them.

Places are places in the text as loaded, so that quotes are slices of it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby, islice, takewhile
from typing import Literal

from debate_core.documents.blocks import BARE_LEVEL, TextBlock, TitledLine, blocks_of, front_matter
from debate_core.documents.inline import plain_words, without_pictures
from debate_core.documents.section_names import (
    OPEN,
    SETTLED,
    STATUS_FIELDS,
    TITLE_FIELDS,
    UNSETTLED,
    SectionKind,
    is_field,
    is_named,
    kinds_of,
    normal_name,
)
from debate_core.spec.values import Source

MAX_HEADING_CHARS = 120
MAX_READ_CHARS = 200_000
"""Titles, questions and options come early; the rest of a long document is only quoted."""
RecordStanding = Literal["settled", "open", "unsettled", "unknown"]


@dataclass(frozen=True, slots=True)
class Prose:
    """One paragraph or list item: the slice `start:end` of the text. `headings` as in `headings_at`."""

    block: TextBlock
    headings: tuple[str, ...]

    @property
    def start(self) -> int:
        return self.block.start

    @property
    def end(self) -> int:
        return self.block.end

    @property
    def words(self) -> str:
        return self.block.words

    @property
    def speaker(self) -> str:
        """The person who speaks, in a transcript."""
        return self.block.speaker

    def stands_under(self, *kinds: SectionKind) -> bool:
        """Return True if one of its headings begins a section of such a kind."""
        return any(is_named(heading, *kinds) for heading in self.headings)


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """A heading, and everything below it before the next heading of its level or a higher one."""

    heading: TextBlock
    blocks: tuple[TextBlock, ...]
    path: tuple[str, ...]
    """The headings above it and its own, outermost first, without the title of the document."""

    @property
    def name(self) -> str:
        return self.heading.words.removesuffix(":")


@dataclass(frozen=True)
class ReadDocument:
    """A parsed document: its text as `blocks`, its metadata as `fields`."""

    text: str
    fields: tuple[TitledLine, ...]
    blocks: tuple[TextBlock, ...]

    @cached_property
    def headings(self) -> tuple[TextBlock, ...]:
        """Every heading, in reading order."""
        return tuple(block for block in self.blocks if block.kind == "heading")

    @cached_property
    def title(self) -> str:
        """The title of the document, with its number; empty if all headings are names of sections."""
        return next(filter(None, self._titles()), "")

    @property
    def titles_in_fields(self) -> tuple[str, ...]:
        """Titles in front matter or in a line such as "Title: ..."."""
        return tuple(plain_words(field.value) for field in self.fields if field.name in TITLE_FIELDS)

    @property
    def has_title_of_all(self) -> bool:
        """Return True if the title is the only heading of the first level."""
        top = [heading for heading in self.headings if heading.level == 1]
        return len(top) == 1 and _path_words(top[0], len(top[0].words)) == self.title

    def _titles(self) -> Iterator[str]:
        """Candidates for the title: the heading of the whole, a title field, the text of a section "Title"."""
        headings = [heading for heading in self.headings if heading.level < BARE_LEVEL]
        levels = [heading.level for heading in headings]
        top = min(levels, default=0)
        if levels.count(top) > 1:  # chapters, of which none need be the title
            yield from self.titles_in_fields
        is_above_all = levels[:1] == [top] and levels.count(top) == 1
        if top == 1 or is_above_all:
            yield from _heading_titles(headings[levels.index(top) :])
        yield from self.titles_in_fields
        for section in self.sections("title"):
            yield from (block.words for block in section.blocks)

    @cached_property
    def outcome(self) -> tuple[Prose, ...]:
        """The paragraphs and list items of its decision."""
        return tuple(prose for prose in self.prose if prose.stands_under("outcome"))

    def sections(self, *kinds: SectionKind) -> Iterator[DocumentSection]:
        """Every section of one of these kinds, in reading order."""
        for number, block in enumerate(self.blocks):
            if block.kind == "heading" and is_named(block.words, *kinds):
                path = self._paths[self._nearest(block.start)]
                yield DocumentSection(block, tuple(self._below(number)), path)

    def headings_with_paths(self) -> Iterator[tuple[TextBlock, tuple[str, ...]]]:
        """Every heading with the headings above it and its own, without the title of the document."""
        return zip(self.headings, self._paths, strict=True)

    def _below(self, number: int) -> Iterator[TextBlock]:
        level = self.blocks[number].level
        return takewhile(
            lambda block: block.kind != "heading" or block.level > level, islice(self.blocks, number + 1, None)
        )

    @cached_property
    def _paths(self) -> tuple[tuple[str, ...], ...]:
        """The titles above each heading, and its own, outermost first.

        The only heading of the first level is the title of the whole, and left out.
        """
        top_level = 2 if [heading.level for heading in self.headings].count(1) == 1 else 1
        path: list[TextBlock] = []
        paths: list[tuple[str, ...]] = []
        for heading in self.headings:
            path = [*(above for above in path if above.level < heading.level), heading]
            paths.append(tuple(_path_words(above) for above in path if above.level >= top_level))
        return tuple(paths)

    def _nearest(self, place: int) -> int:
        """The number of the last heading at this place or before, including the signs that make it one."""
        number = bisect_right(self.headings, place, key=lambda heading: heading.start)
        if number < len(self.headings):
            number += _MARKS.fullmatch(self.text, place, self.headings[number].start) is not None
        return number - 1

    def path_at(self, place: int) -> tuple[str, ...]:
        """The headings above a place, outermost first, without the title of the whole text, and its speaker."""
        number = self._nearest(place)
        path = self._paths[number] if number >= 0 else ()
        block = bisect_right(self.blocks, place, key=lambda block: block.start) - 1
        speaker = self.blocks[block].speaker if block >= 0 else ""
        return (*path, speaker) if speaker else path

    @cached_property
    def prose(self) -> tuple[Prose, ...]:
        """The paragraphs and list items that can be argued about, in reading order."""
        said = [block for block in self.blocks if block.kind in ("paragraph", "item")]
        found = [Prose(block, self.path_at(block.start)) for block in said]
        return tuple(prose for prose in found if not prose.stands_under("status", "reference"))

    @cached_property
    def status(self) -> str:
        """The first word of the status, as written; empty without a known status.

        Of dated entries the latest counts, and of "accepted, superseded by 7" the second word.
        """
        for words in self._statuses():
            if found := _REPLACED_BY.search(words) or _STATUS_WORD.search(words):
                return found[1]
        return ""

    @property
    def standing(self) -> RecordStanding:
        """The class of the status: whether the decision holds."""
        patterns: Mapping[RecordStanding, str] = {"settled": SETTLED, "open": OPEN, "unsettled": UNSETTLED}
        return next((s for s, words in patterns.items() if re.fullmatch(words, self.status, re.IGNORECASE)), "unknown")

    def _statuses(self) -> Iterator[str]:
        said = [field.value for field in self.fields if field.name in STATUS_FIELDS]
        for section in self.sections("status"):
            said += [block.markdown for block in section.blocks if block.kind != "heading"]
        valid = [_STRUCK.sub("", words) for words in said]
        dated = [(date[0], words) for words in valid if (date := _DATE.search(words))]
        latest = [max(dated)[1]] if len(dated) > 1 else []
        yield from map(plain_words, (*latest, *valid))


# Signs before the words of a heading
_MARKS = re.compile(r"[#=*_> \t]{1,20}")
_DATE = re.compile(r"\b(?:19|20)\d\d-\d\d-\d\d\b")
_STRUCK = re.compile(r"~~[^~]{1,200}~~")
_STATUS_WORD = re.compile(rf"\b({OPEN}|{SETTLED}|{UNSETTLED})\b", re.IGNORECASE)
# Beside another status: "Accepted, superseded by ADR 7"
_REPLACED_BY = re.compile(rf"\b({UNSETTLED}) (?:by|durch|von|por|par|da|door)\b", re.IGNORECASE)


def _heading_titles(headings: Sequence[TextBlock]) -> Iterator[str]:
    """The first heading, or the next one if the first only names a decision record."""
    for heading in headings[:2]:
        kinds = kinds_of(heading.words)
        if not kinds and without_number(heading.words):
            yield _path_words(heading, len(heading.words))
        if kinds - {"record"}:
            return


def _path_words(heading: TextBlock, most: int = MAX_HEADING_CHARS) -> str:
    return heading.words.removesuffix(":").rstrip()[:most]


@lru_cache(maxsize=8)
def read_document(text: str) -> ReadDocument:
    """Read a text; the latest few are kept."""
    front, begin = front_matter(text)
    blocks = blocks_of(text, begin)
    lines = [TitledLine(normal_name(block.cells[0]), block.cells[1]) for block in blocks if block.kind == "field"]
    lines += [TitledLine(normal_name(row.cell(0).words), row.cells[1]) for row in _rows_of_fields(blocks)]
    return ReadDocument(text, (*front, *lines), tuple(blocks))


def _rows_of_fields(blocks: Sequence[TextBlock]) -> Iterator[TextBlock]:
    """The rows of tables that give a document's metadata, such as `Status` and `Accepted`; a head alone gives none."""
    for _table, rows in groupby(blocks, key=lambda block: block.kind == "row" and len(block.cells) == 2):
        named = [block for block in rows if block.kind == "row" and is_field(block.cell(0).words)]
        if len(named) > 1:
            yield from named


_RECORDS = (
    r"(?:\w{2,8}-){0,2}(?:M?ADR|RFC)(?:-[A-Z]{1,8})?|LADR|AD|RFD|DR|PEP|KEP|TDR|TEP|EIP|DEP"
    r"|Decision|Entscheidung|Decisión|Décision|Decisão|Decisione|Besluit"
)
# "ADR-0012: ", "[RFC 7] ", "12. ", "0007 - "; not the beginning of "Drop it", "12-factor", "RFC 7231 or", "3.14 or"
_TITLE_NUMBER = re.compile(
    rf"(?:\[?(?:{_RECORDS})[ \t_#-]*\d{{1,6}}(?:\]?[ \t]*[:.–—|-]+[ \t]+|\][ \t]+|\]?[ \t]+(?=(?-i:[A-ZÄÖÜ\"“`]))|\]?$)"
    r"|(?:M?ADR|RFC)[ \t]*[:–—-][ \t]+"
    r"|\[?#?\d{1,5}\]?(?:[:.)]|[ \t]*[–—|-])[ \t]+)+",
    re.IGNORECASE,
)
_SECTION_NUMBER = re.compile(r"\d{1,2}(?:\.\d{1,2})+\.?[ \t]+(?=[A-ZÄÖÜ])")


def without_number(title: str) -> str:
    """A title without the number of its record: "ADR-0012: Where do orders live" is "Where do orders live"."""
    words = without_pictures(title)
    number = _TITLE_NUMBER.match(words) or _SECTION_NUMBER.match(words)
    bare = words[number.end() :].strip() if number else words
    kind, colon, rest = bare.partition(":")
    if colon and is_named(kind, "record"):
        bare = rest.strip()
    return "" if bare.isdecimal() else bare


# --- what readers ask


def document_title(text: str) -> str:
    """The title of a text, with its number; empty if it has none."""
    return read_document(text[:MAX_READ_CHARS]).title[:MAX_HEADING_CHARS]


def headings_at(text: str, place: int) -> tuple[str, ...]:
    """The headings above a place, outermost first, without the title of the whole text, and who speaks there."""
    return read_document(text).path_at(place)


def heading_places(text: str) -> tuple[tuple[int, int], ...]:
    """Places of the words of every heading, in reading order, without the signs that make it one."""
    return tuple((heading.start, heading.end) for heading in read_document(text).headings)


def heading_of(source: Source, quote: str) -> str:
    """The headings above a quote: `Options / Pros`; empty if there are none, or no such slice."""
    place = source.text.find(quote) if quote else -1
    if place < 0:
        return ""  # without reading the whole document, which may be long
    return in_one_line(headings_at(source.text, place))


PAGE_BREAK = "\f"
"""The sign between two pages, as programs that extract text write it."""


def page_at(text: str, place: int) -> int:
    """The page of a place, from 1; 0 for a text without pages."""
    return text.count(PAGE_BREAK, 0, place) + 1 if PAGE_BREAK in text else 0


def page_of(source: Source, quote: str) -> int:
    """The page of a quote, from 1; 0 for a text without pages, or without this slice."""
    place = source.text.find(quote) if quote else -1
    return page_at(source.text, place) if place >= 0 else 0


def in_one_line(headings: Sequence[str]) -> str:
    """The two innermost headings: a longer path is hard to read."""
    return " / ".join(headings[-2:])


def paragraphs_of(text: str) -> tuple[Prose, ...]:
    """The paragraphs and list items of prose, in reading order."""
    return read_document(text).prose
