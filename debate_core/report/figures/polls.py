"""Figures of counts and polls: transitions between two votes, and options pair by pair.

Each has a table with the same numbers and a sentence. Knows no screens; plotly loads when the first figure is drawn.
"""

import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from debate_core.language import Words, _, _n, message
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.ballots import SEVERAL
from debate_core.report.facts.counts import Number, PairRow
from debate_core.report.facts.swing import NO_BALLOT, Transition, seat_transitions, transition_rows
from debate_core.report.facts.vote_bars import Voters
from debate_core.report.figures.chart import FigureRow, charts_by_voters
from debate_core.report.figures.votes import (
    NO_VOTE,
    Palette,
    colour_of,
    column,
    faint,
    heat_map,
    label_of,
    labels_of,
    layout_of,
    option_column,
    palette_of,
)
from debate_core.spec.values import in_words

if TYPE_CHECKING:
    from plotly import graph_objects as go


FLOW_PX, PAD_PX = 72, 30
"""Height of a flow, and the gap between two."""
HEAD_PX, FRAME_PX = 40, 56
NAMES_SHARE, NAME_CHARS = 0.26, 28
"""Share of the width for the names on each side, and characters of a name."""
NUMBER_PX = 12
"""Height of a band that has room for its number."""
HEAD = "head"
"""Name of the annotations above both sides."""
_PLACES: Words[str] = Words(
    {SEVERAL: SEVERAL, NO_BALLOT: NO_BALLOT, **{status: NO_VOTE.english(status) for status in NO_VOTE}}
)
"""Ends of a transition that are no option."""


def moves(account: Account, voters: Voters) -> Sequence[Transition]:
    """Transitions of people between their two votes, or of seats between the first count and the last."""
    if voters == "debaters":
        return seat_transitions(account.state, account.votes)
    rows = transition_rows(account.state, account.poll_votes)
    return [row for row in rows if row.electorate == voters]


def _place(account: Account, place: str) -> str:
    return place if place in account.state.spec.options else _PLACES[place]


def transition_table(account: Account, voters: Voters) -> list[FigureRow]:
    """One row per transition, most frequent first; with the seats, where seats vote."""
    rows: list[FigureRow] = []
    for m in moves(account, voters):
        who = {_("seats"): ", ".join(map(in_words, m.seats))} if m.seats else {}
        before, after = _place(account, m.before), _place(account, m.after)
        rows.append({_("before"): before, _("after"): after, _("voters"): m.voters, **who})
    return rows


def transition_alt(account: Account, voters: Voters) -> str:
    told = []
    for m in moves(account, voters):
        ends = {"before": _place(account, m.before), "after": _place(account, m.after)}
        told.append(_n(m.voters, "{before} to {after}: {n} voter", "{before} to {after}: {n} voters", **ends))
    words = "; ".join(told) or _("No one voted")
    if voters == "debaters":
        return _("From the first count to the last. {moves}.", moves=words)
    return _("From the pre-vote to the final vote. {moves}.", moves=words)


