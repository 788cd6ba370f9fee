"""Seats that vote alike although one answers a claim of the other, or for reasons with nothing in common.

The reasons of a seat are the ids of claims in its turns since it last voted for another option: claims that it makes or
concedes, and claims that it answers. A seat that cites no claim of another seat has unknown reasons. No text is
interpreted, and no count reads this.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from debate_core.engine.count.ballots import BallotCounted, tops
from debate_core.record.state import State, Turn
from debate_core.report.facts.claims import first_wordings, links_made
from debate_core.report.facts.counts import final_ballots
from debate_core.report.facts.turns import readable_turns, sealed_seats
from debate_core.spec.contents import Argument
from debate_core.spec.rules import ballot_kind
from debate_core.spec.values import Given

Reasons = Literal["unknown", "contradict", "apart", "shared"]


@dataclass(frozen=True, slots=True)
class SameVoteRow:
    """Two seats whose ballots put the same option highest."""

    option: str
    first: str
    second: str
    overlap: float | None
    """Jaccard index of the claims that both rest on or answer, 0 to 1; None if one of them cites no claim."""
    common: tuple[str, ...]
    """Claims that both rest on, or both answer."""
    contradicted: tuple[str, ...]
    """Claims that one of them rests on and the other one answers."""

    @property
    def reasons(self) -> Reasons:
        """`contradict`: one answers a claim of the other; `apart`: no claim in common."""
        if self.contradicted:
            return "contradict"
        if self.overlap is None:
            return "unknown"
        return "shared" if self.common else "apart"

    @property
    def differs(self) -> bool:
        """True if one answers a claim of the other, or the reasons have nothing in common."""
        return self.reasons in ("contradict", "apart")


@dataclass(frozen=True, slots=True)
class _Cited:
    """Claims that a seat rests on and claims that it answers, each by the id of its first wording."""

    rests: frozenset[str] = frozenset()
    answers: frozenset[str] = frozenset()
    cites: bool = False
    """True if it names at least one claim of another seat."""


def same_vote_rows(state: State) -> tuple[SameVoteRow, ...]:
    """Pairs of seats that vote alike at the close or so far, in schedule order; code that quotes has no reasons."""
    ballots = final_ballots(state)
    votes = {}
    for seat in state.spec.debaters():
        ballot = ballots.get(seat.id)
        if ballot is None or ballot.status != "cast" or seat.occupant == "offline":
            continue
        highest = _highest(state, seat.id, ballot.choice, ballot.given)
        if len(highest) == 1:
            votes[seat.id] = highest[0]
    cited = _cited_by_seat(state, votes)
    rows = []
    for first, second in combinations(votes, 2):
        if votes[first] == votes[second]:
            rows.append(_row(votes[first], first, second, cited))
    return tuple(rows)


def _cited_by_seat(state: State, votes: Mapping[str, str]) -> Mapping[str, _Cited]:
    original = first_wordings(state, sealed_seats(state))
    turns: dict[str, list[Turn]] = {seat: [] for seat in votes}
    for turn in readable_turns(state):
        if turn.status != "ok" or turn.argument is None or turn.seat not in votes:
            continue
        if _votes_otherwise(state, turn.seat, turn.argument, votes[turn.seat]):
            # Arguments for another option are no reasons for the present vote.
            turns[turn.seat].clear()
        else:
            turns[turn.seat].append(turn)
    return {seat: _cited(given, original) for seat, given in turns.items()}


def _votes_otherwise(state: State, seat: str, argument: Argument, option: str) -> bool:
    """True if this turn gives a ballot that does not put the option alone on top."""
    if argument.vote is None and not argument.ballot:
        return False
    return _highest(state, seat, argument.vote, argument.ballot) != (option,)


def _highest(state: State, seat: str, choice: str | None, given: tuple[Given, ...]) -> tuple[str, ...]:
    kind = ballot_kind(state.spec.protocol.decide)
    return tuple(tops(kind, BallotCounted(seat, choice, given), state.spec.drivers))


def _cited(turns: Iterable[Turn], original: Mapping[str, str]) -> _Cited:
    made, conceded, answered = set[str](), set[str](), set[str]()
    for turn in turns:
        for link in links_made(turn.seat, turn.request, turn.content) if turn.content else ():
            conceded.update(link.concedes)
            answered.update(link.answers)
        made.update(claim.id for claim in turn.claims)
    # Ids that name no claim are no reasons.
    rests = {original[claim] for claim in made | conceded if claim in original}
    answers = {original[claim] for claim in answered if claim in original} - rests
    cites = not original.keys().isdisjoint((conceded | answered) - made)
    return _Cited(frozenset(rests), frozenset(answers), cites=cites)


def _row(option: str, first: str, second: str, cited: Mapping[str, _Cited]) -> SameVoteRow:
    one, other = cited.get(first, _Cited()), cited.get(second, _Cited())
    common = (one.rests & other.rests) | (one.answers & other.answers)
    # A claim that one rests on and the other answers is two different reasons.
    n_reasons = len(one.rests | other.rests) + len(one.answers | other.answers)
    is_known = one.cites and other.cites
    return SameVoteRow(
        option=option,
        first=first,
        second=second,
        overlap=round(len(common) / n_reasons, 4) if is_known else None,
        common=tuple(sorted(common)),
        contradicted=tuple(sorted((one.rests & other.answers) | (other.rests & one.answers))),
    )
