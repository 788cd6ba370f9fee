"""Record: verify the debate, read every event in words, download the record, verify a file."""

import streamlit as st

from debate_core.language import _
from debate_core.ui.kit import debate_header, session
from debate_core.ui.pages import record
from debate_core.ui.room import closed_page

is_of_debate = session.debate_id() is not None
if not is_of_debate:
    st.title(_("Full record"), anchor=False)
    st.caption(_("Choose a debate on the home page to see its record, or check a file here."))
else:
    state = session.debate()
    debate_header.show(state, "record")
    closed_page.keep_closed(state, before=lambda: record.way_back(state))
    record.check(state)
    with st.container(horizontal=True, vertical_alignment="center"):
        record.download(state)
        record.play_again(state)
    record.event_list(state)
    record.proofs(state)

if session.may_host():
    record.check_file(folded=is_of_debate)
if is_of_debate:
    record.way_back(state)
