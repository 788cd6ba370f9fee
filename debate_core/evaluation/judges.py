"""Statistics of judges on verdicts with a known truth: agreement, strengths, calibration, both orders."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from math import log2
from pathlib import Path
from random import Random
from statistics import correlation
from typing import NamedTuple

from debate_core.engine.count.bradley_terry import Contest, bradley_terry
from debate_core.engine.count.pair_selection import next_pairs
from debate_core.evaluation.figures import NOTHING, DetectorFigure, Sample, bootstrap, exactly, mean, share, share_of
from debate_core.evaluation.labelled import LabelledRow, number, rows
from debate_core.report.facts.calibration import Told, fit, read_with
from debate_core.report.facts.judge_statistics import CLIP, krippendorff_alpha

PAIR_VOTES, RANKING = "pairwise/ukp_votes*.csv", "pairwise/ukp_arguments*.csv"
REPORTS, REAL_DEBATES = "nyu/judge_reports*.csv", "nyu/sample*.jsonl"
SWAPPED = "judge/judge_swap*.jsonl"
POINTS = {"a1": 1.0, "a2": 0.0, "equal": 0.5}
VOTES_A_PAIR = 5
FIRST_VERDICTS = 30
"""Minimum of earlier verdicts for the fit of a slope."""
RUNS = 5
"""Number of random rankings for each topic."""
PER_ITEM = 12
Votes = Mapping[tuple[str, str], Sequence[float]]
"""Points of the first of each pair, vote by vote."""


# Agreement


def agreement(folder: Path) -> Sample:
    """Votes of five people on the more convincing of two arguments: alpha, and the same figure counted by pairs."""
    pairs: defaultdict[str, list[LabelledRow]] = defaultdict(list)
    for row in rows(folder, PAIR_VOTES, ("topic", "pair_id", "worker", "value")):
        pairs[f"{row['topic']} {row['pair_id']}"].append(row)
    five = {pair: given for pair, given in pairs.items() if len(given) == VOTES_A_PAIR}
    by_worker: defaultdict[str, dict[str, str]] = defaultdict(dict)
    equal = 0
    shares = Counter[str]()
    for pair, given in five.items():
        for row in given:
            by_worker[row["worker"]][pair] = row["value"]
        equal += sum(a["value"] == b["value"] for a, b in permutations(given, 2))
        shares.update(row["value"] for row in given)
    alpha = krippendorff_alpha(by_worker)
    if alpha is None:
        return NOTHING
    ways = VOTES_A_PAIR * (VOTES_A_PAIR - 1)
    by_chance = sum(n * (n - 1) for n in shares.values()) / (shares.total() * (shares.total() - 1))
    same = equal / (ways * len(five))
    figures = (
        exactly("alpha", alpha),
        exactly("same_vote", same),
        exactly("same_vote_by_chance", by_chance),
        exactly("error_of_alpha", abs(alpha - (same - by_chance) / (1 - by_chance)), 1e-9, most=True),
    )
    return Sample(len(five), figures)


# Strengths


def strengths(folder: Path) -> Sample:
    """Votes of people on pairs: correlation with the published ranking, and rankings from a few of the votes."""
    by_topic = pair_votes(folder)
    if not by_topic:
        return NOTHING
    published: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for row in rows(folder, RANKING, ("topic", "arg_id", "rank_score")):
        # In the published ranking, low is more convincing.
        published[row["topic"]][row["arg_id"]] = -number(row, "rank_score")
    ranked: list[float] = []
    taus: list[float] = []
    n = 0
    for topic, votes in by_topic.items():
        contests = all_contests(votes)
        n += len(contests)
        taus += [tau_of_votes(votes, seed) for seed in range(RUNS)]
        if topic in published:
            ranked.append(spearman(bradley_terry(contests).strengths, published[topic]))
    figures = [DetectorFigure("tau_at_12_an_item", mean(taus), *bootstrap(taus, mean), 0.78)]
    if ranked:
        figures.insert(0, exactly("lowest_rank_correlation", min(ranked), 0.85))
    return Sample(n, tuple(figures))


def pair_votes(folder: Path) -> dict[str, dict[tuple[str, str], list[float]]]:
    """Points of the first of each pair, vote by vote, by topic."""
    found: dict[str, dict[tuple[str, str], list[float]]] = {}
    for row in rows(folder, PAIR_VOTES, ("topic", "arg1", "arg2", "value")):
        given = found.setdefault(row["topic"], {}).setdefault((row["arg1"], row["arg2"]), [])
        given.append(POINTS[row["value"]])
    return found


def all_contests(votes: Votes) -> list[Contest]:
    return [(a, b, won) for (a, b), given in votes.items() for won in given]


def tau_of_votes(votes: Votes, seed: int) -> float:
    """Kendall's tau between the ranking by `PER_ITEM` random votes an item and the ranking by all votes."""
    rng = Random(seed)
    contests = list[Contest]()
    items = sorted({item for pair in votes for item in pair})
    while len(contests) < PER_ITEM * len(items):
        for a, b in next_pairs(items, contests, top=None, seed=f"{seed}:{len(contests)}"):
            given = votes.get((a, b)) or [1 - won for won in votes.get((b, a), (0.5,))]
            contests.append((a, b, rng.choice(given)))
    return tau(bradley_terry(contests).strengths, bradley_terry(all_contests(votes)).strengths)


