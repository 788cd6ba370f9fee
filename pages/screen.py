"""The projector: large type, no controls, no individual votes; follows the debate automatically."""

import streamlit as st

from debate_core.ui.kit import session
from debate_core.ui.pages import projector
from debate_core.ui.room import closed_page


@st.fragment(run_every=1.0, key="screen")
def screen(debate_id: str) -> None:
    """Draw the whole screen, every second: clocks run, people join."""
    state = session.look_at(debate_id, on_wall=True)
    closed_page.keep_for_the_wall(state)
    projector.show(state)


screen(session.debate(on_wall=True).debate)
