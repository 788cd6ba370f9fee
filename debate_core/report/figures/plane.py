"""Bars, lines and points on axes as SVG, read from a plotly figure of this package.

Reads the traces `bar` and `scatter`, with stacks and error bars.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any

from debate_core.language import format_number
from debate_core.report.figures.elements import (
    LINE_PX,
    element,
    lines_of,
    paint,
    px,
    rule,
    widest,
    width_of,
    wrapped,
    write,
    write_beside,
)

WIDTH_PX = 720
MAX_BAR_PX = 56
WORDS_GAP_PX = 5
MAX_TICKS = 6
GAP_PX = 8
MIN_PLOT_PX = 120
MIN_LABEL_PX = 70


@dataclass(frozen=True, slots=True)
class _Scale:
    """One axis from `start_px` to `end_px`; `places` has the index of each category, empty for numbers."""

    layout: Any
    places: Mapping[object, int]
    low: float
    high: float
    start_px: float
    end_px: float

    def at(self, value: Any) -> float:
        """The pixel of a category or number; beside a category, of its index."""
        number = self.places.get(value, value) if self.places else value
        share = (float(number) - self.low) / (self.high - self.low)
        return self.start_px + share * (self.end_px - self.start_px)

    @property
    def step_px(self) -> float:
        """Width of one category."""
        return abs(self.end_px - self.start_px) / max(len(self.places), 1)

    def ticks(self) -> list[tuple[object, str]]:
        """Values with their labels."""
        if self.places:
            return [(name, str(name)) for name in self.places]
        step = max(self.layout.dtick or 0, 0) or _nice((self.high - self.low) / MAX_TICKS)
        if (self.high - self.low) / step > 2 * MAX_TICKS:
            step = max(_nice((self.high - self.low) / MAX_TICKS), step)
        suffix = self.layout.ticksuffix or ""
        first, last = ceil(self.low / step), floor(self.high / step + 1e-9)
        return [(n * step, f"{_number(n * step)}{suffix}") for n in range(first, last + 1)]


def _nice(step: float) -> float:
    """The next of 1, 2 and 5 times a power of ten: 3.4 -> 5."""
    power = 10.0 ** floor(log10(step))
    return next(power * times for times in (1, 2, 5, 10) if power * times >= step)


def _number(value: float) -> str:
    return format_number(value, ",.0f" if value == round(value) else ".10g")


def draw_plane(figure: Any, key: str) -> tuple[float, str]:
    """Height in pixels and elements of a figure with axes; `key` begins the ids of its patterns."""
    layout = figure.layout
    ink = layout.font.color
    legend_px, parts = legend(figure, WIDTH_PX, key)
    left = widest(_y_labels(figure)) + 2 * GAP_PX
    has_notes_above = any(note.yref == "paper" for note in layout.annotations)
    y_title = layout.yaxis.title.text or ""
    top = legend_px + LINE_PX * (has_notes_above + bool(y_title)) + GAP_PX
    bottom = top + max(layout.height - 90, MIN_PLOT_PX)
    x, y = axes = _axes(figure, left, bottom, top)
    label_px, drawn = _draw_axes(x, y, ink)
    parts += drawn
    for trace in figure.data:
        parts += _draw_scatter(trace, x, y, ink) if trace.type == "scatter" else []
    bars = [trace for trace in figure.data if trace.type == "bar"]
    parts += _draw_bars(bars, axes, key, layout.bargap or 0.2)
    parts += _draw_notes(layout, x, y)
    if y_title:
        parts.append(write([y_title], 0.0, top - GAP_PX, ink))
    return bottom + label_px + GAP_PX, "".join(parts)


def _draw_notes(layout: Any, x: _Scale, y: _Scale) -> Iterator[str]:
    """Draw the lines and the words across the traces."""
    top, bottom = sorted((y.start_px, y.end_px))
    for line in layout.shapes:
        ends = (top, bottom) if line.yref == "paper" else (y.at(line.y0), y.at(line.y1))
        yield rule(x.at(line.x0), ends[0], x.at(line.x1), ends[1], line.line.color, line.line.width)
    for note in layout.annotations:
        words, colour = lines_of(note.text), note.font.color or layout.font.color
        if note.yref == "paper" and note.xref != "paper" and note.x is not None:
            yield write(words, x.at(note.x), top - 5, colour, "middle")
        elif note.yref == "paper":
            yield write(words, x.start_px, bottom - note.y * (bottom - top) - 5, colour)
        else:
            yield write_beside(words, x.at(note.x) + 5, y.at(note.y), colour)


def _axes(figure: Any, left: float, bottom: float, top: float) -> tuple[_Scale, _Scale]:
    is_lying = any(trace.orientation == "h" for trace in figure.data)
    x = _axis(figure.layout.xaxis, figure.data, "x", holds_bars=is_lying, span_px=(left, WIDTH_PX - GAP_PX))
    upright = not is_lying and any(trace.type == "bar" for trace in figure.data)
    return x, _axis(figure.layout.yaxis, figure.data, "y", holds_bars=upright, span_px=(bottom, top))


def _axis(layout: Any, traces: Sequence[Any], side: str, *, holds_bars: bool, span_px: tuple[float, float]) -> _Scale:
    start_px, end_px = span_px
    values = [value for trace in traces for value in trace[side] if value is not None]
    if any(isinstance(value, str) for value in values) or layout.type == "category":
        places: Mapping[object, int] = {value: place for place, value in enumerate(dict.fromkeys(values))}
        if layout.autorange == "reversed":
            start_px, end_px = end_px, start_px
        return _Scale(layout, places, -0.5, len(places) - 0.5, start_px, end_px)
    low, high = _range(layout, traces, side, holds_bars=holds_bars)
    return _Scale(layout, {}, low, high if high > low else low + 1, start_px, end_px)


def _range(layout: Any, traces: Sequence[Any], side: str, *, holds_bars: bool) -> tuple[float, float]:
    """The numbers at both ends of an axis."""
    if layout.range:
        low, high = map(float, layout.range)
        return low, high
    if holds_bars:
        sums: dict[object, float] = {}
        for trace in traces:
            for name, value in zip(trace["y" if side == "x" else "x"], trace[side], strict=True):
                sums[name] = sums.get(name, 0) + value
        return 0.0, 1.05 * max(sums.values(), default=0)
    return _extent(traces, side)


def _extent(traces: Iterable[Any], side: str) -> tuple[float, float]:
    """The smallest and the largest number with its error bar, and a little space."""
    ends = list[float]()
    for trace in traces:
        below, above = _errors(trace, side)
        ends += [value - less for value, less in zip(trace[side], below, strict=True)]
        ends += [value + more for value, more in zip(trace[side], above, strict=True)]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    space = 0.05 * (high - low or 1.0)
    return low - space, high + space


def _errors(trace: Any, side: str) -> tuple[Sequence[float], Sequence[float]]:
    """Lengths of the error bars before and after each point; 0 without them."""
    bars = trace[f"error_{side}"]
    none = (0.0,) * len(trace[side])
    return (none if bars.arrayminus is None else bars.arrayminus, none if bars.array is None else bars.array)


def _y_labels(figure: Any) -> list[str]:
    axis = _axes(figure, 0.0, 100.0, 0.0)[1]
    return [line for _, label in axis.ticks() for line in lines_of(label)]


def _draw_axes(x: _Scale, y: _Scale, ink: str) -> tuple[float, list[str]]:
    """Height of the labels below, and the elements of both axes."""
    parts = list[str]()
    for value, label in y.ticks():
        if y.layout.showgrid is not False:
            parts.append(rule(x.start_px, y.at(value), x.end_px, y.at(value), y.layout.gridcolor))
        parts.append(write_beside(lines_of(label), x.start_px - GAP_PX, y.at(value), ink, "end"))
    floor_px = max(y.start_px, y.end_px)
    if x.layout.showgrid is not False:
        ceiling_px = min(y.start_px, y.end_px)
        parts += [rule(x.at(value), ceiling_px, x.at(value), floor_px, x.layout.gridcolor) for value, _ in x.ticks()]
    height, labels = _draw_labels(x, floor_px, ink)
    return height, parts + labels


def _draw_labels(x: _Scale, floor_px: float, ink: str) -> tuple[float, list[str]]:
    """Height and elements of the labels and of the title below the axis."""
    # Of many categories, only some have room for their names.
    every = ceil(MIN_LABEL_PX / x.step_px) if x.places else 1
    width_px = every * x.step_px if x.places else WIDTH_PX
    labels = [(value, wrapped(label, width_px)) for value, label in x.ticks()[::every]]
    parts = [write(words, x.at(value), floor_px + LINE_PX, ink, "middle") for value, words in labels]
    height = LINE_PX * max((len(words) for _, words in labels), default=0) + 4
    if title := x.layout.title.text:
        height += LINE_PX
        parts.append(write([title], (x.start_px + x.end_px) / 2, floor_px + height, ink, "middle"))
    return height, parts


def _draw_bars(traces: Sequence[Any], axes: tuple[_Scale, _Scale], key: str, gap: float) -> list[str]:
    """Bars, upright or lying, stacked in each group of their category, with the words at their ends."""
    parts = list[str]()
    bases: dict[object, float] = {}
    groups = list(dict.fromkeys(trace.offsetgroup for trace in traces))
    for trace in traces:
        is_lying = trace.orientation == "h"
        names, lengths = (trace.y, trace.x) if is_lying else (trace.x, trace.y)
        band, along = reversed(axes) if is_lying else axes
        size = min(band.step_px * (1 - gap) / len(groups), MAX_BAR_PX)
        group = groups.index(trace.offsetgroup)
        texts = trace.text if trace.text is not None else ("",) * len(names)
        for name, length, colour, words in zip(names, lengths, _colours_of(trace), texts, strict=True):
            base = bases.get((name, group), 0)
            bases[name, group] = base + length
            beside = band.at(name) + size * (group - len(groups) / 2)
            start, end = sorted((along.at(base), along.at(base + length)))
            if words:
                parts.append(_write_end(trace, words, start, end, beside + size / 2))
            if length:
                fill = fill_of(trace, colour, key)
                parts.append(_bar(trace, (start, end), (beside, beside + size), fill))
    return parts


def _bar(trace: Any, along: tuple[float, float], across: tuple[float, float], fill: Mapping[str, str]) -> str:
    """The rectangle between these pixels, along the axis of numbers and across it."""
    x, y = (along, across) if trace.orientation == "h" else (across, along)
    return element("rect", x=x[0], y=y[0], width=x[1] - x[0], height=y[1] - y[0], **fill)


def _write_end(trace: Any, words: str, start: float, end: float, middle: float) -> str:
    """The words at the end of a bar: on a lying one if they fit and may be there, beside it, above an upright one."""
    may_be_on = not isinstance(trace.textposition, str) and end > start
    if may_be_on and width_of(words) + 2 * WORDS_GAP_PX <= end - start:
        return write_beside([words], end - WORDS_GAP_PX, middle, trace.insidetextfont.color, "end")
    if trace.orientation == "h":
        return write_beside([words], end + WORDS_GAP_PX, middle, trace.textfont.color)
    return write([words], middle, start - WORDS_GAP_PX, trace.textfont.color, "middle")


def _colours_of(trace: Any) -> Sequence[str]:
    colour = trace.marker.color
    return (colour,) * len(trace.x) if isinstance(colour, str) else colour


def _draw_scatter(trace: Any, x: _Scale, y: _Scale, ink: str) -> list[str]:
    """A line, error bars, points and their texts, in this order."""
    points = [(x.at(a), y.at(b)) for a, b in zip(trace.x, trace.y, strict=True)]
    parts = list[str]()
    if "lines" in trace.mode:
        route = " ".join(px(*point) for point in points)
        parts.append(element("polyline", points=route, fill="none", **stroke(trace.line)))
    parts += _draw_errors(trace, x, y)
    if "markers" in trace.mode:
        parts += [mark(trace, across, down) for across, down in points]
    if "text" in trace.mode:
        for (across, down), words in zip(points, trace.text, strict=True):
            parts.append(write_beside([words], across + GAP_PX, down, trace.textfont.color or ink))
    return parts


def _draw_errors(trace: Any, x: _Scale, y: _Scale) -> list[str]:
    parts = list[str]()
    for side, axis in (("x", x), ("y", y)):
        bars = trace[f"error_{side}"]
        if bars.array is None:
            continue
        for a, b, less, more in zip(trace.x, trace.y, *_errors(trace, side), strict=True):
            low, high = (axis.at((a if side == "x" else b) + far) for far in (-less, more))
            ends = (low, y.at(b), high, y.at(b)) if side == "x" else (x.at(a), low, x.at(a), high)
            parts.append(rule(*ends, bars.color, bars.thickness or 2))
    return parts


SWATCH_PX = 14
ROW_PX = LINE_PX + 5
_SPACE_PX = 18
DASHES = {"dash": "7 4", "dot": "2 3", "dashdot": "7 3 2 3", "longdash": "12 4"}
_SHAPES = {
    "square": "M-1,-1H1V1H-1Z",
    "diamond": "M0,-1.3L1.3,0L0,1.3L-1.3,0Z",
    "triangle-up": "M0,-1.2L1.2,1H-1.2Z",
    "triangle-down": "M0,1.2L1.2,-1H-1.2Z",
    "x": "M-1,-.6L-.6,-1L0,-.4L.6,-1L1,-.6L.4,0L1,.6L.6,1L0,.4L-.6,1L-1,.6L-.4,0Z",
    "cross": "M-.4,-1.2H.4V-.4H1.2V.4H.4V1.2H-.4V.4H-1.2V-.4H-.4Z",
    "star": "M0,-1.4L.4,-.45L1.35,-.45L.6,.15L.9,1.1L0,.55L-.9,1.1L-.6,.15L-1.35,-.45L-.4,-.45Z",
}
"""Outlines of markers around 0; their radius is about 1. Any other marker is a circle."""
_TILES = {
    "/": "M-1,1L1,-1M0,6L6,0M5,7L7,5",
    "\\": "M-1,5L1,7M0,0L6,6M5,-1L7,1",
    "x": "M0,0L6,6M6,0L0,6",
    ".": "M3,2V4",
    "-": "M0,3H6",
}
"""Lines of the patterns of bars, on tiles of 6 x 6 pixels."""


def legend(figure: Any, width_px: float, key: str) -> tuple[float, list[str]]:
    """Height in pixels and elements of the legend, with the patterns of the bars; no legend for one trace."""
    ink = figure.layout.font.color
    named = [trace for trace in figure.data if trace.type in ("bar", "scatter") and trace.showlegend is not False]
    parts = _patterns(figure, key)
    if len(named) < 2:
        return 0.0, parts
    across, down = 0.0, ROW_PX / 2
    for trace in named:
        words = " ".join(lines_of(trace.name))
        length = SWATCH_PX + 6 + width_of(words) + _SPACE_PX
        if across and across + length > width_px:
            across, down = 0.0, down + ROW_PX
        parts += [_swatch(trace, across, down, key), write([words], across + SWATCH_PX + 6, down + 4.5, ink)]
        across += length
    return down + ROW_PX / 2, parts


def _swatch(trace: Any, x: float, middle: float, key: str) -> str:
    if trace.type == "bar":
        fill = fill_of(trace, trace.marker.color, key)
        return element("rect", x=x, y=middle - 6, width=SWATCH_PX, height=12.0, **fill)
    line = element("line", x1=x, y1=middle, x2=x + SWATCH_PX, y2=middle, **stroke(trace.line))
    return line + (mark(trace, x + SWATCH_PX / 2, middle) if "markers" in trace.mode else "")


def fill_of(trace: Any, colour: str, key: str) -> dict[str, str]:
    """The pattern of a trace of bars as an attribute, or this colour if it has none."""
    return {"fill": f"url(#{_pattern_id(key, trace)})"} if trace.marker.pattern.shape else paint(colour)


def _pattern_id(key: str, trace: Any) -> str:
    """The id of the pattern of a trace of bars, unique in a page in which the charts have different keys."""
    shapes = {"/": "lines", "\\": "slopes", "x": "crosses", ".": "dots", "-": "bars"}
    return f"{key}-{shapes[trace.marker.pattern.shape]}"


def _patterns(figure: Any, key: str) -> list[str]:
    """Definitions of the patterns of bars, also of bars that the legend leaves out."""
    bars = (trace for trace in figure.data if trace.type == "bar")
    return [_pattern(key, trace) for trace in bars if trace.marker.pattern.shape]


def _pattern(key: str, trace: Any) -> str:
    tile = element("rect", width=6, height=6, **paint(trace.marker.color))
    lines = element("path", d=_TILES[trace.marker.pattern.shape], **paint(trace.marker.pattern.fgcolor, "stroke"))
    drawn = element(
        "pattern", tile, lines, id=_pattern_id(key, trace), width=6, height=6, patternUnits="userSpaceOnUse"
    )
    return element("defs", drawn)


def stroke(line: Any) -> dict[str, str | float | None]:
    """Colour, width and dashes of a line as attributes."""
    return {**paint(line.color, "stroke"), "stroke_width": line.width or 2, "stroke_dasharray": DASHES.get(line.dash)}


def mark(trace: Any, x: float, y: float) -> str:
    """The marker of one point."""
    radius = (trace.marker.size or 8) / 2
    colour = paint(trace.marker.color or trace.line.color)
    shape = _SHAPES.get(trace.marker.symbol)
    if shape is None:
        return element("circle", cx=x, cy=y, r=radius, **colour)
    return element("path", d=shape, transform=f"translate({px(x, y)}) scale({px(radius)})", **colour)
