"""Warns that no process asks the seats, where a web process waits for a missing worker. Knows no rules."""

import streamlit as st

from debate_core.engine.engine import requests
from debate_core.language import _
from debate_core.record.events import utc_text
from debate_core.record.state import State
from debate_core.ui.kit import session
from debate_core.ui.kit.dates import minute_words

LOOK_S = 5.0


def show(state: State) -> None:
    """Draw one warning while a seat without a person is waited for and no worker asks it."""
    if sentence := _warning(state):
        st.warning(sentence, icon=":material/cloud_off:")


@st.fragment(run_every=LOOK_S)
def look_again(debate_id: str) -> None:
    """Redraw the page when workers start or stop, which leaves no event. For a page itself, in no other fragment."""
    state = session.host().state(debate_id)
    key = f"silence {debate_id}"
    sentence = _warning(state)
    if st.session_state.setdefault(key, sentence) != sentence:
        st.session_state[key] = sentence
        st.rerun()


def _warning(state: State) -> str:
    """The reason for the silence; empty while a worker runs, or only people are waited for."""
    missing = session.host().health.missing_workers()
    if missing is None or state.outcome or state.paused:
        return ""
    if all(state.spec.seat(request.seat).occupant == "human" for request in requests(state)):
        return ""
    if missing.last_sign is None:
        return _("No worker is running, so no seat is asked. The operator of this server can start one.")
    return _(
        "No worker is running, so no seat has been asked since {time}. The operator of this server can start one.",
        time=minute_words(utc_text(missing.last_sign)),
    )