def transition_chart(account: Account, theme: str, voters: Voters) -> "go.Figure":
    """Draw the vote before on the left, after on the right; the width of a band is a number of voters."""
    from plotly import graph_objects as go

    palette = palette_of(theme)
    found = moves(account, voters)
    before = _sizes(account, [(move.before, move.voters) for move in found])
    after = _sizes(account, [(move.after, move.voters) for move in found])
    bands = [_band(account, move, [*before], [*after], palette) for move in found]
    sides = [*before.items()], [*after.items()]
    height = FLOW_PX * max(map(len, sides)) + FRAME_PX
    middles = [_middles([n for _place, n in side], sum(before.values()), max(map(len, sides))) for side in sides]
    sankey = go.Sankey(
        arrangement="fixed",
        domain={"x": [NAMES_SHARE, 1 - NAMES_SHARE]},
        node={
            "label": [f"{label_of(_place(account, p))} ({n})" for p, n in (*sides[0], *sides[1])],
            "x": [0.001] * len(before) + [0.999] * len(after),
            "y": [*middles[0], *middles[1]],
            "color": [_colour(account.state, palette, place) for place in (*before, *after)],
            "pad": PAD_PX,
            "thickness": 14,
            "line": {"width": 0},
            "hovertemplate": "%{label}<extra></extra>",
        },
        link={
            "source": column(bands, "source"),
            "target": column(bands, "target"),
            "value": column(bands, "value"),
            "color": column(bands, "color"),
            "customdata": column(bands, "seats"),
            "hovertemplate": "%{source.label} → %{target.label}: %{value}%{customdata}<extra></extra>",
        },
        # Names on the bands would be hard to read: they are beside the nodes.
        textfont={"color": "rgba(0,0,0,0)", "size": 1, "shadow": "none"},
    )
    figure = go.Figure(sankey, layout=layout_of(palette, height=height))
    figure.update_layout(margin={"t": HEAD_PX, "b": FRAME_PX - HEAD_PX})
    for is_left, side, places in zip((True, False), sides, middles, strict=True):
        names = [f"{_short(_place(account, place))} <b>{n}</b>" for place, n in side]
        head = f"<b>{_head(is_left=is_left)}</b>"
        _write_side(figure, palette, head, zip(names, places, strict=True), is_left=is_left)
    _write_numbers(figure, palette, bands, middles[0], max(map(len, sides)))
    return figure


def _write_numbers(
    figure: "go.Figure", palette: Palette, bands: Sequence[FigureRow], middles: Sequence[float], longest: int
) -> None:
    """Write the number of voters at the beginning of each band that is high enough for it.

    Bands leave a node in the order of their ends; `middles` are those of the nodes before.
    """
    height = FLOW_PX * longest
    per_voter = _voter_px(sum(int(band["value"]) for band in bands), longest)
    shared = {"x": NAMES_SHARE, "xshift": 24, "xanchor": "left", "yanchor": "middle", "showarrow": False}
    shared |= {"font": {"color": palette.ink, "size": 12}}
    for source, middle in enumerate(middles):
        leaving = sorted((band for band in bands if band["source"] == source), key=lambda band: int(band["target"]))
        sizes = [per_voter * int(band["value"]) for band in leaving]
        top = middle * height - sum(sizes) / 2
        for band, size in zip(leaving, sizes, strict=True):
            if size >= NUMBER_PX:
                figure.add_annotation(shared, text=f"<b>{band['value']}</b>", y=1 - (top + size / 2) / height)
            top += size


def _write_side(
    figure: "go.Figure", palette: Palette, head: str, places: Iterable[tuple[str, float]], *, is_left: bool
) -> None:
    """Write the heading of a side, and each name beside its node; `places` are names with heights from 0 (top) to 1."""
    x, anchor, shift = (NAMES_SHARE, "right", -8) if is_left else (1 - NAMES_SHARE, "left", 8)
    shared = {"x": x, "xshift": shift, "xanchor": anchor, "align": anchor, "showarrow": False}
    shared |= {"font": {"color": palette.ink}}
    figure.add_annotation(shared, text=head, name=HEAD, y=1, yanchor="bottom", yshift=10)
    for name, y in places:
        figure.add_annotation(shared, text=name, y=1 - y, yanchor="middle")


def _head(*, is_left: bool) -> str:
    return _("Before") if is_left else _("After")


