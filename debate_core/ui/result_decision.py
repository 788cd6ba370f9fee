"""The decision of record on the results page: the same desk as in the room. Called by the results page."""

import streamlit as st

from debate_core.state import State
from debate_core.ui import session
from debate_core.ui.desks import decision


def section(state: State) -> None:
    """Nothing while the debate goes on."""
    if state.outcome is None:
        return
    st.header("Decision and signature", anchor=False)
    if state.spec.rehearsal:
        st.caption("A rehearsal: a signature here is practice, and the decision record says so.")
    decision.show(state, session.me(state))
