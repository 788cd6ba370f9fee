"""The threshold of triage, proposed from recorded outcomes: how many times its price a wrong decision has to cost.

A debate pays for itself when the cost of a wrong decision times the net share of corrected answers exceeds the price.
The single answer is the one asked beside the debate, else the first proposal. Knows no store and no clock.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from debate_core.report.facts.cross_debate_metrics import LEAST_LABELLED
from debate_core.report.facts.debate_facts import Facts
from debate_core.report.facts.judge_statistics import wilson


@dataclass(frozen=True, slots=True)
class ThresholdProposal:
    """The outcomes known in a quarter, and the threshold that follows from them."""

    quarter: str
    """`2026 Q4`."""
    n: int
    """Decisions of which it is known whether the debate and the single answer were right."""
    corrected: int
    """Only the debate was right."""
    worsened: int
    """Only the single answer was right."""
    times: int | None
    """None with too few outcomes, or if it is not clear that debates correct more than they worsen."""

    @property
    def has_enough(self) -> bool:
        """True from the stated number of outcomes on."""
        return self.n >= LEAST_LABELLED


def propose_threshold(held: Sequence[Facts], quarter: str) -> ThresholdProposal:
    """Compute the break-even threshold from real debates; rehearsals and single calls do not count."""
    cases = [_was_right(one) for one in held if not (one.rehearsal or one.is_single_call)]
    known = [(debate, single) for debate, single in cases if debate is not None and single is not None]
    corrected = sum(debate and not single for debate, single in known)
    worsened = sum(single and not debate for debate, single in known)
    n = len(known)
    times = None
    if n >= LEAST_LABELLED and _clearly_corrects(corrected, worsened):
        times = ceil(Fraction(n, corrected - worsened))
    return ThresholdProposal(quarter, n, corrected, worsened, times)


def _was_right(one: Facts) -> tuple[bool | None, bool | None]:
    """Tell whether the debate and the single answer were right; None if unknown."""
    asked = [row.answer for row in one.baselines if row.name == "single_call" and row.answer is not None]
    single = asked[0] if asked else one.later.first
    return one.later.was_right(one.later.decision), one.later.was_right(single)


def _clearly_corrects(corrected: int, worsened: int) -> bool:
    """The same rule as for baselines: the interval of the settled disagreements excludes one half."""
    low, _high = wilson(corrected, corrected + worsened)
    return low > 0.5
