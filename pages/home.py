"""Home: start a debate or a rehearsal, go on with one that runs, look at one that is over, re-open a record."""

import streamlit as st

from debate_core.ui.kit import session
from debate_core.ui.kit.text import safe_line
from debate_core.ui.pages import home
from debate_core.ui.room import join
from debate_core.ui.server import login

st.title("Debate room", anchor=False)
st.markdown(
    "Put an architecture question to a panel under fixed rules. Code counts the votes, people have the last word, "
    "and the record can be re-checked by anyone."
)
with st.container(horizontal=True, vertical_alignment="center"):
    if st.button("New debate", type="primary", icon=":material/add_circle:"):
        st.switch_page("setup.py")
    st.caption("or open a rehearsal below: no key, nothing to type")
    login.show()
join.show("home")

rows = home.unspoiled(session.debates())
wanted = ""
if len(rows) > 3:
    wanted = st.text_input("Search", key="home_search", placeholder="Words of a question", type="search") or ""
    rows = home.matching(rows, wanted)
    if not rows:
        st.caption(f"No question has {safe_line(wanted)} in it.")

going_on = [r for r in rows if r.status in home.GOING_ON]
if going_on:
    st.header("Going on", anchor=False)
    home.cards(going_on)
home.queue(rows)
home.due(rows)

st.header("Open a rehearsal", anchor=False)
st.caption("Scripted seats speak, so that you can see how a debate runs. Nothing here was decided by anybody.")
home.rehearsals()
home.setups()

if not rows and not wanted:
    st.header("Or begin with a question", anchor=False)
    home.examples()

over = [r for r in rows if r.status not in home.GOING_ON]
if over:
    st.header("Finished", anchor=False)
    home.finished(over)

with st.expander("Re-open a record or a script", icon=":material/upload_file:"):
    home.reopen()
