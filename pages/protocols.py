"""Protocols: all of them by goal; one with its course, phases, parameters and calls; two side by side; files."""

import streamlit as st

from debate_core.language import _
from debate_core.ui.pages import protocols

known = protocols.known()
chosen = protocols.choose(known)
if chosen is None:
    st.caption(_("A protocol says who speaks when, and what decides unless you let people decide."))
    protocols.recommendation()
    protocols.overview(known)
elif other := protocols.choose_other(known, chosen):
    protocols.compare(chosen, other)
else:
    protocols.about(chosen)
    protocols.draw_buttons(chosen)
    protocols.course(chosen, key="course")
    protocols.diagram(chosen)
    with st.expander(_("The same as a table"), icon=":material/table:", key="protocols-as-table"):
        protocols.as_table(chosen)
    st.subheader(_("Calls"), anchor=False)
    protocols.calls(chosen)
    st.subheader(_("Parameters"), anchor=False)
    protocols.parameters(chosen)

with st.expander(_("A protocol of your own"), icon=":material/upload_file:", key="own-protocol"):
    protocols.bring()
