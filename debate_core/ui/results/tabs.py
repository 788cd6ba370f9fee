"""The tabs of the results: which one is open, and links from one to a claim or a turn in another."""

import streamlit as st

from debate_core.language import _
from debate_core.ui.kit import session

TAB = "tab"
"""Parameter of the address: the English name of the open tab."""
TURN = "turn"
"""Parameter of the address: the turn at which the transcript opens."""
_CLAIM = "evidence_at"
"""In the session state, with the id of the debate: id of the claim to open first."""
_ROW = "tab-row"
"""In the session state: the number of the current row of tabs."""


def tab_row() -> str:
    """The key in the session state for the open tab."""
    return f"{TAB}-{st.session_state.get(_ROW, 0)}"


def open_tab(name: str) -> None:
    """Open this tab of the results, in a new row of tabs.

    Streamlit ignores a change to the open tab before the browser has received the whole row.
    """
    st.session_state[_ROW] = st.session_state.get(_ROW, 0) + 1
    st.session_state[tab_row()] = name


def open_claim(claim_id: str) -> None:
    """Open the evidence at this claim."""
    st.session_state[_claim_key()] = claim_id
    open_tab(_("Evidence"))


def claim_to_open() -> str:
    """Id of the claim at which the evidence opens; empty for none."""
    return str(st.session_state.get(_claim_key(), ""))


def _claim_key() -> str:
    return f"{_CLAIM} {session.debate_id()}"


def open_turn(turn_id: str) -> None:
    """Open the transcript at this turn."""
    st.query_params[TURN] = turn_id
    open_tab(_("Transcript"))
