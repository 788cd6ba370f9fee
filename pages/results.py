"""Results: the decision as arithmetic first, then counts, evidence, synthesis, transcript, acts of people, files."""

import streamlit as st

from debate_core import charts
from debate_core.ui import result_parts, session
from debate_core.ui.parts import figure, theme

state = session.debate()
session.show_problem()
result_parts.heading(state)
result_parts.decision(state)

st.header("Votes", anchor=False)
result_parts.counts(state)
if state.counted:
    left, right = st.columns(2)
    with left:
        st.subheader("Final count against the bar", anchor=False)
        st.plotly_chart(figure(charts.tally_figure, state, theme()), key="tally", config={"displayModeBar": False})
    with right:
        st.subheader("Votes by round", anchor=False)
        st.plotly_chart(figure(charts.rounds_figure, state, theme()), key="rounds", config={"displayModeBar": False})
    with st.expander("The same as a table", icon=":material/table:"):
        result_parts.tally_table(state)
    st.subheader("Ballots that changed", anchor=False)
    result_parts.changes(state)

st.header("Evidence", anchor=False)
result_parts.evidence(state)

st.header("Synthesis", anchor=False)
result_parts.synthesis(state)

st.header("Transcript", anchor=False)
result_parts.transcript(state)

st.header("What people did", anchor=False)
result_parts.acts(state)

st.header("Take it with you", anchor=False)
result_parts.exports(state)
