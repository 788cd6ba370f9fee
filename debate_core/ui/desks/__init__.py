"""What each person in a room can do now, by role and stage: one module per desk. Called by the room page.

Knows no rules: the core refuses what is not allowed, and `session.may` says only what is worth drawing.
"""

from types import ModuleType

import streamlit as st

from debate_core.state import State
from debate_core.ui.desks import (
    ballot,
    beliefs,
    debater,
    decision,
    facilitator,
    flags,
    floor,
    judge,
    lobby,
    people,
    synthesis,
)
from debate_core.ui.session import Me


def above(state: State, me: Me) -> None:
    """For somebody without a part, above all that moves on a phone: a field that moves loses what was typed in it."""
    if me.person is None:
        lobby.stranger(state)


def lead(state: State, me: Me) -> None:
    """The desk of whoever leads, above a turn of their own: the room waits for its one button."""
    with st.container(key="lead-place"):
        facilitator.show(state, me)


def show(state: State, me: Me) -> None:
    """The desk of this person, where they act; nothing for somebody who only watches."""
    # On a phone the ballot is what one came for: above all there is to read.
    for desk in (ballot, lobby, debater, judge, synthesis, decision):
        # A place with a name is the same one wherever it moves: nothing that is typed in it gets lost.
        with st.container(key=f"{_name(desk)}-place"):
            desk.show(state, me)


def aside(state: State, me: Me) -> None:
    """What stands beside the transcript for everybody: who is here, the floor, what is sealed."""
    for part in (people, floor, beliefs, flags):
        with st.container(key=f"{_name(part)}-place"):
            part.show(state, me)


def _name(desk: ModuleType) -> str:
    return desk.__name__.rpartition(".")[2]
