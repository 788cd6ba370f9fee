"""The parts of a room's panel that all readers of one kind see alike: agenda, status, turnout, people, evidence, count.

The page draws them, and the live socket sends their changes, so that a change of the debate reruns no page for them.
Each part is data for `ui/kit/components/face.js`, or None if there is nothing to draw.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, get_args

import streamlit as st

from debate_core.engine import preparation, stage
from debate_core.engine.engine import requests
from debate_core.host.debate_reader import DebateReader
from debate_core.language import Language, _, current, spoken_list
from debate_core.record.acts import Signed
from debate_core.record.state import State
from debate_core.report.facts.agenda import agenda, is_last_round, steps_to_come
from debate_core.report.facts.room_tasks import RoomTask, room_tasks
from debate_core.report.facts.terms import named
from debate_core.report.phrases.decision_status import decision_status
from debate_core.report.phrases.outcome import wait_sentence
from debate_core.report.phrases.room_tasks import steps_left, task_words, tasks_left
from debate_core.report.phrases.tournament import comparing_words
from debate_core.report.phrases.voters import NAMES
from debate_core.spec.people import Person
from debate_core.ui.kit import accounts, badges
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.dates import spell_days
from debate_core.ui.room import count, evidence_rail, turnout
from debate_core.ui.room.live.transcript import agreed_wait
from debate_core.ui.room.live.visibility import seat_name

PartName = Literal["agenda", "status", "turnout", "progress", "rail", "count"]
PanelPart = Mapping[str, object] | None
MAX_NAMED = 2
"""Seats that are named in the status; of more, their number is enough."""
_OPENED = ("people", count.TWIN)
"""Expanders whose content is drawn by the server and follows every change while it is open."""


@dataclass(frozen=True, slots=True)
class PanelReader:
    """Everything about a reader that changes the parts: their host, seats, names for seats, and rights."""

    host: DebateReader
    holds: tuple[str, ...]
    names: Mapping[str, str]
    sees_result: bool
    leads: bool = False
    compares: bool = False
    """True for a person who compares two options now, and needs no list of who else is waited for."""


def panel_parts(
    state: State, reader: PanelReader, wanted: Collection[PartName] = get_args(PartName)
) -> dict[PartName, PanelPart]:
    """Return the wanted parts for this reader, in the reader's language."""
    kind = _ReaderKind(
        debate=state.debate,
        head=state.head,
        language=current(),
        account=accounts.facts_beside_record(reader.host, state),
        holds=reader.holds,
        names=tuple(sorted(reader.names.items())),
        rights=(reader.sees_result, reader.leads, reader.compares),
        state=state,
        reader=reader,
    )
    return {name: _part(name, kind) for name in wanted}


@dataclass(frozen=True, slots=True)
class _ReaderKind:
    """Readers who see the same parts of a state, which the hash of its last event identifies."""

    debate: str
    head: str
    language: Language
    account: tuple[object, ...]
    holds: tuple[str, ...]
    names: tuple[tuple[str, str], ...]
    rights: tuple[bool, ...]
    state: State = field(compare=False)
    reader: PanelReader = field(compare=False)


@lru_cache(maxsize=512)
def _part(name: PartName, kind: _ReaderKind) -> PanelPart:
    """Return a part, made once for all readers of a kind, for their pages and their live sockets."""
    return _MAKERS[name](kind.state, kind.reader)


def _agenda_part(state: State, reader: PanelReader) -> PanelPart:  # noqa: ARG001
    return parts.steps_part(agenda(state))


def _turnout_part(state: State, reader: PanelReader) -> PanelPart:
    """Return the vote or the step of preparation of this moment, for those who lead."""
    return turnout.part(state) if reader.leads else None


def _progress_part(state: State, reader: PanelReader) -> PanelPart:
    """Return everyone by name with their present task, open tasks first, for those who lead."""
    if not reader.leads:
        return None
    tasks = room_tasks(state)
    by_person = {task.person.id: task for task in tasks}
    people = sorted(stage.present(state), key=lambda person: _task_order(by_person.get(person.id)))
    has_turnout = turnout.has_one(state)
    only_names = _is_in_lobby(state) and not has_turnout
    asked = requests(state) if state.paused is None else ()
    speaking = {one for request in asked for one in stage.speaks_for(state, request.seat)}
    rows = [
        _person_row(person, by_person.get(person.id), with_voter=not only_names, speaks=person.id in speaking)
        for person in people
    ]
    drawn = {"part": "progress", "left": tasks_left(tasks), "people": rows, "looks": "open"}
    if has_turnout:
        # The turnout names those who are missing.
        return {**drawn, "left": "", "looks": "folded"}
    if only_names:
        return {**drawn, "looks": "names"}
    if all(task.done for task in tasks):
        drawn["looks"] = "folded"
    return drawn


def _is_in_lobby(state: State) -> bool:
    return state.spec.has_people and stage.stage(state) == "lobby"


def _task_order(task: RoomTask | None) -> int:
    return 2 if task is None else int(task.done)


def _person_row(person: Person, task: RoomTask | None, *, with_voter: bool, speaks: bool) -> Mapping[str, object]:
    """Return a person with their task; `away` has the ways on while they have the turn and are not connected."""
    away = _(
        "{name} has the turn and is not connected: wait, remind or skip them below, or take the seat under “More”.",
        name=person.name,
    )
    return {
        "id": person.id,
        "name": person.name,
        "role": ", ".join(_part_words(person, with_voter=with_voter)),
        "does": task_words(task) if task else "",
        "done": task.done if task else None,
        "away": away if speaks else "",
    }


