"""Moves of debaters between their first and last ballots: corrected, talked out of the right option, or neither.

Knows no words.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from debate_core.engine.ballot_consistency import highest_on
from debate_core.record.state import State
from debate_core.spec.contents import Argument


class BallotMove(NamedTuple):
    """The favourites of one debater's first and last ballot."""

    first: tuple[str, ...]
    last: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Moves:
    """Debaters with two ballots or more where the right option is known, and the moves among them."""

    debaters: int
    corrected: int
    """From another option to the right one."""
    talked_out: int
    """From the right option to another one, or to several."""
    elsewhere: int
    """Between wrong options."""

    @property
    def all(self) -> int:
        return self.corrected + self.talked_out + self.elsewhere


def favourites(state: State) -> Mapping[str, Sequence[tuple[str, ...]]]:
    """Debater -> the favourites of each of its ballots, in order."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for turn in state.turns:
        if isinstance(turn.content, Argument) and (highest := highest_on(state, turn.content)):
            found.setdefault(turn.seat, []).append(highest)
    return found


def ballot_moves(state: State) -> tuple[BallotMove, ...]:
    """One for each debater with at least two ballots."""
    return tuple(BallotMove(own[0], own[-1]) for own in favourites(state).values() if len(own) > 1)


def count_moves(cases: Iterable[tuple[str, Sequence[BallotMove]]]) -> Moves:
    """Count the moves of debates, each with its right option."""
    debaters = corrected = talked_out = elsewhere = 0
    for right, moves in cases:
        debaters += len(moves)
        for move in moves:
            was_right, is_right = move.first == (right,), move.last == (right,)
            corrected += is_right and not was_right
            talked_out += was_right and not is_right
            elsewhere += move.first != move.last and not was_right and not is_right
    return Moves(debaters, corrected, talked_out, elsewhere)
