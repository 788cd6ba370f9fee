"""The fold: how each event changes the state of a debate.

`apply` trusts legal histories and knows no rules. Replaying the same events always gives an equal state.
"""

import dataclasses
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any, assert_never

from debate_core.errors import BrokenRecord
from debate_core.record import acts
from debate_core.record.events import (
    AttemptStarted,
    BaselineHeld,
    BaselinesAsked,
    Closed,
    DeadlinePassed,
    DebateOpened,
    Event,
    Flow,
    LimitRaised,
    Marked,
    Paused,
    PhaseBegan,
    PhaseEnded,
    Resumed,
    Stopped,
    StopVerdict,
    Truncated,
    TurnFailed,
    TurnSkipped,
    TurnTaken,
)
from debate_core.record.ids import ROOM, ClaimId, RequestId, TurnId
from debate_core.record.look_ups import LookedUp
from debate_core.record.ownership import after_act, at_opening
from debate_core.record.people import acted, released, room_at_start, written_texts
from debate_core.record.state import Counted, GivenMark, OpenPhase, State, Turn, replace, waited_since
from debate_core.spec.contents import Argument, Candidate, Claim, Content, Review
from debate_core.spec.protocol import Slot, agenda, asks_ballot
from debate_core.spec.rules import Ceiling, StopRule
from debate_core.spec.values import ABSTAIN, ASKED_ABOUT, Ballot, BallotStatus, Source, TurnStatus, Usage


def replay(events: Iterable[Event], state: State | None = None) -> State:
    """Fold a legal history, from its first event or on top of `state`. Raises BrokenRecord if it is empty."""
    for event in events:
        state = apply(state, event)
    if state is None:
        raise BrokenRecord("line 1: the record is empty", 1)
    return state


def apply(state: State | None, event: Event) -> State:
    """The state after one more event. Total on legal histories."""
    body = event.body
    if state is None:
        return _opened(event)
    # Flow is tested first, because there are twice as many kinds of acts to test.
    if isinstance(body, Flow):
        changed = _changed(state, event, body)
        return replace(changed, version=event.seq, head=event.hash, said_head=event.hash, said_at=event.at)
    # Baselines are not part of the debate that people vote on, so `said_head` does not change.
    if isinstance(body, BaselinesAsked):
        return replace(state, baselines_asked=(*state.baselines_asked, *body.names), version=event.seq, head=event.hash)
    if isinstance(body, BaselineHeld):
        return replace(state, baselines=(*state.baselines, body), version=event.seq, head=event.hash)
    return replace(_acted(state, body, event), version=event.seq, head=event.hash)


def _opened(event: Event) -> State:
    body = event.body
    if not isinstance(body, DebateOpened):
        raise BrokenRecord("line 1: a record must begin with debate_opened", 1)
    return State(
        spec=body.spec,
        debate=event.debate,
        slots=agenda(body.spec),
        version=event.seq,
        head=event.hash,
        opened_at=event.at,
        measures=body.measures or 1,
        said_head=event.hash,
        said_at=event.at,
        room=room_at_start(body.spec.people()),
        ownership=at_opening(body),
        predecessor=body.successor_of,
    )


def _changed(state: State, event: Event, body: Flow) -> State:
    match body:
        case TurnTaken() | TurnFailed() | TurnSkipped():
            return _turn_ended(state, body, event)
        case AttemptStarted():
            return _attempt_started(state, body, event)
        case LookedUp():
            reserved = state.reserved if body.usage is None else _without(state.reserved, body.request)
            spec = state.spec
            if body.sources:
                spec = spec.model_copy(update={"sources": (*spec.sources, *body.sources)})
            return replace(state, spec=spec, look_ups=(*state.look_ups, body), reserved=reserved)
        case PhaseBegan():
            return _phase_began(state, body, event.at)
        case PhaseEnded():
            return _phase_ended(state, body)
        case StopVerdict():
            verdicts = {**state.stop_verdicts, (body.round, body.function): body.holds}
            return replace(state, stop_verdicts=verdicts)
        case Marked():
            given = GivenMark(body.mark, event.actor, event.at, body.reason)
            return replace(state, marks={**state.marks, body.mark.claim_id: given})
        case Paused():
            return _paused(state, body, event.at)
        case Resumed(gives_up=True):
            return _resumed(_given_up(state), event.at)
        case Resumed():
            return _resumed(state, event.at)
        case Stopped():
            return replace(state, stopped=body)
        case LimitRaised():
            return _limit_raised(state, body, event.at)
        case DeadlinePassed():
            return replace(state, deadline_passed=body)
        case Truncated():
            return replace(state, truncated=body)
        case Closed():
            waited = state.waited + waited_since(state, event.at)
            return replace(state, outcome=body.outcome, paused=None, limit_met=None, waited=waited, closed_at=event.at)
        case DebateOpened():
            raise BrokenRecord("line {seq}: a debate can be opened only once", event.seq, seq=event.seq)
        case _:
            assert_never(body)


