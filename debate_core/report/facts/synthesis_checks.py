"""What code can say against a line of a synthesis: links first, then the facts it names, then its words.

A line may add nothing to what was said. Red: a number, date, name or address that the linked turns do not
have. Amber: a hint by words, which an honest line can meet too. It does not know what is true, and blocks no turn
of a model.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from debate_core.engine.evidence import is_unverified
from debate_core.engine.quotes import negates, words
from debate_core.engine.similarity import dice, split_sentences
from debate_core.language import _, message
from debate_core.record.state import State, Turn
from debate_core.report.facts import named_entities as facts
from debate_core.report.facts.references import without_references
from debate_core.spec.contents import Argument, Content, LineSection, Synthesis
from debate_core.spec.values import in_words

MIN_COVERAGE = 0.40
"""A line is thin if fewer of its telling words stand in the turns that it links."""
MIN_TELLING = 3
"""Our own cut: a share of fewer words says nothing."""
SAME_POINT = 0.50
"""From this likeness on, a line that negates where its source does not, or the reverse, may have turned it round."""
MAX_LINE_CHARS = 2_000
NOBODY = message("Nobody argued for this option.")
"""A strongest argument that has nothing to link."""

Severity = Literal["blocks", "red", "amber"]
RemarkKind = Literal[
    "unlinked", "unknown_claim", "not_said", "not_in_links", "struck", "unverified", "thin", "polarity"
]
LEVELS: Mapping[RemarkKind, Severity] = {
    "unlinked": "blocks",
    "unknown_claim": "blocks",
    "not_said": "red",
    "not_in_links": "red",
    "struck": "red",
    "unverified": "red",
    "thin": "amber",
    "polarity": "amber",
}
"""Blocks: a person cannot give it so. Red: a person answers for it with a reason. Amber: look again."""


def nobody_argued(option: str) -> str:
    """The label of the choice in a form for an option without an argument."""
    return _("No one argued for {option}", option=option)


@dataclass(frozen=True, slots=True)
class LineRemark:
    """One thing that code has to say about a line; `what` are the words or ids it is about."""

    kind: RemarkKind
    what: tuple[str, ...] = ()

    @property
    def level(self) -> Severity:
        """How much it weighs."""
        return LEVELS[self.kind]

    @property
    def sentence(self) -> str:
        """It in plain words."""
        named = ", ".join(self.what)
        told: Mapping[RemarkKind, str] = {
            "unlinked": _("rests on no claim or turn: link one"),
            "unknown_claim": _("links what is not there: {named}", named=named),
            "not_said": _("not said by anyone: {named}", named=named),
            "not_in_links": _("said, but not in what it links: {named}", named=named),
            "struck": _("links a turn that was struck: {named}", named=named),
            "unverified": _("rests on claims alone whose quotes are not in their source: {named}", named=named),
            "thin": _("few of its words stand in what it links"),
            "polarity": _("says it the other way round? Linked: {named}", named=named),
        }
        return told[self.kind]


@dataclass(frozen=True, slots=True)
class CheckedLine:
    """A line and what there is to say about it. `coverage` is None without links, or with too few telling words."""

    section: LineSection
    text: str
    links: tuple[str, ...] = ()
    option: str = ""
    coverage: float | None = None
    remarks: tuple[LineRemark, ...] = ()

    def has(self, level: Severity) -> bool:
        """True if something of this weight was found."""
        return any(r.level == level for r in self.remarks)


@dataclass(frozen=True, slots=True)
class Checked:
    """A whole synthesis, the sentences of its answer first."""

    lines: tuple[CheckedLine, ...]
    one_sided: tuple[str, ...]
    """Options without a strongest argument."""

    @property
    def answer(self) -> tuple[CheckedLine, ...]:
        """The sentences of the answer."""
        return tuple(line for line in self.lines if line.section == "answer")

    @property
    def points(self) -> tuple[CheckedLine, ...]:
        """The lines behind the answer."""
        return tuple(line for line in self.lines if line.section != "answer")

    @property
    def rests_on_nothing(self) -> bool:
        """True if there are lines behind the answer, and none of them could be given by a person."""
        return bool(self.points) and all(line.has("blocks") for line in self.points)

    def blocking(self) -> tuple[str, ...]:
        """Why a person cannot give it so, a sentence each."""
        reasons = []
        for line in self.lines:
            for remark in line.remarks:
                if remark.level == "blocks":
                    reasons.append(f"“{_short(line.text)}” {remark.sentence}")
        for option in self.one_sided:
            other = nobody_argued(option)
            reasons.append(
                _("{option} has no strongest argument: write one, or choose “{other}”", option=option, other=other)
            )
        return tuple(reasons)

    def red(self) -> tuple[CheckedLine, ...]:
        """Lines that need a reason of whoever gives them."""
        return tuple(line for line in self.lines if line.has("red"))


@dataclass(frozen=True, slots=True)
class GroundPassage:
    """What a line can rest on: a turn, or one claim of it. `whole` is all that its turn says."""

    id: str
    point: str
    whole: str
    struck: bool
    unverified: bool = False
    """True for a claim whose quote is altered or not in its source."""
    number: int = 0
    """By which people call a claim; 0 for a whole turn."""


@dataclass(frozen=True)
class Ground:
    """Everything that was said in some turns, by the ids that a line can link to."""

    passages: Mapping[str, GroundPassage]
    names: frozenset[str]
    """Stems of the question, the options and the seats: anybody may use these words."""
    aliases: Mapping[str, str]
    """Other ways to write an id, in lower case: `claim 7`; `a2.3` for the third claim of the first seat in round 2."""

    @cached_property
    def said(self) -> tuple[str, ...]:
        """Every turn once, less those that were struck."""
        return tuple(dict.fromkeys(p.whole for p in self.passages.values() if not p.struck))

    @cached_property
    def _ids(self) -> frozenset[str]:
        return frozenset({*self.aliases, *(i.casefold() for i in self.passages)})

    def without_references(self, text: str) -> str:
        """The text less what points at the debate: ids, rounds and turns, tallies, marks of a list."""
        return without_references(text, self._ids, len(self.passages))

    def named(self, typed: str) -> str:
        """The id that somebody meant, or what they typed if there is none."""
        given = typed.strip().rstrip(".,;")
        return self.aliases.get(given.casefold(), given)


def ground_of(state: State, turns: Sequence[Turn]) -> Ground:
    """What these turns said. Reviews and syntheses say nothing of their own."""
    passages: dict[str, GroundPassage] = {}
    aliases: dict[str, str] = {}
    numbers = state.claim_numbers()
    letters = {seat.id: chr(ord("a") + place) for place, seat in enumerate(state.spec.seats[:26])}
    for turn in turns:
        if turn.content is None or turn.content.kind in ("review", "synthesis"):
            continue
        place = turn.place()
        whole = _everything(turn.content)
        struck = turn.status == "struck"
        passages[place] = GroundPassage(place, whole, whole, struck)
        aliases |= {place.casefold(): place, turn.request.casefold(): place}
        for claim in turn.claims:
            point = f"{claim.text} {claim.quote or ''}".strip()
            unverified = is_unverified(state.spec.sources, claim)
            passages[claim.id] = GroundPassage(claim.id, point, whole, struck, unverified, numbers[claim.id])
            aliases |= {claim.id.casefold(): claim.id, f"claim {numbers[claim.id]}": claim.id}
            aliases[claim.id.casefold().replace(f"{turn.seat.casefold()}.", letters.get(turn.seat, "?"), 1)] = claim.id
    spec = state.spec
    seats = (f"{in_words(s.id)} {s.stance}" for s in spec.seats)
    frame = (spec.question, spec.context, *spec.options, *(d.name for d in spec.drivers), *seats)
    return Ground(passages, facts.vocabulary(frame), aliases)


def _everything(content: Content) -> str:
    """All words of a turn, the prose first."""
    if isinstance(content, Argument):
        said = [content.rationale, *(f"{c.text}\n{c.quote or ''}" for c in content.claims)]
        return "\n".join(said)
    return "\n".join(_texts(content.model_dump(exclude={"kind"})))


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts: Iterable[object] = ()
    if isinstance(value, dict):
        parts = value.values()
    elif isinstance(value, list | tuple):
        parts = value
    return [text for part in parts for text in _texts(part)]


def check(ground: Ground, given: Synthesis, options: Sequence[str]) -> Checked:
    """Every line of a synthesis, and the options it leaves without an argument."""
    answer = answer_lines(ground, given.answer)
    lines = [
        check_line(ground, CheckedLine(point.section, point.text, point.links, point.subject)) for point in given.points
    ]
    argued = {s.option for s in given.strongest if s.text.strip()}
    return Checked((*answer, *lines), tuple(o for o in options if o not in argued))


def answer_lines(ground: Ground, answer: str) -> list[CheckedLine]:
    """The sentences of the answer. They link nothing themselves: what they name has to have been said by somebody."""
    lines = []
    for sentence in split_sentences(answer):
        found = facts.missing(ground.without_references(sentence[:MAX_LINE_CHARS]), ground.said, ground.names)
        remarks = (LineRemark("not_said", found),) if found else ()
        lines.append(CheckedLine("answer", sentence[:MAX_LINE_CHARS], remarks=remarks))
    return lines


def check_line(ground: Ground, line: CheckedLine) -> CheckedLine:
    """One line against what it links."""
    # As it stands on record: in English, whichever language its writer reads.
    if line.section == "strongest" and line.text == NOBODY:
        return line
    linked = [ground.passages[i] for i in line.links if i in ground.passages]
    support = tuple(dict.fromkeys(p.whole for p in linked))
    coverage = covered(ground.without_references(line.text), support) if support else None
    remarks = [*_about_links(ground, line.links, linked), *_facts(ground, line.text, support)]
    if not facts.copied(line.text, support):
        remarks += _about_words(line.text, linked, coverage)
    return replace(line, coverage=coverage, remarks=tuple(remarks))


def _about_links(ground: Ground, links: Sequence[str], linked: Sequence[GroundPassage]) -> Iterator[LineRemark]:
    """`linked`: those of the links that are there."""
    unknown = tuple(link for link in links if link not in ground.passages)
    if unknown:
        yield LineRemark("unknown_claim", unknown)
    if not links:
        yield LineRemark("unlinked")
    yield from _about_linked(linked)


def _about_linked(linked: Sequence[GroundPassage]) -> Iterator[LineRemark]:
    struck = [passage.id for passage in linked if passage.struck]
    if struck:
        yield LineRemark("struck", tuple(struck))
    unverified = [passage.id for passage in linked if passage.unverified]
    if unverified and len(unverified) == len(linked):
        yield LineRemark("unverified", tuple(unverified))


def _about_words(text: str, linked: Sequence[GroundPassage], coverage: float | None) -> Iterator[LineRemark]:
    """Hints on a line that is no copy of what it links."""
    if coverage is not None and coverage < MIN_COVERAGE:
        yield LineRemark("thin")
    if turned := _turned(text, [passage.point for passage in linked]):
        yield LineRemark("polarity", (f"“{_short(turned)}”",))


def _facts(ground: Ground, text: str, support: Sequence[str]) -> list[LineRemark]:
    """What the line names and its links do not have: by somebody else, or by nobody at all."""
    own_words = ground.without_references(text)
    absent = facts.missing(own_words, support, ground.names)
    nowhere = facts.missing(own_words, ground.said, ground.names) if absent else ()
    elsewhere = tuple(a for a in absent if a not in nowhere) if support else ()
    found: tuple[tuple[RemarkKind, tuple[str, ...]], ...] = (("not_said", nowhere), ("not_in_links", elsewhere))
    return [LineRemark(kind, what) for kind, what in found if what]


def covered(text: str, support: Collection[str]) -> float | None:
    """Share of the telling words of a text that stand in the support; None with too few of them."""
    telling = facts.telling(text)
    if len(telling) < MIN_TELLING:
        return None
    known = facts.vocabulary(support)
    return sum(word in known for word in telling) / len(telling)


def _turned(text: str, points: Sequence[str]) -> str:
    """The linked clause that is nearest to one of the line, if one of the two negates and the other does not."""
    said = [clause for point in points for clause in _clauses(point)]
    for clause in _clauses(text):
        nearest = max(said, key=lambda s: dice(clause, s), default="")
        if dice(clause, nearest) >= SAME_POINT and _differ(set(words(clause)), set(words(nearest))):
            return nearest
    return ""


def _clauses(text: str) -> tuple[str, ...]:
    return tuple(part for sentence in split_sentences(text) for part in _CLAUSE_END.split(sentence))


def _differ(mine: set[str], other: set[str]) -> bool:
    return any(map(negates, mine)) != any(map(negates, other)) or _opposed(mine - other, other - mine)


_CLAUSE_END = re.compile(r"[,;:]\s+")
_OPPOSITES = (
    ("more", "less"), ("more", "fewer"), ("faster", "slower"), ("fast", "slow"), ("cheaper", "dearer"),
    ("higher", "lower"), ("high", "low"), ("increases", "decreases"), ("increase", "decrease"), ("rises", "falls"),
    ("better", "worse"), ("safer", "riskier"), ("safe", "unsafe"), ("always", "never"), ("all", "none"),
    ("easier", "harder"), ("easy", "hard"), ("above", "below"), ("before", "after"), ("with", "without"),
    ("larger", "smaller"), ("most", "least"), ("gains", "loses"), ("succeeds", "fails"), ("possible", "impossible"),
    ("adopt", "reject"), ("supports", "opposes"), ("for", "against"), ("true", "false"), ("up", "down"),
)  # fmt: skip


def _opposed(mine: Collection[str], other: Collection[str]) -> bool:
    """True if one says a word and the other, in its place, the opposite."""
    return _has_opposites(mine, other) or _has_opposites(other, mine)


def _has_opposites(first: Collection[str], second: Collection[str]) -> bool:
    return any(word in first and opposite in second for word, opposite in _OPPOSITES)


def _short(text: str, max_chars: int = 90) -> str:
    flat = " ".join(text.split())
    if len(flat) <= max_chars:
        return flat
    return flat[: max_chars - 1].rstrip() + "…"
