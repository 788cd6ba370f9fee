"""Values that an existing document states about its decision, each with its place in the text, and what is missing.

A person reviews them before anything is taken over. Every place is a line of the text with its words.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from debate_core.documents.blocks import TextBlock, front_matter
from debate_core.documents.choices import choice_start, chosen_places, compared, stated_choice
from debate_core.documents.decision import FILE_NAME, DecisionDocument, Taken, read_decision
from debate_core.documents.document import MAX_READ_CHARS, ReadDocument, read_document
from debate_core.documents.inline import plain_words
from debate_core.documents.option_names import is_placeholder
from debate_core.documents.section_names import (
    DATE_FIELDS,
    PEOPLE_FIELDS,
    STATUS_FIELDS,
    is_named,
    kinds_of,
    normal_name,
)
from debate_core.sentence import Sentence
from debate_core.spec.values import Source

FoundField = Literal[
    "question", "option", "chosen", "driver", "status", "date", "decided_by", "speaker", "text", "ballots", "count"
]
MAX_UNREAD = 12
"""Number of sections without a known meaning that are listed one by one."""
_QUOTE_CHARS = 160


class TextPlace(NamedTuple):
    """A place in a text: its line, counted from 1, and the words of that line."""

    line: int
    quote: str


class FoundValue(NamedTuple):
    """A value of one field; `place` is None if it is not in the text, such as the name of the file."""

    field: FoundField
    value: str
    place: TextPlace | None = None
    number: int | None = None
    """The weight of a criterion, or the number of turns of a speaker."""


class MissedPart(NamedTuple):
    """Something that was not found or not understood; `place` is None for a missing value."""

    sentence: Sentence
    place: TextPlace | None = None


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything found in one text, in the order of a decision, and everything missed."""

    found: tuple[FoundValue, ...]
    missed: tuple[MissedPart, ...]


class TextLines:
    """The lines of a text, for places."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(found.end() for found in re.finditer(r"\r\n|\r|\n", text))]

    def place(self, start: int) -> TextPlace:
        """The line at this place."""
        return self.numbered(bisect_right(self._starts, start))

    def numbered(self, number: int) -> TextPlace:
        """The line with this number, from 1."""
        end = self._starts[number] if number < len(self._starts) else len(self._text)
        return TextPlace(number, self._text[self._starts[number - 1] : end].strip()[:_QUOTE_CHARS])

    def first_with(self, words: str) -> TextPlace | None:
        """The first line with these words."""
        start = self._text.find(words) if words else -1
        return self.place(start) if start >= 0 else None


class _DocumentPlaces:
    """Finds values of a document in its text: first below the heading that they come from, then anywhere."""

    def __init__(self, document: ReadDocument) -> None:
        self._document = document
        self._lines = TextLines(document.text)

    @cached_property
    def _blocks(self) -> list[tuple[TextBlock, str, tuple[str, ...]]]:
        """Every block with its words in the form for comparing, and the headings above it."""
        blocks = self._document.blocks
        return [(block, f" {compared(_words(block))} ", self._document.path_at(block.start)) for block in blocks]

    def of_value(self, value: str, heading: str = "") -> TextPlace | None:
        """The block that states a value. A block that begins with it comes first, then one that contains it."""
        wanted = compared(value)
        if not wanted:
            return self._lines.first_with(value)
        found = [(block, words, path) for block, words, path in self._blocks if f" {wanted} " in words]
        if not found:
            return self._in_lines(wanted)
        best = min(found, key=lambda one: _distance(one, wanted, heading))
        return self._lines.place(best[0].start)

    def _in_lines(self, wanted: str) -> TextPlace | None:
        """The line with these words, for front matter and blocks that the parser leaves out."""
        at = 0
        for line in self._document.text.splitlines(keepends=True):
            if f" {wanted} " in f" {compared(line)} ":
                return self._lines.place(at)
            at += len(line)
        return None

    def of_field(self, *names: str) -> tuple[str, TextPlace] | None:
        """Value and place of the first field with one of these names."""
        value = next((field.value for field in self._document.fields if field.name in names and field.value), None)
        if value is None:
            return None
        front = front_matter(self._document.text)[1]
        for found in re.finditer(r"(?m)^[ \t]*([A-Za-z][\w -]{0,40}?)[ \t]*[:=]", self._document.text[:front]):
            if normal_name(found[1]) in names:
                return value, self._lines.place(found.start(1))
        for block in self._document.blocks:
            if block.kind in ("field", "row") and normal_name(block.cell(0).words) in names:
                return value, self._lines.place(block.start)
        return None

    def of_status(self, words: str) -> TextPlace | None:
        """The first block with these words under the heading of the status."""
        for section in self._document.sections("status"):
            for block in section.blocks:
                if words in block.words:
                    return self._lines.place(block.start)
        return None

    def at(self, start: int) -> TextPlace:
        return self._lines.place(start)


def _words(block: TextBlock) -> str:
    if block.kind == "row":
        return " ".join(block.cell(column).words for column in range(len(block.cells)))
    return "" if block.kind == "code" else block.words


def _distance(one: tuple[TextBlock, str, tuple[str, ...]], wanted: str, heading: str) -> tuple[bool, bool, int]:
    """Smaller for a block below the heading, and for one that begins with the value."""
    block, words, path = one
    is_heading_wanted = heading in _IN_HEADINGS and block.kind == "heading"
    is_below = is_heading_wanted or heading in path
    return not is_below, not words.startswith(f" {wanted} "), block.start


_IN_HEADINGS = ("its title", "its headings")


def decision_findings(source: Source) -> Findings:
    """Read a document as a record of a decision. Only its first part is read, as in set-up."""
    document = read_document(source.text[:MAX_READ_CHARS])
    decision = read_decision(source)
    places = _DocumentPlaces(document)
    found = [
        *_taken(places, "question", decision.question),
        *_taken(places, "option", decision.options),
        *_chosen(places, document, decision),
        *_taken(places, "driver", decision.drivers),
        *_metadata(places, document),
    ]
    return Findings(tuple(found), tuple(_missed(places, document, decision, found)))


def records_decision(findings: Findings) -> bool:
    """True for a text that states options, a choice or a status, and so is more than a note."""
    return any(value.field in ("option", "chosen", "status") for value in findings.found)


def _taken(places: _DocumentPlaces, field: FoundField, taken: Taken) -> Iterator[FoundValue]:
    for number, value in enumerate(taken.values):
        heading = taken.proposal_from if number == 0 and taken.proposal_from else taken.heading
        place = None if heading == FILE_NAME else places.of_value(value, heading)
        yield FoundValue(field, value, place)


def _chosen(places: _DocumentPlaces, document: ReadDocument, decision: DecisionDocument) -> Iterator[FoundValue]:
    """The one chosen option, else the decision in the document's words if it lists no options."""
    options = decision.options.values
    if decision.decisions:
        return
    if not options:
        stated = stated_choice(document)
        if stated is not None:
            yield FoundValue("chosen", stated.words, places.of_value(stated.words.removesuffix("…"), stated.heading))
        return
    named = chosen_places(document, options)
    if len(named) == 1:
        (number,) = named
        start = choice_start(document, options, number)
        outcome = next((section.name for section in document.sections("outcome")), "")
        place = places.of_value(options[number], outcome) if start is None else places.at(start)
        yield FoundValue("chosen", options[number], place)


