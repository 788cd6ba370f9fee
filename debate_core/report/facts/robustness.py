"""What other rules would have said of the same ballots, and how few ballots would have to differ to change it.

Counted exactly from the ballots at the close. It changes nothing: the rule agreed before the start has decided.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from debate_core.engine import voting
from debate_core.engine.count import methods
from debate_core.engine.count.flips import MAX_COUNTS, Flip, Voters, fewest
from debate_core.engine.count.profile import Profile, Vote
from debate_core.record.state import State
from debate_core.report.facts.counts import Number, counts_heads, final_ballots, final_tally, number, without_weights
from debate_core.spec.rules import (
    BySeat,
    CountedRule,
    Elected,
    ElectedKind,
    Majority,
    Plurality,
    Supermajority,
    Threshold,
    Unanimity,
    ballot_kind,
    votes_needed,
)
from debate_core.spec.values import BallotKind, Tally, in_words
from debate_core.text import plural, spoken_list


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What one rule says of the ballots. `winners` sorted: several are a tie, none = undecided."""

    rule: str
    needed: Number | None
    """Votes that elect; None where most votes do."""
    winners: tuple[str, ...]
    agreed: bool
    """True for the rule that was agreed before the start."""
    flip: Flip | None
    """How few ballots would have to be cast otherwise for another result, a tie or none too; None = not asked."""


_RANKED: tuple[ElectedKind, ...] = ("borda", "copeland", "minimax", "schulze", "ranked_pairs", "irv", "bucklin")
_ALSO: Mapping[BallotKind, tuple[ElectedKind, ...]] = {
    "approval": ("approval",),
    "ranking": _RANKED,
    "score": ("score", "star", *_RANKED),
    "dots": ("cumulative",),
    "consent": ("consent",),
}
"""Rules that ballots of a kind can feed beside the agreed one."""
QUICK = 400
"""Counts of a search where many rules are asked at once."""
_ONE: tuple[CountedRule, ...] = (Plurality(), Majority(), Supermajority(), Unanimity())


def what_if(state: State) -> tuple[WhatIf, ...]:
    """The agreed rule first, then every other one that these ballots can feed; () if no ballots are counted.

    They look at the last ballots alone: a majority that must hold on several ballots in a row is read as one.
    """
    return tuple(_said(state, rule, counts=QUICK) for rule in _rules(state))


def _rules(state: State) -> tuple[CountedRule, ...]:
    rule = state.spec.protocol.decide
    return () if isinstance(rule, BySeat) or not state.counted else (rule, *others_of(rule))


def others_of(rule: CountedRule) -> tuple[CountedRule, ...]:
    """Every other rule that ballots cast for this one can feed."""
    kind = ballot_kind(rule)
    named = _ONE if kind in ("one", "ranking", "score") else ()
    return tuple(r for r in (*named, *(Elected(kind=k) for k in _ALSO.get(kind, ()))) if r.kind != rule.kind)


def _said(state: State, rule: CountedRule, *, counts: int = 0) -> WhatIf:
    """What one rule says; how near that is to another result is looked for in so many counts."""
    spec, agreed = state.spec, rule is state.spec.protocol.decide
    if counts_heads(state) and rule.base == "eligible" and not rule.tie and not isinstance(rule, Elected):
        return counted_by(rule, spec.options, final_tally(state), agreed=agreed)
    ballots = final_ballots(state)
    found = voting.tallied(spec, ballots, rule)
    casts = voting.casts(ballots, spec.debaters())
    there = {c.voter for c in casts}
    silent = {s.id: s.weight for s in spec.debaters() if s.id not in there}
    voters = Voters(rule, ballot_kind(spec.protocol.decide), spec.options, casts, silent, spec.seed, spec.drivers)
    needed = None if found.needed is None else number(found.needed)
    return WhatIf(rule.kind, needed, found.winners, agreed, fewest(voters, counts=counts) if counts else None)


