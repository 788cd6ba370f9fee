"""Reads an existing document as the beginning of a debate: its question, options and drivers.

Reads decision records (MADR, Nygard, Tyree and Akerman, Y-statements), RFCs and design notes in seven languages.
Nothing is made up: every value is in the document, without markup, numbers and marks of a choice. Omitted parts are
counted.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, takewhile

from debate_core.documents.blocks import SAYS, TextBlock
from debate_core.documents.choices import DECIDED_AGAINST, has_proposal, includes_proposal, proposal
from debate_core.documents.decision_fields import read_fields
from debate_core.documents.document import (
    MAX_READ_CHARS,
    DocumentSection,
    ReadDocument,
    read_document,
    without_number,
)
from debate_core.documents.inline import InlineText, plain_words
from debate_core.documents.option_names import (
    MAX_OPTION_CHARS,
    SHORT_OPTION_CHARS,
    ListedName,
    driver_names,
    is_balanced,
    is_labelled,
    is_placeholder,
    may_be_labelled,
    option_names,
)
from debate_core.documents.section_names import QUESTION_WORDS, SectionKind, is_named, kinds_of, subject_of
from debate_core.spec.protocol import MAX_DRIVERS
from debate_core.spec.values import MAX_QUESTION_CHARS, Source

MAX_OPTIONS = 8
FILE_NAME = "the name of its file"
"""The heading of a question that is not in the text."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The values of one field, with their heading; empty if the document has none."""

    values: tuple[str, ...] = ()
    heading: str = ""
    n_left: int = 0
    """Number of values beyond those that a debate can have."""
    n_shortened: int = 0
    """Number of values whose explanation was left out."""
    n_marks: int = 0
    """Number of values whose mark of a choice was left out."""
    proposal_from: str = ""
    """The place of the first option, if it is the document's proposal and the others are its alternatives."""


@dataclass(frozen=True, slots=True)
class DecisionDocument:
    """Question, options and drivers of a document; it has one question at most, and no options or at least two."""

    question: Taken = Taken()
    options: Taken = Taken()
    drivers: Taken = Taken()
    decisions: tuple[str, ...] = ()
    """Subjects of the decisions, if the document has several; it gives no options then."""


def read_decision(source: Source) -> DecisionDocument:
    """Read what a document offers for the set-up of a debate."""
    document = read_document(source.text[:MAX_READ_CHARS])
    names = [option.name for option in read_fields(document.text).options]
    is_plain = len(names) > 1 and all(len(name) <= MAX_OPTION_CHARS for name in names)
    listed = _Listing(tuple(map(ListedName, names)) if is_plain else (), "its front matter")
    decisions = () if listed.names else _decisions(document)
    if decisions:
        # Text above all decisions belongs to the document, the rest to one of them.
        title = _title(document) if document.has_title_of_all else Taken()
        return DecisionDocument(title, Taken(), _drivers(document, of_all=True), decisions)
    listings = chain([listed], _listings(document))
    listing = next((found for found in listings if len(found.names) > 1), _Listing((), ""))
    options = listing.taken(MAX_OPTIONS)
    question = _without_option(_question(document, source.title), options.values)
    return DecisionDocument(question, options, _drivers(document))


# --- the question

_ASKS = re.compile(rf"¿?(?:[^,?]{{1,60}}, ¿?)?(?:{QUESTION_WORDS})\b", re.IGNORECASE)  # "For us, how do we ...?"
# Between two sentences; not the dot of "v1.2"
_SENTENCE_END = re.compile(r"[!:;]|\.(?!\w)")
_MIN_QUESTION_CHARS, _LONGEST_ASKED = 12, 300
# "0072-which-store.md", "adr-7_which_store.md", "2024-05-01-which-store.md"
_NUMBERED_FILE = re.compile(r"(?:[a-z]{2,5}[-_ ]?)?\d[\d-]{0,12}[-_ ]+(.+)\.(?:md|markdown|txt|pdf)", re.IGNORECASE)


