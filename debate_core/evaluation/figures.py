"""Figures of a detector with intervals and bars."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple, TypeVar

from debate_core.engine.count.bradley_terry import NORMAL_95
from debate_core.report.facts.judge_statistics import TAIL, exact_interval

T = TypeVar("T")
BarVerdict = Literal["met", "within the interval", "below the bar", "no bar"]
DRAWS = 2_000
"""Samples of a bootstrap; its interval then varies by a twentieth of its width between seeds."""


class DetectorFigure(NamedTuple):
    """One figure with its interval of 95 % and its bar: a minimum, or a maximum if `most` is true."""

    name: str
    measured: float
    low: float
    high: float
    bar: float | None = None
    most: bool = False

    @property
    def verdict(self) -> BarVerdict:
        """Result of the comparison with the bar."""
        if self.bar is None:
            return "no bar"
        if self._is_good(self.measured, self.bar):
            return "met"
        best = self.low if self.most else self.high
        return "within the interval" if self._is_good(best, self.bar) else "below the bar"

    def _is_good(self, figure: float, bar: float) -> bool:
        return figure <= bar if self.most else figure >= bar


class Sample(NamedTuple):
    """Number of labelled cases, and the figures of a detector on them."""

    n: int
    figures: tuple[DetectorFigure, ...] = ()


NOTHING = Sample(0)


@dataclass(frozen=True, slots=True)
class Detector:
    """A reader of texts or verdicts, its labelled files, and the function that measures it."""

    name: str
    files: str
    measure: Callable[[Path], Sample]


def share(name: str, hits: int, n: int, bar: float | None = None, *, most: bool = False) -> tuple[DetectorFigure, ...]:
    """A share with its exact interval; () without cases."""
    return (DetectorFigure(name, hits / n, *exact_interval(hits, n), bar, most),) if n else ()


def share_of(
    name: str, hits: Iterable[bool], bar: float | None = None, *, most: bool = False
) -> tuple[DetectorFigure, ...]:
    """The share of hits among the cases; () without cases."""
    cases = [bool(hit) for hit in hits]
    return share(name, sum(cases), len(cases), bar, most=most)


def exactly(name: str, measured: float, bar: float | None = None, *, most: bool = False) -> DetectorFigure:
    """A figure without sampling error."""
    return DetectorFigure(name, measured, measured, measured, bar, most)


def auc(hits: Sequence[float], misses: Sequence[float], bar: float | None = None) -> DetectorFigure:
    """Area under the curve, with the interval of Hanley and McNeil 1982; needs a case of either kind."""
    above = sum((hit > miss) + (hit == miss) / 2 for hit in hits for miss in misses)
    area = above / (len(hits) * len(misses))
    n = len(hits)
    m = len(misses)
    q1 = area / (2 - area)
    q2 = 2 * area**2 / (1 + area)
    variance = (area * (1 - area) + (n - 1) * (q1 - area**2) + (m - 1) * (q2 - area**2)) / (n * m)
    half = NORMAL_95 * sqrt(max(0.0, variance))
    return DetectorFigure("auc", area, area - half, area + half, bar)


def bootstrap(cases: Sequence[T], figure: Callable[[Sequence[T]], float]) -> tuple[float, float]:
    """Percentile interval of 95 % by resampling cases (Efron 1979), with a fixed seed.

    For a paired comparison, each case is a difference.
    """
    rng = Random("bootstrap")
    drawn = sorted(figure(rng.choices(cases, k=len(cases))) for _ in range(DRAWS))
    return drawn[int(TAIL * DRAWS)], drawn[int((1 - TAIL) * DRAWS) - 1]


def mean(values: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0
