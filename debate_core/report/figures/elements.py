"""SVG elements: attributes and texts escaped, colours as attributes. Knows no charts.

Writes no styles and no scripts, so that a strict Content-Security-Policy permits every element.
"""

import re
import textwrap
import unicodedata
from collections.abc import Sequence
from html import escape, unescape

from debate_core.text import line

CHAR_PX, WIDE_CHAR_PX = 7.0, 13.0
"""Mean width of a character at `FONT_PX`, and of one of East Asian scripts."""
FONT_PX, LINE_PX = 13, 17

_RGBA = re.compile(r"rgba\((\d+),(\d+),(\d+),([\d.]+)\)")
"""`rgba(35,96,197,0.35)`"""
_NO_XML = re.compile("[\ufffe\uffff]")


def element(name: str, *content: str, **attributes: str | float | None) -> str:
    """An element; `stroke_width=2` is the attribute `stroke-width`, None leaves an attribute out."""
    given = {key.replace("_", "-"): value for key, value in attributes.items() if value is not None}
    texts = {key: escape(value) if isinstance(value, str) else px(value) for key, value in given.items()}
    written = "".join(f' {key}="{text}"' for key, text in texts.items())
    return f"<{name}{written}>{''.join(content)}</{name}>" if content else f"<{name}{written}/>"


def px(*numbers: float) -> str:
    """Pixels as SVG writes them, to one decimal, with commas between them."""
    return ",".join(str(round(number, 1)).removesuffix(".0") for number in numbers)


def text_of(words: str) -> str:
    """Text on one line, escaped, without characters that XML forbids."""
    return escape(_NO_XML.sub("", line(words)))


def paint(colour: str, attribute: str = "fill") -> dict[str, str]:
    """A colour such as `#2360c5` or `rgba(35,96,197,0.35)` as attributes."""
    found = _RGBA.fullmatch(colour)
    if found is None:
        return {attribute: colour}
    red, green, blue = (int(part) for part in found.groups()[:3])
    return {attribute: f"#{red:02x}{green:02x}{blue:02x}", f"{attribute}_opacity": found[4]}


def lines_of(label: str) -> list[str]:
    """The lines of a label as plotly reads it: escaped, with `<br>` between them."""
    return [unescape(part) for part in label.split("<br>")]


def wrapped(label: str, width_px: float) -> list[str]:
    """The lines of a label within this width."""
    most = max(int(width_px / CHAR_PX), 3)
    return textwrap.wrap(" ".join(lines_of(label)), most) or [""]


def width_of(words: str) -> float:
    """Estimate of the width of a text in pixels."""
    return sum(WIDE_CHAR_PX if unicodedata.east_asian_width(sign) in "WF" else CHAR_PX for sign in words)


def widest(lines: Sequence[str]) -> float:
    """Width of the longest line in pixels; 0 without lines."""
    return max(map(width_of, lines), default=0.0)


def write(lines: Sequence[str], x: float, y: float, colour: str, anchor: str = "start") -> str:
    """Lines of text; `y` is the baseline of the first one."""
    if not any(lines):
        return ""
    spans = (element("tspan", text_of(words), x=x, dy=LINE_PX if n else 0.0) for n, words in enumerate(lines))
    return element("text", *spans, x=x, y=y, text_anchor=anchor, **paint(colour))


def write_beside(lines: Sequence[str], x: float, middle: float, colour: str, anchor: str = "start") -> str:
    """Lines of text around this height."""
    first = middle - LINE_PX * (len(lines) - 1) / 2 + FONT_PX * 0.35
    return write(lines, x, first, colour, anchor)


def rule(x1: float, y1: float, x2: float, y2: float, colour: str, width: float = 1.0) -> str:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke_width=width, **paint(colour, "stroke"))
