"""Record: verify the debate, read every event in words, download the record, verify a file."""

import streamlit as st

from debate_core.language import _
from debate_core.ui.kit import debate_header, session
from debate_core.ui.pages import record
from debate_core.ui.room import closed_page

if session.debate_id() is None:
    st.title(_("Record"), anchor=False)
    st.caption(_("Choose a debate on the home page to see its record, or check a file here."))
else:
    state = session.debate()
    debate_header.show(state, "record")
    closed_page.keep_closed(state, before=lambda: record.way_back(state))
    record.check(state)
    with st.container(horizontal=True):
        record.download(state)
        record.play_again(state)
    st.header(_("What happened"), anchor=False)
    record.event_list(state)
    record.way_back(state)

if session.may_host():
    st.header(_("Check a file"), anchor=False)
    st.caption(_("Any exported record, from here or elsewhere: it is counted again and not stored."))
    record.check_file()
