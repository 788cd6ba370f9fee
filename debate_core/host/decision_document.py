"""A document of others as the beginning of a debate: its question, options and drivers, as far as it names them.

Reads decision records (MADR, Nygard, Tyree and Akerman, Y-statements), RFCs and design notes, from Markdown or plain
text. Nothing is made up: what is found is what the document says, without markup, numbers and marks of a choice; what
is not found is empty.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from debate_core.engine.outline import readable_lines
from debate_core.spec.protocol import MAX_DRIVERS
from debate_core.spec.values import MAX_QUESTION_CHARS, Source

MAX_OPTIONS = 8
MAX_OPTION_CHARS = 200
MAX_DRIVER_CHARS = 120
SHORT_OPTION_CHARS = 70
"""An option that explains itself is known by its name, if what stands before the explanation is at most so long."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What a document says of one thing, and under which heading; () and "" where it says nothing.

    `n_left` is how many more it names than a debate can have.
    """

    values: tuple[str, ...] = ()
    heading: str = ""
    n_left: int = 0


@dataclass(frozen=True, slots=True)
class DecisionDocument:
    """Of the question there is at most one; of the options none or several, as one alone is no choice."""

    question: Taken = Taken()
    options: Taken = Taken()
    drivers: Taken = Taken()


def read_decision(source: Source) -> DecisionDocument:
    """What this document offers for the set-up of a debate."""
    pieces = _pieces(source.text)
    return DecisionDocument(_question(pieces), _options(pieces), _drivers(pieces))


# --- headings, items and texts

PieceKind = Literal["heading", "item", "text"]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A heading, an item of a list, or a paragraph. `depth`: level of a heading, indent of an item, 0 of a text."""

    kind: PieceKind
    depth: int
    words: str
    raw: str

    @property
    def is_heading(self) -> bool:
        """True for a heading."""
        return self.kind == "heading"


@dataclass(frozen=True, slots=True)
class _PieceLines:
    """The lines of a piece, from the one that begins it to the last that goes on with it."""

    kind: PieceKind
    depth: int
    lines: list[str]

    def is_underlined_by(self, line: str) -> bool:
        """True for one line of text under which this one makes it a heading."""
        return self.kind == "text" and len(self.lines) == 1 and _UNDERLINE.fullmatch(line) is not None

    def piece(self) -> _Piece:
        """The whole of it."""
        raw = " ".join(self.lines)
        words = raw.rstrip("#= \t") if self.kind == "heading" else raw
        return _Piece(self.kind, self.depth, plain_words(words), raw)


_HEADING = re.compile(r"(#{1,6}|={1,5})[ \t]+(.+)")
_UNDERLINE = re.compile(r"=+|-{2,}")
_BOLD = re.compile(r"(?:\*\*|__)([^*_]{2,200})(?:\*\*|__):?$")
_ITEM = re.compile(r"([ \t]*)(?:(?:[-*+•–][ \t]+)+|\(?(?:\d{1,3}|[a-zA-Z])[.)][ \t]+)(?:\[[ xX]\][ \t]+)?(.*)")
# "Options:", "3. Decision Drivers", "CONSIDERED ALTERNATIVES" alone in a line
_BARE = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*\.?[ \t]+)?([A-Za-zÄÖÜäöüß][A-Za-zÄÖÜäöüß/& -]{3,50}?):?$")
# A name and what it says in one line, such as "Options: keep it; replace it"
_INLINE = re.compile(r"[*_]*([A-Za-zÄÖÜäöüß][A-Za-zÄÖÜäöüß ]{3,30}?)[*_]*:[*_]*[ \t]+(\S.*)")
_BOLD_DEPTH, _BARE_DEPTH = 7, 6
_READ_CHARS = 200_000
"""A decision is asked for long before that; what follows is read by the debate, and for no question or option."""


def _pieces(text: str) -> tuple[_Piece, ...]:
    blocks: list[_PieceLines] = []
    # The item or text that the next line may belong to.
    latest: _PieceLines | None = None
    for line in readable_lines(text[:_READ_CHARS]):
        rest = line.raw.strip().lstrip(">").strip()
        if latest is not None and latest.is_underlined_by(rest):
            blocks[-1] = _PieceLines("heading", 1 if rest[0] == "=" else 2, latest.lines)
            latest = None
            continue
        if _is_empty(rest):
            latest = None
            continue
        marked = _as_heading(rest) or _as_item(line.raw)
        if latest is not None and marked is None and not _says_inline(rest):
            latest.lines.append(rest)
            continue
        block = marked or _PieceLines("text", 0, [rest])
        blocks.append(block)
        latest = None if block.kind == "heading" else block
    return tuple(block.piece() for block in blocks)