def _short(name: str) -> str:
    """A name in two lines at most, which fit beside a chart on a phone; the text under the pointer has all of it."""
    short = name if len(name) <= NAME_CHARS else f"{name[: NAME_CHARS - 1].rstrip()}…"
    return "<br>".join(escape(line, quote=False) for line in textwrap.wrap(short, NAME_CHARS // 2)[:3])


def _voter_px(voters: int, longest: int) -> float:
    """Height of a voter where the longest column has this number of nodes."""
    return (FLOW_PX * longest - PAD_PX * (longest - 1)) / max(voters, 1)


def _middles(sizes: Sequence[int], voters: int, longest: int) -> list[float]:
    """The middle of each node from the top, as shares of the height; the scale of plotly for columns of this length."""
    height = FLOW_PX * longest
    per_voter = _voter_px(voters, longest)
    used = per_voter * sum(sizes) + PAD_PX * (len(sizes) - 1)
    found, top = [], (height - used) / 2
    for size in sizes:
        found.append((top + size * per_voter / 2) / height)
        top += size * per_voter + PAD_PX
    return found


def _sizes(account: Account, ends: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Place -> voters: the options in declared order, then ballots without one."""
    sizes = Counter[str]()
    for place, voters in ends:
        sizes[place] += voters
    places = [*account.state.spec.options, *_PLACES]
    return {place: sizes[place] for place in places if sizes[place]}


def _band(account: Account, move: Transition, left: Sequence[str], right: Sequence[str], palette: Palette) -> FigureRow:
    """A band between two indices of nodes, left ones first."""
    return {
        "source": left.index(move.before),
        "target": len(left) + right.index(move.after),
        "value": move.voters,
        "color": faint(_colour(account.state, palette, move.before), 0.35),
        "seats": "".join(f"<br>{escape(in_words(seat))}" for seat in move.seats),
    }


def _colour(state: State, palette: Palette, name: str) -> str:
    options = state.spec.options
    if name not in options:
        return palette.neutral
    return colour_of(palette, options.index(name))


_TITLES: Words[Voters] = Words(
    {
        "debaters": "Votes of the seats in the first and the last count",
        "panel": "Votes of the named people before and after",
        "room": "Votes of the room before and after",
    }
)
TRANSITIONS = charts_by_voters("moves", _TITLES, transition_chart, transition_alt, transition_table)


# --- pair by pair


def _above(pairs: Sequence[PairRow]) -> dict[tuple[str, str], Number]:
    return {(p.a, p.b): p.prefers_a for p in pairs} | {(p.b, p.a): p.prefers_b for p in pairs}


_CORNER = message("Above ↓ below →")


def pair_table(
    pairs: Sequence[PairRow], options: Sequence[str], beside: Mapping[str, FigureRow] | None = None
) -> list[FigureRow]:
    """Votes that prefer the option of the row to that of the column; `beside` has more cells for each row."""
    above = _above(pairs)
    rows: list[FigureRow] = []
    for a in options:
        more: FigureRow = beside[a] if beside else {}
        headings = (_(_CORNER), *more)
        cells = {option_column(b, headings): str(above.get((a, b), "")) for b in options}
        rows.append({_(_CORNER): a, **cells, **more})
    return rows


def pair_alt(pairs: Sequence[PairRow]) -> str:
    told = []
    for pair in pairs:
        tied = _(", tied {tied}", tied=pair.tied) if pair.tied else ""
        told.append(f"{pair.a} {pair.prefers_a}, {pair.b} {pair.prefers_b}{tied}")
    return _("Ballots that prefer each option, pair by pair: {pairs}.", pairs="; ".join(told))


def pair_chart(
    pairs: Sequence[PairRow], options: Sequence[str], theme: str, *, beside: Mapping[str, str] | None = None
) -> "go.Figure":
    """Draw a heat map: the darker a cell, the larger the share that prefers the option of its row.

    `beside` are words for the name of each row.
    """
    palette = palette_of(theme)
    above = _above(pairs)
    labels = labels_of(options)
    rows = [f"{label}<br>{escape(beside[o])}" for label, o in zip(labels, options, strict=True)] if beside else labels
    shares: list[list[float | None]] = []
    numbers: list[list[str]] = []
    for a in options:
        shares.append([])
        numbers.append([])
        for b in options:
            for_a, for_b = above.get((a, b), 0), above.get((b, a), 0)
            shares[-1].append(for_a / (for_a + for_b) if for_a + for_b else None)
            numbers[-1].append("" if a == b else f"{for_a} : {for_b}")
    return heat_map(palette, shares, numbers, labels, rows, ends=(0, 1))
