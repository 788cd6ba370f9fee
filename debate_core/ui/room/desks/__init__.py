"""What each person in a room can do now, by role and stage: one module per desk.

Knows no rules: the core refuses what is not allowed, and `session.may` says only what is worth drawing.
"""

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
    """For somebody without a part, above all that moves on a phone: a field that moves loses what was typed in it."""
    if state.spec.has_people and me.person is None:
        lobby.stranger(state)


def leading_desk(state: State, me: Me) -> None:
    """The desk of whoever leads, above their others: the room waits for its one button.

    A turn of their own stands above the right column, in the full width of the page; on a phone it follows.
    """
    facilitator.show(state, me)


def own_desks(state: State, me: Me) -> None:
    """What this person can do in their role; without people in the debate, take a seat that waits for somebody."""
    if not state.spec.has_people:
        in_places((debater.offer_empty_seats, documents.show), state, me)
        return
    # On a phone the signature or the ballot is what one came for: above all there is to read.
    own = (ballot.show, marking.show, preparation.show, lobby.show, debater.show, documents.show)
    in_places((_sign_first, *own, _sign_last), state, me)


def _sign_first(state: State, me: Me) -> None:
    """The desk of the decision for whoever should sign now."""
    account = accounts.of_reader(state, me.answers_for)
    if sign_off.is_next(account, me):
        sign_off.show(account, me)


def _sign_last(state: State, me: Me) -> None:
    """The same for all others, below what they can do."""
    account = accounts.of_reader(state, me.answers_for)
    if not sign_off.is_next(account, me):
        sign_off.show(account, me)


def writing_desks(state: State, me: Me) -> None:
    """The desks at which somebody reads and writes, in the full width of the page."""
    if state.spec.has_people:
        in_places((desk.show, synthesis.show), state, me)


def side_panel(state: State, me: Me) -> None:
    """What stands beside the transcript for everybody in a room: who is here, the floor, what is sealed."""
    if state.spec.has_people:
        in_places((people.show, floor.show, beliefs.show, flags.show), state, me)