def _question(document: ReadDocument, source_title: str) -> Taken:
    """The question: in a section for it, in the title, in the context; else the title as written."""
    for name, said in _inline(document, "question"):
        if not is_placeholder(said):
            return Taken((said[:MAX_QUESTION_CHARS],), name)
    if asked := _asked_in(document, "question"):
        return asked
    title = _title(document)
    if title.values and title.values[0].endswith("?"):
        return title
    if asked := _asked_in(document, "context", "introduction"):
        return asked
    return title if document.title else _first_line(document) or _file_name(source_title)


def _without_option(question: Taken, options: Sequence[str]) -> Taken:
    """A title such as `Where do orders live: Kafka` without the chosen option."""
    endings = [f": {option}" for option in options]
    values = (value for title in question.values for value in [_without_ending(title, endings)])
    return replace(question, values=tuple(values))


def _without_ending(title: str, endings: Sequence[str]) -> str:
    return next((title.removesuffix(ending) for ending in endings if title.endswith(ending)), title)


def _file_name(source_title: str) -> Taken:
    named = _NUMBERED_FILE.fullmatch(source_title)
    words = re.sub(r"[-_ ]+", " ", named[1]).strip() if named else ""
    return Taken((words[:1].upper() + words[1:],), FILE_NAME) if words else Taken()


def _title(document: ReadDocument) -> Taken:
    """The title, preferably one that is a question, as a heading can be shorter than the title in the front matter."""
    titles = [without_number(title) for title in (document.title, *document.titles_in_fields)]
    title = next((title for title in titles if title.endswith("?")), titles[0])
    return Taken((title[:MAX_QUESTION_CHARS],), "its title") if title and not is_placeholder(title) else Taken()


def _asked_in(document: ReadDocument, *kinds: SectionKind) -> Taken | None:
    """The last question of the first such section with one, as the text before leads to it."""
    for section in document.sections(*kinds):
        said = [block.words for block in section.blocks if block.kind in ("paragraph", "item")]
        asked = [question for words in said for question in _questions(words)]
        if asked:
            return Taken((asked[-1],), section.name)
    return None


def _first_line(document: ReadDocument) -> Taken | None:
    """The question in the first line of a text without a title."""
    asked = (
        [*_questions(document.blocks[0].words)] if document.blocks and document.blocks[0].kind == "paragraph" else []
    )
    return Taken((asked[-1],), "its first line") if asked else None


def _questions(words: str) -> Iterator[str]:
    for before_mark in words.split("?")[:-1]:
        question = f"{_SENTENCE_END.split(before_mark)[-1].strip()}?"
        if _MIN_QUESTION_CHARS <= len(question) <= _LONGEST_ASKED and _ASKS.match(question):
            yield question


def _inline(document: ReadDocument, *kinds: SectionKind) -> Iterator[tuple[str, str]]:
    """(name, text) of paragraphs such as `Options: keep it; replace it`, if the name is of one of these kinds."""
    for block in document.blocks:
        says = SAYS.match(block.markdown) if block.kind in ("paragraph", "item") else None
        if says and is_named(says[1], *kinds):
            yield says[1], replace(block, markdown=block.markdown[says.end() :]).words


# --- options

_BETWEEN = re.compile(
    r"\s+/\s+|\s*,\s*(?:(?:and|or|und|oder|y|o|et|ou|e|en|of)\s+)?|\s+(?:and|or|und|oder|ou|vs\.?)\s+"
)


@dataclass(frozen=True, slots=True)
class _Listing:
    """Options of one list in a document."""

    names: tuple[ListedName, ...]
    heading: str
    parent: tuple[str, ...] = ()
    """The headings above its own; includes its own if that names a subject."""
    level: int = 0
    proposal_from: str = ""

    def taken(self, most: int) -> Taken:
        kept = self.names[:most]
        n_shortened = sum(named.is_shortened for named in kept)
        n_marks = sum(named.has_mark for named in kept)
        return Taken(
            values=tuple(named.name for named in kept),
            heading=self.heading,
            n_left=len(self.names) - len(kept),
            n_shortened=n_shortened,
            n_marks=n_marks,
            proposal_from=self.proposal_from,
        )