def _is_empty(rest: str) -> bool:
    return not rest or set(rest) <= set("-*_ ")


def _says_inline(rest: str) -> bool:
    """True for a line that begins with the name of something and says it: `Options: keep it; replace it`."""
    found = _INLINE.match(rest)
    return found is not None and _names_a_section(found[1])


def _as_heading(rest: str) -> _PieceLines | None:
    if marks := _HEADING.match(rest):
        return _PieceLines("heading", len(marks[1]), [marks[2]])
    if bold := _BOLD.match(rest):
        return _PieceLines("heading", _BOLD_DEPTH, [bold[1]])
    bare = _BARE.match(rest)
    if bare and _names_a_section(bare[1]):
        return _PieceLines("heading", _BARE_DEPTH, [bare[1]])
    return None


def _as_item(raw: str) -> _PieceLines | None:
    item = _ITEM.match(raw.lstrip(">"))
    return _PieceLines("item", len(item[1].expandtabs(4)), [item[2].strip()]) if item else None


def plain_words(raw: str) -> str:
    """A text without its markup: "**Use** [C#](x) `now`" is "Use C# now"."""
    unlinked = re.sub(r"!?\[([^\[\]]{1,200})\]\([^()]{0,400}\)", r"\1", raw)
    unmarked = re.sub(r"`|\*\*|__|~~|<[^<>]{1,80}>|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)", "", unlinked)
    return " ".join(unmarked.replace("\\", "").split())


# --- sections by their names

_OPTIONS = re.compile(
    r"(?:(?:considered|possible|proposed|available|evaluated|candidate|design|solution|scoping|implementation|architect"
    r"ural|the|our|list of|overview of|betrachtete|erwogene|mögliche|geprüfte)[ ]+)*"
    r"(?:options?|alternatives?|solutions|positions|approaches|candidates|choices|optionen|alternativen|lösungen)"
    r"(?: (?:considered|evaluated|under consideration|to consider|we considered))?",
    re.IGNORECASE,
)
_PROS_AND_CONS = re.compile(
    r"(?:pros and cons|comparison|description|details|evaluation|analysis)(?: of| of the)?"
    r" (?:options|alternatives|solutions)",
    re.IGNORECASE,
)
_DRIVERS = re.compile(
    r"(?:(?:key|main|architectural|the|our)[ ]+)*(?:decision )?(?:drivers|forces)|(?:decision|evaluation|assessment|"
    r"selection|comparison|success|quality)? ?criteria|quality (?:attributes|goals)|entscheidungstreiber|"
    r"einflussfaktoren|(?:entscheidungs|bewertungs)?kriterien",
    re.IGNORECASE,
)
_SECOND_DRIVERS = re.compile(
    r"(?:(?:key|main|non-functional|functional|design)[ ]+)*(?:requirements|goals|principles|constraints|ziele|"
    r"anforderungen)",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"(?:the )?(?:question|decision to (?:make|be made)|problem|issue|(?:entscheidungs)?frage)", re.IGNORECASE
)
_CONTEXT = re.compile(
    r"(?:context|background|motivation|summary|introduction|kontext|ausgangslage|problemstellung)"
    r"(?:(?: and|,|&|/| und) (?:problem(?: statement)?|motivation|background|problemstellung))?|problem(?: statement)?"
    r"|issue|the problem",
    re.IGNORECASE,
)
_ALL_NAMES = (_OPTIONS, _PROS_AND_CONS, _DRIVERS, _SECOND_DRIVERS, _QUESTION, _CONTEXT)


def is_named(heading: str, names: re.Pattern[str]) -> bool:
    """True for a heading that is such a name, whatever number stands before it."""
    return names.fullmatch(heading.lstrip("0123456789.) ").rstrip(" \t:.")) is not None


def _names_a_section(heading: str) -> bool:
    return any(is_named(heading, names) for names in _ALL_NAMES)


def _sections(pieces: Sequence[_Piece], names: re.Pattern[str]) -> Iterator[tuple[str, tuple[_Piece, ...]]]:
    """The heading of every section with such a name, and all that stands in it."""
    for number, piece in enumerate(pieces):
        if piece.is_heading and is_named(piece.words, names):
            yield piece.words, tuple(_below(pieces, number))


def _below(pieces: Sequence[_Piece], number: int) -> Iterator[_Piece]:
    """What stands under this heading, before the next one of its level or a higher one."""
    for place in range(number + 1, len(pieces)):
        piece = pieces[place]
        if piece.is_heading and piece.depth <= pieces[number].depth:
            return
        yield piece


# --- the question

