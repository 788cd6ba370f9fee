"""Detectors on labelled sets: planted sets give the planted figures, public ones are compared with their bars."""

import csv
import gzip
import json
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from debate_core.cli.evaluate import DETECTORS, has_labelled_sets, measured
from debate_core.errors import InvalidSpec
from debate_core.evaluation import claims
from debate_core.evaluation.figures import DetectorFigure, Sample, auc, bootstrap, mean, share

Rows = Sequence[Mapping[str, object]]


def written(folder: Path, name: str, rows: Rows) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        if path.suffix == ".csv":
            table = csv.DictWriter(file, [*rows[0]])
            table.writeheader()
            table.writerows(rows)
        else:
            file.writelines(json.dumps(row) + "\n" for row in rows)


def of(folder: Path, name: str) -> Sample:
    return next(d for d in DETECTORS if d.name == name).measure(folder)


def figures_of(folder: Path, name: str) -> dict[str, float]:
    return {figure.name: figure.measured for figure in of(folder, name).figures}


PAIRS: Rows = [
    {"a": "Queues lose no order of a customer", "b": "Queues lose no customer order", "label": 1, "claim_id": 1},
    {"a": "Calls are simple to follow in a debugger", "b": "Rents rise in towns", "label": 0, "claim_id": 1},
    {"a": "Events cost more to run at night", "b": "Teams know how to test calls", "label": 0, "claim_id": 1},
]
SWAPS: Rows = [
    {"gold": "A>B", "order_ab": "A>B", "order_ba_position_frame": "B>A"},  # holds, and is right
    {"gold": "A>B", "order_ab": "B>A", "order_ba_position_frame": "B>A"},  # flips
    {"gold": "B>A", "order_ab": "A>B", "order_ba_position_frame": "A=B"},  # a winner, then a tie
    {"gold": "B>A", "order_ab": "A=B", "order_ba_position_frame": "A=B"},  # a tie twice
    {"gold": "B>A", "order_ab": None, "order_ba_position_frame": "A>B"},  # no verdict: left out
]
VOTES: Rows = [
    {"topic": "t", "pair_id": f"{a}_{b}", "arg1": a, "arg2": b, "worker": f"w{n}", "value": "a1"}
    for a, b in combinations("wxyz", 2)
    for n in range(5)
]
RANKED: Rows = [{"topic": "t", "arg_id": item, "rank_score": n} for n, item in enumerate("wxyz")]


def test_pairs_of_claims_come_out_as_they_were_labelled(tmp_path: Path):
    written(tmp_path, "text/restate_mine.jsonl", PAIRS)
    written(tmp_path, "text/keypoint_mine.jsonl", [{"argument": r["a"], "key_point": r["b"], **r} for r in PAIRS])
    assert of(tmp_path, "restatement").n == 3
    assert figures_of(tmp_path, "restatement") == {
        "auc": 1,
        "precision": 1,
        "recall": 1,
        "ended_by_paraphrase": 1,
        "ended_by_new_claims": 0,
    }
    assert figures_of(tmp_path, "duplicates") == {"auc": 1, "precision": 1, "recall": 1, "false_alarm": 0}


def test_evidence_sentences_are_found_in_articles_and_reviews(tmp_path: Path):
    said = [("evidence", "It rose by 40 % in 2019."), ("evidence", "An expert says so."), ("none", "It is nice.")]
    written(tmp_path, "evidence/mine.csv", [{"label": label, "sentence": text} for label, text in said])
    written(tmp_path, "text/evidence_mine.jsonl", [{"text": "It took 40 % more.", "evidence": 1}])
    assert figures_of(tmp_path, "evidence_marker") == {
        "precision": 1,
        "recall": 0.5,
        "precision_in_reviews": 1,
        "recall_in_reviews": 1,
    }


