"""Statistics of judges and voters: agreement, scores of probabilities, intervals.

Pure arithmetic on plain mappings, in floats: nothing here is recorded, counted or decided. Knows no debate, no option
and no poll. None means undefined, never zero. Invalid values raise ValueError.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate, permutations, product
from math import exp, factorial, floor, fsum, isclose, isfinite, lgamma, log, log2, sqrt
from typing import Literal

from debate_core.engine.count.bradley_terry import NORMAL_95
from debate_core.language import message

Rating = str | int | float
Ratings = Mapping[str, Mapping[str, Rating | None]]
"""Rater -> item -> value; a missing item or None is a missing value."""
MeasurementLevel = Literal["nominal", "ordinal", "interval"]
"""Values are names, places in an order, or numbers with meaningful differences."""
Forecast = Mapping[str, float]
"""The probability of each option: each 0 to 1, together 1."""
Forecasts = Mapping[str, Forecast]
"""Judge -> forecast; all have the same options."""

CLIP = 0.01
"""Distance to 0 and 1 at which probabilities are clipped, so that a wrong certainty has a finite score."""
SUM_TOLERANCE = 1e-6
TAIL = 0.025
"""Probability on either side of a 95 % interval."""
BISECTIONS = 60
LEAST_VALUES = 5
"""Our own cut: minimum number of values for a standard deviation."""
MOST_DEALS = 1_000

LITTLE = 0.4
"""Our own cut: upper bound of little agreement."""
_BANDS = (
    (LITTLE, message("agree a little more than by chance")),
    (0.667, message("agree in part")),
    (0.8, message("mostly agree")),
)
LOW_IS_NORMAL = message(
    "Low agreement is normal when people say which argument is better: "
    "it shows that they weigh things differently, not that someone made a mistake."
)


@dataclass(frozen=True, slots=True)
class Bin:
    """Forecasts from `low` up to `high`: their mean probability and the share that came true; None if empty."""

    low: float
    high: float
    count: int
    mean_probability: float | None
    share_true: float | None


def krippendorff_alpha(ratings: Ratings, level: MeasurementLevel = "nominal") -> float | None:
    """Agreement beyond chance for any number of raters, missing values allowed: 1 is full, 0 chance, negative below it.

    Krippendorff 2011, "Computing Krippendorff's alpha-reliability". Items with a single rating are left out. None if no
    item has two ratings, or all remaining values are equal. Ordinal and interval values are numbers.
    """
    if level != "nominal":
        _refuse_words(ratings)
    units = [unit for unit in _units(ratings) if unit.total() > 1]
    totals: Counter[Rating] = Counter()
    for unit in units:
        totals.update(unit)
    if len(totals) < 2:
        return None
    far = _distances(totals, level)
    observed = []
    for unit in units:
        observed += [apart / (unit.total() - 1) for apart in _pairs_apart(unit, far)]
    expected = fsum(_pairs_apart(totals, far))
    return 1 - fsum(observed) * (totals.total() - 1) / expected


def wilson(hits: float, n: int) -> tuple[float, float]:
    """Interval of 95 % for a share (Wilson 1927): narrower than the exact one, with correct coverage only on average.

    Half hits are allowed, for two tied options.
    """
    if n == 0:
        return 0.0, 1.0
    p = hits / n
    z2 = NORMAL_95**2
    middle = p + z2 / (2 * n)
    half = NORMAL_95 * sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return max(0.0, (middle - half) / (1 + z2 / n)), min(1.0, (middle + half) / (1 + z2 / n))


def mean_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Interval of 95 % for a mean (Student 1908); None for fewer than five values, or if all are equal.

    A percentile bootstrap is too narrow for so few: it covers the mean of 5 values in 84 % of cases, not in 95 %.
    """
    if len(values) < LEAST_VALUES or len(set(values)) == 1:
        return None
    n = len(values)
    mean = fsum(values) / n
    deviation = sqrt(fsum((value - mean) ** 2 for value in values) / (n - 1))
    half = _student(n - 1) * deviation / sqrt(n)
    return mean - half, mean + half


def _student(freedom: int) -> float:
    """The 97.5 % point of Student's t by its expansion around the normal one: within 0.01 from 4 degrees on.

    Abramowitz and Stegun 1964, 26.7.5.
    """
    z = NORMAL_95
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


def exact_interval(hits: int, n: int) -> tuple[float, float]:
    """Exact interval of 95 % for a share (Clopper and Pearson 1934); 0 to 1 without data.

    The true share lies below it in at most 2.5 % of cases, and above it in at most 2.5 %.
    """
    if not 0 <= hits <= n:
        raise ValueError(f"{hits} of {n}: hits are 0 to n")
    # P(as many hits or more) grows with the share, P(as many or fewer) falls.
    # Logarithms, because binomial coefficients of a thousand overflow a float.
    ways = [lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) for k in range(n + 1)]
    low = 0.0
    high = 1.0
    if hits > 0:
        low = _share_where(lambda p: _at_least(hits, ways, p) >= TAIL)
    if hits < n:
        high = _share_where(lambda p: 1 - _at_least(hits + 1, ways, p) <= TAIL)
    return low, high