_TITLE_NUMBER = re.compile(
    r"^(?:\[?(?:ADR|MADR|RFC|DR|PEP|KEP|LADR|TDR)[-\s#]*\d*\]?\s*[:.–—-]*\s*|\d{1,5}\s*[:.)–—-]+\s*)+", re.IGNORECASE
)
_ASKS = re.compile(
    r"(?:[^,?]{1,60}, )?"  # "For us, how do we ...?"
    r"(?:how|what|which|who|when|where|why|should|shall|do|does|is|are|can|could|must|may|will|would|in which|"
    r"for which|to what|wie|was|welche[rsmn]?|wer|wann|wo|warum|soll|sollen|sollten|können|ist|sind)\b",
    re.IGNORECASE,
)
# Between two sentences; no dot of "v1.2"
_SENTENCE_END = re.compile(r"[!:;]|\.(?!\w)")
_MIN_QUESTION_CHARS, _LONGEST_ASKED = 12, 300
_PLACEHOLDER = re.compile(r"\{.*\}|\[[a-z ,]*(?:short |title)[a-z ,]*\]|…|\.\.\.|tbd|todo|n/?a|none|-*", re.IGNORECASE)


def _question(pieces: Sequence[_Piece]) -> Taken:
    """What is asked: in a place that is there for it, in the title, in the context; else what the title says."""
    for name, said in _inline(pieces, _QUESTION):
        if not _is_placeholder(said):
            return Taken((said[:MAX_QUESTION_CHARS],), name)
    if asked := _asked_in(pieces, _QUESTION):
        return asked
    title = _title(pieces)
    in_title = Taken((title,), "its title") if title else Taken()
    if title.endswith("?"):
        return in_title
    return _asked_in(pieces, _CONTEXT) or in_title


def _asked_in(pieces: Sequence[_Piece], names: re.Pattern[str]) -> Taken | None:
    """The last question of the first such section that asks one: what leads to it comes before."""
    for name, inside in _sections(pieces, names):
        asked = [question for piece in inside if not piece.is_heading for question in _questions(piece.words)]
        if asked:
            return Taken((asked[-1],), name)
    return None


def _questions(words: str) -> Iterator[str]:
    for before_mark in words.split("?")[:-1]:
        question = f"{_SENTENCE_END.split(before_mark)[-1].strip()}?"
        if _MIN_QUESTION_CHARS <= len(question) <= _LONGEST_ASKED and _ASKS.match(question):
            yield question


def _title(pieces: Sequence[_Piece]) -> str:
    """The first heading of the highest level, without its number; empty where it is the name of a section."""
    headings = _headings([piece for piece in pieces if piece.depth < _BARE_DEPTH])
    if not headings:
        return ""
    title = _TITLE_NUMBER.sub("", headings[0]).strip()
    if _names_a_section(title) or _is_placeholder(title):
        return ""
    return title[:MAX_QUESTION_CHARS]


def _is_placeholder(words: str) -> bool:
    return _PLACEHOLDER.fullmatch(words.strip()) is not None


def _inline(pieces: Sequence[_Piece], names: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """`Options: keep it; replace it` as name and what is said, where the name is one of these."""
    for piece in pieces:
        found = None if piece.is_heading else _INLINE.match(piece.raw)
        if found and is_named(found[1], names):
            yield found[1], plain_words(found[2])


# --- options and drivers

_OPTION_NUMBER = re.compile(
    r"^[\[(]?(?:option|alternative|variante?|solution|approach|proposal|candidate|position)"
    r"(?:[ ]*[#№]? ?\d{1,2}(?:\.\d{1,2})?[a-z]?| +[A-Z])\b[\])]?\s*(?:\[[^\[\]]{1,40}\]\s*)?[:.)–—-]*\s*",
    re.IGNORECASE,
)
_LIST_NUMBER = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2})*[.):]|[A-Z][.):]|[A-Z] [–—-])\s+")
# What somebody chose already is not for those who still decide.
_MARK = re.compile(
    r"\s*[\[(](?:chosen|selected|recommended|rejected|preferred|accepted|proposed|deprecated|winner)[\])]|[✅✔❌✓]",
    re.IGNORECASE,
)
_EXPLAINS = re.compile(r": | [–—-] | -- |\. (?=[A-Z])|, (?:because|so that|which|i\.e\.|e\.g\.)| \(| i\.e\.| e\.g\.")
_Y = re.compile(
    r"\bwe (?:have )?decided (?:for|to|on)\s+(?P<chosen>.{3,150}?),?\s+"
    r"(?:and (?:against|not|neglected|rejected)|(?:and )?neglecting|instead of|over|rather than)\s+"
    r"(?P<others>.{3,300}?)(?:,? (?:to achieve|in order to|because|accepting)\b|[.;]|$)",
    re.IGNORECASE,
)


