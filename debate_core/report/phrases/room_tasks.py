"""The tasks of the people in a room in words: of one person, and of all who have the same task."""

from collections.abc import Sequence

from debate_core.language import Words, _, _n, message
from debate_core.report.facts.room_tasks import RoomTask, TaskKind

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
