"""Validation of flow events against the state. Each check returns a sentence, or None = the event fits.

`rights` decides which role can record them; `validate_actions` validates other acts of people.
"""

from typing import assert_never

from debate_core.engine import (
    ballot_consistency,
    candidates,
    comparisons,
    limits,
    look_ups,
    preparation,
    schedule,
    stage,
    validate_content,
)
from debate_core.engine.rights import ENGINE, sits_as_code
from debate_core.record import events
from debate_core.record.look_ups import LookedUp
from debate_core.record.state import Request, State
from debate_core.sentence import Sentence
from debate_core.spec.contents import Content, Synthesis
from debate_core.spec.values import ASKED_ABOUT

NOT_WAITED_FOR = Sentence("no wait has lasted longer than was agreed")


def fault(state: State, body: events.Flow, *, by: str, at: str) -> Sentence | None:
    """The reason why this event does not fit now; `at` is UTC text."""
    if isinstance(body, events.Marked):
        if body.mark.claim_id not in state.claims:
            return Sentence("there is no claim {claim_id!r} to mark", claim_id=body.mark.claim_id)
        return validate_content.mark_fault(state.spec, body.mark)
    if state.outcome:
        return Sentence("the debate is over: only marks can follow")
    match body:
        case events.AttemptStarted() | LookedUp() | events.TurnTaken() | events.TurnFailed() | events.TurnSkipped():
            return _turn(state, body, by=by, at=at)
        case events.Paused():
            return _pause(state, body, at=at)
        case events.Resumed():
            return _going_on(state, body, at=at)
        case events.Truncated():
            return _limit(state, body, at=at)
        case events.LimitRaised():
            return limits.fault_in_raise(state, body.to, at=at)
        case events.DeadlinePassed():
            return _deadline(state, body, at=at)
        case events.Stopped():
            return None
        case events.DebateOpened() | events.PhaseBegan() | events.PhaseEnded() | events.StopVerdict() | events.Closed():
            return Sentence("{kind} is added by the engine: it cannot be asked for", kind=type(body).__name__)
        case _:
            assert_never(body)


# --- turns


def _turn(
    state: State,
    body: events.AttemptStarted | LookedUp | events.TurnTaken | events.TurnFailed | events.TurnSkipped,
    *,
    by: str,
    at: str,
) -> Sentence | None:
    request = schedule.request_of(state, body.request)
    if request is None:
        return _not_asked(state, body.request)
    match body:
        case events.AttemptStarted():
            return _attempt(state, body, at=at)
        case LookedUp():
            return look_ups.fault(state, request, body, by=by)
        case events.TurnTaken():
            why = _giver(state, request, by) or _content(state, request, body.content)
            return why or _match(state, request, body, by=by) or _finding(state, request, body)
        case events.TurnFailed():
            return _giver(state, request, by) or _asking(state, request, body) or _finding(state, request, body)
        case events.TurnSkipped():
            return None
        case _:
            assert_never(body)


def _not_asked(state: State, request_id: str) -> Sentence:
    asked = ", ".join(request.id for request in schedule.open_requests(state)) or Sentence("nothing")
    return Sentence("{request_id!r} is not asked now; asked: {asked}", request_id=request_id, asked=asked)


def _attempt(state: State, body: events.AttemptStarted, *, at: str) -> Sentence | None:
    axis = limits.passed(state, body.reserved, at=at)
    if axis is None:
        return None
    return Sentence(
        "{request} may not be asked: the ceiling of {axis} would be passed", request=body.request, axis=axis
    )


def _giver(state: State, request: Request, by: str) -> Sentence | None:
    """A seat gives its own turn, or a person gives it under their own name; never the engine or another seat."""
    is_another_filler = by in ("", ENGINE) or sits_as_code(state.spec, by)
    if by == request.seat or not is_another_filler:
        return None
    return Sentence("{id} is answered by {seat} or by a person, not by {by!r}", id=request.id, seat=request.seat, by=by)


