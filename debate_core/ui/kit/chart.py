"""Figures of a debate that all who watch it share: drawn once per account and theme."""

from collections.abc import Callable
from threading import Lock
from typing import Literal

import plotly.graph_objects as go
import streamlit as st

from debate_core.report.facts.account import Account

_drawing = Lock()


def figure(draw: Callable[[Account, str], go.Figure], account: Account, theme: str) -> go.Figure:
    """A figure drawn once: drawing costs more than the rest of the page."""
    # One at a time: of a hundred who want the same one at once, all but the first find it drawn.
    with _drawing:
        return account.once(draw, theme)


def theme() -> Literal["light", "dark"]:
    """The theme this browser shows."""
    return "dark" if st.context.theme.type == "dark" else "light"
