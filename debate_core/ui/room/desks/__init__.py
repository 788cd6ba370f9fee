"""What each person in a room can do now, by role and stage: one module per desk.

Knows no rules: the core refuses what is not allowed, and `session.may` says only what is worth drawing.
"""

from debate_core.record.state import State
from debate_core.ui.kit.session import Me
from debate_core.ui.results import sign_off
from debate_core.ui.room.desks import ballot, debater, facilitator, flags, floor, lobby, people, synthesis
from debate_core.ui.room.desks.judge import beliefs, desk


def above(state: State, me: Me) -> None:
    """For somebody without a part, above all that moves on a phone: a field that moves loses what was typed in it."""
    if me.person is None:
        lobby.stranger(state)


def lead(state: State, me: Me) -> None:
    """The desk of whoever leads, above a turn of their own: the room waits for its one button."""
    facilitator.show(state, me)


def show(state: State, me: Me) -> None:
    """The desk of this person, where they act; nothing for somebody who only watches."""
    # On a phone the ballot is what one came for: above all there is to read.
    ballot.show(state, me)
    lobby.show(state, me)
    debater.show(state, me)
    desk.show(state, me)
    synthesis.show(state, me)
    sign_off.show(state, me)


def aside(state: State, me: Me) -> None:
    """What stands beside the transcript for everybody: who is here, the floor, what is sealed."""
    people.show(state, me)
    floor.show(state, me)
    beliefs.show(state, me)
    flags.show(state, me)
