"""Agreement, scores and strengths: published examples, examples worked by hand, and laws."""

from collections import Counter
from math import comb, log, log2, sqrt
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from debate_core.engine.count.bradley_terry import Contest, bradley_terry, connected, strength_intervals
from debate_core.report.facts.judge_statistics import (
    Bin,
    Rating,
    Ratings,
    agreement_by_chance,
    band,
    brier_score,
    exact_interval,
    krippendorff_alpha,
    log_score,
    mean_log_odds,
    mean_probability,
    reliability,
    wilson,
)

# Krippendorff 2011, part C: four observers, twelve units; a dot is missing.
OBSERVERS = {"A": "123321412...", "B": "1233224125.3", "C": ".3332342251.", "D": "12332441251."}


def numbers(rows: dict[str, str]) -> dict[str, dict[str, Rating | None]]:
    return {
        rater: {str(i): None if sign == "." else int(sign) for i, sign in enumerate(row)} for rater, row in rows.items()
    }


def names(*rows: str) -> dict[str, dict[str, str]]:
    return {f"rater {n}": {str(i): sign for i, sign in enumerate(row) if sign != "."} for n, row in enumerate(rows)}


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_the_published_example(level, alpha):
    assert krippendorff_alpha(numbers(OBSERVERS), level) == pytest.approx(alpha, abs=0.0005)


def test_alpha_of_two_observers_as_published():
    assert krippendorff_alpha(names("0100000010", "1110010000")) == pytest.approx(0.095, abs=0.0005)
    assert krippendorff_alpha(names("aabbdcccedda", "babbbccceddd")) == pytest.approx(0.692, abs=0.0005)


def test_small_votes_by_hand():
    # 1 of 4 differ; 3 x and 5 y in all: by chance 30 / 56 differ.
    votes = names("xxyy", "xyyy")
    assert krippendorff_alpha(votes) == pytest.approx(1 - (1 / 4) / (30 / 56))


@pytest.mark.parametrize("votes", [{}, {"a": {}}, names("xy"), names("x.", ".y"), names("x", "x"), names("x.", "xy")])
def test_alpha_is_unknown_without_two_ratings_or_variation(votes):
    assert krippendorff_alpha(votes) is None


def test_levels_of_numbers_take_numbers_only():
    with pytest.raises(ValueError, match="'rater 0' on '0': 'x' is no number"):
        krippendorff_alpha(names("x", "y"), "ordinal")
    with pytest.raises(ValueError, match="nan is no number"):
        krippendorff_alpha({"a": {"1": float("nan")}}, "interval")


@st.composite
def ratings(draw, most=3):
    rows = st.lists(st.one_of(st.none(), st.integers(0, most)), min_size=4, max_size=4)
    return {str(i): {str(j): v for j, v in enumerate(row)} for i, row in enumerate(draw(st.lists(rows, max_size=5)))}


def figures(votes: Ratings) -> list[float | None]:
    return [krippendorff_alpha(votes, level) for level in ("nominal", "ordinal", "interval")]


@given(ratings(), st.randoms())
def test_order_of_raters_and_items_does_not_matter(votes, random):
    turned = {r: dict(random.sample(list(votes[r].items()), 4)) for r in random.sample(list(votes), len(votes))}
    assert figures(turned) == figures(votes)


@given(ratings(), st.permutations("wxyz"))
def test_names_can_be_renamed(votes, letters):
    renamed = {r: {i: v if v is None else letters[v] for i, v in row.items()} for r, row in votes.items()}
    assert krippendorff_alpha(renamed) == krippendorff_alpha(votes)


@given(ratings())
def test_levels_mind_what_they_should(votes):
    """An order may be stretched and turned round, an interval scale moved and scaled."""
    stretched = {r: {i: v if v is None else -(v**3) for i, v in row.items()} for r, row in votes.items()}
    moved = {r: {i: v if v is None else 8 - 4 * v for i, v in row.items()} for r, row in votes.items()}
    assert krippendorff_alpha(stretched, "ordinal") == krippendorff_alpha(votes, "ordinal")
    assert krippendorff_alpha(moved, "interval") == pytest.approx(krippendorff_alpha(votes, "interval"))


@given(st.lists(st.integers(0, 3), min_size=2, max_size=6), st.integers(2, 5))
def test_full_agreement_is_one(row, raters):
    assume(len(set(row)) > 1)
    votes = {str(r): {str(i): v for i, v in enumerate(row)} for r in range(raters)}
    assert figures(votes) == [1.0] * 3


@given(ratings())
def test_figures_keep_their_bounds(votes):
    assert all(alpha is None or alpha <= 1 for alpha in figures(votes))


