"""Tables on screens. Their headings are sentences like all others; what people wrote stays as it is."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from debate_core.text import without_direction


def draw_table(rows: Sequence[Mapping[str, object]], *, alt: str, **options: Any) -> None:
    """Draw a data frame without its index. `alt` says what it holds; `options` are those of `st.dataframe`."""
    cells = [{name: without_direction(v) if isinstance(v, str) else v for name, v in row.items()} for row in rows]
    st.dataframe(cells, hide_index=True, alt=alt, **options)
