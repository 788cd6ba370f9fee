"""Surprisingly popular options of a revealed final vote: chosen by more voters than all of them expected. Advice only.

Prelec, Seung and McCoy, Nature 541 (2017), 532-535. Heads and not weights. Knows no words.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from debate_core.engine import stage
from debate_core.record.acts import BallotCast
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.spec.people import Electorate
from debate_core.spec.values import ABSTAIN

MIN_GUESSES = 10
"""Fewer guesses say little, and their mean could show the guess of one person."""


@dataclass(frozen=True, slots=True)
class GuessRow:
    """One option in one electorate."""

    electorate: Electorate
    option: str
    votes: int
    ballots: int
    """Ballots of this electorate without abstentions."""
    guesses: int
    """Ballots of this electorate with a guess, abstentions included."""
    expected: Fraction | None
    """Votes that the mean guess gives to this option, of `ballots`; None below `MIN_GUESSES`."""

    @property
    def surprisingly_popular(self) -> bool | None:
        """True if more voters chose it than the mean guess says; None below `MIN_GUESSES`."""
        return None if self.expected is None else self.votes > self.expected

    @property
    def rounded(self) -> float | None:
        """`expected` with three decimals."""
        return None if self.expected is None else round(float(self.expected), 3)


def guess_rows(account: Account, electorate: Electorate) -> tuple[GuessRow, ...]:
    """The options in their order; () before the reveal, without ballots, and where no guess was asked for."""
    cast = _revealed_ballots(account.state, electorate)
    if not cast:
        return ()
    votes = Counter(ballot.choice for ballot in cast if ballot.choice != ABSTAIN)
    guesses = [{one.option: one.votes for one in ballot.expects} for ballot in cast if ballot.expects]
    shares = expected_shares(guesses) if len(guesses) >= MIN_GUESSES else {}
    return tuple(
        GuessRow(
            electorate=electorate,
            option=option,
            votes=votes[option],
            ballots=votes.total(),
            guesses=len(guesses),
            expected=shares[option] * votes.total() if shares else None,
        )
        for option in account.state.spec.options
    )


def _revealed_ballots(state: State, electorate: Electorate) -> Sequence[BallotCast]:
    """The ballots of a revealed final vote that asked for a guess."""
    final = state.room.polls.get("final")
    if not state.spec.terms.asks_guess or final is None or not final.revealed:
        return ()
    voters = stage.electors(state, final, electorate)
    return [final.ballots[person.id].fact for person in voters if person.id in final.ballots]


def expected_shares(guesses: Sequence[Mapping[str, int]]) -> Mapping[str, Fraction]:
    """Option -> mean of the shares that the guesses give to it; every guess has the same weight."""
    shares: dict[str, Fraction] = {}
    for guess in guesses:
        for option, votes in guess.items():
            share = Fraction(votes, sum(guess.values()) * len(guesses))
            shares[option] = shares.get(option, Fraction()) + share
    return shares


def all_guess_rows(account: Account) -> tuple[GuessRow, ...]:
    return tuple(row for electorate in stage.ELECTORATES for row in account.once(guess_rows, electorate))
