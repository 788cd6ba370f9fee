"""The fact that a command would record. The engine decides afterwards whether that fact is allowed."""

from collections.abc import Sequence
from typing import assert_never

from debate_core.engine import (
    ballot_consistency,
    baselines,
    limits,
    look_ups,
    schedule,
    stage,
    validate_actions,
    validate_content,
    validate_flow,
)
from debate_core.errors import RuleViolation
from debate_core.record import commands, events
from debate_core.record.ids import ClaimId, RequestId
from debate_core.record.state import Request, State
from debate_core.spec.contents import Argument, Content
from debate_core.spec.values import Axis


def fact_of(state: State, command: commands.AnyCommand, at: str) -> events.Body:
    """The event that this command would record at `at` (UTC text). Raises RuleViolation if it cannot be derived."""
    match command:
        case commands.StartAttempt():
            return events.AttemptStarted(
                request=command.request, reserved=command.reserved, instructions=command.instructions
            )
        case commands.LookUp():
            return look_ups.looked_up(state, command)
        case commands.Truncate():
            axis = _axis_passed(state, command, at)
            return events.Truncated(request=command.request, axis=axis, reserved=command.reserved)
        case commands.WaitAtLimit():
            axis = _axis_passed(state, command, at)
            met = events.LimitMet(request=command.request, axis=axis, reserved=command.reserved)
            return events.Paused(reason=command.reason, limit=met)
        case commands.RaiseLimit():
            return events.LimitRaised(to=command.to, reason=command.reason)
        case commands.EndWait():
            return _deadline_passed(state, at)
        case commands.TakeTurn():
            return _turn_taken(state, command)
        case commands.FailTurn():
            return _turn_failed(state, command)
        case commands.SkipTurn():
            return events.TurnSkipped(request=command.request, reason=command.reason)
        case commands.SetMark():
            return events.Marked(mark=command.mark, reason=command.reason)
        case commands.Pause():
            return events.Paused(reason=command.reason)
        case commands.Resume():
            return events.Resumed(reason=command.reason, gives_up=command.gives_up)
        case commands.Stop():
            return events.Stopped(reason=command.reason, partials=_still_said(state, command.partials))
        case commands.Act():
            return validate_actions.filled_in(state, command.act)
        case commands.AskBaselines():
            return events.BaselinesAsked(names=command.names)
        case commands.HoldBaseline():
            return baselines.counted(state, command)
        case _:
            assert_never(command)


def _turn_taken(state: State, command: commands.TakeTurn) -> events.TurnTaken:
    request = schedule.request_of(state, command.request)
    content = numbered(state, request, command.content)
    return events.TurnTaken(
        request=command.request,
        content=content,
        usage=command.usage,
        left_out=command.left_out or None,
        argues_for=ballot_consistency.contradicted(state, request, content) if request else None,
        no_reason=validate_content.gives_no_reason(state.spec, content),
        match=command.match,
    )


def _turn_failed(state: State, command: commands.FailTurn) -> events.TurnFailed:
    """The failure with the command's fields; the claims of a complete turn are numbered."""
    fields = {name: getattr(command, name) for name in events.TurnFailed.model_fields}
    if command.content is not None:
        request = schedule.request_of(state, command.request)
        fields["content"] = numbered(state, request, command.content)
    return events.TurnFailed(**fields)


def _still_said(state: State, partials: Sequence[events.Partial]) -> tuple[events.Partial, ...]:
    """Partial texts of turns that are still open; a turn completed before the stop is in the record already."""
    open_turns = state.open.missing() if state.open else ()
    return tuple(partial for partial in partials if RequestId.parse(partial.request).turn in open_turns)


def _axis_passed(state: State, command: commands.Truncate | commands.WaitAtLimit, at: str) -> Axis:
    """The limit that the call of this command would pass."""
    axis = limits.passed(state, command.reserved, at=at)
    if axis is None:
        raise RuleViolation("{request} passes no ceiling: it can be asked", request=command.request)
    return axis


def _deadline_passed(state: State, at: str) -> events.DeadlinePassed:
    wait = stage.waited_too_long(state, at=at)
    if wait is None:
        raise RuleViolation(validate_flow.NOT_WAITED_FOR)
    return events.DeadlinePassed(seats=wait.seats, since=wait.since)


def numbered(state: State, request: Request | None, content: Content) -> Content:
    """Number the claims as seat.round.number, continuing within the round. Without a request nothing changes."""
    if request is None or not isinstance(content, Argument) or not content.claims:
        return content
    first = 1
    while str(ClaimId(request.seat, request.round, first)) in state.claims:
        first += 1
    claims = []
    for number, claim in enumerate(content.claims, start=first):
        claims.append(claim.with_fields(id=str(ClaimId(request.seat, request.round, number))))
    return content.with_fields(claims=tuple(claims))
