"""Idempotency keys of events. A store accepts each key once, so of two answers to one turn only one is recorded."""

from debate_core.record import events
from debate_core.record.acts import OwnerAct, PersonJoined, PollClosed, PollOpened, PollRevealed, RoomAct, TextsShown
from debate_core.record.ids import RequestId, TurnId
from debate_core.record.look_ups import LookedUp
from debate_core.record.state import State


def key_of(state: State, body: events.Body) -> str:
    """The key that makes an event unique in its debate: two answers to one request share a key."""
    match body:
        case events.DebateOpened():
            return "open"
        case events.PhaseBegan():
            return f"phase:{body.round}.{body.phase}"
        case events.PhaseEnded():
            return f"ended:{body.round}.{body.phase}"
        case events.StopVerdict():
            return f"stop:{body.round}.{body.function}"
        case events.AttemptStarted():
            return f"attempt:{body.request}:{state.version + 1}"
        case LookedUp():
            turn = RequestId.parse(body.request).turn
            return f"lookup:{turn}:{len(state.look_ups_of(turn)) + 1}"
        case events.TurnTaken() | events.TurnSkipped():
            return _turn_key(state, RequestId.parse(body.request).turn)
        case events.TurnFailed():
            return f"failed:{body.request}"
        case events.Marked() | events.Paused() | events.Resumed() | events.LimitRaised():
            return f"{type(body).__name__.lower()}:{state.version + 1}"
        case events.Stopped():
            return "stopped"
        case events.DeadlinePassed():
            return "deadline"
        case events.Truncated():
            return "truncated"
        case events.Closed():
            return "closed"
        case events.BaselineHeld():
            return f"baseline:{body.name}"
        case events.BaselinesAsked():
            return f"baselines:{','.join(body.names)}"
        case _:
            return _act_key(state, body)


def _turn_key(state: State, turn: TurnId) -> str:
    """The key of a turn; it differs for a skipped turn that is asked again."""
    passed = sum(before.status == "skipped" and before.address() == turn for before in state.failed_attempts)
    return f"turn:{turn}:{passed}" if passed else f"turn:{turn}"


def _act_key(state: State, act: RoomAct) -> str:
    """The key of an act. Acts that can happen only once have a case here, so that the second of two is refused.

    Other acts can be repeated; their key contains the number of the event.
    """
    match act:
        case PersonJoined():
            return f"person:{act.person.id}"
        case PollOpened() | PollClosed() | PollRevealed():
            return f"{type(act).__name__.lower()}:{act.poll}"
        case TextsShown():
            return f"textsshown:{act.step}"
        case OwnerAct():
            return state.ownership.next_key()
        case _:
            return f"{type(act).__name__.lower()}:{state.version + 1}"
