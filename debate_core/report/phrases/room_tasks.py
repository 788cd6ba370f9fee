"""The tasks of the people in a room in words: of one person, and of all who have the same task."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from debate_core.engine import preparation, stage
from debate_core.language import Words, _, _n, message, spoken_list
from debate_core.record.state import State
from debate_core.report.facts.decision import approvers
from debate_core.report.facts.room_tasks import RoomTask, TaskKind
from debate_core.spec.values import in_words

_LEFT: dict[TaskKind, str] = {
    "propose": message("{left} of {of} still proposing"),
    "read": message("{left} of {of} still reading"),
    "write": message("{left} of {of} still writing"),
    "vote": message("{left} of {of} still voting"),
    "mark": message("{left} of {of} still marking"),
    "compare": message("{left} of {of} without a comparison"),
    "speak": message("{left} of {of} still to speak"),
    "judge": message("{left} of {of} still judging"),
    "sign": message("{left} of {of} still to sign"),
}
_OPEN: Words[TaskKind] = Words(
    {
        "propose": "not done yet",
        "read": "still reading",
        "write": "still writing",
        "vote": "not voted yet",
        "mark": "no passage marked yet",
        "compare": "no pair compared yet",
        "speak": "still to speak",
        "judge": "not judged yet",
        "sign": "not signed yet",
    }
)
_DONE: Words[TaskKind] = Words(
    {
        "propose": "done",
        "read": "has read it",
        "write": "has written",
        "vote": "has voted",
        "mark": "has seen every passage",
        "speak": "has spoken",
        "judge": "has judged",
        "sign": "has signed",
    }
)


def task_words(task: RoomTask) -> str:
    """Return `has voted`, `3 of 4 passages seen`, `5 pairs compared`."""
    if task.task == "compare" and task.given:
        return _n(task.given, "{n} pair compared", "{n} pairs compared")
    if task.done:
        return _DONE[task.task]
    if task.task == "mark" and task.given:
        return _("{given} of {of} passages seen", given=task.given, of=task.of)
    return _OPEN[task.task]


def tasks_left(tasks: Sequence[RoomTask]) -> str:
    """Return `3 of 8 still marking · 1 of 2 still judging`; `Everyone is done` if nothing is left, "" without tasks."""
    if not tasks:
        return ""
    everyone = _("Everyone has compared") if tasks[0].task == "compare" else _("Everyone is done")
    words = []
    for task, template in _LEFT.items():
        same = [one for one in tasks if one.task == task]
        if left := sum(not one.done for one in same):
            words.append(_(template, left=left, of=len(same)))
    return " · ".join(words) or everyone


def steps_left(state: State) -> str:
    """Return the next step of a debate that is over; empty without people, and once it is signed."""
    if not state.spec.has_people or stage.stage(state) == "signed":
        return ""
    if preparation.silent(state):
        return _("Everyone writes alone; nothing is shown until all is.")
    final = state.room.polls.get("final")
    if final is not None and final.closed is None:
        return _("The final vote is open; its ballots stay sealed until the reveal.")
    if final is not None and not final.revealed:
        return _("The final vote is closed: the facilitator reveals it.")
    if stage.final_decision(state).pending:
        return _("The facilitator opens the final vote.")
    names = approvers(state)
    if not names:
        return _("The decision is not signed yet.")
    return _("Waiting for the signature of {names}.", names=spoken_list(names))


def own_turn_sentence(state: State, holds: Collection[str], names: Mapping[str, str]) -> str:
    """Say for which seats a person speaks, and when in the open phase; empty without these, and without a room.

    `names` are other names of seats for this person.
    """
    if state.open is None or not (state.spec.has_people and holds):
        return ""
    seats = ", ".join(names.get(seat, in_words(seat)) for seat in holds)
    turns = Counter(seat for seat in state.open.speakers if seat in holds)
    if turns - Counter(turn.seat for turn in state.open.answers):
        return _("You speak for {seats}: your turn comes later in this phase.", seats=seats)
    if turns:
        return _("You speak for {seats}: your turn in this phase is given.", seats=seats)
    return _("You speak for {seats}: no turn in this phase.", seats=seats)
