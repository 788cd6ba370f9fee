"""How often a bar is reached by voting at random, exactly: the measure of what agreement is worth.

Knows numbers of ballots, options and votes; no rule and no debate.
"""

from fractions import Fraction
from functools import cache
from math import comb


def chance_level(ballots: int, options: int, needed: int, *, in_a_row: int = 1) -> Fraction:
    """Chance that random ballots give `needed` votes to one option alone, on so many counts in a row from the first.

    With more than one in a row, a first count with all ballots for one option is enough, as under a majority.
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
    """The same chance over so many counts, each voted anew: that the bar is reached on any of them, or any in a row."""
    once = chance_level(ballots, options, needed)
    if in_a_row == 1:
        return 1 - (1 - once) ** counts
    same = once / options
    unanimous = Fraction(options, options**ballots)
    decided = unanimous
    # streaks[n]: the chance that an option has won on the last n counts, and nothing is decided.
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
    """In how many ways so many ballots can name these options and leave every one below the bar."""
    if options == 0:
        return int(ballots == 0)
    most = min(ballots, bar - 1)
    return sum(comb(ballots, votes) * _ways_below(ballots - votes, options - 1, bar) for votes in range(most + 1))