def test_verdicts_in_both_orders(tmp_path: Path):
    written(tmp_path, "judge/judge_swap_mine.jsonl", SWAPS)
    found = figures_of(tmp_path, "judge_swap")
    assert of(tmp_path, "judge_swap").n == 4
    assert (found["flip_rate"], found["differ_rate"], found["both_orders_decide"]) == (0.25, 0.5, 0.25)
    assert found["both_orders_right"] == 1
    # Of three winners that the first order names, one is right.
    assert found["gain_of_both_orders"] == pytest.approx(2 / 3)


def test_votes_that_all_agree_give_the_ranking_they_were_made_of(tmp_path: Path):
    written(tmp_path, "pairwise/ukp_votes.csv", VOTES)
    written(tmp_path, "pairwise/ukp_arguments.csv", RANKED)
    assert of(tmp_path, "bradley_terry").n == 30
    assert figures_of(tmp_path, "bradley_terry") == {"lowest_rank_correlation": 1, "tau_at_12_an_item": 1}
    # One and the same value says nothing of agreement.
    assert of(tmp_path, "agreement").n == 0


def verdicts(says: float, right: float, n: int) -> Rows:
    """So many verdicts that are so sure, of which this share is right."""
    rng = Random("planted")
    told = []
    for number in range(n):
        correct = rng.randrange(2)
        a_is_favoured = (correct == 0) == (rng.random() < right)
        p_a = says if a_is_favoured else 1 - says
        told.append({"debate_id": f"d{number}", "judge": "j", "p_a": p_a, "correct_index": correct, "final": True})
    return told


@pytest.mark.parametrize(("says", "right", "low", "high"), [(0.95, 0.7, 0.2, 0.4), (0.7, 0.7, 0.8, 1.3)])
def test_a_planted_overconfidence_is_found_and_taken_back(
    tmp_path: Path, says: float, right: float, low: float, high: float
):
    written(tmp_path, "nyu/judge_reports_mine.csv", verdicts(says, right, 250))
    found = {figure.name: figure for figure in of(tmp_path, "calibration").figures}
    assert low < found["slope"].measured < high
    assert (found["gain"].low > 0) == (says > right)
    assert found["confidence_before"].measured == pytest.approx(says)
    assert found["confidence_after"].measured == pytest.approx(right, abs=0.04)


def test_verdicts_are_taken_in_the_order_of_time(tmp_path: Path):
    """The last 30 of the file were given first: they say that judges are right, and the slope stays high."""
    first, later = verdicts(0.9, 1, 30), [{**r, "debate_id": f"l{n}"} for n, r in enumerate(verdicts(0.9, 0, 10))]
    written(tmp_path, "nyu/judge_reports_mine.csv", [*later, *first])
    at = [{"kind": "judge", "speaker": "j", "timestamp_ms": 1}], [{"kind": "judge", "speaker": "j", "timestamp_ms": 2}]
    times = [{"id": r["debate_id"], "turns": at[r in later]} for r in (*first, *later)]
    backward = figures_of(tmp_path, "calibration")["confidence_after"]
    written(tmp_path, "nyu/sample_mine.jsonl", times)
    assert figures_of(tmp_path, "calibration")["confidence_after"] > backward + 0.1


@pytest.mark.parametrize(
    ("measured_", "bar", "most", "verdict"),
    [
        (0.5, None, False, "no bar"),
        (0.5, 0.5, False, "met"),
        (0.5, 0.6, False, "within the interval"),
        (0.5, 0.7, False, "below the bar"),
        (0.5, 0.5, True, "met"),
        (0.5, 0.4, True, "within the interval"),
        (0.5, 0.3, True, "below the bar"),
    ],
)
def test_a_figure_stands_beside_its_bar(measured_: float, bar: float | None, most: bool, verdict: str):
    assert DetectorFigure("f", measured_, 0.35, 0.65, bar, most).verdict == verdict


