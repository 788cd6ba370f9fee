"""Places of a page that stay where they are, whatever the sections above them gain or lose.

A browser knows most elements by their number among their neighbours: one that moves down is a new one, and whoever
was pressing it, or had opened it, has to do so again.
"""

from collections.abc import Callable, Sequence
from typing import TypeVarTuple

import streamlit as st

Shown = TypeVarTuple("Shown")


def in_places(sections: Sequence[Callable[[*Shown], None]], *shown: *Shown) -> None:
    """These sections one below the other, each in a place of its own; `shown` is what each of them is given."""
    for section in sections:
        with st.container():
            section(*shown)
