"""Comparison of protocols: figures by hand, and differences reported only if they are significant."""

import pytest

from debate_core.evaluation.backtest import Contender, HeldDebate
from debate_core.evaluation.comparison import differences, figures
from debate_core.evaluation.questions import JudgedQuestion
from debate_core.report.facts.ballot_moves import Moves, ballot_moves
from debate_core.report.facts.judge_statistics import wilson
from debate_core.spec.contents import Argument
from debate_core.spec.rules import DecisionRule, Elected, MaxRounds, Plurality
from debate_core.spec.values import Given, TaskType
from tests.by_hand import OPEN, small

PANEL, SINGLE = Contender("expert_panel", "p"), Contender("single_call", "p")


def held(
    contender: Contender,
    number: int,
    answer: str | None,
    *,
    brier: float | None = 0.1,
    usd: float | None = 0.01,
    task: TaskType | None = None,
    seconds: float = 1,
) -> HeldDebate:
    asked = JudgedQuestion(f"Question {number}?", ("a", "b"), "a", task)
    return HeldDebate(
        contender, asked, answer, brier, moves=Moves(1, number % 2, 0, 0), calls=4, usd=usd, seconds=seconds
    )


def of(contender: Contender, right: int, questions: int) -> list[HeldDebate]:
    return [held(contender, n, "a" if n < right else "b") for n in range(questions)]


@pytest.mark.parametrize(
    ("own", "other", "questions", "verdict"),
    [
        (30, 15, 40, "better"),
        (15, 30, 40, "worse"),
        (21, 20, 40, "cannot tell"),
        (20, 20, 40, "cannot tell"),
        (19, 0, 19, "cannot tell"),
        (20, 0, 20, "better"),
    ],
)
def test_a_difference_is_reported_if_its_interval_excludes_zero(
    own: int, other: int, questions: int, verdict: str
):  # R271
    (told,) = differences([*of(PANEL, own, questions), *of(SINGLE, other, questions)])
    assert told.accuracy == pytest.approx((own - other) / questions)
    assert told.low <= told.accuracy <= told.high
    assert (told.against, told.questions, told.verdict) == ("single_call", questions, verdict)


def test_a_difference_uses_the_common_questions_and_panel():
    others = of(Contender("single_call", "q"), 0, 5)
    (told,) = differences([*of(PANEL, 5, 5), *of(SINGLE, 0, 3), *others])
    assert (told.questions, told.accuracy) == (3, 1)
    assert differences([*of(PANEL, 5, 5), *others]) == ()


def test_seeds_of_a_question_are_one_question():
    found = [held(PANEL, 0, "a"), held(PANEL, 0, "b"), held(PANEL, 1, "a", seconds=9), held(PANEL, 1, None)]
    (one,) = figures(found)
    assert (one.questions, one.accuracy, one.undecided) == (2, 0.5, 0.25)
    assert (one.flips, one.corrected, one.talked_out, one.calls, one.seconds) == (0.5, 0.5, 0, 4, 1)
    assert one.brier == pytest.approx(0.1)
    assert one.usd == pytest.approx(0.01)


def test_a_question_right_in_half_its_seeds_counts_half():
    # Rounded to whole questions it would be 0 of 1: an interval of another share than the one beside it.
    (one,) = figures([held(PANEL, 0, "a"), held(PANEL, 0, "b")])
    assert (one.questions, one.accuracy) == (1, 0.5)
    assert (one.low, one.high) == wilson(0.5, 1)


def ranked(*best_first: str) -> Argument:
    given = tuple(Given(option=option, points=place) for place, option in enumerate(best_first, start=1))
    return Argument(rationale="why", ballot=given)


@pytest.mark.parametrize(
    ("rule", "first", "last"),
    [
        (Plurality(), Argument(rationale="why", vote="a"), Argument(rationale="why", vote="b")),
        (Elected(kind="borda"), ranked("a", "b", "c"), ranked("b", "a", "c")),
    ],
    ids=["one option", "ranking"],
)
def test_a_new_first_option_is_a_change_in_any_ballot_form(rule: DecisionRule, first: Argument, last: Argument):
    played = small(OPEN, n=2, decide=rule, stop=(MaxRounds(),))
    for said in (first, first, last, first):
        played.say(said)
    assert ballot_moves(played.state) == ((("a",), ("b",)), (("a",), ("a",)))


def test_what_is_not_known_of_one_debate_is_not_known_of_all():
    (one,) = figures([held(PANEL, 0, "a", brier=None, usd=None), held(PANEL, 1, "a")])
    assert (one.brier, one.usd) == (None, None)


def test_figures_are_also_given_by_task():
    found = figures([held(PANEL, 0, "a", task="security"), held(PANEL, 1, "b", task="architecture")])
    assert [(one.task, one.questions, one.accuracy) for one in found] == [
        (None, 2, 0.5),
        ("security", 1, 1),
        ("architecture", 1, 0),
    ]