@given(ratings(most=1))
def test_two_values_are_the_same_on_every_level(votes):
    nominal = krippendorff_alpha(votes)
    assert krippendorff_alpha(votes, "ordinal") == pytest.approx(nominal)
    assert krippendorff_alpha(votes, "interval") == pytest.approx(nominal)


def test_scores_of_one_forecast():
    sure, half, three = {"a": 1.0, "b": 0.0}, {"a": 0.5, "b": 0.5}, {"a": 0.5, "b": 0.25, "c": 0.25}
    assert [brier_score(f, "a") for f in (sure, half, three)] == [0, 0.25, (0.25 + 2 * 0.0625) / 2]
    assert brier_score(sure, "b") == 1
    assert [log_score(f, "a") for f in (half, three)] == [-1, -1]
    assert (log_score(sure, "a"), log_score(sure, "b")) == (log2(0.99), log2(0.01))
    assert log_score(sure, "b", clip=0.25) == -2


def test_scores_refuse_what_is_no_forecast():
    with pytest.raises(ValueError, match=r"1\.5 is no probability"):
        brier_score({"a": 1.5, "b": -0.5}, "a")
    with pytest.raises(ValueError, match=r"add up to 0\.5, not to 1"):
        brier_score({"a": 0.25, "b": 0.25}, "a")
    with pytest.raises(ValueError, match="'c' is none of the options: 'a', 'b'"):
        log_score({"a": 0.5, "b": 0.5}, "c")
    for clip in (0, 0.5):
        with pytest.raises(ValueError, match=f"clip {clip}:"):
            log_score({"a": 0.5, "b": 0.5}, "a", clip=clip)


def test_reliability_by_hand():
    told = [(0.25, False), (0.25, True), (0.75, True), (1.0, True), (0.5, False), (0.75, True)]
    bins = Bin(0, 0.5, 2, 0.25, 0.5), Bin(0.5, 1, 4, 0.75, 0.75)
    assert reliability(told, bins=2) == bins
    assert [b.high for b in reliability(told)] == [n / 10 for n in range(1, 11)]
    assert reliability([], bins=1) == (Bin(0, 1, 0, None, None),)
    # 0.29 * 100 is 28.999... in floats.
    assert [b.low for b in reliability([(0.29, True)], bins=100) if b.count] == [0.29]
    with pytest.raises(ValueError, match="0 bins"):
        reliability(told, bins=0)
    with pytest.raises(ValueError, match="2 is no probability"):
        reliability([(2, True)])


def test_judges_together_by_hand():
    judges = {"ann": {"a": 0.9, "b": 0.1}, "ben": {"a": 0.5, "b": 0.5}}
    assert mean_probability(judges) == pytest.approx({"a": 0.7, "b": 0.3})
    # Odds of 9 and 1: the mean of their logarithms is that of 3.
    assert mean_log_odds(judges) == pytest.approx({"a": 0.75, "b": 0.25})
    assert (mean_probability({}), mean_log_odds({})) == (None, None)
    sure = {"ann": {"a": 1.0, "b": 0.0}}
    assert mean_log_odds(sure) == pytest.approx({"a": 0.99, "b": 0.01})
    with pytest.raises(ValueError, match=r"'ben' speaks of \['a', 'c'\], another judge of \['a', 'b'\]"):
        mean_probability({**sure, "ben": {"a": 0.5, "c": 0.5}})


@st.composite
def forecasts(draw, options="abc"):
    weights = st.lists(st.integers(0, 20), min_size=len(options), max_size=len(options)).filter(any)
    drawn = draw(st.lists(weights, min_size=1, max_size=5))
    return {str(n): {o: w / sum(row) for o, w in zip(options, row, strict=True)} for n, row in enumerate(drawn)}


@given(forecasts(), st.sampled_from("abc"))
def test_judges_together_do_no_worse_than_on_average(judges, truth):
    """The error of the mean forecast is at most the mean error; both means are forecasts again."""
    mean, pooled = mean_probability(judges), mean_log_odds(judges)
    assert mean is not None
    assert pooled is not None
    alone = [brier_score(f, truth) for f in judges.values()]
    assert brier_score(mean, truth) <= sum(alone) / len(alone) + 1e-9
    assert all(0 <= score <= 1 for score in alone)
    assert brier_score(pooled, truth) <= 1
    assert -6.65 < log_score(mean, truth) < 0


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=20), st.integers(1, 20))
def test_every_forecast_is_in_one_bin_of_its_own(told, bins):
    table = reliability(told, bins=bins)
    assert sum(b.count for b in table) == len(told)
    assert all(b.low - 1e-9 <= b.mean_probability <= b.high for b in table if b.mean_probability is not None)


