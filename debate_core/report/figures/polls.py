"""Figures of counts and polls: transitions between two votes, and options pair by pair.

Each has a table with the same numbers and a sentence. Knows no screens; plotly loads when the first figure is drawn.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from debate_core.language import _, _n, message
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.counts import Number, PairRow, debaters_count, pairs_of
from debate_core.report.facts.swing import Transition, transition_rows
from debate_core.report.figures.chart import Chart, FigureRow
from debate_core.report.figures.votes import (
    Palette,
    colour_of,
    column,
    faint,
    label_of,
    labels_of,
    layout_of,
    option_column,
    palette_of,
)
from debate_core.spec.people import Electorate

if TYPE_CHECKING:
    from plotly import graph_objects as go


def moves(account: Account, electorate: Electorate) -> list[Transition]:
    """Transitions of an electorate between its two votes."""
    return [row for row in transition_rows(account.state) if row.electorate == electorate]


def transition_table(account: Account, electorate: Electorate) -> list[FigureRow]:
    """One row per transition, most frequent first."""
    return [{_("before"): m.before, _("after"): m.after, _("voters"): m.voters} for m in moves(account, electorate)]


def transition_alt(account: Account, electorate: Electorate) -> str:
    """The transitions in words."""
    told = []
    for m in moves(account, electorate):
        ends = {"before": m.before, "after": m.after}
        told.append(_n(m.voters, "{before} to {after}: {n} voter", "{before} to {after}: {n} voters", **ends))
    return _("From the pre-vote to the final vote. {moves}.", moves="; ".join(told) or _("No one voted"))


def transition_chart(account: Account, theme: str, electorate: Electorate) -> "go.Figure":
    """Draw the transitions of an electorate."""
    return _sankey(account.state, moves(account, electorate), theme)


def _transitions_of(electorate: Electorate, title: str) -> Chart:
    return Chart(
        f"moves-{electorate}",
        title,
        partial(transition_chart, electorate=electorate),
        partial(transition_alt, electorate=electorate),
        partial(transition_table, electorate=electorate),
    )


TRANSITIONS: Mapping[Electorate, Chart] = {
    "panel": _transitions_of("panel", message("Votes of the panel before and after")),
    "room": _transitions_of("room", message("Votes of the room before and after")),
}


def _sankey(state: State, moves: list[Transition], theme: str) -> "go.Figure":
    """Draw the vote before on the left, after on the right; the width of a band is a number of people."""
    from plotly import graph_objects as go

    palette = palette_of(theme)
    before = Counter[str]()
    after = Counter[str]()
    for move in moves:
        before[move.before] += move.voters
        after[move.after] += move.voters
    left = list(before)
    right = list(after)
    bands = [_band(move, left, right, _colour(state, palette, move.before)) for move in moves]
    sankey = go.Sankey(
        node={
            "label": [f"{label_of(name)} ({voters})" for name, voters in (*before.items(), *after.items())],
            "color": [_colour(state, palette, name) for name in (*left, *right)],
            "pad": 18,
            "thickness": 14,
            "line": {"width": 0},
            "hovertemplate": "%{label}<extra></extra>",
        },
        link={
            "source": column(bands, "source"),
            "target": column(bands, "target"),
            "value": column(bands, "value"),
            "color": column(bands, "color"),
            "hovertemplate": "%{source.label} → %{target.label}: %{value}<extra></extra>",
        },
        textfont={"color": palette.ink, "size": 13, "shadow": "none"},
    )
    figure = go.Figure(sankey, layout=layout_of(palette, height=max(180, 48 * max(len(left), len(right)) + 40)))
    # Leaves space for the name below the last node.
    return figure.update_layout(margin_b=16)


def _band(move: Transition, left: Sequence[str], right: Sequence[str], colour: str) -> FigureRow:
    """A band between two indices of nodes, left ones first."""
    return {
        "source": left.index(move.before),
        "target": len(left) + right.index(move.after),
        "value": move.voters,
        "color": faint(colour, 0.35),
    }


def _colour(state: State, palette: Palette, name: str) -> str:
    options = state.spec.options
    if name not in options:
        return palette.neutral
    return colour_of(palette, options.index(name))


# --- pair by pair


def _above(pairs: Sequence[PairRow]) -> dict[tuple[str, str], Number]:
    return {(p.a, p.b): p.prefers_a for p in pairs} | {(p.b, p.a): p.prefers_b for p in pairs}


_CORNER = message("Above ↓ below →")


def pair_table(pairs: Sequence[PairRow], options: Sequence[str]) -> list[FigureRow]:
    """Votes that prefer the option of the row to that of the column."""
    above = _above(pairs)
    rows: list[FigureRow] = []
    for a in options:
        rows.append({_(_CORNER): a, **{option_column(b, (_(_CORNER),)): str(above.get((a, b), "")) for b in options}})
    return rows


def pair_alt(pairs: Sequence[PairRow]) -> str:
    """Every pair in words."""
    told = []
    for pair in pairs:
        tied = _(", tied {tied}", tied=pair.tied) if pair.tied else ""
        told.append(f"{pair.a} {pair.prefers_a}, {pair.b} {pair.prefers_b}{tied}")
    return _("Ballots that prefer each option, pair by pair: {pairs}.", pairs="; ".join(told))


def pair_chart(pairs: Sequence[PairRow], options: Sequence[str], theme: str) -> "go.Figure":
    """Draw a heat map: the darker a cell, the larger the share that prefers the option of its row."""
    from plotly import graph_objects as go

    palette = palette_of(theme)
    above = _above(pairs)
    labels = labels_of(options)
    strong = colour_of(palette, 0)
    shares: list[list[float | None]] = []
    numbers: list[list[str]] = []
    for a in options:
        shares.append([])
        numbers.append([])
        for b in options:
            for_a, for_b = above.get((a, b), 0), above.get((b, a), 0)
            shares[-1].append(for_a / (for_a + for_b) if for_a + for_b else None)
            numbers[-1].append("" if a == b else f"{for_a} : {for_b}")
    heat = go.Heatmap(
        z=shares,
        x=labels,
        y=labels,
        text=numbers,
        texttemplate="%{text}",
        textfont={"color": palette.ink, "size": 14},
        # Pale colours keep the numbers legible in both themes.
        colorscale=[[0, faint(strong, 0.0)], [0.5, faint(strong, 0.08)], [1, faint(strong, 0.45)]],
        zmin=0,
        zmax=1,
        showscale=False,
        xgap=3,
        ygap=3,
        hovertemplate="%{y} above %{x}: %{text}<extra></extra>",
    )
    figure = go.Figure(heat, layout=layout_of(palette, height=90 + 52 * len(options)))
    figure.update_xaxes(side="top", showgrid=False, type="category")
    return figure.update_yaxes(autorange="reversed", showgrid=False, type="category")


def seat_pairs(account: Account) -> list[PairRow]:
    """The pairs of the last count of the debaters; [] if their ballots do not order the options."""
    count = debaters_count(account.state)
    return pairs_of(count.name, count) if count else []


PAIRS = Chart(
    "pairs",
    message("Pair by pair"),
    lambda account, theme: pair_chart(seat_pairs(account), account.state.spec.options, theme),
    lambda account: pair_alt(seat_pairs(account)),
    lambda account: pair_table(seat_pairs(account), account.state.spec.options),
)
