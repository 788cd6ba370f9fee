"""Whom the seat that judges a debate favours by their place: the debater who was declared first, or the last one.

Over many debates that should be chance, whatever was argued: a tilt is of the judge, not of the arguments.
"""

from debate_core.engine.option_names import named_option, negated
from debate_core.engine.schedule import stance_of
from debate_core.engine.voting import named_by
from debate_core.record.state import State
from debate_core.spec.contents import Evaluation, Quality


def leans_first(state: State) -> bool | None:
    """True if the seat that rates the arguments, or decides, favours the first debater; False the last; else None."""
    debaters = [seat.id for seat in state.spec.debaters()]
    favoured = _favoured(state, debaters)
    if favoured is None or len(debaters) < 2 or favoured not in (debaters[0], debaters[-1]):
        return None
    return favoured == debaters[0]


def _favoured(state: State, debaters: list[str]) -> str | None:
    """The one debater who was rated best, else whose side was named; None if there is none, or several."""
    ratings = [turn.content.quality for turn in state.turns if isinstance(turn.content, Evaluation)]
    if ratings:
        return _rated_best(ratings[-1], debaters)
    role = state.spec.protocol.deciding_role
    named = named_by(state, role) if role else None
    if named is None or named[1] is None:
        return None
    return _alone([seat for seat in debaters if _defends(state, seat) == named[1]])


def _rated_best(ratings: tuple[Quality, ...], debaters: list[str]) -> str | None:
    best = max((rating.score for rating in ratings), default=None)
    return _alone([rating.seat for rating in ratings if rating.score == best and rating.seat in debaters])


def _defends(state: State, seat: str) -> str | None:
    side = stance_of(state, seat)
    return None if negated(side) else named_option(side, state.spec.options)


def _alone(seats: list[str]) -> str | None:
    return seats[0] if len(seats) == 1 else None
