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

    @property
    def has_enough(self) -> bool:
        """True from the stated number of outcomes on."""
        return self.n >= LEAST_LABELLED

    @property
    def times(self) -> int | None:
        """The break-even; None with too few outcomes, or if it is not clear that debates correct more than they worsen.

        The same rule as for baselines: the interval of the settled disagreements must exclude one half.
        """
        low, _high = wilson(self.corrected, self.corrected + self.worsened)
        if not self.has_enough or low <= 0.5:
            return None
        return ceil(Fraction(self.n, self.corrected - self.worsened))


def propose_threshold(held: Sequence[Facts], quarter: str) -> ThresholdProposal:
    """Count the known outcomes of real debates; rehearsals and single calls do not count."""
    real = [one for one in held if not (one.rehearsal or one.is_single_call)]
    known = [case for case in map(_was_right, real) if None not in case]
    return ThresholdProposal(
        quarter, len(known), corrected=known.count((True, False)), worsened=known.count((False, True))
    )


def _was_right(one: Facts) -> tuple[bool | None, bool | None]:
    """Tell whether the debate and the single answer were right; None if unknown."""
    asked = [row.answer for row in one.baselines if row.name == "single_call" and row.answer is not None]
    single = asked[0] if asked else one.later.first
    return one.later.was_right(one.later.decision), one.later.was_right(single)
