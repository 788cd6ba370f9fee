"""Tables on screens: headings are translated, texts by people are not."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from debate_core.text import without_direction
from debate_core.ui.kit.text import safe_line


def draw_table(rows: Sequence[Mapping[str, object]], *, alt: str, **options: Any) -> None:
    """Draw a table without an index. `alt` describes it; `options` are arguments of `st.dataframe`."""
    st.dataframe([_safe_row(row) for row in rows], hide_index=True, alt=alt, **options)


def draw_wrapping(
    rows: Sequence[Mapping[str, object]], *, alt: str, key: str, narrow: int = 1, is_short: bool = False
) -> None:
    """Draw a table whose cells wrap, so that none is cut and a phone shows all columns.

    For few rows, of safe Markdown. The first `narrow` columns are as wide as their texts where there is room, and
    everywhere if these are short, such as times.
    """
    cell = "[data-testid=stMarkdownContainer]"
    with st.container(key=key):
        st.html(
            f"""<style>
.st-key-{key} table {{ width: 100% }}
.st-key-{key} :is(td, th) {{ vertical-align: top }}
.st-key-{key} :is(td, th) {cell} {{ max-width: none }}
@media (min-width: {0 if is_short else 641}px) {{
  .st-key-{key} :is(td, th):nth-child(-n + {narrow}) {{ width: 1% }}
  .st-key-{key} :is(td, th):nth-child(-n + {narrow}) {cell} p {{ white-space: nowrap }}
}}
</style>"""
        )
        st.table([_safe_row(row) for row in rows], hide_index=True, border="horizontal", alt=alt)


def safe_rows(rows: Sequence[Mapping[str, object]]) -> list[dict[str, str]]:
    """The rows as safe Markdown, for a table whose cells wrap."""
    return [{safe_line(name): safe_line(str(value)) for name, value in row.items()} for row in rows]


def _safe_row(row: Mapping[str, object]) -> dict[str, object]:
    return {name: without_direction(value) if isinstance(value, str) else value for name, value in row.items()}
