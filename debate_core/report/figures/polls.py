"""Figures of counts and polls: from where to where people went between two votes, and options pair by pair.

Each has a table with the same numbers and a sentence. Knows no screens; plotly loads when the first figure is drawn.
"""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from debate_core.language import _, _n, message
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.counts import Number, PairRow
from debate_core.report.facts.swing import Transition, transition_rows
from debate_core.report.figures.votes import (
    FigureRow,
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


def _moves(account: Account, electorate: Electorate) -> list[Transition]:
    return [row for row in transition_rows(account.state) if row.electorate == electorate]


def transition_table(account: Account, electorate: Electorate) -> list[FigureRow]:
    """One row per way that people went, most first."""
    return [{_("before"): m.before, _("after"): m.after, _("voters"): m.voters} for m in _moves(account, electorate)]


def transition_alt(account: Account, electorate: Electorate) -> str:
    """The same in words."""
    moves = [
        _n(
            m.voters,
            "{before} to {after}: {n} voter",
            "{before} to {after}: {n} voters",
            before=m.before,
            after=m.after,
        )
        for m in _moves(account, electorate)
    ]
    return _("From the pre-vote to the final vote. {moves}.", moves="; ".join(moves) or _("Nobody voted"))


def panel_transitions(account: Account, theme: str) -> "go.Figure":
    """Where the panel went."""
    return _sankey(account.state, _moves(account, "panel"), theme)


def room_transitions(account: Account, theme: str) -> "go.Figure":
    """Where the room went."""
    return _sankey(account.state, _moves(account, "room"), theme)


def _sankey(state: State, moves: list[Transition], theme: str) -> "go.Figure":
    """Before on the left, after on the right; the width of a band is a number of people."""
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
    # The name of the last node stands below it.
    return figure.update_layout(margin_b=16)


def _band(move: Transition, left: Sequence[str], right: Sequence[str], colour: str) -> FigureRow:
    """Its ends are places among all nodes, those on the left first."""
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
    """Row above column: by how many votes."""
    above = _above(pairs)
    rows: list[FigureRow] = []
    for a in options:
        rows.append({_(_CORNER): a, **{option_column(b, (_(_CORNER),)): str(above.get((a, b), "")) for b in options}})
    return rows


def pair_alt(pairs: Sequence[PairRow]) -> str:
    """Every pair in words."""
    return _(
        "Pair by pair, how many ballots put which option higher: {pairs}.", pairs="; ".join(map(_pair_words, pairs))
    )


def _pair_words(pair: PairRow) -> str:
    level = _(", level {tied}", tied=pair.tied) if pair.tied else ""
    return f"{pair.a} {pair.prefers_a}, {pair.b} {pair.prefers_b}{level}"


def pair_chart(pairs: Sequence[PairRow], options: Sequence[str], theme: str) -> "go.Figure":
    """A heat map: the darker a cell, the larger the share of the pair that puts the option of its row higher."""
    from plotly import graph_objects as go

    palette = palette_of(theme)
    above = _above(pairs)
    labels = labels_of(options)
    strong = colour_of(palette, 0)
    shares = [[_share(above, a, b) for b in options] for a in options]
    heat = go.Heatmap(
        z=shares,
        x=labels,
        y=labels,
        text=[[_against(above, a, b) for b in options] for a in options],
        texttemplate="%{text}",
        textfont={"color": palette.ink, "size": 14},
        # Never fully coloured: the numbers in the cells have to be read in both themes.
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


def _share(above: dict[tuple[str, str], Number], a: str, b: str) -> float | None:
    both = above.get((a, b), 0) + above.get((b, a), 0)
    return above[a, b] / both if both else None


def _against(above: dict[tuple[str, str], Number], a: str, b: str) -> str:
    return "" if a == b else f"{above.get((a, b), 0)} : {above.get((b, a), 0)}"