def _at_least(hits: int, ways: Sequence[float], share: float) -> float:
    yes = log(share)
    no = log(1 - share)
    n = len(ways) - 1
    return fsum(exp(ways[k] + k * yes + (n - k) * no) for k in range(hits, n + 1))


def _share_where(holds: Callable[[float], bool]) -> float:
    """The least share for which a monotone condition holds."""
    low = 0.0
    high = 1.0
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if holds(middle):
            high = middle
        else:
            low = middle
    return high


@dataclass(frozen=True, slots=True)
class AgreementByChance:
    """Probability that random judges would agree at least as much, or at most as much."""

    as_much: float
    as_little: float
    least: float
    """`as_much` at the highest possible agreement: over 0.05 there are too few judges for a test."""


def agreement_by_chance(forecasts: Forecasts) -> AgreementByChance | None:
    """Permutation test of alpha: deal each judge's probabilities to the options at random. None for fewer than two.

    All permutations are tried, or `MOST_DEALS` pseudo-random ones that depend only on the number of options.
    """
    _need_same_options(forecasts)
    if len(forecasts) < 2:
        return None
    given = [list(forecast.values()) for forecast in forecasts.values()]
    ways = factorial(len(given[0])) ** (len(given) - 1)
    if ways <= MOST_DEALS:
        deals = product(given[:1], *map(permutations, given[1:]))
        sums = [_squared_sums(deal) for deal in deals]
    else:
        sums = [_squared_sums(deal) for deal in _some_deals(given)]
    found = _squared_sums(given)
    best = _squared_sums([sorted(row) for row in given])
    as_little = sum(s <= found + SUM_TOLERANCE for s in sums) / len(sums)
    return AgreementByChance(_share_from(found, sums), as_little, _share_from(best, sums))


def _share_from(least: float, sums: Sequence[float]) -> float:
    return sum(s >= least - SUM_TOLERANCE for s in sums) / len(sums)


def _squared_sums(rows: Sequence[Sequence[float]]) -> float:
    """Sum of the squared sums by option, which grows with alpha under permutation."""
    return fsum(fsum(column) ** 2 for column in zip(*rows, strict=True))


def _some_deals(given: Sequence[Sequence[float]]) -> Iterator[Sequence[Sequence[float]]]:
    """The actual assignment, then permutations derived from digests, the same at every call."""
    yield given
    for n in range(1, MOST_DEALS):
        deal = []
        for judge, row in enumerate(given):
            digests = [sha256(f"{n}:{judge}:{at}".encode()).digest() for at in range(len(row))]
            order = sorted(range(len(row)), key=digests.__getitem__)
            deal.append([row[at] for at in order])
        yield deal


def brier_score(forecast: Forecast, truth: str) -> float:
    """Squared error of a forecast, halved: 0 is best, 1 worst, and 0.25 is "half and half" between two options.

    Brier 1950, whose own sum runs to 2; halved, it is (1 - p)^2 for two options. `truth` is one of the options.
    """
    _need_forecast(forecast)
    _need_option(forecast, truth)
    return fsum((p - (option == truth)) ** 2 for option, p in forecast.items()) / 2


def log_score(forecast: Forecast, truth: str, *, clip: float = CLIP) -> float:
    """log2 of the probability of the true option, kept within `clip` and 1 - `clip`: the higher the better.

    Good 1952. From -6.64 to -0.014 with the default clip; -1 is "half and half". `truth` is one of the options.
    """
    _need_forecast(forecast)
    _need_option(forecast, truth)
    return log2(_clipped(forecast[truth], clip))


def reliability(forecasts: Iterable[tuple[float, float]], *, bins: int = 10) -> tuple[Bin, ...]:
    """Group forecasts (probability, outcome) into equally wide bins.

    A probability on an edge is in the bin above, 1 in the last. The outcome is 1 or 0, or a half for two tied options.
    """
    if bins < 1:
        raise ValueError(f"{bins} bins: a reliability table has 1 or more")
    by_bin: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
    for p, was_so in forecasts:
        _need_probability(p)
        # 0.29 * 100 is a little less than 29.
        by_bin[min(floor(p * bins + 1e-9), bins - 1)].append((p, was_so))
    return tuple(_bin(i / bins, (i + 1) / bins, by_bin[i]) for i in range(bins))


