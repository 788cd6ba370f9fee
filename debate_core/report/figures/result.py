"""Chart of the deciding vote: the points of each option against the agreed threshold. Drawn from rows only."""

from typing import TYPE_CHECKING

from debate_core.language import _, format_number, message
from debate_core.report.facts.account import Account
from debate_core.report.facts.counts import Number
from debate_core.report.facts.terms import named
from debate_core.report.facts.vote_bars import OptionBar, deciding_bars
from debate_core.report.figures.chart import Chart, FigureRow
from debate_core.report.figures.votes import colour_of, label_of, layout_of, palette_of
from debate_core.report.phrases.decision import arithmetic

if TYPE_CHECKING:
    from plotly import graph_objects as go

ROW_PX, FRAME_PX = 44, 90


def has_result(account: Account) -> bool:
    """True if the deciding vote is counted and not sealed."""
    vote = deciding_bars(account)
    return vote is not None and bool(vote.bars)


def result_table(account: Account) -> list[FigureRow]:
    """One row per option, in declared order."""
    vote = deciding_bars(account)
    if vote is None:
        return []
    rows = list[FigureRow]()
    for bar in vote.bars:
        row: dict[str, str | int | float] = {_("option"): _lettered(bar)}
        if any(one.before is not None for one in vote.bars):
            row[_("before")] = _points(bar.before)
        row[_("votes")] = _points(bar.has)
        if vote.needed is not None:
            row[_("needed")] = _points(vote.needed)
        row[_("note")] = _("elected") if bar.wins else ""
        rows.append(row)
    return rows


def _points(points: Number | None) -> str:
    return "" if points is None else format_number(float(points), "g")


def _lettered(bar: OptionBar) -> str:
    return f"{bar.letter} {bar.option}".strip()


def result_chart(account: Account, theme: str) -> "go.Figure":
    """Draw one bar per option with its points at the end, and the threshold as a line."""
    from plotly import graph_objects as go

    palette = palette_of(theme)
    vote = deciding_bars(account)
    bars = () if vote is None else vote.bars
    labels = [label_of(_lettered(bar)) for bar in bars]
    points = [float(bar.has) for bar in bars]
    figure = go.Figure(layout=layout_of(palette, height=FRAME_PX + ROW_PX * len(bars)))
    colours = [colour_of(palette, place) for place in range(len(bars))]
    figure.add_bar(x=points, y=labels, orientation="h", marker={"color": colours}, showlegend=False)
    for label, bar in zip(labels, bars, strict=True):
        words = {"text": _points(bar.has), "font": {"color": palette.ink}}
        figure.add_annotation(words, x=float(bar.has), y=label, xanchor="left", showarrow=False)
    if vote is not None and vote.needed is not None:
        needed = float(vote.needed)
        figure.add_shape(
            type="line", x0=needed, x1=needed, y0=0, y1=1, yref="paper", line={"color": palette.bar, "width": 2}
        )
    most = max([*points, float(vote.of) if vote else 0.0, 1.0])
    # Leaves space for the points at the ends of the bars.
    figure.update_xaxes(range=[0, most * 1.1], title_text=named(vote.unit) if vote else "")
    return figure.update_yaxes(autorange="reversed", showgrid=False, type="category")


RESULT = Chart("result", message("Votes in the deciding count"), result_chart, arithmetic, result_table)
