"""Charts, each with its table and its files; figures of debates are cached for each account and theme."""

from collections.abc import Callable, Sequence
from functools import partial
from threading import Lock
from typing import Literal

import plotly.graph_objects as go
import streamlit as st

from debate_core.language import _, current, later
from debate_core.report.facts.account import Account
from debate_core.report.figures.chart import Chart, FigureRow
from debate_core.report.figures.png import has_fonts, png_file
from debate_core.report.figures.svg import svg_file, svg_of
from debate_core.report.files.csv import table_csv
from debate_core.report.files.export import file_bytes
from debate_core.ui.kit import session
from debate_core.ui.kit.tables import draw_table

_drawing = Lock()
Makes = Callable[[], str | bytes]


def draw_chart(account: Account, chart: Chart) -> None:
    """Draw a chart of a debate with its table, and its files unless something is sealed."""
    draw_figure(figure(chart.draw, account, theme()), key=chart.key, alt=chart.alt(account))
    draw_table_of(account, chart)


def draw_table_of(account: Account, chart: Chart) -> None:
    """Draw the table and the files of a chart, which the page itself may draw in another form."""
    _draw_twin(
        partial(figure, chart.draw, account),
        key=chart.key,
        title=_(chart.title),
        alt=chart.alt(account),
        rows=chart.table(account),
        guard=None if account.secrets or account.hides_turns else partial(session.while_let_in, account.state),
    )


def draw_with_table(
    draw: Callable[[str], go.Figure],
    *,
    key: str,
    title: str,
    alt: str,
    rows: Sequence[FigureRow],
    guard: Callable[[Makes], Makes] | None = lambda make: make,
) -> None:
    """Draw the figure of a theme, and an expander with its rows and its files.

    `title` is unique on the page. `guard` wraps what makes a file at download; without it there are no files.
    """
    draw_figure(draw(theme()), key=key, alt=alt)
    _draw_twin(draw, key=key, title=title, alt=alt, rows=rows, guard=guard)


def _draw_twin(
    draw: Callable[[str], go.Figure],
    *,
    key: str,
    title: str,
    alt: str,
    rows: Sequence[FigureRow],
    guard: Callable[[Makes], Makes] | None,
) -> None:
    label = _("The same as a table") if guard is None else _("Table and files")
    # Drawn only when open: a table costs as much as its chart.
    twin = st.expander(label, icon=":material/table:", key=f"{key}-as-table", type="compact", on_change="rerun")
    if not twin.open:
        return
    with twin:
        draw_table(rows, key=f"{key}-table", alt=title)
        if guard is not None:
            with st.container(horizontal=True):
                _draw_files(
                    lambda: svg_of(draw("light"), key=key, title=title, words=alt),
                    rows,
                    key=key,
                    title=title,
                    guard=guard,
                )


def _draw_files(
    svg: Callable[[], str], rows: Sequence[FigureRow], *, key: str, title: str, guard: Callable[[Makes], Makes]
) -> None:
    """Draw the downloads of a chart, each made on request."""
    files: dict[str, tuple[str, Makes]] = {"SVG": ("image/svg+xml", lambda: svg_file(svg()))}
    if has_fonts():
        files["PNG"] = ("image/png", lambda: png_file(svg_file(svg())))
    files["CSV"] = ("text/csv", lambda: file_bytes("table.csv", table_csv(rows)))
    for name, (mime, make) in files.items():
        st.download_button(
            f"{title} ({name})",
            guard(later(current(), make)),
            f"chart-{key}.{name.lower()}",
            mime,
            key=f"{key}-{name.lower()}",
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
        )


def draw_figure(drawn: go.Figure, *, key: str, alt: str) -> None:
    """Draw a figure without a tool bar, which would cover the figure on phones."""
    st.plotly_chart(drawn, key=key, config={"displayModeBar": False}, alt=alt)


def figure(draw: Callable[[Account, str], go.Figure], account: Account, theme: str) -> go.Figure:
    """Return the cached figure, or draw it: that costs more than the rest of the page."""
    # The lock lets a hundred simultaneous viewers wait for one drawing.
    with _drawing:
        return account.once(draw, theme)


def theme() -> Literal["light", "dark"]:
    """Return the theme of this browser."""
    return "dark" if st.context.theme.type == "dark" else "light"