def _listings(document: ReadDocument) -> Iterator[_Listing]:
    """Possible lists of options, the clearest first."""
    yield from _listings_of_sections(document)
    for group in _labelled_groups(document):
        yield _Listing(option_names(group), "its headings")
    paragraphs = [block for block in document.blocks if block.kind in ("paragraph", "item")]
    labelled = [block.inline for block in paragraphs if may_be_labelled(block.markdown)]
    yield _Listing(option_names([words for words in labelled if is_labelled(words.words)]), "its paragraphs")
    yield from _y_statements([block.words for block in paragraphs if "decided" in block.markdown])


def _listings_of_sections(document: ReadDocument) -> Iterator[_Listing]:
    """Lists in sections for options, and in paragraphs such as `Options: keep it; replace it`."""
    for section in document.sections("options"):
        yield _in_section(section)
    for name, said in _inline(document, "options", "alternatives"):
        yield _Listing(option_names(_split(said)), name)
    for section in document.sections("alternatives"):
        listing = _in_section(section)
        yield _with_proposal(document, listing) if has_proposal(document, section) else listing
    for section in document.sections("pros_and_cons"):
        yield _Listing(option_names(_option_headings(section.blocks)), section.name)


def _in_section(section: DocumentSection) -> _Listing:
    """The options of one section: labelled headings, else a table or list, else other headings, else named
    paragraphs."""
    headings = _option_headings(section.blocks)
    has_labels = sum(is_labelled(heading.words) for heading in headings) > 1
    ways = (
        headings if has_labels else [],
        _listed_names(section.blocks, of_options=True),
        headings,
        _named_paragraphs(section.blocks),
    )
    found = [names for names in map(option_names, ways) if names]
    several = [names for names in found if len(names) > 1]
    names = next(iter(several or found), ())
    is_subject = bool(subject_of(section.name))
    parent = section.path if is_subject else section.path[:-1]
    return _Listing(names, section.name, parent, section.heading.level)


def _with_proposal(document: ReadDocument, listing: _Listing) -> _Listing:
    """Alternatives with the proposal of the document as the first option."""
    if not listing.names or includes_proposal(document, listing.names):
        return listing
    proposed, where = proposal(document)
    if not proposed:
        return listing
    return replace(listing, names=(ListedName(proposed), *listing.names), proposal_from=where)


def _labelled_groups(document: ReadDocument) -> list[list[InlineText]]:
    """Headings with labels of options, by the heading above them; all together if each is alone."""
    groups = list(_labelled_by_parent(document).values())
    several = [group for group in groups if len(group) > 1]
    return several or [list(chain.from_iterable(groups))]


def _labelled_by_parent(document: ReadDocument) -> dict[tuple[str, ...], list[InlineText]]:
    """Parent headings -> the headings below them with labels of options."""
    groups: dict[tuple[str, ...], list[InlineText]] = {}
    for heading, path in document.headings_with_paths():
        if is_labelled(heading.words):
            groups.setdefault(path[:-1], []).append(heading.inline)
    return groups


def _y_statements(paragraphs: Sequence[str]) -> Iterator[_Listing]:
    for words in paragraphs:
        for sentence in re.split(r"(?<=[.!?;])\s+", words):
            if found := DECIDED_AGAINST.search(sentence):
                chosen = InlineText(found["chosen"], "", found["chosen"])
                names = [chosen, *_split(found["others"])]
                if all(is_balanced(name.words) for name in names):
                    yield _Listing(option_names(names), "one sentence")


def _split(said: str) -> list[InlineText]:
    """Split `A, B or C` into three, `A, with B; C` into two; [] for a sentence."""
    said = said.rstrip(".")
    pieces = re.split(r"\s*;\s*", said) if ";" in said else _BETWEEN.split(said)
    is_list = all(len(piece) <= SHORT_OPTION_CHARS for piece in pieces)
    return [InlineText(piece, "", piece) for piece in pieces] if is_list else []


# --- several decisions in one document


def _decisions(document: ReadDocument) -> tuple[str, ...]:
    """The subjects of several decisions in one document; empty for one or none."""
    listings = [_in_section(section) for section in document.sections("options", "alternatives")]
    found = [listing for listing in listings if len(listing.names) > 1]
    parents = _parents_of_sections(found) if found else _parents_of_labels(document)
    parents = parents or _parents_of_outcomes(document, found)
    return tuple(_subject(document, parent) for parent in parents)