def test_strengths_by_hand():
    # Three wins of four are odds of 3; with a prior of next to nothing that is what comes out.
    four: list[Contest] = [("a", "b", 1.0), ("a", "b", 1.0), ("b", "a", 0.0), ("b", "a", 1.0)]
    fit = bradley_terry(four, prior=1e-4)
    assert fit.converged
    assert fit.strengths["a"] / fit.strengths["b"] == pytest.approx(3, rel=1e-3)
    assert bradley_terry([("a", "b", 0.5)]).strengths == {"a": 1, "b": 1}
    assert list(bradley_terry([("c", "b", 1), ("b", "a", 1), ("c", "a", 1)]).strengths) == ["c", "b", "a"]
    assert bradley_terry([]).strengths == {}
    assert bradley_terry([("a", "b", 0.5)]).iterations == 1
    level: list[Contest] = [("b", "c", 0.5), ("c", "a", 0.5), ("a", "b", 0.5)]
    assert list(bradley_terry(level).strengths) == ["a", "b", "c"]
    cut = bradley_terry(four, most_iterations=1)
    assert (cut.iterations, cut.converged) == (1, False)


def test_strengths_carry_an_interval_that_readings_make_narrower():
    one: list[Contest] = [("a", "b", 1)]
    many: list[Contest] = [("a", "b", 1.0)] * 30 + [("b", "a", 1.0)] * 10
    low, high = strength_intervals(one, bradley_terry(one).strengths)["a"]
    assert low < 1 < high
    strengths = bradley_terry(many).strengths
    low, high = strength_intervals(many, strengths)["a"]
    assert 1 < low < strengths["a"] < high < 3
    # Odds of 3 in 40 contests: the standard error of the log-odds is sqrt(1/30 + 1/10), of one strength half of it.
    assert log(high / low) == pytest.approx(2 * 1.96 * sqrt(1 / 30 + 1 / 10) / 2, rel=0.05)
    # One tie: each contest is worth a quarter, and the prior of 0.1 wins and 0.1 losses a twentieth.
    tie: list[Contest] = [("a", "b", 0.5)]
    _, high = strength_intervals(tie, bradley_terry(tie).strengths)["a"]
    assert log(high) == pytest.approx(1.96 * sqrt(1 / (2 * (2 / 4 + 1 / 20))))


def test_only_items_that_met_are_of_one_group():
    contests: list[Contest] = [("a", "b", 1), ("c", "d", 1), ("b", "e", 0), ("x", "y", 1), ("y", "c", 0)]
    assert {*connected(contests)} == {frozenset("abe"), frozenset("cdxy")}


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        (0, 0, 0, 1),
        (8, 10, 0.4439, 0.9748),
        (4, 4, 0.3976, 1),
        (0, 5, 0, 0.5218),
        (1, 5, 0.0051, 0.7164),
        (1_500, 3_000, 0.4819, 0.5181),
    ],
)
def test_the_exact_interval_of_a_share(hits, n, low, high):
    found = exact_interval(hits, n)
    assert found == pytest.approx((low, high), abs=1e-4)
    assert (found[0] == 0, found[1] == 1) == (hits == 0, hits == n)


@pytest.mark.parametrize("hits", [-1, 5])
def test_a_share_is_of_all_there_are(hits):
    with pytest.raises(ValueError, match=f"{hits} of 4: hits are 0 to n"):
        exact_interval(hits, 4)


def test_the_interval_of_wilson():
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(8, 10) == pytest.approx((0.490, 0.943), abs=5e-4)


@pytest.mark.parametrize(("n", "options"), [(1, 5), (2, 3), (1, 2), (3, 2), (5, 3), (9, 4)])
def test_the_exact_interval_exceeds_chance_in_one_of_forty_cases(n, options):
    # R114
    above = [hits for hits in range(n + 1) if exact_interval(hits, n)[0] > 1 / options]
    assert sum(comb(n, k) * (options - 1) ** (n - k) for k in above) / options**n <= 0.025


def test_judges_agreeing_by_chance_differ_from_those_who_do_not():
    alike = {"j1": {"a": 0.7, "b": 0.2, "c": 0.1}, "j2": {"a": 0.6, "b": 0.3, "c": 0.1}}
    two = agreement_by_chance(alike)
    three = agreement_by_chance(alike | {"j3": {"a": 0.8, "b": 0.15, "c": 0.05}})
    assert two is not None
    assert three is not None
    assert (two.as_much, two.as_little, two.least) == pytest.approx((1 / 6, 1, 1 / 6))
    assert three.as_much == pytest.approx(1 / 36)
    # By squares of 2, 10 and 8 tenths; another power would put the ways in another order.
    halfway = agreement_by_chance({"j1": {"a": 0.1, "b": 0.4, "c": 0.5}, "j2": {"a": 0.1, "b": 0.6, "c": 0.3}})
    assert halfway is not None
    assert (halfway.as_much, halfway.as_little) == pytest.approx((2 / 6, 5 / 6))
    assert agreement_by_chance({"j1": alike["j1"]}) is None
    many = {f"j{n}": {"a": 0.9, "b": 0.1} for n in range(20)}
    dealt = agreement_by_chance(many)
    assert dealt is not None
    assert dealt.as_much <= 0.002


