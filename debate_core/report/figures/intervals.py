"""Chart of figures with their 95 % intervals, one row each; plotly loads when the first figure is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from debate_core.language import _, format_number
from debate_core.report.figures.votes import label_of, layout_of, palette_of
from debate_core.report.phrases.track_record import usd_digits

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

    @property
    def below(self) -> float:
        """Length of the interval before the value; 0 without one."""
        return 0.0 if self.low is None else self.value - self.low

    @property
    def above(self) -> float:
        """Length of the interval after the value; 0 without one."""
        return 0.0 if self.high is None else self.high - self.value


def interval_chart(rows: Sequence[IntervalRow], theme: str, *, axis: str, percent: bool) -> "go.Figure":
    """Draw a dot and a line for its interval in each row; the number of cases is beside the figure.

    Without `percent` the values are USD.
    """
    from plotly import graph_objects as go

    palette = palette_of(theme)
    figure = go.Figure(layout=layout_of(palette, height=FRAME_PX + ROW_PX * len(rows)))
    scale = 100 if percent else 1
    above = [scale * row.above for row in rows]
    below = [scale * row.below for row in rows]
    error = {"type": "data", "symmetric": False, "array": above, "arrayminus": below, "color": palette.neutral}
    labels = [label_of(row.label) for row in rows]
    figure.add_scatter(
        x=[scale * row.value for row in rows],
        y=labels,
        mode="markers+text",
        text=[f"{_number(row, percent=percent)} ({row.n})" for row in rows],
        textposition="top center",
        textfont={"color": palette.ink},
        marker={"size": 10, "color": palette.ink},
        error_x={**error, "thickness": 3, "width": 0},
        hoverinfo="skip",
        showlegend=False,
        cliponaxis=False,
    )
    figure.update_layout(margin={"t": 20})
    longest = max(row.value + row.above for row in rows)
    axis_of = {"range": [-2, 104], "ticksuffix": " %"} if percent else {"range": [0, 1.1 * longest]}
    figure.update_xaxes(axis_of, title_text=axis, zeroline=False)
    return figure.update_yaxes(autorange="reversed", showgrid=False, type="category")


def _number(row: IntervalRow, *, percent: bool) -> str:
    if percent:
        return f"{format_number(100 * row.value, '.0f')} %"
    return format_number(row.value, f".{usd_digits(row.value)}f")


def interval_alt(rows: Sequence[IntervalRow], *, axis: str, percent: bool) -> str:
    """The chart in words."""
    told = [f"{row.label} {_number(row, percent=percent)}" for row in rows]
    return _("{axis}: {rows}.", axis=axis, rows="; ".join(told))


def mark_example(figure: "go.Figure") -> "go.Figure":
    """Mark a figure as an example, also in saved copies."""
    words = _("Example: invented outcomes")
    figure.update_layout(margin={"t": 36})
    return figure.add_annotation(
        text=words, x=0, y=1, xref="paper", yref="paper", xanchor="left", yanchor="bottom", yshift=14, showarrow=False
    )
