"""The desks of a room: the actions of each person by role and stage, one module per desk.

Knows no rules: the core refuses what is not allowed, and `session.may` only decides what is worth drawing.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from debate_core.engine import stage
from debate_core.record.state import State
from debate_core.report.facts.vote_bars import deciding_bars
from debate_core.report.phrases.decision_status import decision_status
from debate_core.spec.people import LEADS
from debate_core.ui.kit import accounts
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.places import in_places
from debate_core.ui.kit.session import Me
from debate_core.ui.results import overview, sign_off
from debate_core.ui.room import voter_shell
from debate_core.ui.room.role_panels import lobby
from debate_core.ui.room.role_panels.ballot import (
    draw_ballot,
    draw_revealed,
    draw_votes_before,
    shows_decision,
)
from debate_core.ui.room.role_panels.debater import draw_debater_desk, offer_empty_seats
from debate_core.ui.room.role_panels.documents import draw_documents
from debate_core.ui.room.role_panels.facilitator import draw_facilitator_desk, draw_facilitator_tools
from debate_core.ui.room.role_panels.flags import draw_flags
from debate_core.ui.room.role_panels.floor import draw_floor, draw_questions
from debate_core.ui.room.role_panels.judge.beliefs import draw_judges
from debate_core.ui.room.role_panels.judge.desk import draw_judge_desk, is_beside
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


def wide_desks(state: State, me: Me, draw_people: Callable[[], None]) -> None:
    """Draw for those who lead the way in while people gather, and the decision after the end.

    `draw_people` draws the people of the lobby.
    """
    with st.container():
        lobby.draw_way_in(state, me, draw_people)
    if leads_to_decision(state, me):
        in_places((draw_revealed, _draw_decision), state, me)


def draw_decision_of_seats(state: State, me: Me) -> None:
    """Draw the decision of seats without a room, as a room reads its own; the status above has its words."""
    account = accounts.at_page(state, me.answers_for)
    parts.draw_hero(
        replace(decision_status(account), status=""),
        deciding_bars(account),
        [*overview.list_facts(account)],
        overview.list_others(account),
        when="",
        key="decision-hero",
    )


def leads_to_decision(state: State, me: Me) -> bool:
    """True for those who lead once the decision is counted: it takes the place of the debate."""
    return me.role in LEADS and state.outcome is not None and not stage.final_decision(state).pending


def _has_decision(state: State, me: Me) -> bool:
    """True once there is something to sign or to dissent from; an approver always reads what they will sign."""
    return me.role == "approver" or (state.outcome is not None and not stage.final_decision(state).pending)


def _draw_decision(state: State, me: Me) -> None:
    sign_off.show(accounts.at_page(state, me.answers_for), me, is_told=shows_decision(state, me))


def _draw_result(state: State, me: Me) -> None:
    if not leads_to_decision(state, me):
        draw_revealed(state, me)


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
    has_decision = _has_decision(state, me) and not leads_to_decision(state, me)
    with st.container():
        if signs_next and has_decision:
            sign_off.show(account, me)
    in_places((draw_ballot, draw_marking, draw_preparation, _draw_result, lobby.draw_lobby), state, me)
    in_places((draw_private_sources,) if voter_shell.has_no_desk(state, me) else _DESKS_OF_SEATS, state, me)
    with st.container():
        if has_decision and not signs_next:
            sign_off.show(account, me, is_told=shows_decision(state, me))


def writing_desks(state: State, me: Me, *, narrow: bool) -> None:
    """Draw the desks for reading and writing, in the full width of the page."""
    if state.spec.has_people:
        in_places((partial(_draw_judging, is_above=True, narrow=narrow), draw_synthesis_desk), state, me)


def _draw_judging(state: State, me: Me, *, is_above: bool, narrow: bool) -> None:
    """Draw the desk of a judge, if this is its place: above the transcript, or beside it."""
    if is_above == (narrow or not is_beside(state, me)):
        draw_judge_desk(state, me, narrow=narrow)


def always_beside(state: State, me: Me, *, narrow: bool) -> None:
    """Draw the panels beside the transcript that everyone in a room has at all times.

    Voters with a phone ask above the transcript: below it the field is out of sight.
    """
    asks_above = narrow and voter_shell.has_no_desk(state, me)
    judging = partial(_draw_judging, is_above=False, narrow=narrow)
    in_places((judging, draw_votes_before, draw_questions if asks_above else draw_floor, draw_people), state, me)


SIDE_PANELS = (draw_judges, draw_flags)
"""The panels beside the transcript that come and go."""