@pytest.mark.parametrize(("judges", "tried"), [(2, 6), (4, 216), (5, 1000), (6, 1000)])
def test_all_ways_to_deal_are_tried_or_a_thousand_of_them(judges, tried):
    rng = Random(judges)
    drawn = [[rng.random() for _ in range(3)] for _ in range(judges)]
    told = {f"j{n}": {f"o{i}": p / sum(ps) for i, p in enumerate(ps)} for n, ps in enumerate(drawn)}
    found = agreement_by_chance(told)
    assert found is not None
    shares = (found.as_much, found.as_little, found.least)
    assert all(share * tried == pytest.approx(round(share * tried)) for share in shares), found
    assert 0 < found.least < 1 < found.as_much + found.as_little
    # In one of all ways the judges put the options in the same order.
    assert tried == 1000 or found.least == 1 / tried


@pytest.mark.parametrize(("judges", "options"), [(2, 2), (2, 4), (3, 3), (6, 2)])
def test_judges_who_answer_at_random_seldom_agree(judges, options):
    rng = Random(f"{judges} {options}")
    agree = 0
    for _ in range(200):
        drawn = [[rng.random() for _ in range(options)] for _ in range(judges)]
        told = {f"j{n}": {f"o{i}": p / sum(ps) for i, p in enumerate(ps)} for n, ps in enumerate(drawn)}
        found = agreement_by_chance(told)
        assert found is not None
        agree += found.as_much <= 0.05
    # 5 % of 200, and three standard errors.
    assert agree <= 10 + 3 * sqrt(200 * 0.05 * 0.95)


def test_strengths_refuse_what_is_no_contest():
    with pytest.raises(ValueError, match="'a' against 'a'"):
        bradley_terry([("a", "a", 1)])
    with pytest.raises(ValueError, match="2 points"):
        bradley_terry([("a", "b", 2)])
    with pytest.raises(ValueError, match="prior 0"):
        bradley_terry([("a", "b", 1)], prior=0)
    with pytest.raises(ValueError, match="tolerance 0"):
        bradley_terry([("a", "b", 1)], tolerance=0)


CONTESTS = st.lists(
    st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde"), st.sampled_from([0, 0.5, 1])).filter(
        lambda contest: contest[0] != contest[1]
    ),
    max_size=30,
)


@given(CONTESTS)
def test_strengths_expect_the_points_that_were_won(contests):
    """The likelihood equation: each item is expected to win on average what it won, the prior included."""
    fit = bradley_terry(contests)
    assert fit.converged
    expected, won = Counter[str](), Counter[str]()
    for a, b, points in contests:
        share = fit.strengths[a] / (fit.strengths[a] + fit.strengths[b])
        expected.update({a: share, b: 1 - share})
        won.update({a: points, b: 1 - points})
    for item, strength in fit.strengths.items():
        assert expected[item] + 0.2 * strength / (strength + 1) == pytest.approx(won[item] + 0.1, abs=1e-4)


@given(CONTESTS, st.integers(2, 5), st.randoms())
def test_strengths_mind_neither_order_nor_sides_nor_scale(contests, times, random):
    fit = bradley_terry(contests)
    assert bradley_terry(random.sample(contests, len(contests))) == fit
    assert bradley_terry([(b, a, 1 - points) for a, b, points in contests]) == fit
    scaled = bradley_terry(contests * times, prior=0.1 * times).strengths
    assert scaled == pytest.approx(dict(fit.strengths))


@given(CONTESTS)
def test_the_other_way_round_is_the_mirror_image(contests):
    fit = bradley_terry(contests).strengths
    mirrored = bradley_terry([(a, b, 1 - points) for a, b, points in contests]).strengths
    assert {item: -log(s) for item, s in mirrored.items()} == pytest.approx(
        {item: log(s) for item, s in fit.items()}, abs=1e-4
    )


def test_plain_words_for_agreement():
    told = [None, -0.5, 0.0, 0.248, 0.5, 0.7, 0.8, 1.0]
    assert [band(alpha) for alpha in told] == [
        "cannot be compared",
        "agree a little more than by chance",
        "agree a little more than by chance",
        "agree a little more than by chance",
        "agree in part",
        "mostly agree",
        "agree",
        "agree",
    ]