def _parents_of_sections(listings: Sequence[_Listing]) -> tuple[tuple[str, ...], ...]:
    """Several headings with different options below them, on the highest level that has such; else empty."""
    for level in sorted({listing.level for listing in listings}):
        parents = {listing.parent: {n.name for n in listing.names} for listing in listings if listing.level == level}
        if len(parents) > 1 and len({frozenset(names) for names in parents.values()}) > 1:
            return tuple(parents)
    return ()


def _parents_of_labels(document: ReadDocument) -> tuple[tuple[str, ...], ...]:
    """Several headings with two or more labelled headings below each; else empty."""
    several = [parent for parent, group in _labelled_by_parent(document).items() if len(group) > 1]
    # Of nested headings the inner ones hold the options, if there are two.
    outer = {parent[:length] for parent in several for length in range(len(parent))}
    innermost = [parent for parent in several if parent not in outer]
    found = innermost if len(innermost) > 1 else several
    return tuple(found) if len(found) > 1 else ()


def _parents_of_outcomes(document: ReadDocument, listings: Sequence[_Listing]) -> tuple[tuple[str, ...], ...]:
    """Several headings with decisions on one level below them that are no names of sections; else empty."""
    parents: dict[int, dict[tuple[str, ...], None]] = {}
    for section in document.sections("outcome"):
        above = section.path[:-1]
        if above and not kinds_of(above[-1]) and not is_labelled(above[-1]):
            parents.setdefault(section.heading.level, {})[above] = None
    several = next((level for level in parents.values() if len(level) > 1), {})
    is_apart = all(listing.parent in several for listing in listings)
    return tuple(several) if is_apart else ()


def _subject(document: ReadDocument, parent: tuple[str, ...]) -> str:
    own = parent[-1] if parent else document.title
    return without_number(subject_of(own) or own) or own


# --- drivers


def _drivers(document: ReadDocument, *, of_all: bool = False) -> Taken:
    """The drivers of a section of that name, else its goals.

    `of_all`: only from a section directly under the title.
    """
    kinds: tuple[SectionKind, ...] = ("drivers", "goals")
    for name, items in chain.from_iterable(_lists_of_drivers(document, kind, of_all=of_all) for kind in kinds):
        if names := driver_names([item.words for item in items]):
            return _Listing(names, name).taken(MAX_DRIVERS)
    return Taken()


def _lists_of_drivers(
    document: ReadDocument, kind: SectionKind, *, of_all: bool
) -> Iterator[tuple[str, list[InlineText]]]:
    """(name, items) of the sections of this kind, then of its paragraphs such as `Drivers: cost; speed`."""
    for section in document.sections(kind):
        if not of_all or len(section.path) == 1:
            headings = _highest([block for block in section.blocks if block.kind == "heading"])
            names = _listed_names(section.blocks, of_options=False) or [heading.inline for heading in headings]
            yield section.name, names or _named_paragraphs(section.blocks)
    for name, said in _inline(document, kind):
        yield name, _split(said)


# --- lists of a section: rows of a table, items of a list, headings, named paragraphs

# Heads of columns that number the rows: "#", "No.", "ID"
_NUMBERS = re.compile(r"#|№|no\.?|nr\.?|n°|id|num(?:ber)?|pos\.?", re.IGNORECASE)
# Cells that only number their row: "1", "2.", "A", "O1"
_NUMBER_CELL = re.compile(r"[A-Z]{0,2}\d{0,3}[.)]?")
# Heads of a first column of criteria: the other columns are the options
_COMPARES = re.compile(
    r"criteri(?:a|on)|aspects?|features?|kriteri(?:um|en)|merkmale?|criterios?|crit[èe]res?|critérios?"
)


def _listed_names(blocks: Sequence[TextBlock], *, of_options: bool) -> list[InlineText]:
    """The names in the first table or list of a section, before any heading."""
    before = list(takewhile(lambda block: block.kind != "heading", blocks))
    first = next((block.kind for block in before if block.kind in ("item", "row")), "")
    return _column_of_names(before, of_options=of_options) if first == "row" else _first_list(before)


