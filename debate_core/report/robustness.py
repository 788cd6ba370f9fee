"""What other rules would have said of the same ballots, and how few ballots would have to differ to change it.

Counted exactly from the ballots at the close. It changes nothing: the rule agreed before the start has decided.
Called by reports and screens.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from debate_core.model import BallotKind, Tally
from debate_core.report.ballots import Number, counts_heads, final_ballots, final_tally, number
from debate_core.report.sentences import spoken_list
from debate_core.rulebook import (
    BySeat,
    CountedRule,
    Elected,
    ElectedKind,
    Majority,
    Plurality,
    Supermajority,
    Unanimity,
    ballot_kind,
    votes_needed,
)
from debate_core.rules import methods, voting
from debate_core.rules.profile import Profile, Vote
from debate_core.state import State


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What one rule says of the ballots. `winners` sorted: several are a tie, none = undecided."""

    rule: str
    needed: Number | None
    """Votes that elect; None where most votes do."""
    winners: tuple[str, ...]
    agreed: bool
    """True for the rule that was agreed before the start."""
    flips_with: int | None
    """The fewest ballots that would have to be cast otherwise for another result, a tie or none too.

    None where it is not worked out: shares of the ballots cast, weights, ballots that say more than one option.
    """


_RANKED: tuple[ElectedKind, ...] = ("borda", "copeland", "minimax", "schulze", "ranked_pairs", "irv", "bucklin")
_ALSO: Mapping[BallotKind, tuple[ElectedKind, ...]] = {
    "approval": ("approval",),
    "ranking": _RANKED,
    "score": ("score", "star", *_RANKED),
    "dots": ("cumulative",),
    "consent": ("consent",),
}
"""Rules that ballots of a kind can feed beside the agreed one."""
_ONE: tuple[CountedRule, ...] = (Plurality(), Majority(), Supermajority(), Unanimity())


def what_if(state: State) -> tuple[WhatIf, ...]:
    """The agreed rule first, then every other one that these ballots can feed; () if no ballots are counted.

    They look at the last ballots alone: a majority that must hold on several ballots in a row is read as one.
    """
    rule = state.spec.protocol.decide
    if isinstance(rule, BySeat) or not state.counted:
        return ()
    return tuple(_counted(state, r, agreed=r is rule) for r in (rule, *others_of(rule)))


def others_of(rule: CountedRule) -> tuple[CountedRule, ...]:
    """Every other rule that ballots cast for this one can feed."""
    kind = ballot_kind(rule)
    named = _ONE if kind in ("one", "ranking", "score") else ()
    return tuple(r for r in (*named, *(Elected(kind=k) for k in _ALSO.get(kind, ()))) if r.kind != rule.kind)


def _counted(state: State, rule: CountedRule, *, agreed: bool) -> WhatIf:
    if counts_heads(state) and rule.base == "eligible" and not rule.tie:
        return counted_by(rule, state.spec.options, final_tally(state), agreed=agreed)
    found = voting.tallied(state.spec, final_ballots(state), rule)
    needed = None if found.needed is None else number(found.needed)
    return WhatIf(rule.kind, needed, found.winners, agreed, None)


def counted_by(rule: CountedRule, options: tuple[str, ...], counted: Tally, *, agreed: bool = False) -> WhatIf:
    """What this rule says of one count of heads."""
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
    near = ""
    if agreed.flips_with is not None:
        ballots = "1 ballot" if agreed.flips_with == 1 else f"{agreed.flips_with} ballots"
        near = f", and {ballots} cast otherwise would change that"
    also = f"; {told}" if told else ""
    return f"On the last ballots {agreed.rule} → {_result(agreed.winners)}{near}{also}."


def _result(winners: tuple[str, ...]) -> str:
    return spoken_list(winners) + (" level" if len(winners) > 1 else "") if winners else "nothing decided"
