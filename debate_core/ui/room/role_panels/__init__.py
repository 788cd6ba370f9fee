"""The desks of a room: the actions of each person by role and stage, one module per desk.

Knows no rules: the core refuses what is not allowed, and `session.may` only decides what is worth drawing.
"""

import streamlit as st

from debate_core.record.state import State
from debate_core.ui.kit import accounts
from debate_core.ui.kit.places import in_places
from debate_core.ui.kit.session import Me
from debate_core.ui.results import sign_off
from debate_core.ui.room import voter_shell
from debate_core.ui.room.role_panels import lobby
from debate_core.ui.room.role_panels.ballot import draw_ballot
from debate_core.ui.room.role_panels.debater import draw_debater_desk, offer_empty_seats
from debate_core.ui.room.role_panels.documents import draw_documents
from debate_core.ui.room.role_panels.facilitator import draw_facilitator_desk, draw_facilitator_tools
from debate_core.ui.room.role_panels.flags import draw_flags
from debate_core.ui.room.role_panels.floor import draw_floor
from debate_core.ui.room.role_panels.judge.beliefs import draw_judges
from debate_core.ui.room.role_panels.judge.desk import draw_judge_desk
from debate_core.ui.room.role_panels.marking import draw_marking
from debate_core.ui.room.role_panels.people import draw_people
from debate_core.ui.room.role_panels.preparation import draw_preparation
from debate_core.ui.room.role_panels.private_sources import draw_private_sources
from debate_core.ui.room.role_panels.synthesis import draw_synthesis_desk

_DESKS_OF_SEATS = (draw_debater_desk, draw_private_sources, draw_documents)


def join_card(state: State, me: Me) -> None:
    """Draw the way in for a stranger, at the top where nothing moves it: a moved field loses its text."""
    if state.spec.has_people and me.person is None:
        lobby.draw_stranger(state)


def leading_desk(state: State, me: Me) -> None:
    """Draw the desk of the facilitator or moderator above their other desks, because the room waits for its one button.

    Their own turn is drawn above the right column, in the full width of the page; on a phone it follows.
    """
    draw_facilitator_desk(state, me)


def leading_tools(state: State, me: Me) -> None:
    """Draw what those who lead seldom need, below the people."""
    draw_facilitator_tools(state, me)


def own_desks(state: State, me: Me) -> None:
    """Draw the desks of this person's role; without people in the debate, the seats that wait for a person."""
    if not state.spec.has_people:
        in_places((offer_empty_seats, draw_private_sources, draw_documents), state, me)
        return
    account = accounts.at_page(state, me.answers_for)
    signs_next = sign_off.is_next(account, me)
    # On a phone the signature or the ballot comes first, because people came for it.
    with st.container():
        if signs_next:
            sign_off.show(account, me)
    in_places((draw_ballot, draw_marking, draw_preparation, lobby.draw_lobby), state, me)
    in_places((draw_private_sources,) if voter_shell.has_no_desk(state, me) else _DESKS_OF_SEATS, state, me)
    with st.container():
        if not signs_next:
            sign_off.show(account, me)


def writing_desks(state: State, me: Me) -> None:
    """Draw the desks for reading and writing, in the full width of the page."""
    if state.spec.has_people:
        in_places((draw_judge_desk, draw_synthesis_desk), state, me)


SIDE_PANELS = (draw_people, draw_floor, draw_judges, draw_flags)
"""The panels beside the transcript for everyone in a room."""
