"""What people did to a debate, and the lines of its synthesis, as typed rows.

An act of a person (skip, pause, stop, mark) is read from the events, with its reason. Knows no file format.
Called by reports, exports and screens.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from debate_core.events import DebateOpened, Event, Marked, Paused, Resumed, Stopped, TurnSkipped, TurnTaken
from debate_core.evidence import grounding
from debate_core.model import Mark, Review, Synthesis
from debate_core.protocol import Spec
from debate_core.report.rows import told_turns
from debate_core.state import State, Turn


@dataclass(frozen=True, slots=True)
class OverrideRow:
    """One act of a person on the course of the debate: skip, pause, resume, stop or mark."""

    event_id: int
    at: str
    actor: str
    role: str
    action: str
    target: str
    before: str
    after: str
    reason: str


@dataclass(frozen=True, slots=True)
class SynthesisRow:
    """One line of the synthesis and the claims it names; `flags`: unlinked, unknown_claim."""

    line_id: str
    section: str
    text: str
    links: tuple[str, ...]
    flags: tuple[str, ...]
    accepted_by: str


def override_rows(events: Iterable[Event]) -> tuple[OverrideRow, ...]:
    """Every act of a person on the course of the debate, with its reason, in order."""
    rows: list[OverrideRow] = []
    marks: dict[str, str] = {}
    spec: Spec | None = None
    for event in events:
        body = event.body
        match body:
            case DebateOpened():
                spec = body.spec
            case TurnSkipped() if _is_person(spec, event.actor):
                target = body.request.rsplit(".", 1)[0]
                rows.append(_act(spec, event, "skip", target, "asked", "skipped", body.reason))
            case Paused():
                rows.append(_act(spec, event, "pause", "debate", "running", "paused", body.reason))
            case Resumed():
                rows.append(_act(spec, event, "resume", "debate", "paused", "running", body.reason))
            case Stopped():
                rows.append(_act(spec, event, "stop", "debate", "running", "stopped", body.reason))
            case Marked():
                rows += _mark_acts(spec, event, (body.mark,), marks, body.reason)
            case TurnTaken() if isinstance(body.content, Review):
                rows += _mark_acts(spec, event, body.content.marks, marks, "")
            case _:
                pass
    return tuple(rows)


def _is_person(spec: Spec | None, actor: str) -> bool:
    seat = next((s for s in spec.seats if s.id == actor), None) if spec else None
    return seat is None or seat.occupant == "human"


def _act(
    spec: Spec | None, event: Event, action: str, target: str, before: str, after: str, reason: str
) -> OverrideRow:
    role = next((s.role for s in spec.seats if s.id == event.actor), "") if spec else ""
    return OverrideRow(event.seq, event.at, event.actor, role, action, target, before, after, reason)


def _mark_acts(
    spec: Spec | None, event: Event, given: Sequence[Mark], marks: dict[str, str], reason: str
) -> list[OverrideRow]:
    rows = []
    for mark in given:
        rows.append(_act(spec, event, "mark", mark.claim_id, marks.get(mark.claim_id, ""), mark.words(), reason))
        marks[mark.claim_id] = mark.words()
    return rows


def last_synthesis(state: State) -> tuple[Turn, Synthesis] | None:
    """The synthesis that stands and the turn it was given in."""
    for turn in reversed(told_turns(state)):
        if isinstance(turn.content, Synthesis):
            return turn, turn.content
    return None


def synthesis_rows(state: State) -> tuple[SynthesisRow, ...]:
    """Lines of the synthesis that stands: the answer, the option, then strongest, established and contested."""
    found = last_synthesis(state)
    if found is None:
        return ()
    turn, given = found
    person = turn.by if state.spec.seat(turn.seat).occupant == "human" else ""
    rows = [SynthesisRow("answer.1", "answer", given.answer, (), (), person)]
    if given.option is not None:
        rows.append(SynthesisRow("option.1", "option", given.option, (), (), person))
    numbers: Counter[str] = Counter()
    for line in grounding(given, state.claims):
        numbers[line.section] += 1
        text = f"{line.option}: {line.text}" if line.option else line.text
        flags = ("unknown_claim",) * bool(line.unknown) + ("unlinked",) * (not line.links)
        line_id = f"{line.section}.{numbers[line.section]}"
        rows.append(SynthesisRow(line_id, line.section, text, line.links, flags, person))
    return tuple(rows)
