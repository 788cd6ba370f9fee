"""Keeps the count of the seats from people before their own vote, so that it does not anchor them."""

from debate_core.engine.stage import open_poll
from debate_core.record.state import State
from debate_core.spec.people import Person


def is_vote_ahead(state: State) -> bool:
    """True while a vote of people is open, and until the vote of people that decides is closed.

    Screens that all can read, such as the wall and the panel of a room, then leave out the count of the seats.
    """
    final = state.room.polls.get("final")
    is_deciding_vote_ahead = state.spec.terms.decides != "debaters" and (final is None or final.closed is None)
    return is_deciding_vote_ahead or open_poll(state) is not None


def may_see_seat_count(state: State, viewer: Person | None) -> bool:
    """True after the vote of people, and before it for people without a ballot, such as the facilitator.

    Observers may still get a vote, and a stranger may be a voter in another window.
    """
    if not is_vote_ahead(state):
        return True
    return viewer is not None and viewer.electorate is None and viewer.role not in ("voter", "observer")
