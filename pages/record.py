"""Record: count the debate again on screen, read every event in words, take the file, check a file from elsewhere."""

import streamlit as st

from debate_core.ui import closed, record_parts, session
from debate_core.ui.parts import TITLE_CHARS, show_line

if session.debate_id() is None:
    st.title("Record", anchor=False)
    st.caption("Choose a debate on the home page to see its record, or check a file here.")
else:
    state = session.debate()
    st.title("Record", anchor=False)
    st.caption(show_line(state.spec.question, max_chars=TITLE_CHARS))
    # Also where the page stays closed: it is for those who are not in.
    record_parts.way_back(state)
    closed.keep_closed(state)
    record_parts.check(state)
    with st.container(horizontal=True):
        record_parts.download(state)
        record_parts.play_again(state)
    st.header("What happened", anchor=False)
    record_parts.event_list(state)

st.header("Check a file", anchor=False)
st.caption("Any exported record, from here or elsewhere: it is counted again and not stored.")
record_parts.check_file()
