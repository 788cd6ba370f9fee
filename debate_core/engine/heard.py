"""Which sides of a debate were heard: without that, no seat decides it.

A side is a debater, or all debaters who defend the same stance together. Pure; knows no ballots: there a quorum does
the same.
"""

from collections.abc import Iterable, Sequence

from debate_core.record.state import State, Turn
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import BySeat
from debate_core.spec.values import Unheard


def sides(spec: Spec) -> tuple[tuple[str, ...], ...]:
    """Ids of the debaters by side, in schedule order; whoever declares no stance is a side of their own."""
    by_stance: dict[str, list[str]] = {}
    for seat in spec.debaters():
        stance = seat.stance.strip().casefold()
        by_stance.setdefault(stance or f"seat {seat.id}", []).append(seat.id)
    return tuple(tuple(seats) for seats in by_stance.values())


def unheard(state: State, before: Turn | None = None) -> tuple[Unheard, ...]:
    """Sides that were not heard, up to this turn of the deciding seat or until now; () where that keeps nobody.

    Heard is a side that gave a turn, and at least half of those that it was asked for. A turn that was struck, or
    that somebody in charge skipped, was not given; one that the seat itself passed over was not asked for.
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
    """The turns before this one, in the order in which the phases ran."""
    if before is None:
        return list(turns)
    end = next(place for place, turn in enumerate(turns) if turn.place() == before.place())
    return list(turns[:end])


def _of_side(seats: tuple[str, ...], turns: Iterable[Turn]) -> Unheard:
    """What became of the turns that this side was asked for."""
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
    """True if the seat had the floor and chose to say nothing."""
    return turn.status == "skipped" and turn.by == turn.seat
