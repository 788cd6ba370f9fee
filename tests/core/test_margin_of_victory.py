"""Margin of victory, compared with an enumeration of all possible ballots."""

from dataclasses import replace
from itertools import combinations, product
from random import Random
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine.count.ballots import BallotCounted
from debate_core.engine.count.count import Count
from debate_core.engine.count.margin_of_victory import NOTHING, Flip, Paper
from debate_core.report.phrases.counts import flip_words
from debate_core.spec.rules import CountedRule, Elected, Majority, Plurality, Threshold, Unanimity
from debate_core.spec.values import BallotKind, Given
from tests.examples import examples

OPTIONS = ("a", "b", "c")
LEAST: dict[BallotKind, int] = {"approval": 1, "ranking": 1, "score": 0, "dots": 0, "consent": 0}
MOST: dict[BallotKind, int] = {"approval": 1, "ranking": 3, "score": 5, "dots": 2, "consent": 2}


def options_of(kind: BallotKind) -> tuple[str, ...]:
    """Two for points: three could be filled in in too many ways to try them all here."""
    return OPTIONS[:2] if kind == "score" else OPTIONS


def papers(kind: BallotKind) -> list[Paper]:
    """Every paper of this kind, written down without a thought for what is alike."""
    options = options_of(kind)
    if kind == "one":
        return [*((o, ()) for o in options), NOTHING]
    points = range(LEAST[kind], MOST[kind] + 1)
    named = [names for n in range(1, len(options) + 1) for names in combinations(options, n)]
    every = [[*zip(names, ps, strict=True)] for names in named for ps in product(points, repeat=len(names))]
    if kind == "dots":
        every = [p for p in every if 1 <= sum(n for _, n in p) <= MOST[kind]]
    return [*((None, tuple(Given(option=o, points=n) for o, n in p)) for p in every), NOTHING]


def voters(rule: CountedRule, kind: BallotKind, said: list[Paper], weights: tuple[int, ...] = ()) -> Count:
    weigh = weights or (1,) * len(said)
    both = [*zip(said, weigh, strict=True)]
    casts = tuple(BallotCounted(f"v{i}", *paper, weight) for i, (paper, weight) in enumerate(both) if paper != NOTHING)
    silent = {f"v{i}": weight for i, (paper, weight) in enumerate(both) if paper == NOTHING}
    return Count("test", rule, kind, options_of(kind), casts, silent)


RULES: tuple[tuple[CountedRule, BallotKind], ...] = (
    (Plurality(), "one"),
    (Majority(base="cast"), "one"),
    (Unanimity(base="cast", quorum=2), "one"),
    (Threshold(votes=3), "one"),
    (Plurality(), "ranking"),
    (Elected(kind="approval"), "approval"),
    (Elected(kind="approval", floor_percent=60, tie=("lot",)), "approval"),
    (Elected(kind="borda"), "ranking"),
    (Elected(kind="irv"), "ranking"),
    (Elected(kind="copeland", tie=("pairwise", "second")), "ranking"),
    (Elected(kind="minimax"), "score"),
    (Elected(kind="star"), "score"),
    (Elected(kind="cumulative", dots=2), "dots"),
    (Elected(kind="consent"), "consent"),
)


def by_trying(rule: CountedRule, kind: BallotKind, said: list[Paper], weights: tuple[int, ...]) -> int | None:
    """Return the minimal number of changed voters by enumeration; None if no change elects others."""
    elected = voters(rule, kind, said, weights).result().winners
    away: set[int] = set()
    for other in product(papers(kind), repeat=len(said)):
        changed = sum(a != b for a, b in zip(said, other, strict=True))
        if changed not in away:
            now = voters(rule, kind, list(other), weights)
            away |= {changed} if now.result().winners != elected else set()
    return min(away, default=None)


@examples(8)
@given(st.data())
@pytest.mark.parametrize(("rule", "kind"), RULES, ids=range(len(RULES)))
def test_the_margin_is_the_minimum_over_all_ballots(rule: CountedRule, kind: BallotKind, data):
    every = papers(kind)
    said = data.draw(st.lists(st.sampled_from(every), min_size=1, max_size=3 if kind == "one" else 2))
    weights = tuple(data.draw(st.lists(st.integers(1, 3), min_size=len(said), max_size=len(said))))
    least = by_trying(rule, kind, said, weights)
    found = voters(rule, kind, said, weights).flip(counts=60_000)
    assert found == Flip(least, exact=True, tried=len(said) if least is None else least)


@pytest.mark.parametrize(("rule", "kind"), RULES, ids=range(len(RULES)))
def test_the_margin_is_minimal_with_some_fixed_ballots(rule: CountedRule, kind: BallotKind):
    lots = Random(f"{rule.kind}{rule.tie}")
    every = papers(kind)
    for _ in range(8):
        said = lots.choices(every, k=3 if len(every) < 10 else 2)
        weights = tuple(lots.choices((1, 1, 2), k=len(said)))
        least = by_trying(rule, kind, said, weights)
        found = voters(rule, kind, said, weights).flip(counts=60_000)
        assert found == Flip(least, exact=True, tried=len(said) if least is None else least), (said, weights)


@pytest.mark.parametrize(("rule", "kind"), RULES, ids=range(len(RULES)))
def test_one_ballot_may_stand_for_equal_ones(rule: CountedRule, kind: BallotKind):
    lots = Random(f"{rule.kind}{rule.tie}")
    cast = [paper for paper in papers(kind) if paper != NOTHING]
    for heads in (2, 3):
        said = lots.choices(cast, k=4)
        held = voters(rule.model_copy(update={"quorum": 3 * heads + 1}), kind, said * heads, (1,) * 4 * heads)
        together = [replace(ballot, weight=heads, heads=heads) for ballot in held.ballots[:4]]
        assert held.result_with(together) == held.result()


