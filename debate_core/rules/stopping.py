"""When a debate ends. Every rule is a pure function of the state; all that fire are recorded, the first is the reason.

Called by the engine between phases. A model has no word in it but through the contents the protocol gives it.
"""

from typing import assert_never

from debate_core.rulebook import Ceiling, DecisionReached, MaxRounds, StopRule
from debate_core.rules import schedule, voting
from debate_core.state import State, Turn

PROVIDER_DOWN = "provider_down"
STOPPED = "stopped"
MAX_ROUNDS = "max_rounds_exhausted"
FAILED = ("timeout", "cut", "unparseable", "failed")


def fired(state: State) -> tuple[str, ...]:
    """Names of the stop rules that hold now, in the order of the protocol; () = go on.

    Once the closing phases run, the rules that ended the rounds still hold: nothing there changes a ballot.
    """
    if state.position < 0 or state.slots[state.position].section == "before":
        return (PROVIDER_DOWN,) if everybody_failed(state) else ()
    if everybody_failed(state):
        return (PROVIDER_DOWN,)
    over = state.slots[state.position].section == "after" or schedule.round_is_complete(state)
    if state.spec.protocol.check_after == "round" and not over:
        return ()
    return tuple(name for rule in state.spec.protocol.stop if (name := _holds(rule, state, round_over=over)))


def _holds(rule: StopRule, state: State, *, round_over: bool) -> str | None:
    match rule:
        case DecisionReached():
            return state.spec.protocol.decide.kind if len(voting.winners(state)) == 1 else None
        case MaxRounds():
            last = state.current_round() >= state.spec.max_rounds
            return MAX_ROUNDS if round_over and last else None
        case Ceiling():
            # Asked before every call, not between phases: see `ceiling.passed`.
            return None
        case _:
            assert_never(rule)


def everybody_failed(state: State) -> bool:
    """True if no seat of the last ended phase of the rounds gave anything: the debate cannot go on."""
    if not state.ran or state.open is not None or state.slots[state.position].section == "after":
        return False
    number, phase = state.ran[-1]
    turns = turns_of(state, number, phase)
    return bool(turns) and all(t.status in FAILED for t in turns)


def turns_of(state: State, number: int, phase: str) -> tuple[Turn, ...]:
    """Ended turns of one phase of one round."""
    return tuple(t for t in state.turns if t.round == number and t.phase == phase)
