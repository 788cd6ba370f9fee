"""Clusters of people who answered alike, by the method of Polis: k-means on the first two principal components.

Small et al. 2021, Polis: Scaling Deliberation by Mapping High Dimensional Opinion Spaces. Knows no debates. Results
are deterministic: k-means starts at extreme people, and the shuffles have a fixed seed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAST_IN_CLUSTER = 4
"""With fewer people even a unanimous answer has a Wilson interval that reaches one half."""
LEAST_SHARE = 0.1
MOST_CLUSTERS = 5
LEAST_SILHOUETTE = 0.5
"""Reasonable structure from here on (Kaufman and Rousseeuw 1990, Finding Groups in Data, table 4)."""
SHUFFLES = 99
"""A table without correlated questions beats all 99 shuffled ones once in 100 times."""
_MAX_STEPS = 100
"""k-means needs about a dozen steps, an axis some more; later steps change no neighbourhood."""
_NOTHING = 1e-9
"""Above rounding errors of a zero length, below the length of one differing answer."""
Numbers = NDArray[np.float64]
Labels = NDArray[np.intp]
AnswerTable = NDArray[np.intp]
"""Row = person, column = question; an answer is a number from 0 on, or `MISSING`."""
MISSING = -1


@dataclass(frozen=True, slots=True)
class Clusters:
    """Cluster of each row, from 0 on, and their separation: 1 is the most, 0 is none."""

    labels: tuple[int, ...]
    silhouette: float


def clusters(rows: Sequence[Sequence[int]]) -> Clusters | None:
    """The 2 to 5 clusters with the highest mean silhouette; None if it is low, or shuffled answers do as well."""
    answers = np.array(rows, dtype=np.intp)
    found = _best(answers)
    if found is None or found.silhouette < LEAST_SILHOUETTE:
        return None
    for shuffled in _shuffles(answers):
        by_chance = _best(shuffled)
        if by_chance is not None and by_chance.silhouette >= found.silhouette:
            return None
    return found


def _shuffles(answers: AnswerTable) -> Iterator[AnswerTable]:
    """Permute the answers to each question among those who gave one, which removes correlation between questions."""
    generator = np.random.default_rng(0)
    for _ in range(SHUFFLES):
        shuffled = answers.copy()
        for column in shuffled.T:
            given = column != MISSING
            column[given] = generator.permutation(column[given])
        yield shuffled


def _best(answers: AnswerTable) -> Clusters | None:
    places = _places(answers)
    squares = [np.subtract.outer(axis, axis) ** 2 for axis in places.T]
    apart: Numbers = np.sqrt(np.sum(squares, axis=0))
    # k-means starts at the ends of the axes (Lloyd 1982); the closest clustering is kept.
    ends = {int(end(axis)) for axis in places.T for end in (np.argmin, np.argmax)}
    least = max(LEAST_IN_CLUSTER, LEAST_SHARE * len(places))
    best: Clusters | None = None
    for number in range(2, MOST_CLUSTERS + 1):
        tried = [_from_start(places, apart, start, number) for start in sorted(ends)]
        labels = min(tried, key=lambda labels: _spread(places, labels))
        if np.bincount(labels, minlength=number).min() < least:
            continue
        silhouette = _silhouette(apart, labels, number)
        if best is None or silhouette > best.silhouette:
            best = Clusters(tuple(labels.tolist()), silhouette)
    return best


def _places(answers: AnswerTable) -> Numbers:
    """Positions of the people on the first two principal axes.

    Each answer to each question is a statement: 1 for those who gave it, -1 for those who gave another one, centred on
    its mean; a missing answer is at the mean.
    """
    columns = []
    for question in answers.T:
        given = question != MISSING
        for answer in np.unique(question[given]):
            statement = np.where(question == answer, 1.0, -1.0)
            columns.append(np.where(given, statement - statement[given].mean(), 0.0))
    statements = np.array(columns).T
    covariance = statements.T @ statements
    first = _main_axis(covariance)
    along = float(first @ covariance @ first)
    second = _main_axis(covariance - along * np.outer(first, first))
    places: Numbers = statements @ np.array((first, second)).T
    return places


def _main_axis(covariance: Numbers) -> Numbers:
    """The first principal axis by power iteration (von Mises 1929); 0 without variance.

    numpy's own solver takes ten times as long on a busy machine, because its threads wait for one another.
    """
    axis: Numbers = covariance[np.argmax(np.diagonal(covariance))]
    for _ in range(_MAX_STEPS):
        length = np.linalg.norm(axis)
        if length < _NOTHING:
            return np.zeros_like(axis)
        axis = np.einsum("ij,j", covariance, axis / length)
    return axis / np.linalg.norm(axis)


def _from_start(places: Numbers, apart: Numbers, start: int, number: int) -> Labels:
    """Run k-means from this person, then the one farthest from all chosen before, and so on, as first centres."""
    chosen = [start]
    while len(chosen) < number:
        chosen.append(int(apart[chosen].min(axis=0).argmax()))
    labels: Labels = apart[chosen].argmin(axis=0)
    for _ in range(_MAX_STEPS):
        centres = _centres(places, labels, number)
        # Squared distances without the term that is the same for all centres.
        moved: Labels = np.argmin((centres**2).sum(axis=1) - 2 * places @ centres.T, axis=1)
        if np.array_equal(moved, labels):
            break
        labels = moved
    return labels


def _centres(places: Numbers, labels: Labels, number: int) -> Numbers:
    """The mean of each cluster; of an empty one, the origin."""
    sizes = np.bincount(labels, minlength=number)
    sums = [np.bincount(labels, weights=axis, minlength=number) for axis in places.T]
    return np.array(sums).T / np.maximum(sizes, 1)[:, None]


def _spread(places: Numbers, labels: Labels) -> float:
    """The sum of squared distances to the centres, rounded so that equal clusterings compare equal."""
    centres = _centres(places, labels, int(labels.max()) + 1)
    return round(float(((places - centres[labels]) ** 2).sum()), 9)


def _silhouette(apart: Numbers, labels: Labels, number: int) -> float:
    """Mean silhouette (Rousseeuw 1987), without the last digits, which depend on the order of the people."""
    member: NDArray[Any] = labels[:, None] == np.arange(number)
    total, size = apart @ member, member.sum(axis=0)
    own = (total / (size - 1))[member]
    nearest = np.where(member, np.inf, total / size).min(axis=1)
    widest = np.maximum(own, nearest)
    each = np.divide(nearest - own, widest, out=np.zeros_like(own), where=widest > 0)
    return round(float(each.mean()), 6)
