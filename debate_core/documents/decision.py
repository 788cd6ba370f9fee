"""A document of others as the beginning of a debate: its question, options and drivers, as far as it names them.

Reads decision records (MADR, Nygard, Tyree and Akerman, Y-statements), RFCs and design notes in seven languages.
Nothing is made up: every value is in the document, without markup, numbers and marks of a choice. Omitted parts are
counted.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from debate_core.documents.blocks import SAYS
from debate_core.documents.choices import has_proposal, includes_proposal, proposal
from debate_core.documents.document import DocumentSection, ReadDocument, read_document, without_number
from debate_core.documents.inline import InlineText
from debate_core.documents.listings import listed, named_paragraphs, option_headings
from debate_core.documents.option_names import (
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


@dataclass(frozen=True, slots=True)
class Taken:
    """The values that a document gives for one field, with their heading; empty where it gives none."""

    values: tuple[str, ...] = ()
    heading: str = ""
    n_left: int = 0
    """The number of values beyond those that a debate can have."""
    n_shortened: int = 0
    """The number of values without the explanation that follows them in the document."""
    n_marks: int = 0
    """The number of values without their mark of a choice."""
    proposal_from: str = ""
    """The place of the first option, if it is the proposal of the document and the others are its alternatives."""


@dataclass(frozen=True, slots=True)
class DecisionDocument:
    """Question, options and drivers of a document: one question at most, no options or several, as one is no choice."""

    question: Taken = Taken()
    options: Taken = Taken()
    drivers: Taken = Taken()
    decisions: tuple[str, ...] = ()
    """Subjects of the decisions, if the document has several; then no option is taken from it."""


_READ_CHARS = 200_000
"""Question and options stand long before that; the rest of a long document is only quoted."""


def read_decision(source: Source) -> DecisionDocument:
    """Read what a document offers for the set-up of a debate."""
    document = read_document(source.text[:_READ_CHARS])
    if decisions := _decisions(document):
        # What stands above all of them is the document's own; the rest belongs to one of them.
        title = _title(document) if document.has_title_of_all else Taken()
        return DecisionDocument(title, Taken(), _drivers(document, of_all=True), decisions)
    return DecisionDocument(_question(document, source.title), _options(document), _drivers(document))


# --- the question

_ASKS = re.compile(rf"¿?(?:[^,?]{{1,60}}, ¿?)?(?:{QUESTION_WORDS})\b", re.IGNORECASE)  # "For us, how do we ...?"
# Between two sentences; no dot of "v1.2"
_SENTENCE_END = re.compile(r"[!:;]|\.(?!\w)")
_MIN_QUESTION_CHARS, _LONGEST_ASKED = 12, 300
# "0072-which-store.md", "adr-7_which_store.md", "2024-05-01-which-store.md"
_NUMBERED_FILE = re.compile(r"(?:[a-z]{2,5}[-_ ]?)?\d[\d-]{0,12}[-_ ]+(.+)\.(?:md|markdown|txt|pdf)", re.IGNORECASE)


def _question(document: ReadDocument, source_title: str) -> Taken:
    """The question: in a place that is there for it, in the title, in the context; else the title as written."""
    for name, said in _inline(document, "question"):
        if not is_placeholder(said):
            return Taken((said[:MAX_QUESTION_CHARS],), name)
    if asked := _asked_in(document, "question"):
        return asked
    title = _title(document)
    if title.values and title.values[0].endswith("?"):
        return title
    asked = _asked_in(document, "context", "introduction")
    return asked or (title if title.values else _file_name(document, source_title))


def _title(document: ReadDocument) -> Taken:
    """The title; of several a question, because a heading can be shorter than the title in the front matter."""
    titles = [without_number(title) for title in (document.title, *document.titles_in_fields)]
    title = next((title for title in titles if title.endswith("?")), titles[0])
    return Taken((title[:MAX_QUESTION_CHARS],), "its title") if title and not is_placeholder(title) else Taken()


def _asked_in(document: ReadDocument, *kinds: SectionKind) -> Taken | None:
    """The last question of the first such section that asks one: what leads to it comes before."""
    for section in document.sections(*kinds):
        said = [block.words for block in section.blocks if block.kind in ("paragraph", "item")]
        asked = [question for words in said for question in _questions(words)]
        if asked:
            return Taken((asked[-1],), section.name)
    return None


def _questions(words: str) -> Iterator[str]:
    for before_mark in words.split("?")[:-1]:
        question = f"{_SENTENCE_END.split(before_mark)[-1].strip()}?"
        if _MIN_QUESTION_CHARS <= len(question) <= _LONGEST_ASKED and _ASKS.match(question):
            yield question


def _file_name(document: ReadDocument, source_title: str) -> Taken:
    """The words in the name of a numbered file, for a text that has no title at all."""
    named = None if document.title else _NUMBERED_FILE.fullmatch(source_title)
    words = re.sub(r"[-_ ]+", " ", named[1]).strip() if named else ""
    return Taken((words[:1].upper() + words[1:],), "the name of its file") if words else Taken()


def _inline(document: ReadDocument, *kinds: SectionKind) -> Iterator[tuple[str, str]]:
    """`Options: keep it; replace it` as name and what is said, where the name is one of these."""
    for block in document.blocks:
        says = SAYS.match(block.markdown) if block.kind in ("paragraph", "item") else None
        if says and is_named(says[1], *kinds):
            yield says[1], replace(block, markdown=block.markdown[says.end() :]).words


# --- options

# "we decided for A and against B and C, to achieve ...", within one sentence
_Y = re.compile(
    r"\bwe (?:have )?decided (?:to use|for|to|on)\s+(?P<chosen>.{3,100}?),?\s+"
    r"(?:and (?:against|not|neglected|rejected)|(?:and )?neglecting|instead of|rather than)\s+"
    r"(?P<others>.{3,300}?)(?:,? (?:to achieve|in order to|because|since|so that|accepting)\b|[.;]|$)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\s+/\s+|\s*,\s*(?:(?:and|or|und|oder|y|o|et|ou|e|en|of)\s+)?|\s+(?:and|or|und|oder|ou|vs\.?)\s+"
)


@dataclass(frozen=True, slots=True)
class _Listing:
    """Options that stand together in a document."""

    names: tuple[ListedName, ...]
    heading: str
    parent: tuple[str, ...] = ()
    """The headings above its own; with its own where that names a subject."""
    level: int = 0
    proposal_from: str = ""

    def taken(self, most: int) -> Taken:
        kept = self.names[:most]
        return Taken(
            values=tuple(named.name for named in kept),
            heading=self.heading,
            n_left=len(self.names) - len(kept),
            n_shortened=sum(named.is_shortened for named in kept),
            n_marks=sum(named.has_mark for named in kept),
            proposal_from=self.proposal_from,
        )


def _options(document: ReadDocument) -> Taken:
    """The options of the first way in which the document names two or more."""
    for listing in _listings(document):
        if len(listing.names) > 1:
            return listing.taken(MAX_OPTIONS)
    return Taken()


def _listings(document: ReadDocument) -> Iterator[_Listing]:
    """Possible lists of options, the clearest first."""
    for section in document.sections("options"):
        yield _in_section(section)
    for name, said in _inline(document, "options", "alternatives"):
        yield _Listing(option_names(_split(said)), name)
    for section in document.sections("alternatives"):
        listing = _in_section(section)
        yield _with_proposal(document, listing) if has_proposal(document, section) else listing
    for section in document.sections("pros_and_cons"):
        yield _Listing(option_names(option_headings(section.blocks)), section.name)
    for group in _labelled_groups(document):
        yield _Listing(option_names(group), "its headings")
    paragraphs = [block for block in document.blocks if block.kind in ("paragraph", "item")]
    labelled = [block.inline for block in paragraphs if may_be_labelled(block.markdown)]
    yield _Listing(option_names([words for words in labelled if is_labelled(words.words)]), "its paragraphs")
    yield from _y_statements([block.words for block in paragraphs if "decided" in block.markdown])


def _in_section(section: DocumentSection) -> _Listing:
    """The options of one section: headings with labels, a table or list, other headings, paragraphs with names."""
    headings = option_headings(section.blocks)
    has_labels = sum(is_labelled(heading.words) for heading in headings) > 1
    ways = (
        headings if has_labels else [],
        listed(section.blocks, of_options=True),
        headings,
        named_paragraphs(section.blocks),
    )
    found = [names for way in ways if (names := option_names(way))]
    names = next((names for names in found if len(names) > 1), found[0] if found else ())
    is_subject = bool(subject_of(section.name))
    parent = section.path if is_subject else section.path[:-1]
    return _Listing(names, section.name, parent, section.heading.level)


def _with_proposal(document: ReadDocument, listing: _Listing) -> _Listing:
    """Alternatives with what they are alternatives to as the first option."""
    if not listing.names or includes_proposal(document, listing.names):
        return listing
    proposed, where = proposal(document)
    if not proposed:
        return listing
    return replace(listing, names=(ListedName(proposed), *listing.names), proposal_from=where)


def _labelled_groups(document: ReadDocument) -> list[list[InlineText]]:
    """Headings that are labelled as options, those of one section together; all together if none has two."""
    groups = _labelled_by_parent(document)
    several = [group for group in groups.values() if len(group) > 1]
    return several or [[heading for group in groups.values() for heading in group]]


def _labelled_by_parent(document: ReadDocument) -> dict[tuple[str, ...], list[InlineText]]:
    """Map the headings above to the headings below them that are labelled as options."""
    groups: dict[tuple[str, ...], list[InlineText]] = {}
    for heading, path in document.headings_with_paths():
        if is_labelled(heading.words):
            groups.setdefault(path[:-1], []).append(heading.inline)
    return groups


def _y_statements(paragraphs: Sequence[str]) -> Iterator[_Listing]:
    for words in paragraphs:
        for sentence in re.split(r"(?<=[.!?;])\s+", words):
            if found := _Y.search(sentence):
                chosen = InlineText(found["chosen"], "", found["chosen"])
                names = [chosen, *_split(found["others"])]
                if all(is_balanced(name.words) for name in names):
                    yield _Listing(option_names(names), "one sentence")


def _split(said: str) -> list[InlineText]:
    """`A, B or C` as three, `A, with B; C` as two; nothing where it is a sentence."""
    said = said.rstrip(".")
    pieces = re.split(r"\s*;\s*", said) if ";" in said else _BETWEEN.split(said)
    is_list = all(len(piece) <= SHORT_OPTION_CHARS for piece in pieces)
    return [InlineText(piece, "", piece) for piece in pieces] if is_list else []


# --- several decisions in one document


def _decisions(document: ReadDocument) -> tuple[str, ...]:
    """The subjects of several decisions in one document; empty for one or none."""
    listings = [_in_section(section) for section in document.sections("options", "alternatives")]
    found = [listing for listing in listings if len(listing.names) > 1]
    return _by_options(document, found) or _by_outcomes(document, found)


def _by_options(document: ReadDocument, listings: Sequence[_Listing]) -> tuple[str, ...]:
    """Sections of options on one level, under several headings; without any, labelled headings under several."""
    parents = _parents_of_sections(listings) if listings else _parents_of_labels(document)
    return tuple(_subject(document, parent) for parent in parents)


def _parents_of_sections(listings: Sequence[_Listing]) -> tuple[tuple[str, ...], ...]:
    """Several headings with different options below them, on the highest level that has such; else empty."""
    for level in sorted({listing.level for listing in listings}):
        parents = {listing.parent: {n.name for n in listing.names} for listing in listings if listing.level == level}
        if len(parents) > 1 and len({frozenset(names) for names in parents.values()}) > 1:
            return tuple(parents)
    return ()


def _parents_of_labels(document: ReadDocument) -> tuple[tuple[str, ...], ...]:
    """Several headings with two or more labelled headings each below them; else empty."""
    several = [parent for parent, group in _labelled_by_parent(document).items() if len(group) > 1]
    # Of nested headings the inner ones hold the options, if there are two.
    innermost = [parent for parent in several if not any(_is_above(parent, other) for other in several)]
    found = innermost if len(innermost) > 1 else several
    return tuple(found) if len(found) > 1 else ()


def _is_above(parent: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return len(parent) < len(other) and other[: len(parent)] == parent


def _by_outcomes(document: ReadDocument, listings: Sequence[_Listing]) -> tuple[str, ...]:
    """Decisions on one level under several headings that name no section themselves."""
    parents: dict[int, dict[tuple[str, ...], None]] = {}
    for section in document.sections("outcome"):
        above = section.path[:-1]
        if above and not kinds_of(above[-1]) and not is_labelled(above[-1]):
            parents.setdefault(section.heading.level, {})[above] = None
    several = next((level for level in parents.values() if len(level) > 1), {})
    is_apart = all(listing.parent in several for listing in listings)
    return tuple(_subject(document, parent) for parent in several) if is_apart else ()


def _subject(document: ReadDocument, parent: tuple[str, ...]) -> str:
    own = parent[-1] if parent else document.title
    return without_number(subject_of(own) or own) or own


# --- drivers


def _drivers(document: ReadDocument, *, of_all: bool = False) -> Taken:
    """The drivers of a section of that name, else the goals of one.

    `of_all`: only from a section under no heading but the title.
    """
    kinds: tuple[SectionKind, ...] = ("drivers", "goals")
    for kind in kinds:
        for section in document.sections(kind):
            if of_all and len(section.path) > 1:
                continue
            items = listed(section.blocks, of_options=False) or option_headings(section.blocks)
            if names := driver_names([item.words for item in items]):
                return _Listing(names, section.name).taken(MAX_DRIVERS)
        for name, said in _inline(document, kind):
            if names := driver_names([piece.words for piece in _split(said)]):
                return _Listing(names, name).taken(MAX_DRIVERS)
    return Taken()
