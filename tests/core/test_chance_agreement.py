"""Chance level: exact for every panel that can sit here, against all ways to vote, one by one."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from debate_core.engine.count.chance_agreement import chance_level, chance_over
from debate_core.report.phrases.rules import chance_sentence
from debate_core.spec.presets import protocol
from debate_core.spec.protocol import deciding_counts
from debate_core.spec.rules import Majority, Plurality, Threshold

SMALL = [(ballots, options) for ballots in range(1, 8) for options in range(1, 5) if options**ballots <= 5_000]


@pytest.mark.parametrize(("ballots", "options"), SMALL)
def test_it_is_the_share_of_all_ways_to_vote(ballots: int, options: int):
    ways = [Counter(votes).values() for votes in product(range(options), repeat=ballots)]
    for needed in range(1, ballots + 1):
        reached = sum(sum(n >= needed for n in votes) == 1 for votes in ways)
        assert chance_level(ballots, options, needed) == Fraction(reached, len(ways)), needed


@pytest.mark.parametrize(
    ("ballots", "options", "needed", "share"),
    [
        (3, 3, 2, Fraction(7, 9)),
        (5, 3, 3, Fraction(17, 27)),
        (4, 2, 2, Fraction(5, 8)),
        (3, 2, 4, 0),
        (0, 3, 1, 0),
        (3, 0, 2, 0),
        (1, 1, 0, 0),
    ],
)
def test_panels_of_the_literature(ballots: int, options: int, needed: int, share: Fraction):
    # R210
    assert chance_level(ballots, options, needed) == share


def test_large_panels_are_no_longer_called_certain():
    assert round(float(chance_level(12, 3, 6)), 3) == 0.523
    assert round(float(chance_level(12, 3, 2)), 3) == 0.001
    for ballots in range(1, 16):
        for options in range(2, 11):
            shares = [chance_level(ballots, options, needed) for needed in range(1, ballots + 1)]
            assert shares[-1] == options * Fraction(1, options**ballots)
            assert all(0 <= share <= 1 for share in shares)
            above_half = shares[ballots // 2 :]
            assert above_half == sorted(above_half, reverse=True)


@pytest.mark.parametrize(("ballots", "options", "needed"), [(3, 2, 2), (3, 3, 2), (2, 3, 2)])
def test_a_majority_that_must_hold_is_reached_less_often(ballots: int, options: int, needed: int):
    one = [*product(range(options), repeat=ballots)]

    def winner(votes: tuple[int, ...]) -> int | None:
        return next((option for option, n in Counter(votes).items() if n >= needed), None)

    decided = [
        len(set(first)) == 1 or (winner(first) is not None and winner(first) == winner(second))
        for first, second in product(one, repeat=2)
    ]
    assert chance_level(ballots, options, needed, in_a_row=2) == Fraction(sum(decided), len(decided))


@pytest.mark.parametrize(("ballots", "options", "needed"), [(3, 2, 2), (2, 3, 2), (2, 2, 1)])
@pytest.mark.parametrize(("counts", "in_a_row"), [(1, 1), (3, 1), (1, 2), (2, 2), (3, 2), (4, 2), (3, 3)])
def test_over_several_counts_it_is_the_share_of_all_courses(
    ballots: int, options: int, needed: int, counts: int, in_a_row: int
):
    one = [*product(range(options), repeat=ballots)]

    def winner(votes: tuple[int, ...]) -> int | None:
        won = [option for option, n in Counter(votes).items() if n >= needed]
        return won[0] if len(won) == 1 else None

    def is_decided(course: tuple[tuple[int, ...], ...]) -> bool:
        winners = [winner(votes) for votes in course]
        runs = [winners[at : at + in_a_row] for at in range(counts - in_a_row + 1)]
        all_at_first = in_a_row > 1 and len(set(course[0])) == 1
        return all_at_first or any(run[0] is not None and len(set(run)) == 1 for run in runs)

    courses = [*product(one, repeat=counts)]
    share = Fraction(sum(map(is_decided, courses)), len(courses))
    assert chance_over(ballots, options, needed, counts, in_a_row=in_a_row) == share


@pytest.mark.parametrize(
    ("name", "rounds", "counts"),
    [("bounded_vote", 2, 8), ("bounded_vote", 1, 4), ("expert_panel", 2, 2), ("society", 2, 1), ("deliberation", 3, 1)],
)
def test_every_count_that_can_decide_is_a_chance(name: str, rounds: int, counts: int):
    assert deciding_counts(protocol(name), rounds) == counts


def test_chance_agreement_uses_cast_ballots_and_repetitions():
    once = "one option alone would have 2 of 3 on a single ballot"
    assert chance_sentence(Threshold(votes=2), 3, 3) == (
        f"Chance level: if all 3 voted at random among 3 options, {once} 78 % of the time."
    )
    assert chance_sentence(Threshold(votes=2), 3, 3, cast=2) == (
        f"Chance level: if the 2 of 3 who cast a ballot voted at random among 3 options, {once} 33 % of the time."
    )
    assert chance_sentence(Threshold(votes=2), 3, 3, cast=1) == ""
    assert "2 of 3 on a single ballot" in chance_sentence(Majority(base="cast"), 3, 3, cast=2)
    assert chance_sentence(Majority(ballots_in_a_row=2), 3, 3).endswith(
        f"{once} 78 % of the time, and on the first 2, or all votes on the first one, 28 % of the time."
    )
    assert chance_sentence(Plurality(), 3, 3) == ""
    assert chance_sentence(Threshold(votes=2), 3, 3, counts=8).endswith(
        f"{once} 78 % of the time, and on any of the 8 deciding counts, with new random votes each time, over 99 %."
    )
    assert "on any 2 in a row of the 3 deciding counts, with new random votes each time, 42 %" in chance_sentence(
        Majority(ballots_in_a_row=2), 3, 3, counts=3
    )