def _metadata(places: _DocumentPlaces, document: ReadDocument) -> Iterator[FoundValue]:
    if document.status and (place := _status_place(places, document.status)):
        yield FoundValue("status", document.status, place)
    if date := places.of_field(*DATE_FIELDS):
        written = _DAY.search(date[0])
        yield from [FoundValue("date", written[0], date[1])] if written else []
    if people := places.of_field(*PEOPLE_FIELDS):
        is_template = is_placeholder(people[0]) and "," not in people[0]
        yield from [] if is_template else [FoundValue("decided_by", plain_words(people[0]).strip(" {}[]"), people[1])]


_ORDINAL = r"(?:\.|st|nd|rd|th|er)?"
# "2024-05-01", "2024/5/1", "01-05-2024", "1.5.24", "1. Mai 2024", "5 de mayo de 2024", "May 2024", "May 1st, 2024"
_DAY = re.compile(
    r"\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d\d(?!\d))|"
    rf"\d{{1,2}}{_ORDINAL} (?:of |de )?[^\W\d_]{{3,10}}\.?(?: de)? \d{{4}}|"
    rf"[A-Z][^\W\d_]{{2,9}}\.? (?:\d{{1,2}}{_ORDINAL},? )?\d{{4}}"
)


def _status_place(places: _DocumentPlaces, status: str) -> TextPlace | None:
    field = places.of_field(*STATUS_FIELDS)
    if field is not None and is_placeholder(field[0]) and "|" in field[0]:
        return None  # a template lists all of them
    return field[1] if field is not None and status in field[0] else places.of_status(status)


def _missed(
    places: _DocumentPlaces, document: ReadDocument, decision: DecisionDocument, found: Sequence[FoundValue]
) -> Iterator[MissedPart]:
    fields = {value.field for value in found}
    if "question" not in fields:
        yield MissedPart(Sentence("it asks no question and has no title"))
    yield from _missed_options(decision, fields)
    if "status" not in fields:
        yield MissedPart(Sentence("it states no status"))
    if "date" not in fields:
        yield MissedPart(Sentence("it states no date"))
    yield from _unread(places, document, (value.value for value in found))


def _missed_options(decision: DecisionDocument, fields: Collection[str]) -> Iterator[MissedPart]:
    if decision.decisions:
        yield MissedPart(
            Sentence("it holds {n} decisions, so none of its options are taken", n=len(decision.decisions))
        )
    elif "option" not in fields:
        yield MissedPart(Sentence("it does not list two options"))
    elif decision.options.n_left:
        yield MissedPart(
            Sentence.counted(decision.options.n_left, "{n} more option is left out", "{n} more options are left out")
        )
    if "chosen" not in fields and not decision.decisions:
        yield MissedPart(Sentence("it does not name one chosen option"))


def _unread(places: _DocumentPlaces, document: ReadDocument, values: Iterable[str]) -> Iterator[MissedPart]:
    known = {compared(value) for value in (*values, document.title)} - {""}
    unread = _unread_headings(document, known)
    for heading in unread[:MAX_UNREAD]:
        yield MissedPart(Sentence("this section is kept as text only"), places.at(heading.start))
    if len(unread) > MAX_UNREAD:
        yield MissedPart(
            Sentence.counted(
                len(unread) - MAX_UNREAD,
                "{n} more section is kept as text only",
                "{n} more sections are kept as text only",
            )
        )


def _unread_headings(document: ReadDocument, known: set[str]) -> list[TextBlock]:
    """The highest headings of sections without a known meaning: these remain text that can be quoted."""
    unread: list[TextBlock] = []
    words_unread: set[str] = set()
    for heading, path in document.headings_with_paths():
        has_meaning = any(kinds_of(title) or _states(title, known) for title in path)
        is_below = not words_unread.isdisjoint(path[:-1])
        if path and not (has_meaning or is_below or _states(heading.words, known)):
            unread.append(heading)
            words_unread.add(heading.words)
    return unread


def _states(heading: str, known: set[str]) -> bool:
    """True if a heading contains one of these values."""
    words = f" {compared(heading)} "
    return is_named(heading, "options") or any(f" {value} " in words for value in known)
