"""The bell of a person who asks the facilitator for help, live and in no record, until it is answered."""

from functools import partial

import streamlit as st

from debate_core.language import message
from debate_core.record.state import State
from debate_core.spec.people import LEADS
from debate_core.ui.kit import session
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.session import Me

UNSAVED = message("The server cannot save at the moment: speak to the facilitator, or try again in a minute.")
WIDTH_PX = 88


def draw(state: State, me: Me) -> None:
    """Draw the bell for everyone in the room who does not lead."""
    if me.person is None or me.role in LEADS:
        return
    attendances = session.host().attendances

    def press(wanted: str) -> None:
        change = attendances.call if wanted == "call" else attendances.answer
        session.keep(state.debate, me, partial(change, state.debate, me.actor), unsaved=UNSAVED)

    calling = me.actor in attendances.of(state.debate).calls
    # The drawing takes the width of its container, which therefore cannot follow its content.
    with st.container(key="bell", width=WIDTH_PX):
        parts.draw({"part": "bell", "debate": state.debate, "calling": calling}, key="bell-part", on={"wants": press})


def answer(state: State, me: Me, person: str) -> None:
    """Forget a call for help, as someone who leads."""
    if me.role in LEADS:
        forget = partial(session.host().attendances.answer, state.debate, person)
        session.keep(state.debate, me, forget, unsaved=UNSAVED)
