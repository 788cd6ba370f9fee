"""People who answered alike, found as Polis does it: k-means on the first two principal components of their answers.

Small et al. 2021, Polis: Scaling Deliberation by Mapping High Dimensional Opinion Spaces. Knows no debates. Nothing
is left to chance: k-means begins at people who stand far apart, and the generator of the shuffles has a fixed seed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAST_IN_CLUSTER = 4
"""Of fewer people not even a unanimous answer has a Wilson interval above one half."""
LEAST_SHARE = 0.1
MOST_CLUSTERS = 5
LEAST_SILHOUETTE = 0.5
"""From here on clusters have a reasonable structure (Kaufman and Rousseeuw 1990, Finding Groups in Data, table 4)."""
SHUFFLES = 99
"""AnswerTable without any tie between questions come out above all of 99 shuffled ones once in 100 times."""
_MAX_STEPS = 100
"""k-means needs a dozen, an axis some more: what is left then changes nobody's neighbours."""
_NOTHING = 1e-9
"""Rounding leaves less of a length that is 0; one answer that differs makes more."""
Numbers = NDArray[np.float64]
Labels = NDArray[np.intp]
AnswerTable = NDArray[np.intp]
"""Row = person, column = question; an answer is a number from 0 on, `MISSING` where somebody gave none."""
MISSING = -1


@dataclass(frozen=True, slots=True)
class Clusters:
    """Which cluster each row is in, from 0 on, and how well they are apart: 1 is the most, 0 is not at all."""

    labels: tuple[int, ...]
    silhouette: float


def clusters(rows: Sequence[Sequence[int]]) -> Clusters | None:
    """The 2 to 5 clusters with the highest mean silhouette; None if it is below the bar, or chance does as well."""
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
    """The same answers to each question, dealt out anew among those who gave one: what ties questions is gone."""
    generator = np.random.default_rng(0)
    for _ in range(SHUFFLES):
        shuffled = answers.copy()
        for column in shuffled.T:
            given = column != MISSING
            column[given] = generator.permutation(column[given])
        yield shuffled


def _best(answers: AnswerTable) -> Clusters | None:
    places = _places(answers)
    apart = _distances(places)
    least = max(LEAST_IN_CLUSTER, LEAST_SHARE * len(places))
    best: Clusters | None = None
    for number in range(2, MOST_CLUSTERS + 1):
        labels = _k_means(places, apart, number)
        if np.bincount(labels, minlength=number).min() < least:
            continue
        silhouette = _silhouette(apart, labels, number)
        if best is None or silhouette > best.silhouette:
            best = Clusters(tuple(labels.tolist()), silhouette)
    return best


def _places(answers: AnswerTable) -> Numbers:
    """Where each person stands on the two axes that tell most people apart.

    Each answer to each question is a statement: 1 for those who gave it, -1 for those who gave another one, around
    its mean; whoever gave none is at the mean.
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
    """The direction in which people differ most, by power iteration (von Mises 1929); 0 where nobody differs.

    numpy's own takes ten times as long on a busy machine, where its threads wait for one another.
    """
    axis: Numbers = covariance[np.argmax(np.diagonal(covariance))]
    for _ in range(_MAX_STEPS):
        length = np.linalg.norm(axis)
        if length < _NOTHING:
            return np.zeros_like(axis)
        axis = np.einsum("ij,j", covariance, axis / length)
    return axis / np.linalg.norm(axis)


def _distances(places: Numbers) -> Numbers:
    """Of everybody to everybody."""
    squares = [np.subtract.outer(axis, axis) ** 2 for axis in places.T]
    distances: Numbers = np.sqrt(np.sum(squares, axis=0))
    return distances


def _k_means(places: Numbers, apart: Numbers, number: int) -> Labels:
    """The closest of the clusterings that begin at the ends of the axes (Lloyd 1982)."""
    ends = {int(end(axis)) for axis in places.T for end in (np.argmin, np.argmax)}
    tried = [_from_start(places, apart, start, number) for start in sorted(ends)]
    return min(tried, key=lambda labels: _spread(places, labels, number))


def _from_start(places: Numbers, apart: Numbers, start: int, number: int) -> Labels:
    """The first centres are this person, then whoever is farthest from all before."""
    chosen = [start]
    while len(chosen) < number:
        chosen.append(int(apart[chosen].min(axis=0).argmax()))
    labels: Labels = apart[chosen].argmin(axis=0)
    for _ in range(_MAX_STEPS):
        moved = _nearest(places, _centres(places, labels, number))
        if np.array_equal(moved, labels):
            break
        labels = moved
    return labels


def _centres(places: Numbers, labels: Labels, number: int) -> Numbers:
    """The mean of each cluster; of an empty one, the middle of all."""
    sizes = np.bincount(labels, minlength=number)
    sums = [np.bincount(labels, weights=axis, minlength=number) for axis in places.T]
    return np.array(sums).T / np.maximum(sizes, 1)[:, None]


def _nearest(places: Numbers, centres: Numbers) -> Labels:
    """The square of the distance is the same for all centres but for these two terms."""
    labels: Labels = np.argmin((centres**2).sum(axis=1) - 2 * places @ centres.T, axis=1)
    return labels


def _spread(places: Numbers, labels: Labels, number: int) -> float:
    """The sum of squared distances to the centres, without the rounding that would tell equal ones apart."""
    return round(float(((places - _centres(places, labels, number)[labels]) ** 2).sum()), 9)


def _silhouette(apart: Numbers, labels: Labels, number: int) -> float:
    """How much nearer people are to their own cluster than to the next one, on average (Rousseeuw 1987).

    Without the last digits, which the order of the people changes.
    """
    member: NDArray[Any] = labels[:, None] == np.arange(number)
    total, size = apart @ member, member.sum(axis=0)
    own = (total / (size - 1))[member]
    nearest = np.where(member, np.inf, total / size).min(axis=1)
    widest = np.maximum(own, nearest)
    each = np.divide(nearest - own, widest, out=np.zeros_like(own), where=widest > 0)
    return round(float(each.mean()), 6)
