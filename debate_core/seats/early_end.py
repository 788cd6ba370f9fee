"""The offer to end a debate of models after its first blind ballot, with the forecast price of going on.

Knows no screen; the forecast assumes that every further round is held.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from debate_core.engine import stage, voting
from debate_core.engine.limits import total
from debate_core.engine.validate_actions import fault
from debate_core.record.acts import LastRound
from debate_core.record.state import State
from debate_core.seats.forecast import ForecastTurn, forecast
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Usage


@dataclass(frozen=True, slots=True)
class EarlyEnd:
    """The turns that an end now would save. `usage` has an unknown cost if a price is unknown."""

    usage: Usage
    is_last_round: bool
    """True in a room, whose running round can become the last one and decide; else only a stop is possible."""


def early_end(state: State, by: str) -> EarlyEnd | None:
    """The offer to this person while only the first ballot, given blind, is counted; else None.

    None also if a person has a seat, if a seat or people decide, or if nothing more would be asked.
    """
    if state.outcome is not None or len(state.counted) != 1 or not _is_of_models(state):
        return None
    in_room = state.spec.has_people
    if in_room and fault(state, LastRound(reason="?"), by) is not None:
        return None
    saved = [row for row in _rows(state.spec, state.opened_at) if _is_saved(state, row, is_last_round=in_room)]
    usage = total(row.usage for row in saved)
    return EarlyEnd(usage, in_room) if usage.calls else None


def _is_of_models(state: State) -> bool:
    spec = state.spec
    has_person = any(seat.occupant == "human" for seat in spec.seats) or bool(stage.sitting(state))
    counts_seats = spec.protocol.deciding_role is None and spec.terms.decides == "debaters"
    only_models = all(seat.is_model for seat in spec.debaters())
    return only_models and counts_seats and not has_person and voting.first_is_blind(spec.protocol)


def _is_saved(state: State, row: ForecastTurn, *, is_last_round: bool) -> bool:
    if is_last_round:
        return row.stage == "round" and row.round > state.current_round()
    return (row.round, row.phase) not in state.ran


@lru_cache(maxsize=32)
def _rows(spec: Spec, opened_at: str) -> tuple[ForecastTurn, ...]:
    return forecast(spec, at=datetime.fromisoformat(opened_at)).rows
