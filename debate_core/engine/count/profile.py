"""Ballots that rank, score or approve, and what follows from them before any rule: firsts, points, majorities.

Exact fractions throughout; no floats. Order in a profile never matters.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import lcm

from debate_core.engine.count.criteria import Cells

Tier = frozenset[str]


@dataclass(frozen=True, slots=True)
class Vote:
    """One way of voting and how many voters (or how much weight) stand behind it.

    `tiers` are options from best to worst; options in one tier are level, options in none lie below all, level.
    """

    weight: Fraction
    tiers: tuple[Tier, ...] = ()
    scores: Mapping[str, Fraction] = field(default_factory=dict)
    """Points by option, where the ballot gives points; an option without points has none."""

    def among(self, options: frozenset[str]) -> tuple[Tier, ...]:
        """The tiers with these options only, empty ones left out."""
        return tuple(kept for tier in self.tiers if (kept := tier & options))


@dataclass(frozen=True, slots=True)
class Profile:
    """All votes on some options. A vote without tiers is blank: it was cast and names nobody."""

    options: tuple[str, ...]
    votes: tuple[Vote, ...]
    cells: Cells | None = None
    """Means under each driver, where ballots give points under drivers."""

    def weight(self) -> Fraction:
        """All votes, blank ones too."""
        return sum((v.weight for v in self.votes), Fraction(0))

    def naming(self) -> Fraction:
        """Votes that name at least one option."""
        return sum((v.weight for v in self.votes if v.tiers), Fraction(0))


PointsByOption = dict[str, Fraction]


def firsts(profile: Profile, among: Iterable[str]) -> tuple[PointsByOption, Fraction]:
    """First places among these options, a level first place shared equally; and the votes that name none of them."""
    options = frozenset(among)
    points, exhausted = dict.fromkeys(sorted(options), Fraction(0)), Fraction(0)
    for vote in profile.votes:
        top = next((kept for tier in vote.tiers if (kept := tier & options)), None)
        if top is None:
            exhausted += vote.weight
            continue
        for option in top:
            points[option] += vote.weight / len(top)
    return points, exhausted


def borda(profile: Profile) -> PointsByOption:
    """n-1 points for the best of n, 0 for the worst; level options share what their places are worth."""
    points = dict.fromkeys(profile.options, Fraction(0))
    for vote in profile.votes:
        if not vote.tiers:
            continue
        unranked = frozenset(profile.options).difference(*vote.tiers)
        best = len(profile.options) - 1
        for tier in (*vote.tiers, *((unranked,) if unranked else ())):
            each = Fraction(2 * best - len(tier) + 1, 2)
            best -= len(tier)
            for option in tier:
                points[option] += vote.weight * each
    return points


def approvals(profile: Profile) -> PointsByOption:
    """Votes that give an option points, or name it where no points are given."""
    points = dict.fromkeys(profile.options, Fraction(0))
    for vote in profile.votes:
        named = {o for o, s in vote.scores.items() if s > 0} if vote.scores else frozenset().union(*vote.tiers)
        for option in named:
            points[option] += vote.weight
    return points


def scores(profile: Profile) -> PointsByOption:
    """Sum of points; an option that a vote does not name gets 0 from it."""
    points = dict.fromkeys(profile.options, Fraction(0))
    for vote in profile.votes:
        for option, value in vote.scores.items():
            points[option] += vote.weight * value
    return points


Pairs = Mapping[tuple[str, str], Fraction]


def pairwise(profile: Profile) -> Pairs:
    """(a, b) -> votes that put a above b. Votes with both level, or both unranked, count for neither."""
    # Counted in whole units: five times faster.
    unit = lcm(*(v.weight.denominator for v in profile.votes))
    pairs = {(a, b): 0 for a in profile.options for b in profile.options if a != b}
    for vote in profile.votes:
        place = {option: i for i, tier in enumerate(vote.tiers) for option in tier}
        last, weight = len(vote.tiers), int(vote.weight * unit)
        for a, b in combinations(profile.options, 2):
            first, second = place.get(a, last), place.get(b, last)
            if first < second:
                pairs[a, b] += weight
            elif second < first:
                pairs[b, a] += weight
    return {pair: Fraction(votes, unit) for pair, votes in pairs.items()}


def margins(profile: Profile) -> Pairs:
    """(a, b) -> by how many votes a is put above b more often than below."""
    pairs = pairwise(profile)
    return {(a, b): votes - pairs[b, a] for (a, b), votes in pairs.items()}


def best(points: Mapping[str, Fraction]) -> tuple[str, ...]:
    """The options with the most points, sorted; several are a tie, none if there are no options."""
    top = max(points.values(), default=None)
    return tuple(sorted(o for o, p in points.items() if p == top))
