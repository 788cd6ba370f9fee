"""What the same ballots would say otherwise: another rule or bar, other weights, without somebody. Nothing is recorded.

One electorate at a time, counted by the one function that counts everything. The rule agreed before the start has
decided; this changes nothing.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from debate_core.engine import voting
from debate_core.engine.count import flips
from debate_core.engine.count.counting import Cast, Tallied
from debate_core.engine.count.flips import Flip, Voters
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.report.facts.counts import final_ballots
from debate_core.report.facts.polls import casts, counted_voters, kind_of, revealed_results, room_of
from debate_core.report.facts.robustness import counted_by, others_of
from debate_core.report.facts.usage import family_of
from debate_core.spec.people import PollResult, poll_name
from debate_core.spec.protocol import Driver
from debate_core.spec.rules import BySeat, CountedRule, Elected, Threshold, ballot_kind, votes_needed
from debate_core.spec.values import BallotKind, Count, Tally


@dataclass(frozen=True, slots=True)
class Votes:
    """The ballots of one count. Voters are seats, or receipts of people: never names of people."""

    name: str
    rule: CountedRule
    kind: BallotKind
    options: tuple[str, ...]
    casts: tuple[Cast, ...]
    silent: Mapping[str, int]
    """Who could have voted and did not -> weight."""
    families: Mapping[str, str]
    """Voter -> family of the model that votes there."""
    seed: int
    drivers: tuple[Driver, ...] = ()

    def voters(self) -> dict[str, int]:
        """Everybody who may vote -> weight as agreed."""
        return {**{c.voter: c.weight for c in self.casts}, **self.silent}


@dataclass(frozen=True, slots=True)
class Otherwise:
    """What is to be different. Weights of voters who are not named stay as agreed; 0 is as good as left out."""

    rule: CountedRule | None = None
    weights: Mapping[str, int] = field(default_factory=dict)
    without: frozenset[str] = frozenset()


AS_AGREED = Otherwise()


def votes_of(state: State) -> tuple[Votes, ...]:
    """The debaters' last ballots, then each electorate in each revealed poll."""
    found = [] if isinstance(state.spec.protocol.decide, BySeat) or not state.counted else [_debaters(state)]
    return (*found, *(_people(state, poll, result) for poll, result in revealed_results(state)))


def _debaters(state: State) -> Votes:
    spec, rule = state.spec, state.spec.protocol.decide
    assert not isinstance(rule, BySeat)
    given = voting.casts(final_ballots(state), spec.debaters())
    there = {c.voter for c in given}
    silent = {s.id: s.weight for s in spec.debaters() if s.id not in there}
    families = {s.id: name for s in spec.debaters() if (name := family_of(spec, s))}
    return Votes("debaters", rule, ballot_kind(rule), spec.options, given, silent, families, spec.seed, spec.drivers)


def _people(state: State, poll: PollState, result: PollResult) -> Votes:
    """Those who cast nothing stand there by number and weight, the heaviest first, and never by name."""
    given, there = tuple(casts(state, poll, result.electorate)), counted_voters(state, poll.id, result.electorate)
    weights = sorted((p.weight for p in there if p.id not in poll.ballots), reverse=True)
    silent = {f"no ballot {i}": weight for i, weight in enumerate(weights, start=1)}
    name = f"{poll_name(poll.id)} of the {result.electorate}"
    rule, spec = room_of(state).vote, state.spec
    return Votes(name, rule, kind_of(state), spec.options, given, silent, {}, spec.seed, spec.drivers)


def counted(votes: Votes, otherwise: Otherwise = AS_AGREED) -> Tallied:
    """The count with what is to be different; as agreed if nothing is."""
    voters = _voters(votes, otherwise)
    return voters.count(voters.casts)


def _voters(votes: Votes, otherwise: Otherwise) -> Voters:
    """Who votes, and by which rule, with what is to be different."""
    gone = otherwise.without | {v for v, w in otherwise.weights.items() if w == 0}
    weights = {v: otherwise.weights.get(v, w) for v, w in votes.voters().items() if v not in gone}
    casts = tuple(Cast(c.voter, c.choice, c.given, weights[c.voter]) for c in votes.casts if c.voter in weights)
    silent = {v: w for v, w in weights.items() if v in votes.silent}
    return Voters(otherwise.rule or votes.rule, votes.kind, votes.options, casts, silent, votes.seed, votes.drivers)


def rules_for(votes: Votes) -> tuple[CountedRule, ...]:
    """The agreed rule first, then a bar that can be moved where a vote is one option, then every other rule."""
    bar = Threshold(votes=_more_than_half(votes), allows_two_winners=True)
    movable = (bar,) if votes.kind == "one" and not isinstance(votes.rule, Threshold) else ()
    return (votes.rule, *movable, *others_of(votes.rule))


def _more_than_half(votes: Votes) -> int:
    return sum(votes.voters().values()) // 2 + 1


def flip(votes: Votes, otherwise: Otherwise = AS_AGREED) -> Flip:
    """How near the result is to another one: whoever may vote could have voted otherwise, or not at all."""
    known = _known_flip(votes, otherwise)
    return flips.fewest(_voters(votes, otherwise)) if known is None else Flip(known, exact=True, tried=known)


def _known_flip(votes: Votes, otherwise: Otherwise) -> int | None:
    """Worked out at once for heads with one vote each; None where only a search can tell."""
    rule = otherwise.rule or votes.rule
    left = {v: otherwise.weights.get(v, w) for v, w in votes.voters().items() if v not in otherwise.without}
    if (
        votes.kind != "one"
        or isinstance(rule, Elected)
        or rule.base != "eligible"
        or rule.tie
        or set(left.values()) != {1}
    ):
        return None
    if max(votes_needed(rule, len(left)) or 0, rule.quorum or 0) > len(left):
        return None
    said = Counter(c.choice for c in votes.casts if c.voter in left and c.choice is not None and c.says())
    counts = tuple(Count(option=o, votes=said[o]) for o in votes.options)
    tally = Tally(counts=counts, cast=said.total(), eligible=len(left))
    known = counted_by(rule, votes.options, tally).flip
    return known.ballots if known else None
