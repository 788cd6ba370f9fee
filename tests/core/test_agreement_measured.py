"""Agreement, scores and strengths of real people: known figures come out again."""

import csv
from collections import defaultdict
from pathlib import Path
from time import process_time

import pytest

from debate_core.engine.count.bradley_terry import bradley_terry
from debate_core.evaluation.judges import agreement, all_contests, pair_votes, spearman
from debate_core.report.facts.judge_statistics import band, brier_score, mean_probability, reliability

RANKED = {"firefox-vs-internet-explorer": -0.975, "personal-pursuit-or-advancing-the-common-good-": -0.869}


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def alpha_of_votes(shared: Path) -> tuple[int, dict[str, float]]:
    """Votes of people on which of two arguments convinces more (Habernal and Gurevych 2016): pairs, and figures."""
    sample = agreement(shared / "data")
    return sample.n, {figure.name: figure.measured for figure in sample.figures}


def test_people_hardly_agree_which_argument_convinces(shared):
    """Alpha is what is counted pair by pair."""
    began = process_time()
    _, found = alpha_of_votes(shared)
    assert process_time() - began < 2
    assert found["error_of_alpha"] < 1e-9
    assert band(found["alpha"]) == "agree a little more than by chance"


def test_known_agreement_of_all_four_topics(shared):
    pairs, found = alpha_of_votes(shared)
    if pairs != 2106:
        pytest.skip(f"{pairs} pairs of five votes lie beside this checkout, not the 2,106 of all four topics")
    # Pairs with fewer votes, which alpha allows, change its fourth place.
    assert found["alpha"] == pytest.approx(0.2482, abs=6e-4)


@pytest.mark.parametrize("topic", RANKED)
def test_strengths_follow_the_published_ranking(shared, topic):
    """Low in the published ranking is more convincing."""
    contests = all_contests(pair_votes(shared / "data")[topic])
    began = process_time()
    fit = bradley_terry(contests)
    assert process_time() - began < 1
    published = {
        row["arg_id"]: float(row["rank_score"])
        for row in rows_of(shared / "data" / "pairwise" / "ukp_arguments.csv")
        if row["topic"] == topic
    }
    assert fit.converged
    assert fit.iterations <= 20
    assert spearman(fit.strengths, published) == pytest.approx(RANKED[topic], abs=5e-4)


def test_several_judges_of_real_debates_do_better_together(shared):
    """Final probabilities of people on debates whose answer is known (Michael et al. 2023)."""
    last = [row for row in rows_of(shared / "data" / "nyu" / "judge_reports_40.csv") if row["final"] == "True"]
    judged: dict[str, dict[str, dict[str, float]]] = defaultdict(dict)
    for row in last:
        judged[row["debate_id"]][row["judge"]] = {"0": float(row["p_a"]), "1": float(row["p_b"])}
    truth = {row["debate_id"]: row["correct_index"] for row in last}
    alone, together = [], []
    for debate, judges in judged.items():
        if len(judges) > 1 and (mean := mean_probability(judges)):
            alone.append(sum(brier_score(f, truth[debate]) for f in judges.values()) / len(judges))
            together.append(brier_score(mean, truth[debate]))
    assert sum(together) / len(together) < 0.8 * sum(alone) / len(alone)
    every = [(f[truth[debate]], f) for debate, judges in judged.items() for f in judges.values()]
    table = reliability((max(f.values()), p > 0.5) for p, f in every)
    assert sum(b.count for b in table) == len(every)
    assert [b.count for b in table[:5]] == [0] * 5
    # Those who were surest were right less often than they said.
    surest = table[-1]
    assert surest.mean_probability is not None
    assert surest.share_true is not None
    assert surest.mean_probability > surest.share_true + 0.1