def _option_headings(blocks: Sequence[TextBlock]) -> list[InlineText]:
    """The headings of the highest level, or those with labels of options on any level."""
    headings = [block for block in blocks if block.kind == "heading" and not kinds_of(block.words)]
    labelled = [heading for heading in headings if is_labelled(heading.words)]
    options = labelled if len(labelled) > 1 else _highest(headings)
    return [heading.inline for heading in options]


def _highest(headings: Sequence[TextBlock]) -> list[TextBlock]:
    level = min((heading.level for heading in headings), default=0)
    return [heading for heading in headings if heading.level == level]


def _named_paragraphs(blocks: Sequence[TextBlock]) -> list[InlineText]:
    """Paragraphs that begin with a name in bold, or with the label of an option, or that define a term."""
    paragraphs = [block for block in blocks if block.kind == "paragraph" and block.level == 0]
    return list(filter(_begins_with_name, map(_with_term, paragraphs)))


def _with_term(paragraph: TextBlock) -> InlineText:
    """The words, of which the term of a definition is the name: `Kafka` and `: a log` in the next line."""
    term, _, definition = paragraph.markdown.partition("\n")
    if definition[:2] not in (": ", ":\t"):
        return paragraph.inline
    name, words = plain_words(term), replace(paragraph, markdown=f"{term}{definition}").words
    return InlineText(words, name, words[len(name) :])


def _begins_with_name(paragraph: InlineText) -> bool:
    has_bold_name = bool(paragraph.lead and paragraph.rest)
    return has_bold_name or is_labelled(paragraph.words)


def _first_list(blocks: Sequence[TextBlock]) -> list[InlineText]:
    """The items of the first list; nested items explain them.

    A list continues after a paragraph if its numbers do, or if all its items are separated.
    """
    runs = _runs_of_items(blocks)
    kept = runs[:1]
    for run in runs[1:]:
        if not _continues(kept, run[0]):
            break
        kept.append(run)
    return [item.inline for item in chain.from_iterable(kept)]


def _runs_of_items(blocks: Sequence[TextBlock]) -> list[list[TextBlock]]:
    """The outermost items, in runs without a paragraph of an outer level between them."""
    outer = min((block.level for block in blocks if block.kind == "item"), default=0)
    runs: list[list[TextBlock]] = []
    is_apart = True
    for block in blocks:
        if block.kind != "item":
            is_apart = is_apart or block.level < outer
        elif block.level == outer:
            if is_apart:
                runs.append([])
            runs[-1].append(block)
            is_apart = False
    return runs


def _continues(runs: Sequence[Sequence[TextBlock]], item: TextBlock) -> bool:
    last = runs[-1][-1].number
    counts_on = last is not None and item.number == last + 1
    return counts_on or all(len(run) == 1 for run in runs)


def _first_table(blocks: Sequence[TextBlock]) -> list[TextBlock]:
    rows: list[TextBlock] = []
    for block in blocks:
        if rows and (block.kind != "row" or block.is_head):
            break
        if block.kind == "row":
            rows.append(block)
    return rows


def _column_of_names(blocks: Sequence[TextBlock], *, of_options: bool) -> list[InlineText]:
    """The names in the first table: its first column that does more than number the rows."""
    table = _first_table(blocks)
    head, body = table[0], table[1:]
    heads = [head.cell(column) for column in range(len(head.cells))]
    if of_options and _compares_options([cell.words for cell in heads]):
        return heads[1:]
    for column, name in enumerate(heads):
        cells = [row.cell(column) for row in body]
        if column == len(heads) - 1 or not _only_numbers_rows(name, cells):
            return cells
    return []


def _compares_options(heads: Sequence[str]) -> bool:
    """True for a table with a row for each criterion and a column for each option."""
    has_aspect = any(is_named(name, "aspect") for name in heads[1:])
    has_options = not heads[0] and sum(map(is_labelled, heads[1:])) > 1
    return not has_aspect and (has_options or _COMPARES.fullmatch(heads[0].casefold()) is not None)


def _only_numbers_rows(head: InlineText, cells: Sequence[InlineText]) -> bool:
    return _NUMBERS.fullmatch(head.words) is not None or all(_NUMBER_CELL.fullmatch(cell.words) for cell in cells)
