"""A chart as one value: figure, text alternative and table, so that no page can show one without the others."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from debate_core.report.facts.account import Account
from debate_core.report.facts.vote_bars import Voters

if TYPE_CHECKING:
    from plotly import graph_objects as go

FigureRow = Mapping[str, str | int | float]
"""A row of a table: heading -> value."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of one debate; `debate_core.ui.kit.chart.draw_chart` draws it."""

    key: str
    """Unique on its page."""
    title: str
    """English description of the table, marked with `message`."""
    draw: "Callable[[Account, str], go.Figure]"
    """The figure in a theme, `light` or `dark`."""
    alt: Callable[[Account], str]
    """The figure in words, for screen readers."""
    table: Callable[[Account], list[FigureRow]]
    """The numbers of the figure."""


def chart_of(
    voters: Voters,
    key: str,
    title: str,
    draw: "Callable[[Account, str, Voters], go.Figure]",
    alt: Callable[[Account, Voters], str],
    table: Callable[[Account, Voters], list[FigureRow]],
) -> Chart:
    """The chart of the votes of these voters."""
    return Chart(
        key,
        title,
        lambda account, theme: draw(account, theme, voters),
        lambda account: alt(account, voters),
        lambda account: table(account, voters),
    )
