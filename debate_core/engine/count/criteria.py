"""Weighted criteria: mean points of each option under each driver, their weighted sums, and which weight would matter.

Exact fractions; knows no debate and no poll, and no order of voters, options or drivers matters.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from debate_core.spec.protocol import Driver
from debate_core.spec.values import Given


@dataclass(frozen=True, slots=True)
class Cells:
    """The matrix: (option, driver) -> mean points by weight of those who gave any; 0 where nobody did."""

    options: tuple[str, ...]
    weights: Mapping[str, Fraction]
    """Driver -> its share of 1."""
    mean: Mapping[tuple[str, str], Fraction]

    def sums(self) -> dict[str, Fraction]:
        """Option -> weighted sum, 0 to 5."""
        return {o: self.part(o, self.weights) for o in self.options}

    def part(self, option: str, drivers: Iterable[str]) -> Fraction:
        """What these drivers add to the sum of an option."""
        return sum((self.weights[d] * self.mean[option, d] for d in drivers), Fraction(0))


def cells(options: Sequence[str], drivers: Sequence[Driver], ballots: Iterable[tuple[int, Sequence[Given]]]) -> Cells:
    """The matrix of these ballots, each with its weight. Who gives no points for a cell is left out of its mean."""
    total, heads = dict[tuple[str, str | None], int](), dict[tuple[str, str | None], int]()
    for weight, given in ballots:
        for g in given:
            at = g.option, g.driver
            total[at] = total.get(at, 0) + weight * g.points
            heads[at] = heads.get(at, 0) + weight
    weights = {d.name: Fraction(d.weight, 100) for d in drivers}
    at_all = [(o, d) for o in options for d in weights]
    mean = {at: Fraction(total[at], heads[at]) if heads.get(at) else Fraction(0) for at in at_all}
    return Cells(tuple(options), weights, mean)


@dataclass(frozen=True, slots=True)
class Tip:
    """The nearest weight of one driver at which another option draws level with the winner, and wins beyond it."""

    driver: str
    weight: Fraction
    """As agreed, as a share of 1."""
    to: Fraction | None
    """Where the result tips; None: no weight of this driver alone changes the winner."""
    options: tuple[str, ...] = ()
    """Who is level with the winner there; sorted."""


def tips(found: Cells) -> tuple[Tip, ...]:
    """One per driver, the others scaled in proportion; () if no option is ahead alone.

    Of two weights that are as near the lower one is told.
    """
    sums = found.sums()
    top = max(sums.values(), default=Fraction(0))
    ahead = [o for o, p in sums.items() if p == top]
    if len(ahead) != 1 or not top:
        return ()
    return tuple(_tip(found, driver, ahead[0]) for driver in found.weights)


def _tip(found: Cells, driver: str, winner: str) -> Tip:
    """Sums are straight lines in the weight of one driver: with weight 1 its own mean, with 0 the rest scaled up."""
    weight = found.weights[driver]
    others = [d for d in found.weights if d != driver]
    meets = dict[str, Fraction]()
    for option in found.options if others else ():
        at_all = found.mean[winner, driver] - found.mean[option, driver]
        at_none = (found.part(winner, others) - found.part(option, others)) / (1 - weight)
        # The winner is ahead in between, so a lead that ends does so on one side alone.
        if option != winner and min(at_all, at_none) < 0:
            meets[option] = at_none / (at_none - at_all)
    if not meets:
        return Tip(driver, weight, None)
    _, to = min((abs(at - weight), at) for at in meets.values())
    return Tip(driver, weight, to, tuple(sorted(o for o, at in meets.items() if at == to)))
