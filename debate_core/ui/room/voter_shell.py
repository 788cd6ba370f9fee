"""The room for people who only vote or watch: without menu and header, so that a phone begins with what is asked.

Knows no rules: the engine decides about permissions.
"""

from contextlib import suppress
from urllib.parse import urlsplit

import streamlit as st

from debate_core.errors import DebateError
from debate_core.language import _
from debate_core.record.state import State
from debate_core.ui.kit import session
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import question_title
from debate_core.ui.room import bell

_SHELL = """<style>
:root { --header: 0px; }
[data-testid="stHeader"] { display: none; }
[data-testid="stMainBlockContainer"] { padding-top: 0.75rem; position: relative; }
.st-key-voter-head { padding-right: 128px; min-height: 3rem; }
.st-key-voter-head h1 { font-size: 1.2rem; padding: 0; }
/* Seen beside the question, and reached by Tab after the ballot. */
.st-key-bell { position: absolute; top: 0.75rem; right: 1rem; width: 112px !important; }
@media (min-width: 768px) { .st-key-bell { right: 5rem; } }
</style>"""


def is_for(state: State, me: Me) -> bool:
    """True for voters and observers who hold no seat."""
    return state.spec.has_people and me.person is not None and me.role in ("voter", "observer") and not me.person.seats


def only_votes(state: State, me: Me) -> bool:
    """True for these people while they speak for no seat."""
    return is_for(state, me) and not me.answers_for


def has_no_desk(state: State, me: Me) -> bool:
    """True where the page leaves out the places of the desks: none of another role is theirs."""
    return only_votes(state, me)


def has_no_menu() -> bool:
    """True for the wall, and for a debate in the address in which this browser votes or watches."""
    if urlsplit(st.context.url or "").path.endswith("/screen"):
        return True
    wanted = st.query_params.get("id")
    if not wanted:
        return False
    with suppress(DebateError):
        person = session.host().viewer(wanted, st.context.cookies)
        return person is not None and person.role in ("voter", "observer")
    return False


def head(state: State) -> None:
    """Draw the question."""
    st.html(_SHELL)
    with st.container(key="voter-head"):
        question_title(state.spec.question)


def foot(state: State, me: Me) -> None:
    """Draw the bell, and the link to the other debates for a host who votes in this one."""
    bell.draw(state, me)
    if session.may_host():
        st.page_link("home.py", label=_("All debates"), icon=":material/inbox:")
