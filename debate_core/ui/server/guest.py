"""The page for visitors without the rights of a host: the field for a code, and the debates already joined."""

from contextlib import suppress

import streamlit as st

from debate_core.errors import StoreError
from debate_core.host.access.cookies import debate_of
from debate_core.language import _
from debate_core.ui.kit import session
from debate_core.ui.kit.click_guard import pressed
from debate_core.ui.kit.text import TITLE_CHARS, safe_line
from debate_core.ui.room import join
from debate_core.ui.server import login


def show() -> None:
    """Draw the field for a code, the joined debates and the login."""
    st.title(_("Debate room"), anchor=False)
    st.markdown(_("Join a debate with the code on the screen in the room, or with the link that you were sent."))
    join.show("guest")
    for wanted in filter(None, map(debate_of, st.context.cookies)):
        _draw_way_back(wanted)
    st.divider()
    st.caption(_("To host debates here, enter the host code of this server or log in."))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.link_button(_("Host debates"), "/host", icon=":material/key:")
        login.show()


def _draw_way_back(wanted: str) -> None:
    """Draw a button to a joined debate; nothing if this person was removed."""
    with suppress(StoreError):
        wanted = session.host().stands_for(wanted)
        if session.host().viewer(wanted, st.context.cookies) is None:
            return
        question = safe_line(session.host().state(wanted).spec.question, max_chars=TITLE_CHARS)
        if pressed(question, key=f"own_{wanted}", icon=":material/forum:"):
            session.open_page("room.py", wanted)
