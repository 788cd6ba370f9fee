"""Candidates that whoever leads types in the place of a seat that has proposed none."""

from functools import partial

import streamlit as st

from debate_core.engine.engine import requests
from debate_core.errors import BadReply
from debate_core.language import _
from debate_core.record.acts import SeatReturned, SeatTaken
from debate_core.record.commands import Resume, TakeTurn
from debate_core.record.state import Request, State
from debate_core.spec.contents import Candidates
from debate_core.spec.values import MAX_TEXT_CHARS
from debate_core.ui.kit import session
from debate_core.ui.turn.offices import typed_candidate

_TYPED = "typed_candidates"
TYPED = "typed by whoever leads"
"""Why the turn was given so, for the record."""


def show(state: State, me: session.Me) -> None:
    """The field and its button; what is typed is read when the button is pressed."""
    st.text_area(
        _("Candidates, one a line: name, or name: what it is"), key=_TYPED, max_chars=MAX_TEXT_CHARS, height=160
    )
    st.button(_("Compare these"), key="compare-typed", type="primary", on_click=_give, args=(state, me))


def _give(state: State, me: session.Me) -> None:
    lines = [line.strip() for line in str(st.session_state.get(_TYPED) or "").splitlines() if line.strip()]
    request = next((asked for asked in requests(state) if asked.gives == "candidates"), None)
    if request is None:
        return
    try:
        content = Candidates.model_validate({"reason": TYPED, "candidates": [typed_candidate(line) for line in lines]})
    except ValueError:
        session.set_problem(BadReply("each candidate needs a name: write one a line"))
        return
    if _given(state, me, request, content):
        session.send_on_click(state.debate, me, Resume)


def _given(state: State, me: session.Me, request: Request, content: Candidates) -> bool:
    """In a room whoever leads takes the seat for this one turn, on the record; the seat is asked again later."""
    turn = partial(TakeTurn, request=request.id, content=content)
    if not state.spec.has_people:
        return session.give(state.debate, me, turn)
    if not session.act(state, me, SeatTaken(seat=request.seat, reason=TYPED)):
        return False
    given = session.give(state.debate, me, turn)
    return session.act(state, me, SeatReturned(seat=request.seat)) and given
