"""The present task of each person in a room, and whether they have done it: vote, mark, speak, judge, sign.

Says nothing about the content: who has answered is known while answers are sealed.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from debate_core.engine import judge_view, passage_marks, preparation, stage
from debate_core.engine.engine import requests
from debate_core.record.state import State
from debate_core.spec.people import Person, PreparationStep

TaskKind = Literal["propose", "read", "write", "vote", "mark", "compare", "speak", "judge", "sign"]
_PREPARATION: dict[PreparationStep, TaskKind] = {
    "collect": "propose",
    "brief": "read",
    "facts": "write",
    "premortem": "write",
}


@dataclass(frozen=True, slots=True)
class RoomTask:
    """A task of a person. `given` of `of` parts are done: passages of a document; 1 for all other tasks.

    A person who has compared one pair of a tournament has done their part: others may take the remaining pairs.
    """

    person: Person
    task: TaskKind
    given: int
    of: int = 1
    round: int = 0
    """The round that a judge judges; 0 for other tasks and for the whole debate."""

    @property
    def done(self) -> bool:
        """True once all parts are done."""
        return self.given >= self.of


def room_tasks(state: State) -> tuple[RoomTask, ...]:
    """One task for each person who has any, in the order in which they joined: an open one before a finished one."""
    sources = (_preparing, _voting, _marking, _speaking, _judging, _signing)
    found: dict[str, RoomTask] = {}
    for task in (task for source in sources for task in source(state)):
        known = found.get(task.person.id)
        if known is None or (known.done and not task.done):
            found[task.person.id] = task
    return tuple(found[person.id] for person in stage.present(state) if person.id in found)


def _preparing(state: State) -> Iterator[RoomTask]:
    now = preparation.running(state)
    if now is None:
        return
    ready = preparation.prepared(state, now.step)
    for person in preparation.asked(state):
        yield RoomTask(person, _PREPARATION[now.step], int(person.id in ready))


def _voting(state: State) -> Iterator[RoomTask]:
    poll = stage.open_poll(state)
    if poll is None:
        return
    for electorate in stage.ELECTORATES:
        for person in stage.electors(state, poll, electorate):
            yield RoomTask(person, "vote", int(person.id in poll.ballots))


def _marking(state: State) -> Iterator[RoomTask]:
    passages = passage_marks.open_passages(state)
    if not passages or stage.open_poll(state) is not None:
        return
    marks = passage_marks.readings(state)
    for person in stage.present(state):
        if person.electorate is not None:
            given = sum(person.id in marks.get(claim_id, {}) for claim_id in passages)
            yield RoomTask(person, "mark", given, len(passages))


def _speaking(state: State) -> Iterator[RoomTask]:
    if state.open is None or state.outcome is not None or stage.waits_as_agreed(state):
        return
    speakers = dict.fromkeys(state.open.speakers, 0)
    asked = {request.seat: 0 for request in requests(state)}
    answered = {turn.seat: 1 for turn in state.open.answers}
    by_person = Counter(turn.by for turn in state.all_turns())
    for seat, given in {**speakers, **answered, **asked}.items():
        compares = stage.compared_by_all(state, seat)
        for person_id in stage.speaks_for(state, seat):
            person = state.room.people[person_id]
            yield RoomTask(person, "compare", by_person[person_id]) if compares else RoomTask(person, "speak", given)


def _judging(state: State) -> Iterator[RoomTask]:
    number = judge_view.complete_rounds(state)
    for person in stage.present(state):
        if person.role == "judge" and number:
            is_done = judge_view.done_judging(state, person.id)
            has_judged = is_done or number in judge_view.reports(state, person.id)
            of_round = 0 if is_done or judge_view.is_final(state, number) else number
            yield RoomTask(person, "judge", int(has_judged), round=of_round)


def _signing(state: State) -> Iterator[RoomTask]:
    if state.outcome is None or stage.final_decision(state).pending:
        return
    for person in stage.present(state):
        if person.role == "approver":
            yield RoomTask(person, "sign", int(stage.signature(state) is not None))
