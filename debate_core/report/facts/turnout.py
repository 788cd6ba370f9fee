"""The people who are asked in the vote or the step of preparation of this moment, and those who have not finished."""

from dataclasses import dataclass

from debate_core.engine import preparation, stage
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.spec.people import Person


@dataclass(frozen=True, slots=True)
class Turnout:
    """The people who are asked, and the missing ones, in the order in which they joined."""

    asked: tuple[Person, ...]
    missing: tuple[Person, ...]


def turnout(state: State) -> Turnout | None:
    """The turnout of the open vote, else of the step of preparation that runs; None without either."""
    if poll := stage.open_poll(state):
        return turnout_of_poll(state, poll)
    now = preparation.running(state)
    if now is None:
        return None
    ready = preparation.prepared(state, now.step)
    asked = tuple(preparation.asked(state))
    return Turnout(asked, tuple(person for person in asked if person.id not in ready))


def turnout_of_poll(state: State, poll: PollState) -> Turnout:
    """The people that a poll is counted against, and those of them without a ballot."""
    voters = [person for electorate in stage.ELECTORATES for person in stage.electors(state, poll, electorate)]
    asked = tuple({person.id: person for person in voters}.values())
    return Turnout(asked, tuple(person for person in asked if person.id not in poll.ballots))


def is_complete(state: State) -> bool:
    """True if a vote is open or a step of preparation runs, and no one is missing who has not left."""
    found = turnout(state)
    return found is not None and bool(found.asked) and all(one.id in state.room.left for one in found.missing)
