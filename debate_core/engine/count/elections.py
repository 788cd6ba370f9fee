"""How each rule elects from ballots: one winner, several that stand level, or none.

A tie is a set and is never broken by order; shares are exact. Which rules there are, and what to tell of each, is in
`methods`. Knows nothing of debates.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from debate_core.engine.count import condorcet, profile
from debate_core.engine.count.profile import PointsByOption, Profile

CONSENT, CONCERN, OBJECTION = 0, 1, 2
"""What the points of a consent ballot say."""
HALF = Fraction(1, 2)
MAX_WAYS = 20_000
"""`irv_put` looks at this many sets of who is left, and then gives up rather than leave a way out."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round of an elimination: votes of who is left, votes that name nobody left, who is taken out after it."""

    tally: Mapping[str, Fraction]
    exhausted: Fraction
    eliminated: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Election:
    """`winners` sorted: several are a tie, none = nobody has what the rule asks. `tally` in the rule's own points."""

    winners: tuple[str, ...]
    tally: Mapping[str, Fraction]
    rounds: tuple[Round, ...] = ()


def plurality(votes: Profile) -> Election:
    """Most first places."""
    return _most(votes, _firsts(votes))


def _firsts(votes: Profile) -> PointsByOption:
    return profile.firsts(votes, votes.options)[0]


def _most(votes: Profile, points: PointsByOption) -> Election:
    return Election(profile.best(points) if votes.naming() else (), points)


def share(votes: Profile, needed: Fraction, *, eligible: Fraction | None = None) -> Election:
    """First places of more than half, or of `needed` of all votes cast (or of all who may vote) and more.

    Seven voters and two thirds are five heads: exact, never rounded down.
    """
    points = _firsts(votes)
    base = votes.weight() if eligible is None else eligible
    bar = base * needed
    enough = [o for o, p in points.items() if p >= bar and p]
    if needed == HALF:
        enough = [o for o in enough if points[o] > bar]
    return Election(tuple(sorted(enough)), points)


def threshold(votes: Profile, needed: int) -> Election:
    """At least so many first places, and some."""
    points = _firsts(votes)
    return Election(tuple(sorted(o for o, p in points.items() if p and p >= needed)), points)


def anti_plurality(votes: Profile) -> Election:
    """Fewest last places; points are the last places, taken off."""
    points = dict.fromkeys(votes.options, Fraction(0))
    for vote in votes.votes:
        if vote.tiers:
            last = vote.with_rest(votes.options)[-1]
            for option in last:
                points[option] -= vote.weight / len(last)
    return _most(votes, points)


def star(votes: Profile) -> Election:
    """The two with the most points, then whom more voters prefer of them. Who is level for a place is in the run-off.

    With more than two in the run-off, whoever loses no pair of it wins.
    """
    points = profile.scores(votes)
    if not votes.naming():
        return Election((), points)
    second = sorted(points.values(), reverse=True)[:2][-1]
    final = sorted(option for option in votes.options if points[option] >= second)
    pairs = profile.margins(votes.among(final))
    losers = {loser for (_, loser), margin in pairs.items() if margin > 0}
    unbeaten = [option for option in final if option not in losers]
    return Election(tuple(unbeaten or final), points)


def consent(votes: Profile) -> Election:
    """Of the options that somebody consents to (0) and nobody objects to (2), those with the fewest concerns (1).

    Points are the consents. A ballot says nothing of an option that it does not name.
    """
    weights = {option: defaultdict[int, Fraction](Fraction) for option in votes.options}
    for vote in votes.votes:
        for option, points in vote.scores.items():
            weights[option][int(points)] += vote.weight
    unopposed = {option: w for option, w in weights.items() if w[CONSENT] and not w[OBJECTION]}
    winners = _fewest({option: w[CONCERN] for option, w in unopposed.items()})
    return Election(tuple(winners), {option: w[CONSENT] for option, w in weights.items()})


