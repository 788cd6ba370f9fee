"""Chance agreement: the exact probability that random ballots reach a bar, the baseline for any agreement.

Knows numbers of ballots, options and votes; no rule and no debate.
"""

from fractions import Fraction
from functools import cache
from math import comb


def chance_level(ballots: int, options: int, needed: int, *, in_a_row: int = 1) -> Fraction:
    """Probability that random ballots give one option at least `needed` votes, on the first `in_a_row` counts.

    Each ballot names one of the options with equal probability, independently. With more than one count in a row, a
    unanimous first count suffices, as under `Majority`.
    """
    if ballots < 1 or options < 1 or not 1 <= needed <= ballots:
        return Fraction(0)
    ways_to_reach = sum(
        comb(ballots, votes) * _ways_below(ballots - votes, options - 1, needed) for votes in range(needed, ballots + 1)
    )
    this_option = Fraction(ways_to_reach, options**ballots)
    if in_a_row == 1:
        return options * this_option
    unanimous = Fraction(1, options**ballots)
    every_time = (this_option - unanimous) * this_option ** (in_a_row - 1)
    return options * (unanimous + every_time)


def chance_over(ballots: int, options: int, needed: int, counts: int, *, in_a_row: int) -> Fraction:
    """The same probability over several independent counts: the bar is reached on any one, or on any run in a row."""
    once = chance_level(ballots, options, needed)
    if in_a_row == 1:
        return 1 - (1 - once) ** counts
    same = once / options
    unanimous = Fraction(options, options**ballots)
    decided = unanimous
    # streaks[n]: probability that an option has won the last n counts and nothing is decided.
    streaks = [1 - once, once - unanimous, *([Fraction(0)] * (in_a_row - 2))]
    for _ in range(counts - 1):
        undecided = sum(streaks, Fraction(0))
        without, *winning = streaks
        anew = without * once + sum(winning, Fraction(0)) * (once - same)
        decided += winning[-1] * same
        streaks = [undecided * (1 - once), anew, *(chance * same for chance in winning[:-1])]
    return decided


@cache
def _ways_below(ballots: int, options: int, bar: int) -> int:
    """Number of ways in which ballots can name these options with every one below the bar."""
    if options == 0:
        return int(ballots == 0)
    most = min(ballots, bar - 1)
    return sum(comb(ballots, votes) * _ways_below(ballots - votes, options - 1, bar) for votes in range(most + 1))
