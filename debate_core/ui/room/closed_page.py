"""Keeps a page about a debate closed while it would show what the room still hides from this person. Knows no page."""

from collections.abc import Callable

import streamlit as st

from debate_core.engine import stage
from debate_core.language import _, message
from debate_core.record.state import State
from debate_core.ui.kit import session
from debate_core.ui.kit.click_guard import pressed
from debate_core.ui.kit.session import Me
from debate_core.ui.room.live.transcript import may_see_count
from debate_core.ui.room.live.visibility import names_for

OTHERS_JUDGE = message(
    "People are still judging this debate, and this browser has no part in it. "
    "This page opens when the final probabilities are in."
)


def keep_closed(state: State, *, before: Callable[[], None] = lambda: None) -> None:
    """Stop the page for judges who still read blind, for a seat with a hidden open turn, and for an audience with
    aliases; `before` draws above the reason."""
    me = session.me(state)
    closed = _why_closed(state, me)
    if closed is None:
        return
    sentence, way_back = closed
    before()
    st.info(sentence)
    if pressed(way_back, key="way-back", type="primary"):
        session.open_page("room.py", state.debate)
    st.stop()


def keep_for_the_wall(state: State) -> None:
    """Stop the projector page for possible judges: from the first turn it shows more than they may see."""
    has_begun = stage.stage(state) not in ("lobby", "prevote")
    if not has_begun or session.may_see_result(state, session.me(state)):
        return
    if session.host().is_wall(state.debate, st.context.cookies):
        return
    st.info(
        _("People are still judging this debate. Use the projector link on the facilitator's desk to open this page.")
    )
    st.stop()


def _why_closed(state: State, me: Me) -> tuple[str, str] | None:
    """The reason and the label of the way back; None if the page is open."""
    if not session.may_see_result(state, me):
        if me.person is None:
            return _(OTHERS_JUDGE), _("Go to the room")
        words = _("You judge this debate: this page opens when your final probabilities are in.")
        return words, _("Go to the judge's desk")
    if not may_see_count(state, me.answers_for):
        words = _("Your seat does not see what others said before its turn. This page opens once you have answered.")
        return words, _("Go to your turn")
    if state.outcome is None and names_for(state, me.person):
        return _("The audience learns the speakers after the debate. This page opens then."), _("Go to the room")
    return None
