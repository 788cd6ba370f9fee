"""What other rules would have said of the same ballots, and how few ballots would have to differ to change it.

Counted exactly from the ballots at the close. It changes nothing: the rule agreed before the start has decided.
Called by reports and screens.
"""

from dataclasses import dataclass
from fractions import Fraction

from debate_core.model import Tally
from debate_core.report.rows import final_tally
from debate_core.report.sentences import spoken_list
from debate_core.rulebook import (
    BySeat,
    CountedRule,
    Majority,
    Plurality,
    Supermajority,
    Unanimity,
    votes_needed,
)
from debate_core.rules import methods
from debate_core.rules.profile import Profile, Vote
from debate_core.state import State


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What one rule says of the ballots. `winners` sorted: several are a tie, none = undecided."""

    rule: str
    needed: int | None
    """Votes that elect; None where most votes do."""
    winners: tuple[str, ...]
    agreed: bool
    """True for the rule that was agreed before the start."""
    flips_with: int
    """The fewest ballots that would have to be cast otherwise for another result, a tie or none too."""


def what_if(state: State) -> tuple[WhatIf, ...]:
    """The agreed rule first, then plurality, majority, supermajority and unanimity; () if no ballots are counted.

    They look at the last ballots alone: a majority that must hold on several ballots in a row is read as one.
    """
    rule = state.spec.protocol.decide
    if isinstance(rule, BySeat) or not state.counted:
        return ()
    counted = final_tally(state)
    others = (r for r in (Plurality(), Majority(), Supermajority(), Unanimity()) if r.kind != rule.kind)
    return tuple(counted_by(r, state.spec.options, counted, agreed=r is rule) for r in (rule, *others))


def counted_by(rule: CountedRule, options: tuple[str, ...], counted: Tally, *, agreed: bool = False) -> WhatIf:
    """What this rule says of one count."""
    needed = votes_needed(rule, counted.eligible)
    votes = Profile(options, tuple(Vote(Fraction(c.votes), (frozenset({c.option}),)) for c in counted.counts))
    elected = methods.plurality(votes) if needed is None else methods.threshold(votes, needed)
    quorate = counted.cast >= (rule.quorum or 0)
    flips = _flips(options, counted, needed, rule.quorum or 0)
    return WhatIf(rule.kind, needed, elected.winners if quorate else (), agreed, flips)


def _flips(options: tuple[str, ...], counted: Tally, needed: int | None, quorum: int) -> int:
    """The fewest ballots whose change changes the set of winners; those of seats that cast none may change too."""
    each = sorted((counted.votes(o) for o in options), reverse=True)
    missing = quorum - counted.cast
    if missing > 0:
        return missing if needed is None else max(missing, needed - each[0])
    if needed is None:
        # One ballot that moves from the first to the second closes the gap by two.
        change, decided = max(1, -(-(each[0] - each[1]) // 2)), each[0] > 0
    else:
        change, decided = min(v - needed + 1 if v >= needed else needed - v for v in each), each[0] >= needed
    return min(change, 1 - missing) if decided and quorum else change


def robustness_sentence(state: State) -> str:
    """What the other rules say, and how near the agreed one was to another result; empty if nothing was counted."""
    rows = what_if(state)
    if not rows:
        return ""
    agreed, others = rows[0], rows[1:]
    said: dict[tuple[str, ...], list[str]] = {}
    for row in others:
        said.setdefault(row.winners, []).append(row.rule)
    told = "; ".join(f"{spoken_list(rules)} → {_result(winners)}" for winners, rules in said.items())
    ballots = "1 ballot" if agreed.flips_with == 1 else f"{agreed.flips_with} ballots"
    return (
        f"On the last ballots {agreed.rule} → {_result(agreed.winners)}, and {ballots} cast otherwise would change "
        f"that; {told}."
    )


def _result(winners: tuple[str, ...]) -> str:
    return spoken_list(winners) + (" level" if len(winners) > 1 else "") if winners else "nothing decided"
