"""Checks of a synthesis line by code: its links, the facts it names, then its wording.

A line may add no facts to the debate. Red: a number, date, name or address that is missing in the linked turns.
Amber: a hint from the wording, which a correct line can also get. The checks do not judge truth, and block no turn of
a model.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from debate_core.engine.evidence import is_unverified
from debate_core.engine.quotes import negates, words
from debate_core.engine.similarity import dice, split_sentences
from debate_core.language import _, message, quoted
from debate_core.record.state import State, Turn
from debate_core.report.facts import named_entities as facts
from debate_core.spec.contents import Argument, Content, LineSection, Synthesis
from debate_core.spec.values import in_words

MIN_COVERAGE = 0.40
"""A line is thin if a smaller share of its significant words occurs in the linked turns."""
MIN_TELLING = 3
"""Our own cut: minimum number of significant words for a share."""
SAME_POINT = 0.50
"""Similarity from which a line that negates its source, or fails to, may have reversed it."""
MAX_LINE_CHARS = 2_000
NOBODY = message("Nobody argued for this option.")
"""A strongest argument without anything to link."""

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
"""Blocks: a person cannot submit it. Red: a person has to give a reason. Amber: a hint."""


def nobody_argued(option: str) -> str:
    """Form label for an option without an argument."""
    return _("No one argued for {option}", option=option)


@dataclass(frozen=True, slots=True)
class LineRemark:
    """A remark by code on a line; `what` are the words or ids concerned."""

    kind: RemarkKind
    what: tuple[str, ...] = ()

    @property
    def level(self) -> Severity:
        return LEVELS[self.kind]

    @property
    def sentence(self) -> str:
        """The remark in words."""
        named = ", ".join(self.what)
        told: Mapping[RemarkKind, str] = {
            "unlinked": _("is not linked to a claim or turn: link one"),
            "unknown_claim": _("links an unknown claim or turn: {named}", named=named),
            "not_said": _("not said by anyone: {named}", named=named),
            "not_in_links": _("said, but not in the linked turns: {named}", named=named),
            "struck": _("links a turn that was struck: {named}", named=named),
            "unverified": _("rests only on claims whose quotes are not in their source: {named}", named=named),
            "thin": _("few of its words occur in the linked turns"),
            "polarity": _("may reverse what it links: {named}", named=named),
        }
        return told[self.kind]


@dataclass(frozen=True, slots=True)
class CheckedLine:
    """A line with its remarks. `coverage` is None without links, or with too few significant words."""

    section: LineSection
    text: str
    links: tuple[str, ...] = ()
    option: str = ""
    coverage: float | None = None
    remarks: tuple[LineRemark, ...] = ()

    def has(self, level: Severity) -> bool:
        """True if it has a remark of this severity."""
        return any(r.level == level for r in self.remarks)


@dataclass(frozen=True, slots=True)
class Checked:
    """A whole synthesis, the sentences of its answer first."""

    lines: tuple[CheckedLine, ...]
    one_sided: tuple[str, ...]
    """Options without a strongest argument."""

    @property
    def answer(self) -> tuple[CheckedLine, ...]:
        return tuple(line for line in self.lines if line.section == "answer")

    @property
    def points(self) -> tuple[CheckedLine, ...]:
        """The lines after the answer."""
        return tuple(line for line in self.lines if line.section != "answer")

    @property
    def rests_on_nothing(self) -> bool:
        """True if there are lines after the answer, and all of them are blocked."""
        return bool(self.points) and all(line.has("blocks") for line in self.points)

    def blocking(self) -> tuple[str, ...]:
        """Reasons that prevent submission by a person, a sentence each."""
        reasons = []
        for line in self.lines:
            for remark in line.remarks:
                if remark.level == "blocks":
                    reasons.append(f"{quoted(_short(line.text))} {remark.sentence}")
        for option in self.one_sided:
            other = nobody_argued(option)
            reasons.append(
                _("{option} has no strongest argument: write one, or choose “{other}”", option=option, other=other)
            )
        return tuple(reasons)

    def red(self) -> tuple[CheckedLine, ...]:
        """Lines that need a reason from their author."""
        return tuple(line for line in self.lines if line.has("red"))


@dataclass(frozen=True, slots=True)
class GroundPassage:
    """A turn or claim that a line can link. `whole` is the full text of its turn."""

    id: str
    point: str
    whole: str
    struck: bool
    unverified: bool = False
    """True for a claim whose quote is altered or not in its source."""
    number: int = 0
    """Displayed number of a claim; 0 for a whole turn."""


@dataclass(frozen=True)
class Ground:
    """Everything said in some turns, by linkable id."""

    passages: Mapping[str, GroundPassage]
    names: frozenset[str]
    """Stems of the question, the options and the seats, which every line may use."""
    aliases: Mapping[str, str]
    """Other spellings of ids, in lower case: `claim 7`; `a2.3` for the third claim of the first seat in round 2."""

    @cached_property
    def said(self) -> tuple[str, ...]:
        """Text of every turn except struck ones."""
        return tuple(dict.fromkeys(p.whole for p in self.passages.values() if not p.struck))

    @cached_property
    def _ids(self) -> frozenset[str]:
        return frozenset({*self.aliases, *(i.casefold() for i in self.passages)})

    def without_references(self, text: str) -> str:
        """Remove references to the debate: ids, rounds and turns, tallies, list markers."""
        return without_references(text, self._ids, len(self.passages))

    def named(self, typed: str) -> str:
        """Resolve a typed id; unknown ones are returned as typed."""
        given = typed.strip().rstrip(".,;")
        return self.aliases.get(given.casefold(), given)


def ground_of(state: State, turns: Sequence[Turn]) -> Ground:
    """Index the text of these turns. Reviews and syntheses are left out."""
    passages: dict[str, GroundPassage] = {}
    aliases: dict[str, str] = {}
    numbers = state.claim_numbers()
    letters = {seat.id: chr(ord("a") + place) for place, seat in enumerate(state.spec.seats[:26])}
    for fact in state.facts:
        number = numbers[fact.id]
        passages[fact.id] = GroundPassage(fact.id, fact.text, fact.text, struck=False, number=number)
        aliases |= {fact.id.casefold(): fact.id, f"claim {number}": fact.id}
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
    """Check every line of a synthesis, and list options without a strongest argument."""
    answer = answer_lines(ground, given.answer)
    lines = [
        check_line(ground, CheckedLine(point.section, point.text, point.links, point.subject)) for point in given.points
    ]
    argued = {s.option for s in given.strongest if s.text.strip()}
    return Checked((*answer, *lines), tuple(o for o in options if o not in argued))


def answer_lines(ground: Ground, answer: str) -> list[CheckedLine]:
    """Check the sentences of the answer. They have no links: their facts must occur anywhere in the debate."""
    lines = []
    for sentence in split_sentences(answer):
        found = facts.missing(ground.without_references(sentence[:MAX_LINE_CHARS]), ground.said, ground.names)
        remarks = (LineRemark("not_said", found),) if found else ()
        lines.append(CheckedLine("answer", sentence[:MAX_LINE_CHARS], remarks=remarks))
    return lines


def check_line(ground: Ground, line: CheckedLine) -> CheckedLine:
    """Check one line against its links."""
    # The record has the English sentence in every language of the author.
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
    """`linked`: passages of the links that exist."""
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
    if coverage is not None and coverage < MIN_COVERAGE:
        yield LineRemark("thin")
    if turned := _turned(text, [passage.point for passage in linked]):
        yield LineRemark("polarity", (quoted(_short(turned)),))


def _facts(ground: Ground, text: str, support: Sequence[str]) -> list[LineRemark]:
    """Facts of the line that are missing in its links: said elsewhere, or by no one."""
    own_words = ground.without_references(text)
    absent = facts.missing(own_words, support, ground.names)
    nowhere = facts.missing(own_words, ground.said, ground.names) if absent else ()
    elsewhere = tuple(a for a in absent if a not in nowhere) if support else ()
    found: tuple[tuple[RemarkKind, tuple[str, ...]], ...] = (("not_said", nowhere), ("not_in_links", elsewhere))
    return [LineRemark(kind, what) for kind, what in found if what]


def covered(text: str, support: Collection[str]) -> float | None:
    """Share of the significant words of a text that occur in the support; None with too few words."""
    telling = facts.telling(text)
    if len(telling) < MIN_TELLING:
        return None
    known = facts.vocabulary(support)
    return sum(word in known for word in telling) / len(telling)


def _turned(text: str, points: Sequence[str]) -> str:
    """The most similar linked clause, if it seems to say the opposite; empty otherwise."""
    said = [clause for point in points for clause in _clauses(point)]
    for clause in _clauses(text):
        nearest = max(said, key=lambda s: dice(clause, s), default="")
        if dice(clause, nearest) >= SAME_POINT and _are_opposed(set(words(clause)), set(words(nearest))):
            return nearest
    return ""


def _clauses(text: str) -> tuple[str, ...]:
    return tuple(part for sentence in split_sentences(text) for part in _CLAUSE_END.split(sentence))


def _are_opposed(mine: set[str], other: set[str]) -> bool:
    """True if exactly one of two clauses negates, or they differ in two opposite words."""
    if any(map(negates, mine)) != any(map(negates, other)):
        return True
    only_mine, only_other = mine - other, other - mine
    return _has_opposites(only_mine, only_other) or _has_opposites(only_other, only_mine)


_CLAUSE_END = re.compile(r"[,;:]\s+")
_OPPOSITES = (
    ("more", "less"), ("more", "fewer"), ("faster", "slower"), ("fast", "slow"), ("cheaper", "dearer"),
    ("higher", "lower"), ("high", "low"), ("increases", "decreases"), ("increase", "decrease"), ("rises", "falls"),
    ("better", "worse"), ("safer", "riskier"), ("safe", "unsafe"), ("always", "never"), ("all", "none"),
    ("easier", "harder"), ("easy", "hard"), ("above", "below"), ("before", "after"), ("with", "without"),
    ("larger", "smaller"), ("most", "least"), ("gains", "loses"), ("succeeds", "fails"), ("possible", "impossible"),
    ("adopt", "reject"), ("supports", "opposes"), ("for", "against"), ("true", "false"), ("up", "down"),
)  # fmt: skip


def _has_opposites(first: Collection[str], second: Collection[str]) -> bool:
    return any(word in first and opposite in second for word, opposite in _OPPOSITES)


def _short(text: str, max_chars: int = 90) -> str:
    flat = " ".join(text.split())
    if len(flat) <= max_chars:
        return flat
    return flat[: max_chars - 1].rstrip() + "…"


# --- references to the debate itself

_NOUN = (
    r"(?:rounds?|turns?|phases?|exchanges?|claims?|points?|arguments?|options?|sides?|seats?|speakers?|debaters?|judges?"
    r"|ballots?|steps?|items?|lines?|sources?|quotes?|passages?|reasons?|criteri(?:a|on)|numbers?|no\.|#|nr\.)"
)
_NUMBER = r"\d+(?:\.\d+)?"
_LIST_MARK = re.compile(r"(?m)^[^\S\n]*(?:[-*•–]\s+)?\(?\d{1,2}[.):](?=\s|$)|(?<=\s)\(\d{1,2}\)(?=\s)")
"""`3.` and `2)` at the start of a line, `(1)` within one."""
_ID = re.compile(r"(?<![\w.])[\w-]+(?:\.[\w-]+)*")
"""`planner.2.1`, `2.critique.planner`, `c7`."""
_NUMBERED = re.compile(rf"\b(?<!\d ){_NOUN}\s?{_NUMBER}(?:\s?(?:,|/|-|–|&|and|or|to)\s?{_NUMBER})*", re.I)
"""`round 2`, `claims 2.1 and 2.3`, `turns 3-5`."""
_SHORT = re.compile(r"\b[RT]\d{1,2}\b")
"""`R2` for round 2."""
_IN_BRACKETS = re.compile(rf"[\[(]\s?{_NUMBER}(?:\s?[,;]\s?{_NUMBER})*\s?[\])]")
"""`(2.1, 2.3)`."""
_TALLY = re.compile(
    r"\b\d+ (?:out )?of (?:the |all )?\d+\b"  # 2 of 3
    # by 2 to 1
    r"|\b(?:by|voted|votes?|split|majority of|count(?:ed)?|tally|ended) \d+\s?(?:-|–|:|to|against)\s?\d+\b",
    re.I,
)
_COUNTED = re.compile(rf"\b\d+(?:st|nd|rd|th)? (?:of (?:the|its|their) )?(?:\w+ )?(?:votes?|{_NOUN})(?!\w)", re.I)
"""`3 claims`, `2 of the turns`."""
_OTHER_ID = (
    r"(?<!\w)(?!(?:[QHV]\d|S3)\b)(?:[A-Za-z][-_.])?(?:\#|(?:claim|arg|argument|point|turn|round|debater|seat|side|speaker|judge|statement|id|[A-Za-z])"
    r"[-_.]?)\d{1,2}[a-d]?(?:[-_./]?[A-Za-z]{0,2}[-_.]?\d{1,2}){0,3}(?![\w%])"
)
"""An id as models make it up: `A2`, `C-3`, `claim_4`, `D1C2`, `#7`, `A-R1-C2`.

