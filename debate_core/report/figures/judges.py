"""Figures of judgements: probabilities by round, and the rubric as a heat map. Drawn from revealed rows only.

A judge's own line uses their own reports. Each figure has a table with the same numbers and a sentence. Knows no
screens; plotly loads when the first figure is drawn.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from debate_core.language import _, _n, format_number, message
from debate_core.record.acts import BeliefReported
from debate_core.record.state import State
from debate_core.report.facts import judge_statistics, judgements
from debate_core.report.facts.account import Account
from debate_core.report.figures.chart import Chart, FigureRow
from debate_core.report.figures.votes import (
    Palette,
    colour_of,
    heat_map,
    label_of,
    labels_of,
    layout_of,
    option_column,
    palette_of,
)

if TYPE_CHECKING:
    from plotly import graph_objects as go

SYMBOLS = ("circle", "square", "triangle-up", "diamond", "x", "cross", "star", "triangle-down")
"""Markers that distinguish options and judges without colour."""
BAR_SHIFT = 0.03
"""Distance of the bars of two options, in rounds."""
MAX_DOTS = 12
"""Reports of judges that are drawn as dots; more are drawn as lines of their means."""
Reports = Mapping[int, BeliefReported]


def own_table(options: Sequence[str], given: Reports) -> list[FigureRow]:
    """One row per round of one judge."""
    rows: list[FigureRow] = []
    for number, report in given.items():
        percents = report.percents
        rows.append({_("after round"): number, **{_column(option): percents[option] for option in options}})
    return rows


def _column(option: str) -> str:
    return option_column(option, (_("after round"), _("Who")))


def own_chart(options: Sequence[str], given: Reports, theme: str) -> "go.Figure":
    """Draw one line per option over the rounds of one judge."""
    from plotly import graph_objects as go

    palette = palette_of(theme)
    figure = go.Figure(layout=layout_of(palette, height=230))
    for place, option in enumerate(options):
        percents = [report.percents[option] for report in given.values()]
        figure.add_scatter(x=[*given], y=percents, name=label_of(option), **_line(palette, place))
    _axes(figure, [*given])
    return figure


def _line(palette: Palette, place: int) -> dict[str, Any]:
    """Line and markers of the option at this index."""
    colour = colour_of(palette, place)
    marker = {"symbol": SYMBOLS[place % len(SYMBOLS)], "size": 9, "color": colour}
    return {"mode": "lines+markers", "line": {"color": colour, "width": 3}, "marker": marker}


def _axes(figure: "go.Figure", rounds: Sequence[int]) -> None:
    figure.update_yaxes(range=[0, 100], dtick=25, ticksuffix=" %", zeroline=False)
    span = [min(rounds) - 0.2, max(rounds) + 0.2]
    figure.update_xaxes(dtick=1, range=span, title_text=_("after round"), showgrid=False)


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


def last_table(state: State) -> list[FigureRow]:
    """One row per judge: the last probabilities that were given in time."""
    return [
        {_("Who"): state.room.people[person].name}
        | {_column(option): judgements.percent(share) for option, share in given.items()}
        for person, given in judgements.latest_forecasts(state).items()
    ]


def means(account: Account) -> dict[int, dict[str, float]]:
    """Round -> mean probabilities of the judges after it."""
    rounds = _by_round(account).items()
    return {n: mean for n, forecasts in rounds if (mean := judge_statistics.mean_probability(forecasts))}


def _by_round(account: Account) -> dict[int, dict[str, Mapping[str, float]]]:
    """Round -> person id -> probability of each option."""
    by_round: dict[int, dict[str, Mapping[str, float]]] = {}
    for person, reports in judgements.revealed_together(account.state).items():
        for number, report in reports.items():
            by_round.setdefault(number, {})[person] = judgements.shares(report)
    return dict(sorted(by_round.items()))


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
    """Draw the mean of the judges for each option; few judges as dots, more as a bar from the lowest to the highest."""
    from plotly import graph_objects as go

    palette = palette_of(theme)
    options = account.state.spec.options
    mean = means(account)
    given = _by_round(account)
    has_dots = sum(map(len, given.values())) <= MAX_DOTS
    figure = go.Figure(layout=layout_of(palette, height=340))
    for place, option in enumerate(options):
        middle = [100 * shares[option] for shares in mean.values()]
        above, below = _distances(account, option, middle)
        # Marks of several options at the same height stay apart.
        shift = (3 if has_dots else 1) * BAR_SHIFT * (place - (len(options) - 1) / 2)
        drawn = _line(palette, place)
        if has_dots:
            drawn |= {"mode": "markers", "marker": {**drawn["marker"], "size": 13}}
            _add_dots(figure, given, option, shift, drawn["marker"])
        figure.add_scatter(
            x=[number + shift for number in mean], y=middle, name=label_of(option), **drawn,
            error_y={"type": "data", "symmetric": False, "color": colour_of(palette, place), "thickness": 2, "width": 0,
                     "array": above, "arrayminus": below},
            customdata=[_name_judges(account, option, number) for number in mean],
            hovertemplate="%{fullData.name}, %{y:.0f} %<br>%{customdata}<extra></extra>",
        )  # fmt: skip
    _axes(figure, [*mean] or [1])
    if len(judgements.latest_forecasts(account.state)) > 1:
        dots = _("after round · large: mean of the judges, small: each judge")
        figure.update_xaxes(title_text=dots if has_dots else _("after round · bars: lowest to highest judge"))
    return figure


def _add_dots(
    figure: "go.Figure", given: Mapping[int, Mapping[str, Mapping[str, float]]], option: str, shift: float, marker: Any
) -> None:
    """Draw the probability that each judge gave to this option after each round."""
    small = {**marker, "symbol": f"{marker['symbol']}-open", "size": 7}
    for number, each in given.items():
        y = [100 * shares[option] for shares in each.values()]
        x = [number + shift] * len(y)
        figure.add_scatter(x=x, y=y, mode="markers", marker=small, showlegend=False, hoverinfo="skip")


def _distances(account: Account, option: str, middle: Sequence[float]) -> tuple[list[float], list[float]]:
    """Percentage points from the mean of each round up to the highest judge, and down to the lowest."""
    given = _by_round(account)
    each = [[100 * shares[option] for shares in given[number].values()] for number in means(account)]
    above = [max(values) - mean for values, mean in zip(each, middle, strict=True)]
    below = [mean - min(values) for values, mean in zip(each, middle, strict=True)]
    return above, below


def _name_judges(account: Account, option: str, number: int) -> str:
    """`June 43 %`, one judge in a line."""
    people = account.state.room.people
    return "<br>".join(
        f"{escape(people[person].name)} {round(100 * shares[option])} %"
        for person, shares in _by_round(account)[number].items()
    )


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
    palette = palette_of(theme)
    options = account.state.spec.options
    cells = judgements.mean_rubric(account.rubrics)
    scores = [[cells.get((option, criterion)) for option in options] for criterion in judgements.CRITERIA]
    numbers = [[*map(_mean_words, row)] for row in scores]
    return heat_map(palette, scores, numbers, labels_of(options), labels_of(judgements.CRITERIA.values()), ends=(1, 5))


RUBRIC = Chart("rubric", message("Mean scores of the rubric"), rubric_chart, rubric_alt, rubric_table)
BELIEFS = Chart(
    "probabilities", message("Probabilities in percent, by judge and round"), beliefs_chart, beliefs_alt, beliefs_table
)
