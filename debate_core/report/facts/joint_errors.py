"""Joint errors of models that voted in the same debates, and the number of independent voters that they are worth.

Needs debates with a known right option. Knows no words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum
from statistics import multimode

PUBLISHED_SAME_ERROR = 0.60
"""Share of joint errors on which two models agree, over more than 350 models (Kim et al., ICML 2025)."""
LEAST_DEBATES = 20
"""Minimum number of debates with a known outcome and two votes of models: as for a labelled set."""


@dataclass(frozen=True, slots=True)
class JointErrors:
    """Errors of models that voted together."""

    debates: int
    """Debates with a known outcome in which at least two seats of models voted."""
    voters: int
    """Most frequent number of votes of models in these debates."""
    both_wrong: int
    """Pairs of votes in one debate that were both wrong."""
    same_wrong: int
    """Those of them that named the same wrong option."""
    correlation: float | None
    """Of the errors of two voters of one debate; None for too few debates, or if all votes or none were wrong."""

    @property
    def effective(self) -> float | None:
        """Number of independent voters with the same spread of errors (Kish's design effect), 1 to `voters`."""
        return None if self.correlation is None else effective_voters(self.voters, self.correlation)


def effective_voters(voters: int, correlation: float) -> float:
    """`voters / (1 + (voters - 1) * correlation)`; a negative correlation counts as none."""
    return voters / (1 + (voters - 1) * max(correlation, 0.0))


def joint_errors(cases: Iterable[tuple[str, Sequence[str]]]) -> JointErrors:
    """Compare the votes of each debate: its right option, and the option of each vote by a model.

    Every debate has the same weight in the correlation, because its votes are not independent cases.
    """
    held = [(right, votes) for right, votes in cases if len(votes) > 1]
    wrong_pairs = [pair for right, votes in held for pair in combinations(votes, 2) if right not in pair]
    errors = [[vote != right for vote in votes] for right, votes in held]
    return JointErrors(
        debates=len(held),
        voters=min(multimode(map(len, errors)), default=0),
        both_wrong=len(wrong_pairs),
        same_wrong=sum(one == other for one, other in wrong_pairs),
        correlation=_correlation(errors),
    )


def _correlation(errors: Sequence[Sequence[bool]]) -> float | None:
    if len(errors) < LEAST_DEBATES:
        return None
    rate = fsum(sum(own) / len(own) for own in errors) / len(errors)
    if rate in (0.0, 1.0):
        return None
    products = []
    for own in errors:
        pairs = [(one - rate) * (other - rate) for one, other in combinations(own, 2)]
        products.append(fsum(pairs) / len(pairs))
    return fsum(products) / len(products) / (rate * (1 - rate))
