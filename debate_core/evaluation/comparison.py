"""Comparison of protocols on judged questions: figures of each, and differences to the baselines."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal, TypeVar

from debate_core.evaluation.backtest import Contender, HeldDebate
from debate_core.evaluation.figures import bootstrap, mean
from debate_core.report.facts.cross_debate_metrics import LEAST_LABELLED
from debate_core.report.facts.judge_statistics import wilson
from debate_core.spec.presets.baselines import SINGLE_ANSWERS
from debate_core.spec.values import TaskType

K = TypeVar("K")
HeldByQuestion = Mapping[str, Sequence[HeldDebate]]
DifferenceVerdict = Literal["better", "worse", "cannot tell"]


@dataclass(frozen=True, slots=True)
class ContenderFigures:
    """Figures of one contender: means over seeds, then over questions."""

    contender: Contender
    task: TaskType | None
    """None = all questions."""
    questions: int
    accuracy: float
    low: float
    high: float
    """Wilson's interval of 95 % over questions."""
    undecided: float
    brier: float | None
    """None if any debate has no probability."""
    flips: float
    corrected: float
    """Of the flips, those from another option to the right one."""
    talked_out: float
    """Of the flips, those from the right option to another one."""
    calls: float
    usd: float | None
    """Mean of a debate; None if any cost is unknown."""
    seconds: float
    """Median time from the first event to the last."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Difference between a contender and a baseline with the same panel, paired by question."""

    contender: Contender
    against: str
    questions: int
    accuracy: float
    low: float
    high: float
    brier: float | None
    """Difference of Brier scores; below 0 the contender is better."""

    @property
    def verdict(self) -> DifferenceVerdict:
        """Better or worse if the interval of 95 % excludes 0 and there are enough questions."""
        if self.questions < LEAST_LABELLED or self.low <= 0 <= self.high:
            return "cannot tell"
        return "better" if self.low > 0 else "worse"


def figures(held: Sequence[HeldDebate]) -> tuple[ContenderFigures, ...]:
    """Every contender over all questions, then by task if the questions have several tasks."""
    by_contender = _group(held, lambda debate: debate.contender)
    found = [_figures(contender, None, own) for contender, own in by_contender.items()]
    by_task = _group(held, lambda debate: debate.asked.task)
    if len(by_task) == 1:
        return tuple(found)
    for task, of_task in by_task.items():
        if task is None:
            continue
        by_contender_of_task = _group(of_task, lambda debate: debate.contender)
        # In the order of the contenders over all questions.
        for contender in by_contender:
            if own := by_contender_of_task.get(contender):
                found.append(_figures(contender, task, own))
    return tuple(found)


def differences(held: Sequence[HeldDebate]) -> tuple[Difference, ...]:
    """Every contender against each baseline, over the questions that both have finished."""
    by_contender = _group(held, lambda debate: debate.contender)
    found = []
    for contender, own in by_contender.items():
        for baseline in SINGLE_ANSWERS:
            other = by_contender.get(Contender(baseline, contender.panel))
            if contender.protocol not in SINGLE_ANSWERS and other is not None:
                found += _difference(contender, baseline, _by_question(own), _by_question(other))
    return tuple(found)


def _difference(contender: Contender, baseline: str, own: HeldByQuestion, other: HeldByQuestion) -> list[Difference]:
    both = [question for question in own if question in other]
    if not both:
        return []
    gains = [_accuracy(own[question]) - _accuracy(other[question]) for question in both]
    mine = _brier_over(own, both)
    theirs = _brier_over(other, both)
    brier = None if mine is None or theirs is None else mine - theirs
    return [Difference(contender, baseline, len(both), mean(gains), *bootstrap(gains, mean), brier)]


def _brier_over(held: HeldByQuestion, questions: Iterable[str]) -> float | None:
    return _brier([debate for question in questions for debate in held[question]])


def _figures(contender: Contender, task: TaskType | None, held: Sequence[HeldDebate]) -> ContenderFigures:
    by_question = _by_question(held)
    right = [_accuracy(own) for own in by_question.values()]
    low, high = wilson(sum(right), len(right))
    undecided = mean([float(debate.answer is None) for debate in held])
    seconds = median(debate.seconds for debate in held)
    calls = mean([debate.calls for debate in held])
    moves = [debate.moves for debate in held]
    flips = mean([one.all for one in moves])
    return ContenderFigures(
        contender=contender,
        task=task,
        questions=len(right),
        accuracy=mean(right),
        low=low,
        high=high,
        undecided=undecided,
        brier=_brier(held),
        flips=flips,
        corrected=mean([one.corrected for one in moves]),
        talked_out=mean([one.talked_out for one in moves]),
        calls=calls,
        usd=_mean_usd(held),
        seconds=seconds,
    )


def _mean_usd(held: Sequence[HeldDebate]) -> float | None:
    costs = [debate.usd for debate in held if debate.usd is not None]
    return mean(costs) if len(costs) == len(held) else None


def _accuracy(held: Sequence[HeldDebate]) -> float:
    return mean([float(debate.right) for debate in held])


def _brier(held: Sequence[HeldDebate]) -> float | None:
    scores = [debate.brier for debate in held if debate.brier is not None]
    return mean(scores) if scores and len(scores) == len(held) else None


def _by_question(held: Sequence[HeldDebate]) -> HeldByQuestion:
    return _group(held, lambda debate: debate.asked.question)


def _group(held: Sequence[HeldDebate], key: Callable[[HeldDebate], K]) -> Mapping[K, list[HeldDebate]]:
    found: defaultdict[K, list[HeldDebate]] = defaultdict(list)
    for debate in held:
        found[key(debate)].append(debate)
    return found