def _content(state: State, request: Request, content: Content) -> Sentence | None:
    # A record made with other text measures is not measured again.
    is_measured = state.reading is None
    why = (
        validate_content.fault_in_content(state.spec, request.gives, content, is_measured=is_measured)
        or validate_content.fault_in_comparison(state.compared.get(request.turn()), content)
        or candidates.fault(state, request, content)
        or schedule.redo_fault(state, request, content)
        or schedule.repeats_fault(state, content)
    )
    return _of_request(request, why)


def _match(state: State, request: Request, body: events.TurnTaken, *, by: str) -> Sentence | None:
    """A seat compares in a match exactly where that was agreed; a person who took the seat compares alone."""
    has_matches = comparisons.has_matches(state.spec) and request.turn() in state.compared
    if body.match is not None and not has_matches:
        return Sentence("{id}: no pair is compared in a debate here", id=request.id)
    if body.match is None and has_matches and by == request.seat:
        return Sentence("{id}: this pair is compared in a debate, which is missing", id=request.id)
    return None


def _asking(state: State, request: Request, body: events.TurnFailed) -> Sentence | None:
    """A seat is asked once per turn about a contradiction, and once about its deliverable, with a valid turn."""
    has_finding = body.argues_for is not None
    if (body.error in ASKED_ABOUT) != (body.content is not None) or (body.error == "contradicts") != has_finding:
        return Sentence(
            "{id}: a turn is kept beside a failure only where its ballot contradicts its text, or its deliverable does "
            "not match the output schema",
            id=request.id,
        )
    if body.content is None:
        return None
    asked = [turn.place() for turn in state.failed_attempts if turn.status == body.error]
    if request.place() in asked:
        return Sentence("{id}: this seat was asked about this once already", id=request.id)
    has_schema = isinstance(body.content, Synthesis) and state.spec.protocol.output_schema is not None
    if body.error == "mismatch" and not has_schema:
        return Sentence("{id}: no deliverable is asked for here", id=request.id)
    return _content(state, request, body.content)


def _finding(state: State, request: Request, body: events.TurnTaken | events.TurnFailed) -> Sentence | None:
    return _of_request(request, ballot_consistency.fault_in_finding(state, request, body.content, body.argues_for))


def _of_request(request: Request, why: Sentence | None) -> Sentence | None:
    if why:
        return Sentence("{id}: {fault}", id=request.id, fault=why)
    return None


# --- pauses, limits and waits


def _pause(state: State, body: events.Paused, *, at: str) -> Sentence | None:
    if state.paused is not None:
        return Sentence("the debate is paused already: resume it first")
    if body.unreached:
        return Sentence("the engine adds a pause when no seat can be reached: it cannot be asked for")
    if body.limit is None:
        return None
    return _limit(state, body.limit, at=at)


def _limit(state: State, met: events.LimitMet, *, at: str) -> Sentence | None:
    if schedule.request_of(state, met.request) is None:
        return _not_asked(state, met.request)
    if met.axis == limits.passed(state, met.reserved, at=at):
        return None
    return Sentence("{request} would pass no ceiling of {axis}", request=met.request, axis=met.axis)


def _going_on(state: State, body: events.Resumed, *, at: str) -> Sentence | None:
    if state.paused is None:
        return Sentence("the debate is not paused")
    if not state.room.begun and preparation.options_are_open(state):
        return preparation.NOT_AGREED
    if preparation.silent(state):
        return preparation.NOT_SHOWN
    if body.gives_up and not stage.unreached(state):
        return Sentence("there is no seat to give up: all that were asked could be reached, or are asked again")
    if state.limit_met and limits.passed(state, state.limit_met.reserved, at=at):
        return Sentence("{paused}: raise the limit, or end the debate here", paused=Sentence(state.paused))
    return None


def _deadline(state: State, body: events.DeadlinePassed, *, at: str) -> Sentence | None:
    wait = stage.waited_too_long(state, at=at)
    if wait is None:
        return NOT_WAITED_FOR
    if (body.seats, body.since) == (wait.seats, wait.since):
        return None
    return Sentence("no wait has lasted longer than was agreed, or it was a different one")
