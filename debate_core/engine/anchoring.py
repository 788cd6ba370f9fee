"""Keeps advice from people until their own vote is revealed, so that it does not anchor them."""

from debate_core.engine.stage import open_poll
from debate_core.record.state import State


def is_vote_ahead(state: State) -> bool:
    """True while a vote of people is open, and until the vote of people that decides is revealed.

    Screens then leave out the count of the seats, for everyone: the facilitator's may be seen by all.
    """
    final = state.room.polls.get("final")
    is_deciding_vote_ahead = state.spec.terms.decides != "debaters" and (final is None or not final.revealed)
    return is_deciding_vote_ahead or open_poll(state) is not None


def is_vote_under_way(state: State) -> bool:
    """True from the opening of a vote of people until its end, and for the one that decides until its reveal.

    Screens then leave out the judges' mean, which a facilitator may reveal after each round.
    """
    return open_poll(state) is not None or ("final" in state.room.polls and is_vote_ahead(state))
