"""Says that no process asks the seats, where a web process waits for a worker that is not there. Knows no rules."""

import streamlit as st

from debate_core.engine.engine import requests
from debate_core.language import _
from debate_core.record.state import State
from debate_core.ui.kit import session

LOOK_S = 5.0


def show(state: State) -> None:
    """One warning while a seat of no person is waited for and nobody asks it."""
    if sentence := _silence(state):
        st.warning(sentence, icon=":material/cloud_off:")


@st.fragment(run_every=LOOK_S)
def look_again(debate_id: str) -> None:
    """Draws the page anew when workers have come or gone: they leave no event. For a page itself, in no fragment."""
    state = session.host().state(debate_id)
    key = f"silence {debate_id}"
    sentence = _silence(state)
    if st.session_state.setdefault(key, sentence) != sentence:
        st.session_state[key] = sentence
        st.rerun()


def _silence(state: State) -> str:
    """Why nothing moves; empty where something does, or where only people are waited for."""
    missing = session.host().health.missing_workers()
    if missing is None or state.outcome or state.paused:
        return ""
    if all(state.spec.seat(request.seat).occupant == "human" for request in requests(state)):
        return ""
    if missing.last_sign is None:
        return _("No worker is running: seats are not asked. Whoever runs this server can start one.")
    return _(
        "No worker is running: seats have not been asked since {time} UTC. Whoever runs this server can start one.",
        time=missing.last_sign.strftime("%Y-%m-%d %H:%M"),
    )
