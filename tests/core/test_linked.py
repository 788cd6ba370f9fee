"""Linked percentages: always together 100, never below 1, and moved by place, whatever stands there."""

from hypothesis import given
from hypothesis import strategies as st

from debate_core.ui.room.desks.percent_sliders import even, linked, moved
from tests.examples import examples


def test_equal_at_first_as_far_as_whole_percents_go():
    assert even(2) == (50, 50)
    assert even(3) == (34, 33, 33)
    assert [sum(even(n)) for n in range(2, 9)] == [100] * 7


def test_two_are_each_others_rest():
    assert linked((50, 50), 0, 72) == (72, 28)
    assert linked((50, 50), 1, 72) == (28, 72)
    assert linked((50, 50), 0, 100) == (99, 1)


def test_others_keep_their_proportions():
    assert linked((34, 44, 22), 0, 70) == (70, 20, 10)
    assert linked((98, 1, 1), 0, 50) == (50, 25, 25)


def test_a_browser_that_is_behind_has_moved_only_what_differs_from_what_it_shows():
    drawn = [(77, 12, 11), (20, 40, 40)]
    assert moved((77, 12, 11) * 2, drawn) == []
    assert moved((77, 30, 11, 77, 12, 11), drawn) == [1]
    # It has typed 77, and sends the other five as they were before.
    assert moved((20, 40, 40, 77, 40, 40), drawn) == [3]
    assert moved((20, 40, 40, 77, 30, 40), drawn) == [3, 4]
    # Back to where it was, by hand.
    assert moved((20, 12, 11, 77, 12, 11), drawn) == [0]


MOVES = st.integers(2, 8).flatmap(
    lambda n: st.tuples(st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(-5, 120)), max_size=12))
)


@examples(200)
@given(MOVES)
def test_whatever_is_moved_the_sum_is_100_and_nothing_is_below_1(moved: tuple[int, list[tuple[int, int]]]):
    count, steps = moved
    percents = even(count)
    for place, value in steps:
        percents = linked(percents, place, value)
        assert sum(percents) == 100
        assert min(percents) >= 1
        assert percents[place] == max(1, min(100 - count + 1, value))
