"""The desk of a person who speaks for a seat: take it, also from a model or code, and hand it back, each with a reason.

The form of the room page takes the turn itself.
"""

from functools import partial

import streamlit as st

from debate_core.engine import stage
from debate_core.engine.engine import next_requests
from debate_core.engine.stage import by_people
from debate_core.language import _
from debate_core.record.acts import SeatReturned, SeatTaken
from debate_core.record.state import State
from debate_core.report.phrases.foreword import FILLED_BY
from debate_core.ui.kit import session
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_id
from debate_core.ui.room.buttons import Reasoned


def offer_empty_seats(state: State, me: Me) -> None:
    """Draw the seats that wait for a person and that I do not hold, with a button to take each."""
    if not session.may_take_part(state):
        return
    for seat in next_requests(state):
        if state.spec.seat(seat).occupant == "human" and seat not in me.seats:
            with st.container(border=True, horizontal=True, vertical_alignment="center"):
                st.write(_("A person is asked: **{seat}**", seat=safe_id(seat)))
                take = _("Take the seat {seat}", seat=safe_id(seat))
                st.button(take, key=f"take {seat}", on_click=session.take, args=(seat,))


def draw_debater_desk(state: State, me: Me) -> None:
    """Draw the seats that I was asked to speak for, and those that I have taken over."""
    if me.person is None or state.outcome is not None:
        return
    offered = [seat for seat in me.person.seats if not by_people(state, seat)]
    taken = _seats_taken_over(state, me)
    if offered or taken:
        session.show_problem()
    for seat in offered:
        name = safe_id(seat)
        with st.container(border=True, key=f"take-{seat}"):
            words = FILLED_BY[state.spec.seat(seat).occupant]
            st.markdown(_("You may speak for **{seat}**, which {words} fills now.", seat=name, words=words))
            why = Reasoned(state, me, f"take-{seat}", _("Reason for taking the seat {seat}", seat=name))
            why.field()
            take = partial(SeatTaken, seat=seat)
            why.act(_("Take the seat {seat}", seat=name), "take", take, icon=":material/event_seat:")
            st.caption(_("You then give its turns under your own name, and the debate waits for you."))
    for seat in taken:
        _draw_return(state, me, seat)


def _seats_taken_over(state: State, me: Me) -> list[str]:
    return [seat for seat, by in stage.sitting(state).items() if by == me.actor]


def _draw_return(state: State, me: Me, seat: str) -> None:
    name = safe_id(seat)
    with st.expander(_("You speak for {seat}", seat=name), icon=":material/event_seat:", key=f"hold-{seat}"):
        why = Reasoned(state, me, f"hold-{seat}", _("Reason for handing {seat} back", seat=name))
        why.field()
        hand_back = partial(SeatReturned, seat=seat)
        why.act(_("Hand {seat} back", seat=name), "return", hand_back, icon=":material/undo:")
        st.caption(_("It is filled again as agreed before the start."))
