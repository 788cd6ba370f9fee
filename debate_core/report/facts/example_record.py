"""Invented decisions with invented outcomes: the example of the track record, until there are own ones.

The figures over them come from the code that computes the own ones. They never enter a figure over real debates.
"""

from fractions import Fraction
from functools import cache

from debate_core.report.facts.debate_facts import Facts
from debate_core.report.facts.decision_outcomes import Aftermath, Held
from debate_core.report.facts.forecasts import IN_THE_ROOM, Stated, StatedBy
from debate_core.spec.values import TaskType

DECISIONS = 40
_OPTIONS = ("A", "B")
_JUDGES: tuple[tuple[str, StatedBy, float], ...] = (("Ann", "person", 0.0), ("Model X", "model", 0.12))
"""Name, kind, and the share by which the judge is right less often than it says."""
_KINDS: tuple[tuple[TaskType, str], ...] = (("architecture", "1.40"), ("contract", "2.10"), ("security", "3.20"))
"""Kinds of decision, with the mean cost of a debate in USD."""
_SURE = (0.55, 0.65, 0.75, 0.85, 0.95)
_RESULTS: tuple[Held, ...] = ("held", "held", "revised", "held", "held", "reversed", "held")


@cache
def example_facts() -> tuple[Facts, ...]:
    """The invented decisions, always the same."""
    return tuple(_invent(number) for number in range(DECISIONS))


def _spread(number: int) -> float:
    """Spread the numbers over 0 to 1: multiples of the golden section leave no gaps and no clusters."""
    return number * 0.6180339887 % 1


def _invent(number: int) -> Facts:
    right = _OPTIONS[number % 2]
    task, usd = _KINDS[number % len(_KINDS)]
    result = _RESULTS[number % len(_RESULTS)]
    return Facts(
        debate=f"example-{number}",
        protocol="example",
        rehearsal=False,
        status="decided",
        cost_usd=Fraction(usd) * round(60 + 80 * _spread(number)) / 100,
        later=Aftermath(question=str(number), task=task, decision=right, result=result, right=right),
        seconds=60 * round(8 + 22 * _spread(number + 7)),
        stated=tuple(_forecast(number, place, right) for place in range(len(_JUDGES))),
    )


def _forecast(number: int, place: int, right: str) -> Stated:
    who, by, too_sure = _JUDGES[place]
    sure = _SURE[(number + place) % len(_SURE)]
    (wrong,) = set(_OPTIONS) - {right}
    is_right = _spread(3 * number + 11 * place) < sure - too_sure
    named, other = (right, wrong) if is_right else (wrong, right)
    return Stated(who, by, IN_THE_ROOM, judges=True, named=(named,), shares={named: sure, other: 1 - sure})
