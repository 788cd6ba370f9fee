"""A debate is a fold over an append-only list of events. This is the one file to read first.

    open_debate(spec) -> events          what was agreed, and the first phase
    requests(state)   -> requests        what is asked now, of which seat; empty exactly when it is over
    submit(state, command) -> events     the fact, and everything that follows from it by itself

Laws, each a property test in tests/laws:
 1. `requests` is empty iff the outcome is set; every debate ends.
 2. Replaying the events gives the state reached live; the same contents give the same events.
 3. A refused command changes nothing.
 4. In an at_once phase, arrival order changes nothing anyone sees, votes or decides.
 5. A decision is counted by the rule agreed before, or made by the named seat, or it is "undecided"; a tie is
    never broken by order. With fewer ballots than the quorum, or over a side that was not heard, nothing is decided.
 6. No content can end, extend or decide anything but through the fields the protocol gives it.
 7. One `closed`, and nothing of the flow after it.
 8. Where a debate has a room, everything a person does is allowed by their role, and refused in words if not.

Pure: no clock, no ids, no randomness, no I/O. It does not know who sits in a seat.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, assert_never

from debate_core.engine import (
    act_faults,
    baselines,
    candidates,
    ceiling,
    comparisons,
    evidence,
    flow_faults,
    own_text,
    rights,
    schedule,
    stage,
    stopping,
    voting,
)
from debate_core.engine.count.count import Result
from debate_core.engine.option_names import only_option
from debate_core.engine.rights import ENGINE
from debate_core.errors import RuleViolation
from debate_core.record.acts import OwnerAct, PersonJoined, PollClosed, PollOpened, PollRevealed, RoomAct
from debate_core.record.address import ClaimId, RequestId, TurnId
from debate_core.record.commands import (
    Act,
    AnyCommand,
    AskBaselines,
    EndWait,
    FailTurn,
    HoldBaseline,
    Pause,
    RaiseLimit,
    Resume,
    SetMark,
    SkipTurn,
    StartAttempt,
    Stop,
    TakeTurn,
    Truncate,
    WaitAtLimit,
)
from debate_core.record.events import (
    EDITION,
    GENESIS,
    MEASURES,
    AttemptStarted,
    BaselineHeld,
    BaselinesAsked,
    Body,
    Closed,
    DeadlinePassed,
    DebateOpened,
    Event,
    Flow,
    LimitMet,
    LimitRaised,
    Marked,
    Partial,
    Paused,
    PhaseBegan,
    PhaseEnded,
    Resumed,
    Stopped,
    Truncated,
    TurnFailed,
    TurnSkipped,
    TurnTaken,
    make_event,
    utc_text,
)
from debate_core.record.fold import apply
from debate_core.record.state import Request, State
from debate_core.sentence import Sentence
from debate_core.spec.checks import check
from debate_core.spec.contents import Argument, Content
from debate_core.spec.protocol import Protocol, Slot, Spec, asks_ballot
from debate_core.spec.rules import BySeat, DecisionRule
from debate_core.spec.values import Axis, Outcome, Status, TieStep, Unheard


def open_debate(
    spec: Spec, *, debate_id: str, at: datetime, by: str = ENGINE, owner: str = "", shared: bool = False
) -> tuple[Event, ...]:
    """The first events of a debate. InvalidSpec if it cannot be played. `owner` as in `Ownership`."""
    check(spec)
    measures = MEASURES if MEASURES > 1 else None
    can_be_shared = bool(owner) and spec.terms.readers == "hosts"
    is_shared = True if shared and can_be_shared else None
    body = DebateOpened(spec=spec, edition=EDITION, measures=measures, owner=owner or None, shared=is_shared)
    opened = make_event(debate_id, 1, GENESIS, utc_text(at), by, "open", body)
    following, _ = _settle(apply(None, opened), opened.at)
    return (opened, *following)


def requests(state: State) -> tuple[Request, ...]:
    """What is asked now, in schedule order; all may be filled at once. Empty iff the debate is over."""
    if state.outcome:
        return ()
    return schedule.open_requests(state)


def next_requests(state: State) -> dict[str, Request]:
    """Seat id -> what it is asked first of all that it is asked now: whoever compares has several turns open."""
    first: dict[str, Request] = {}
    for request in requests(state):
        first.setdefault(request.seat, request)
    return first


def submit(state: State, command: AnyCommand, *, at: datetime) -> tuple[Event, ...]:
    """The events of one command, settled. RuleViolation says what is allowed; then nothing has changed."""
    return advance(state, command, at=at)[0]


def advance(state: State, command: AnyCommand, *, at: datetime) -> tuple[tuple[Event, ...], State]:
    """`submit`, and the state that its events lead to: for whoever goes on from there, without folding them again."""
    when = utc_text(at)
    body = _body(state, command, when)
    _refuse_blank_reason(body)
    refuse(state, body, by=command.by, at=when)
    first = _next_event(state, command.by, body, when)
    following, after = _settle(apply(state, first), first.at)
    return (first, *following), after


def _refuse_blank_reason(body: Body) -> None:
    """What has to have a reason has one in words. Asked of what is done now, and not of a record again."""
    field = type(body).model_fields.get("reason")
    must_be_said = field is not None and field.is_required()
    if must_be_said and not str(getattr(body, "reason", "")).strip():
        raise RuleViolation("say why: it stands in the record")


def due(state: State) -> Body | None:
    """The event that must come next by itself, or None if somebody is asked, or the debate is over."""
    if state.outcome:
        return None
    if cut_off_by := _cut_off_by(state):
        return Closed(outcome=_outcome(state, cut_off_by))
    if state.open:
        if state.open.missing():
            return stage.agreed_pause(state)
        return stage.nobody_reached(state) or _end_of_phase(state)
    return _next_phase_or_end(state)


def _cut_off_by(state: State) -> tuple[str, ...]:
    """What ended the debate wherever it stood, and the rules that had fired before it; () if nothing did."""
    if state.stopped:
        return (stopping.STOPPED,)
    if state.deadline_passed:
        return (stopping.DEADLINE,)
    if state.truncated:
        return _truncated_by(state, stopping.ceiling_name(state.truncated.axis))
    return ()


def _next_phase_or_end(state: State) -> Body:
    """What comes while no phase is open."""
    fired = stopping.fired(state)
    outage = any(name in stopping.OUTAGES for name in fired)
    following = None if outage else schedule.next_slot(state, rounds_over=bool(fired))
    if following is None:
        return Closed(outcome=_outcome(state, fired or (stopping.MAX_ROUNDS,)))
    number, slot = following
    if slot.phase.paired:
        return _comparisons_begin(state, slot, number)
    return PhaseBegan(round=number, phase=slot.phase.name, speakers=schedule.speakers(state, slot.phase, number))


def _comparisons_begin(state: State, slot: Slot, number: int) -> Body:
    """With what was proposed since the last ones; with fewer than two options the debate ends."""
    settled = candidates.settled(state)
    if len(settled.spec.options) < candidates.LEAST:
        return Closed(outcome=_outcome(state, (stopping.NO_CANDIDATES,)))
    seats, pairs = comparisons.wave(settled, slot.phase, number)
    joining = candidates.joining_now(state) or None
    return PhaseBegan(round=number, phase=slot.phase.name, speakers=seats, pairs=pairs, candidates=joining)


def key_of(state: State, body: Body) -> str:
    """The key that makes an event unique in its debate: a second answer to one request has the same key."""
    match body:
        case DebateOpened():
            return "open"
        case PhaseBegan():
            return f"phase:{body.round}.{body.phase}"
        case PhaseEnded():
            return f"ended:{body.round}.{body.phase}"
        case AttemptStarted():
            return f"attempt:{body.request}:{state.version + 1}"
        case TurnTaken() | TurnSkipped():
            return _turn_key(state, RequestId.parse(body.request).turn)
        case TurnFailed():
            return f"failed:{body.request}"
        case Marked() | Paused() | Resumed() | LimitRaised():
            return f"{type(body).__name__.lower()}:{state.version + 1}"
        case Stopped():
            return "stopped"
        case DeadlinePassed():
            return "deadline"
        case Truncated():
            return "truncated"
        case Closed():
            return "closed"
        case BaselineHeld():
            return f"baseline:{body.name}"
        case BaselinesAsked():
            return f"baselines:{','.join(body.names)}"
        case _:
            return _act_key(state, body)


def _turn_key(state: State, turn: TurnId) -> str:
    """A turn that was passed over and is asked again has another key than it had."""
    passed = sum(before.status == "skipped" and before.address() == turn for before in state.failed_attempts)
    return f"turn:{turn}:{passed}" if passed else f"turn:{turn}"


def _act_key(state: State, act: RoomAct) -> str:
    """Acts that can happen once have a key that says so; of two at once, the second is then refused."""
    match act:
        case PersonJoined():
            return f"person:{act.person.id}"
        case PollOpened() | PollClosed() | PollRevealed():
            return f"{type(act).__name__.lower()}:{act.poll}"
        case OwnerAct():
            return state.ownership.next_key()
        case _:
            return f"{type(act).__name__.lower()}:{state.version + 1}"


def refuse(state: State, body: Body, *, by: str, at: str) -> None:
    """Raise RuleViolation if this fact is not allowed in this state at `at` (UTC text).

    Events that are `due` follow by themselves: nobody can ask for them.
    """
    if why := _fault(state, body, by=by, at=at):
        raise RuleViolation(why)


def _fault(state: State, body: Body, *, by: str, at: str) -> Sentence | None:
    """Who may do it is asked before whether it fits."""
    if state.ownership.replaced_by:
        return rights.REPLACED
    if isinstance(body, BaselineHeld | BaselinesAsked):
        return baselines.fault(state, body, by)
    if isinstance(body, Flow):
        return rights.fault_in_flow(state, body, by) or flow_faults.fault(state, body, by=by, at=at)
    return rights.fault_in_act(state, body, by) or act_faults.fault(state, body, by)


def _body(state: State, command: AnyCommand, at: str) -> Body:
    match command:
        case StartAttempt():
            return AttemptStarted(request=command.request, reserved=command.reserved)
        case Truncate():
            axis = _axis_passed(state, command, at)
            return Truncated(request=command.request, axis=axis, reserved=command.reserved)
        case WaitAtLimit():
            axis = _axis_passed(state, command, at)
            met = LimitMet(request=command.request, axis=axis, reserved=command.reserved)
            return Paused(reason=command.reason, limit=met)
        case RaiseLimit():
            return LimitRaised(to=command.to, reason=command.reason)
        case EndWait():
            return _deadline_passed(state, at)
        case TakeTurn():
            request = schedule.request_of(state, command.request)
            content = numbered(state, request, command.content)
            argues_for = own_text.contradicted(state, request, content) if request else None
            return TurnTaken(
                request=command.request,
                content=content,
                usage=command.usage,
                left_out=command.left_out or None,
                argues_for=argues_for,
            )
        case FailTurn():
            request = schedule.request_of(state, command.request)
            fields = {name: getattr(command, name) for name in TurnFailed.model_fields}
            if command.content is not None:
                fields["content"] = numbered(state, request, command.content)
            return TurnFailed(**fields)
        case SkipTurn():
            return TurnSkipped(request=command.request, reason=command.reason)
        case SetMark():
            return Marked(mark=command.mark, reason=command.reason)
        case Pause():
            return Paused(reason=command.reason)
        case Resume():
            return Resumed(reason=command.reason, gives_up=command.gives_up)
        case Stop():
            return Stopped(reason=command.reason, partials=_still_said(state, command.partials))
        case Act():
            return act_faults.filled_in(state, command.act)
        case AskBaselines():
            return BaselinesAsked(names=command.names)
        case HoldBaseline():
            return baselines.counted(state, command)
        case _:
            assert_never(command)


def _still_said(state: State, partials: Sequence[Partial]) -> tuple[Partial, ...]:
    """Those of turns that have not ended: one that was whole by the time of the stop is in the record already."""
    open_turns = state.open.missing() if state.open else ()
    return tuple(partial for partial in partials if RequestId.parse(partial.request).turn in open_turns)


def _axis_passed(state: State, command: Truncate | WaitAtLimit, at: str) -> Axis:
    axis = ceiling.passed(state, command.reserved, at=at)
    if axis is None:
        raise RuleViolation("{request} passes no ceiling: it can be asked", request=command.request)
    return axis


def _deadline_passed(state: State, at: str) -> DeadlinePassed:
    wait = stage.waited_too_long(state, at=at)
    if wait is None:
        raise RuleViolation(flow_faults.NOT_WAITED_FOR)
    return DeadlinePassed(seats=wait.seats, since=wait.since)


def _settle(state: State, at: str) -> tuple[list[Event], State]:
    """Everything that follows by itself, to a fixed point, and the state there."""
    events: list[Event] = []
    while (body := due(state)) is not None:
        events.append(_next_event(state, ENGINE, body, at))
        state = apply(state, events[-1])
    return events, state


def _next_event(state: State, actor: str, body: Body, at: str) -> Event:
    return make_event(state.debate, state.version + 1, state.head, at, actor, key_of(state, body), body)


def numbered(state: State, request: Request | None, content: Content) -> Content:
    """Claims get the ids seat.round.number, counting on within the round. What is not asked (None) stays as it is."""
    if request is None or not isinstance(content, Argument) or not content.claims:
        return content
    ids = _claim_ids(state, request, len(content.claims))
    claims = tuple(c.model_copy(update={"id": i}) for c, i in zip(content.claims, ids, strict=True))
    return content.model_copy(update={"claims": claims})


def _claim_ids(state: State, request: Request, count: int) -> list[str]:
    first = 1
    while str(ClaimId(request.seat, request.round, first)) in state.claims:
        first += 1
    return [str(ClaimId(request.seat, request.round, first + i)) for i in range(count)]


def _end_of_phase(state: State) -> PhaseEnded:
    open_phase = state.open
    assert open_phase is not None
    phase = open_phase.slot.phase
    counted = voting.tally(state) if asks_ballot(state.spec.protocol, phase) else None
    return PhaseEnded(round=open_phase.round, phase=phase.name, tally=counted)


class _WayOfEnding(NamedTuple):
    """What the decision rule comes to; without an option nothing is decided."""

    ended_by: str
    decision_rule: str
    option: str | None = None
    decided_by: str | None = None
    steps: tuple[TieStep, ...] = ()
    unheard: tuple[Unheard, ...] = ()


def _outcome(state: State, fired: tuple[str, ...]) -> Outcome:
    first = fired[0]
    # Cut off: nothing is decided, whatever was voted.
    cut_off = stopping.cuts_off(state, first)
    ending = _WayOfEnding(first, first) if cut_off else _concluded(state, first)
    decided = ending.option is not None
    return Outcome(
        status="decided" if decided else _undecided_status(state, cut_off=cut_off),
        decision=state.spec.protocol.decide.if_undecided if ending.option is None else ending.option,
        ended_by=ending.ended_by,
        decision_rule=ending.decision_rule,
        decided_by=ending.decided_by,
        tally=voting.tally(state),
        ties=_ties(state, ending),
        steps=ending.steps,
        fired=fired,
        rounds_run=state.current_round(),
        unheard=ending.unheard,
    )


def _ties(state: State, ending: _WayOfEnding) -> tuple[str, ...]:
    """Options that stand level; a decision has none."""
    return voting.ties(state) if ending.option is None else ()


def _concluded(state: State, ended_by: str) -> _WayOfEnding:
    """Kept from deciding, without one winner, or decided by the agreed rule."""
    rule = state.spec.protocol.decide
    elected, count = voting.elected(state)
    steps = count.steps if count else ()
    unheard = voting.unheard(state)
    winner = only_option(elected)
    if kept_from := _kept_from(state, winner, count, unheard):
        return _WayOfEnding(ended_by=kept_from, decision_rule=kept_from, steps=steps, unheard=unheard)
    seat = _deciding_seat(state, rule)
    if winner is None:
        # A seat that gave its content has applied the rule, also where it named no option.
        return _WayOfEnding(ended_by=ended_by, decision_rule=rule.kind if seat else ended_by, steps=steps)
    return _WayOfEnding(ended_by, rule.kind, option=winner, decided_by=seat or rule.kind, steps=steps)


def _kept_from(state: State, winner: str | None, count: Result | None, unheard: Sequence[Unheard]) -> str | None:
    """What keeps the agreed rule from deciding: a side's silence, too few voters, false quotes, or nothing (None)."""
    if unheard:
        return stopping.SIDE_UNHEARD
    if not _quorum_met(state, count):
        return stopping.QUORUM
    if winner is not None and evidence.refuses(state, winner):
        return stopping.UNVERIFIED_QUOTES
    return None


