"""Figures of polls of people: from where to where an electorate went between the two votes. Drawn from revealed rows.

Each has a table with the same numbers and a sentence. Knows no screens; plotly loads when the first figure is drawn.
"""

from typing import TYPE_CHECKING

from debate_core.record.state import State
from debate_core.report.facts.swing import Transition, transition_rows
from debate_core.report.figures.votes import Palette, Row, colour_of, label_of, layout_of, palette_of
from debate_core.spec.people import Electorate
from debate_core.text import plural

if TYPE_CHECKING:
    from plotly import graph_objects as go


def _moves(state: State, electorate: Electorate) -> list[Transition]:
    return [row for row in transition_rows(state) if row.electorate == electorate]


def transition_table(state: State, electorate: Electorate) -> list[Row]:
    """One row per way that people went, most first."""
    return [{"before": m.before, "after": m.after, "voters": m.voters} for m in _moves(state, electorate)]


def transition_alt(state: State, electorate: Electorate) -> str:
    """The same in words."""
    told = [f"{m.before} to {m.after}: {plural(m.voters, 'voter')}" for m in _moves(state, electorate)]
    return f"From the pre-vote to the final vote. {'; '.join(told) or 'Nobody voted'}."


def panel_transitions(state: State, theme: str) -> "go.Figure":
    """Where the panel went."""
    return _sankey(state, _moves(state, "panel"), theme)


def room_transitions(state: State, theme: str) -> "go.Figure":
    """Where the room went."""
    return _sankey(state, _moves(state, "room"), theme)


def _sankey(state: State, moves: list[Transition], theme: str) -> "go.Figure":
    """Before on the left, after on the right; the width of a band is a number of people."""
    from plotly import graph_objects as go

    palette = palette_of(theme)
    left, right = list(dict.fromkeys(m.before for m in moves)), list(dict.fromkeys(m.after for m in moves))
    there = {name: sum(m.voters for m in moves if m.before == name) for name in left}
    then = {name: sum(m.voters for m in moves if m.after == name) for name in right}
    labels = [f"{label_of(n)} ({there[n]})" for n in left] + [f"{label_of(n)} ({then[n]})" for n in right]
    sankey = go.Sankey(
        node={
            "label": labels,
            "color": [_colour(state, palette, name) for name in (*left, *right)],
            "pad": 18,
            "thickness": 14,
            "line": {"width": 0},
            "hovertemplate": "%{label}<extra></extra>",
        },
        link={
            "source": [left.index(m.before) for m in moves],
            "target": [len(left) + right.index(m.after) for m in moves],
            "value": [m.voters for m in moves],
            "color": [_faint(_colour(state, palette, m.before)) for m in moves],
            "hovertemplate": "%{source.label} → %{target.label}: %{value}<extra></extra>",
        },
        textfont={"color": palette.ink, "size": 13, "shadow": "none"},
    )
    figure = go.Figure(sankey, layout=layout_of(palette, height=max(180, 48 * max(len(left), len(right)) + 40)))
    # The name of the last node stands below it.
    return figure.update_layout(margin_b=16)


def _colour(state: State, palette: Palette, name: str) -> str:
    options = state.spec.options
    return colour_of(palette, options.index(name)) if name in options else palette.neutral


def _faint(colour: str) -> str:
    """`#3b6fd4` -> the same, seen through."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.35)"