Excludes quarters and halves of a year (`Q3`, `H2`), versions (`V2`) and the object store `S3`."""
_JOINED = rf"{_OTHER_ID}(?:\s?(?:,|;|/|&|and|or|to)\s?(?:and )?{_OTHER_ID})*"
_OTHER_IDS = re.compile(
    # `(A2)`, `[B1; A3]`, `(see A2)`
    rf"[\[(<](?:see |cf\.? |per |from |id |ids )?{_JOINED}[\])>]"
    # `claims A2 and B3`
    rf"|\b{_NOUN}\s{_JOINED}"
    # `A2: `, `As A2 has it`, `Both A2 and B3 say`, `C3 holds`
    rf"|(?:^|(?<=[.!?:;]\s))(?P<lead>(?:as|both|per|see|cf\.|against|unlike|while|since|with) )?{_JOINED}"
    r"(?=\s?:|,|['’]s\b| (?:has|have|hold|stand|say|show|answer|argue|claim|add|repl|concede|counter|rebut|note|make"
    r"|state|point|reject|support|rest|fail|goes|go|is right|is wrong)\w*)"
    # `answers A2`
    rf"|(?:(?<=\banswers )|(?<=\bconcedes )|(?<=\brebuts )|(?<=\bcounters )){_JOINED}",
    re.I | re.M,
)
FEW_IDS = 9
"""Made-up ids restart for each speaker or round, so `A4` may occur after three turns."""
_BEHIND = re.compile(r"\s?(\w+|%)")


def without_references(text: str, ids: Collection[str], most: int) -> str:
    """Remove references to the debate from a text, because their numbers are no facts about the subject.

    `ids`: existing ids and other spellings of them, in lower case. `most`: number of turns and claims; larger numbers
    refer to nothing and stay.
    """
    # Ids with a single letter are written by people; from a model they may be anything.
    forms = set(map(_form, filter(_is_long_id, ids)))

    def blank_foreign(match: re.Match[str]) -> str:
        if not _is_foreign(match.group(), forms, most):
            return match.group()
        return f"{match['lead'] or ''} "

    def blank_id(match: re.Match[str]) -> str:
        return " " if match.group().casefold() in ids else match.group()

    def blank_place(match: re.Match[str]) -> str:
        return " " if _is_place(match, ids, most) else match.group()

    kept = _OTHER_IDS.sub(blank_foreign, _LIST_MARK.sub(" ", text))
    kept = _ID.sub(blank_id, kept)
    for pattern in (_NUMBERED, _SHORT, _IN_BRACKETS, _TALLY, _COUNTED):
        kept = pattern.sub(blank_place, kept)
    return kept


def _is_long_id(id_: str) -> bool:
    return id_[1:2].isalpha()


def _is_foreign(reference: str, forms: Collection[str], most: int) -> bool:
    """True for ids in a foreign form with small numbers; an id in our own form exists or is invented, so it stays."""
    are_small = all(int(number) <= max(most, FEW_IDS) for number in re.findall(r"\d+", reference))
    is_ours = any(_form(id_) in forms for id_ in re.findall(_OTHER_ID, reference))
    return are_small and not is_ours


def _is_place(match: re.Match[str], ids: Collection[str], most: int) -> bool:
    """True if every number of the match is a place in the debate, and no unit follows."""
    behind = _BEHIND.match(match.string, match.end())
    if behind and facts.is_unit(behind.group(1)):
        return False
    return all(_exists(number, ids, most) for number in re.findall(_NUMBER, match.group()))


def _form(id_: str) -> str:
    """`planner.2.1` and `critic.3.4` have one form, `A2` and `B3` another one."""
    return re.sub(r"\d+", "0", re.sub(r"[a-z]+", "x", id_.casefold()))


def _exists(number: str, ids: Collection[str], most: int) -> bool:
    if "." in number:
        return any(id_.endswith(f".{number}") for id_ in ids)
    # Python's int() refuses more than 4,300 digits, and no place in a debate has ten.
    return len(number) < 10 and int(number) <= most
