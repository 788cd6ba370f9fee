"""The projector: large type, no controls, nobody's vote; what is to be seen follows the debate by itself."""

import streamlit as st

from debate_core.ui.kit import session
from debate_core.ui.pages import projector
from debate_core.ui.room import closed_page


@st.fragment(run_every=1.0, key="screen")
def screen(debate_id: str) -> None:
    """The whole screen, drawn again every second: clocks run, people join."""
    state = session.look_at(debate_id, on_wall=True)
    closed_page.keep_for_the_wall(state)
    projector.show(state)


screen(session.debate(on_wall=True).debate)
