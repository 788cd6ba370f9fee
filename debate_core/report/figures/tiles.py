"""Heat maps and flows as SVG, read from a plotly figure of this package."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from debate_core.report.figures.elements import (
    LINE_PX,
    element,
    lines_of,
    paint,
    px,
    widest,
    wrapped,
    write,
    write_beside,
)

WIDTH_PX = 720
TILE_PX, GAP_PX = 40, 3
FLOW_PX, HEAD_PX = 180, 24
MIN_BAND_PX = 1.5


def draw_heatmap(figure: Any) -> tuple[float, str]:
    """Height in pixels and elements of a heat map with its numbers."""
    heat = figure.data[0]
    ink = heat.textfont.color
    left = min(widest([line for label in heat.y for line in lines_of(label)]), WIDTH_PX / 3) + 10
    width = (WIDTH_PX - left) / len(heat.x)
    heads = [wrapped(label, width - 6) for label in heat.x]
    top = LINE_PX * max(map(len, heads)) + 6
    parts = [write(head, left + width * (n + 0.5), LINE_PX - 4, ink, "middle") for n, head in enumerate(heads)]
    for row, (label, cells, texts) in enumerate(zip(heat.y, heat.z, heat.text, strict=True)):
        y = top + row * (TILE_PX + GAP_PX)
        parts.append(write_beside(wrapped(label, left - 10), left - 10, y + TILE_PX / 2, ink, "end"))
        for n, (cell, words) in enumerate(zip(cells, texts, strict=True)):
            x = left + n * width
            if cell is not None:
                colour = _shade(heat, cell)
                parts.append(element("rect", x=x, y=y, width=width - GAP_PX, height=TILE_PX, **paint(colour)))
            parts.append(write_beside([words], x + width / 2, y + TILE_PX / 2, ink, "middle"))
    return top + len(heat.y) * (TILE_PX + GAP_PX), "".join(parts)


def _shade(heat: Any, value: float) -> str:
    """The colour of a value: between two stops of one colour, only the opacity changes."""
    share = (value - heat.zmin) / (heat.zmax - heat.zmin)
    for (low, before), (high, after) in pairwise(heat.colorscale):
        if low <= share <= high:
            solid, alpha_before = _split(before)
            alpha_after = _split(after)[1]
            alpha = alpha_before + (alpha_after - alpha_before) * (share - low) / (high - low)
            return f"rgba({solid},{round(alpha, 3)})"
    return str(heat.colorscale[-1][1])


def _split(colour: str) -> tuple[str, float]:
    """`rgba(1,2,3,0.5)` -> `1,2,3` and 0.5."""
    solid, _, alpha = colour.removeprefix("rgba(").removesuffix(")").replace(" ", "").rpartition(",")
    return solid, float(alpha)


def draw_flows(figure: Any) -> tuple[float, str]:
    """Height in pixels and elements of flows from the nodes on the left to those on the right."""
    flows = figure.data[0]
    node, link = flows.node, flows.link
    ink = figure.layout.font.color
    n_left = min(link.target)
    lefts = range(n_left)
    rights = range(n_left, len(node.label))
    weights = _weights(link, len(node.label))
    height = max(FLOW_PX, 48 * max(len(lefts), len(rights)))
    longest = max(len(lefts), len(rights))
    per_voter = (height - node.pad * (longest - 1)) / sum(link.value)
    starts = {**_stack(lefts, weights, per_voter, node.pad), **_stack(rights, weights, per_voter, node.pad)}
    left = min(widest(_labels(node, lefts)), WIDTH_PX / 3) + 8
    right = WIDTH_PX - min(widest(_labels(node, rights)), WIDTH_PX / 3) - 8
    parts = list[str]()
    used = dict(starts)
    for source, target, voters, colour in zip(link.source, link.target, link.value, link.color, strict=True):
        size = max(voters * per_voter, MIN_BAND_PX)
        route = _band((left + node.thickness, used[source]), (right - node.thickness, used[target]), size)
        parts.append(element("path", d=route, **paint(colour)))
        used[source] += voters * per_voter
        used[target] += voters * per_voter
    for n, (label, colour) in enumerate(zip(node.label, node.color, strict=True)):
        size = max(weights[n] * per_voter, MIN_BAND_PX)
        is_left = n in lefts
        x = left if is_left else right - node.thickness
        parts.append(element("rect", x=x, y=starts[n], width=node.thickness, height=size, **paint(colour)))
        beside = left - 6 if is_left else right + 6
        anchor = "end" if is_left else "start"
        words = wrapped(label, WIDTH_PX / 3)
        parts.append(write_beside(words, beside, starts[n] + size / 2, ink, anchor))
    heads = [note.text for note in figure.layout.annotations if note.name == "head"]
    for head, x, anchor in zip(heads, (left + node.thickness, right - node.thickness), ("end", "start"), strict=True):
        parts.append(write([head.removeprefix("<b>").removesuffix("</b>")], x, LINE_PX, ink, anchor))
    return height + HEAD_PX + LINE_PX, "".join(parts)


def _weights(link: Any, n: int) -> list[float]:
    """Votes that start or end at each of the `n` nodes."""
    weights = [0.0] * n
    for source, target, votes in zip(link.source, link.target, link.value, strict=True):
        weights[source] += votes
        weights[target] += votes
    return weights


def _labels(node: Any, which: range) -> list[str]:
    return [line for n in which for line in wrapped(node.label[n], WIDTH_PX / 3)]


def _stack(which: range, weights: Sequence[float], per_voter: float, pad: float) -> dict[int, float]:
    """Node -> upper end in pixels."""
    starts = {}
    y = HEAD_PX + LINE_PX / 2
    for n in which:
        starts[n] = y
        y += weights[n] * per_voter + pad
    return starts


def _band(start: tuple[float, float], end: tuple[float, float], size: float) -> str:
    """The outline of a band between two upper corners."""
    (x1, y1), (x2, y2) = start, end
    middle = (x1 + x2) / 2
    upper = f"M{px(x1, y1)}C{px(middle, y1)},{px(middle, y2)},{px(x2, y2)}"
    lower = f"V{px(y2 + size)}C{px(middle, y2 + size)},{px(middle, y1 + size)},{px(x1, y1 + size)}Z"
    return upper + lower
