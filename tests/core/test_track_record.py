"""The track record: planted skill and bias are found within the intervals, and what is too little is not told."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest

from debate_core.record import acts
from debate_core.report.facts.calibration import MOST_SLOPE, fit, fit_with_interval, read_with, walk_forward
from debate_core.report.facts.debate_facts import SINGLE_CALL, Facts, facts
from debate_core.report.facts.decision_outcomes import Aftermath
from debate_core.report.facts.forecasts import IN_THE_ROOM, AskedTwice, Stated, asked_twice, shares_of, stated
from debate_core.report.facts.judge_statistics import brier_score, krippendorff_alpha, mean_interval
from debate_core.report.facts.track_record import (
    Estimate,
    PeopleAndModels,
    Scores,
    TrackRecord,
    left_out,
    of_practice,
    track_record,
    why_left_out,
)
from debate_core.report.figures.intervals import IntervalRow, interval_alt, interval_chart
from debate_core.report.phrases.track_record import together_sentence, who_words
from debate_core.spec.values import TaskType
from tests.core.test_both_orders import held as judged_in_both_orders
from tests.core.test_metrics import ONE
from tests.people import ABE, FAY, JOE, JUNE, belief, judged

SURE = (0.55, 0.7, 0.85, 0.95)
SLOPE = 0.5
"""Planted: of what this judge calls 85 %, about 70 % is right."""
FLIPS = 0.3
"""Planted: how often it names the other option when it is read in the other order."""


def said(option: str, sure: float | None = None, who: str = "Ana", **changes: Any) -> Stated:
    shares = None if sure is None else {option: sure, "a" if option == "b" else "b": 1 - sure}
    one = Stated(who=who, by="person", seat="judge", judges=True, named=(option,), shares=shares)
    return replace(one, **changes)


def debate(number: int, *given: Stated, right: str | None = "a", task: TaskType | None = None):
    later = Aftermath(question=f"q{number}", task=task, quarter="2026 Q1", right=right)
    return replace(ONE, debate=f"d{number}", ended_at=f"2026-01-01T{number:05}", stated=given, later=later)


def of(record: TrackRecord, who: str, group: str = "judge") -> Scores:
    return next(row for row in record.scores if (row.who, row.group) == (who, group))


def simulated(seed: int, debates: int = 40):
    """Debates whose truth is known, a judge of planted skill and sureness, and verdicts in both orders."""
    draw = Random(seed)
    rows = []
    for number in range(debates):
        right, sure = draw.choice("ab"), draw.choice(SURE)
        wrong = "ab".replace(right, "")
        is_right = draw.random() < read_with(SLOPE, {"x": sure, "y": 1 - sure})["x"]
        twice = AskedTwice("north", "model", draw.random() >= FLIPS, 2 * sure - 1)
        one = debate(number, said(right if is_right else wrong, sure), right=right)
        rows.append(replace(one, asked_twice=(twice,)))
    return rows


def planted() -> dict[str, float]:
    """Return the figures of an infinite number of debates."""
    skill = [read_with(SLOPE, {"x": sure, "y": 1 - sure})["x"] for sure in SURE]
    both = list(zip(SURE, skill, strict=True))
    return {
        "accuracy": sum(skill) / len(SURE),
        "too_sure": sum(p - q for p, q in both) / len(SURE),
        "brier": sum(q * (1 - p) ** 2 + (1 - q) * p * p for p, q in both) / len(SURE),
        "slope": SLOPE,
        "flips": FLIPS,
    }


def known(found: Estimate | None) -> Estimate:
    assert found is not None
    return found


def ends(found: Estimate | None) -> tuple[float, float]:
    one = known(found)
    assert one.low is not None
    assert one.high is not None
    return one.low, one.high


def holds(found: Estimate | None, truth: float) -> bool:
    low, high = ends(found)
    return low <= truth <= high


def shares_within(runs: int) -> dict[str, float]:
    """In which share of so many runs each planted figure lies within the interval that is told."""
    truth, within = planted(), Counter[str]()
    for seed in range(runs):
        record = track_record(simulated(seed))
        found = of(record, "Ana")
        assert found.hint is not None
        slope = found.hint.slope
        within["accuracy"] += holds(found.accuracy, truth["accuracy"])
        within["too_sure"] += holds(found.too_sure, truth["too_sure"])
        within["brier"] += holds(found.brier, truth["brier"])
        within["slope"] += slope.low <= truth["slope"] <= slope.high
        within["flips"] += holds(record.orders[0].flips, truth["flips"])
    return {name: count / runs for name, count in within.items()}


@pytest.mark.slow
def test_planted_skill_and_bias_lie_in_95_of_100_intervals():
    runs = 200
    shares = shares_within(runs)
    # Three standard deviations of 200 draws around 95 %: an interval that is too wide fails as one that is too narrow.
    off = 3 * sqrt(0.95 * 0.05 / runs)
    assert {name: share for name, share in shares.items() if not 0.95 - off <= share <= 0.95 + off} == {}, shares


def test_every_debate_is_one_case_whoever_spoke_in_it_how_often():
    # Ben twice in one debate, right once; the mean of his probabilities, 0.55 for b, is what he said of it.
    twice = (said("a", 0.6, who="Ben", seat="first"), said("b", 0.7, who="Ben", seat="second"))
    record = track_record([debate(n, said("a", 0.8), *twice) for n in range(5)])
    ben, ana, people = of(record, "Ben"), of(record, "Ana"), of(record, "", "people")
    assert (ben.n, ben.accuracy and ben.accuracy.value) == (5, 0)
    assert known(ben.brier).value == pytest.approx(0.55**2)
    assert known(ana.accuracy).value == 1
    # (0.8 + 0.6 + 0.3) / 3 for a
    assert known(people.brier).value == pytest.approx((1 - 1.7 / 3) ** 2)
    assert {row.who for row in record.scores if row.group == "seat"} == {"judge", "first", "second"}


def test_a_mean_of_equal_cases_has_no_interval_but_a_share_has():
    row = of(track_record([debate(n, said("a", 0.9)) for n in range(6)]), "Ana")
    assert known(row.brier).value == pytest.approx(0.01)
    assert (known(row.brier).low, known(row.brier).high) == (None, None)
    assert ends(row.accuracy) == pytest.approx((0.61, 1), abs=0.01)
    assert holds(row.too_sure, 0)


def test_a_level_option_is_half_a_hit_and_bare_votes_unscored():
    level = of(track_record([debate(n, said("a", 0.5)) for n in range(5)]), "Ana")
    assert known(level.accuracy).value == 0.5
    unsaid = of(track_record([debate(n, said("a")) for n in range(5)]), "Ana")
    assert (unsaid.n, unsaid.n_sure, unsaid.brier, unsaid.too_sure, unsaid.bins) == (5, 0, None, None, ())
    assert known(unsaid.accuracy).value == 1


@pytest.mark.parametrize(("n", "known"), [(4, False), (5, True)])
def test_from_five_outcomes_on_there_is_a_reliability_table(n: int, known: bool):
    row = of(track_record([debate(i, said("a" if i else "b", 0.9)) for i in range(n)]), "Ana")
    assert [estimate is not None for estimate in (row.accuracy, row.brier, row.log_score, row.too_sure)] == [known] * 4
    assert [(b.low, b.high, b.right.n, b.right.value) for b in row.bins] == [(0.9, 1.0, 5, 0.8)] * known


@pytest.mark.parametrize(("n", "known"), [(19, False), (20, True)])
def test_a_hint_is_offered_from_twenty_outcomes_on(n: int, known: bool):
    row = of(track_record(simulated(1, n)), "Ana")
    assert (row.hint is not None) is known
    if row.hint:
        assert (row.hint.slope.n, row.hint.gain) == (n, None)


def test_later_verdicts_are_calibrated_on_earlier_ones_only():
    # Later outcomes change their own scores, and leave those of the verdicts before them as they were.
    held = simulated(3, 40)
    told = [(one.stated[0].shares or {}, one.later.right or "") for one in held]
    turned = [(forecast, "b" if right == "a" else "a") for forecast, right in told[30:]]
    as_it_was, changed = walk_forward(told), walk_forward([*told[:30], *turned])
    assert as_it_was[:10] == changed[:10]
    forecast, right = told[25]
    read = read_with(fit(told[:25]), forecast)
    assert as_it_was[5] == (brier_score(forecast, right), brier_score(read, right))
    hint = of(track_record(held), "Ana").hint
    assert hint is not None
    assert known(hint.gain).n == 20
    assert known(hint.gain).value == pytest.approx((hint.as_said or 0) - (hint.as_read or 0))


@pytest.mark.parametrize(
    ("told", "slope"),
    [
        # 8 of 10 right at 80 %: said as it is.
        ([({"a": 0.8, "b": 0.2}, "a")] * 8 + [({"a": 0.8, "b": 0.2}, "b")] * 2, 1.0),
        # 6 of 10 right at 80 %: log-odds 0.405 for 1.386.
        ([({"a": 0.8, "b": 0.2}, "a")] * 6 + [({"a": 0.8, "b": 0.2}, "b")] * 4, 0.2925),
        ([({"a": 0.8, "b": 0.2}, "b")] * 10, 0.0),
        ([({"a": 0.8, "b": 0.2}, "a")] * 10, MOST_SLOPE),
        ([({"a": 0.5, "b": 0.5}, "a")], 1.0),
        ([], 1.0),
    ],
)
def test_a_slope_of_one_reads_what_was_said_as_it_is(told, slope: float):
    assert fit(told) == pytest.approx(slope, abs=1e-3)
    found = fit_with_interval(told)
    assert found.low <= found.value <= found.high


def test_reading_with_a_slope_keeps_three_options_a_forecast():
    read = read_with(0.5, {"a": 0.64, "b": 0.2, "c": 0.16})
    assert sum(read.values()) == pytest.approx(1)
    assert read["a"] / read["c"] == pytest.approx(2)


def test_cases_without_a_known_answer_are_reported_not_scored():
    reversed_only = replace(debate(9, said("a", 0.9), right=None), later=Aftermath(decision="a", result="reversed"))
    record = track_record(
        [*(debate(n, said("a", 0.9)) for n in range(5)), reversed_only, debate(10, right=None), debate(11, right=None)]
    )
    assert (record.debates, record.known, record.unnamed) == (8, 5, 1)
    assert of(record, "Ana").n == 5


def test_a_single_call_is_scored_by_its_questions_debates():
    call = replace(debate(1, said("a", 0.9, who="north", by="model"), right=None), protocol=SINGLE_CALL)
    asked = replace(call, later=replace(call.later, question="q0"))
    assert of(track_record([debate(0), asked]), "north").n == 1


def test_verdict_margins_stand_beside_agreement_of_both_orders():
    near, far = AskedTwice("north", "model", False, 0.1), AskedTwice("north", "model", True, 0.8)
    held = [replace(debate(n), asked_twice=(near if n < 5 else far,)) for n in range(11)]
    (row,) = track_record(held).orders
    assert known(row.flips).value == pytest.approx(5 / 11)
    assert row.mean_margin == pytest.approx((5 * 0.1 + 6 * 0.8) / 11)
    assert [(m.low, m.n, m.same and m.same.value) for m in row.margins] == [(0.0, 5, 0), (0.2, 0, None), (0.5, 6, 1)]


@pytest.mark.parametrize(("model", "same", "alpha"), [("a", 1, 1), ("b", 0, -0.8)])
def test_agreement_of_people_and_models_uses_common_debates(model, same, alpha):
    held = [debate(n, said("a", 0.8), said(model, 0.8, who="m", by="model"), right=None) for n in range(6)]
    found = track_record([*held, debate(7, said("a", 0.8))]).together
    assert (found.n, found.same and found.same.value) == (6, same)
    assert known(found.alpha).value == pytest.approx(alpha, abs=0.15)


def both_judged(people: Sequence[float], models: Sequence[float]) -> list[Facts]:
    """One debate for each pair: what people and models gave the first of two options."""
    pairs = enumerate(zip(people, models, strict=True))
    return [debate(n, said("a", p), said("a", m, who="m", by="model"), right=None) for n, (p, m) in pairs]


def alpha_of(people: Sequence[float], models: Sequence[float], without: int | None = None) -> float:
    kept = [n for n in range(len(people)) if n != without]
    told = {"people": people, "models": models}
    found = krippendorff_alpha(
        {
            who: {f"{n} {o}": p for n in kept for o, p in (("a", row[n]), ("b", 1 - row[n]))}
            for who, row in told.items()
        },
        "interval",
    )
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("people", "models"),
    [
        ((0.9, 0.2, 0.6, 0.7, 0.4, 0.85), (0.1, 0.8, 0.5, 0.25, 0.45, 0.2)),
        ((0.9, 0.8, 0.6, 0.7, 0.4, 0.85), (0.9, 0.8, 0.6, 0.7, 0.4, 0.55)),
        ((0.9, 0.9, 0.9, 0.9, 0.9, 0.1), (0.1, 0.1, 0.1, 0.1, 0.1, 0.1)),
    ],
)
def test_the_alpha_interval_leaves_out_one_debate_at_a_time(people, models):
    # The standard error of the jackknife (Efron and Stein 1981), and Student's 2.571 of five degrees of freedom.
    without_one = [alpha_of(people, models, n) for n in range(6)]
    half = 2.571 * sqrt(5 / 6 * sum((one - mean(without_one)) ** 2 for one in without_one))
    value = alpha_of(people, models)
    found = known(track_record(both_judged(people, models)).together.alpha)
    assert (found.n, found.value, found.low, found.high) == pytest.approx(
        (6, value, max(value - half, -1), min(value + half, 1)), abs=0.003
    )


def test_alpha_needs_five_debates_for_an_interval():
    people, models = (0.5, 0.6, 0.7, 0.8, 0.9), (0.5, 0.6, 0.7, 0.9, 0.9)
    assert track_record(both_judged(people[:4], models[:4])).together.alpha is None
    assert ends(track_record(both_judged(people, models)).together.alpha)[1] == 1
    # All but the last one are level throughout.
    found = known(track_record(both_judged((0.5,) * 5 + (0.9,), (0.5,) * 5 + (0.8,))).together.alpha)
    assert (found.n, found.low, found.high) == (6, None, None)


def test_an_interval_ends_where_what_is_measured_ends():
    # One that is far from four others: Student's 2.776 reaches further than there is cost, error or strength.
    usd = track_record([replace(debate(n), cost_usd=Fraction(n == 0)) for n in range(5)]).tasks[0].usd
    assert ends(usd) == pytest.approx((0, 0.2 + 2.776 * sqrt(0.2 / 5)), abs=0.01)
    weak = [replace(debate(n), strengths=(1 if n == 0 else 10,)) for n in range(5)]
    assert ends(track_record(weak).strength[0].strength) == pytest.approx((8.2 - 2.776 * 1.8, 10), abs=0.02)
    for wrong in (1, 4):
        found = of(track_record([debate(n, said("b" if n < wrong else "a", 0.99)) for n in range(5)]), "Ana")
        low, high = ends(found.brier)
        assert (low == 0, high == 1) == (wrong == 1, wrong == 4)
        assert (ends(found.log_score)[1] == 0) == (wrong == 1)


@pytest.mark.parametrize(("margin", "row"), [(0.0, 0), (0.19, 0), (0.2, 1), (0.49, 1), (0.5, 2), (1.0, 2)])
def test_a_margin_belongs_to_the_row_that_begins_with_it(margin: float, row: int):
    held = replace(debate(1), asked_twice=(AskedTwice("north", "model", same=True, margin=margin),))
    (audit,) = track_record([held]).orders
    assert [m.n for m in audit.margins] == [int(n == row) for n in range(3)]


@pytest.mark.parametrize(("n", "mean_margin"), [(4, None), (5, 0.3)])
def test_verdicts_without_a_margin_say_nothing_of_it(n: int, mean_margin: float | None):
    said_how_sure = AskedTwice("north", "model", same=True, margin=0.3)
    unsaid = replace(said_how_sure, margin=None)
    held = [replace(debate(i), asked_twice=(said_how_sure, unsaid)) for i in range(n)]
    (audit,) = track_record([*held, replace(debate(9), asked_twice=(unsaid,))]).orders
    assert (audit.n, sum(m.n for m in audit.margins)) == (n + 1, n)
    assert audit.mean_margin == (None if mean_margin is None else pytest.approx(mean_margin))


def test_what_debaters_say_is_no_word_of_a_judge():
    speaks = said("b", 0.9, who="Cid", judges=False, seat="s0")
    record = track_record([debate(n, said("a", 0.9), speaks, replace(speaks, by="model")) for n in range(5)])
    assert {(row.who, row.group) for row in record.scores} == {
        ("Ana", "judge"),
        ("", "people"),
        ("judge", "seat"),
        ("s0", "seat"),
    }
    assert known(of(record, "", "people").brier).value == pytest.approx(0.01)
    assert (record.together.n, record.together.same) == (0, None)


def test_who_named_no_option_is_no_case():
    held = [debate(1, said("a", 0.9), said("a", 0.9, who="Ben", named=()))]
    assert [row.who for row in track_record(held).scores if row.group == "judge"] == ["Ana"]


def test_kinds_of_decisions_are_sorted_and_unnamed_last():
    tasks: tuple[TaskType | None, ...] = ("security", None, "contract", "other")
    record = track_record([debate(n, task=task) for n, task in enumerate(tasks)])
    assert [row.task for row in record.tasks] == ["contract", "other", "security", None]


def test_cost_and_time_are_by_kind_and_strength_by_quarter():
    held = [replace(debate(n, task="security" if n < 5 else None), seconds=60.0 + n) for n in range(6)]
    record = track_record(held)
    security, unsaid = record.tasks
    assert (security.task, security.n, security.usd and security.usd.value) == ("security", 5, 1)
    assert known(security.seconds).value == 62
    assert (unsaid.task, unsaid.n, unsaid.usd) == (None, 1, None)
    assert [(q.quarter, q.n, q.strength and q.strength.value) for q in record.strength] == [("2026 Q1", 6, 8)]


@pytest.mark.parametrize(
    ("rehearsal", "origin_unknown", "still_judged", "why"),
    [
        (False, False, False, None),
        (True, False, False, "rehearsal"),
        (False, True, False, "origin_unknown"),
        (False, False, True, "still_judged"),
        (True, True, True, "origin_unknown"),
        (True, False, True, "rehearsal"),
    ],
)
def test_why_a_debate_is_not_counted(rehearsal: bool, origin_unknown: bool, still_judged: bool, why):
    told = why_left_out(
        rehearsal=rehearsal, origin_unknown=origin_unknown, still_judged=still_judged, held_elsewhere=False
    )
    assert why_left_out(rehearsal=True, origin_unknown=True, still_judged=True, held_elsewhere=True) == "held_elsewhere"
    assert told == why


def test_what_is_not_counted_is_told_by_its_reason():
    told = left_out(["rehearsal", None, "still_judged", "rehearsal", "origin_unknown", "rehearsal", "still_judged"])
    assert (told.rehearsals, told.origin_unknown, told.still_judged) == (3, 1, 2)


def test_practice_scores_judges_of_finished_debates_only():
    held = [
        debate(1, said("a", 0.9), said("b", 0.8, who="Ben")),
        debate(2, said("a", 0.9), said("a", judges=False, who="Cid")),
        debate(3, said("a", 0.9), said("b", 0.8, who="Ben"), right=None),
    ]
    assert [(row.who, row.group, row.n) for row in of_practice(held)] == [("Ana", "judge", 2), ("Ben", "judge", 1)]


def test_a_name_cannot_write_on_a_terminal():
    row = of(track_record([debate(n, said("a", 0.9, who="Ana\n\x1b[31mBen")) for n in range(5)]), "Ana\n\x1b[31mBen")
    assert who_words(row) == "Ana [31mBen"


def test_an_options_remainder_is_shared_equally_by_the_others():
    assert shares_of("b", 70, ("a", "b", "c")) == pytest.approx({"a": 0.15, "b": 0.7, "c": 0.15})


@pytest.mark.parametrize("values", [[1.0, 2.0, 3.0, 4.0], [2.0] * 9])
def test_a_mean_of_too_few_or_of_equal_values_has_no_interval(values: list[float]):
    assert mean_interval(values) is None


@pytest.mark.parametrize(
    ("n", "student", "within"),
    # The last one is no printed figure: of 1,000 degrees, where the normal point is 1.96, worked out to fifty digits.
    [(5, 2.77645, 0.0075), (6, 2.57058, 0.003), (11, 2.22814, 0.00015), (1001, 1.9623752092650282, 2e-12)],
)
def test_the_interval_of_a_mean_is_that_of_student(n: int, student: float, within: float):
    # The percentage points are those of the printed table; the more degrees of freedom, the nearer to them.
    values = range(1, n + 1)
    half = student * stdev(values) / sqrt(n)
    widest = within * stdev(values) / sqrt(n)
    assert mean_interval(list(values)) == pytest.approx((mean(values) - half, mean(values) + half), abs=widest)


def test_a_room_adds_what_its_judges_revealed_and_nothing_sealed():
    room = judged()
    room.act(JUNE, belief(2, 80, 10, 10, final=True, explanation="Costs."))
    room.act(JOE, belief(2, 40, 40, 20, final=True, explanation="Costs."))
    assert [s for s in stated(room.state) if s.seat == IN_THE_ROOM] == []
    room.act(FAY, acts.BeliefsRevealed(round=2))
    room.act(ABE, acts.OutcomeRecorded(result="held", option="adopt", reason="a year later"))
    of_judges = [s for s in stated(room.state) if s.seat == IN_THE_ROOM]
    assert [(s.who, s.by, s.judges, s.named) for s in of_judges] == [
        ("June", "person", True, ("adopt",)),
        ("Joe", "person", True, ("adopt", "defer")),
    ]
    assert of_judges[0].shares == {"adopt": 0.8, "defer": 0.1, "reject": 0.1}
    found = facts(room.state, forecast_usd=None)
    assert found is not None
    assert of(track_record([found]), "June").n == 1


@pytest.mark.parametrize(
    ("first", "second", "named", "same"),
    [("adopt", "adopt", ("adopt",), True), ("adopt", "defer", ("adopt", "defer"), False)],
)
def test_a_verdict_in_both_orders_is_one_case(first, second, named, same):
    state, _ = judged_in_both_orders(first, second)
    (judge,) = [s for s in stated(state) if s.judges]
    assert (judge.seat, judge.by, judge.named) == ("judge", "person", named)
    # 80 % in the one order and 60 % in the other.
    assert judge.shares == pytest.approx({"adopt": 0.7, "defer": 0.3} if same else {"adopt": 0.6, "defer": 0.4})
    (asked,) = asked_twice(state)
    assert asked.same is same
    assert asked.margin == pytest.approx(0.6)


def test_a_models_confidence_stands_beside_its_accuracy():
    model: dict[str, Any] = {"by": "model", "judges": False, "debates": True, "who": "gpt-6"}
    held = [debate(n, said("a" if n < 4 else "b", 0.83, **model), said("a", who="Ana")) for n in range(8)]
    row = of(track_record(held), "gpt-6", "debater")
    assert row.accuracy is not None
    assert (row.n, row.accuracy.value) == (8, 0.5)
    assert row.sure == pytest.approx(0.83)
    # A person who judges, and a model that judges, are no debaters.
    assert [one.who for one in track_record(held).scores if one.group == "debater"] == ["gpt-6"]


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (0.02, 0.12, "They agree a little more than by chance"),
        (-0.1, 0.24, "Chance alone could agree as much"),
        (-0.4, -0.1, "They disagree more than by chance"),
    ],
)
def test_agreement_of_people_and_models_is_told_by_its_interval(low: float, high: float, told: str):
    middle = (low + high) / 2
    same = Estimate(9, 0.5, 0.2, 0.8, "Wilson")
    found = PeopleAndModels(9, same, Estimate(9, middle, low, high, "jackknife"))
    assert told in together_sentence(found)


def test_a_small_cost_is_drawn_as_its_table_writes_it():
    row = IntervalRow("security", 5, 0.004, 0.001, 0.007)
    figure = interval_chart([row], "light", axis="USD", percent=False)
    (dots,) = figure.data
    assert (list(dots.text), interval_alt([row], axis="USD", percent=False)) == (["0.004 (5)"], "USD: security 0.004.")
    assert (dots.error_x.arrayminus[0], dots.error_x.array[0]) == pytest.approx((0.003, 0.003))
    assert figure.layout.xaxis.range[1] > 0.007
