"""Chart of figures with their 95 % intervals, one row each; plotly loads when the first figure is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from debate_core.language import _, format_number
from debate_core.report.figures.votes import label_of, layout_of, palette_of

if TYPE_CHECKING:
    from plotly import graph_objects as go

ROW_PX, FRAME_PX = 36, 90


@dataclass(frozen=True, slots=True)
class IntervalRow:
    """A figure; `low` and `high` None = without an interval, because all cases are equal."""

    label: str
    n: int
    """Number of cases."""
    value: float
    low: float | None
    high: float | None


def interval_chart(rows: Sequence[IntervalRow], theme: str, *, axis: str, percent: bool) -> "go.Figure":
    """Draw a dot and a line for its interval in each row; the label counts the cases."""
    from plotly import graph_objects as go

    palette = palette_of(theme)
    figure = go.Figure(layout=layout_of(palette, height=FRAME_PX + ROW_PX * len(rows)))
    scale = 100 if percent else 1
    unit = " %" if percent else ""
    figure.add_scatter(
        x=[scale * row.value for row in rows],
        y=[label_of(f"{row.label} ({row.n})") for row in rows],
        mode="markers+text",
        text=[f"{format_number(scale * row.value, '.0f' if percent else '.2f')}{unit}" for row in rows],
        textposition="top center",
        textfont={"color": palette.ink},
        marker={"size": 10, "color": palette.ink},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [scale * ((row.value if row.high is None else row.high) - row.value) for row in rows],
            "arrayminus": [scale * (row.value - (row.value if row.low is None else row.low)) for row in rows],
            "color": palette.neutral,
            "thickness": 3,
            "width": 0,
        },
        hoverinfo="skip",
        showlegend=False,
        cliponaxis=False,
    )
    figure.update_layout(margin={"t": 20})
    ends = [-2, 104] if percent else [0, 1.1 * max(max(row.value, row.high or 0) for row in rows)]
    figure.update_xaxes(range=ends, ticksuffix=unit, title_text=axis, zeroline=False)
    return figure.update_yaxes(autorange="reversed", showgrid=False, type="category")


def interval_alt(rows: Sequence[IntervalRow], *, axis: str, percent: bool) -> str:
    """The chart in words."""
    scale, unit = (100, " %") if percent else (1, "")
    told = [f"{row.label} {format_number(scale * row.value, '.0f' if percent else '.2f')}{unit}" for row in rows]
    return _("{axis}: {rows}.", axis=axis, rows="; ".join(told))


def mark_example(figure: "go.Figure") -> "go.Figure":
    """Mark a figure as an example, also in saved copies."""
    words = _("Example: invented outcomes")
    figure.update_layout(margin={"t": 36})
    return figure.add_annotation(
        text=words, x=0, y=1, xref="paper", yref="paper", xanchor="left", yanchor="bottom", yshift=14, showarrow=False
    )
