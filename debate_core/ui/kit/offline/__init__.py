"""The bar that a page shows without a connection to its server, in the language of the reader.

It replaces Streamlit's dialog, which is English and knows no votes. The ballot marks in the page whether the vote was
received; the script reads this mark when the connection is lost.
"""

from datetime import datetime
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from debate_core.ui.kit import fetched

_HERE = Path(__file__).parent
_HTML = '<div class="offline" role="alert" popover="manual"></div>'


@cache
def _component() -> ComponentRenderer:
    return fetched.component("debate_offline", html=_HTML, scripts=[_HERE / "offline.js"], styles=[_HERE / "bar.css"])


def watch(*, is_read_only: bool) -> None:
    """Watch the connection of this page. The bar of a read-only page does not mention drafts."""
    _component()(key="offline", data={"isReadOnly": is_read_only})


def mark_ballot(cast_at: str) -> None:
    """Mark in the page when the reader's vote was cast; empty = not yet."""
    at = round(datetime.fromisoformat(cast_at).timestamp() * 1000) if cast_at else ""
    st.html(f'<i hidden data-vote="{at}"></i>')
