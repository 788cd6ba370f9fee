"""Plots in letters, which a terminal, a log of CI and a report in Markdown show alike; the figures stand in a table."""

from collections.abc import Sequence
from typing import NamedTuple

COLUMNS = 41
"""Of the scale, both ends included: 2.5 points of 100 a column."""


class Interval(NamedTuple):
    """A value within its interval, and whose it is."""

    label: str
    low: float
    value: float
    high: float


def interval_plot(rows: Sequence[Interval], least: float, most: float, *, unit: str) -> str:
    """One line a row on a scale from `least` to `most`: `o` the value, `-` its interval, `|` zero within the scale."""
    width = max((len(row.label) for row in rows), default=0)

    def column(value: float) -> int:
        inside = min(max(value, least), most)
        return round((inside - least) / (most - least) * (COLUMNS - 1))

    def drawn(row: Interval) -> str:
        signs = [" "] * COLUMNS
        for place in range(column(row.low), column(row.high) + 1):
            signs[place] = "-"
        if least < 0 < most:
            signs[column(0)] = "|"
        signs[column(row.value)] = "o"
        return f"{row.label:<{width}}  [{''.join(signs)}]"

    ends = f"{least:.0%}", f"{most:.0%} {unit}"
    scale = f"{'':<{width}}  {ends[0]:<{COLUMNS + 1}}{ends[1]}"
    return "\n".join([*map(drawn, rows), scale])
