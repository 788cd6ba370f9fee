"""Strengths of items from pairwise comparisons: the Bradley-Terry model with confidence intervals.

Pure arithmetic on names, in floats; independent of options, turns and judges. Invalid values raise ValueError.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from math import exp, fsum, log, log1p, sqrt

Contest = tuple[str, str, float]
"""Two compared items and the points of the first: 1 = win, 0.5 = tie, 0 = loss."""
PRIOR = 0.1
"""Virtual wins, and losses, of each item against a virtual opponent."""
NORMAL_95 = 1.96
"""Standard errors on either side of a 95 % interval."""
DIGITS = 9
"""Digits of a log-strength within which items count as equal."""
EXACTLY = 1e-12
"""Convergence of the conjugate gradients: squared residual relative to its start."""
CHI_SQUARE_95 = NORMAL_95**2
"""Critical value of a likelihood ratio test with one parameter at 5 %."""


@dataclass(frozen=True, slots=True)
class BradleyTerry:
    """Strengths, strongest first; a beats b with probability a / (a + b). The virtual opponent has strength 1."""

    strengths: Mapping[str, float]
    iterations: int
    converged: bool
    """False if the iterations ran out before convergence."""


def bradley_terry(
    contests: Iterable[Contest], *, prior: float = PRIOR, tolerance: float = 1e-8, most_iterations: int = 1_000
) -> BradleyTerry:
    """Maximum likelihood strengths; a tie counts as half a win for each. Empty without contests.

    Each item also wins and loses `prior` times against a virtual opponent of strength 1, so that items which won or
    lost every contest, or met no others, have finite strengths. Iteration ends when no strength changes by more than
    the relative `tolerance`.
    """
    if not (prior > 0 and tolerance > 0):
        raise ValueError(f"prior {prior}, tolerance {tolerance}: both must be above 0")
    return _fitted(tuple(contests), prior, tolerance, most_iterations)


@lru_cache(maxsize=64)
def _fitted(contests: tuple[Contest, ...], prior: float, tolerance: float, most_iterations: int) -> BradleyTerry:
    """Newton's method on log-strengths.

    Steps are damped as in Sun and Tran-Dinh 2019 for sums of logistic losses, which converges from any start.
    """
    points, met = _results(contests)
    opponents = _by_place(met)
    logs = [0.0] * len(points)
    iterations = 0
    change = tolerance + 1 if points else 0.0
    while change > tolerance and iterations < most_iterations:
        step = _newton_step(logs, [*points.values()], opponents, prior)
        length = 2 * max(map(abs, step))
        share = log1p(length) / length if length else 1.0
        logs = [value + share * by for value, by in zip(logs, step, strict=True)]
        change = share * length / 2
        iterations += 1
    # Items that differ only in the last digits are equal; equal items are ordered by name.
    ranked = sorted(zip(points, logs, strict=True), key=lambda pair: -round(pair[1], DIGITS))
    return BradleyTerry({item: exp(value) for item, value in ranked}, iterations, change <= tolerance)


def connected(contests: Iterable[Contest]) -> list[frozenset[str]]:
    """Groups of items connected by contests; only strengths within one group can be compared."""
    groups: list[frozenset[str]] = []
    for first, second, _ in contests:
        joined = [group for group in groups if first in group or second in group]
        groups = [group for group in groups if group not in joined]
        groups.append(frozenset({first, second}).union(*joined))
    return groups


def strength_intervals(contests: Iterable[Contest], strengths: Mapping[str, float]) -> dict[str, tuple[float, float]]:
    """95 % interval of each Bradley-Terry strength in one connected group, relative to the mean of the group.

    From the information matrix of the log-strengths; rough for few contests. Only the prior fixes the overall level,
    so it carries no information.
    """
    if not strengths:
        return {}
    items = list(strengths)
    information = _information(contests, strengths)
    errors = dict(zip(items, _errors_beside_mean(_inverse(information)), strict=True))
    return {item: (own * exp(-errors[item]), own * exp(errors[item])) for item, own in strengths.items()}


def told_apart(contests: Sequence[Contest], first: str, second: str) -> bool:
    """True if two items differ in strength by a likelihood ratio test at the 5 % level.

    An interval of the difference would not work: it gets wider the more often an undefeated item wins.
    """
    free = bradley_terry(contests).strengths
    level = [(_one(a, first, second), _one(b, first, second), won) for a, b, won in contests]
    same = bradley_terry([contest for contest in level if contest[0] != contest[1]]).strengths
    gain = _log_likelihood(contests, free) - _log_likelihood(level, {first: 1.0, **same})
    return 2 * gain > CHI_SQUARE_95


def _one(item: str, first: str, second: str) -> str:
    return first if item == second else item


def _log_likelihood(contests: Sequence[Contest], strengths: Mapping[str, float]) -> float:
    chances = ((strengths[a] / (strengths[a] + strengths[b]), won) for a, b, won in contests)
    return fsum(won * log(p) + (1 - won) * log(1 - p) for p, won in chances)


def own_errors(contests: Iterable[Contest], strengths: Mapping[str, float]) -> dict[str, float]:
    """Standard error of each log-strength if all others were known: cheap, slightly too small."""
    information = _information(contests, strengths)
    return {item: 1 / sqrt(information[at][at]) for at, item in enumerate(strengths)}


def _information(contests: Iterable[Contest], strengths: Mapping[str, float]) -> list[list[float]]:
    """Fisher information of the log-strengths, in the order of `bradley_terry`."""
    _, met = _results(contests)
    place = {item: at for at, item in enumerate(strengths)}
    information = [[0.0] * len(place) for _ in place]
    for item, own in strengths.items():
        at = place[item]
        information[at][at] = 2 * PRIOR * own / (own + 1) ** 2
        for other, n in met.get(item, ()):
            weight = n * own * strengths[other] / (own + strengths[other]) ** 2
            information[at][at] += weight
            information[at][place[other]] -= weight
    return information


def _errors_beside_mean(covariance: Sequence[Sequence[float]]) -> list[float]:
    """Half-width of the 95 % interval of each value relative to the mean of all values."""
    size = len(covariance)
    with_mean = [fsum(row) / size for row in covariance]
    of_mean = fsum(with_mean) / size
    variances = (covariance[at][at] - 2 * with_mean[at] + of_mean for at in range(size))
    return [NORMAL_95 * sqrt(max(0.0, variance)) for variance in variances]


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Inverse of a positive definite matrix by Gauss-Jordan elimination."""
    import numpy as np

    rows = np.array(matrix)
    for at in range(len(rows)):
        pivot = rows[at, at]
        rows[at, at] = 1.0
        swept = rows[at] / pivot
        factors = rows[:, at].copy()
        rows[:, at] = 0.0
        rows -= np.outer(factors, swept)
        rows[at] = swept
    return [[float(value) for value in row] for row in rows]


