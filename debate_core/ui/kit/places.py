"""Sections of a page that keep their place when the sections above them grow or shrink.

A browser identifies most elements by their position. An element that moves is replaced: an open section closes, and a
click on a button can miss it.
"""

from collections.abc import Callable, Sequence
from typing import TypeVarTuple

import streamlit as st

Shown = TypeVarTuple("Shown")


def in_places(sections: Sequence[Callable[[*Shown], None]], *shown: *Shown) -> None:
    """Draw sections in separate containers, one below the other; `shown` are the arguments of each."""
    for section in sections:
        with st.container():
            section(*shown)
