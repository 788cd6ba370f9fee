"""Chart of a tournament: strength of each option with the 95 % interval. Drawn from rows only."""

from math import log2
from typing import TYPE_CHECKING

from debate_core.language import _, format_number, message
from debate_core.report.facts.account import Account
from debate_core.report.facts.tournament import RankedRow
from debate_core.report.figures.chart import Chart, FigureRow
from debate_core.report.figures.votes import column, label_of, layout_of, palette_of

if TYPE_CHECKING:
    from plotly import graph_objects as go

ROW_PX, FRAME_PX = 24, 70


def ranking_table(account: Account) -> list[FigureRow]:
    """One row per option, the strongest first."""
    return [_cells(row) for row in account.ranking]


def _cells(row: RankedRow) -> FigureRow:
    strength = interval = _("not known")
    if row.strength is not None:
        strength = format_number(row.strength, ".2f")
    if row.low is not None and row.high is not None:
        interval = f"{format_number(row.low, '.2f')} – {format_number(row.high, '.2f')}"
    return {
        _("Place"): row.place,
        _("Option"): row.option,
        _("Strength"): strength,
        _("Interval"): interval,
        _("Compared"): row.comparisons,
        _("Won"): row.points,
        "Elo": round(row.elo),
    }


def ranking_alt(account: Account) -> str:
    """The three strongest options, in words."""
    compared = [row for row in account.ranking if row.strength is not None]
    if not compared:
        return _("No option has been compared yet")
    told = ", ".join(f"{row.place}. {row.option}" for row in compared[:3])
    return _("Options by strength: {told}", told=told)


def ranking_chart(account: Account, theme: str) -> "go.Figure":
    """Draw strength and interval of each compared option; one step to the right is twice as strong."""
    from plotly import graph_objects as go

    palette = palette_of(theme)
    points = [point for row in reversed(account.ranking) if (point := _point(row))]
    figure = go.Figure(layout=layout_of(palette, height=FRAME_PX + ROW_PX * len(points)))
    figure.add_scatter(
        x=column(points, "middle"), y=column(points, "label"), mode="markers",
        marker={"color": palette.ink, "size": 8},
        error_x={
            "type": "data", "symmetric": False, "color": palette.neutral, "thickness": 2, "width": 0,
            "array": column(points, "above"), "arrayminus": column(points, "below"),
        },
    )  # fmt: skip
    common = {"gridcolor": palette.grid, "fixedrange": True, "tickfont": {"color": palette.ink}, "automargin": True}
    figure.update_yaxes(common)
    figure.update_xaxes(
        common,
        title={
            "text": _("strength: each step doubles the odds of winning a comparison"),
            "font": {"color": palette.ink},
        },
    )
    return figure


def _point(row: RankedRow) -> FigureRow | None:
    """Strength in doublings; `above` and `below` are the lengths of the interval. None if never compared."""
    if not row.strength or not row.low or not row.high:
        return None
    middle = log2(row.strength)
    return {
        "label": label_of(f"{row.place}. {row.option}"),
        "middle": middle,
        "above": log2(row.high) - middle,
        "below": middle - log2(row.low),
    }


RANKING = Chart("ranking", message("Options by strength"), ranking_chart, ranking_alt, ranking_table)
