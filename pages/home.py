"""Debates: what waits for me, what goes on, what is over; for whoever has none yet, what this is and how to begin."""

import streamlit as st

from debate_core.ui.kit import session
from debate_core.ui.pages import home, practice
from debate_core.ui.server import login

with home.head():
    login.show()
rows = home.unspoiled(session.debates())
# In places of their own: what appears in one of them leaves what is open below as it is.
with st.container():
    home.setups()
with st.container():
    if rows:
        home.lists(rows)
    else:
        home.welcome()
home.examples_and_files()
practice.link()
