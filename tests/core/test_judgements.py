"""What judges gave leaves the room only when it is revealed; the figures are those of their reports."""

from typing import get_args

import pytest

from debate_core.report import judgements
from debate_core.room import Person
from debate_core.room_acts import (
    BeliefsRevealed,
    Compared,
    Criterion,
    Judged,
    OutcomeRecorded,
    PersonChanged,
    Rated,
)
from tests.core.test_blind import JOE, belief, judged
from tests.people import ABE, EVERYBODY, FAY, JUNE, OPTIONS, Held, room_spec


def held() -> Held:
    """Two judges after a debate of two rounds: one moved, one did not; a rubric and comparisons."""
    debate = judged()
    debate.did(JUNE, belief(1, 50, 30, 20, shown=OPTIONS))
    debate.did(JUNE, belief(2, 80, 10, 10, final=True, explanation="Costs.", shown=OPTIONS[::-1], read_s=61))
    debate.did(JOE, belief(1, 40, 40, 20))
    debate.did(JOE, belief(2, 40, 40, 20, final=True, explanation="Open."))
    cells = (
        Rated(option="adopt", criterion="evidence", score=4),
        Rated(option="defer", criterion="evidence", score=None),
    )
    debate.did(JUNE, Judged(ratings=cells, comment="thin"))
    debate.did(JOE, Judged(ratings=(Rated(option="adopt", criterion="evidence", score=1),)))
    debate.did(JUNE, Compared(a="1.opening.s0", b="1.opening.s1", winner="a", reason="closer"))
    debate.did(JOE, Compared(a="1.opening.s1", b="1.opening.s2", winner="both_weak"))
    return debate


def test_nothing_sealed_becomes_a_row():
    debate = held()
    assert judgements.judgement_rows(debate.state) == ()
    assert not judgements.rubric_rows(debate.state)
    assert not judgements.comparison_rows(debate.state)
    assert not judgements.option_rows(debate.state)
    assert not judgements.moves(debate.state)
    assert judgements.agreement_sentence(debate.state) == "No judge's probabilities are revealed."
    debate.did(FAY, BeliefsRevealed(round=1))
    assert {r.round for r in judgements.judgement_rows(debate.state)} == {1}
    assert not judgements.rubric_rows(debate.state)
    assert not judgements.comparison_rows(debate.state)


def test_rows_of_what_was_revealed():
    debate = held()
    debate.did(FAY, BeliefsRevealed(round=2))
    rows = judgements.judgement_rows(debate.state)
    assert [(r.judge, r.round, r.option, r.probability, r.final, r.swapped) for r in rows if r.option == "adopt"] == [
        ("Judge 1", 1, "adopt", "0.50", False, False),
        ("Judge 1", 2, "adopt", "0.80", True, True),
        ("Judge 2", 1, "adopt", "0.40", False, None),
        ("Judge 2", 2, "adopt", "0.40", True, None),
    ]
    assert {(r.mode, r.brier, r.log_score) for r in rows} == {("stepped", None, None)}
    assert [r.seconds_spent for r in rows if r.round == 2][:3] == [61] * 3
    cells = judgements.rubric_rows(debate.state)
    assert [(r.judge, r.option, r.score, r.comment) for r in cells] == [
        ("Judge 1", "adopt", 4, "thin"),
        ("Judge 1", "defer", None, "thin"),
        ("Judge 2", "adopt", 1, ""),
    ]
    assert judgements.mean_rubric(debate.state) == {("adopt", "evidence"): 2.5, ("defer", "evidence"): None}
    pairs = judgements.comparison_rows(debate.state)
    assert [(r.judge, r.item_a, r.item_b, r.winner, r.reason) for r in pairs] == [
        ("Judge 1", "1.opening.s0", "1.opening.s1", "a", "closer"),
        ("Judge 2", "1.opening.s1", "1.opening.s2", "both_weak", ""),
    ]
    assert list(judgements.strengths(debate.state)) == ["1.opening.s0", "1.opening.s2", "1.opening.s1"]


def test_scores_come_with_the_outcome_and_never_before():
    debate = held()
    debate.did(FAY, BeliefsRevealed(round=2))
    debate.did(ABE, OutcomeRecorded(result="held", option="adopt", reason="a year later"))
    last = [r for r in judgements.judgement_rows(debate.state) if r.round == 2 and r.option == "adopt"]
    # June: (0.2² + 0.1² + 0.1²) / 2, log2 0.8. Joe: (0.6² + 0.4² + 0.2²) / 2, log2 0.4.
    assert [(r.brier, r.log_score) for r in last] == [("0.0300", "-0.3219"), ("0.2800", "-1.3219")]


def test_the_mean_stands_beside_favourites_and_log_odds():
    debate = held()
    debate.did(FAY, BeliefsRevealed(round=2))
    adopt, defer, reject = judgements.option_rows(debate.state)
    assert (adopt.mean, adopt.lowest, adopt.highest, adopt.favourites) == pytest.approx((0.6, 0.4, 0.8, 1))
    assert (defer.mean, defer.favourites, reject.mean) == pytest.approx((0.25, 0, 0.15))
    assert adopt.log_odds + defer.log_odds + reject.log_odds == pytest.approx(1)
    assert judgements.aggregate_sentence(debate.state) == (
        "On average the judges think adopt most likely to be right: 60%; adopt is the favourite of 1 of 2."
    )
    assert "(Krippendorff's alpha" in judgements.agreement_sentence(debate.state)
    moved = [(m.judge, m.round, m.option, m.before, m.after) for m in judgements.moves(debate.state)]
    assert moved == [("p-june", 2, "adopt", 50, 80)]


def test_who_judged_and_also_led_or_has_an_interest_is_flagged():
    both = Person(id="p-both", name="Bo", role="facilitator")
    debate = judged(room_spec((*EVERYBODY, both)))
    debate.did(FAY, PersonChanged(person=both.model_copy(update={"role": "judge", "interest": "sells it"})))
    debate.did(both, belief(1))
    debate.did(JUNE, belief(1))
    assert judgements.judge_flags(debate.state) == (
        "Bo judged this debate and was its facilitator",
        "Bo judged this debate and declared an interest: sells it",
    )


def test_a_room_without_judges_says_nothing():
    debate = Held(room_spec())
    assert judgements.judges(debate.state) == {}
    assert judgements.aggregate_sentence(debate.state) == ""
    assert judgements.judge_flags(debate.state) == ()
    assert len(get_args(Criterion)) == 7
