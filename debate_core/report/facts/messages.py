"""Messages to people outside the app, as a view of the record: requests to people, and news of the decision.

A message has a topic, addressees, and a key that stays the same while its cause does. It holds no text of the debate,
no ballot and no name; `phrases.messages` has the sentences. It knows no channel.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Literal

from debate_core.engine import stage
from debate_core.engine.engine import requests
from debate_core.record.acts import AssumptionBroken, Dissented, OutcomeRecorded, Signed
from debate_core.record.state import State
from debate_core.report.facts.decision import decision_of, review_date
from debate_core.spec.people import LEADS, RoomRole

MessageKind = Literal["your_turn", "your_vote", "sign", "decided", "challenged", "due"]
Topic = Literal[
    "turn",
    "limit",
    "outage",
    "vote",
    "signature",
    "decision",
    "changes",
    "decided",
    "objection",
    "otherwise",
    "assumption",
    "review",
    "deadline",
]
KIND_OF: Mapping[Topic, MessageKind] = {
    "turn": "your_turn",
    "limit": "your_turn",
    "outage": "your_turn",
    "vote": "your_vote",
    "signature": "sign",
    "decision": "sign",
    "changes": "sign",
    "decided": "decided",
    "objection": "challenged",
    "otherwise": "challenged",
    "assumption": "challenged",
    "review": "due",
    "deadline": "due",
}
"""The kind of each topic, by which a channel chooses its messages. An act that challenges a decision is a new topic."""
MIN_CLOCK = timedelta(hours=1)
"""Shorter clocks give no message: people sit in the room."""
NEAR_SHARE = 4
MAX_NEAR = timedelta(days=1)
"""An end is near in the last quarter of its time, and a day before at the earliest."""


@dataclass(frozen=True, slots=True)
class Message:
    """One cause for a message. `people` are ids; several messages with one `group` are one for a shared channel."""

    topic: Topic
    key: str
    roles: tuple[RoomRole, ...] = ()
    people: tuple[str, ...] = ()
    group: str = ""
    until: datetime | None = None
    """The date of a review, or the end of the time for people."""

    @property
    def kind(self) -> MessageKind:
        return KIND_OF[self.topic]


@dataclass(frozen=True, slots=True)
class DebateMoment:
    """A debate at a time. `state` None = before its first event."""

    state: State | None
    at: datetime


def new_messages(before: DebateMoment, after: DebateMoment) -> tuple[Message, ...]:
    """The messages of `after` that were no messages of `before`: each cause once, and none that has passed already."""
    known = {(one.topic, one.key) for one in standing_messages(before)}
    return tuple(one for one in standing_messages(after) if (one.topic, one.key) not in known)


def standing_messages(moment: DebateMoment) -> tuple[Message, ...]:
    """Every request of the debate to people at this moment, and the news of its decision."""
    state = moment.state
    if state is None or state.spec.rehearsal or state.spec.practice or state.spec.match_of:
        return ()
    if state.ownership.archived or state.ownership.replaced_by:
        return ()
    timed = (one for one, from_ in _timed(state) if from_ <= moment.at)
    return (*_turns(state), *_pauses(state), *_votes(state), *_decision(state), *_challenges(state), *timed)


def next_time(state: State, after: datetime) -> datetime | None:
    """The next time at which a message comes up without an event; None = never."""
    return min((from_ for _one, from_ in _timed(state) if from_ > after), default=None)


def _turns(state: State) -> Iterator[Message]:
    wait = stage.wait_for_people(state)
    for request in requests(state) if wait is not None else ():
        if wait is not None and request.seat in wait.seats:
            people = stage.speaks_for(state, request.seat)
            group = f"{request.round}.{request.phase}"
            yield Message("turn", request.place(), ("debater",), people, group)


def _pauses(state: State) -> Iterator[Message]:
    """Pauses that only a person can end; a person who paused, and an agreed pause in the room, need no message."""
    if state.paused is None or state.outcome is not None:
        return
    topic: Topic | None = "limit" if state.limit_met is not None else "outage" if stage.unreached(state) else None
    if topic is not None:
        yield Message(topic, str(state.position), LEADS, _with_role(state, *LEADS))


def _votes(state: State) -> Iterator[Message]:
    poll = stage.open_poll(state)
    if poll is None:
        return
    electors = [person for electorate in stage.ELECTORATES for person in stage.electors(state, poll, electorate)]
    here = {person.id for person in stage.present(state)}
    missing = tuple(one.id for one in electors if one.id not in poll.ballots and one.id in here)
    yield Message("vote", poll.id, ("voter",), missing)


def _decision(state: State) -> Iterator[Message]:
    if state.outcome is None:
        return
    n_signatures = len(state.room.of(Signed))
    match decision_of(state).waits_for:
        case "signature" | "decision" | "changes" as topic:
            yield Message(topic, str(n_signatures), ("approver",), _with_role(state, "approver"))
        case "":
            yield Message("decided", str(n_signatures), people=tuple(one.id for one in stage.present(state)))
        case "vote" | "escalated":
            # The poll has its own message; an escalated decision waits for someone outside the debate.
            return


def _challenges(state: State) -> Iterator[Message]:
    if state.outcome is None:
        return
    addressees: tuple[RoomRole, ...] = ("approver", "facilitator")
    people = _with_role(state, *addressees)
    for done in state.room.of(Dissented):
        if done.fact.kind == "objection":
            yield Message("objection", str(done.seq), addressees, people)
    for outcome in state.room.of(OutcomeRecorded):
        if outcome.fact.result in ("revised", "reversed"):
            yield Message("otherwise", str(outcome.seq), addressees, people)
    for broken in state.room.of(AssumptionBroken):
        yield Message("assumption", str(broken.seq), addressees, people)


def _timed(state: State) -> Iterator[tuple[Message, datetime]]:
    """Messages that come up by time alone, with that time."""
    if state.outcome is not None:
        yield from _reviews(state)
        return
    wait = stage.wait_for_people(state)
    if wait is None:
        return
    ends = [(wait.since, wait.until)]
    if wait.seats and state.open is not None:
        ends.append((state.open.since, stage.deadline(state)))
    for since, until in ends:
        if since and until is not None and until - datetime.fromisoformat(since) >= MIN_CLOCK:
            length = until - datetime.fromisoformat(since)
            yield _deadline(state, wait.seats, until), until - min(length / NEAR_SHARE, MAX_NEAR)


def _deadline(state: State, seats: Sequence[str], until: datetime) -> Message:
    """The message to the people of these seats; without any, to the leads."""
    roles: tuple[RoomRole, ...] = ("debater",) if seats else LEADS
    people = tuple(dict.fromkeys(one for seat in seats for one in stage.speaks_for(state, seat)))
    return Message("deadline", until.isoformat(), roles, people or _with_role(state, *LEADS), until=until)


def _reviews(state: State) -> Iterator[tuple[Message, datetime]]:
    decision = decision_of(state)
    day = review_date(decision.review)
    if day is None or decision.signed is None or decision.status != "accepted":
        return
    at = datetime.combine(day, time(), UTC)
    people = _with_role(state, "approver", "facilitator")
    yield Message("review", str(decision.signed.seq), ("approver", "facilitator"), people, until=at), at


def _with_role(state: State, *roles: RoomRole) -> tuple[str, ...]:
    return tuple(person.id for person in stage.present(state) if person.role in roles)
