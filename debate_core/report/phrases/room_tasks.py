"""The tasks of the people in a room in words: of one person, and of all who have the same task."""

from collections.abc import Collection, Mapping, Sequence

from debate_core.engine import preparation, stage
from debate_core.language import Words, _, _n, message, spoken_list
from debate_core.record.state import State
from debate_core.report.facts.decision import approvers
from debate_core.report.facts.room_tasks import RoomTask, TaskKind
from debate_core.report.facts.speaking_order import next_slot_of, speaking_order
from debate_core.report.facts.terms import named
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
}
_OPEN: Words[TaskKind] = Words(
    {
        "propose": "not done yet",
        "read": "still reading",
        "write": "still writing",
        "vote": "not voted yet",
        "mark": "no passage seen yet",
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
    if task.round and task.done:
        return _("has judged round {round}", round=task.round)
    if task.done:
        return _DONE[task.task]
    if task.task == "mark" and task.given:
        return _("{given} of {of} passages seen", given=task.given, of=task.of)
    return _OPEN[task.task]


def tasks_left(tasks: Sequence[RoomTask]) -> str:
    """Return `3 of 8 still marking · Abe has not signed`; `Everyone is done` if nothing is left.

    Empty without tasks, and after the signature.
    """
    if not tasks or any(one.task == "sign" and one.done for one in tasks):
        return ""
    everyone = _("Everyone has compared") if tasks[0].task == "compare" else _("Everyone is done")
    words = _words_left(tasks)
    # No one has signed.
    if unsigned := [one.person.name for one in tasks if one.task == "sign"]:
        names = spoken_list(unsigned)
        words.append(_n(len(unsigned), "{names} has not signed", "{names} have not signed", names=names))
    return " · ".join(words) or everyone


def _words_left(tasks: Sequence[RoomTask]) -> list[str]:
    """`3 of 8 still marking`, for each kind of task that is not done."""
    words = []
    for task, template in _LEFT.items():
        same = [one for one in tasks if one.task == task]
        if left := sum(not one.done for one in same):
            words.append(_(template, left=left, of=len(same)))
    return words


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
    """Say when a person with these seats speaks: in the open phase, else in a later one; empty without seats.

    `names` are other names of seats for this person. Empty in a debate without people, and between phases.
    """
    if not (state.open and state.spec.has_people and holds):
        return ""
    order = speaking_order(state)
    before = list[str]()
    for turn in order:
        if turn.when == "given":
            continue
        if turn.seat in holds:
            return _waiting_sentence(before, names)
        before.append(turn.seat)
    has_spoken = any(turn.seat in holds for turn in order)
    words = _("You have spoken.") if has_spoken else _("You have no turn in this phase.")
    return f"{words} {_next_turn_sentence(state, holds)}"


def _waiting_sentence(before: Sequence[str], names: Mapping[str, str]) -> str:
    match before:
        case []:
            return _("You speak now.")
        case [seat]:
            return _("You speak next, after {seat}.", seat=names.get(seat, in_words(seat)))
        case _:
            return _("{n} turns come before yours.", n=len(before))


def _next_turn_sentence(state: State, holds: Collection[str]) -> str:
    slot = next_slot_of(state, holds)
    if slot is None:
        return _("No further turn of yours is planned.")
    phase = named(slot.phase.name)
    if slot.section == "after":
        return _("You speak next after the rounds: {phase}.", phase=phase)
    if slot.round == state.current_round():
        return _("You speak next in this round: {phase}.", phase=phase)
    return _("You speak next in round {number}: {phase}.", number=slot.round, phase=phase)
