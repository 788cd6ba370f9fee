"""Protocols: what there is and what each is for; one as a diagram, its bounds and calls; two side by side; files."""

import streamlit as st

from debate_core.ui.pages import protocols as parts

st.title("Protocols", anchor=False)
st.caption(
    "A protocol says who speaks when, who sees what, when the debate ends and what decides. Each one is data: take it "
    "as a file, change it, bring it back."
)

protocols = parts.known()
with st.expander(f"All {len(protocols)} protocols", icon=":material/list:", expanded=True):
    parts.overview(protocols)
chosen = parts.choose(protocols)
parts.about(chosen)
parts.ways_on(chosen)
parts.diagram(chosen)
with st.expander("The same as a table", icon=":material/table:"):
    parts.as_table(chosen)

st.subheader("Calls", anchor=False)
parts.calls(chosen)
st.subheader("Parameters", anchor=False)
parts.parameters(chosen)

st.header("Side by side", anchor=False)
parts.compare(protocols, chosen)

st.header("A protocol of your own", anchor=False)
parts.bring()
