"""Protocols: the list; one as a diagram with its parameters and calls; two side by side; files."""

import streamlit as st

from debate_core.language import _
from debate_core.ui.pages import protocols

st.title(_("Protocols"), anchor=False)
st.caption(
    _(
        "A protocol defines who speaks when, who sees what, when the debate ends and what decides. You can "
        "download one as a file, edit it, and upload it again."
    )
)

known = protocols.known()
with st.expander(
    _("All {known} protocols", known=len(known)), icon=":material/list:", expanded=True, key="all-protocols"
):
    protocols.overview(known)
chosen = protocols.choose(known)
protocols.about(chosen)
protocols.draw_buttons(chosen)
protocols.diagram(chosen)
with st.expander(_("The same as a table"), icon=":material/table:", key="protocols-as-table"):
    protocols.as_table(chosen)

st.subheader(_("Calls"), anchor=False)
protocols.calls(chosen)
st.subheader(_("Parameters"), anchor=False)
protocols.parameters(chosen)

st.header(_("Side by side"), anchor=False)
protocols.compare(known, chosen)

st.header(_("A protocol of your own"), anchor=False)
protocols.bring()
