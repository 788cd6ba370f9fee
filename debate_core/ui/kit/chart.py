"""Figures and sentences of a debate that all who watch it share: made once per version, and per theme."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from typing import Literal

import plotly.graph_objects as go
import streamlit as st

from debate_core.record.state import State


def by_version(state: State) -> tuple[str, int]:
    """What tells two states apart for whatever is kept in memory."""
    return state.debate, state.version


@dataclass(frozen=True, slots=True)
class _Version:
    """A state as a key. The ballots are part of it: while seats answer at once they are shown as counted before."""

    debate: str
    version: int
    ballots: int
    state: State = field(compare=False)


def _key(state: State) -> _Version:
    return _Version(state.debate, state.version, id(state.ballots), state)


_drawing = Lock()


# Not Streamlit's own cache: finding a figure there costs as much as drawing the rest of the count.
@lru_cache(maxsize=64)
def _drawn(draw: Callable[[State, str], go.Figure], of: _Version, theme: str) -> go.Figure:
    return draw(of.state, theme)


@lru_cache(maxsize=256)
def _told(tell: Callable[[State], str], of: _Version) -> str:
    return tell(of.state)


def figure(draw: Callable[[State, str], go.Figure], state: State, theme: str) -> go.Figure:
    """A figure drawn once per version and theme: drawing costs more than the rest of the page."""
    # One at a time: of a hundred who want the same one at once, all but the first find it drawn.
    with _drawing:
        return _drawn(draw, _key(state), theme)


def told(tell: Callable[[State], str], state: State) -> str:
    """A sentence that is counted anew only for a new version: a hundred people look at the same one."""
    return _told(tell, _key(state))


def theme() -> Literal["light", "dark"]:
    """The theme this browser shows."""
    return "dark" if st.context.theme.type == "dark" else "light"