def test_figures_by_hand():
    assert auc([0.9, 0.4], [0.4, 0.1]).measured == 7 / 8
    assert share("nothing", 0, 0) == ()
    cases = [float(n % 2) for n in range(400)]
    low, high = bootstrap(cases, mean)
    # Twice the standard error of a share of a half.
    assert (low, high) == pytest.approx((0.45, 0.55), abs=0.006)
    assert bootstrap(cases, mean) == (low, high)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("text/restate_x.jsonl", '{"a": "x"}\n', "restate_x.jsonl, line 1, has no 'b'"),
        ("text/restate_x.jsonl", "\nx\n", "restate_x.jsonl, line 2, is no JSON"),
        ("text/restate_x.jsonl", "[1]\n", "restate_x.jsonl, line 1, is no JSON object"),
        ("evidence/x.csv", "label,text\nevidence,y\n", "x.csv, line 2, has no 'sentence'"),
        ("evidence/x.csv", "label,sentence\nevidence,a,b\n", "x.csv, line 2, has more cells than columns"),
        ("evidence/x.csv", "label,sentence,label\nevidence,a,b\n", "x.csv names a column twice"),
        ("evidence/x.csv", f"label,sentence\nevidence,{'y' * 140_000}\n", "x.csv, line 1, is no CSV: field larger"),
        ("nyu/sample_tokens.jsonl.gz", "x", "sample_tokens.jsonl.gz cannot be read"),
        (
            "pairwise/ukp_votes.csv",
            "topic,pair_id,arg1,arg2,worker,value\nt,x_y,x,y,w,maybe\n",
            "bradley_terry cannot be measured",
        ),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, text: str, said: str):
    (tmp_path / name).parent.mkdir()
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(InvalidSpec, match=said):
        list(measured(tmp_path))


def test_a_packed_file_that_is_damaged_within_is_named(tmp_path: Path):
    (tmp_path / "nyu").mkdir()
    (tmp_path / "nyu" / "sample_tokens.jsonl.gz").write_bytes(gzip.compress(b"")[:10] + b"\xff" * 20)
    with pytest.raises(InvalidSpec, match="cannot be read"):
        list(measured(tmp_path))


def test_what_is_missing_has_no_cases(tmp_path: Path):
    assert not has_labelled_sets(tmp_path)
    assert [(d.name, sample.n, sample.figures) for d, sample in measured(tmp_path)] == [
        (name, 0, ())
        for name in (
            *("restatement", "quotes", "grounding", "no_progress", "evidence_marker"),
            *("duplicates", "agreement", "bradley_terry", "calibration", "verdicts", "judge_swap"),
        )
    ]


def test_verdict_metrics_match_hand_values_to_three_decimals(shared: Path):
    # Taken from the rows of the file by other code.
    found = {name: round(value, 3) for name, value in figures_of(shared / "data", "verdicts").items()}
    assert found == {
        "ai_consultancy_accuracy": 0.8,
        "ai_consultancy_log2": -0.916,
        "ai_consultancy_brier": 0.16,
        "ai_debate_accuracy": 0.778,
        "ai_debate_log2": -1.236,
        "ai_debate_brier": 0.225,
        "human_consultancy_accuracy": 0.75,
        "human_consultancy_log2": -0.727,
        "human_consultancy_brier": 0.175,
        "human_debate_accuracy": 0.808,
        "human_debate_log2": -1.121,
        "human_debate_brier": 0.182,
    }


@pytest.mark.slow
def test_no_detector_is_below_its_bar_on_public_sets(shared: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(claims, "DEBATES", 20)
    monkeypatch.setattr("debate_core.evaluation.quotes.QUOTES_PER_TEXT", 1)
    monkeypatch.setattr("debate_core.evaluation.judges.RUNS", 1)
    found = {d.name: sample for d, sample in measured(shared / "data")}
    assert [name for name, sample in found.items() if not sample.n] == []
    below = [(name, f) for name, sample in found.items() for f in sample.figures if f.verdict == "below the bar"]
    assert below == []
