"""A closed count of people, step by step, so that it can be checked on screen: what each ballot gives to each option.

Counted again from the ballots; whether it comes out as recorded is one of the rows' facts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from debate_core.engine import voting
from debate_core.engine.count import counting, methods
from debate_core.engine.count.condorcet import TooManyTies
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.report.facts.counts import Number, final_ballots, number
from debate_core.report.facts.polls import casts, counted_again, eligible_weights, kind_of, room_of, that_say
from debate_core.spec.people import PollResult
from debate_core.spec.rules import BySeat, CountedRule, Elected, ballot_kind
from debate_core.spec.values import ABSTAIN, BallotKind

_IN_PAIRS = ("copeland", "minimax", "schulze", "ranked_pairs", "bucklin", "weighted_criteria")
"""Rules whose points are not a sum over ballots."""
_IN_ROUNDS = ("irv", "irv_put", "coombs")


@dataclass(frozen=True, slots=True)
class Gives:
    """One ballot by its receipt, and what it adds to each option; `gives` None where the rule adds nothing up."""

    receipt: str
    weight: int
    said: str
    gives: dict[str, Number] | None


@dataclass(frozen=True, slots=True)
class RoundRow:
    """One option in one round of an elimination."""

    round: int
    option: str
    votes: Number
    out: bool
    exhausted: Number
    """Votes that name nobody who is left; the same in all rows of a round."""


def agrees(state: State, poll: PollState, result: PollResult) -> bool:
    """True if the ballots, counted once more, give what was recorded at the close."""
    again = counted_again(state, poll, result.electorate)
    points = {p.option: Fraction(p.points) for p in result.points}
    return again.winners == result.winners and dict(again.points) == points and again.cast == result.cast


def ballot_by_ballot(state: State, poll: PollState, result: PollResult) -> tuple[Gives, ...]:
    """What every ballot that counted adds; under rules that add up, the columns sum to the points of the options."""
    rule, kind, options = room_of(state).vote, kind_of(state), state.spec.options
    drivers = state.spec.drivers
    rows = []
    for ballot in casts(state, poll, result.electorate):
        abstains = not ballot.says()
        said = ABSTAIN if abstains else ballot.choice or counting.ballot_words(kind, ballot.given)
        gives = None
        if rule.kind not in _IN_PAIRS:
            alone = counting.count(rule, options, [ballot], eligible=eligible_weights(result), drivers=drivers)
            gives = {o: number(alone.points[o]) for o in options}
        rows.append(Gives(ballot.voter, ballot.weight, said, gives))
    return tuple(rows)


def round_rows(state: State, poll: PollState, result: PollResult) -> tuple[RoundRow, ...]:
    """The rounds of an elimination; () under every other rule."""
    ballots = casts(state, poll, result.electorate)
    return _rounds(room_of(state).vote, kind_of(state), state.spec.options, ballots)


def debater_rounds(state: State) -> tuple[RoundRow, ...]:
    """The same of the debaters' last ballots; () if no elimination decides."""
    rule, spec = state.spec.protocol.decide, state.spec
    if isinstance(rule, BySeat) or not state.counted:
        return ()
    return _rounds(rule, ballot_kind(rule), spec.options, voting.casts(final_ballots(state), spec.debaters()))


def _rounds(
    rule: CountedRule, kind: BallotKind, options: Sequence[str], ballots: Sequence[counting.Cast]
) -> tuple[RoundRow, ...]:
    if not isinstance(rule, Elected) or rule.kind not in _IN_ROUNDS:
        return ()
    votes = counting.profile_of(kind, options, that_say(ballots))
    try:
        rounds = methods.METHODS[rule.kind](votes).rounds
    except TooManyTies:
        return ()
    return tuple(
        RoundRow(place, option, number(points), option in held.eliminated, number(held.exhausted))
        for place, held in enumerate(rounds, start=1)
        for option, points in sorted(held.tally.items(), key=lambda item: (-item[1], item[0]))
    )
