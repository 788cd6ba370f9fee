"""Base rates: shares of the decisions of one kind that held, were overturned or superseded, with intervals."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from debate_core.report.facts.judge_statistics import wilson
from debate_core.report.facts.track_record import Estimate
from debate_core.spec.values import TaskType

DecisionFate = Literal["stood", "overturned", "superseded", "unknown"]
"""`stood`: a person recorded that it held; `overturned`: revised, reversed, withdrawn or challenged; `unknown`: no
outcome is recorded."""
LEAST_KNOWN = 3
"""Outcomes below which no share is stated."""


@dataclass(frozen=True, slots=True)
class BaseRate:
    """Numbers of decisions of one kind. Shares are of those whose outcome is known."""

    kind: TaskType
    stood: int = 0
    overturned: int = 0
    superseded: int = 0
    unknown: int = 0

    @property
    def known(self) -> int:
        return self.stood + self.overturned + self.superseded

    @property
    def decided(self) -> int:
        return self.known + self.unknown

    def share(self, fate: Literal["stood", "overturned", "superseded"]) -> Estimate | None:
        """The share of a fate with Wilson's 95 % interval; None for too few known outcomes."""
        if self.known < LEAST_KNOWN:
            return None
        count: int = getattr(self, fate)
        return Estimate(self.known, count / self.known, *wilson(count, self.known), "Wilson")


def base_rates(decisions: Iterable[tuple[TaskType, DecisionFate]]) -> Mapping[TaskType, BaseRate]:
    """The base rate of each kind that occurs, in the order of the alphabet."""
    counts: dict[TaskType, Counter[DecisionFate]] = defaultdict(Counter)
    for kind, fate in decisions:
        counts[kind][fate] += 1
    return {
        kind: BaseRate(kind, of["stood"], of["overturned"], of["superseded"], of["unknown"])
        for kind, of in sorted(counts.items())
    }
