"""How what somebody says of their own sureness is to be read: one slope, fitted on what turned out right.

A slope below 1 reads stated probabilities closer to level, one above 1 further from it. It is a hint beside a
probability and never takes its place. Pure arithmetic, like `judge_statistics`; knows no debate.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, fsum, log

from debate_core.report.facts.judge_statistics import CLIP, Forecast, brier_score

LEAST_TO_FIT = 20
"""Our own cut, from human judges of published debates: with 20 earlier verdicts a slope helped in 84 % of draws."""
MOST_SLOPE = 4.0
"""Somebody who was always right has no largest slope: this one reads 60 % as 84 %."""
HALF_DEVIANCE_95 = 1.92
"""Half of the 95 % point of chi-square with one degree of freedom: how far the log-likelihood falls in an interval."""
_STEPS = 40
_CLOSE = 1e-6


@dataclass(frozen=True, slots=True)
class Slope:
    """The slope that makes what turned out right most likely, with its likelihood interval of 95 %."""

    n: int
    value: float
    low: float
    high: float


Told = tuple[Forecast, str]
"""What somebody said, and which option turned out right."""
_Cases = Counter[tuple[tuple[float, ...], float]]
"""The logarithms of all shares and of the one that was right -> how often that happened."""


def read_with(slope: float, forecast: Forecast) -> dict[str, float]:
    """The forecast as this slope reads it: log-odds times the slope, for two options the logistic of one parameter."""
    powers = {option: exp(slope * log_share) for option, log_share in _logs(forecast).items()}
    total = fsum(powers.values())
    return {option: power / total for option, power in powers.items()}


def fit(told: Sequence[Told]) -> float:
    """The slope of maximum likelihood between 0 and `MOST_SLOPE`; 1 without anything to fit on.

    Platt 1999, with the shift left out: options have no order. Where all options are level nothing can be fitted.
    """
    return _peak(_counted(told))


def fit_with_interval(told: Sequence[Told]) -> Slope:
    """The slope with its interval: all slopes under which what happened is not much less likely."""
    cases = _counted(told)
    peak = _peak(cases)
    least = _likelihood(cases, peak) - HALF_DEVIANCE_95

    def stands(slope: float) -> bool:
        return _likelihood(cases, slope) >= least

    return Slope(len(told), peak, _edge(peak, 0.0, stands), _edge(peak, MOST_SLOPE, stands))


def walk_forward(told: Sequence[Told]) -> tuple[tuple[float, float], ...]:
    """(Brier score as said, Brier score as read) of each verdict from the 21st on: its slope is of the earlier ones.

    `told` stands in the order in which it was said.
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
    """Judges say the same again and again: equal cases are one, however the options are called."""
    logs = [(_logs(forecast), right) for forecast, right in told if len(set(forecast.values())) > 1]
    return Counter((tuple(sorted(by_option.values())), by_option[right]) for by_option, right in logs)


def _peak(cases: _Cases) -> float:
    """The likelihood has one peak: Newton's steps, halving wherever one leaves what is still possible."""
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
    """First derivative of the log-likelihood, and the second with its sign turned."""
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


def _edge(inside: float, outside: float, stands: Callable[[float], bool]) -> float:
    """The last slope on the way from the peak outwards that still stands."""
    if stands(outside):
        return outside
    for _ in range(_STEPS // 2):
        middle = (inside + outside) / 2
        if stands(middle):
            inside = middle
        else:
            outside = middle
    return inside
