"""Who would be left out by the next step of whoever leads, in one sentence; empty if nobody would."""

from debate_core.engine import preparation, stage
from debate_core.language import _n
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
    if not left:
        return ""
    return _n(left, "{n} of {asked} is not done yet.", "{n} of {asked} are not done yet.", asked=len(asked))


def _not_voted(state: State, poll_id: str) -> str:
    poll = state.room.polls[poll_id]
    voters = {p.id for electorate in stage.ELECTORATES for p in stage.electors(state, poll, electorate)}
    left = len(voters - poll.ballots.keys())
    if not left:
        return ""
    return _n(left, "{n} of {voters} has not voted.", "{n} of {voters} have not voted.", voters=len(voters))
