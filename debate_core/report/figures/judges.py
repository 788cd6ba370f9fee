"""Figures of judgements: probabilities by round, and the rubric as a heat map. Drawn from revealed rows only.

A judge's own line uses their own reports. Each figure has a table with the same numbers and a sentence. Knows no
screens; plotly loads when the first figure is drawn.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from debate_core.language import _, _n, format_number, message
from debate_core.record.acts import BeliefReported
from debate_core.report.facts import judge_statistics, judgements
from debate_core.report.facts.account import Account
from debate_core.report.figures.chart import Chart, FigureRow
from debate_core.report.figures.votes import (
    Palette,
    colour_of,
    faint,
    label_of,
    labels_of,
    layout_of,
    option_column,
    palette_of,
)

if TYPE_CHECKING:
    from plotly import graph_objects as go

SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross", "star", "triangle-down")
"""Markers that distinguish options and judges without colour."""
PANEL_PX = 130
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
Reports = Mapping[int, BeliefReported]


def own_table(options: Sequence[str], given: Reports) -> list[FigureRow]:
    """One row per round of one judge."""
    rows: list[FigureRow] = []
    for number, report in given.items():
        percents = report.percents
        rows.append({_("after round"): number, **{_column(option): percents[option] for option in options}})
    return rows


def _over_rounds(given: Reports, option: str) -> list[int]:
    """Probabilities of an option by one judge, round by round."""
    return [report.percents[option] for report in given.values()]


def _column(option: str) -> str:
    return option_column(option, (_("after round"), _("Who")))


def own_chart(options: Sequence[str], given: Reports, theme: str) -> "go.Figure":
    """Draw one line per option over the rounds of one judge."""
    from plotly import graph_objects as go

    palette = palette_of(theme)
    figure = go.Figure(layout=layout_of(palette, height=230))
    for place, option in enumerate(options):
        colour = colour_of(palette, place)
        figure.add_scatter(
            x=[*given], y=_over_rounds(given, option), name=label_of(option), mode="lines+markers",
            line={"color": colour}, marker={"symbol": SYMBOLS[place], "size": 9, "color": colour},
        )  # fmt: skip
    _axes(figure, [*given], palette)
    return figure


def _axes(figure: "go.Figure", rounds: Sequence[int], palette: Palette) -> None:
    # Panels after the first do not inherit these from the layout.
    common = {"gridcolor": palette.grid, "fixedrange": True, "tickfont": {"color": palette.ink}}
    common |= {"title": {"font": {"color": palette.ink}}}
    figure.update_yaxes(common, range=[0, 100], dtick=50, ticksuffix=" %", zeroline=False)
    span = [min(rounds) - 0.2, max(rounds) + 0.2]
    figure.update_xaxes(common, dtick=1, range=span, title_text=_("after round"), showgrid=False)


def beliefs_table(account: Account) -> list[FigureRow]:
    """One row per judge and revealed round, and the mean of each round."""
    state = account.state
    rows = list[FigureRow]()
    for person, reports in judgements.revealed_together(state).items():
        name = state.room.people[person].name
        rows += [{_("Who"): name, **row} for row in own_table(state.spec.options, reports)]
    for number, mean in means(account).items():
        percents = {_column(option): round(100 * share) for option, share in mean.items()}
        rows.append({_("Who"): _("mean"), _("after round"): number, **percents})
    return rows


def means(account: Account) -> dict[int, dict[str, float]]:
    """Round -> mean probabilities of the judges after it."""
    by_round: dict[int, dict[str, Mapping[str, float]]] = {}
    for person, reports in judgements.revealed_together(account.state).items():
        for number, report in reports.items():
            by_round.setdefault(number, {})[person] = judgements.shares(report)
    rounds = sorted(by_round.items())
    return {n: mean for n, forecasts in rounds if (mean := judge_statistics.mean_probability(forecasts))}


def beliefs_alt(account: Account) -> str:
    """The chart of the judges in one sentence."""
    rounds = []
    for number, mean in means(account).items():
        percents = ", ".join(f"{option} {100 * p:.0f} %" for option, p in mean.items())
        rounds.append(_("after round {number}: {percents}", number=number, percents=percents))
    judges = len(judgements.revealed_together(account.state))
    return _n(
        judges,
        "Mean probability of {n} judge, {rounds}.",
        "Mean probability of {n} judges, {rounds}.",
        rounds="; ".join(rounds) or _("nothing revealed"),
    )


def beliefs_chart(account: Account, theme: str) -> "go.Figure":
    """Draw one panel per option, with one line per judge and a thick line for the mean."""
    from plotly import graph_objects as go
    from plotly.subplots import make_subplots

    palette = palette_of(theme)
    options = account.state.spec.options
    mean = means(account)
    titles = [_panel_title(option) for option in options]
    figure: go.Figure = make_subplots(rows=len(options), cols=1, shared_xaxes=True, subplot_titles=titles,
                                      vertical_spacing=0.3 / len(options))  # fmt: skip
    figure.update_layout(layout_of(palette, height=100 + PANEL_PX * len(options)))
    # The legend goes above the title of the first panel.
    figure.update_layout(margin={"t": 60}, legend={"y": 1 + 26 / (PANEL_PX * len(options))})
    for row, option in enumerate(options, start=1):
        _draw_judges(figure, account, option, row=row, palette=palette)
        figure.add_scatter(x=[*mean], y=[100 * m[option] for m in mean.values()], name=_("mean"), mode="lines+markers",
                           line={"color": colour_of(palette, row - 1), "width": 4}, legendgroup="mean",
                           showlegend=row == 1, row=row, col=1)  # fmt: skip
    _axes(figure, [*mean] or [1], palette)
    figure.update_xaxes(title_text="")
    figure.update_xaxes(title_text=_("after round"), row=len(options), col=1)
    figure.update_annotations(font={"color": palette.ink, "size": 13}, x=0, xanchor="left")
    return figure


def _panel_title(option: str) -> str:
    short = option if len(option) <= 60 else f"{option[:59]}…"
    return escape(short, quote=False)


def _draw_judges(figure: "go.Figure", account: Account, option: str, *, row: int, palette: Palette) -> None:
    people = account.state.room.people
    for place, (person, given) in enumerate(judgements.revealed_together(account.state).items()):
        style = {"color": palette.neutral, "dash": DASHES[place % len(DASHES)], "width": 2}
        marker = {"symbol": SYMBOLS[place % len(SYMBOLS)], "size": 8, "color": palette.ink}
        figure.add_scatter(x=[*given], y=_over_rounds(given, option), name=label_of(people[person].name), line=style,
                           marker=marker, mode="lines+markers", legendgroup=person, showlegend=row == 1,
                           row=row, col=1)  # fmt: skip


def rubric_table(account: Account) -> list[FigureRow]:
    """One row per criterion: the mean of each option over the judges."""
    cells = judgements.mean_rubric(account.rubrics)
    rows: list[FigureRow] = []
    for criterion, words in judgements.CRITERIA.items():
        row: dict[str, str | int] = {_("criterion"): words}
        for option in account.state.spec.options:
            row[option_column(option, (_("criterion"),))] = _mean_words(cells.get((option, criterion)))
        rows.append(row)
    return rows


def _mean_words(mean: float | None) -> str:
    return "" if mean is None else format_number(mean, ".1f")


def rubric_alt(account: Account) -> str:
    """The heat map in one sentence."""
    means = [mean for mean in judgements.mean_rubric(account.rubrics).values() if mean is not None]
    return _("Mean scores of the rubric, 1 to 5, for {cells} cells of options and criteria.", cells=len(means))


def rubric_chart(account: Account, theme: str) -> "go.Figure":
    """Draw the mean scores of criteria by options."""
    from plotly import graph_objects as go

    palette = palette_of(theme)
    options = account.state.spec.options
    cells = judgements.mean_rubric(account.rubrics)
    scores = [[cells.get((option, criterion)) for option in options] for criterion in judgements.CRITERIA]
    figure = go.Figure(layout=layout_of(palette, height=90 + 40 * len(scores)))
    figure.add_heatmap(
        x=labels_of(options),
        y=labels_of(judgements.CRITERIA.values()),
        z=scores,
        zmin=1,
        zmax=5,
        text=[[*map(_mean_words, row)] for row in scores],
        texttemplate="%{text}",
        textfont={"color": palette.ink},
        colorscale=[(0, faint(palette.options[0], 0.05)), (1, faint(palette.options[0], 0.5))],
        showscale=False,
        xgap=2,
        ygap=2,
        hovertemplate="%{y}, %{x}: %{z:.1f}<extra></extra>",
    )
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure.update_xaxes(showgrid=False, side="top")
    return figure


RUBRIC = Chart("rubric", message("Mean scores of the rubric"), rubric_chart, rubric_alt, rubric_table)
BELIEFS = Chart(
    "probabilities", message("Probabilities in percent, by judge and round"), beliefs_chart, beliefs_alt, beliefs_table
)
