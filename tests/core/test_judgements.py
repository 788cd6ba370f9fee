"""Reports of judges stay sealed until they are revealed; the figures follow from them."""

import csv
import io
import json
from typing import get_args

import pytest

from debate_core.engine.engine import requests
from debate_core.engine.stage import sealed
from debate_core.errors import InvalidSpec
from debate_core.record import acts
from debate_core.record.commands import SkipTurn
from debate_core.report.facts import judgements
from debate_core.report.facts.account import account
from debate_core.report.facts.health import flags
from debate_core.report.facts.who_judged import judge_flags, judges
from debate_core.report.files.export import csv_files, export_files, judges_json
from debate_core.report.files.report import markdown_report
from debate_core.spec.people import Person
from tests.people import ABE, EVERYBODY, FAY, JOE, JUNE, MO, OPTIONS, belief, judged, room_spec
from tests.playing import Played


def held() -> Played:
    """Two judges after a debate of two rounds: one moved, one did not; a rubric and comparisons."""
    debate = judged()
    debate.act(JUNE, belief(1, 50, 30, 20, shown=OPTIONS))
    debate.act(JUNE, belief(2, 80, 10, 10, final=True, explanation="Costs.", shown=OPTIONS[::-1], read_s=61))
    debate.act(JOE, belief(1, 40, 40, 20))
    debate.act(JOE, belief(2, 40, 40, 20, final=True, explanation="Open."))
    cells = (
        acts.Rated(option="adopt", criterion="evidence", score=4),
        acts.Rated(option="defer", criterion="evidence", score=None),
    )
    debate.act(JUNE, acts.Judged(ratings=cells, comment="thin"))
    debate.act(JOE, acts.Judged(ratings=(acts.Rated(option="adopt", criterion="evidence", score=1),)))
    debate.act(JUNE, acts.Compared(a="1.opening.s0", b="1.opening.s1", winner="a", reason="closer"))
    debate.act(JOE, acts.Compared(a="1.opening.s1", b="1.opening.s2", winner="both_weak"))
    return debate


def test_nothing_sealed_becomes_a_row():
    debate = held()
    assert judgements.judgement_rows(debate.state) == ()
    assert not judgements.rubric_rows(debate.state)
    assert not judgements.comparison_rows(debate.state)
    assert not judgements.option_rows(debate.state)
    assert not judgements.moves(debate.state)
    assert judgements.agreement_sentence(debate.state) == "No judge's probabilities are revealed."
    debate.act(FAY, acts.BeliefsRevealed(round=1))
    assert {r.round for r in judgements.judgement_rows(debate.state)} == {1}
    assert not judgements.rubric_rows(debate.state)
    assert not judgements.comparison_rows(debate.state)


def test_rows_of_what_was_revealed():
    debate = held()
    debate.act(FAY, acts.BeliefsRevealed(round=2))
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
    assert judgements.mean_rubric(cells) == {("adopt", "evidence"): 2.5, ("defer", "evidence"): None}
    pairs = judgements.comparison_rows(debate.state)
    assert [(r.judge, r.item_a, r.item_b, r.winner, r.reason) for r in pairs] == [
        ("Judge 1", "1.opening.s0", "1.opening.s1", "a", "closer"),
        ("Judge 2", "1.opening.s1", "1.opening.s2", "both_weak", ""),
    ]
    # s1 alone was read twice; s0 and s2 in one pair each.
    assert [(r.turn, r.group, r.readings, r.low < r.strength < r.high) for r in judgements.strengths(debate.state)] == [
        ("1.opening.s1", 1, 2, True)
    ]


def test_scores_come_with_the_outcome_and_never_before():
    debate = held()
    debate.act(FAY, acts.BeliefsRevealed(round=2))
    debate.act(ABE, acts.OutcomeRecorded(result="held", option="adopt", reason="a year later"))
    last = [r for r in judgements.judgement_rows(debate.state) if r.round == 2 and r.option == "adopt"]
    # June: (0.2² + 0.1² + 0.1²) / 2, log2 0.8. Joe: (0.6² + 0.4² + 0.2²) / 2, log2 0.4.
    table = csv.DictReader(io.StringIO(csv_files(account(debate.state))["judgements.csv"]))
    assert {row["log_score"] for row in table if row["brier"]} >= {"-0.3219", "-1.3219"}
    assert [(r.brier, r.log_score) for r in last] == [("0.0300", "-0.3219"), ("0.2800", "-1.3219")]