def counted_by(rule: CountedRule, options: tuple[str, ...], counted: Tally, *, agreed: bool = False) -> WhatIf:
    """What this rule says of one count of heads."""
    needed = votes_needed(rule, counted.eligible)
    votes = Profile(options, tuple(Vote(Fraction(c.votes), (frozenset({c.option}),)) for c in counted.counts))
    elected = methods.plurality(votes) if needed is None else methods.threshold(votes, needed)
    quorate = counted.cast >= (rule.quorum or 0)
    flips = _flips(options, counted, needed, rule.quorum or 0)
    return WhatIf(rule.kind, needed, elected.winners if quorate else (), agreed, Flip(flips, exact=True, tried=flips))


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


def flip_words(found: Flip | None) -> str:
    """`2`, `2 or 3`, `more than 4`; empty if nobody looked."""
    if found is None:
        return ""
    if found.ballots is None:
        return "none changes it" if found.exact else f"more than {found.tried}"
    least = found.tried + 1
    between = "or" if least + 1 == found.ballots else "to"
    return str(found.ballots) if found.exact else f"{least} {between} {found.ballots}"


def robustness_sentence(state: State) -> str:
    """What the agreed rule says, how near that was to another result, and under which rules it holds or does not.

    Empty if nothing was counted.
    """
    rules = _rules(state)
    if not rules:
        return ""
    agreed, others = _said(state, rules[0], counts=MAX_COUNTS), [_said(state, r) for r in rules[1:]]
    parts = [f"On the last ballots {in_words(agreed.rule)} says: {_result(agreed.winners)}{_near(agreed.flip)}."]
    parts += _holds(agreed.winners, others) if len(agreed.winners) == 1 else _elsewhere(agreed.winners, others)
    return " ".join([*parts, *_unweighted(state, agreed)])


def _near(found: Flip | None) -> str:
    if found is None or found.ballots is None:
        tried = found.tried if found else 0
        return f"; no {plural(tried, 'ballot')} cast otherwise would change that" if tried else ""
    ballots = "ballot" if flip_words(found) == "1" else "ballots"
    return f"; {flip_words(found)} {ballots} cast otherwise would change that"


def _holds(winners: tuple[str, ...], others: Sequence[WhatIf]) -> list[str]:
    """`Borda and irv elect it too. It loses under minimax (b). It is level under copeland (a and b).`"""
    also = [in_words(o.rule) for o in others if o.winners == winners]
    other = _by_result(winners, others)
    option = winners[0]
    loses = [f"{spoken_list(names)} ({_result(w)})" for w, names in other.items() if w and option not in w]
    level = [f"{spoken_list(names)} ({_result(w)})" for w, names in other.items() if option in w]
    said = [f"It also wins under {spoken_list(also)}."] if also else []
    said += [f"It loses under {spoken_list(loses)}."] if loses else []
    said += [f"It is level with others under {spoken_list(level)}."] if level else []
    return [*said, *([f"Nothing is decided under {spoken_list(other[()])}."] if () in other else [])]


def _elsewhere(winners: tuple[str, ...], others: Sequence[WhatIf]) -> list[str]:
    return [f"Under {spoken_list(names)}: {_result(w)}." for w, names in _by_result(winners, others).items()]


def _by_result(winners: tuple[str, ...], others: Sequence[WhatIf]) -> dict[tuple[str, ...], list[str]]:
    """Every other result and the rules that come to it."""
    found: dict[tuple[str, ...], list[str]] = {}
    for row in others:
        if row.winners != winners:
            found.setdefault(row.winners, []).append(in_words(row.rule))
    return found


def _unweighted(state: State, agreed: WhatIf) -> list[str]:
    """What the agreed rule says if every ballot weighs 1; nothing where every one does, or the bar is so many votes."""
    rule, spec = state.spec.protocol.decide, without_weights(state.spec)
    if isinstance(rule, BySeat) or spec == state.spec:
        return []
    if isinstance(rule, Threshold) and rule.votes > len(spec.debaters()):
        return [f"Without weights nothing could be decided: {rule.votes} votes are needed of {len(spec.debaters())}."]
    plain = voting.tallied(spec, final_ballots(state), rule).winners
    same = "the same" if plain == agreed.winners else _result(plain)
    return [f"If every ballot weighed 1, the result would be: {same}."]


def _result(winners: tuple[str, ...]) -> str:
    return spoken_list(winners) + (" level" if len(winners) > 1 else "") if winners else "nothing decided"
