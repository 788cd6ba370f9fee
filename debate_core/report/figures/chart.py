"""A chart as one value: figure, text alternative and table, so that no page can show one without the others."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from debate_core.language import Words
from debate_core.report.facts.account import Account
from debate_core.report.facts.vote_bars import VOTERS, Voters

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


def charts_by_voters(
    key: str,
    titles: str | Words[Voters],
    draw: "Callable[[Account, str, Voters], go.Figure]",
    alt: Callable[[Account, Voters], str],
    table: Callable[[Account, Voters], list[FigureRow]],
    *,
    has_plain_key: bool = False,
) -> Mapping[Voters, Chart]:
    """One chart of the votes of each kind of voters. `has_plain_key`: that of the seats has `key` alone."""

    def chart_of(voters: Voters) -> Chart:
        is_plain = has_plain_key and voters == "debaters"
        return Chart(
            key if is_plain else f"{key}-{voters}",
            titles if isinstance(titles, str) else titles.english(voters),
            lambda account, theme: draw(account, theme, voters),
            lambda account: alt(account, voters),
            lambda account: table(account, voters),
        )

    return {voters: chart_of(voters) for voters in VOTERS}