def bucklin(votes: Profile) -> Election:
    """First places, then second ones added, and so on, until somebody has more than half of the votes that rank."""
    points = dict.fromkeys(votes.options, Fraction(0))
    half = votes.naming() / 2
    for level in range(len(votes.options)):
        reaching = [vote for vote in votes.votes if level < len(vote.tiers)]
        for vote in reaching:
            for option in vote.tiers[level]:
                points[option] += vote.weight
        if max(points.values()) > half:
            return Election(profile.best(points), points)
    return _most(votes, points)


def _fewest(points: Mapping[str, Fraction]) -> list[str]:
    least = min(points.values(), default=None)
    return sorted(o for o, p in points.items() if p == least)


def irv(votes: Profile) -> Election:
    """Instant run-off: until somebody has more than half of the votes that still name someone, the last go out.

    All that stand level at the bottom go together; if that would be everybody, they are tied.
    """
    return _run_off(votes, lambda points, _: tuple(_fewest(points)))


def irv_put(votes: Profile) -> Election:
    """Instant run-off in every way to take out one of those at the bottom: whoever wins in one of them is tied.

    `rounds` are those of the way that takes the first by name.
    """
    if not votes.naming():
        return Election((), dict.fromkeys(votes.options, Fraction(0)))
    todo = [frozenset(votes.options)]
    visited = set[frozenset[str]]()
    winners = set[str]()
    while todo:
        left = todo.pop()
        points, _ = profile.firsts(votes, left)
        ahead = _majority(points)
        if ahead is not None:
            winners.add(ahead)
        else:
            after = _left_after(points)
            todo += after - visited
            visited |= after
        if len(visited) > MAX_WAYS:
            raise condorcet.TooManyTies(f"irv_put: level options can go out in more than {MAX_WAYS:,} ways: take irv")
    one_way = _run_off(votes, lambda points, _: tuple(_fewest(points)[:1]))
    return Election(tuple(sorted(winners)), one_way.tally, one_way.rounds)


def _left_after(points: PointsByOption) -> set[frozenset[str]]:
    """Who may be left when one of those at the bottom is taken out; always somebody whom a vote puts first."""
    left = frozenset(points)
    last = _fewest(points)
    if not points[last[0]]:
        # Those whom nobody puts first go in any order, and all before anybody else: together is the same.
        return {left.difference(last)}
    return {left - {option} for option in last}


def coombs(votes: Profile) -> Election:
    """As instant run-off, but those with the most last places go out."""
    return _run_off(votes, lambda _, left: tuple(_fewest(anti_plurality(left).tally)))


def _majority(points: PointsByOption) -> str | None:
    everything = sum(points.values())
    return next((o for o, p in points.items() if 2 * p > everything), None)


def _run_off(votes: Profile, out: Callable[[PointsByOption, Profile], tuple[str, ...]]) -> Election:
    if not votes.naming():
        return Election((), dict.fromkeys(votes.options, Fraction(0)))
    left = frozenset(votes.options)
    rounds = list[Round]()
    while True:
        points, exhausted = profile.firsts(votes, left)
        ahead = _majority(points)
        if ahead is not None:
            rounds.append(Round(points, exhausted, ()))
            return Election((ahead,), rounds[0].tally, tuple(rounds))
        gone = out(points, votes.among(left))
        rounds.append(Round(points, exhausted, gone))
        if len(gone) == len(left):
            return Election(tuple(sorted(left)), rounds[0].tally, tuple(rounds))
        left -= set(gone)


def by_pairs(rule: Callable[[Profile], tuple[tuple[str, ...], PointsByOption]], votes: Profile) -> Election:
    """Winners and points of a rule that compares every pair of options; nobody wins if no ballot names anybody."""
    winners, points = rule(votes)
    return Election(winners if votes.naming() else (), points)


def by_points(points_of: Callable[[Profile], PointsByOption], votes: Profile) -> Election:
    """Most points; nobody wins if no ballot names anybody."""
    return _most(votes, points_of(votes))


def weighted_criteria(votes: Profile) -> Election:
    """Most weighted points under the drivers; nobody wins with nothing but zeros."""
    sums = votes.cells.sums() if votes.cells else dict.fromkeys(votes.options, Fraction(0))
    return Election(profile.best(sums) if any(sums.values()) else (), sums)
