"""The schedule: who speaks, and which phase comes next. Code owns the order; no content can change it.

Also the means to steer a debate from within: directives, and positions for debaters without a stance.
"""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import takewhile
from typing import assert_never

from debate_core.engine import candidates, crux, voting
from debate_core.record.ids import RequestId, TurnId
from debate_core.record.state import OpenPhase, Request, State
from debate_core.sentence import Sentence
from debate_core.spec.contents import CRUX_KINDS, Content, Directive, Position, Positions
from debate_core.spec.protocol import Phase, Protocol, Slot

MAX_TURNS_OF_ONE = 3
"""Limit per phase that a directive leads: each turn is a call that may cost money."""


def speakers(state: State, phase: Phase, number: int) -> tuple[str, ...]:
    """Seat ids of a phase in round `number`, in order; () if no seat holds the role or there is nothing to do.

    A directive of this round names the speakers of the phases that it directs; without one all speak. A seat that is
    named twice has two turns, unless the phase is at_once.
    """
    if _nothing_to_do(state, phase, number):
        return ()
    if phase.gives in CRUX_KINDS:
        return crux.seats_asked(state)
    directive = directive_of(state, number) if phase.directed else None
    if directive is not None:
        if phase.order == "at_once":
            return tuple(dict.fromkeys(directive.next_speakers))
        return directive.next_speakers
    seats = list(state.spec.ids_of(phase.role))
    if phase.places:
        seats = [seats[place - 1] for place in phase.places if place <= len(seats)]
    return tuple(_started(seats, phase, number, state.spec.seed))


def _nothing_to_do(state: State, phase: Phase, number: int) -> bool:
    """True if there is nothing left to mark, to assign, to screen, to redo or to decide."""
    if phase.after_redo and not sent_back(state, number):
        return True
    if phase.unless_decided and len(voting.winners(state)) == 1:
        return True
    match phase.gives:
        case "review":
            return not reviewable(state)
        case "positions":
            return not state.spec.without_stance()
        case "decisive_claim":
            return not state.claims
        case "suppositions":
            return not crux.asked_of_seats(state)
        case "screening":
            return phase.role != "chair" and not candidates.joining_now(state)
        case _:
            return False


def _started(seats: list[str], phase: Phase, number: int, seed: int) -> list[str]:
    match phase.starts:
        case "declared":
            return seats
        case "rotate":
            first = (number - 1) % max(len(seats), 1)
            return seats[first:] + seats[:first]
        case "drawn":
            # By place, not by name: renaming seats must not change the order of speakers.
            lots = [sha256(f"{seed}:{number}:{phase.name}:{place}".encode()).digest() for place in range(len(seats))]
            return [seat for _, seat in sorted(zip(lots, seats, strict=True))]
        case _:
            assert_never(phase.starts)


def directive_of(state: State, number: int) -> Directive | None:
    """The directive that steers this round: the last one that a moderator or the chair gave in an ended phase.

    None while the latest directive was sent back and not replaced.
    """
    last = next(_directives(state, number), None)
    return None if last is None or last.redo else last


def _directives(state: State, number: int) -> Iterator[Directive]:
    """Directives of this round, newest first. A struck one does not count."""
    for turn in reversed(state.turns):
        if turn.round < number:
            return
        if turn.round == number and turn.status == "ok" and isinstance(turn.content, Directive):
            yield turn.content


def sent_back(state: State, number: int) -> str:
    """The chair's reason for sending a directive of this round back; "" if none was."""
    for directive in _directives(state, number):
        if directive.redo:
            return directive.reason
    return ""


def may_send_back(state: State, request: Request) -> bool:
    """True if the chair is asked and can send the moderator's directive back, at most once a round."""
    is_chair = state.spec.seat(request.seat).role == "chair"
    if request.gives != "directive" or not is_chair or sent_back(state, request.round):
        return False
    return directive_of(state, request.round) is not None and _moderator_is_asked_again(state, request.round)


def _moderator_is_asked_again(state: State, number: int) -> bool:
    """True if a later phase of this round lets the moderator redo a directive that was sent back."""
    if not state.spec.seats_of("moderator"):
        return False
    for slot in state.slots[state.position :]:
        is_of_round = (slot.section, slot.round) == ("round", number)
        if is_of_round and slot.phase.after_redo and slot.phase.role == "moderator":
            return True
    return False


def redo_fault(state: State, request: Request, content: Content) -> Sentence | None:
    """The reason why this content cannot send a directive back here."""
    if not isinstance(content, Directive) or not content.redo or may_send_back(state, request):
        return None
    return Sentence(
        "redo: only the chair can send a directive back, once a round, where the moderator is then asked again"
    )