def test_the_mean_stands_beside_favourites_and_log_odds():
    debate = held()
    debate.act(FAY, acts.BeliefsRevealed(round=2))
    adopt, defer, reject = judgements.option_rows(debate.state)
    assert (adopt.mean, adopt.lowest, adopt.highest, adopt.favourites) == pytest.approx((0.6, 0.4, 0.8, 1))
    assert (defer.mean, defer.favourites, reject.mean) == pytest.approx((0.25, 0, 0.15))
    assert adopt.log_odds + defer.log_odds + reject.log_odds == pytest.approx(1)
    assert judgements.aggregate_sentence(debate.state) == (
        "On average the judges think adopt most likely to be right: 60 %; adopt is the favourite of 1 of 2."
    )
    assert judgements.agreement_sentence(debate.state) == (
        "2 judges of 3 options are too few to say whether they agree."
    )
    assert judgements.agreement_on_screen(debate.state) == ""
    moved = [(m.judge, m.round, m.option, m.before, m.after) for m in judgements.moves(debate.state)]
    assert moved == [("p-june", 2, "adopt", 50, 80)]


@pytest.mark.parametrize(
    ("judges", "told"),
    [
        ([(70, 30), (60, 40)], "2 judges of 2 options are too few to say whether they agree."),
        ([(50, 50)] * 3, "All 3 judges gave every option the same probability: agreement cannot be measured."),
        ([(90, 10)] * 6, "The 6 judges agree (Krippendorff's alpha 1.00, by chance as high in 3 of 100 cases)."),
        ([(50, 30, 15, 5), (5, 15, 30, 50)], "The 2 judges disagree more than by chance (Krippendorff's alpha -0.71)."),
        # Three options level: in 6 of 120 ways they would agree as much, which is just enough; and as little.
        (
            [(40, 30, 15, 10, 5), (50, 32, 6, 6, 6)],
            "The 2 judges agree (Krippendorff's alpha 0.93, by chance as high in 5 of 100 cases).",
        ),
        (
            [(40, 30, 15, 10, 5), (6, 6, 6, 32, 50)],
            "The 2 judges disagree more than by chance (Krippendorff's alpha -0.57).",
        ),
        ([(90, 10)] * 4 + [(20, 80)] * 2, "It is not clear whether the 6 judges agree: it may be chance."),
    ],
)
def test_judges_agree_only_where_chance_would_not(judges: list[tuple[int, ...]], told: str):
    forecasts = {f"j{n}": dict(zip("abcde", (p / 100 for p in ps), strict=False)) for n, ps in enumerate(judges)}
    assert judgements.agreement_words(forecasts) == told


@pytest.mark.parametrize(
    ("percents", "favourite"), [((60, 40), "a"), ((40, 60), "b"), ((50, 50), None), ((40, 40, 20), None), ((100,), "a")]
)
def test_a_favourite_is_alone_at_the_top(percents: tuple[int, ...], favourite: str | None):
    given = dict(zip("abc", (p / 100 for p in percents), strict=False))
    assert judgements.favourite(given) == favourite


def test_one_judge_agrees_with_nobody():
    assert judgements.agreement_words({"j": {"a": 0.5, "b": 0.5}}) == "Agreement needs at least two judges."


def test_many_judges_who_hardly_agree_do_so_beyond_chance():
    told = {f"j{n}": {"a": a / 100, "b": 1 - a / 100} for n, a in enumerate([90] * 12 + [30] * 4)}
    words = judgements.agreement_words(told)
    assert words.startswith("The 16 judges agree in part"), words
    sure = {f"j{n}": {"a": 0.9, "b": 0.1} for n in range(9)}
    assert "by chance as high in fewer than 1 of 100 cases" in judgements.agreement_words(sure)


def test_who_judged_and_also_led_or_has_an_interest_is_flagged():
    both = Person(id="p-both", name="Bo", role="facilitator")
    debate = judged(room_spec((*EVERYBODY, both)))
    debate.act(FAY, acts.PersonChanged(person=both.model_copy(update={"role": "judge", "interest": "sells it"})))
    debate.act(both, belief(1))
    debate.act(JUNE, belief(1))
    assert judge_flags(debate.state) == (
        "Bo judged this debate and was its facilitator",
        "Bo could see who spoke, so the judgement was not blind",
        "Bo judged this debate and declared an interest: sells it",
    )


def test_who_skipped_a_turn_did_not_speak_and_may_judge():
    debate = Played(room_spec((*EVERYBODY, JOE)))
    debate.go_on()
    debate.do(SkipTurn(by="p-mo", request=requests(debate.state)[0].id, reason="the seat is down"))
    debate.act(FAY, acts.PersonChanged(person=MO.model_copy(update={"role": "judge"})))
    debate.to_the_end()
    debate.act(MO, belief(1))
    assert judge_flags(debate.state) == (
        "Mo judged this debate and was its moderator",
        "Mo could see who spoke, so the judgement was not blind",
    )


def test_rubrics_and_comparisons_stay_sealed_to_the_end():
    debate = judged()
    assert sealed(debate.state) == ()
    debate.act(JUNE, acts.Judged(ratings=(acts.Rated(option="adopt", criterion="risk", score=2),)))
    assert sealed(debate.state) == ("the judges' rubrics and comparisons",)
    with pytest.raises(InvalidSpec, match="rubrics"):
        export_files(account(debate.state, debate.events), "all")
    debate.act(FAY, acts.BeliefsRevealed(round=2))
    assert sealed(debate.state) == ()


