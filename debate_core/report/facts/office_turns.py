"""What moderators, framers, evaluators and judges said, as typed rows: steering and narrative, never the count.

Knows no file format.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from debate_core.engine import voting
from debate_core.record.state import State, Turn
from debate_core.report.facts.turns import told_turns
from debate_core.spec.contents import Directive, Evaluation, Framing, Linked, Positions, Verdict
from debate_core.spec.values import in_words


@dataclass(frozen=True, slots=True)
class DirectiveRow:
    """How somebody opened a round (seed 001, R088, R098)."""

    round: int
    next_speakers: tuple[str, ...]
    briefing: str
    new_angle: str
    done: bool
    by: str
    reason: str
    replaced: bool
    """A later directive of the same round stands instead."""


def directive_turns(state: State) -> tuple[tuple[Turn, Directive], ...]:
    """Every directive with its turn, in order."""
    return tuple((t, t.content) for t in told_turns(state) if isinstance(t.content, Directive))


def directive_rows(state: State) -> tuple[DirectiveRow, ...]:
    """One row per directive; the last one of a round is the one that counts."""
    given = directive_turns(state)
    last = {turn.round: turn.request for turn, _ in given}
    return tuple(
        DirectiveRow(
            round=turn.round,
            next_speakers=content.next_speakers,
            briefing=content.briefing,
            new_angle=content.new_angle,
            done=content.done,
            by=turn.by,
            reason=content.reason,
            replaced=last[turn.round] != turn.request,
        )
        for turn, content in given
    )


def selected_by(state: State) -> str:
    """Who chose the speakers: `schedule`, `moderator (model)`, `moderator (human)`; several are joined by "and".

    Only a directive that stood when a phase began which it directs has chosen somebody (R061).
    """
    standing = {turn.round: turn for turn, _ in directive_turns(state)}
    steered = [number for number, phase in state.ran if state.phase(phase).directed and number in standing]
    return " and ".join(dict.fromkeys(_chooser(state, standing[number]) for number in steered)) or "schedule"


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


def evaluation_rows(state: State) -> tuple[EvaluationRow, ...]:
    """Every line of all framings, positions, evaluations and verdicts, in order; empty fields are left out."""
    rows = []
    for turn in told_turns(state):
        numbers: dict[str, int] = {}
        for line in _lines(turn):
            numbers[line.section] = numbers.get(line.section, 0) + 1
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
        flags=("unknown_claim",) if any(i not in state.claims for i in line.links) else (),
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


def details(state: State) -> dict[str, list[str]]:
    """Turn id -> what a directive, framing, evaluation, verdict or assigner says beside its prose, a line each."""
    told: dict[str, list[str]] = {}
    for turn, given in directive_turns(state):
        parts = {
            "speakers": ", ".join(given.next_speakers),
            "briefing": given.briefing,
            "new angle": given.new_angle,
            "done": "this is the last round" if given.done else "",
            "redo": "sent back to the moderator" if given.redo else "",
        }
        told[turn.request] = [f"{name}: {text}" for name, text in parts.items() if text]
    for turn in told_turns(state):
        lines = [_detail(state, line) for line in _lines(turn) if line.section not in _PROSE]
        told.setdefault(turn.request, []).extend(lines)
    return told


def _detail(state: State, line: _Line) -> str:
    unknown = " (unknown_claim)" if any(i not in state.claims for i in line.links) else ""
    links = f" [{', '.join(line.links)}]{unknown}" if line.links else ""
    subject = f" of {line.subject}" if line.subject else ""
    return f"{in_words(line.section)}{subject}: {line.text}{links}"


def last_verdict(state: State) -> tuple[Verdict, str | None] | None:
    """The last verdict, and the option that it stands for: in both orders, where it was asked in both."""
    given = ((t, t.content) for t in reversed(told_turns(state)))
    return next(((c, voting.named_in(state, t)) for t, c in given if isinstance(c, Verdict)), None)
