"""Calibration of stated confidence: one slope, fitted on known outcomes.

A slope below 1 moves stated probabilities towards level, one above 1 away from it. It is shown beside a probability
and never replaces it. Pure arithmetic, like `judge_statistics`; knows no debate.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, fsum, log

from debate_core.report.facts.judge_statistics import CLIP, Forecast, brier_score

LEAST_TO_FIT = 20
"""Our own cut, from human judges of published debates: with 20 earlier verdicts a slope helped in 84 % of draws."""
MOST_SLOPE = 4.0
"""Without a bound the slope of a perfect forecaster is infinite; this one reads 60 % as 84 %."""
HALF_DEVIANCE_95 = 1.92
"""Half of the 95 % point of chi-square with one degree of freedom: the drop of the log-likelihood at the bounds."""
_STEPS = 40
_CLOSE = 1e-6


@dataclass(frozen=True, slots=True)
class Slope:
    """The slope of maximum likelihood with its likelihood interval of 95 %."""

    n: int
    value: float
    low: float
    high: float


Told = tuple[Forecast, str]
"""A forecast, and the option that turned out right."""
_Cases = Counter[tuple[tuple[float, ...], float]]
"""(Logarithms of all shares, logarithm of the right one) -> number of cases."""


def read_with(slope: float, forecast: Forecast) -> dict[str, float]:
    """Apply a slope to a forecast: log-odds times the slope; for two options the logistic of one parameter."""
    powers = {option: exp(slope * log_share) for option, log_share in _logs(forecast).items()}
    total = fsum(powers.values())
    return {option: power / total for option, power in powers.items()}


def fit(told: Sequence[Told]) -> float:
    """The slope of maximum likelihood between 0 and `MOST_SLOPE`; 1 without data.

    Platt 1999, without the shift because options have no order. Cases with all options level carry no information.
    """
    return _peak(_counted(told))


def fit_with_interval(told: Sequence[Told]) -> Slope:
    """The slope with its likelihood interval of 95 %."""
    cases = _counted(told)
    peak = _peak(cases)
    least = _likelihood(cases, peak) - HALF_DEVIANCE_95

    def is_inside(slope: float) -> bool:
        return _likelihood(cases, slope) >= least

    return Slope(len(told), peak, _edge(peak, 0.0, is_inside), _edge(peak, MOST_SLOPE, is_inside))


def walk_forward(told: Sequence[Told]) -> tuple[tuple[float, float], ...]:
    """(Brier score as stated, Brier score as read) of each verdict from the 21st on, by the slope of the earlier ones.

    `told` is in chronological order.
    """
    scored = list[tuple[float, float]]()
    cases = _counted(told[:LEAST_TO_FIT])
    for forecast, right in told[LEAST_TO_FIT:]:
        read = read_with(_peak(cases), forecast)
        scored.append((brier_score(forecast, right), brier_score(read, right)))
        cases += _counted([(forecast, right)])
    return tuple(scored)


def _logs(forecast: Forecast) -> Mapping[str, float]:
    return {option: log(min(max(share, CLIP), 1 - CLIP)) for option, share in forecast.items()}


def _counted(told: Sequence[Told]) -> _Cases:
    """Count equal cases together: judges often repeat the same probabilities."""
    logs = [(_logs(forecast), right) for forecast, right in told if len(set(forecast.values())) > 1]
    return Counter((tuple(sorted(by_option.values())), by_option[right]) for by_option, right in logs)


def _peak(cases: _Cases) -> float:
    """Find the single peak of the likelihood by Newton steps, bisecting if a step leaves the bracket."""
    slope = 1.0
    if not cases:
        return slope
    low = 0.0
    high = MOST_SLOPE
    for _ in range(_STEPS):
        before = slope
        climb, bend = _climb(cases, before)
        if climb > 0:
            low = before
        else:
            high = before
        slope = (low + high) / 2
        if bend > 0 and low < before + climb / bend < high:
            slope = before + climb / bend
        if abs(slope - before) < _CLOSE:
            break
    return slope


def _climb(cases: _Cases, slope: float) -> tuple[float, float]:
    """First derivative of the log-likelihood, and the negated second one."""
    climb = bend = 0.0
    for (logs, right), times in cases.items():
        powers = [exp(slope * x) for x in logs]
        total = fsum(powers)
        mean = fsum(p * x for p, x in zip(powers, logs, strict=True)) / total
        square = fsum(p * x * x for p, x in zip(powers, logs, strict=True)) / total
        climb += times * (right - mean)
        bend += times * (square - mean * mean)
    return climb, bend


def _likelihood(cases: _Cases, slope: float) -> float:
    likelihoods = []
    for (logs, right), times in cases.items():
        total = fsum(exp(slope * x) for x in logs)
        likelihoods.append(times * (slope * right - log(total)))
    return fsum(likelihoods)


def _edge(inside: float, outside: float, is_inside: Callable[[float], bool]) -> float:
    """The last slope on the way outwards from the peak that is still inside the interval."""
    if is_inside(outside):
        return outside
    for _ in range(_STEPS // 2):
        middle = (inside + outside) / 2
        if is_inside(middle):
            inside = middle
        else:
            outside = middle
    return inside
