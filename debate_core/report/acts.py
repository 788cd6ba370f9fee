"""What people did to a debate, as typed rows.

An act of a person (skip, pause, stop, mark, whatever `course` names) is read from the events, with its reason. Knows
no file format. Called by reports, exports and screens.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from debate_core.engine.engine import ENGINE
from debate_core.engine.stage import held
from debate_core.record.acts import RoomAct
from debate_core.record.events import Event, Marked, Paused, Resumed, Stopped, TurnSkipped, TurnTaken
from debate_core.record.fold import apply
from debate_core.record.state import State
from debate_core.report.act_words import act_reason
from debate_core.report.course import Change, change, name_of
from debate_core.spec.contents import Mark, Review
from debate_core.spec.protocol import Spec


@dataclass(frozen=True, slots=True)
class OverrideRow:
    """One act of a person on the course of the debate; `actor` is their name, `role` what they were then."""

    event_id: int
    at: str
    actor: str
    role: str
    action: str
    target: str
    before: str
    after: str
    reason: str


def override_rows(events: Iterable[Event]) -> tuple[OverrideRow, ...]:
    """Every act of a person on the course of the debate, with its reason, in order; with a room by name and role."""
    rows: list[OverrideRow] = []
    state: State | None = None
    for event in events:
        if state is not None:
            rows += _rows(state, event)
        state = apply(state, event)
    return tuple(rows)


def _rows(state: State, event: Event) -> Iterable[OverrideRow]:
    """What one event did to the debate as it stood. What an agreed hold makes wait and lets go on is no override."""
    body = event.body
    if isinstance(body, RoomAct):
        found = change(state, body, event.actor)
        return [_act(state, event, found, act_reason(body))] if found else []
    match body:
        case TurnSkipped() if _is_person(state.spec, event.actor):
            target = body.request.rsplit(".", 1)[0]
            return [_act(state, event, Change("skip", target, "asked", "skipped"), body.reason)]
        case Paused() if event.actor != ENGINE:
            return [_act(state, event, Change("pause", "debate", "running", "paused"), body.reason)]
        case Resumed() if not held(state):
            return [_act(state, event, Change("resume", "debate", "paused", "running"), body.reason)]
        case Stopped():
            return [_act(state, event, Change("stop", "debate", "running", "stopped"), body.reason)]
        case Marked():
            return _mark_acts(state, event, (body.mark,), body.reason)
        case TurnTaken() if isinstance(body.content, Review):
            return _mark_acts(state, event, body.content.marks, "")
        case _:
            return []


def _is_person(spec: Spec, actor: str) -> bool:
    seat = next((s for s in spec.seats if s.id == actor), None)
    return seat is None or seat.occupant == "human"


def _act(state: State, event: Event, done: Change, reason: str) -> OverrideRow:
    known = state.room.people.get(event.actor)
    role = known.role if known else next((s.role for s in state.spec.seats if s.id == event.actor), "")
    actor = name_of(state, event.actor)
    return OverrideRow(event.seq, event.at, actor, role, done.action, done.target, done.before, done.after, reason)


def _mark_acts(state: State, event: Event, given: Sequence[Mark], reason: str) -> list[OverrideRow]:
    rows, before = [], {i: g.mark.words() for i, g in state.marks.items()}
    for mark in given:
        done = Change("mark", mark.claim_id, before.get(mark.claim_id, ""), mark.words())
        rows.append(_act(state, event, done, reason))
        before[mark.claim_id] = mark.words()
    return rows
