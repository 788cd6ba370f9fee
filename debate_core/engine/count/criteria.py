"""Weighted criteria: mean points of each option under each driver, weighted sums, and critical weights.

Exact fractions. The order of voters, options or drivers has no effect.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from debate_core.spec.protocol import Driver
from debate_core.spec.values import Given


@dataclass(frozen=True, slots=True)
class Cells:
    """The matrix: (option, driver) -> mean points, weighted by voters who gave any; 0 if none did."""

    options: tuple[str, ...]
    weights: Mapping[str, Fraction]
    """Driver -> weight as a share of 1."""
    mean: Mapping[tuple[str, str], Fraction]

    def sums(self) -> dict[str, Fraction]:
        """Option -> weighted sum, from 0 to the maximum points of a ballot."""
        return {o: self.part(o, self.weights) for o in self.options}

    def part(self, option: str, drivers: Iterable[str]) -> Fraction:
        """The contribution of these drivers to the sum of an option."""
        return sum((self.weights[d] * self.mean[option, d] for d in drivers), Fraction(0))


def cells(options: Sequence[str], drivers: Sequence[Driver], ballots: Iterable[tuple[int, Sequence[Given]]]) -> Cells:
    """The matrix of these weighted ballots. Voters without points for a cell do not enter its mean."""
    # Points and weight of each cell, with one look-up: a search for the margin of victory makes hundreds of matrices.
    totals = defaultdict[tuple[str, str | None], list[int]](lambda: [0, 0])
    for weight, given in ballots:
        for g in given:
            total = totals[g.option, g.driver]
            total[0] += weight * g.points
            total[1] += weight
    weights = {d.name: Fraction(d.weight, 100) for d in drivers}
    # Without any points the total is 0, and so is the mean.
    mean = {at: Fraction(totals[at][0], totals[at][1] or 1) for at in product(options, weights)}
    return Cells(tuple(options), weights, mean)


def weighed(drivers: Sequence[Driver], given: Iterable[Given]) -> dict[str, int]:
    """Option -> points of one ballot times the drivers' weights out of 100."""
    weights = {d.name: d.weight for d in drivers}
    sums = Counter[str]()
    for g in given:
        sums[g.option] += g.points * weights.get(g.driver or "", 0)
    return sums


@dataclass(frozen=True, slots=True)
class Tip:
    """The weight of one driver closest to the agreed one at which another option draws level with the winner."""

    driver: str
    weight: Fraction
    """The agreed weight as a share of 1."""
    to: Fraction | None
    """The weight at which the result changes; None if no weight of this driver alone changes the winner."""
    options: tuple[str, ...] = ()
    """Options level with the winner at that weight; sorted."""


def tips(matrix: Cells) -> tuple[Tip, ...]:
    """One tip per driver, with the other weights scaled in proportion; () without a single leader.

    Of two weights at equal distance the lower one is returned.
    """
    sums = matrix.sums()
    top = max(sums.values(), default=Fraction(0))
    leaders = [option for option, points in sums.items() if points == top]
    if len(leaders) != 1 or not top:
        return ()
    return tuple(_tip(matrix, driver, leaders[0]) for driver in matrix.weights)


def _tip(matrix: Cells, driver: str, winner: str) -> Tip:
    weight = matrix.weights[driver]
    options_at: dict[Fraction, list[str]] = {}
    for option in sorted(matrix.options):
        at = _meets(matrix, driver, winner, option)
        if at is not None:
            options_at.setdefault(at, []).append(option)
    if not options_at:
        return Tip(driver, weight, None)
    nearest = min(options_at, key=lambda at: (abs(at - weight), at))
    return Tip(driver, weight, nearest, tuple(options_at[nearest]))


def _meets(matrix: Cells, driver: str, winner: str, option: str) -> Fraction | None:
    """The weight of the driver at which this option draws level with the winner, or None.

    Sums are linear in the weight of one driver: at weight 1 its own mean, at 0 the others scaled up. The winner leads
    at the agreed weight in between, so its lead ends on at most one side.
    """
    others = [d for d in matrix.weights if d != driver]
    if option == winner or not others:
        return None
    lead_at_all = matrix.mean[winner, driver] - matrix.mean[option, driver]
    lead_of_others = matrix.part(winner, others) - matrix.part(option, others)
    lead_at_none = lead_of_others / (1 - matrix.weights[driver])
    if min(lead_at_all, lead_at_none) >= 0:
        return None
    return lead_at_none / (lead_at_none - lead_at_all)