def _paused(state: State, body: Paused, at: str) -> State:
    if body.unreached:
        state = _asked_again(state)
    return replace(state, paused=body.reason, paused_at=at, limit_met=body.limit)


def _asked_again(state: State) -> State:
    """Reopen the turns of a phase in which no seat could be reached; their use stays counted."""
    open_phase = state.open
    if open_phase is None:
        return state
    failed = (*state.failed_attempts, *open_phase.turns())
    open_phase = replace(open_phase, answers={}, unreached=open_phase.answers)
    return replace(state, open=open_phase, failed_attempts=failed)


def _given_up(state: State) -> State:
    """End those turns without a reply, except those that people gave meanwhile."""
    open_phase = state.open
    if open_phase is None:
        return state
    ended = {turn: lost for turn, lost in open_phase.unreached.items() if turn not in open_phase.answers}
    before = tuple(turn for turn in state.failed_attempts if turn not in ended.values())
    open_phase = replace(open_phase, answers={**open_phase.answers, **ended}, given_up=True)
    return replace(state, open=open_phase, failed_attempts=before)


def _resumed(state: State, at: str) -> State:
    open_phase = state.open
    if open_phase is not None:
        # The clock of a phase starts when its first answer becomes possible.
        since = open_phase.since if open_phase.answers else at
        open_phase = replace(open_phase, unreached={}, since=since)
    waited = state.waited + waited_since(state, at)
    room = released(state.room, state.position)
    return replace(state, paused=None, limit_met=None, waited=waited, open=open_phase, room=room)


def _limit_raised(state: State, body: LimitRaised, at: str) -> State:
    """Raise the given limits and keep the others; a debate that waits at one continues and is checked again."""
    changed = body.to.model_dump(exclude_none=True)

    def raised(rule: StopRule) -> StopRule:
        return rule.model_copy(update=changed) if isinstance(rule, Ceiling) else rule

    stop = tuple(raised(rule) for rule in state.spec.protocol.stop)
    protocol = state.spec.protocol.model_copy(update={"stop": stop})
    state = replace(state, spec=state.spec.model_copy(update={"protocol": protocol}))
    if state.limit_met is None:
        return state
    return _resumed(state, at)


def _acted(state: State, body: acts.RoomAct, event: Event) -> State:
    state = replace(state, room=acted(state.room, body, event))
    match body:
        case acts.Struck():
            return _struck(state, body)
        case acts.Extended(rounds=more) if more:
            return _longer(state, more)
        case acts.OptionsAgreed():
            agreed = {"options": body.options, "drivers": body.drivers}
            return replace(state, spec=state.spec.model_copy(update=agreed))
        case acts.SourceAdded():
            spec = state.spec
            return replace(state, spec=spec.model_copy(update={"sources": (*spec.sources, body.source)}))
        case acts.TextsShown(step="facts"):
            return _facts_shown(state)
        case acts.HandedOver() | acts.Shared() | acts.Archived() | acts.Replaced():
            return replace(state, ownership=after_act(state.ownership, body))
        case _:
            return state


def _facts_shown(state: State) -> State:
    named = any(one.named for one in state.spec.terms.preparation if one.step == "facts")
    texts = enumerate(written_texts(state.room, "facts", named=named), start=1)
    facts = tuple(Claim(id=str(ClaimId(ROOM, 0, number)), text=text) for number, text in texts)
    return replace(state, facts=facts, claims={**state.claims, **{fact.id: fact for fact in facts}})


