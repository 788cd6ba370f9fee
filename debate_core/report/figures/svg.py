"""Charts as SVG, for files and other programs: the figures of screens, drawn without a browser.

The colours are those of the light theme, as attributes; a page may map them to its dark theme.
"""

from typing import TYPE_CHECKING

from debate_core.language import _
from debate_core.report.facts.account import Account
from debate_core.report.figures.chart import Chart
from debate_core.report.figures.elements import FONT_PX, element, px, text_of
from debate_core.report.figures.plane import WIDTH_PX, draw_plane
from debate_core.report.figures.tiles import draw_flows, draw_heatmap

if TYPE_CHECKING:
    from plotly import graph_objects as go

GROUND = "#ffffff"
_FONTS = "Source Sans Pro, Helvetica, Arial, sans-serif"


def chart_svg(account: Account, chart: Chart) -> str:
    """A chart of a debate as an SVG element without a background, for a page of one colour."""
    drawn = account.once(chart.draw, "light")
    return svg_of(drawn, key=chart.key, title=_(chart.title), words=chart.alt(account))


def svg_file(svg: str) -> str:
    """A complete file with a white background."""
    head, end, rest = svg.partition(">")
    ground = element("rect", width="100%", height="100%", fill=GROUND)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}{end}{ground}{rest}\n'


def svg_of(figure: "go.Figure", *, key: str, title: str, words: str) -> str:
    """A figure of this package as an SVG element; `key` begins its ids, `words` are its text alternative."""
    match figure.data[0].type:
        case "heatmap":
            height, drawn = draw_heatmap(figure)
        case "sankey":
            height, drawn = draw_flows(figure)
        case _:
            height, drawn = draw_plane(figure, key)
    names = {"title": f"{key}-title", "desc": f"{key}-words"}
    texts = (element("title", text_of(title), id=names["title"]), element("desc", text_of(words), id=names["desc"]))
    return element(
        "svg",
        *texts,
        drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH_PX} {px(height)}",
        width=WIDTH_PX,
        height=height,
        role="img",
        **{"aria-labelledby": " ".join(names.values())},
        font_family=_FONTS,
        font_size=FONT_PX,
    )
