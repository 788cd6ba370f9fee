"""The frame around every screen: page settings, the menu, and the page that was asked for."""

import streamlit as st

from debate_core.ui.kit import session

st.set_page_config(page_title="Debate room", page_icon="⚖️", layout="wide")
session.require_launcher()
st.navigation(
    [
        st.Page("home.py", title="Home", icon=":material/home:", url_path="home", default=True),
        st.Page("setup.py", title="New debate", icon=":material/add_circle:", url_path="setup"),
        st.Page("protocols.py", title="Protocols", icon=":material/account_tree:", url_path="protocols"),
        st.Page("room.py", title="Room", icon=":material/forum:", url_path="room"),
        st.Page("screen.py", title="Projector", icon=":material/cast:", url_path="screen", visibility="hidden"),
        st.Page("results.py", title="Results", icon=":material/how_to_vote:", url_path="results"),
        st.Page("record.py", title="Record", icon=":material/receipt_long:", url_path="record"),
        st.Page("metrics.py", title="All debates", icon=":material/monitoring:", url_path="metrics"),
    ],
    position="top",
).run()
