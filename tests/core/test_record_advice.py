"""The judgement on the track record: it claims no more than its numbers allow."""

from fractions import Fraction

import pytest

from debate_core.report.facts.cross_debate_metrics import Metric
from debate_core.report.facts.judge_statistics import wilson
from debate_core.report.phrases.record_advice import OpenWork, next_steps, verdict_sentence


def held(hits: int, n: int) -> Metric:
    low, high = wilson(hits, n) if n >= 5 else (None, None)
    value = Fraction(hits, n) if n >= 5 else None
    return Metric("outcome_quality", "Decisions that held", "share", n, value, None, "above", "", "", low, high)


@pytest.mark.parametrize(
    ("hits", "n", "words"),
    [
        (1, 1, "Too early to say: 1 outcome is recorded, 5 are needed."),
        (3, 5, "Not clear yet: 60 % of the decisions held; the true share can be 23 to 88 %."),
        (19, 20, "Yes: 95 % of the decisions held, at least 76 % with 95 % confidence."),
        (1, 20, "No: 5 % of the decisions held, at most 24 % with 95 % confidence."),
    ],
)
def test_verdict_follows_the_interval(hits: int, n: int, words: str) -> None:
    assert verdict_sentence(held(hits, n)).replace("\N{NO-BREAK SPACE}", " ") == words


def test_steps_begin_with_reviews_that_are_due() -> None:
    steps = [*next_steps(OpenWork(due=1, undated=1), {})]
    assert steps == [
        "Record how 1 decision turned out: its review date has come.",
        "Agree on a review date for 1 signed decision: without one no one is asked how it turned out.",
    ]
    assert [*next_steps(OpenWork(), {})] == []


def test_figure_past_its_limit_gives_one_advice() -> None:
    costly = Metric("cost", "Cost", "times", 9, Fraction(2), Fraction(3, 2), "above", "", "")
    weak = Metric("very_weak", "Weak", "number", 9, Fraction(1), Fraction(0), "above", "", "")
    strength = Metric("strength", "Strength", "number", 9, Fraction(1), Fraction(5), "below", "", "")
    figures = {figure.name: figure for figure in (costly, weak, strength)}
    assert [*next_steps(OpenWork(), figures)] == [
        "Lower the number of rounds or the limit.",
        "Ask critics for a concrete failure, and give them documents.",
    ]
