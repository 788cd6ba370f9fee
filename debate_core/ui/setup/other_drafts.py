"""The ways from one draft to another. Each loads the page: a browser keeps what stands in the fields of a page that is
only drawn anew, whatever draft it is drawn for.
"""

from html import escape
from urllib.parse import quote

import streamlit as st

from debate_core.language import _
from debate_core.ui.setup import draft_store


def back() -> None:
    """To what was being written when another draft was begun; nothing if nothing was."""
    if name := draft_store.before():
        _link(_("Back to the draft that you were writing"), f"setup?draft={quote(name)}")


def start_over() -> None:
    """To an empty one; the one at hand stays under its address."""
    _link(_("Start over with an empty draft"), "setup")


def _link(words: str, address: str) -> None:
    st.html(f'<a href="{escape(address)}" target="_self" style="color:inherit">{escape(words)}</a>')
