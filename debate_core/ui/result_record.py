"""The decision record to take along: which form, with or without names, a preview, and what it leaves out.

Knows no form: shows what `report.adr` writes. Called by the results page.
"""

import streamlit as st

from debate_core.record.state import State
from debate_core.report.files.adr import PROFILES, Adr, Profile, decision_record
from debate_core.ui import session
from debate_core.ui.parts import by_version, show_line
from debate_core.ui.result_parts import hides_something, sealed_here

# The name of the file is one long word to a phone.
_WRAPPED = "<style>.st-key-adr-take button p { white-space: normal; overflow-wrap: anywhere }</style>"


def decision_file(state: State) -> None:
    """Nothing while the debate goes on or something is sealed: the files say so."""
    if state.outcome is None or sealed_here(state) or hides_something(state):
        return
    st.subheader("Decision record", anchor=False)
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    profile: Profile = left.selectbox("Form", tuple(PROFILES), format_func=_title, key="adr_profile")
    anonymous = right.toggle("Roles instead of names", key="adr_anonymous", help="Of people and of seats.")
    number = int(left.number_input("Number in your folder", 1, 9_999, key="adr_number"))
    made = _made(state, profile, number, anonymous=bool(anonymous))
    taking = right.container(key="adr-take")
    taking.html(_WRAPPED)
    taking.download_button(
        f"Take {made.name}",
        made.text.encode(),
        made.name,
        "text/markdown",
        type="primary",
        icon=":material/download:",
        on_click="ignore",
    )
    with st.container(height=420, key="adr-preview"):
        st.code(made.text, language="markdown", wrap_lines=True)
    st.caption(f"Not in this file, but in the record: {show_line('; '.join(made.left_out))}.")
    st.caption(f"Checksum of the record: `{state.head}`, {state.version} events.")


@st.cache_resource(max_entries=32, show_spinner=False, hash_funcs={State: by_version})
def _made(state: State, profile: Profile, number: int, *, anonymous: bool) -> Adr:
    """Once per version: it reads the whole record."""
    events = session.host().events(state.debate)
    return decision_record(state, events, profile=profile, anonymous=anonymous, number=number)


def _title(profile: Profile) -> str:
    return PROFILES[profile]
