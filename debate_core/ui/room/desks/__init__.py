"""The desks of a room: the actions of each person by role and stage, one module per desk.

Knows no rules: the core refuses what is not allowed, and `session.may` only decides what is worth drawing.
"""

import streamlit as st

from debate_core.record.state import State
from debate_core.ui.kit import accounts
from debate_core.ui.kit.places import in_places
from debate_core.ui.kit.session import Me
from debate_core.ui.results import sign_off
from debate_core.ui.room.desks import (
    ballot,
    debater,
    documents,
    facilitator,
    flags,
    floor,
    lobby,
    marking,
    people,
    preparation,
    synthesis,
)
from debate_core.ui.room.desks.judge import beliefs, desk


def join_card(state: State, me: Me) -> None:
    """Draw the way in for a stranger, at the top where nothing moves it: a moved field loses its text."""
    if state.spec.has_people and me.person is None:
        lobby.stranger(state)


def leading_desk(state: State, me: Me) -> None:
    """Draw the desk of the facilitator or moderator above their other desks, because the room waits for its one button.

    Their own turn is drawn above the right column, in the full width of the page; on a phone it follows.
    """
    facilitator.show(state, me)


def own_desks(state: State, me: Me) -> None:
    """Draw the desks of this person's role; without people in the debate, the seats that wait for a person."""
    if not state.spec.has_people:
        in_places((debater.offer_empty_seats, documents.show), state, me)
        return
    account = accounts.of_reader(state, me.answers_for)
    signs_next = sign_off.is_next(account, me)
    # On a phone the signature or the ballot comes first, because people came for it.
    with st.container():
        if signs_next:
            sign_off.show(account, me)
    in_places((ballot.show, marking.show, preparation.show, lobby.show, debater.show, documents.show), state, me)
    with st.container():
        if not signs_next:
            sign_off.show(account, me)


def writing_desks(state: State, me: Me) -> None:
    """Draw the desks for reading and writing, in the full width of the page."""
    if state.spec.has_people:
        in_places((desk.show, synthesis.show), state, me)


def side_panel(state: State, me: Me) -> None:
    """Draw the panels beside the transcript for everyone in a room: people, floor, judges, flags."""
    if state.spec.has_people:
        in_places((people.show, floor.show, beliefs.show, flags.show), state, me)
