"""Charts of a debate, cached for each account and theme."""

from collections.abc import Callable
from threading import Lock
from typing import Literal

import plotly.graph_objects as go
import streamlit as st

from debate_core.report.facts.account import Account

_drawing = Lock()


def figure(draw: Callable[[Account, str], go.Figure], account: Account, theme: str) -> go.Figure:
    """Return the cached figure, or draw it: that costs more than the rest of the page."""
    # The lock lets a hundred simultaneous viewers wait for one drawing.
    with _drawing:
        return account.once(draw, theme)


def theme() -> Literal["light", "dark"]:
    """Return the theme of this browser."""
    return "dark" if st.context.theme.type == "dark" else "light"
