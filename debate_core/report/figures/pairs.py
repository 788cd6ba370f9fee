"""The figure of options compared pair by pair: how many ballots put the option of a row above that of a column.

Drawn from rows of one count, with a table of the same numbers and a sentence. Knows no screens; plotly loads when
the first figure is drawn.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from debate_core.report.facts.counts import Number, PairRow
from debate_core.report.figures.votes import Row, colour_of, label_of, layout_of, palette_of

if TYPE_CHECKING:
    from plotly import graph_objects as go

Pairs = Sequence[PairRow]


def _above(pairs: Pairs) -> dict[tuple[str, str], Number]:
    return {(p.a, p.b): p.prefers_a for p in pairs} | {(p.b, p.a): p.prefers_b for p in pairs}


def pair_table(pairs: Pairs, options: Sequence[str]) -> list[Row]:
    """Row above column: by how many votes."""
    above = _above(pairs)
    return [{"Above ↓ below →": a, **{_column(b): str(above.get((a, b), "")) for b in options}} for a in options]


def _column(option: str) -> str:
    return f"option {option}" if option == "Above ↓ below →" else option


def pair_alt(pairs: Pairs) -> str:
    """Every pair in words."""
    told = [f"{p.a} {p.prefers_a}, {p.b} {p.prefers_b}{f', level {p.tied}' if p.tied else ''}" for p in pairs]
    return f"Pair by pair, how many ballots put which option higher: {'; '.join(told)}."


def pair_chart(pairs: Pairs, options: Sequence[str], theme: str) -> "go.Figure":
    """A heat map: the darker a cell, the larger the share of the pair that puts the option of its row higher."""
    from plotly import graph_objects as go

    palette, above = palette_of(theme), _above(pairs)
    labels = [label_of(o) for o in options]
    shares = [[_share(above, a, b) for b in options] for a in options]
    said = [["" if a == b else f"{above.get((a, b), 0)} : {above.get((b, a), 0)}" for b in options] for a in options]
    strong = colour_of(palette, 0)
    heat = go.Heatmap(
        z=shares,
        x=labels,
        y=labels,
        text=said,
        texttemplate="%{text}",
        textfont={"color": palette.ink, "size": 14},
        # Never fully coloured: the numbers in the cells have to be read in both themes.
        colorscale=[[0, _faint(strong, 0.0)], [0.5, _faint(strong, 0.08)], [1, _faint(strong, 0.45)]],
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


def _faint(colour: str, share: float) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{share})"