def _struck(state: State, body: acts.Struck) -> State:
    """Hide the turn by its status and reason; it keeps its content and its ballot."""

    def struck(turn: Turn) -> Turn:
        if turn.place() != body.turn:
            return turn
        return turn._replace(status="struck", message=body.reason)

    open_phase = state.open
    if open_phase is not None:
        open_phase = replace(open_phase, answers={place: struck(turn) for place, turn in open_phase.answers.items()})
    return replace(state, turns=tuple(struck(t) for t in state.turns), open=open_phase)


def _longer(state: State, more: int) -> State:
    """The agenda with more rounds, at the same position."""
    spec = state.spec.model_copy(update={"max_rounds": state.spec.max_rounds + more})
    slots = agenda(spec)
    position = -1
    if state.position >= 0:
        position = slots.index(state.slots[state.position])
    is_released = state.room.released == state.position
    room = dataclasses.replace(state.room, released=position if is_released else -1)
    return replace(state, spec=spec, slots=slots, position=position, room=room)


def _attempt_started(state: State, body: AttemptStarted, event: Event) -> State:
    if state.open is None:
        return state
    started = {**state.open.started, RequestId.parse(body.request).turn: event.at}
    open_phase = replace(state.open, started=started)
    reserved = state.reserved
    if body.reserved is not None:
        reserved = (*reserved, (body.request, body.reserved))
    return replace(state, attempts=(*state.attempts, body.request), open=open_phase, reserved=reserved)


def with_candidates(state: State, joining: Iterable[Candidate]) -> State:
    """The state with more options. The text of a candidate becomes a document titled by its option."""
    spec = state.spec
    taken = {source.id for source in spec.sources}
    free_ids = (f"C{n}" for n in count(1) if f"C{n}" not in taken)
    options = list(spec.options)
    sources = list(spec.sources)
    for candidate in joining:
        options.append(candidate.name)
        if candidate.text.strip():
            sources.append(Source(id=next(free_ids), title=candidate.name, text=candidate.text))
    joined = (*state.joined, *options[len(spec.options) :])
    changed = {"options": tuple(options), "sources": tuple(sources)}
    return replace(state, spec=spec.model_copy(update=changed), joined=joined)


def _phase_began(state: State, body: PhaseBegan, at: str) -> State:
    if body.candidates:
        state = with_candidates(state, body.candidates)
    later = range(state.position + 1, len(state.slots))
    position = next(place for place in later if _begins(body, state.slots[place]))
    open_phase = OpenPhase(state.slots[position], body.round, body.speakers, since=at, pairs=body.pairs or ())
    ran = (*state.ran, (body.round, body.phase))
    compared = state.compared
    if body.pairs:
        compared = {**compared, **open_phase.compared()}
    return replace(state, position=position, open=open_phase, ran=ran, compared=compared)


def _begins(body: PhaseBegan, slot: Slot) -> bool:
    """True if this slot is the phase that began; closing phases begin in whichever round is the last."""
    return slot.phase.name == body.phase and (slot.section == "after" or slot.round == body.round)


def _phase_ended(state: State, body: PhaseEnded) -> State:
    counted = state.counted
    if body.tally is not None:
        counted = (*counted, Counted(body.round, body.phase, body.tally, state.ballots))
    return replace(state, open=None, turns=state.all_turns(), counted=counted)


def _turn_ended(state: State, body: TurnTaken | TurnFailed | TurnSkipped, event: Event) -> State:
    open_phase = state.open
    if open_phase is None:
        raise BrokenRecord("line {seq}: a turn outside a phase", event.seq, seq=event.seq)
    address = RequestId.parse(body.request).turn
    turn = _turn(open_phase, address, body, event)
    if turn.usage is not None:
        state = replace(state, reserved=_without(state.reserved, body.request))
    if isinstance(body, TurnFailed):
        failures = open_phase.failures.get(address, 0) + 1
        open_phase = replace(open_phase, failures={**open_phase.failures, address: failures})
        if _is_asked_again(state, body, address):
            return replace(state, open=open_phase, failed_attempts=(*state.failed_attempts, turn))
        if asked_about := _asked_about(state, address):
            turn = _as_given(turn, asked_about)
    open_phase = replace(open_phase, answers={**open_phase.answers, address: turn})
    changes: dict[str, Any] = {"open": open_phase}
    if turn.content is not None:
        changes |= _content_given(state, turn.content, event)
    if asks_ballot(state.spec.protocol, open_phase.slot.phase):
        changes["ballots"] = {**state.ballots, turn.seat: _ballot_now(state, turn)}
    return replace(state, **changes)