def _part_words(person: Person, *, with_voter: bool) -> Iterator[str]:
    """Role, vote and declared interest; of voters in the room only the role.

    Most people are voters: unless `with_voter`, only the others have their role beside their name.
    """
    if with_voter or person.role != "voter":
        yield named(person.role)
    if person.electorate == "panel" or (person.electorate and person.role != "voter"):
        yield NAMES[person.electorate]
    if person.electorate and person.weight != 1:
        yield f"×{person.weight}"
    if person.interest:
        yield _("declared: {interest}", interest=person.interest)


def _rail_part(state: State, reader: PanelReader) -> PanelPart:
    return (
        evidence_rail.part(reader.host, state, reader.holds, blind=bool(reader.names)) if reader.sees_result else None
    )


def _count_part(state: State, reader: PanelReader) -> PanelPart:
    return count.part(reader.host, state, reader.holds, reader.names) if reader.sees_result else None


def _status_part(state: State, reader: PanelReader) -> PanelPart:
    """Return the status of the debate, the phase, and what it waits for."""
    status = badges.status_of(state) if state.outcome is None or _sees_end(state, reader) else "over"
    words, colour = badges.STATUS[status]
    in_words = _(words)
    if status == "decided":
        decided = decision_status(accounts.of_reader(reader.host, state, reader.holds))
        in_words, colour = decided.status, "green" if decided.is_signed else colour
    elif status in ("running", "waiting"):
        in_words = _speaking_words(state, reader) or in_words
    return {
        "part": "status",
        "words": in_words,
        "colour": colour,
        "line": phase_line(state, reader),
        "last": _("Last round") if is_last_round(state) else "",
        "next": _next_words(state),
        "waits": spell_days(wait_sentence(state)),
        "count": _small_count(state, reader),
        "ends_ms": _ends_ms(state),
    }


def _next_words(state: State) -> str:
    """Return the steps to come of a running debate, for phones, on which the agenda names only the present step."""
    steps = steps_to_come(state)
    is_running = state.outcome is None and not stage.waits_as_agreed(state)
    return _("Then: {steps}", steps=steps) if steps and is_running else ""


def _small_count(state: State, reader: PanelReader) -> object:
    """Return the count so far; None once it is decided: the decision on the same page has its count."""
    is_told = state.outcome is not None and not (stage.final_decision(state).pending or state.spec.held_elsewhere)
    return count.small_part(reader.host, state, reader.holds) if reader.sees_result and not is_told else None


def _ends_ms(state: State) -> int | None:
    """Return the end of the running clock in milliseconds since 1970; None without a clock."""
    ends = stage.deadline(state)
    is_stopped = state.paused is not None and preparation.running(state) is None
    if ends is None or is_stopped or state.outcome is not None:
        return None
    return round(ends.timestamp() * 1000)


_MAKERS: dict[PartName, Callable[[State, PanelReader], PanelPart]] = {
    "agenda": _agenda_part,
    "status": _status_part,
    "turnout": _turnout_part,
    "progress": _progress_part,
    "rail": _rail_part,
    "count": _count_part,
}


def phase_line(state: State, reader: PanelReader) -> str:
    """Return `round 2 of 3 · reply`, or the step that is left after the end.

    Empty where the agenda above names round and phase, for a person who compares two options now, and while a vote is
    open before or after the debate: its ballot and its turnout say the rest.
    """
    waits_as_agreed = stage.waits_as_agreed(state)
    if reader.compares or (stage.open_poll(state) and (waits_as_agreed or state.outcome)):
        return ""
    if waits_as_agreed:
        return agreed_wait(state)
    number = max(state.current_round(), 1)
    rounds = _("round {current_round} of {max_rounds}", current_round=number, max_rounds=state.spec.max_rounds)
    if state.outcome:
        return _end_words(state, reader) or _("ended in {rounds}", rounds=rounds)
    now = comparing_words(state) or _phase_words(state)
    return f"{rounds} · {now}" if now else ""


def _phase_words(state: State) -> str:
    """Return the phase; empty where the agenda names it."""
    if state.open is None:
        return _("between phases")
    return "" if has_agenda(state) else named(state.open.slot.phase.name)


def has_agenda(state: State) -> bool:
    """True if the agenda has more steps than one round and the signature."""
    return len(agenda(state)) > 2


def _speaking_words(state: State, reader: PanelReader) -> str:
    """Return `Now: planner`, or of many seats their number; empty where none is asked or people compare."""
    seats = [*dict.fromkeys(seat_name(request.seat, reader.names) for request in requests(state))]
    if not seats or reader.compares or comparing_words(state):
        return ""
    names = spoken_list(seats) if len(seats) <= MAX_NAMED else _("{names} seats", names=len(seats))
    return _("Now: {names}", names=names)


def _sees_end(state: State, reader: PanelReader) -> bool:
    """True if the reader sees the result, or there is none yet: that a vote is open or closed is no secret."""
    return reader.sees_result or stage.final_decision(state).pending


def _end_words(state: State, reader: PanelReader) -> str:
    """The step that is left, or who has signed; empty for readers who do not see the result."""
    if not _sees_end(state, reader):
        return ""
    by = [stage.name_of(state, signed.by) for signed in state.room.of(Signed)]
    return steps_left(state) or (_("signed by {name}", name=by[-1]) if by else _signer_words(state))


def _signer_words(state: State) -> str:
    """Say who may sign a debate without people, which names no approver; empty where nothing is signed."""
    spec = state.spec
    if spec.has_people or spec.match_of or spec.rehearsal or spec.held_elsewhere:
        return ""
    return _("Its owner may sign.") if state.ownership.owner else _("A host of this server may sign.")


def reruns_at_every_change() -> bool:
    """Return True while this browser has opened something that only the server can draw again."""
    return any(st.session_state.get(key) for key in _OPENED)
