"""Protocols: what there is and what each is for; one as a diagram, its bounds and calls; two side by side; files."""

import streamlit as st

from debate_core.ui.pages import protocols

st.title("Protocols", anchor=False)
st.caption(
    "A protocol says who speaks when, who sees what, when the debate ends and what decides. Each one is data: take it "
    "as a file, change it, bring it back."
)

known = protocols.known()
with st.expander(f"All {len(known)} protocols", icon=":material/list:", expanded=True):
    protocols.overview(known)
chosen = protocols.choose(known)
protocols.about(chosen)
protocols.ways_on(chosen)
protocols.diagram(chosen)
with st.expander("The same as a table", icon=":material/table:"):
    protocols.as_table(chosen)

st.subheader("Calls", anchor=False)
protocols.calls(chosen)
st.subheader("Parameters", anchor=False)
protocols.parameters(chosen)

st.header("Side by side", anchor=False)
protocols.compare(known, chosen)

st.header("A protocol of your own", anchor=False)
protocols.bring()
