"""Election rules: each maps ballots to one winner, several tied ones, or none.

A tie is a set; order never breaks it. Shares are exact. `methods` lists the rules and describes them. Independent of
debates.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from debate_core.engine.count import condorcet, profile
from debate_core.engine.count.profile import PointsByOption, Profile

CONSENT, CONCERN, OBJECTION = 0, 1, 2
"""Points of a consent ballot."""
HALF = Fraction(1, 2)
MAX_WAYS = 20_000
"""Limit on the sets of remaining options that `irv_put` examines before it refuses."""


@dataclass(frozen=True, slots=True)
class Round:
    """One elimination round: votes of the remaining options, votes that name none of them, options eliminated."""

    tally: Mapping[str, Fraction]
    exhausted: Fraction
    eliminated: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Election:
    """`winners` sorted: several = a tie, () = no option meets the rule. `tally` in the rule's unit."""

    winners: tuple[str, ...]
    tally: Mapping[str, Fraction]
    rounds: tuple[Round, ...] = ()


def plurality(votes: Profile) -> Election:
    """Plurality: most first places."""
    return _most(votes, _firsts(votes))


def _firsts(votes: Profile) -> PointsByOption:
    return profile.firsts(votes, votes.options)[0]


def _most(votes: Profile, points: PointsByOption) -> Election:
    return Election(() if votes.is_blank() else profile.best(points), points)


def share(votes: Profile, needed: Fraction, *, eligible: Fraction | None = None) -> Election:
    """First places of more than half, or of at least the share `needed`, of all votes cast or of all eligible.

    Two thirds of seven voters are five: exact, never rounded down.
    """
    points = _firsts(votes)
    base = votes.weight() if eligible is None else eligible
    bar = base * needed
    enough = [o for o, p in points.items() if p >= bar and p]
    if needed == HALF:
        enough = [o for o in enough if points[o] > bar]
    return Election(tuple(sorted(enough)), points)


def threshold(votes: Profile, needed: int) -> Election:
    """At least this many first places, and at least one."""
    points = _firsts(votes)
    return Election(tuple(sorted(o for o, p in points.items() if p and p >= needed)), points)


def anti_plurality(votes: Profile) -> Election:
    """Anti-plurality: fewest last places; points are the negated last places."""
    points = dict.fromkeys(votes.options, Fraction(0))
    for vote in votes.votes:
        if vote.tiers:
            last = vote.with_rest(votes.options)[-1]
            for option in last:
                points[option] -= vote.weight / len(last)
    return _most(votes, points)


def star(votes: Profile) -> Election:
    """STAR: a run-off of the two options with the most points, decided by preferences.

    Options tied for a place join the run-off. With more than two, the options that lose no pair win.
    """
    points = profile.scores(votes)
    if votes.is_blank():
        return Election((), points)
    second = sorted(points.values(), reverse=True)[:2][-1]
    final = sorted(option for option in votes.options if points[option] >= second)
    pairs = profile.margins(votes.among(final))
    losers = {loser for (_, loser), margin in pairs.items() if margin > 0}
    unbeaten = [option for option in final if option not in losers]
    return Election(tuple(unbeaten or final), points)


def consent(votes: Profile) -> Election:
    """Consent: among options with a consent (0) and no objection (2), those with the fewest concerns (1).

    Points are the consents. A ballot says nothing about options that it does not name.
    """
    weights = {option: defaultdict[int, Fraction](Fraction) for option in votes.options}
    for vote in votes.votes:
        for option, points in vote.scores.items():
            weights[option][int(points)] += vote.weight
    unopposed = {option: w for option, w in weights.items() if w[CONSENT] and not w[OBJECTION]}
    winners = _fewest({option: w[CONCERN] for option, w in unopposed.items()})
    return Election(tuple(winners), {option: w[CONSENT] for option, w in weights.items()})


def bucklin(votes: Profile) -> Election:
    """Bucklin: add second places to first ones, and so on, until an option has more than half of the ranking votes."""
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
    """Instant run-off: eliminate the last until an option has more than half of the votes that still name one.

    Options tied at the bottom are eliminated together; if that would be all of them, they are tied.
    """
    return _run_off(votes, lambda points, _: tuple(_fewest(points)))


def irv_put(votes: Profile) -> Election:
    """Instant run-off with parallel universes: every way to break ties at the bottom; all possible winners are tied.

    `rounds` are those of the universe that eliminates the first by name.
    """
    if votes.is_blank():
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
    """The sets that may remain after eliminating one of the last; an option with a first place always remains."""
    left = frozenset(points)
    last = _fewest(points)
    if not points[last[0]]:
        # Options without first places go before all others, in any order, so they go together.
        return {left.difference(last)}
    return {left - {option} for option in last}


def coombs(votes: Profile) -> Election:
    """Coombs: instant run-off that eliminates the options with the most last places."""
    return _run_off(votes, lambda _, left: tuple(_fewest(anti_plurality(left).tally)))


def _majority(points: PointsByOption) -> str | None:
    everything = sum(points.values())
    return next((o for o, p in points.items() if 2 * p > everything), None)


def _run_off(votes: Profile, out: Callable[[PointsByOption, Profile], tuple[str, ...]]) -> Election:
    if votes.is_blank():
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
    """Winners and points of a pairwise rule; no winner if no ballot names an option."""
    winners, points = rule(votes)
    return Election(() if votes.is_blank() else winners, points)


def by_points(points_of: Callable[[Profile], PointsByOption], votes: Profile) -> Election:
    """Most points; no winner if no ballot names an option."""
    return _most(votes, points_of(votes))


def weighted_criteria(votes: Profile) -> Election:
    """Highest weighted sum under the drivers; no winner if all sums are zero."""
    sums = votes.cells.sums() if votes.cells else dict.fromkeys(votes.options, Fraction(0))
    return Election(profile.best(sums) if any(sums.values()) else (), sums)