def may_repeat(protocol: Protocol) -> bool:
    """True if a directive can give one debater several turns of a phase."""
    return any(phase.directed and phase.order == "in_turn" for phase in protocol.each_round)


def repeats_fault(state: State, content: Content) -> Sentence | None:
    """The reason why this directive names a debater too often."""
    if not isinstance(content, Directive) or not may_repeat(state.spec.protocol):
        return None
    times = Counter(content.next_speakers)
    often = next((seat for seat in times if times[seat] > MAX_TURNS_OF_ONE), None)
    if often is None:
        return None
    return Sentence(
        "next_speakers names {often} {times} times: at most {max_turns_of_one} turns per debater and round",
        often=often,
        times=times[often],
        max_turns_of_one=MAX_TURNS_OF_ONE,
    )


def position_of(state: State, seat_id: str) -> Position | None:
    """The position assigned to a debater without a stance, from the latest assignment."""
    seats = [seat.id for seat in state.spec.without_stance()]
    if seat_id not in seats:
        return None
    # Positions are assigned before the rounds; reading all turns for each turn would be quadratic.
    before = {phase.name for phase in state.spec.protocol.before}
    for turn in reversed(tuple(takewhile(lambda turn: turn.phase in before, state.turns))):
        if turn.status == "ok" and isinstance(turn.content, Positions):
            return turn.content.positions[seats.index(seat_id)]
    return None


def stance_of(state: State, seat_id: str) -> str:
    """The side that a seat defends now, in short: its declared stance, else the name of its assigned position."""
    declared = state.spec.seat(seat_id).stance
    position = None if declared.strip() else position_of(state, seat_id)
    return position.name if position else declared


def reviewable(state: State) -> tuple[str, ...]:
    """Ids of claims that a person still has to mark: passages quoted by the evidence panel."""
    return tuple(claim_id for claim_id in quoted_passages(state) if claim_id not in state.marks)


def quoted_passages(state: State) -> tuple[str, ...]:
    """Ids of claims with a quote that the evidence panel made in ended phases, in schedule order."""
    panel = {seat.id for seat in state.spec.evidence_panel()}
    ids: list[str] = []
    for turn in state.turns:
        if turn.seat in panel and turn.status == "ok":
            ids += [claim.id for claim in turn.claims if claim.quote]
    return tuple(ids)


def next_slot(state: State, *, rounds_over: bool) -> tuple[int, Slot] | None:
    """(round, slot) of the next phase with speakers; after the rounds, only closing phases. None = there is none."""
    for slot in state.slots[state.position + 1 :]:
        is_closing = slot.section == "after"
        if rounds_over and not is_closing:
            continue
        number = max(state.current_round(), 1) if is_closing else slot.round
        if speakers(state, slot.phase, number):
            return number, slot
    return None


def round_is_complete(state: State) -> bool:
    """True if no phase with speakers is left in the current round."""
    if state.position < 0:
        return False
    last = state.slots[state.position]
    if last.section != "round":
        return False
    for slot in state.slots[state.position + 1 :]:
        if (slot.section, slot.round) != (last.section, last.round):
            return True
        if speakers(state, slot.phase, slot.round):
            return False
    return True


def open_requests(state: State) -> tuple[Request, ...]:
    """The open requests: every missing turn of an at_once phase, else the next turn."""
    open_phase = state.open
    if open_phase is None:
        return ()
    return tuple(_request(open_phase, turn) for turn in _asked_turns(open_phase))


def request_of(state: State, request_id: str) -> Request | None:
    """The open request of this id, or None."""
    if state.open is None:
        return None
    try:
        turn = RequestId.parse(request_id).turn
    except ValueError:
        return None
    if turn not in _asked_turns(state.open):
        return None
    request = _request(state.open, turn)
    # The attempt may be another one, or the id be written in another way.
    return request if request.id == request_id else None


def _asked_turns(open_phase: OpenPhase) -> tuple[TurnId, ...]:
    missing = open_phase.missing()
    return missing if open_phase.slot.phase.order == "at_once" else missing[:1]


def request_for(open_phase: OpenPhase, seat: str) -> Request:
    """The first open or coming request of a seat in the open phase."""
    return _request(open_phase, next(turn for turn in open_phase.missing() if turn.seat == seat))


def _request(open_phase: OpenPhase, turn: TurnId) -> Request:
    attempt = open_phase.failures.get(turn, 0) + 1
    gives = open_phase.slot.phase.gives
    return Request(turn.request_id(attempt), turn.seat, turn.round, turn.phase, gives, attempt, turn.nth)
