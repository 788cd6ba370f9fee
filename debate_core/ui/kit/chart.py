"""Charts of a debate, each with its table and its files; figures are cached for each account and theme."""

from collections.abc import Callable
from threading import Lock
from typing import Literal

import plotly.graph_objects as go
import streamlit as st

from debate_core.language import _, current, later
from debate_core.report.facts.account import Account
from debate_core.report.figures.chart import Chart
from debate_core.report.figures.svg import svg_file, svg_of
from debate_core.ui.kit import session
from debate_core.ui.kit.tables import draw_table

_drawing = Lock()


def draw_chart(account: Account, chart: Chart) -> None:
    """Draw a chart, the download of its file, and an expander with the table of its numbers."""
    draw_figure(figure(chart.draw, account, theme()), key=chart.key, alt=chart.alt(account))
    if not account.secrets and not account.hides_turns:

        def make() -> str:
            drawn = figure(chart.draw, account, "light")
            return svg_of(drawn, key=chart.key, title=_(chart.title), words=chart.alt(account))

        offer_svg(session.while_let_in(account.state, later(current(), make)), key=chart.key, name=_(chart.title))
    with st.expander(_("The same as a table"), icon=":material/table:", key=f"{chart.key}-as-table"):
        draw_table(chart.table(account), key=f"{chart.key}-table", alt=_(chart.title))


def draw_figure(drawn: go.Figure, *, key: str, alt: str) -> None:
    """Draw a figure. Its only tool saves it as PNG, in the browser."""
    st.plotly_chart(drawn, key=key, config=_tools(key), alt=alt)


def _tools(key: str) -> dict[str, object]:
    """Options of plotly: a tool bar with the camera alone."""
    image = {"format": "png", "filename": f"chart-{key}", "scale": 2}
    return {"modeBarButtons": [["toImage"]], "toImageButtonOptions": image, "displaylogo": False}


def offer_svg(make: Callable[[], str], *, key: str, name: str) -> None:
    """Draw the download of a chart as an SVG file; `make` draws it on request, `name` is unique on the page."""
    st.download_button(
        _("{name} (SVG)", name=name),
        lambda: svg_file(make()),
        f"chart-{key}.svg",
        "image/svg+xml",
        key=f"{key}-svg",
        type="tertiary",
        icon=":material/download:",
        on_click="ignore",
    )


def figure(draw: Callable[[Account, str], go.Figure], account: Account, theme: str) -> go.Figure:
    """Return the cached figure, or draw it: that costs more than the rest of the page."""
    # The lock lets a hundred simultaneous viewers wait for one drawing.
    with _drawing:
        return account.once(draw, theme)


def theme() -> Literal["light", "dark"]:
    """Return the theme of this browser."""
    return "dark" if st.context.theme.type == "dark" else "light"