def _options(pieces: Sequence[_Piece]) -> Taken:
    """By the first way in which the document names two or more."""
    for listed, where in _lists_of_options(pieces):
        if len(listed) > 1:
            return _as_taken(listed, where, MAX_OPTIONS)
    return Taken()


def _lists_of_options(pieces: Sequence[_Piece]) -> Iterator[tuple[tuple[str, ...], str]]:
    """What may be its options, and where they stand; first what says so most clearly."""
    for name, inside in _sections(pieces, _OPTIONS):
        yield _named(_listed(inside)), name
        yield _named(_headings(inside)), name
    for name, said in _inline(pieces, _OPTIONS):
        yield _named(_split(said)), name
    for name, inside in _sections(pieces, _PROS_AND_CONS):
        yield _named(_headings(inside)), name
    yield _named(_headings([piece for piece in pieces if _OPTION_NUMBER.match(piece.words)])), "its headings"
    for sentence in (piece.words for piece in pieces if not piece.is_heading):
        # `we decided for A and against B, to achieve ...`
        if found := _Y.search(sentence):
            yield _named([found["chosen"], *_split(found["others"])]), "one sentence"


def _drivers(pieces: Sequence[_Piece]) -> Taken:
    """Items of a section that has drivers in its name, else of one that has what is wanted in it."""
    for names in (_DRIVERS, _SECOND_DRIVERS):
        for name, inside in _sections(pieces, names):
            listed = _listed(inside) or _headings(inside)
            if short := _distinct(_short(words, MAX_DRIVER_CHARS, MAX_DRIVER_CHARS) for words in listed):
                return _as_taken(short, name, MAX_DRIVERS)
        for name, said in _inline(pieces, names):
            if short := _distinct(_split(said)):
                return _as_taken(short, name, MAX_DRIVERS)
    return Taken()


def _listed(pieces: Sequence[_Piece]) -> list[str]:
    """The items of the first list, before any heading; items within items explain them."""
    items: list[_Piece] = []
    for piece in pieces:
        ends_list = piece.kind == "text" and bool(items)
        if piece.is_heading or ends_list:
            break
        if piece.kind == "item":
            items.append(piece)
    outer = min((item.depth for item in items), default=0)
    return [item.raw for item in items if item.depth <= outer + 1]


def _headings(pieces: Sequence[_Piece]) -> list[str]:
    """The headings of the highest level."""
    headings = [piece for piece in pieces if piece.is_heading]
    level = min((heading.depth for heading in headings), default=0)
    return [heading.words for heading in headings if heading.depth == level]


def _split(said: str) -> list[str]:
    """`A, B or C` as three; nothing where it is a sentence."""
    pieces = re.split(
        r"\s*;\s*|\s+/\s+|\s*,\s*(?:and |or |und |oder )?|\s+(?:and|or|und|oder|vs\.?)\s+", said.rstrip(".")
    )
    return pieces if all(len(piece) <= SHORT_OPTION_CHARS for piece in pieces) else []


def _named(listed: Iterator[str] | Sequence[str]) -> tuple[str, ...]:
    return _distinct(_short(_bare_option(words), SHORT_OPTION_CHARS, MAX_OPTION_CHARS) for words in listed)


def _bare_option(raw: str) -> str:
    """`Option 2 - **Keep it** (chosen)` is `Keep it`; a name in bold stands for what explains it."""
    without = _OPTION_NUMBER.sub("", _LIST_NUMBER.sub("", _MARK.sub("", plain_words(raw)).strip())).strip()
    bold = re.match(r"(?:\*\*|__)([^*_]{2,120}?)[:.]?(?:\*\*|__)[\s:.–—-]*(.*)", raw.strip())
    name = _OPTION_NUMBER.sub("", _LIST_NUMBER.sub("", plain_words(bold[1]))).strip() if bold and bold[2] else ""
    return name or without


def _short(words: str, enough: int, most: int) -> str:
    """The whole if it is short, else what stands before the explanation, else the beginning."""
    words = plain_words(words).lstrip(" ,;:").rstrip(" .,;:")
    if len(words) <= enough:
        return words
    lead = next((words[: m.start()].strip(" .,;:") for m in _EXPLAINS.finditer(words) if m.start() > 2), words)
    if len(lead) <= most:
        return lead
    return f"{lead[: most - 1].rsplit(' ', 1)[0]}…"


def _distinct(values: Iterator[str] | Sequence[str]) -> tuple[str, ...]:
    kept: dict[str, str] = {}
    for value in values:
        if value and not _is_placeholder(value):
            kept.setdefault(value.casefold(), value)
    return tuple(kept.values())


def _as_taken(values: Sequence[str], heading: str, most: int) -> Taken:
    return Taken(tuple(values[:most]), heading, max(len(values) - most, 0))
