"""A person who speaks for a seat: take it, from a model or from code too, and hand it back, each with a reason.

The turn itself is given in the form of the room page.
"""

from functools import partial

import streamlit as st

from debate_core.engine import stage
from debate_core.engine.engine import next_requests
from debate_core.engine.stage import by_people
from debate_core.language import Words, _
from debate_core.record.acts import SeatReturned, SeatTaken
from debate_core.record.state import State
from debate_core.spec.values import Occupant
from debate_core.ui.kit import session
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_id
from debate_core.ui.room.reason_field import Reasoned

_FILLERS: Words[Occupant] = Words({"model": "a model", "offline": "code", "scripted": "a script", "human": "a person"})


def offer_empty_seats(state: State, me: Me) -> None:
    """A person is waited for and I do not hold the seat: say so, and let me take it."""
    if not session.may_take_part(state):
        return
    for seat in next_requests(state):
        if state.spec.seat(seat).occupant == "human" and seat not in me.seats:
            with st.container(border=True, horizontal=True, vertical_alignment="center"):
                st.write(_("A person is asked: **{seat}**", seat=safe_id(seat)))
                st.button(
                    _("Take the seat {seat}", seat=safe_id(seat)),
                    key=f"take {seat}",
                    on_click=session.take,
                    args=(seat,),
                )


def show(state: State, me: Me) -> None:
    """Seats that I was asked to speak for, and those that I took over."""
    if me.person is None or state.outcome is not None:
        return
    offered = [seat for seat in me.person.seats if not by_people(state, seat)]
    taken_over = _taken_over(state, me)
    if not offered and not taken_over:
        return
    session.show_problem()
    for seat in offered:
        _offer(state, me, seat)
    for seat in taken_over:
        _hand_back(state, me, seat)


def _taken_over(state: State, me: Me) -> list[str]:
    return [seat for seat, by in stage.sitting(state).items() if by == me.actor]


def _offer(state: State, me: Me, seat: str) -> None:
    with st.container(border=True, key=f"take-{seat}"):
        words = _FILLERS[state.spec.seat(seat).occupant]
        st.markdown(_("You may speak for **{seat}**, which {words} fills now.", seat=safe_id(seat), words=words))
        why = Reasoned(state, me, f"take-{seat}", _("Reason for taking the seat {seat}", seat=safe_id(seat)))
        why.field()
        why.act(
            _("Take the seat {seat}", seat=safe_id(seat)),
            "take",
            partial(SeatTaken, seat=seat),
            icon=":material/event_seat:",
        )
        st.caption(_("Its turns are then yours, under your own name. Nobody answers in its place."))


def _hand_back(state: State, me: Me, seat: str) -> None:
    with st.expander(_("You speak for {seat}", seat=safe_id(seat)), icon=":material/event_seat:", key=f"hold-{seat}"):
        why = Reasoned(state, me, f"hold-{seat}", _("Reason for handing {seat} back", seat=safe_id(seat)))
        why.field()
        why.act(
            _("Hand {seat} back", seat=safe_id(seat)),
            "return",
            partial(SeatReturned, seat=seat),
            icon=":material/undo:",
        )
        st.caption(_("It is filled again as agreed before the start."))
