"""How strong items are by comparisons of two at a time: Bradley and Terry's model, with intervals.

Pure arithmetic on names, in floats; knows no option, turn or judge. A value that makes no sense is an error of the
caller, a ValueError.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, fsum, log, log1p, sqrt
from operator import mul

Contest = tuple[str, str, float]
"""Two items that were compared, and the points of the first: 1 it won, 0.5 a tie, 0 it lost."""
PRIOR = 0.1
"""Contests that each item wins, and loses, against the made-up opponent."""
NORMAL_95 = 1.96
"""Standard errors on either side of an interval of 95 %."""
DIGITS = 9
"""Of a log-strength, by which items are told to be level."""
EXACTLY = 1e-12
"""Share of the square of what a step should remove that it may leave."""
CHI_SQUARE_95 = NORMAL_95**2
"""What twice the gain in log-likelihood of one more parameter exceeds by chance in 5 %."""


@dataclass(frozen=True, slots=True)
class BradleyTerry:
    """Strengths, the strongest first; a beats b with probability a / (a + b), and 1 is the made-up opponent."""

    strengths: Mapping[str, float]
    iterations: int
    converged: bool
    """False if the iterations ran out: the strengths are then on their way, not there."""


def bradley_terry(
    contests: Iterable[Contest], *, prior: float = PRIOR, tolerance: float = 1e-8, most_iterations: int = 1_000
) -> BradleyTerry:
    """Strengths that make these contests likely; a tie is half a win for each. Empty without contests.

    Each item also wins and loses `prior` times against a made-up opponent of strength 1, so that an item which won or
    lost everything, or met none of the others, has a strength too. It ends when no strength changes by more than the
    share `tolerance`.
    """
    if not (prior > 0 and tolerance > 0):
        raise ValueError(f"prior {prior}, tolerance {tolerance}: both are above 0")
    return _fitted(tuple(contests), prior, tolerance, most_iterations)


@lru_cache(maxsize=64)
def _fitted(contests: tuple[Contest, ...], prior: float, tolerance: float, most_iterations: int) -> BradleyTerry:
    """Newton's method on the logs of strengths.

    Its steps are shortened as Sun and Tran-Dinh 2019 do for sums of logistic losses: from any start it then arrives.
    """
    points, met = _results(contests)
    items = [*points]
    logs = [0.0] * len(items)
    iterations = 0
    change = tolerance + 1 if points else 0.0
    while change > tolerance and iterations < most_iterations:
        step = _newton_step(logs, items, points, met, prior)
        length = 2 * max(map(abs, step))
        share = log1p(length) / length if length else 1.0
        logs = _moved(logs, share, step)
        change = share * length / 2
        iterations += 1
    # What differs in its last digits alone is level, and level ones stay in the order of their names.
    ranked = sorted(zip(items, logs, strict=True), key=lambda pair: -round(pair[1], DIGITS))
    return BradleyTerry({item: exp(value) for item, value in ranked}, iterations, change <= tolerance)


def connected(contests: Iterable[Contest]) -> list[frozenset[str]]:
    """Groups of items that met each other, also by way of others: only within one of them can strengths be compared."""
    groups: list[frozenset[str]] = []
    for first, second, _ in contests:
        joined = [group for group in groups if first in group or second in group]
        groups = [group for group in groups if group not in joined]
        groups.append(frozenset({first, second}).union(*joined))
    return groups


def strength_intervals(contests: Iterable[Contest], strengths: Mapping[str, float]) -> dict[str, tuple[float, float]]:
    """95 % of each strength that Bradley and Terry's model gives one connected group, beside the mean of the group.

    By the information matrix of the log-strengths: for few contests a rough interval. The level of all together is
    held by the prior alone, and says nothing.
    """
    if not strengths:
        return {}
    items = list(strengths)
    information = _information(contests, strengths)
    errors = dict(zip(items, _errors_beside_mean(_inverse(information)), strict=True))
    return {item: (own * exp(-errors[item]), own * exp(errors[item])) for item, own in strengths.items()}


def told_apart(contests: Sequence[Contest], first: str, second: str) -> bool:
    """True if these contests would be too unlikely for two items of the same strength: a likelihood ratio test at 5 %.

    An interval of the difference would not do: of an item that never lost it is wider, the more it won.
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
    """Standard error of each log-strength as if all others were known: cheap, and a little too small."""
    information = _information(contests, strengths)
    return {item: 1 / sqrt(information[at][at]) for at, item in enumerate(strengths)}


