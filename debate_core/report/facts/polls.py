"""Polls of people: progress, electorates, revealed polls, and aliases.

Only revealed polls are read; of all others only the number of ballots is known. Voters have aliases in the order of
the hashes of their ballots, never names.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from debate_core.engine.stage import ELECTORATES, electors, result_of, voters
from debate_core.record.acts import BallotCast
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.spec.people import Electorate, Person, PollResult, Room
from debate_core.spec.rules import ballot_kind
from debate_core.spec.values import BallotKind


@dataclass(frozen=True, slots=True)
class Progress:
    """Number of ballots cast: all that is public before a poll is revealed."""

    poll: str
    electorate: Electorate
    voted: int
    eligible: int


def count_id(poll: str, electorate: Electorate) -> str:
    """Id of one poll of one electorate: `final.panel`."""
    return f"{poll}.{electorate}"


def poll_progress(state: State, poll_id: str) -> tuple[Progress, ...]:
    """Progress of each electorate that has members."""
    rows = []
    for electorate in ELECTORATES:
        poll = state.room.polls.get(poll_id)
        there = {p.id for p in (electors(state, poll, electorate) if poll else voters(state, electorate))}
        voted = {i for i in poll.ballots if electorate_of(state, i) == electorate} if poll else set[str]()
        if there | voted:
            rows.append(Progress(poll_id, electorate, len(voted), len(there | voted)))
    return tuple(rows)


def counted_voters(state: State, poll_id: str, electorate: Electorate) -> tuple[Person, ...]:
    """Electorate of a closed poll, fixed at its close; before that, the people entitled to vote now."""
    poll = state.room.polls.get(poll_id)
    if poll is None or poll.closed is None:
        return voters(state, electorate)
    return electors(state, poll, electorate)


def electorate_of(state: State, person: str) -> Electorate | None:
    return state.room.people[person].electorate


def revealed_polls(state: State) -> tuple[PollState, ...]:
    """Revealed polls, in the order in which they were opened."""
    return tuple(p for p in state.room.polls.values() if p.revealed)


def most_first(state: State, result: PollResult) -> dict[str, Fraction]:
    """Option -> its points, most first; equal ones in the agreed order of the options."""
    points = {each.option: Fraction(each.points) for each in result.points}
    agreed = [option for option in state.spec.options if option in points]
    return {option: points[option] for option in sorted(agreed, key=lambda option: -points[option])}


def revealed_results(state: State) -> Iterator[tuple[PollState, PollResult]]:
    for poll in revealed_polls(state):
        for electorate in ELECTORATES:
            if result := result_of(state, poll.id, electorate):
                yield poll, result


def aliases(state: State) -> Mapping[str, str]:
    """Person id -> `panel 2`, numbered in the order of the hashes of their first ballots."""
    first: dict[str, str] = {}
    for done in state.room.of(BallotCast):
        first.setdefault(done.by, done.hash)
    numbers: Counter[str] = Counter()
    names = {}
    for person in sorted(first, key=lambda i: first[i]):
        electorate = electorate_of(state, person) or "nobody's"
        numbers[electorate] += 1
        names[person] = f"{electorate} {numbers[electorate]}"
    return names


def room_of(state: State) -> Room:
    """Agreed terms for people; every debate with a poll has them."""
    return state.spec.terms


def kind_of(state: State) -> BallotKind:
    return ballot_kind(room_of(state).vote)
