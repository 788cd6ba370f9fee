"""What moderators, framers, evaluators and judges said, as typed rows: steering and narrative, never the count.

Knows no file format.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from debate_core.engine import voting
from debate_core.record.state import State, Turn
from debate_core.report.facts.turns import readable_turns
from debate_core.spec.contents import Content, Directive, Evaluation, Framing, Linked, Positions, Verdict
from debate_core.spec.values import in_words

C = TypeVar("C", bound=Content)


@dataclass(frozen=True, slots=True)
class DirectiveRow:
    """How somebody opened a round."""

    round: int
    next_speakers: tuple[str, ...]
    briefing: str
    new_angle: str
    done: bool
    by: str
    reason: str
    replaced: bool
    """A later directive of the same round stands instead."""


def directive_turns(state: State, holds: Collection[str] = ()) -> tuple[tuple[Turn, Directive], ...]:
    """Every directive with its turn, in order."""
    return turns_giving(state, Directive, holds)


def turns_giving(state: State, kind: type[C], holds: Collection[str] = ()) -> tuple[tuple[Turn, C], ...]:
    """Every turn that gave this kind of content, in order."""
    turns = readable_turns(state, holds)
    return tuple((turn, turn.content) for turn in turns if isinstance(turn.content, kind))


def directive_rows(state: State, holds: Collection[str] = ()) -> tuple[DirectiveRow, ...]:
    """One row per directive; the last one of a round is the one that counts."""
    directives = directive_turns(state, holds)
    last = {turn.round: turn.request for turn, _ in directives}
    return tuple(
        DirectiveRow(
            round=turn.round,
            next_speakers=directive.next_speakers,
            briefing=directive.briefing,
            new_angle=directive.new_angle,
            done=directive.done,
            by=turn.by,
            reason=directive.reason,
            replaced=last[turn.round] != turn.request,
        )
        for turn, directive in directives
    )


def selected_by(state: State, holds: Collection[str] = ()) -> str:
    """Who chose the speakers: `schedule`, `moderator (model)`, `moderator (human)`; several are joined by "and".

    Only a directive that stood when a phase began which it directs has chosen somebody.
    """
    last = {turn.round: turn for turn, _ in directive_turns(state, holds)}
    steered = [number for number, phase in state.ran if state.phase(phase).directed and number in last]
    choosers = dict.fromkeys(_chooser(state, last[number]) for number in steered)
    return " and ".join(choosers) or "schedule"


def _chooser(state: State, turn: Turn) -> str:
    seat = state.spec.seat(turn.seat)
    return f"moderator ({'human' if turn.by != turn.seat else seat.occupant})"


@dataclass(frozen=True, slots=True)
class EvaluationRow:
    """One line of a framing, an evaluation or a verdict. `subject` is the seat that a quality is of."""

    line_id: str
    round: int
    phase: str
    seat: str
    by: str
    kind: str
    section: str
    subject: str
    text: str
    links: tuple[str, ...]
    flags: tuple[str, ...]
    """`unknown_claim`: it links a claim that was never made."""


@dataclass(frozen=True, slots=True)
class _Line:
    section: str
    text: str
    subject: str = ""
    links: tuple[str, ...] = ()


def evaluation_rows(state: State, holds: Collection[str] = ()) -> tuple[EvaluationRow, ...]:
    """Every line of all framings, positions, evaluations and verdicts, in order; empty fields are left out."""
    rows = []
    for turn in readable_turns(state, holds):
        numbers = Counter[str]()
        for line in _lines(turn):
            numbers[line.section] += 1
            rows.append(_row(state, turn, line, numbers[line.section]))
    return tuple(rows)


def _row(state: State, turn: Turn, line: _Line, number: int) -> EvaluationRow:
    assert turn.content is not None
    return EvaluationRow(
        line_id=f"{turn.request}.{line.section}.{number}",
        round=turn.round,
        phase=turn.phase,
        seat=turn.seat,
        by=turn.by,
        kind=turn.content.kind,
        section=line.section,
        subject=line.subject,
        text=line.text,
        links=line.links,
        flags=("unknown_claim",) if _links_unknown(state, line) else (),
    )


def _lines(turn: Turn) -> tuple[_Line, ...]:
    match turn.content:
        case Framing() as given:
            scope = [given.scope] if given.scope else []
            return (
                _Line("thesis", given.thesis),
                *_plain("scope", scope),
                *_plain("criterion", given.criteria),
                *_plain("key_source", given.key_sources),
            )
        case Positions() as given:
            sides = (_Line("position", f"{p.claim} Because: {p.because}", p.name) for p in given.positions)
            return (_Line("reason", given.reason), *sides)
        case Evaluation() as given:
            return _evaluation(given)
        case Verdict() as given:
            said = [("verdict", given.verdict), ("option", given.option), ("reasoning", given.reasoning)]
            sure = [] if given.confidence is None else [str(given.confidence)]
            return (*(_Line(name, text) for name, text in said if text), *_plain("confidence", sure))
        case _:
            return ()


def _evaluation(given: Evaluation) -> tuple[_Line, ...]:
    return (
        _Line("synthesis", given.synthesis),
        *(_Line("quality", str(q.score), q.seat) for q in given.quality),
        *_linked("resolved", given.resolved),
        *_linked("unresolved", given.unresolved),
        _Line("another_round", "yes" if given.recommend_another_round else "no"),
        _Line("confidence_level", given.confidence_level or "unknown"),
        *_plain("uncertainty", given.uncertainties),
    )


def _plain(section: str, texts: Iterable[str]) -> tuple[_Line, ...]:
    return tuple(_Line(section, text) for text in texts)


def _linked(section: str, lines: Iterable[Linked]) -> tuple[_Line, ...]:
    return tuple(_Line(section, line.text, links=line.links) for line in lines)


_PROSE = ("thesis", "reason", "synthesis", "reasoning")
"""Sections that are the text of their turn."""


def notes(state: State, holds: Collection[str] = ()) -> Mapping[str, tuple[str, ...]]:
    """Turn id -> what a directive, framing, evaluation, verdict or assigner says beside its prose, a line each."""
    return {turn.request: tuple(_notes(state, turn)) for turn in readable_turns(state, holds)}


def _notes(state: State, turn: Turn) -> Iterator[str]:
    if isinstance(turn.content, Directive):
        yield from _directive_notes(turn.content)
    for line in _lines(turn):
        if line.section not in _PROSE:
            yield _note(state, line)


def _directive_notes(directive: Directive) -> Iterator[str]:
    if directive.next_speakers:
        yield f"speakers: {', '.join(directive.next_speakers)}"
    if directive.briefing:
        yield f"briefing: {directive.briefing}"
    if directive.new_angle:
        yield f"new angle: {directive.new_angle}"
    if directive.done:
        yield "done: this is the last round"
    if directive.redo:
        yield "redo: sent back to the moderator"


def _note(state: State, line: _Line) -> str:
    subject = f" of {line.subject}" if line.subject else ""
    links = f" [{', '.join(line.links)}]" if line.links else ""
    unknown = " (unknown_claim)" if _links_unknown(state, line) else ""
    return f"{in_words(line.section)}{subject}: {line.text}{links}{unknown}"


def _links_unknown(state: State, line: _Line) -> bool:
    return any(link not in state.claims for link in line.links)


def last_verdict(state: State, holds: Collection[str] = ()) -> tuple[Verdict, str | None] | None:
    """The last verdict, and the option that it stands for: in both orders, where it was asked in both."""
    verdicts = turns_giving(state, Verdict, holds)
    if not verdicts:
        return None
    turn, verdict = verdicts[-1]
    return verdict, voting.named_in(state, turn)
