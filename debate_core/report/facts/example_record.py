"""Invented decisions with invented outcomes: the example of the track record, until there are own ones.

The figures over them come from the code that computes the own ones. They never enter a figure over real debates.
"""

from fractions import Fraction
from functools import cache
from random import Random

from debate_core.report.facts.debate_facts import Facts
from debate_core.report.facts.decision_outcomes import Aftermath, Held
from debate_core.report.facts.forecasts import IN_THE_ROOM, Stated, StatedBy
from debate_core.spec.values import TaskType

DECISIONS = 40
_SEED = 5
_OPTIONS = ("A", "B")
_JUDGES: tuple[tuple[str, StatedBy, float], ...] = (
    ("Ann", "person", 0.0),
    ("Model X", "model", 0.12),
)
"""Name, kind, and the share by which the judge is right less often than it says."""
_KINDS: tuple[tuple[TaskType, str], ...] = (("architecture", "1.40"), ("contract", "2.10"), ("security", "3.20"))
"""Kinds of decision, with the mean cost of a debate in USD."""
_SURE = (0.55, 0.65, 0.75, 0.85, 0.95)


@cache
def example_facts() -> tuple[Facts, ...]:
    """The invented decisions, always the same."""
    draw = Random(_SEED)
    return tuple(_invent(draw, number) for number in range(DECISIONS))


def _invent(draw: Random, number: int) -> Facts:
    right = draw.choice(_OPTIONS)
    task, usd = _KINDS[number % len(_KINDS)]
    forecasts = tuple(_forecast(draw, right, *judge) for judge in _JUDGES)
    held: Held = draw.choices(("held", "revised", "reversed"), (7, 2, 1))[0]
    return Facts(
        debate=f"example-{number}",
        protocol="example",
        rehearsal=False,
        status="decided",
        strengths=(),
        low=None,
        uncertainties=None,
        cost_usd=Fraction(usd) * draw.randrange(60, 140) / 100,
        forecast_usd=None,
        as_first=None,
        one_family=None,
        findings=0,
        turns=0,
        lost=0,
        reviews=(),
        later=Aftermath(question=str(number), task=task, decision=right, result=held, right=right),
        seconds=60.0 * draw.randrange(8, 30),
        stated=forecasts,
    )


def _forecast(draw: Random, right: str, who: str, by: StatedBy, too_sure: float) -> Stated:
    sure = draw.choice(_SURE)
    (wrong,) = set(_OPTIONS) - {right}
    named, other = (right, wrong) if draw.random() < sure - too_sure else (wrong, right)
    return Stated(who, by, IN_THE_ROOM, judges=True, named=(named,), shares={named: sure, other: 1 - sure})