def mean_probability(forecasts: Forecasts) -> dict[str, float] | None:
    """The mean of the judges' probabilities, by option; None without judges."""
    return {option: fsum(given) / len(given) for option, given in by_option(forecasts).items()} or None


def mean_log_odds(forecasts: Forecasts) -> dict[str, float] | None:
    """Pooled probabilities by the mean of the log-odds; None without judges.

    Confident judges weigh more than in `mean_probability`; probabilities are clipped to CLIP and 1 - CLIP.
    """
    weights = {}
    for option, given in by_option(forecasts).items():
        logs = [log(_clipped(p, CLIP)) for p in given]
        weights[option] = exp(fsum(logs) / len(logs))
    if not weights:
        return None
    total = fsum(weights.values())
    return {option: weight / total for option, weight in weights.items()}


def by_option(forecasts: Forecasts) -> dict[str, list[float]]:
    """Option -> probabilities given by the judges, in their order; {} without judges."""
    _need_same_options(forecasts)
    given: dict[str, list[float]] = {}
    for forecast in forecasts.values():
        for option, p in forecast.items():
            given.setdefault(option, []).append(p)
    return given


def band(alpha: float | None) -> str:
    """Put the degree of an agreement beyond chance into words that follow "They ...".

    The caller tests whether it is beyond chance. Krippendorff (2004) calls data reliable from 0.8 on, and good for
    tentative conclusions from 0.667 on.
    """
    if alpha is None:
        return message("cannot be compared")
    return next((words for below, words in _BANDS if alpha < below), message("agree"))


def _units(ratings: Ratings) -> list[Counter[Rating]]:
    """Number of ratings of each value, by item."""
    units: defaultdict[str, Counter[Rating]] = defaultdict(Counter)
    for given in ratings.values():
        for item, value in given.items():
            if value is not None:
                units[item][value] += 1
    return list(units.values())


def _pairs_apart(ratings: Counter[Rating], far: Mapping[tuple[Rating, Rating], float]) -> Iterator[float]:
    """Yield the number of pairs of ratings times their distance, for any two values."""
    for value, n in ratings.items():
        for other, n_other in ratings.items():
            yield n * n_other * far[value, other]


def _distances(totals: Counter[Rating], level: MeasurementLevel) -> dict[tuple[Rating, Rating], float]:
    """Krippendorff's squared difference of any two values."""
    if level == "nominal":
        return {(a, b): float(a != b) for a in totals for b in totals}
    places = _places(totals, level)
    return {(a, b): (places[a] - places[b]) ** 2 for a in places for b in places}


def _places(totals: Counter[Rating], level: MeasurementLevel) -> dict[Rating, float]:
    """Position of each number on its scale."""
    order = sorted(value for value in totals if not isinstance(value, str))
    if level == "interval":
        return {value: value for value in order}
    # Ratings below a value and half of those with it: the distance of two values is the number of ratings between.
    upto = accumulate(totals[value] for value in order)
    return {value: n - totals[value] / 2 for value, n in zip(order, upto, strict=True)}


def _bin(low: float, high: float, inside: Sequence[tuple[float, float]]) -> Bin:
    if not inside:
        return Bin(low, high, 0, None, None)
    count = len(inside)
    mean_probability = fsum(p for p, _ in inside) / count
    share_true = sum(was_so for _, was_so in inside) / count
    return Bin(low, high, count, mean_probability, share_true)


def _clipped(p: float, clip: float) -> float:
    if not 0 < clip < 0.5:
        raise ValueError(f"clip {clip}: it is above 0 and below 0.5")
    return min(max(p, clip), 1 - clip)


def _refuse_words(ratings: Ratings) -> None:
    for rater, given in ratings.items():
        for item, value in given.items():
            if value is not None and (isinstance(value, str) or not isfinite(value)):
                raise ValueError(f"{rater!r} on {item!r}: {value!r} is no number; this level needs numbers")


def _need_probability(p: float) -> None:
    if not 0 <= p <= 1:
        raise ValueError(f"{p} is no probability: it is 0 to 1")


def _need_forecast(forecast: Forecast) -> None:
    for p in forecast.values():
        _need_probability(p)
    if not isclose(total := fsum(forecast.values()), 1, abs_tol=SUM_TOLERANCE):
        raise ValueError(f"the probabilities add up to {total}, not to 1")


def _need_option(forecast: Forecast, truth: str) -> None:
    if truth not in forecast:
        raise ValueError(f"{truth!r} is none of the options: {', '.join(map(repr, forecast))}")


def _need_same_options(forecasts: Forecasts) -> None:
    for judge, forecast in forecasts.items():
        _need_forecast(forecast)
        if forecast.keys() != (options := next(iter(forecasts.values())).keys()):
            raise ValueError(f"{judge!r} speaks of {sorted(forecast)}, another judge of {sorted(options)}")