def tau(found: Mapping[str, float], true: Mapping[str, float]) -> float:
    """Kendall's tau: 1 is the same order, 0 no relation."""
    items = sorted(true)
    pairs = [(a, b) for at, a in enumerate(items) for b in items[:at]]
    agree = sum((found[a] - found[b]) * (true[a] - true[b]) > 0 for a, b in pairs)
    return 2 * agree / len(pairs) - 1


def spearman(first: Mapping[str, float], second: Mapping[str, float]) -> float:
    """Spearman's rank correlation over the common items."""
    common = sorted(first.keys() & second.keys())
    first_places = _places(first, common)
    second_places = _places(second, common)
    return correlation([first_places[item] for item in common], [second_places[item] for item in common])


def _places(side: Mapping[str, float], items: Sequence[str]) -> dict[str, float]:
    """Ranks from 1; tied items have the mean of their ranks."""
    order = sorted(side[item] for item in items)
    return {item: bisect_left(order, side[item]) + (order.count(side[item]) + 1) / 2 for item in items}


# Calibration


class PastVerdict(NamedTuple):
    """The last probability that a judge gave to side A, and whether A was right."""

    probability: float
    was_so: bool

    @property
    def brier(self) -> float:
        """0 is best, 1 worst."""
        return (self.probability - self.was_so) ** 2

    def told(self) -> Told:
        """The forecast and the right side."""
        return {"a": self.probability, "b": 1 - self.probability}, "a" if self.was_so else "b"


def calibration(folder: Path) -> Sample:
    """Last verdicts of real debates in order of time, each recalibrated with a slope of the earlier ones."""
    verdicts = _past_verdicts(folder)
    if len(verdicts) <= FIRST_VERDICTS:
        return NOTHING
    later = verdicts[FIRST_VERDICTS:]
    told = [verdict.told() for verdict in verdicts]
    moved = [
        PastVerdict(read_with(fit(told[:at]), told[at][0])["a"], verdict.was_so)
        for at, verdict in enumerate(later, start=FIRST_VERDICTS)
    ]
    hits = [(verdict.probability > 0.5) == verdict.was_so for verdict in later if verdict.probability != 0.5]
    gains = [said.brier - read.brier for said, read in zip(later, moved, strict=True)]
    figures = (
        exactly("brier_before", mean([verdict.brier for verdict in later])),
        exactly("brier_after", mean([verdict.brier for verdict in moved])),
        DetectorFigure("gain", mean(gains), *bootstrap(gains, mean), 0.0),
        exactly("confidence_before", _mean_confidence(later)),
        exactly("confidence_after", _mean_confidence(moved)),
        *share_of("accuracy", hits),
        exactly("slope", fit(told)),
    )
    return Sample(len(later), figures)


def _mean_confidence(verdicts: Sequence[PastVerdict]) -> float:
    return mean([max(verdict.probability, 1 - verdict.probability) for verdict in verdicts])


