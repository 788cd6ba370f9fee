"""The synthesis as typed rows: versions, lines with remarks by code, and flags by the room.

The given version is kept beside the latest revision by a person. No version changes a count. Knows no file format.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Literal

from debate_core.engine.similarity import split_sentences
from debate_core.engine.stage import name_of
from debate_core.engine.validate_content import mismatch_of
from debate_core.language import Words, _, _n, said
from debate_core.record.acts import Flagged, FlagResolved, OwnWords, Signed, SynthesisRevised
from debate_core.record.state import State, Turn
from debate_core.report.facts.repetition import DebateFinding
from debate_core.report.facts.synthesis_checks import Checked, CheckedLine, check, ground_of
from debate_core.report.facts.turns import readable_turns
from debate_core.sentence import Sentence
from debate_core.spec.contents import Linked, Synthesis
from debate_core.spec.output_schema import indented
from debate_core.spec.values import Occupant
from debate_core.text import whole_sentence

DiffMark = Literal["kept", "out", "in"]


@dataclass(frozen=True, slots=True)
class SynthesisVersion:
    """One version of a synthesis. `drafted` is the occupant of the seat, or empty for a person."""

    content: Synthesis
    by: str
    """Name of the person, or the seat."""
    at: str
    turn: Turn
    """The turn that gave the first version."""
    drafted: Occupant | Literal[""] = ""
    own_words: tuple[OwnWords, ...] = ()
    reason: str = ""

    @property
    def words(self) -> str:
        """Author in words."""
        kinds = Words({"model": "a model", "offline": "code, no judgement", "scripted": "a script"})
        if self.drafted not in kinds:
            return self.by
        return f"{self.by} ({kinds[self.drafted]})"


@dataclass(frozen=True, slots=True)
class SynthesisRow:
    """One line of the current synthesis, its links, and remarks by code and the room."""

    line_id: str
    section: str
    text: str
    links: tuple[str, ...]
    coverage: float | None
    """Share of its significant words that occur in the linked turns; None without links, or with too few words."""
    flags: tuple[str, ...]
    accepted_by: tuple[str, ...]
    """The person who wrote it, and the person who signed an acceptance of the decision."""


@dataclass(frozen=True, slots=True)
class FlagRow:
    """A flag on a line. `resolved` is empty while it is open; a flag belongs to the text it was put on."""

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
    """The given version, then revisions by people, in order; the last one is current."""
    last = last_synthesis(state)
    if last is None:
        return ()
    turn, given = last
    drafted = "" if state.is_by_person(turn) else state.spec.seat(turn.seat).occupant
    found = [SynthesisVersion(given, name_of(state, turn.by), turn.at, turn, drafted)]
    for done in state.room.of(SynthesisRevised):
        if done.at >= turn.at:
            fact, by = done.fact, name_of(state, done.by)
            found.append(SynthesisVersion(fact.content, by, done.at, turn, "", fact.own_words, fact.reason))
    return tuple(found)


def standing(state: State) -> SynthesisVersion | None:
    """The current version."""
    return next(reversed(versions(state)), None)


def deliverable_fault(state: State) -> Sentence | None:
    """The point in which the current deliverable does not match the output schema; None = it matches, or none is
    asked for so far."""
    version = standing(state)
    return mismatch_of(state.spec, version.content) if version else None


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
    """Remarks by code on a version. An answer by code counts claims, so its numbers are not checked."""
    found = check(ground_of(state, readable_turns(state)), version.content, state.spec.options)
    if version.drafted != "offline":
        return found
    return Checked(found.points, found.one_sided)


def flag_rows(state: State) -> tuple[FlagRow, ...]:
    """Flags on lines, in order."""
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
    """Lines of the current version: answer, option, strongest, established, contested; then open flags on old text."""
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
    """Flags of its sentences, then those of the answer as a whole, each once."""
    flags = list[str]()
    for line in (*lines.answer, CheckedLine("answer", version.content.answer)):
        flags += _flags(state, version, line)
    return tuple(dict.fromkeys(flags))


def _flags(state: State, version: SynthesisVersion, line: CheckedLine) -> tuple[str, ...]:
    """Remarks by code, own words of the synthesiser, and flags by the room."""
    found: list[str] = [remark.kind for remark in line.remarks]
    if any(own.line == line.text for own in version.own_words):
        found.append("own_words")
    raised = [flag for flag in flag_rows(state) if flag.line == line.text]
    if raised:
        is_settled = all(flag.resolved for flag in raised)
        found.append("flag_settled" if is_settled else "flagged")
    return tuple(found)


def _accepted_by(state: State, version: SynthesisVersion) -> tuple[str, ...]:
    # A signature does not accept a later version.
    written = max((done.seq for done in state.room.of(SynthesisRevised)), default=0)
    signed = [done for done in state.room.of(Signed)[-1:] if done.seq > written]
    by = [] if version.drafted else [version.by]
    by += [name_of(state, done.by) for done in signed if done.fact.verdict in ("accept", "accept_with_changes")]
    return tuple(dict.fromkeys(by))


def synthesis_findings(state: State) -> tuple[DebateFinding, ...]:
    version = standing(state)
    if version is None:
        return ()
    lines = checked(state, version)
    findings = []
    # Turns that compare options contain no claims to link.
    if not state.spec.protocol.paired and lines.rests_on_nothing:
        unlinked = _("No line of the synthesis is linked to a claim or turn.")
        findings.append(DebateFinding("synthesis_unlinked", unlinked, (version.turn.request,)))
    if why := deliverable_fault(state):
        findings.append(DebateFinding("deliverable_mismatch", whole_sentence(said(why)), (version.turn.request,)))
    not_said = _not_said(version, lines)
    if not_said:
        findings.append(DebateFinding("synthesis_not_said", not_said, (version.turn.request,)))
    return tuple(findings)


def _not_said(version: SynthesisVersion, lines: Checked) -> str:
    """Sentence on facts that no one stated, except in lines marked as the author's own words."""
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
        "{n} line of the synthesis contains facts that no one stated: {what}.",
        "{n} lines of the synthesis contain facts that no one stated: {what}.",
        what=", ".join(names),
    )


