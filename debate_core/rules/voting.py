"""Ballots to tallies to winners. A tie is a value: a set of options, never broken by order.

The threshold rule is seed 000, Mechanism 5. Shares are counted in heads with exact fractions, never floats.
Called by the engine, by `stopping` and by reports.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import comb
from typing import Literal, assert_never

from debate_core.model import Ballot, Count, Role, Synthesis, Tally, Verdict
from debate_core.protocol import Protocol, asks_ballot
from debate_core.rulebook import (
    ByCount,
    BySeat,
    DecisionRule,
    Majority,
    Plurality,
    Supermajority,
    Threshold,
    Unanimity,
    votes_needed,
)
from debate_core.state import Counted, State

Agreement = Literal["consensus", "split", "incoherent", "no_ballots"]


def tally(state: State) -> Tally:
    """Current cast ballots of the debaters, in the order in which the schedule's seats hold them."""
    seats = [s.id for s in state.spec.debaters()]
    return tally_of(state.ballots, seats)


def tally_of(ballots: Mapping[str, Ballot], seats: list[str]) -> Tally:
    """Count ballots of these seats; `eligible` is the number of seats, whatever became of their ballots."""
    votes: Counter[str] = Counter()
    for seat in seats:
        ballot = ballots.get(seat)
        if ballot is not None and ballot.status == "cast" and ballot.choice is not None:
            votes[ballot.choice] += 1
    counts = tuple(Count(option=option, votes=n) for option, n in votes.items())
    return Tally(counts=counts, cast=sum(votes.values()), eligible=len(seats))


def over_the_bar(rule: DecisionRule, counted: Tally) -> tuple[str, ...]:
    """Options with enough votes on one ballot; two or more are a tie. None if too few seats voted."""
    needed = votes_needed(rule, counted.eligible)
    if needed is None or not quorate(rule, counted):
        return ()
    return tuple(c.option for c in counted.counts if c.votes >= needed)


def quorate(rule: DecisionRule, counted: Tally) -> bool:
    """True if as many seats cast a ballot as the rule asks for; abstentions and failures are no cast ballots."""
    quorum = rule.quorum if isinstance(rule, ByCount) else None
    return quorum is None or counted.cast >= quorum


def winners(state: State) -> tuple[str, ...]:
    """Options that the decision rule elects now: one = decided, several = a tie, none = undecided."""
    rule = state.spec.protocol.decide
    match rule:
        case Threshold() | Supermajority() | Unanimity():
            return over_the_bar(rule, state.counted[-1].tally) if state.counted else ()
        case Plurality():
            latest = state.counted[-1].tally if state.counted else Tally()
            return most(latest) if quorate(rule, latest) else ()
        case Majority():
            return _held_majority(rule, state.counted)
        case BySeat():
            named = named_by(state, rule.role)
            return (named[1],) if named and named[1] else ()
        case _:
            assert_never(rule)


def _held_majority(rule: Majority, counted: tuple[Counted, ...]) -> tuple[str, ...]:
    """Seed 003 as adopted: unanimous openings at once, else a strict majority on the last ballots in a row."""
    if not counted:
        return ()
    latest = counted[-1].tally
    ahead = over_the_bar(rule, latest)
    if len(counted) == 1 and ahead and latest.votes(ahead[0]) == latest.eligible:
        return ahead
    row = counted[-rule.ballots_in_a_row :]
    held = len(row) == rule.ballots_in_a_row and all(over_the_bar(rule, c.tally) == ahead for c in row)
    return ahead if held else ()


def named_by(state: State, role: Role) -> tuple[str, str | None] | None:
    """(seat, option or None) of the last synthesis or verdict that a seat of this role gave; None if none did."""
    seats = {s.id for s in state.spec.seats_of(role)}
    for turn in reversed(state.all_turns()):
        if turn.seat in seats and isinstance(turn.content, Synthesis | Verdict):
            return turn.seat, turn.content.option
    return None


def most(counted: Tally) -> tuple[str, ...]:
    """Options with the most votes; two or more are a tie, none if nobody voted."""
    top = max((c.votes for c in counted.counts), default=0)
    return tuple(c.option for c in counted.counts if c.votes == top)


def ties(state: State) -> tuple[str, ...]:
    """Options that stand level where one was needed: all over the bar, or all with the most votes; sorted."""
    rule = state.spec.protocol.decide
    if isinstance(rule, BySeat) or not state.counted:
        return ()
    latest = state.counted[-1].tally
    level = over_the_bar(rule, latest) or most(latest)
    return tuple(sorted(level)) if len(level) > 1 else ()


def first_is_blind(protocol: Protocol) -> bool:
    """True if nobody could see another's turn before the first ballot."""
    first = next((p for p in protocol.phases() if asks_ballot(protocol, p)), None)
    return first is not None and (first.order == "at_once" or first.sees.turns != "all")


def agreement(state: State) -> Agreement:
    """Consensus, split or incoherent, by code alone (seed 003).

    Consensus: the rule elects one. Split: two options with two voters each (or two debaters who differ) and
    nobody changed on the last ballot. No ballot cast at all is its own answer, not incoherence.
    """
    if not state.counted or state.counted[-1].tally.cast == 0:
        return "no_ballots"
    if len(winners(state)) == 1:
        return "consensus"
    latest = state.counted[-1]
    camps = [c for c in latest.tally.counts if c.votes >= 2]
    pair = latest.tally.eligible == 2 and len(latest.tally.counts) == 2
    moved = len(state.counted) > 1 and _choices(state.counted[-2]) != _choices(latest)
    return "split" if (len(camps) >= 2 or pair) and not moved else "incoherent"


def _choices(counted: Counted) -> dict[str, str | None]:
    return {seat: ballot.choice for seat, ballot in counted.ballots.items()}


def chance_level(eligible: int, options: int, needed: int) -> Fraction:
    """Chance that exactly one option reaches `needed` when every seat votes at random.

    Enumerates small panels exactly; larger ones (where two options cannot both pass) by the binomial sum.
    """
    if eligible < 1 or options < 1 or not 1 <= needed <= eligible:
        return Fraction(0)
    if 2 * needed > eligible:
        ways = sum(comb(eligible, k) * (options - 1) ** (eligible - k) for k in range(needed, eligible + 1))
        return Fraction(options * ways, options**eligible)
    if options**eligible > 300_000:
        return Fraction(1)
    hits = sum(
        1
        for ballots in product(range(options), repeat=eligible)
        if sum(n >= needed for n in Counter(ballots).values()) == 1
    )
    return Fraction(hits, options**eligible)
