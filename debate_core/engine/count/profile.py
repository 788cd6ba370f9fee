"""Profiles: ballots that rank, score or approve, and first places, points and majorities derived from them.

Exact fractions, no floats. The order within a profile has no effect.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, permutations
from math import lcm

from debate_core.engine.count.criteria import Cells

Tier = frozenset[str]


@dataclass(frozen=True, slots=True)
class Vote:
    """One way of voting, with the number of voters (or the weight) behind it.

    `tiers` are options from best to worst. Options in one tier are tied; options in none are tied below all.
    """

    weight: Fraction
    tiers: tuple[Tier, ...] = ()
    scores: Mapping[str, Fraction] = field(default_factory=dict)
    """Points by option, where the ballot gives points."""

    def among(self, options: frozenset[str]) -> tuple[Tier, ...]:
        """The tiers restricted to these options, without empty ones."""
        return tuple(kept for tier in self.tiers if (kept := tier & options))

    def top_among(self, options: frozenset[str]) -> Tier:
        """Those of these options that the vote ranks highest; empty if it names none."""
        for tier in self.tiers:
            top = tier & options
            if top:
                return top
        return frozenset()

    def with_rest(self, options: Iterable[str]) -> tuple[Tier, ...]:
        """The tiers, and a last one with those of these options that the vote does not name."""
        rest = frozenset(options).difference(*self.tiers)
        return (*self.tiers, rest) if rest else self.tiers

    def approved(self) -> Tier:
        """Options with points; on a ballot without points, the named options."""
        if not self.scores:
            return frozenset().union(*self.tiers)
        return frozenset(option for option, points in self.scores.items() if points > 0)


@dataclass(frozen=True, slots=True)
class Profile:
    """All votes on some options. A vote without tiers is blank: it was cast but names no option."""

    options: tuple[str, ...]
    votes: Sequence[Vote]
    cells: Cells | None = None
    """Means under each driver, where ballots have drivers."""

    def weight(self) -> Fraction:
        """Weight of all votes, blank ones included."""
        return sum((v.weight for v in self.votes), Fraction(0))

    def naming(self) -> Fraction:
        """Weight of the votes that name at least one option."""
        return sum((v.weight for v in self.votes if v.tiers), Fraction(0))

    def is_blank(self) -> bool:
        """True if no vote names an option."""
        return not any(v.weight and v.tiers for v in self.votes)

    def among(self, options: Iterable[str]) -> "Profile":
        """The orders restricted to these options, without points."""
        kept = frozenset(options)
        return Profile(tuple(sorted(kept)), tuple(Vote(v.weight, v.among(kept)) for v in self.votes))


PointsByOption = dict[str, Fraction]


def firsts(profile: Profile, among: Iterable[str]) -> tuple[PointsByOption, Fraction]:
    """First places among these options, tied ones shared equally; and the weight of votes that name none of them."""
    options = frozenset(among)
    points = dict.fromkeys(sorted(options), Fraction(0))
    exhausted = Fraction(0)
    for vote in profile.votes:
        top = vote.top_among(options)
        if not top:
            exhausted += vote.weight
        for option in top:
            points[option] += vote.weight if len(top) == 1 else vote.weight / len(top)
    return points, exhausted


def borda(profile: Profile) -> PointsByOption:
    """Borda count: n-1 points for the best of n options, 0 for the worst; tied options share their places."""
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
    """Approvals: votes that give an option points, or name it on a ballot without points."""
    points = dict.fromkeys(profile.options, Fraction(0))
    for vote in profile.votes:
        for option in vote.approved():
            points[option] += vote.weight
    return points


def scores(profile: Profile) -> PointsByOption:
    """Sums of points; a vote gives 0 to options that it does not name."""
    points = dict.fromkeys(profile.options, Fraction(0))
    for vote in profile.votes:
        for option, value in vote.scores.items():
            points[option] += vote.weight * value
    return points


Pairs = Mapping[tuple[str, str], Fraction]


def pairwise(profile: Profile) -> Pairs:
    """(a, b) -> votes that rank a above b. Votes with both tied, or both unranked, count for neither."""
    # Counted in integer units: five times faster.
    unit = lcm(*(v.weight.denominator for v in profile.votes))
    pairs = dict.fromkeys(permutations(profile.options, 2), 0)
    for vote in profile.votes:
        weight = vote.weight.numerator * (unit // vote.weight.denominator)
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
    """(a, b) -> votes that rank a above b, minus votes that rank b above a."""
    pairs = pairwise(profile)
    return {(a, b): votes - pairs[b, a] for (a, b), votes in pairs.items()}


def best(points: Mapping[str, Fraction]) -> tuple[str, ...]:
    """The options with the most points, sorted; several = a tie, () without options."""
    top = max(points.values(), default=None)
    return tuple(sorted(o for o, p in points.items() if p == top))


def by_worth(worth: Mapping[str, int | Fraction]) -> tuple[Tier, ...]:
    """Tiers of options by descending worth; equal ones are tied."""
    levels: dict[int | Fraction, list[str]] = {}
    for option, value in worth.items():
        levels.setdefault(value, []).append(option)
    return tuple(frozenset(levels[value]) for value in sorted(levels, reverse=True))
