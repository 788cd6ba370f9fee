"""How sure judges should have been: one slope on the log-odds of their probabilities, fitted on earlier verdicts.

Below 1 they were surer than they were right. Pure arithmetic; a hint that is offered, never applied to a count.
"""

from collections.abc import Sequence
from math import exp, fsum, log

from debate_core.report.facts.judge_statistics import CLIP

STEPS = 30
"""Halvings of the range of slopes: eight digits are left."""
STEEPEST = 8.0
"""No more is believed, however right a few verdicts were."""


def fitted_slope(earlier: Sequence[tuple[float, bool]]) -> float:
    """The slope that makes what happened likeliest, 0 to `STEEPEST`: of (probability, whether it was so); 1 of none.

    Probabilities are kept within `CLIP` and 1 - `CLIP`. Platt 1999, with the shift left out: sides have no names.
    """
    known = [(odds, was_so) for p, was_so in earlier if (odds := _log_odds(p))]
    if not known:
        return 1.0
    low, high = 0.0, STEEPEST
    for _ in range(STEPS):
        slope = (low + high) / 2
        # The likelihood has one top: it rises as long as this sum is above 0.
        rises = fsum(odds * (was_so - _probability(slope * odds)) for odds, was_so in known) > 0
        low, high = (slope, high) if rises else (low, slope)
    return (low + high) / 2


def calibrated(probability: float, slope: float) -> float:
    """The probability with its log-odds times the slope."""
    return _probability(slope * _log_odds(probability))


def _log_odds(probability: float) -> float:
    clipped = min(max(probability, CLIP), 1 - CLIP)
    return log(clipped / (1 - clipped))


def _probability(odds: float) -> float:
    return 1 / (1 + exp(-odds))
