"""Forecasts of judges, seats and people: the option they named in one debate, and their confidence.

`track_record` compares these rows with the outcomes. Only revealed forecasts are included; ballots of people in polls
are left out, because they may be secret. Knows one debate and no outcome.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Literal

from debate_core.engine.stage import name_of
from debate_core.engine.voting import both_orders
from debate_core.record.state import State, Turn
from debate_core.report.facts.judgements import last_words
from debate_core.report.facts.office_turns import turns_giving
from debate_core.spec.contents import Argument, Synthesis, Verdict
from debate_core.spec.rotation import seat_in_round
from debate_core.spec.values import in_words

StatedBy = Literal["person", "model", "program"]
IN_THE_ROOM = "judges in the room"
"""Seat name of people who judge without a seat."""


@dataclass(frozen=True, slots=True)
class Stated:
    """Final forecast of one speaker."""

    who: str
    """Name of a person, or model name as reported by its server."""
    by: StatedBy
    seat: str
    judges: bool
    """True for the verdict of a judge, False for the vote of a debater and for a synthesis."""
    named: tuple[str, ...]
    """The option; two if a judge named different ones in the two orders."""
    shares: Mapping[str, float] | None
    """Option -> probability; None without a stated confidence."""
    debates: bool = False
    """True for the vote of a debater."""


@dataclass(frozen=True, slots=True)
class AskedTwice:
    """A verdict that was asked in both orders."""

    who: str
    by: StatedBy
    same: bool
    margin: float | None
    """Lead of the first order's option over the next one, 0 to 1; None without a stated confidence."""


def stated(state: State) -> tuple[Stated, ...]:
    """The last forecast of each speaker: seats first, then judges in the room."""
    last: dict[str, Turn] = {}
    for turn in state.all_turns():
        if turn.status == "ok" and _named(turn):
            last[turn.seat] = turn
    seats = [_by_seat(state, turn) for turn in last.values()]
    room = [_by_judge(name_of(state, person), given) for person, given in last_words(state).items()]
    return (*seats, *room)


def model_votes(votes: Iterable[Stated]) -> tuple[tuple[str, str], ...]:
    """Model and option of each vote of a debater that is a model."""
    return tuple((one.who, one.named[0]) for one in votes if one.by == "model" and one.debates and len(one.named) == 1)


def asked_twice(state: State) -> tuple[AskedTwice, ...]:
    """Verdicts that were given in both orders."""
    found = []
    once = [turn for turn, _ in turns_giving(state, Verdict) if not state.phase(turn.phase).sees.mirrors]
    for turn in once:
        match both_orders(state, turn):
            case (Synthesis() | Verdict() as first, Synthesis() | Verdict() as second):
                margin = _margin(first, len(state.spec.options))
                found.append(AskedTwice(*_speaker(state, turn), first.option == second.option, margin))
    return tuple(found)


def _margin(first: Synthesis | Verdict, n_options: int) -> float | None:
    if first.option is None or first.confidence is None:
        return None
    sure = first.confidence / 100
    return max(0.0, sure - (1 - sure) / (n_options - 1))


def shares_of(option: str, percent: int, options: Sequence[str]) -> dict[str, float]:
    """Give the named option its stated probability, and equal parts of the rest to the others."""
    sure = percent / 100
    return {o: sure if o == option else (1 - sure) / (len(options) - 1) for o in options}


def mean_shares(given: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Mean of forecasts of the same options."""
    return {option: fsum(shares[option] for shares in given) / len(given) for option in given[0]}


def _named(turn: Turn) -> str | None:
    """The option of this turn, including an abstention; None if it names none."""
    match turn.content:
        case Argument(vote=option) | Synthesis(option=option) | Verdict(option=option):
            return option
        case _:
            return None


def _by_judge(name: str, given: Mapping[str, float]) -> Stated:
    """The forecast of a judge in the room."""
    most = max(given.values())
    favourites = tuple(option for option, share in given.items() if share == most)
    return Stated(who=name, by="person", seat=IN_THE_ROOM, judges=True, named=favourites, shares=dict(given))


def _by_seat(state: State, turn: Turn) -> Stated:
    who, by = _speaker(state, turn)
    options = state.spec.options
    orders = both_orders(state, turn) if isinstance(turn.content, Synthesis | Verdict) else (turn.content,)
    words = [word for word in orders if isinstance(word, Argument | Synthesis | Verdict)]
    named: dict[str, None] = {}
    sure = []
    for word in words:
        option = word.vote if isinstance(word, Argument) else word.option
        if option in options:
            named[option] = None
            if word.confidence is not None:
                sure.append(shares_of(option, word.confidence, options))
    shares = mean_shares(sure) if sure and len(sure) == len(words) else None
    return Stated(
        who=who,
        by=by,
        seat=in_words(turn.seat),
        judges=isinstance(turn.content, Verdict),
        named=tuple(named),
        debates=isinstance(turn.content, Argument),
        shares=shares,
    )


def _speaker(state: State, turn: Turn) -> tuple[str, StatedBy]:
    seat = state.spec.seat(turn.seat)
    if turn.by != turn.seat:
        return name_of(state, turn.by), "person"
    if seat.occupant == "human":
        return in_words(seat.id), "person"
    if not seat.is_model:
        return in_words(seat.id), "program"
    if turn.usage and turn.usage.model:
        return turn.usage.model, "model"
    line = state.spec.line(seat_in_round(state.spec, seat.id, turn.round))
    return (line.model if line else "") or in_words(seat.id), "model"
