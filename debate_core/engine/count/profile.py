"""Ballots that rank, score or approve, and what follows from them before any rule: firsts, points, majorities.

Exact fractions throughout; no floats. Order in a profile never matters.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, permutations
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

    def top_among(self, options: frozenset[str]) -> Tier:
        """Those of these options that it puts highest; none if it names none of them."""
        for tier in self.tiers:
            top = tier & options
            if top:
                return top
        return frozenset()

    def with_rest(self, options: Iterable[str]) -> tuple[Tier, ...]:
        """The tiers, and last those of these options that it does not name."""
        rest = frozenset(options).difference(*self.tiers)
        return (*self.tiers, rest) if rest else self.tiers

    def approved(self) -> Tier:
        """The options that it gives points, or names where it gives none."""
        if not self.scores:
            return frozenset().union(*self.tiers)
        return frozenset(option for option, points in self.scores.items() if points > 0)


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

    def among(self, options: Iterable[str]) -> "Profile":
        """The orders of these options alone, without points."""
        kept = frozenset(options)
        return Profile(tuple(sorted(kept)), tuple(Vote(v.weight, v.among(kept)) for v in self.votes))


PointsByOption = dict[str, Fraction]


def firsts(profile: Profile, among: Iterable[str]) -> tuple[PointsByOption, Fraction]:
    """First places among these options, a level first place shared equally; and the votes that name none of them."""
    options = frozenset(among)
    points = dict.fromkeys(sorted(options), Fraction(0))
    exhausted = Fraction(0)
    for vote in profile.votes:
        top = vote.top_among(options)
        if not top:
            exhausted += vote.weight
        for option in top:
            points[option] += vote.weight / len(top)
    return points, exhausted


def borda(profile: Profile) -> PointsByOption:
    """n-1 points for the best of n, 0 for the worst; level options share what their places are worth."""
    points = dict.fromkeys(profile.options, Fraction(0))
    for vote in profile.votes:
        if not vote.tiers:
            continue
        best = len(profile.options) - 1
        for tier in vote.with_rest(profile.options):
            each = Fraction(2 * best - len(tier) + 1, 2)
            best -= len(tier)
            for option in tier:
                points[option] += vote.weight * each
    return points


def approvals(profile: Profile) -> PointsByOption:
    """Votes that give an option points, or name it where no points are given."""
    points = dict.fromkeys(profile.options, Fraction(0))
    for vote in profile.votes:
        for option in vote.approved():
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
    pairs = dict.fromkeys(permutations(profile.options, 2), 0)
    for vote in profile.votes:
        weight = int(vote.weight * unit)
        place = {option: number for number, tier in enumerate(vote.tiers) for option in tier}
        last = len(vote.tiers)
        for a, b in combinations(profile.options, 2):
            place_of_a = place.get(a, last)
            place_of_b = place.get(b, last)
            if place_of_a < place_of_b:
                pairs[a, b] += weight
            elif place_of_b < place_of_a:
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


def by_worth(worth: Mapping[str, int | Fraction]) -> tuple[Tier, ...]:
    """Tiers of options, those first that are worth the most; equal ones are level."""
    levels: dict[int | Fraction, list[str]] = {}
    for option, value in worth.items():
        levels.setdefault(value, []).append(option)
    return tuple(frozenset(levels[value]) for value in sorted(levels, reverse=True))
