"""Places of a page that stay where they are, whatever the sections above them gain or lose.

A browser knows most elements by their number among their neighbours: one that moves down is a new one, and whoever
was pressing it, or had opened it, has to do so again.
"""

from collections.abc import Callable

import streamlit as st

from debate_core.record.state import State
from debate_core.ui.kit.session import Me


def in_places(state: State, me: Me, *sections: Callable[[State, Me], None]) -> None:
    """These sections one below the other, each in a place of its own."""
    for section in sections:
        with st.container():
            section(state, me)
