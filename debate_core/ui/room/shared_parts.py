"""The parts of a room's panel that all readers of one kind see alike: agenda, status, people, evidence, count.

The page draws them, and the live socket sends their changes, so that a change of the debate reruns no page for them.
Each part is data for `ui/kit/components/face.js`, or None if there is nothing to draw.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import streamlit as st

from debate_core.engine import stage
from debate_core.engine.engine import requests
from debate_core.language import _
from debate_core.record.state import State
from debate_core.report.facts.agenda import agenda
from debate_core.report.facts.terms import named
from debate_core.report.phrases.outcome import wait_sentence
from debate_core.report.phrases.tournament import comparing_words
from debate_core.ui.kit import badges
from debate_core.ui.kit.components import parts
from debate_core.ui.room import count, evidence_rail
from debate_core.ui.room.live.transcript import agreed_wait
from debate_core.ui.room.live.visibility import seat_name

PartName = Literal["agenda", "status", "people", "rail", "count"]
PanelPart = Mapping[str, object] | None
_OPENED = ("people", count.TWIN)
"""Expanders whose content is drawn by the server and follows every change while it is open."""


@dataclass(frozen=True, slots=True)
class PanelReader:
    """What decides about the parts: the seats of a reader, their names for seats, and whether they may see results."""

    holds: tuple[str, ...]
    names: Mapping[str, str]
    sees_result: bool
    compares: bool = False
    """True for a person who compares two options now, and needs no list of who else is waited for."""


def panel_parts(
    state: State, reader: PanelReader, wanted: Collection[PartName] = get_args(PartName)
) -> dict[PartName, PanelPart]:
    """Return the wanted parts for this reader, in the reader's language."""
    return {name: _MAKERS[name](state, reader) for name in wanted}


def _agenda_part(state: State, reader: PanelReader) -> PanelPart:  # noqa: ARG001
    return parts.steps_part(agenda(state))


def _people_part(state: State, reader: PanelReader) -> PanelPart:  # noqa: ARG001
    return {"part": "line", "words": _("People: {here}", here=len(stage.present(state)))}


def _rail_part(state: State, reader: PanelReader) -> PanelPart:
    return evidence_rail.part(state, reader.holds, blind=bool(reader.names)) if reader.sees_result else None


def _count_part(state: State, reader: PanelReader) -> PanelPart:
    return count.part(state, reader.holds, reader.names) if reader.sees_result else None


def _status_part(state: State, reader: PanelReader) -> PanelPart:
    """Return the status of the debate, the phase, and what it waits for."""
    status = badges.status_of(state) if state.outcome is None or reader.sees_result else "over"
    words, colour, _icon = badges.STATUS[status]
    return {
        "part": "status",
        "words": _(words),
        "colour": colour,
        "line": "" if reader.compares else phase_line(state, reader.names),
        "waits": wait_sentence(state),
    }


_MAKERS: dict[PartName, Callable[[State, PanelReader], PanelPart]] = {
    "agenda": _agenda_part,
    "status": _status_part,
    "people": _people_part,
    "rail": _rail_part,
    "count": _count_part,
}


def phase_line(state: State, names: Mapping[str, str]) -> str:
    """Return `round 2 of 3 · arguments · waiting for planner`."""
    if stage.waits_as_agreed(state):
        return agreed_wait(state)
    rounds = _(
        "round {current_round} of {max_rounds}",
        current_round=max(state.current_round(), 1),
        max_rounds=state.spec.max_rounds,
    )
    if state.outcome:
        return _("ended in {rounds}", rounds=rounds)
    phase = named(state.open.slot.phase.name) if state.open else _("between phases")
    if words := comparing_words(state):
        return f"{rounds} · {words}"
    seats = dict.fromkeys(seat_name(request.seat, names) for request in requests(state))
    waiting = _("waiting for {seats}", seats=", ".join(seats)) if seats else _("no open turn")
    return f"{rounds} · {phase} · {waiting}"


def reruns_at_every_change() -> bool:
    """Return True while this browser has opened something that only the server can draw again."""
    return any(st.session_state.get(key) for key in _OPENED)
