"""How strong items are by comparisons of two at a time: Bradley and Terry's model, with intervals.

Pure arithmetic on names, in floats; knows no option, turn or judge. A value that makes no sense is an error of the
caller, a ValueError.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, fsum, log, sqrt

Contest = tuple[str, str, float]
"""Two items that were compared, and the points of the first: 1 it won, 0.5 a tie, 0 it lost."""
PRIOR = 0.1
"""Contests that each item wins, and loses, against the made-up opponent."""
NORMAL_95 = 1.96
"""Standard errors on either side of an interval of 95 %."""
ROUGHLY = 1e-4
"""Share by which strengths may still change where only their likelihood matters."""
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
    contests: Iterable[Contest], *, prior: float = PRIOR, tolerance: float = 1e-8, most_iterations: int = 10_000
) -> BradleyTerry:
    """Strengths that make these contests likely; a tie is half a win for each. Empty without contests.

    The MM algorithm of Hunter 2004. Each item also wins and loses `prior` times against a made-up opponent of
    strength 1, so that an item which won or lost everything, or met none of the others, has a strength too. It ends
    when no strength changes by more than the share `tolerance`.
    """
    if not (prior > 0 and tolerance > 0):
        raise ValueError(f"prior {prior}, tolerance {tolerance}: both are above 0")
    points, met = _results(contests)
    strengths = dict.fromkeys(points, 1.0)
    change, iterations = (tolerance + 1 if points else 0.0), 0
    while change > tolerance and iterations < most_iterations:
        moved = _stepped(strengths, points, met, prior)
        change = max(abs(log(moved[item] / strengths[item])) for item in points)
        strengths, iterations = moved, iterations + 1
    # Level ones stay in the order of their names.
    ranked = sorted(strengths.items(), key=lambda pair: -pair[1])
    return BradleyTerry(dict(ranked), iterations, change <= tolerance)


def connected(contests: Iterable[Contest]) -> list[frozenset[str]]:
    """Groups of items that met each other, also by way of others: only within one of them can strengths be compared."""
    groups: list[frozenset[str]] = []
    for first, second, _ in contests:
        joined = [group for group in groups if first in group or second in group]
        groups = [group for group in groups if group not in joined]
        groups.append(frozenset({first, second}).union(*joined))
    return groups


def strength_intervals(
    contests: Iterable[Contest], strengths: Mapping[str, float], *, prior: float = PRIOR
) -> dict[str, tuple[float, float]]:
    """95 % of each strength that Bradley and Terry's model gives one connected group, beside the mean of the group.

    By the information matrix of the log-strengths: for few contests a rough interval. The level of all together is
    held by the prior alone, and says nothing.
    """
    if not strengths:
        return {}
    items = list(strengths)
    information = _information(contests, strengths, prior)
    errors = dict(zip(items, _errors_beside_mean(_inverse(information)), strict=True))
    return {item: (own * exp(-errors[item]), own * exp(errors[item])) for item, own in strengths.items()}


def told_apart(contests: Sequence[Contest], first: str, second: str, *, prior: float = PRIOR) -> bool:
    """True if these contests would be too unlikely for two items of the same strength: a likelihood ratio test at 5 %.

    An interval of the difference would not do: of an item that never lost it is wider, the more it won.
    """
    free = bradley_terry(contests, prior=prior, tolerance=ROUGHLY).strengths
    level = [(_one(a, first, second), _one(b, first, second), won) for a, b, won in contests]
    same = bradley_terry(
        [contest for contest in level if contest[0] != contest[1]], prior=prior, tolerance=ROUGHLY
    ).strengths
    gain = _log_likelihood(contests, free) - _log_likelihood(level, {first: 1.0, **same})
    return 2 * gain > CHI_SQUARE_95


def _one(item: str, first: str, second: str) -> str:
    return first if item == second else item


def _log_likelihood(contests: Sequence[Contest], strengths: Mapping[str, float]) -> float:
    chances = ((strengths[a] / (strengths[a] + strengths[b]), won) for a, b, won in contests)
    return fsum(won * log(p) + (1 - won) * log(1 - p) for p, won in chances)


def own_errors(
    contests: Iterable[Contest], strengths: Mapping[str, float], *, prior: float = PRIOR
) -> dict[str, float]:
    """Standard error of each log-strength as if all others were known: cheap, and a little too small."""
    information = _information(contests, strengths, prior)
    return {item: 1 / sqrt(information[at][at]) for at, item in enumerate(strengths)}


def _information(contests: Iterable[Contest], strengths: Mapping[str, float], prior: float) -> list[list[float]]:
    """What the contests tell of the log-strengths, in the order of `strengths`."""
    _, met = _results(contests)
    place = {item: at for at, item in enumerate(strengths)}
    information = [[0.0] * len(place) for _ in place]
    for item, own in strengths.items():
        at = place[item]
        information[at][at] = 2 * prior * own / (own + 1) ** 2
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
    """Inverse of a positive definite matrix, by Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, *(float(at == i) for i in range(size))] for at, row in enumerate(matrix)]
    for at in range(size):
        pivot = rows[at][at]
        rows[at] = [value / pivot for value in rows[at]]
        for other in range(size):
            factor = rows[other][at]
            if other != at:
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at], strict=True)]
    return [row[size:] for row in rows]


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


def _stepped(
    strengths: Mapping[str, float],
    points: Mapping[str, float],
    met: Mapping[str, Sequence[tuple[str, int]]],
    prior: float,
) -> dict[str, float]:
    """Strengths after one iteration."""
    moved = {
        item: (points[item] + prior)
        / (sum(n / (own + strengths[other]) for other, n in met[item]) + 2 * prior / (own + 1))
        for item, own in strengths.items()
    }
    # All strengths together are held by the prior alone, and by steps of MM would take for ever: one of Newton's.
    shares = [strength / (strength + 1) for strength in moved.values()]
    scale = exp(fsum(0.5 - share for share in shares) / fsum(share * (1 - share) for share in shares))
    return {item: strength * scale for item, strength in moved.items()}
