"""Who would be left out by the next step of whoever leads, in one sentence; empty if nobody would."""

from debate_core.engine import preparation, stage
from debate_core.language import _
from debate_core.record.acts import PollClosed, RoomAct
from debate_core.record.state import State


def missing_sentence(state: State, act: RoomAct | None) -> str:
    """What is ended by this act (None: by the begin of the debate) although somebody is not done with it."""
    if isinstance(act, PollClosed):
        return _not_voted(state, act.poll)
    now = preparation.running(state)
    if now is None:
        return ""
    asked = {person.id for person in preparation.asked(state)}
    left = len(asked - preparation.prepared(state, now.step))
    return _("{left} of {asked} are not done yet.", left=left, asked=len(asked)) if left else ""


def _not_voted(state: State, poll_id: str) -> str:
    poll = state.room.polls[poll_id]
    voters = {p.id for electorate in stage.ELECTORATES for p in stage.electors(state, poll, electorate)}
    left = len(voters - poll.ballots.keys())
    return (
        _("{left} of {voters} {more} not voted.", left=left, voters=len(voters), more="has" if left == 1 else "have")
        if left
        else ""
    )