def _information(contests: Iterable[Contest], strengths: Mapping[str, float]) -> list[list[float]]:
    """What the contests tell of the log-strengths, in the order of `strengths`."""
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
    """Half the width of the interval of 95 % of each value less the mean of all."""
    size = len(covariance)
    with_mean = [fsum(row) / size for row in covariance]
    of_mean = fsum(with_mean) / size
    variances = (covariance[at][at] - 2 * with_mean[at] + of_mean for at in range(size))
    return [NORMAL_95 * sqrt(max(0.0, variance)) for variance in variances]


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Inverse of a positive definite matrix, by Gauss and Jordan, in place of the matrix itself."""
    rows = [[*row] for row in matrix]
    for at, row in enumerate(rows):
        pivot = row[at]
        row[at] = 1.0
        swept = [value / pivot for value in row]
        for other, beside in enumerate(rows):
            if other != at:
                factor = beside[at]
                beside[at] = 0.0
                rows[other] = _moved(beside, -factor, swept)
        rows[at] = swept
    return rows


def _results(contests: Iterable[Contest]) -> tuple[dict[str, float], dict[str, list[tuple[str, int]]]]:
    """Points of each item, and how often it met each other; in one order, so that sums do not depend on it."""
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


def _newton_step(
    logs: Sequence[float],
    items: Sequence[str],
    points: Mapping[str, float],
    met: Mapping[str, Sequence[tuple[str, int]]],
    prior: float,
) -> list[float]:
    """By how much each log-strength would change if the likelihood were the parabola that it looks like here."""
    place = {item: at for at, item in enumerate(items)}
    slope = []
    curve = []
    weights: list[list[tuple[int, float]]] = []
    for at, item in enumerate(items):
        alone = _logistic(logs[at])
        missing = points[item] + prior * (1 - 2 * alone)
        own = 2 * prior * alone * (1 - alone)
        beside = []
        for other, n in met[item]:
            chance = _logistic(logs[at] - logs[place[other]])
            missing -= n * chance
            beside.append((place[other], n * chance * (1 - chance)))
        slope.append(missing)
        curve.append(own + fsum(weight for _, weight in beside))
        weights.append(beside)
    return _solved(curve, weights, slope)


def _logistic(value: float) -> float:
    return 1 / (1 + exp(-value))


def _solved(
    curve: Sequence[float], weights: Sequence[Sequence[tuple[int, float]]], slope: Sequence[float]
) -> list[float]:
    """x where curve[i] x[i] less the weighted x of those that i met is slope[i]: by conjugate gradients.

    Most pairs never met, so this is much faster than to eliminate.
    """
    solution = [0.0] * len(slope)
    left = [*slope]
    scaled = _quotients(left, curve)
    along = scaled
    size = _product(left, scaled)
    enough = size * EXACTLY
    for _ in range(2 * len(slope)):
        if size <= enough:
            break
        onto = [
            own * value - sum(weight * along[other] for other, weight in beside)
            for own, value, beside in zip(curve, along, weights, strict=True)
        ]
        by = size / _product(along, onto)
        solution = _moved(solution, by, along)
        left = _moved(left, -by, onto)
        scaled = _quotients(left, curve)
        size_before = size
        size = _product(left, scaled)
        along = _moved(scaled, size / size_before, along)
    return solution


def _moved(values: Sequence[float], by: float, steps: Sequence[float]) -> list[float]:
    """The values, each moved by so much of its own step."""
    return [value + by * step for value, step in zip(values, steps, strict=True)]


def _quotients(values: Sequence[float], divisors: Sequence[float]) -> list[float]:
    return [value / divisor for value, divisor in zip(values, divisors, strict=True)]


def _product(values: Sequence[float], others: Sequence[float]) -> float:
    """The scalar product."""
    return fsum(map(mul, values, others))
