"""Calibration chart of a judge: stated probability against accuracy, with Wilson intervals.

Drawn from the reliability table, which is also available as a table and as a sentence. Knows no screens; plotly loads
when the first figure is drawn.
"""

from typing import TYPE_CHECKING

from debate_core.language import _, spoken_list
from debate_core.report.facts.track_record import CalibrationBin, Scores
from debate_core.report.figures.chart import FigureRow
from debate_core.report.figures.votes import colour_of, column, layout_of, palette_of
from debate_core.report.phrases.track_record import percent_words, who_words

if TYPE_CHECKING:
    from plotly import graph_objects as go

HEIGHT_PX = 240


def calibration_chart(row: Scores, theme: str) -> "go.Figure":
    """Draw stated confidence against accuracy; on the dashed line both are equal."""
    from plotly import graph_objects as go

    palette = palette_of(theme)
    figure = go.Figure(layout=layout_of(palette, height=HEIGHT_PX))
    level = {"color": palette.neutral, "dash": "dash", "width": 1}
    figure.add_scatter(x=[0, 100], y=[0, 100], mode="lines", line=level, hoverinfo="skip", showlegend=False)
    dots = [_dot(step) for step in row.bins]
    colour = colour_of(palette, 0)
    figure.add_scatter(
        x=column(dots, "sure"),
        y=column(dots, "right"),
        mode="markers+text",
        text=column(dots, "decisions"),
        textposition="middle right",
        textfont={"color": palette.ink},
        marker={"size": 11, "color": colour},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": column(dots, "above"),
            "arrayminus": column(dots, "below"),
            "color": colour,
            "thickness": 2,
            "width": 6,
        },
        hoverinfo="skip",
        showlegend=False,
    )
    figure.update_layout(dragmode=False, margin={"t": 8})
    common = {"range": [-2, 104], "dtick": 25, "ticksuffix": " %", "zeroline": False}
    figure.update_xaxes(common, title_text=_("probability of the favourite"), showgrid=False)
    figure.update_yaxes(common, title_text=_("turned out right"))
    return figure


def _dot(step: CalibrationBin) -> FigureRow:
    """A bin in percent; `above` and `below` are the lengths of Wilson's interval, which a share always has."""
    right = 100 * step.right.value
    low = 100 * (step.right.low or 0.0)
    high = 100 * (step.right.high or 1.0)
    return {
        "sure": 100 * step.sure,
        "right": right,
        "decisions": str(step.right.n),
        "above": high - right,
        "below": right - low,
    }


def calibration_table(row: Scores) -> list[FigureRow]:
    """The numbers of the chart: a row for each bin with verdicts."""
    return [
        {
            _("Probability of the favourite"): _("{low:.0f} to {high:.0f} %", low=100 * step.low, high=100 * step.high),
            _("On average"): f"{100 * step.sure:.0f} %",
            _("Right, with 95 % interval"): percent_words(step.right),
            _("Decisions"): step.right.n,
        }
        for step in row.bins
    ]


def calibration_alt(row: Scores) -> str:
    """The chart in one sentence."""
    steps = [
        _("sure {sure:.0f} %, right {right:.0f} % of {n}", sure=100 * b.sure, right=100 * b.right.value, n=b.right.n)
        for b in row.bins
    ]
    return _("Calibration of {who}: {steps}.", who=who_words(row), steps=spoken_list(steps))
