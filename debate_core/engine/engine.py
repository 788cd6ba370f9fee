"""A debate is a fold over an append-only list of events. This is the one file to read first.

    open_debate(spec) -> events          the agreed spec, and the first phase
    requests(state)   -> requests        what is asked now, of which seat; empty exactly when the debate is over
    submit(state, command) -> events     the fact, and every event that it triggers

Between two commands a debate is in one of three conditions: *asking* (some seat has an open turn), *paused* (the same,
but the runner asks no seat), or *over*. A command brings one fact. Then the debate is *settling*: as long as `due`
returns an event, the engine adds it, until a seat is asked again or the debate is over. docs/architecture.md draws the
transitions.

`command_handlers` builds the fact of a command; `rights`, `validate_flow` and `validate_actions` decide whether it is
allowed; `stopping` decides when a debate ends; `outcome_of` decides with what result.

Laws, each a property test in tests/laws:
 1. `requests` is empty iff the outcome is set; every debate ends.
 2. Replaying the events gives the state reached live; the same contents give the same events.
 3. A refused command changes nothing.
 4. In an at_once phase, the order of arrival has no effect on what anyone sees, votes or decides.
 5. A decision is counted by the agreed rule, or made by the named seat; otherwise the result is "undecided". Order
     never breaks a tie. Below the quorum, or with a side that was not heard, nothing is decided.
 6. Content can end, extend or decide a debate only through the fields that the protocol provides.
 7. There is exactly one `closed`, and no flow event after it.
 8. In a debate with a room, every act of a person is either allowed by their role or refused with a sentence.

Pure: no clock, no ids, no randomness, no I/O. The engine does not know who sits in a seat.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from debate_core.engine import (
    baselines,
    candidates,
    command_handlers,
    comparisons,
    evidence,
    rights,
    schedule,
    stage,
    stop_functions,
    stopping,
    validate_actions,
    validate_flow,
    voting,
)
from debate_core.engine.count.count import Result
from debate_core.engine.idempotency_keys import key_of
from debate_core.engine.mistakable import refuse_mistakable
from debate_core.engine.option_names import only_option
from debate_core.engine.rights import ENGINE
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.record.acts import MUST_BE_SAID
from debate_core.record.commands import AnyCommand
from debate_core.record.events import (
    EDITION,
    GENESIS,
    MEASURES,
    BaselineHeld,
    BaselinesAsked,
    Body,
    Closed,
    DebateOpened,
    Event,
    Flow,
    PhaseBegan,
    PhaseEnded,
    StopVerdict,
    make_event,
    utc_text,
)
from debate_core.record.fold import apply
from debate_core.record.state import Request, State
from debate_core.sentence import Sentence
from debate_core.spec.checks import check
from debate_core.spec.protocol import Slot, Spec, asks_ballot
from debate_core.spec.rules import BySeat, DecisionRule
from debate_core.spec.values import Outcome, Status, TieStep, Unheard


def open_debate(
    spec: Spec, *, debate_id: str, at: datetime, by: str = ENGINE, owner: str = "", shared: bool = False
) -> tuple[Event, ...]:
    """The first events of a debate. Raises InvalidSpec if it cannot be held. `owner` as in `Ownership`."""
    check(spec)
    _refuse_past_date(spec, at)
    stop_functions.refuse_unknown(spec.protocol)
    # Left out of the record while there is only one version of the text measures.
    measures = MEASURES if MEASURES > 1 else None
    can_be_shared = bool(owner) and spec.terms.readers == "hosts"
    is_shared = True if shared and can_be_shared else None
    body = DebateOpened(spec=spec, edition=EDITION, measures=measures, owner=owner or None, shared=is_shared)
    opened = make_event(debate_id, 1, GENESIS, utc_text(at), by, "open", body)
    following, _ = _settle(apply(None, opened), opened.at)
    return (opened, *following)


def _refuse_past_date(spec: Spec, at: datetime) -> None:
    escalation = spec.protocol.escalation
    today = utc_text(at)[:10]
    if escalation and escalation.by and escalation.by < today:
        raise InvalidSpec(
            "an unresolved outcome would be due on {by}, before the debate begins: name {today} or a later day",
            by=escalation.by,
            today=today,
        )


def requests(state: State) -> tuple[Request, ...]:
    """The open requests in schedule order; all may be answered at once. Empty iff the debate is over."""
    if state.outcome:
        return ()
    return schedule.open_requests(state)


def next_requests(state: State) -> dict[str, Request]:
    """Seat id -> its first open request. A seat that compares options can have several requests."""
    first: dict[str, Request] = {}
    for request in requests(state):
        first.setdefault(request.seat, request)
    return first


def submit(state: State, command: AnyCommand, *, at: datetime) -> tuple[Event, ...]:
    """The events of one command, settled. Raises RuleViolation if it is refused; then nothing has changed."""
    return advance(state, command, at=at)[0]


def advance(state: State, command: AnyCommand, *, at: datetime) -> tuple[tuple[Event, ...], State]:
    """The events of `submit` and the state after them, which saves a second fold.

    RuleViolation has five causes: no fact can be derived from the command (`fact_of`), a required reason is blank, the
    fact is not allowed (`refuse`), it changes nothing, or it contains a name that looks like another one.
    """
    when = utc_text(at)
    body = command_handlers.fact_of(state, command, when)
    _refuse_blank_reason(body)
    refuse(state, body, by=command.by, at=when)
    validate_actions.refuse_idle(state, body)
    refuse_mistakable(state, body, by=command.by)
    first = _next_event(state, command.by, body, when)
    following, after = _settle(apply(state, first), first.at)
    return (first, *following), after


def _refuse_blank_reason(body: Body) -> None:
    """Refuse a blank reason where one is required. Records are not re-checked: older ones may hold a blank reason."""
    field = type(body).model_fields.get("reason")
    must_be_said = field is not None and MUST_BE_SAID in field.metadata
    if must_be_said and not str(getattr(body, "reason", "")).strip():
        raise RuleViolation("give a reason: it is kept in the record")


def due(state: State, ask: stop_functions.GiveVerdict = stop_functions.ask) -> Body | None:
    """The event that the engine has to add next; None if a seat is asked or the debate is over.

    `ask` gives the verdicts of stop functions.

    The first line that fits holds:

        there is an outcome                          none: the debate is over
        a person stopped it                          closed
        an agreed wait has run out                   closed
        a limit was met                              closed
        a phase is open, a turn is missing           none, its seat is asked; or an agreed pause before that
        a phase is open, no turn is missing          phase_ended; or paused, if no seat could be reached
        a round is complete and no stop rule holds   stop_verdict, one for each stop function
        no phase is open                             phase_began, if the stop rules allow one; else closed

    Interruptions come before the stop rules: a vote that is won in the moment a person stops the debate does not
    decide it.
    """
    if state.outcome:
        return None
    if interruption := stopping.interruption(state):
        return Closed(outcome=outcome_of(state, interruption))
    if state.open:
        if state.open.is_complete():
            return stage.nobody_reached(state) or _end_of_phase(state)
        return stage.agreed_pause(state)
    return _next_phase_or_end(state, ask)


def _next_phase_or_end(state: State, ask: stop_functions.GiveVerdict) -> Body:
    """The event to add while no phase is open."""
    fired = stopping.fired(state)
    if not fired and (function := stop_functions.next_asked(state)):
        return StopVerdict(round=state.current_round(), function=function, holds=ask(state, function))
    outage = any(name in stopping.OUTAGES for name in fired)
    following = None if outage else schedule.next_slot(state, rounds_over=bool(fired))
    if following is None:
        # Rounds without any speaker count as held, so a debate can end although no rule holds.
        return Closed(outcome=outcome_of(state, fired or (stopping.MAX_ROUNDS,)))
    number, slot = following
    if slot.phase.paired:
        return _next_comparisons(state, slot, number)
    return PhaseBegan(round=number, phase=slot.phase.name, speakers=schedule.speakers(state, slot.phase, number))


def _next_comparisons(state: State, slot: Slot, number: int) -> PhaseBegan | Closed:
    """The next wave of comparisons: the pairs of options to ask for, chosen from the answers so far.

    Candidates proposed since the last wave join. With fewer than two options the debate ends.
    """
    settled = candidates.settled(state)
    if len(settled.spec.options) < candidates.LEAST:
        return Closed(outcome=outcome_of(state, (stopping.NO_CANDIDATES,)))
    seats, pairs = comparisons.wave(settled, slot.phase, number)
    joining = candidates.joining_now(state) or None
    return PhaseBegan(round=number, phase=slot.phase.name, speakers=seats, pairs=pairs, candidates=joining)


def refuse(state: State, body: Body, *, by: str, at: str) -> None:
    """Raise RuleViolation if this fact is not allowed in this state at `at` (UTC text).

    Events that are `due` are added by the engine; a command cannot ask for them.
    """
    if why := _fault(state, body, by=by, at=at):
        raise RuleViolation(why)


def _fault(state: State, body: Body, *, by: str, at: str) -> Sentence | None:
    """The reason why this fact is refused. Rights are checked first, then whether it fits the state."""
    if state.ownership.replaced_by:
        return rights.REPLACED
    if isinstance(body, BaselineHeld | BaselinesAsked):
        return baselines.fault(state, body, by)
    if isinstance(body, Flow):
        return rights.fault_in_flow(state, body, by) or validate_flow.fault(state, body, by=by, at=at)
    return rights.fault_in_act(state, body, by) or validate_actions.fault(state, body, by)


def _settle(state: State, at: str) -> tuple[list[Event], State]:
    """Add due events until none is left; return them and the state after them."""
    events: list[Event] = []
    while (body := due(state)) is not None:
        events.append(_next_event(state, ENGINE, body, at))
        state = apply(state, events[-1])
    return events, state


def _next_event(state: State, actor: str, body: Body, at: str) -> Event:
    return make_event(state.debate, state.version + 1, state.head, at, actor, key_of(state, body), body)


def _end_of_phase(state: State) -> PhaseEnded:
    open_phase = state.open
    assert open_phase is not None
    phase = open_phase.slot.phase
    counted = voting.tally(state) if asks_ballot(state.spec.protocol, phase) else None
    return PhaseEnded(round=open_phase.round, phase=phase.name, tally=counted)


class _WayOfEnding(NamedTuple):
    """The result of the decision rule; without an option nothing is decided."""

    ended_by: str
    decision_rule: str
    option: str | None = None
    decided_by: str | None = None
    steps: tuple[TieStep, ...] = ()
    unheard: tuple[Unheard, ...] = ()


def outcome_of(state: State, fired: tuple[str, ...]) -> Outcome:
    """The outcome, given the names of what ends the debate, the reason first."""
    first = fired[0]
    # An interruption decides nothing, even with a majority of votes.
    interrupted = stopping.is_interruption(state, first)
    ending = _WayOfEnding(first, first) if interrupted else _concluded(state, first)
    decided = ending.option is not None
    return Outcome(
        status="decided" if decided else _undecided_status(state, interrupted=interrupted),
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
    return voting.ties(state) if ending.option is None else ()


def _concluded(state: State, ended_by: str) -> _WayOfEnding:
    """Apply the decision rule: blocked, without one winner, or decided."""
    rule = state.spec.protocol.decide
    elected, count = voting.elected(state)
    steps = count.steps if count else ()
    unheard = voting.unheard(state)
    winner = only_option(elected)
    if kept_from := _kept_from(state, winner, count, unheard):
        return _WayOfEnding(ended_by=kept_from, decision_rule=kept_from, steps=steps, unheard=unheard)
    seat = _deciding_seat(state, rule)
    if winner is None:
        # A seat that gave its content has applied the rule, even if it named no option.
        return _WayOfEnding(ended_by=ended_by, decision_rule=rule.kind if seat else ended_by, steps=steps)
    return _WayOfEnding(ended_by, rule.kind, option=winner, decided_by=seat or rule.kind, steps=steps)


def _kept_from(state: State, winner: str | None, count: Result | None, unheard: Sequence[Unheard]) -> str | None:
    """The condition that blocks the decision: a silent side, too few ballots, or false quotes; None = none."""
    if unheard:
        return stopping.SIDE_UNHEARD
    if not _quorum_met(state, count):
        return stopping.QUORUM
    if winner is not None and evidence.refuses(state, winner):
        return stopping.UNVERIFIED_QUOTES
    return None


def _quorum_met(state: State, count: Result | None) -> bool:
    """True if the quorum is met, or no ballots are counted."""
    if state.spec.protocol.paired:
        return comparisons.quorum_met(state)
    return count is None or count.quorum_met


def _undecided_status(state: State, *, interrupted: bool) -> Status:
    if state.stopped or state.deadline_passed:
        return "aborted"
    return "truncated" if state.truncated and interrupted else "undecided"


def _deciding_seat(state: State, rule: DecisionRule) -> str | None:
    """The seat that decides by its content, if it gave one."""
    if not isinstance(rule, BySeat):
        return None
    named = voting.named_by(state, rule.role)
    return named[0] if named else None