def _is_asked_again(state: State, failed: TurnFailed, address: TurnId) -> bool:
    """True if the turn is asked again after this attempt."""
    if failed.error in ASKED_ABOUT:
        return True
    if failed.permanent or failed.error == "refused":
        return False
    return failed.transport or state.replies_lost(address) + 1 < state.spec.protocol.attempts


def _ballot_now(state: State, turn: Turn) -> Ballot:
    """The seat's ballot after this turn."""
    if turn.argues_for and state.spec.protocol.contradicting_ballots == "abstain":
        return Ballot(seat=turn.seat, status="abstained", argues_for=turn.argues_for)
    return _ballot(turn, state.ballots.get(turn.seat))


def _asked_about(state: State, address: TurnId) -> Turn | None:
    """The complete turn that the seat was asked about, if there is one."""
    for attempt in state.failed_attempts:
        if attempt.status in ASKED_ABOUT and attempt.address() == address:
            return attempt
    return None


def _as_given(turn: Turn, before: Turn) -> Turn:
    """The original turn, in place of the failed attempt to correct it."""
    return turn._replace(
        status="ok",
        content=before.content,
        argues_for=before.argues_for,
        text="",
        message="",
        transport=False,
        began=False,
        reached=False,
    )


def _without(reserved: tuple[tuple[str, Usage], ...], request: str) -> tuple[tuple[str, Usage], ...]:
    """Drop the latest reservation of this request, whose use is now known; reservations of lost calls stay."""
    for place in reversed(range(len(reserved))):
        if reserved[place][0] == request:
            return reserved[:place] + reserved[place + 1 :]
    return reserved


def _turn(open_phase: OpenPhase, address: TurnId, body: TurnTaken | TurnFailed | TurnSkipped, event: Event) -> Turn:
    def ended(status: TurnStatus, **said: Any) -> Turn:
        return Turn(
            round=open_phase.round,
            phase=open_phase.slot.phase.name,
            seat=address.seat,
            status=status,
            request=body.request,
            by=event.actor,
            at=event.at,
            attempts=open_phase.failures.get(address, 0) + 1,
            started_at=open_phase.started.get(address, ""),
            nth=address.nth,
            **said,
        )

    match body:
        case TurnTaken():
            return ended(
                "ok",
                content=body.content,
                usage=body.usage,
                left_out=body.left_out or (),
                argues_for=body.argues_for,
                no_reason=body.no_reason,
                match=body.match,
            )
        case TurnFailed():
            return ended(
                body.error,
                text=body.partial,
                message=body.message,
                usage=body.usage,
                retry_after_ms=body.retry_after_ms,
                content=body.content,
                argues_for=body.argues_for,
                transport=body.transport,
                began=body.began,
                reached=body.reached,
            )
        case TurnSkipped():
            return ended("skipped", message=body.reason)
        case _:
            assert_never(body)


def _content_given(state: State, content: Content, event: Event) -> Mapping[str, Any]:
    if isinstance(content, Argument) and content.claims:
        return {"claims": {**state.claims, **{claim.id: claim for claim in content.claims}}}
    if isinstance(content, Review):
        given = {m.claim_id: GivenMark(m, event.actor, event.at) for m in content.marks}
        return {"marks": {**state.marks, **given}}
    return {}


_BALLOT_OF: dict[TurnStatus, BallotStatus] = {
    "ok": "abstained",
    "skipped": "abstained",
    "refused": "abstained",
    "timeout": "failed",
    "cut": "failed",
    "failed": "failed",
    "unparseable": "unparseable",
    "weak": "abstained",
    "struck": "struck",
}
"""A turn without a vote replaces the ballot before it, so that an outage never counts as a verdict."""


def _ballot(turn: Turn, before: Ballot | None) -> Ballot:
    content = turn.content
    if not isinstance(content, Argument) or (content.vote in (None, ABSTAIN) and not content.ballot):
        return Ballot(seat=turn.seat, status=_BALLOT_OF[turn.status])
    now = Ballot(
        seat=turn.seat,
        status="cast",
        choice=content.vote,
        given=content.ballot,
        confidence=content.confidence,
        argues_for=turn.argues_for,
    )
    if before is None or before.status != "cast" or before.says() == now.says():
        return now
    return now._replace(changed_by=content.concedes)