def judge_files(debate: Played) -> dict[str, str]:
    """The files about judges."""
    names = ("judgements.csv", "rubric.csv", "comparisons.csv")
    return {name: text for name, text in csv_files(account(debate.state)).items() if name in names}


def test_files_have_the_revealed_rows_and_no_others():
    debate = held()
    assert judge_files(debate) == {}
    assert not any(judges_json(account(debate.state)).values())
    debate.act(FAY, acts.BeliefsRevealed(round=1))
    assert set(judge_files(debate)) == {"judgements.csv"}
    debate.act(FAY, acts.BeliefsRevealed(round=2))
    files = {name: list(csv.DictReader(io.StringIO(text))) for name, text in judge_files(debate).items()}
    assert {name: len(rows) for name, rows in files.items()} == {
        "judgements.csv": 12,
        "rubric.csv": 3,
        "comparisons.csv": 2,
    }
    assert files["judgements.csv"][3] == {
        "debate_id": "d-room",
        "judge_alias": "Judge 1",
        "mode": "stepped",
        "round_seen": "2",
        "option": "adopt",
        "probability": "0.80",
        "final": "true",
        "shuffle_seed": "0",
        "swapped": "true",
        "seconds_spent": "61",
        "explanation": "Costs.",
        "brier": "",
        "log_score": "",
        "given_at": files["judgements.csv"][3]["given_at"],
        "late": "false",
        "blind": "true",
        "led": "false",
        "interest": "",
    }
    assert "p-june" not in str(judge_files(debate))
    exported = export_files(account(debate.state, debate.events), "all")
    assert {"judgements.csv", "rubric.csv", "comparisons.csv"} <= set(exported)
    assert len(json.loads(exported["debate.json"])["judgements"]) == 12


def test_a_report_has_the_judges_views_and_their_interests():
    debate = held()
    assert "2 judged; their judgements are sealed." in markdown_report(account(debate.state, debate.events))
    assert "80 %" not in markdown_report(account(debate.state, debate.events))
    debate.act(FAY, acts.BeliefsRevealed(round=2))
    debate.act(ABE, acts.OutcomeRecorded(result="held", option="adopt", reason="a year later"))
    text = markdown_report(account(debate.state, debate.events)).replace("\\", "")
    assert "adopt: mean probability 60 % (by log-odds" in text
    assert "Brier scores, 0 is best: Judge 1 0.03; Judge 2 0.28" in text
    assert not [name for name in flags(debate.state) if name.startswith("judge_")]
    debate.act(JUNE, acts.PersonChanged(person=JUNE.model_copy(update={"interest": "sells it"})))
    assert [name for name in flags(debate.state) if name.startswith("judge_")] == ["judge_interest"]


def test_a_room_without_judges_says_nothing():
    debate = Played(room_spec())
    assert judges(debate.state) == {}
    assert judgements.aggregate_sentence(debate.state) == ""
    assert judgements.judge_sentences(debate.state) == ()
    assert judge_flags(debate.state) == ()
    assert len(get_args(acts.Criterion)) == 7


def test_where_no_judge_has_a_favourite_that_is_said():
    debate = judged().act(JUNE, belief(2, 40, 40, 20, final=True, explanation="Open."))
    debate.act(FAY, acts.BeliefsRevealed(round=2))
    assert judgements.aggregate_sentence(debate.state) == (
        "On average the judges think adopt and defer most likely to be right: 40 %; no judge has a single favourite."
    )


def test_turns_of_a_group_that_was_read_too_seldom_are_no_group():
    debate = judged()
    for judge in (JUNE, JOE):
        debate.act(judge, belief(1)).act(judge, belief(2, final=True, explanation="Costs."))
    debate.act(JUNE, acts.Compared(a="1.opening.s0", b="1.opening.s1", winner="a", reason="closer"))
    for turn in ("1.reply.s0", "2.opening.s0"):
        seat = f"{turn[:-1]}1"
        debate.act(JUNE, acts.Compared(a=turn, b=seat, winner="a", reason="closer"))
        debate.act(JOE, acts.Compared(a=turn, b=seat, winner="b", reason="closer"))
    debate.act(FAY, acts.BeliefsRevealed(round=2))
    found = [(row.turn, row.group, row.readings) for row in judgements.strengths(debate.state)]
    assert found == [("1.reply.s0", 1, 2), ("1.reply.s1", 1, 2), ("2.opening.s0", 2, 2), ("2.opening.s1", 2, 2)]


def test_equal_means_are_level_whatever_their_parts():
    debate = judged()
    debate.act(JUNE, belief(2, 0, 35, 65, final=True, explanation="Costs."))
    debate.act(JOE, belief(2, 67, 32, 1, final=True, explanation="Open."))
    debate.act(FAY, acts.BeliefsRevealed(round=2))
    assert judgements.aggregate_sentence(debate.state).startswith("On average the judges think adopt and defer most")
