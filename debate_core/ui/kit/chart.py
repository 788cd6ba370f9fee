"""Charts of a debate, each with its table; figures are cached for each account and theme."""

from collections.abc import Callable
from threading import Lock
from typing import Literal

import plotly.graph_objects as go
import streamlit as st

from debate_core.language import _
from debate_core.report.facts.account import Account
from debate_core.report.figures.chart import Chart
from debate_core.ui.kit.tables import draw_table

NO_TOOLS = {"displayModeBar": False}
"""Options of plotly: charts without its tool bar."""
_drawing = Lock()


def draw_chart(account: Account, chart: Chart) -> None:
    """Draw a chart, and below it an expander with the table of its numbers."""
    drawn = figure(chart.draw, account, theme())
    st.plotly_chart(drawn, key=chart.key, config=NO_TOOLS, alt=chart.alt(account))
    with st.expander(_("The same as a table"), icon=":material/table:", key=f"{chart.key}-as-table"):
        draw_table(chart.table(account), key=f"{chart.key}-table", alt=_(chart.title))


def figure(draw: Callable[[Account, str], go.Figure], account: Account, theme: str) -> go.Figure:
    """Return the cached figure, or draw it: that costs more than the rest of the page."""
    # The lock lets a hundred simultaneous viewers wait for one drawing.
    with _drawing:
        return account.once(draw, theme)


def theme() -> Literal["light", "dark"]:
    """Return the theme of this browser."""
    return "dark" if st.context.theme.type == "dark" else "light"
