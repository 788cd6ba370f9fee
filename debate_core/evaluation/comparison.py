"""What judged questions say of the ways to decide them: figures of each, and differences to the baselines."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal, TypeVar

from debate_core.evaluation.backtest import Contender, HeldDebate
from debate_core.evaluation.figures import bootstrap, mean
from debate_core.report.facts.judge_statistics import wilson
from debate_core.report.facts.over_debates import LEAST_LABELLED
from debate_core.spec.presets.baselines import BASELINES
from debate_core.spec.values import TaskType

K = TypeVar("K")
HeldByQuestion = Mapping[str, Sequence[HeldDebate]]
DifferenceVerdict = Literal["better", "worse", "cannot tell"]


@dataclass(frozen=True, slots=True)
class ContenderFigures:
    """One way to decide over all its questions; a mean over seeds comes first, then one over questions."""

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
    """None as soon as one debate has no probability."""
    flips: float
    calls: float
    usd: float | None
    """A debate, on average; None as soon as one has an unknown cost."""
    seconds: float
    """Median, from the first event to the last."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A way to decide beside a baseline with the same panel, question by question."""

    contender: Contender
    against: str
    questions: int
    accuracy: float
    low: float
    high: float
    brier: float | None
    """Below 0: the debate's probabilities are better."""

    @property
    def verdict(self) -> DifferenceVerdict:
        """Better or worse only where the interval of 95 % leaves 0 out and there are questions enough."""
        if self.questions < LEAST_LABELLED or self.low <= 0 <= self.high:
            return "cannot tell"
        return "better" if self.low > 0 else "worse"


def figures(held: Sequence[HeldDebate]) -> tuple[ContenderFigures, ...]:
    """Every contender over all questions, then by task where the questions have more than one."""
    by_contender = _by(held, lambda debate: debate.contender)
    found = [_figures(contender, None, own) for contender, own in by_contender.items()]
    by_task = _by(held, lambda debate: debate.asked.task)
    if len(by_task) == 1:
        return tuple(found)
    for task, of_task in by_task.items():
        if task is None:
            continue
        by_contender_of_task = _by(of_task, lambda debate: debate.contender)
        for contender in by_contender:
            if contender in by_contender_of_task:
                found.append(_figures(contender, task, by_contender_of_task[contender]))
    return tuple(found)


def differences(held: Sequence[HeldDebate]) -> tuple[Difference, ...]:
    """Every contender beside each baseline, over the questions that both have decided or left undecided."""
    by_contender = _by(held, lambda debate: debate.contender)
    found = []
    for contender, own in by_contender.items():
        for baseline in BASELINES:
            other = by_contender.get(Contender(baseline, contender.panel))
            if contender.protocol not in BASELINES and other is not None:
                found += _difference(contender, baseline, _by_question(own), _by_question(other))
    return tuple(found)


def _difference(contender: Contender, baseline: str, own: HeldByQuestion, other: HeldByQuestion) -> list[Difference]:
    both = [question for question in own if question in other]
    if not both:
        return []
    gains = [_right(own[question]) - _right(other[question]) for question in both]
    mine = _brier_over(own, both)
    theirs = _brier_over(other, both)
    brier = None if mine is None or theirs is None else mine - theirs
    return [Difference(contender, baseline, len(both), mean(gains), *bootstrap(gains, mean), brier)]


def _brier_over(held: HeldByQuestion, questions: Iterable[str]) -> float | None:
    return _brier([debate for question in questions for debate in held[question]])


def _figures(contender: Contender, task: TaskType | None, held: Sequence[HeldDebate]) -> ContenderFigures:
    by_question = _by_question(held)
    right = [_right(own) for own in by_question.values()]
    undecided = mean([float(debate.answer is None) for debate in held])
    low, high = wilson(sum(right), len(right))
    seconds = median(debate.seconds for debate in held)
    return ContenderFigures(
        contender=contender,
        task=task,
        questions=len(right),
        accuracy=mean(right),
        low=low,
        high=high,
        undecided=undecided,
        brier=_brier(held),
        flips=mean([debate.flips for debate in held]),
        calls=mean([debate.calls for debate in held]),
        usd=_usd(held),
        seconds=seconds,
    )


def _usd(held: Sequence[HeldDebate]) -> float | None:
    costs = [debate.usd for debate in held if debate.usd is not None]
    return mean(costs) if len(costs) == len(held) else None


def _right(held: Sequence[HeldDebate]) -> float:
    return mean([float(debate.right) for debate in held])


def _brier(held: Sequence[HeldDebate]) -> float | None:
    scores = [debate.brier for debate in held if debate.brier is not None]
    return mean(scores) if scores and len(scores) == len(held) else None


def _by_question(held: Sequence[HeldDebate]) -> HeldByQuestion:
    return _by(held, lambda debate: debate.asked.question)


def _by(held: Sequence[HeldDebate], key: Callable[[HeldDebate], K]) -> Mapping[K, list[HeldDebate]]:
    found: defaultdict[K, list[HeldDebate]] = defaultdict(list)
    for debate in held:
        found[key(debate)].append(debate)
    return found
