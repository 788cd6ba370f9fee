"""The room: the fold of the acts of people, part of the State.

Trusts legal histories and knows no rules. `engine.stage` derives results from the acts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar, cast

from debate_core.record.acts import (
    BallotCast,
    BallotCommitted,
    PersonChanged,
    PersonJoined,
    PersonLeft,
    PollClosed,
    PollOpened,
    PollRevealed,
    RoomAct,
    TextsShown,
    TextsWritten,
)
from debate_core.record.events import Event
from debate_core.spec.people import Person, SilentStep
from debate_core.text import line

Fact = TypeVar("Fact", bound=RoomAct)


@dataclass(frozen=True, slots=True)
class Done(Generic[Fact]):
    """One act with its author and time. `seq` is the number of its event, `hash` that event's hash."""

    fact: Fact
    by: str
    at: str
    seq: int
    hash: str


@dataclass(frozen=True, slots=True)
class PollState:
    """A poll. `ballots` has the latest ballot of each person."""

    id: str
    opened_at: str
    opened_seq: int
    ballots: Mapping[str, Done[BallotCast]] = field(default_factory=dict)
    cast_times: Mapping[str, int] = field(default_factory=dict)
    """Number of ballots that each person cast here; the record has all of them, the last one counts."""
    commitments: Mapping[str, str] = field(default_factory=dict)
    """The latest digest of each person who committed to a ballot."""
    closed: Done[PollClosed] | None = None
    revealed: bool = False
    withdrawn: frozenset[str] = frozenset()
    """People who were removed together with their ballots while it was open."""


@dataclass(frozen=True)
class RoomState:
    """People, polls, and every other act by its type. Only `acted` makes one."""

    people: Mapping[str, Person] = field(default_factory=dict)
    """Everyone who ever took part, with their current data."""
    joined: Mapping[str, int] = field(default_factory=dict)
    """Number of the event with which each person joined; 0 = from the start."""
    left: frozenset[str] = frozenset()
    polls: Mapping[str, PollState] = field(default_factory=dict)
    acts: Mapping[type[RoomAct], tuple[Done[RoomAct], ...]] = field(default_factory=dict)
    begun: bool = False
    """True once the facilitator let the first round begin."""
    released: int = -1
    """Position in the agenda up to which the debate was released."""

    def present(self) -> tuple[Person, ...]:
        """Everyone who takes part now, in the order in which they joined."""
        return tuple(person for person_id, person in self.people.items() if person_id not in self.left)

    def of(self, kind: type[Fact]) -> tuple[Done[Fact], ...]:
        """Every act of one type, in order."""
        return cast("tuple[Done[Fact], ...]", self.acts.get(cast("type[RoomAct]", kind), ()))

    def facts(self, kind: type[Fact]) -> tuple[Fact, ...]:
        """All facts of one type, in order."""
        return tuple(done.fact for done in self.of(kind))

    def done_by(self, person: str, kind: type[Fact]) -> tuple[Fact, ...]:
        """All facts of one type by one person, in order."""
        return tuple(done.fact for done in self.of(kind) if done.by == person)


def written_texts(room: RoomState, step: SilentStep, *, named: bool) -> tuple[str, ...]:
    """The texts of a silent step once they are shown, else (): each once, sorted, so that the order names no author.

    `named`: the name of the author comes before each text.
    """
    shown = next((done for done in room.of(TextsShown) if done.fact.step == step), None)
    if shown is None:
        return ()
    if shown.fact.texts is not None:
        return shown.fact.texts
    return texts_to_show(room, step, named=named, before=shown.seq)


def texts_to_show(room: RoomState, step: SilentStep, *, named: bool, before: int) -> tuple[str, ...]:
    """The texts that an event of this number shows, without those of people removed with their ballots."""
    latest = {done.by: done.fact.texts for done in room.of(TextsWritten) if done.fact.step == step}
    for done in room.of(PersonLeft):
        if done.fact.withdrawn and done.seq < before:
            latest.pop(done.fact.person, None)
    texts: dict[str, str] = {}
    for by, written in latest.items():
        author = f"{room.people[by].name}: " if named else ""
        for text in map(line, written):
            texts.setdefault(text.casefold(), f"{author}{text}")
    return tuple(texts[key] for key in sorted(texts))


def room_at_start(people: tuple[Person, ...]) -> RoomState:
    """The room at the opening of the debate."""
    return RoomState({p.id: p for p in people}, {p.id: 0 for p in people})


def acted(room: RoomState, fact: RoomAct, event: Event) -> RoomState:
    """The room after one more act."""
    done: Done[RoomAct] = Done(fact, event.actor, event.at, event.seq, event.hash)
    room = replace(room, acts={**room.acts, type(fact): (*room.acts.get(type(fact), ()), done)})
    match fact:
        case PersonJoined():
            joined = {**room.joined, fact.person.id: event.seq}
            return replace(room, people={**room.people, fact.person.id: fact.person}, joined=joined)
        case PersonChanged():
            return replace(room, people={**room.people, fact.person.id: fact.person})
        case PersonLeft():
            return _left(room, fact)
        case PollOpened():
            return _with_poll(room, PollState(fact.poll, event.at, event.seq))
        case BallotCommitted():
            poll = room.polls[fact.poll]
            return _with_poll(room, replace(poll, commitments={**poll.commitments, done.by: fact.digest}))
        case BallotCast():
            return _with_poll(room, _ballot(room.polls[fact.poll], cast("Done[BallotCast]", done)))
        case PollClosed():
            return _with_poll(room, replace(room.polls[fact.poll], closed=cast("Done[PollClosed]", done)))
        case PollRevealed():
            return _with_poll(room, replace(room.polls[fact.poll], revealed=True))
        case _:
            return room


def _left(room: RoomState, fact: PersonLeft) -> RoomState:
    room = replace(room, left=room.left | {fact.person})
    if not fact.withdrawn:
        return room
    for poll in room.polls.values():
        if poll.closed is None:
            kept = {person: ballot for person, ballot in poll.ballots.items() if person != fact.person}
            room = _with_poll(room, replace(poll, ballots=kept, withdrawn=poll.withdrawn | {fact.person}))
    return room


def _ballot(poll: PollState, done: Done[BallotCast]) -> PollState:
    times = {**poll.cast_times, done.by: poll.cast_times.get(done.by, 0) + 1}
    return replace(poll, ballots={**poll.ballots, done.by: done}, cast_times=times)


def _with_poll(room: RoomState, poll: PollState) -> RoomState:
    return replace(room, polls={**room.polls, poll.id: poll})


def released(room: RoomState, position: int) -> RoomState:
    """The room after the facilitator released the agenda from this position."""
    return replace(room, begun=True, released=position)
