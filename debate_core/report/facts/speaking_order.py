"""The order of speakers in the open phase, and the phase in which a seat speaks next."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from debate_core.engine import schedule
from debate_core.engine.engine import requests
from debate_core.record.state import State
from debate_core.spec.protocol import Slot


@dataclass(frozen=True, slots=True)
class PlannedTurn:
    """A turn of the open phase: given, asked now, or to come."""

    seat: str
    when: Literal["given", "now", "later"]


def speaking_order(state: State) -> tuple[PlannedTurn, ...]:
    """Every turn of the open phase, in order; () between phases."""
    if state.open is None:
        return ()
    given = Counter(turn.seat for turn in state.open.answers)
    asked = {request.seat for request in requests(state)}
    order = []
    for seat in state.open.speakers:
        if given[seat]:
            given[seat] -= 1
            order.append(PlannedTurn(seat, "given"))
        elif seat in asked:
            asked.discard(seat)
            order.append(PlannedTurn(seat, "now"))
        else:
            order.append(PlannedTurn(seat, "later"))
    return tuple(order)


def next_slot_of(state: State, seats: Collection[str]) -> Slot | None:
    """The first phase after the open one in which one of these seats speaks, if all rounds are held; None = none."""
    for slot in state.slots[state.position + 1 :]:
        if not set(seats).isdisjoint(schedule.speakers(state, slot.phase, slot.round)):
            return slot
    return None
