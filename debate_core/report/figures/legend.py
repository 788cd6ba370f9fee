"""The legend of a figure as SVG, and the marks, lines and patterns that distinguish traces without colour."""

from typing import Any

from debate_core.report.figures.elements import LINE_PX, element, lines_of, paint, px, width_of, write

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