@dataclass(frozen=True, slots=True)
class Kept:
    """Lines of a draft that a person left unchanged."""

    kept: int
    of: int


def draft_kept(state: State) -> Kept | None:
    """Unchanged lines of the first version, if it was drafted and then revised by a person."""
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
    """Lines of each section: sentences of the answer, the option, the confidence, then line by line."""
    confidence = () if given.confidence is None else (f"{given.confidence} %",)
    strongest = tuple(f"{best.option}: {best.text.strip()}" for best in given.strongest)
    deliverable = {} if given.deliverable is None else {"deliverable": tuple(indented(given.deliverable).splitlines())}
    return {
        "answer": split_sentences(given.answer),
        "option": (given.option or "none",),
        "confidence": confidence,
        "strongest": strongest,
        "established": _stripped(given.established),
        "contested": _stripped(given.contested),
        **deliverable,
    }


def _stripped(lines: Sequence[Linked]) -> tuple[str, ...]:
    return tuple(line.text.strip() for line in lines)


def lines_said(given: Synthesis) -> tuple[str, ...]:
    """Everything that can be flagged: sentences of the answer, and every line."""
    return tuple(dict.fromkeys((*split_sentences(given.answer), *(line.text for line in given.points))))


def differences(before: Synthesis, now: Synthesis) -> dict[str, tuple[tuple[DiffMark, str], ...]]:
    """Kept, removed and added lines, by section."""
    old, new = sections(before), sections(now)
    names = dict.fromkeys((*old, *new))
    return {name: tuple(_compared(old.get(name, ()), new.get(name, ()))) for name in names}


def _compared(old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[tuple[DiffMark, str]]:
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from (("kept", text) for text in old[a:b])
        else:
            yield from (("out", text) for text in old[a:b])
            yield from (("in", text) for text in new[c:d])
