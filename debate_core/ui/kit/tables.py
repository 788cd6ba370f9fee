"""Tables on screens: headings are translated, texts by people are not."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from debate_core.text import without_direction


def draw_table(rows: Sequence[Mapping[str, object]], *, alt: str, **options: Any) -> None:
    """Draw a table without an index. `alt` describes it; `options` are arguments of `st.dataframe`."""
    st.dataframe([_safe_row(row) for row in rows], hide_index=True, alt=alt, **options)


def _safe_row(row: Mapping[str, object]) -> dict[str, object]:
    return {name: without_direction(value) if isinstance(value, str) else value for name, value in row.items()}
