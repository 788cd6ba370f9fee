"""The figure of a tournament: every option with its strength and the interval of 95 %. Drawn from rows only."""

from math import log2
from typing import TYPE_CHECKING

from debate_core.language import _
from debate_core.report.facts.account import Account
from debate_core.report.figures.votes import FigureRow, label_of, layout_of, palette_of

if TYPE_CHECKING:
    from plotly import graph_objects as go

ROW_PX, FRAME_PX = 24, 70


def ranking_table(account: Account) -> list[FigureRow]:
    """One row per option, the strongest first."""
    return [
        {
            _("Place"): row.place,
            _("Option"): row.option,
            _("Strength"): _("not known") if row.strength is None else f"{row.strength:.2f}",
            _("Interval"): _("not known") if row.low is None else f"{row.low:.2f} – {row.high:.2f}",
            _("Compared"): row.comparisons,
            _("Won"): row.points,
            "Elo": round(row.elo),
        }
        for row in account.ranking
    ]


def ranking_alt(account: Account) -> str:
    """The three strongest, in words."""
    told = [f"{row.place}. {row.option}" for row in account.ranking if row.strength is not None][:3]
    return _("Options by strength: {told}", told=", ".join(told)) if told else _("No option has been compared yet")


def ranking_chart(account: Account, theme: str) -> "go.Figure":
    """A point and its interval for every option that was compared; twice as strong is one step to the right."""
    from plotly import graph_objects as go

    palette = palette_of(theme)
    rows = [row for row in reversed(account.ranking) if row.strength and row.low and row.high]
    figure = go.Figure(layout=layout_of(palette, height=FRAME_PX + ROW_PX * len(rows)))
    middle = [log2(row.strength or 1) for row in rows]
    figure.add_scatter(
        x=middle, y=[label_of(f"{row.place}. {row.option}") for row in rows], mode="markers",
        marker={"color": palette.ink, "size": 8},
        error_x={
            "type": "data", "symmetric": False, "color": palette.neutral, "thickness": 2, "width": 0,
            "array": [log2(row.high or 1) - at for row, at in zip(rows, middle, strict=True)],
            "arrayminus": [at - log2(row.low or 1) for row, at in zip(rows, middle, strict=True)],
        },
    )  # fmt: skip
    common = {"gridcolor": palette.grid, "fixedrange": True, "tickfont": {"color": palette.ink}, "automargin": True}
    figure.update_yaxes(common)
    figure.update_xaxes(common, title={"text": _("strength, in doublings"), "font": {"color": palette.ink}})
    return figure
