"""Debates: those that wait for this person, live ones and closed ones; on a first visit an introduction."""

import streamlit as st

from debate_core.ui.kit import session
from debate_core.ui.pages import decisions, home, messages, practice, setup_again, tokens
from debate_core.ui.server import login
from debate_core.ui.setup import agent_questions

search, buttons = home.head()
with buttons:
    login.show()
rows = home.unspoiled(session.debates())
# Containers keep the elements below in place when something appears above.
with st.container():
    agent_questions.draw_inbox()
with st.container():
    home.setups()
with st.container():
    if rows:
        home.lists(rows, search)
    else:
        home.welcome()
home.examples_and_files()
setup_again.draw()
with st.container(horizontal=True):
    decisions.link()
    practice.link()
    messages.link()
    tokens.link()