def _results(contests: Iterable[Contest]) -> tuple[dict[str, float], dict[str, list[tuple[str, int]]]]:
    """Points of each item, and how often it met the others; sorted, so that sums do not depend on the input order."""
    points: defaultdict[str, float] = defaultdict(float)
    met: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for first, second, won in contests:
        if first == second or won not in (0, 0.5, 1):
            raise ValueError(f"{first!r} against {second!r}, {won} points: two different items, and 1, 0.5 or 0 points")
        points[first] += won
        points[second] += 1 - won
        met[first][second] += 1
        met[second][first] += 1
    return {item: points[item] for item in sorted(points)}, {item: sorted(met[item].items()) for item in sorted(met)}


def _by_place(met: Mapping[str, Sequence[tuple[str, int]]]) -> list[list[tuple[int, int]]]:
    """The opponents of each item, by their places in `met` instead of their names."""
    place = {item: at for at, item in enumerate(met)}
    return [[(place[other], n) for other, n in others] for others in met.values()]


def _newton_step(
    logs: Sequence[float], points: Sequence[float], opponents: Sequence[Sequence[tuple[int, int]]], prior: float
) -> list[float]:
    """The Newton step of each log-strength, from the quadratic approximation of the likelihood."""
    slope = []
    curve = []
    weights: list[list[float]] = []
    for value, won, met in zip(logs, points, opponents, strict=True):
        alone = _logistic(value)
        missing = won + prior * (1 - 2 * alone)
        own = 2 * prior * alone * (1 - alone)
        beside = []
        for other, n in met:
            chance = _logistic(value - logs[other])
            missing -= n * chance
            beside.append(n * chance * (1 - chance))
        slope.append(missing)
        curve.append(own + fsum(beside))
        weights.append(beside)
    return _solved(curve, [[other for other, _ in met] for met in opponents], weights, slope)


def _logistic(value: float) -> float:
    return 1 / (1 + exp(-value))


def _solved(
    curve: Sequence[float],
    opponents: Sequence[Sequence[int]],
    weights: Sequence[Sequence[float]],
    slope: Sequence[float],
) -> list[float]:
    """Solve curve[i] x[i] - sum of the weighted x of i's opponents = slope[i] by conjugate gradients.

    Most pairs never met, so this is much faster than elimination. Sums are made in order, opponent by opponent, so that
    every machine finds the same digits.
    """
    # numpy takes 50 ms to load, and most debates compare no options.
    import numpy as np

    # The first opponent of each item, then the second of each, and so on; items with fewer get one without weight.
    others = np.array([*zip_longest(*opponents, fillvalue=0)])
    weight = np.array([*zip_longest(*weights, fillvalue=0.0)])
    diagonal = np.array(curve)
    solution = np.zeros(len(slope))
    left = np.array(slope)
    scaled = left / diagonal
    along = scaled
    size = fsum((left * scaled).tolist())
    enough = size * EXACTLY
    for _ in range(2 * len(slope)):
        if size <= enough:
            break
        onto = diagonal * along - sum(weight * along[others])
        by = size / fsum((along * onto).tolist())
        solution = solution + by * along
        left = left - by * onto
        scaled = left / diagonal
        size_before = size
        size = fsum((left * scaled).tolist())
        along = scaled + size / size_before * along
    return [float(value) for value in solution]
