"""Side coverage: a seat may decide only after every side was heard.

A side is a debater, or all debaters with the same stance. Pure; debates that count ballots use a quorum instead.
"""

from collections.abc import Iterable, Sequence

from debate_core.record.state import State, Turn
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import BySeat
from debate_core.spec.values import Unheard


def sides(spec: Spec) -> tuple[tuple[str, ...], ...]:
    """Ids of the debaters by side, in schedule order; a debater without a stance is a separate side."""
    by_stance: dict[str, list[str]] = {}
    for seat in spec.debaters():
        stance = seat.stance.strip().casefold()
        by_stance.setdefault(stance or f"seat {seat.id}", []).append(seat.id)
    return tuple(tuple(seats) for seats in by_stance.values())


def unheard(state: State, before: Turn | None = None) -> tuple[Unheard, ...]:
    """Sides that were not heard before this turn of the deciding seat, or until now; () where no rule asks for it.

    A side is heard if it gave at least one turn and at least half of the turns it was asked for. Struck turns, and
    turns that a facilitator skipped, were not given; turns that the seat itself passed were not asked for.
    """
    rule = state.spec.protocol.decide
    if not isinstance(rule, BySeat) or rule.decides_unheard:
        return ()
    turns = _until(state.all_turns(), before)
    silent_sides = []
    for seats in sides(state.spec):
        side = _of_side(seats, turns)
        if not side.given or 2 * side.given < side.asked:
            silent_sides.append(side)
    return tuple(silent_sides)


def _until(turns: Sequence[Turn], before: Turn | None) -> list[Turn]:
    """The turns before this one, in schedule order."""
    if before is None:
        return list(turns)
    end = next(place for place, turn in enumerate(turns) if turn.place() == before.place())
    return list(turns[:end])


def _of_side(seats: tuple[str, ...], turns: Iterable[Turn]) -> Unheard:
    """Count the turns that this side was asked for and gave."""
    asked = [turn for turn in turns if turn.seat in seats and not _passed(turn)]
    lost = [turn for turn in asked if turn.status != "ok"]
    return Unheard(
        seats=seats,
        asked=len(asked),
        given=len(asked) - len(lost),
        since=lost[0].round if lost else None,
        why=tuple(turn.status for turn in lost),
    )


def _passed(turn: Turn) -> bool:
    """True if the seat itself passed its turn."""
    return turn.status == "skipped" and turn.by == turn.seat
