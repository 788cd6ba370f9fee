"""Documents that only some seats read before the end: the withheld ones, and the readers without access.

Their readers make a passage public by quoting it; the end opens the whole document. Knows no prompts and screens.
"""

from collections.abc import Collection

from debate_core.record.ids import TurnId
from debate_core.record.look_ups import LookedUp
from debate_core.record.state import State
from debate_core.spec.values import Source


def is_read_by(source: Source, seats: Collection[str]) -> bool:
    """True if one of these seats reads the document during the debate."""
    return source.only_for is None or not set(source.only_for).isdisjoint(seats)


def withheld_sources(state: State) -> tuple[Source, ...]:
    """The documents that not all may read yet; () after the end."""
    if state.outcome is not None:
        return ()
    return tuple(source for source in state.spec.sources if source.only_for is not None)


def opened_sources(state: State) -> tuple[Source, ...]:
    """The documents as everyone may read them now: a withheld one has its title and an empty text."""
    if not withheld_sources(state):
        return state.spec.sources
    return tuple(
        source if source.only_for is None else source.model_copy(update={"text": ""}) for source in state.spec.sources
    )


def has_withheld(state: State, seat: str) -> bool:
    """True if this seat reads a document that others may not read yet: its searches and thinking are not shown."""
    return any(is_read_by(source, (seat,)) for source in withheld_sources(state))


def shown_look_ups(state: State, turn: TurnId) -> tuple[LookedUp, ...]:
    """The look-ups before a turn, as everyone may read them now."""
    return () if has_withheld(state, turn.seat) else state.look_ups_of(turn)