def _quorum_met(state: State, count: Result | None) -> bool:
    """True also where nothing was counted; outside tournaments the first edition asked for no quorum."""
    if state.spec.protocol.paired:
        return comparisons.quorum_met(state)
    return state.edition == 1 or count is None or count.quorum_met


def _truncated_by(state: State, bound: str) -> tuple[str, ...]:
    """The bound, and the rules that had ended the rounds before it: what was elected there stays elected.

    Unless a ballot was to follow: then nothing is.
    """
    if state.slots[state.position].section != "after":
        return (bound,)
    fired = stopping.fired(state)
    stays_elected = len(voting.elected(state)[0]) == 1 and not _ballot_in_closing(state.spec.protocol)
    return (*fired, bound) if fired and stays_elected else (bound, *fired)


def _ballot_in_closing(protocol: Protocol) -> bool:
    return any(asks_ballot(protocol, phase) for phase in protocol.after)


def _undecided_status(state: State, *, cut_off: bool) -> Status:
    if state.stopped or state.deadline_passed:
        return "aborted"
    return "truncated" if state.truncated and cut_off else "undecided"


def _deciding_seat(state: State, rule: DecisionRule) -> str | None:
    """The seat that decides by its content, if it gave one."""
    if not isinstance(rule, BySeat):
        return None
    named = voting.named_by(state, rule.role)
    return named[0] if named else None
