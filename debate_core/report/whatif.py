"""What the same ballots would say otherwise: another rule or bar, other weights, without somebody. Nothing is recorded.

One electorate at a time, counted by the one function that counts everything. The rule agreed before the start has
decided; this changes nothing. Called by screens.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, product

from debate_core.model import BallotKind, Count, Tally
from debate_core.report.act_words import poll_name
from debate_core.report.ballots import final_ballots
from debate_core.report.polls import casts, eligible_weights, kind_of, revealed_results, room_of
from debate_core.report.robustness import counted_by, others_of
from debate_core.report.usage import family_of
from debate_core.room import PollResult
from debate_core.room_state import PollState
from debate_core.rulebook import BySeat, CountedRule, Elected, Threshold, ballot_kind, votes_needed
from debate_core.rules import counting, voting
from debate_core.rules.counting import Cast, Tallied
from debate_core.state import State

MAX_COUNTS = 1_500
"""How many counts the search for the fewest ballots makes before it gives up."""


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


@dataclass(frozen=True, slots=True)
class Flip:
    """The fewest ballots that would have to be cast otherwise for another result.

    `ballots` None: none found with up to `tried`. `exact` False: ballots that say several things were only changed
    into ballots that name one option, so that fewer may be enough.
    """

    ballots: int | None
    exact: bool
    tried: int


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
    return Votes("debaters", rule, ballot_kind(rule), spec.options, given, silent, families, spec.seed)


def _people(state: State, poll: PollState, result: PollResult) -> Votes:
    """Those who cast nothing are not known by name; together they weigh what is left."""
    given = tuple(casts(state, poll, result.electorate))
    left = sum(eligible_weights(result)) - sum(c.weight for c in given)
    heads = result.eligible - len(given)
    silent = {f"no ballot {i}": 1 if i > 1 else left - heads + 1 for i in range(1, heads + 1)}
    name = f"{poll_name(poll.id)} of the {result.electorate}"
    return Votes(name, room_of(state).vote, kind_of(state), state.spec.options, given, silent, {}, state.spec.seed)


def counted(votes: Votes, otherwise: Otherwise = AS_AGREED) -> Tallied:
    """The count with what is to be different; as agreed if nothing is."""
    return _count(votes, otherwise, votes.casts)


def _count(votes: Votes, otherwise: Otherwise, given: Sequence[Cast]) -> Tallied:
    def weight(voter: str, agreed: int) -> int:
        return otherwise.weights.get(voter, agreed)

    gone = otherwise.without | {v for v, w in otherwise.weights.items() if w == 0}
    kept = [Cast(c.voter, c.choice, c.given, weight(c.voter, c.weight)) for c in given if c.voter not in gone]
    eligible = [weight(v, w) for v, w in votes.voters().items() if v not in gone]
    rule = otherwise.rule or votes.rule
    return counting.count(rule, votes.options, kept, eligible=eligible, seed=votes.seed, kind=votes.kind)


def rules_for(votes: Votes) -> tuple[CountedRule, ...]:
    """The agreed rule first, then a bar that can be moved where a vote is one option, then every other rule."""
    bar = Threshold(votes=_more_than_half(votes), allows_two_winners=True)
    movable = (bar,) if votes.kind == "one" and not isinstance(votes.rule, Threshold) else ()
    return (votes.rule, *movable, *others_of(votes.rule))


def _more_than_half(votes: Votes) -> int:
    return sum(votes.voters().values()) // 2 + 1


def flip(votes: Votes, otherwise: Otherwise = AS_AGREED) -> Flip:
    """How near the result is to another one: whoever may vote could have voted otherwise, or not at all."""
    if (known := _known_flip(votes, otherwise)) is not None:
        return Flip(known, exact=True, tried=known)
    before, counts, tried = _count(votes, otherwise, votes.casts).winners, 0, 0
    exact = votes.kind == "one"
    for size in range(1, len(votes.voters()) + 1):
        for given in _changed(votes, otherwise, size):
            counts += 1
            if counts > MAX_COUNTS:
                return Flip(None, exact, tried)
            if _count(votes, otherwise, given).winners != before:
                return Flip(size, exact, size)
        tried = size
    return Flip(None, exact, tried)


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
    return counted_by(rule, votes.options, tally).flips_with


def _changed(votes: Votes, otherwise: Otherwise, size: int) -> Iterator[tuple[Cast, ...]]:
    """Every way in which this many voters can vote otherwise; voters who weigh and say the same are alike."""
    alike: dict[object, list[Cast]] = {}
    absent = (Cast(v, weight=w) for v, w in votes.silent.items())
    for ballot in (*votes.casts, *absent):
        if ballot.voter not in otherwise.without:
            weight = otherwise.weights.get(ballot.voter, ballot.weight)
            alike.setdefault((ballot.choice, ballot.given, weight), []).append(ballot)
    groups = list(alike.values())
    moves = [(group, to) for group, to in product(range(len(groups)), (*votes.options, None))]
    for chosen in combinations_with_replacement(moves, size):
        taken = Counter(group for group, _ in chosen)
        if all(n <= len(groups[group]) for group, n in taken.items()):
            yield _moved(votes, groups, chosen)


def _moved(votes: Votes, groups: list[list[Cast]], chosen: Sequence[tuple[int, str | None]]) -> tuple[Cast, ...]:
    left, now = [[*group] for group in groups], {c.voter: c for c in votes.casts}
    for group, to in chosen:
        ballot = left[group].pop()
        now[ballot.voter] = _naming(votes.kind, ballot, to)
    return tuple(now.values())


def _naming(kind: BallotKind, ballot: Cast, option: str | None) -> Cast:
    """The same voter for this option alone; None = no vote."""
    if option is None:
        return Cast(ballot.voter, weight=ballot.weight)
    fields = counting.ballot_for(kind, option)
    given = fields.get("ballot", ())
    assert isinstance(given, tuple)
    return Cast(ballot.voter, None if given else option, given, ballot.weight)
