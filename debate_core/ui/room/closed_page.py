"""Who may not open a page about a debate yet: it would tell what the room still keeps from this person.

Knows no page.
"""

import streamlit as st

from debate_core.engine import stage
from debate_core.language import _, message
from debate_core.record.state import State
from debate_core.ui.kit import session
from debate_core.ui.kit.presses import pressed
from debate_core.ui.kit.session import Me
from debate_core.ui.room.live.transcript import may_see_count
from debate_core.ui.room.live.visibility import names_for

OTHERS_JUDGE = message(
    "People still judge this debate, and this browser was not let into it: this page opens to others "
    "when the final probabilities are in."
)


def keep_closed(state: State) -> None:
    """Stop the page for judges who still read blind, for whoever is asked and must not see the rest, and for an
    audience that reads aliases."""
    me = session.me(state)
    closed = _why_closed(state, me)
    if closed is None:
        return
    sentence, way_back = closed
    st.info(sentence)
    if pressed(way_back, key="way-back", type="primary"):
        session.open_page("room.py", state.debate)
    st.stop()


def keep_for_the_wall(state: State) -> None:
    """Stop the projector's page for who may have to judge: from the first turn it shows more than they may see."""
    has_begun = stage.stage(state) not in ("lobby", "prevote")
    if not has_begun or session.may_see_result(state, session.me(state)):
        return
    if session.host().is_wall(state.debate, st.context.cookies):
        return
    st.info(_("People still judge this debate: open this page by the link for the wall, at the desk of whoever leads."))
    st.stop()


def _why_closed(state: State, me: Me) -> tuple[str, str] | None:
    """Why it is closed and what the way back is called; None if it is open."""
    if not session.may_see_result(state, me):
        if me.person is None:
            return _(OTHERS_JUDGE), _("Go to the room")
        return _("You judge this debate: this page opens when your final probabilities are in."), _(
            "Go to the judge's desk"
        )
    if not may_see_count(state, me.answers_for):
        asked = _("You are asked for a turn, and your seat does not see what the others said before")
        return _("{asked}: this page opens once you have answered.", asked=asked), _("Go to your turn")
    if state.outcome is None and names_for(state, me.person):
        return (
            _("In this room the audience reads who spoke once the debate is over: this page opens then."),
            _("Go to the room"),
        )
    return None
