"""A debate is a fold over an append-only list of events. This is the one file to read first.

    open_debate(spec) -> events          what was agreed, and the first phase
    requests(state)   -> requests        what is asked now, of which seat; empty exactly when it is over
    submit(state, command) -> events     the fact, and everything that follows from it by itself

Between two commands a debate is in one of three conditions: *asking* (some seat has an open turn), *paused* (the same,
but the runner asks nobody), or *over*. A command brings one fact. After it the debate is *settling*: as long as `due`
names an event that follows by itself, it is added, until somebody is asked again or the debate is over. Which event
leads from where to where is drawn in docs/architecture.md.

What a command records is made in `facts`, what may be recorded is in `rights`, `flow_faults` and `act_faults`, when a
debate ends in `stopping`, and what it has come to in `outcomes`.

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

from datetime import datetime

from debate_core.engine import (
    act_faults,
    baselines,
    candidates,
    comparisons,
    facts,
    flow_faults,
    rights,
    schedule,
    stage,
    stopping,
    voting,
)
from debate_core.engine.keys import key_of
from debate_core.engine.mistakable import refuse_mistakable
from debate_core.engine.outcomes import outcome_of
from debate_core.engine.rights import ENGINE
from debate_core.errors import RuleViolation
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
    make_event,
    utc_text,
)
from debate_core.record.fold import apply
from debate_core.record.state import Request, State
from debate_core.sentence import Sentence
from debate_core.spec.checks import check
from debate_core.spec.protocol import Slot, Spec, asks_ballot


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
    """Seat id -> its first open request. A seat that compares options can have several."""
    first: dict[str, Request] = {}
    for request in requests(state):
        first.setdefault(request.seat, request)
    return first


def submit(state: State, command: AnyCommand, *, at: datetime) -> tuple[Event, ...]:
    """The events of one command, settled. RuleViolation says what is allowed; then nothing has changed."""
    return advance(state, command, at=at)[0]


def advance(state: State, command: AnyCommand, *, at: datetime) -> tuple[tuple[Event, ...], State]:
    """`submit`, and the state that its events lead to: for whoever goes on from there, without folding them again.

    RuleViolation has five causes: no fact can be made of the command (`fact_of`), its reason is blank, it is not
    allowed (`refuse`), it changes nothing, or a name in it can be mistaken for another one. The fact is made first, so
    also of an answer to what nobody was asked.
    """
    when = utc_text(at)
    body = facts.fact_of(state, command, when)
    _refuse_blank_reason(body)
    refuse(state, body, by=command.by, at=when)
    act_faults.refuse_idle(state, body)
    refuse_mistakable(state, body, by=command.by)
    first = _next_event(state, command.by, body, when)
    following, after = _settle(apply(state, first), first.at)
    return (first, *following), after


def _refuse_blank_reason(body: Body) -> None:
    """A required reason must not be blank. Records are not re-checked: older ones may hold a blank one."""
    field = type(body).model_fields.get("reason")
    must_be_said = field is not None and MUST_BE_SAID in field.metadata
    if must_be_said and not str(getattr(body, "reason", "")).strip():
        raise RuleViolation("say why: it stands in the record")


def due(state: State) -> Body | None:
    """The event that must come next by itself, or None if somebody is asked, or the debate is over.

    The first line that fits holds:

        it has an outcome                          nothing: it is over
        somebody stopped it                        closed
        people were waited for longer than agreed  closed
        it met a limit of its ceiling              closed
        a phase is open, a turn is missing         nothing, for its seat is asked; or an agreed pause before that
        a phase is open, no turn is missing        phase_ended; or paused, if nobody could be reached
        no phase is open                           phase_began, if the stop rules let one follow; else closed

    Whatever people do to the whole debate comes before the stop rules: a vote that is won while somebody stops the
    debate does not decide it.
    """
    if state.outcome:
        return None
    if interruption := stopping.interruption(state):
        return Closed(outcome=outcome_of(state, interruption))
    if state.open:
        if state.open.missing():
            return stage.agreed_pause(state)
        return stage.nobody_reached(state) or _end_of_phase(state)
    return _next_phase_or_end(state)


def _next_phase_or_end(state: State) -> Body:
    """What comes while no phase is open."""
    fired = stopping.fired(state)
    outage = any(name in stopping.OUTAGES for name in fired)
    following = None if outage else schedule.next_slot(state, rounds_over=bool(fired))
    if following is None:
        # Rounds in which nobody would speak count as held: then the debate ends although no rule holds.
        return Closed(outcome=outcome_of(state, fired or (stopping.MAX_ROUNDS,)))
    number, slot = following
    if slot.phase.paired:
        return _next_comparisons(state, slot, number)
    return PhaseBegan(round=number, phase=slot.phase.name, speakers=schedule.speakers(state, slot.phase, number))


def _next_comparisons(state: State, slot: Slot, number: int) -> PhaseBegan | Closed:
    """The next wave: the pairs of options that are asked for at once, as the answers so far suggest.

    Candidates that were proposed since the last wave join it. With fewer than two options the debate ends.
    """
    settled = candidates.settled(state)
    if len(settled.spec.options) < candidates.LEAST:
        return Closed(outcome=outcome_of(state, (stopping.NO_CANDIDATES,)))
    seats, pairs = comparisons.wave(settled, slot.phase, number)
    joining = candidates.joining_now(state) or None
    return PhaseBegan(round=number, phase=slot.phase.name, speakers=seats, pairs=pairs, candidates=joining)


def refuse(state: State, body: Body, *, by: str, at: str) -> None:
    """Raise RuleViolation if this fact is not allowed in this state at `at` (UTC text).

    Events that are `due` follow by themselves: nobody can ask for them.
    """
    if why := _fault(state, body, by=by, at=at):
        raise RuleViolation(why)


def _fault(state: State, body: Body, *, by: str, at: str) -> Sentence | None:
    """Why this fact is not allowed, or None: who may do it is asked before whether it fits."""
    if state.ownership.replaced_by:
        return rights.REPLACED
    if isinstance(body, BaselineHeld | BaselinesAsked):
        return baselines.fault(state, body, by)
    if isinstance(body, Flow):
        return rights.fault_in_flow(state, body, by) or flow_faults.fault(state, body, by=by, at=at)
    return rights.fault_in_act(state, body, by) or act_faults.fault(state, body, by)


def _settle(state: State, at: str) -> tuple[list[Event], State]:
    """Everything that follows by itself, to a fixed point, and the state there."""
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