def settings(folder: Path) -> Sample:
    """Accuracy of last verdicts by setting: debate or consultancy, of people or of models.

    Michael et al. 2023 report an accuracy of .84 after debates of people and of .74 after consultancies of people, over
    all of their verdicts.
    """
    last = [row for row in rows(folder, REPORTS, ("p_a", "correct_index", "final")) if row["final"] == "True"]
    by_setting: defaultdict[str, list[float]] = defaultdict(list)
    for row in last:
        p_a = number(row, "p_a")
        by_setting[row.get("setting") or "unknown"].append(p_a if row["correct_index"] == "0" else 1 - p_a)
    figures = [figure for name in sorted(by_setting) for figure in _of_setting(name, by_setting[name])]
    return Sample(len(last), tuple(figures))


def _of_setting(name: str, right: Sequence[float]) -> Iterator[DetectorFigure]:
    """`right` has the probability of the right answer in each verdict; one half counts as half a hit."""
    hits = [float(p > 0.5) + float(p == 0.5) / 2 for p in right]
    logs = [log2(max(p, CLIP)) for p in right]
    squares = [(1 - p) ** 2 for p in right]
    for what, values in (("accuracy", hits), ("log2", logs), ("brier", squares)):
        yield DetectorFigure(f"{name}_{what}", mean(values), *bootstrap(values, mean))


def _past_verdicts(folder: Path) -> list[PastVerdict]:
    """Last verdicts in order of time; without times, in the order of the file."""
    given_at = _times(folder)
    reports = rows(folder, REPORTS, ("debate_id", "judge", "p_a", "correct_index", "final"))
    last = [r for r in reports if r["final"] == "True"]
    last.sort(key=lambda r: given_at.get((r["debate_id"], r["judge"]), 0))
    return [PastVerdict(number(r, "p_a"), r["correct_index"] == "0") for r in last]


def _times(folder: Path) -> dict[tuple[str, str], int]:
    """Debate and judge -> time of the last verdict, in ms."""
    found: dict[tuple[str, str], int] = {}
    for debate in rows(folder, REAL_DEBATES, ("id", "turns")):
        for turn in debate["turns"]:
            if turn["kind"] == "judge":
                found[debate["id"], turn["speaker"]] = turn["timestamp_ms"]
        for judge, reading in (debate.get("offline") or {}).items():
            for verdict in reading["judgments"]:
                found[debate["id"], judge] = verdict["timestamp_ms"]
    return found


# Both orders


class SwappedVerdict(NamedTuple):
    """The right winner, and a judge's verdict in either order of the answers; `A=B` is a tie."""

    gold: str
    first: str
    second: str

    @property
    def both(self) -> str | None:
        """The winner in both orders; None if they differ, or for a tie."""
        return self.first if self.first == self.second != "A=B" else None

    @property
    def is_flipped(self) -> bool:
        """True if the second order names the other answer."""
        return self.first != "A=B" and self.first == _TURNED[self.second]


_TURNED = {"A>B": "B>A", "B>A": "A>B", "A=B": "A=B"}


def judge_swap(folder: Path) -> Sample:
    """Verdicts of models on the same two answers in both orders: share of flips, and gain by requiring agreement."""
    verdicts: list[SwappedVerdict] = []
    for row in rows(folder, SWAPPED, ("gold",)):
        first = row.get("order_ab")
        second = row.get("order_ba_position_frame")
        if first in _TURNED and second in _TURNED:
            verdicts.append(SwappedVerdict(row["gold"], first, _TURNED[second]))
    if not verdicts:
        return NOTHING
    both = [verdict for verdict in verdicts if verdict.both]
    right = [verdict.both == verdict.gold for verdict in both]
    gain = DetectorFigure("gain_of_both_orders", _gain(verdicts), *bootstrap(verdicts, _gain), 0.0)
    figures = (
        *share_of("flip_rate", [verdict.is_flipped for verdict in verdicts]),
        *share_of("differ_rate", [verdict.first != verdict.second for verdict in verdicts]),
        *share("both_orders_decide", len(both), len(verdicts)),
        *share_of("both_orders_right", right),
        gain,
    )
    return Sample(len(verdicts), figures)


def _gain(verdicts: Sequence[SwappedVerdict]) -> float:
    """Share of right winners among agreeing verdicts, minus their share among verdicts of the first order."""
    both = [v.both == v.gold for v in verdicts if v.both]
    first = [v.first == v.gold for v in verdicts if v.first != "A=B"]
    return mean(both) - mean(first)
