"""The synthesis as typed rows: its versions, its lines with what code says of them, what the room flagged.

The version that was given stays; the latest that a person wrote stands beside it. Neither changes a count. Knows no
file format.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Literal

from debate_core.engine.similarity import split_sentences
from debate_core.engine.stage import name_of
from debate_core.language import Words, _, _n
from debate_core.record.acts import Flagged, FlagResolved, OwnWords, Signed, SynthesisRevised
from debate_core.record.people import Done
from debate_core.record.state import State, Turn
from debate_core.report.facts.repetition import DebateFinding
from debate_core.report.facts.synthesis_checks import Checked, CheckedLine, check, ground_of
from debate_core.report.facts.turns import readable_turns
from debate_core.spec.contents import Linked, Synthesis
from debate_core.spec.values import Occupant

DiffMark = Literal["kept", "out", "in"]


@dataclass(frozen=True, slots=True)
class SynthesisVersion:
    """A synthesis as somebody gave it. `drafted` is empty for a person, else what sat in the seat."""

    content: Synthesis
    by: str
    """Name of the person, or the seat."""
    at: str
    turn: Turn
    """In which the first version was given."""
    drafted: Occupant | Literal[""] = ""
    own_words: tuple[OwnWords, ...] = ()
    reason: str = ""

    @property
    def words(self) -> str:
        """Who wrote it, in words."""
        kinds = Words({"model": "a model", "offline": "code, no judgement", "scripted": "a script"})
        if self.drafted not in kinds:
            return self.by
        return f"{self.by} ({kinds[self.drafted]})"


@dataclass(frozen=True, slots=True)
class SynthesisRow:
    """One line of the synthesis that stands, what it links, and what code and the room say of it."""

    line_id: str
    section: str
    text: str
    links: tuple[str, ...]
    coverage: float | None
    """Share of its telling words that stand in what it links; None = nothing linked, or too few of them."""
    flags: tuple[str, ...]
    accepted_by: tuple[str, ...]
    """Who wrote it, if a person did, and who signed an acceptance of the decision."""


@dataclass(frozen=True, slots=True)
class FlagRow:
    """What somebody said of a line. `resolved` is empty while it is open; a flag stays with the words it was put on."""

    flag: int
    line: str
    by: str
    at: str
    reason: str
    resolved: str
    resolved_by: str


def last_synthesis(state: State) -> tuple[Turn, Synthesis] | None:
    """The last synthesis that was given as a turn, and that turn."""
    for turn in reversed(readable_turns(state)):
        if isinstance(turn.content, Synthesis):
            return turn, turn.content
    return None


def versions(state: State) -> tuple[SynthesisVersion, ...]:
    """The one that was given, then what people made of it, in order; the last one stands."""
    found = last_synthesis(state)
    if found is None:
        return ()
    turn, given = found
    occupant = state.spec.seat(turn.seat).occupant
    person = occupant == "human" or turn.by != turn.seat
    first = SynthesisVersion(given, name_of(state, turn.by), turn.at, turn, "" if person else occupant)
    revised = (d for d in state.room.of(SynthesisRevised) if d.at >= turn.at)
    return (first, *(_revised(state, d, turn) for d in revised))


def _revised(state: State, done: Done[SynthesisRevised], turn: Turn) -> SynthesisVersion:
    fact = done.fact
    return SynthesisVersion(fact.content, name_of(state, done.by), done.at, turn, "", fact.own_words, fact.reason)


def standing(state: State) -> SynthesisVersion | None:
    """The version that stands."""
    return next(reversed(versions(state)), None)


def version_sentence(drafts: Sequence[SynthesisVersion]) -> str:
    """`Version 2 of 2, by Syd; first given by synthesiser (a model).`; empty without a synthesis."""
    if not drafts:
        return ""
    first = drafts[0].words
    if len(drafts) == 1:
        return _("Given by {by}.", by=first)
    return _(
        "Version {count} of {count}, by {last}; first given by {first}. All are kept.",
        count=len(drafts),
        last=drafts[-1].words,
        first=first,
    )


def checked(state: State, version: SynthesisVersion) -> Checked:
    """What code says of a version. An answer by code counts claims, so nobody can have said its numbers."""
    found = check(ground_of(state, readable_turns(state)), version.content, state.spec.options)
    if version.drafted != "offline":
        return found
    return Checked(found.points, found.one_sided)


def flag_rows(state: State) -> tuple[FlagRow, ...]:
    """Every flag that somebody put on a line, in order."""
    settled = {d.fact.flag: d for d in state.room.of(FlagResolved)}
    rows = []
    for done in state.room.of(Flagged):
        row = FlagRow(done.seq, done.fact.line, name_of(state, done.by), done.at, done.fact.reason, "", "")
        end = settled.get(done.seq)
        if end is not None:
            row = replace(row, resolved=end.fact.reason, resolved_by=name_of(state, end.by))
        rows.append(row)
    return tuple(rows)


def synthesis_rows(state: State) -> tuple[SynthesisRow, ...]:
    """Lines of the version that stands: the answer, the option, strongest, established and contested; then open flags
    on words that stand there no more."""
    version = standing(state)
    if version is None:
        return ()
    return tuple(_rows(state, version))


def _rows(state: State, version: SynthesisVersion) -> Iterator[SynthesisRow]:
    given = version.content
    accepted = _accepted_by(state, version)
    lines = checked(state, version)
    flags = _flags_of_answer(state, version, lines)
    yield SynthesisRow("answer.1", "answer", given.answer, (), None, flags, accepted)
    if given.option is not None:
        yield SynthesisRow("option.1", "option", given.option, (), None, (), accepted)
    numbers: Counter[str] = Counter()
    for line in lines.points:
        numbers[line.section] += 1
        text = f"{line.option}: {line.text}" if line.option else line.text
        coverage = None if line.coverage is None else round(line.coverage, 2)
        line_id = f"{line.section}.{numbers[line.section]}"
        yield SynthesisRow(line_id, line.section, text, line.links, coverage, _flags(state, version, line), accepted)
    texts = {line.text for line in lines.lines} | {given.answer}
    for flag in flag_rows(state):
        if not flag.resolved and flag.line not in texts:
            yield SynthesisRow(f"flag.{flag.flag}", "flag", flag.line, (), None, ("flagged",), ())


def _flags_of_answer(state: State, version: SynthesisVersion, lines: Checked) -> tuple[str, ...]:
    """Those of its sentences, then those of the answer as a whole, each once."""
    flags = list[str]()
    for line in (*lines.answer, CheckedLine("answer", version.content.answer)):
        flags += _flags(state, version, line)
    return tuple(dict.fromkeys(flags))


def _flags(state: State, version: SynthesisVersion, line: CheckedLine) -> tuple[str, ...]:
    """What code found, whether the synthesiser answers for it, and what the room says."""
    found: list[str] = [remark.kind for remark in line.remarks]
    if any(own.line == line.text for own in version.own_words):
        found.append("own_words")
    raised = [flag for flag in flag_rows(state) if flag.line == line.text]
    if raised:
        is_settled = all(flag.resolved for flag in raised)
        found.append("flag_settled" if is_settled else "flagged")
    return tuple(found)


def _accepted_by(state: State, version: SynthesisVersion) -> tuple[str, ...]:
    # A signature is no word on a version that came after it.
    written = max((done.seq for done in state.room.of(SynthesisRevised)), default=0)
    signed = [done for done in state.room.of(Signed)[-1:] if done.seq > written]
    by = [] if version.drafted else [version.by]
    by += [name_of(state, done.by) for done in signed if done.fact.verdict in ("accept", "accept_with_changes")]
    return tuple(dict.fromkeys(by))


def synthesis_findings(state: State) -> tuple[DebateFinding, ...]:
    """What a reader of the synthesis should know before trusting it."""
    version = standing(state)
    if version is None:
        return ()
    lines = checked(state, version)
    findings = []
    # Whoever compares makes no claims that a line could rest on.
    if not state.spec.protocol.paired and lines.rests_on_nothing:
        unlinked = _("None of the lines of the synthesis rests on something that was said.")
        findings.append(DebateFinding("synthesis_unlinked", unlinked, (version.turn.request,)))
    not_said = _not_said(version, lines)
    if not_said:
        findings.append(DebateFinding("synthesis_not_said", not_said, (version.turn.request,)))
    return tuple(findings)


def _not_said(version: SynthesisVersion, lines: Checked) -> str:
    """What lines name that nobody said, in a sentence; whoever calls a line their own words answers for it."""
    own_words = {own.line for own in version.own_words}
    n_lines = 0
    names: dict[str, None] = {}
    for line in lines.lines:
        for remark in line.remarks:
            if remark.kind == "not_said" and line.text not in own_words:
                n_lines += 1
                names |= dict.fromkeys(remark.what)
    if not n_lines:
        return ""
    return _n(
        n_lines,
        "{n} line of the synthesis names what nobody said: {what}.",
        "{n} lines of the synthesis name what nobody said: {what}.",
        what=", ".join(names),
    )


@dataclass(frozen=True, slots=True)
class Kept:
    """How many lines of a draft a person left as they were."""

    kept: int
    of: int


def draft_kept(state: State) -> Kept | None:
    """How much of the first version stands, where no person wrote it and a person revised it."""
    held = versions(state)
    if len(held) < 2 or not held[0].drafted:
        return None
    draft = Counter(_keys(held[0].content))
    now = Counter(_keys(held[-1].content))
    return Kept((draft & now).total(), draft.total())


def _keys(given: Synthesis) -> Iterator[tuple[str, str]]:
    for section, texts in sections(given).items():
        yield from ((section, text) for text in texts)


def sections(given: Synthesis) -> dict[str, tuple[str, ...]]:
    """The lines of each part: sentences of the answer, the option, how sure, then line by line."""
    confidence = () if given.confidence is None else (f"{given.confidence} %",)
    strongest = tuple(f"{best.option}: {best.text.strip()}" for best in given.strongest)
    return {
        "answer": split_sentences(given.answer),
        "option": (given.option or "none",),
        "confidence": confidence,
        "strongest": strongest,
        "established": _stripped(given.established),
        "contested": _stripped(given.contested),
    }


def _stripped(lines: Sequence[Linked]) -> tuple[str, ...]:
    return tuple(line.text.strip() for line in lines)


def lines_said(given: Synthesis) -> tuple[str, ...]:
    """Everything that somebody can flag: sentences of the answer, and every line."""
    return tuple(dict.fromkeys((*split_sentences(given.answer), *(line.text for line in given.points))))


def differences(before: Synthesis, now: Synthesis) -> dict[str, tuple[tuple[DiffMark, str], ...]]:
    """Section by section what was kept, taken out and put in."""
    old, new = sections(before), sections(now)
    return {name: tuple(_compared(old[name], new[name])) for name in old}


def _compared(old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[tuple[DiffMark, str]]:
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from (("kept", text) for text in old[a:b])
        else:
            yield from (("out", text) for text in old[a:b])
            yield from (("in", text) for text in new[c:d])
