"""Polls of people: how many are in, whom a poll is counted against, which of them everybody may read, and aliases.

Only a poll that was revealed is read; of every other one it is known how many have answered. Voters stand under
aliases in the order of the hashes of their ballots, never under names.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from debate_core.engine.stage import ELECTORATES, electors, entitled_voters, result_of, voters
from debate_core.record.acts import BallotCast
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.spec.people import Electorate, Person, PollResult, Room
from debate_core.spec.rules import ballot_kind
from debate_core.spec.values import BallotKind


@dataclass(frozen=True, slots=True)
class Progress:
    """How many have answered: all that anybody may know of a poll before it is revealed."""

    poll: str
    electorate: Electorate
    voted: int
    eligible: int


def count_id(poll: str, electorate: Electorate) -> str:
    """`final.panel`: one poll of one electorate is one count."""
    return f"{poll}.{electorate}"


def poll_progress(state: State, poll_id: str) -> tuple[Progress, ...]:
    """Of each electorate that somebody belongs to, how many have answered."""
    rows = []
    for electorate in ELECTORATES:
        poll = state.room.polls.get(poll_id)
        there = {p.id for p in (electors(state, poll, electorate) if poll else voters(state, electorate))}
        voted = {i for i in poll.ballots if electorate_of(state, i) == electorate} if poll else set[str]()
        if there | voted:
            rows.append(Progress(poll_id, electorate, len(voted), len(there | voted)))
    return tuple(rows)


def counted_voters(state: State, poll_id: str, electorate: Electorate) -> tuple[Person, ...]:
    """Whom a closed poll was counted against: whoever comes or goes later changes nothing. Before, who may vote now."""
    poll = state.room.polls.get(poll_id)
    if poll is None or poll.closed is None:
        return voters(state, electorate)
    return entitled_voters(state, poll, electorate)


def electorate_of(state: State, person: str) -> Electorate | None:
    """Where this person votes."""
    return state.room.people[person].electorate


def revealed_polls(state: State) -> tuple[PollState, ...]:
    """Polls that everybody may read, in the order in which they were opened."""
    return tuple(p for p in state.room.polls.values() if p.revealed)


def revealed_results(state: State) -> Iterator[tuple[PollState, PollResult]]:
    """Every count that everybody may read."""
    for poll in revealed_polls(state):
        for electorate in ELECTORATES:
            if result := result_of(state, poll.id, electorate):
                yield poll, result


def aliases(state: State) -> Mapping[str, str]:
    """Person id -> `panel 2`: numbered in the order of the hashes of their first ballots."""
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
    """What was agreed on people; a poll can only be opened where something was."""
    return state.spec.terms


def kind_of(state: State) -> BallotKind:
    """What a ballot of this room says."""
    return ballot_kind(room_of(state).vote)