def test_a_multi_option_ballot_can_do_what_a_single_one_cannot():
    a_first = (None, (Given(option="a", points=3), Given(option="b", points=1)))
    all_ranked = (None, (Given(option="a", points=2), Given(option="b", points=1), Given(option="c", points=2)))
    held = voters(Elected(kind="borda"), "ranking", [a_first, all_ranked, a_first], (2, 1, 2))
    assert held.flip() == Flip(1, exact=True, tried=1)


def test_one_ballot_can_consent_and_object_to_change_the_result():
    """To nothing but b it would leave a without a concern, ahead of b, and with the consent of one in four."""

    def says(**points: int) -> Paper:
        return None, tuple(Given(option=o, points=p) for o, p in points.items())

    held = voters(
        Elected(kind="consent", floor_percent=60), "consent", [says(b=1), says(b=0), says(b=2), says(a=0, b=0)]
    )
    assert held.flip() == Flip(1, exact=True, tried=1)


def test_where_nothing_can_change_the_result_that_is_known():
    one = (None, (Given(option="a", points=1),))
    too_few = Elected(kind="approval", quorum=3)
    assert voters(too_few, "approval", [one, NOTHING]).flip() == Flip(None, exact=True, tried=2)


@pytest.mark.parametrize(
    ("rule", "choices", "flip"),
    [
        # Nothing was decided: that a ballot fewer would miss the quorum changes nothing.
        (Majority(quorum=4), "aabb", 2),
        # It was decided by all the ballots that the quorum needs: whoever takes theirs back undoes it.
        (Majority(quorum=5), "aaaaa", 1),
        (Majority(quorum=4), "aaaaa", 2),
        (Majority(), "aaaaa", 2),
        (Plurality(), "aabb", 1),
        (Plurality(), "aaab", 1),
        (Plurality(), "aaaab", 2),
    ],
)
def test_a_quorum_just_met_matters_if_something_was_decided(rule: Majority, choices: str, flip: int):
    said: list[Paper] = [*((choice, ()) for choice in choices), *[NOTHING] * (6 - len(choices))]
    assert voters(rule, "one", said).flip() == Flip(by_trying(rule, "one", said, (1,) * 6), exact=True, tried=flip)
    assert voters(rule, "one", said).flip().ballots == flip


@pytest.mark.parametrize(("choices", "flip"), [("aaaa", 2), ("aaab", 1), ("aabbcdefg", 3)])
def test_among_many_options_one_vote_each_leaves_nothing_unknown(choices: str, flip: int):
    ballots = tuple(BallotCounted(f"v{place}", choice) for place, choice in enumerate(choices))
    held = Count("test", Majority(base="cast", tie=("approver",)), "one", tuple("abcdefg"), ballots)
    assert held.flip() == Flip(flip, exact=True, tried=flip)


@pytest.mark.parametrize(
    ("counts", "flip"),
    [(0, Flip(None, False, 0)), (1, Flip(None, False, 0)), (2, Flip(None, False, 1)), (3, Flip(2, True, 2))],
)
def test_a_search_that_gives_up_says_how_far_it_came(counts: int, flip: Flip):
    """One of three votes for a can move to b or to nobody without effect; then two vote for b."""
    ballots = tuple(BallotCounted(f"v{place}", "a") for place in range(3))
    assert Count("test", Majority(base="cast"), "one", ("a", "b"), ballots).flip(counts=counts) == flip


def test_where_points_only_rank_their_order_alone_is_looked_at():
    """Four options have 1,296 ballots of points, too many to try for two kinds of voters, and 150 orders."""

    def scored(voter: str, points: str) -> BallotCounted:
        return BallotCounted(
            voter, None, tuple(Given(option=o, points=int(p)) for o, p in zip("abcd", points, strict=True))
        )

    ballots = (scored("v0", "5432"), scored("v1", "5432"), scored("v2", "5342"))
    assert Count("test", Elected(kind="minimax"), "score", tuple("abcd"), ballots).flip() == Flip(
        2, exact=True, tried=2
    )


def test_a_cut_search_admits_that_fewer_ballots_may_do():
    all_seven = tuple(Given(option=option, points=place) for place, option in enumerate("abcdefg", start=1))
    ballots = tuple(BallotCounted(f"v{place}", None, all_seven) for place in range(3))
    held = Count("test", Elected(kind="copeland"), "ranking", tuple("abcdefg"), ballots)
    assert held.flip() == Flip(2, exact=False, tried=0)


@pytest.mark.slow
def test_what_was_not_looked_at_is_not_said_to_be_known():
    ranks = tuple(Given(option=o, points=n) for n, o in enumerate("abcdefg", 1))
    casts = tuple(BallotCounted(f"v{i}", None, ranks) for i in range(9))
    held = Count("test", Elected(kind="schulze"), "ranking", tuple("abcdefg"), casts, {})
    start = process_time()
    found = held.flip()
    assert process_time() - start < 20
    assert (found.ballots, found.exact, found.tried) == (5, False, 0)
    assert flip_words(found) == "1 to 5"
    assert flip_words(Flip(None, exact=False, tried=2)) == "more than 2"
    assert flip_words(Flip(3, exact=False, tried=1)) == "2 or 3"
    assert flip_words(Flip(None, exact=True, tried=4)) == "no number of ballots"


def test_an_abandoned_search_does_not_claim_stability():
    casts = tuple(BallotCounted(f"v{i}", "a" if i < 20 else "b") for i in range(25))
    found = Count("test", Plurality(tie=("approver",)), "one", OPTIONS, casts).flip(counts=40)
    assert found == Flip(None, exact=False, tried=found.tried)
    assert found.tried < 8
    assert flip_words(found) == f"more than {found.tried}"
