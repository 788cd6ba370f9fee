"""Agreement, scores and strengths of real people: known figures come out again."""

import csv
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from statistics import correlation
from time import process_time

import pytest

from debate_core.engine.count.strengths import bradley_terry
from debate_core.report.facts.judge_statistics import (
    band,
    brier_score,
    krippendorff_alpha,
    mean_probability,
    reliability,
)

POINTS = {"a1": 1.0, "a2": 0.0, "equal": 0.5}
RANKED = {
    "firefox-vs-internet-explorer": -0.975,
    "personal-pursuit-or-advancing-the-common-good-": -0.869,
}


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def votes(shared: Path) -> dict[tuple[str, str], list[dict[str, str]]]:
    """Votes of people on which of two arguments convinces more, by topic and pair (Habernal and Gurevych 2016)."""
    pairs = defaultdict(list)
    for row in rows_of(shared / "data" / "pairwise" / "ukp_votes.csv"):
        pairs[row["topic"], row["pair_id"]].append(row)
    return pairs


def by_worker(pairs: list[list[dict[str, str]]]) -> dict[str, dict[str, str]]:
    told: dict[str, dict[str, str]] = defaultdict(dict)
    for row in (row for pair in pairs for row in pair):
        told[row["worker"]][f"{row['topic']} {row['pair_id']}"] = row["value"]
    return told


def test_people_hardly_agree_which_argument_convinces(votes):
    """Alpha counted pair by pair."""
    began = process_time()
    five = [pair for pair in votes.values() if len(pair) == 5]
    told = by_worker(five)
    alpha = krippendorff_alpha(told)
    assert process_time() - began < 2
    equal = sum(a["value"] == b["value"] for pair in five for a, b in permutations(pair, 2))
    shares = Counter(row["value"] for pair in five for row in pair)
    by_chance = sum(n * (n - 1) for n in shares.values()) / (shares.total() * (shares.total() - 1))
    assert alpha == pytest.approx((equal / (20 * len(five)) - by_chance) / (1 - by_chance))
    assert band(alpha) == "hardly agree"


def test_known_agreement_of_all_four_topics(votes):
    five = [pair for pair in votes.values() if len(pair) == 5]
    if len(five) != 2106:
        pytest.skip(f"{len(five)} pairs of five votes lie beside this checkout, not the 2,106 of all four topics")
    told = by_worker(five)
    # Pairs with fewer votes, which alpha allows, change its fourth place.
    assert krippendorff_alpha(told) == pytest.approx(0.2482, abs=6e-4)


def spearman(first: Mapping[str, float], second: Mapping[str, float]) -> float:
    """Correlation of two orders over the items that both have."""
    common = sorted(first.keys() & second.keys())
    return correlation(*([ranks(side, common)[item] for item in common] for side in (first, second)))


def ranks(side: Mapping[str, float], items: Sequence[str]) -> dict[str, float]:
    """Places from 1; items that are level share the mean of their places."""
    order = sorted(side[item] for item in items)
    return {item: bisect_left(order, side[item]) + (order.count(side[item]) + 1) / 2 for item in items}


@pytest.mark.parametrize("topic", RANKED)
def test_strengths_follow_the_published_ranking(shared, votes, topic):
    """Low in the published ranking is more convincing."""
    began = process_time()
    rows = [row for (of, _), pair in votes.items() if of == topic for row in pair]
    fit = bradley_terry((row["arg1"], row["arg2"], POINTS[row["value"]]) for row in rows)
    assert process_time() - began < 1
    published = {
        row["arg_id"]: float(row["rank_score"])
        for row in rows_of(shared / "data" / "pairwise" / "ukp_arguments.csv")
        if row["topic"] == topic
    }
    assert fit.converged
    assert 50 <= fit.iterations <= 170
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
    assert table.count == len(every)
    assert [b.count for b in table.bins[:5]] == [0] * 5
    # Those who were surest were right less often than they said.
    surest = table.bins[-1]
    assert surest.mean_probability is not None
    assert surest.share_true is not None
    assert surest.mean_probability > surest.share_true + 0.1
    assert table.ece is not None
    assert table.ece > 0.1
