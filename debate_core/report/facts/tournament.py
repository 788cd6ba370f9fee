"""Pairwise comparisons of options, and the strength of each option over all of them.

Strengths are those of Bradley and Terry's model with its 95 % interval. Elo is included because other systems show it;
it depends on the order of the comparisons.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from debate_core.engine import candidates, comparisons
from debate_core.engine.count.bradley_terry import Contest, bradley_terry, strength_intervals
from debate_core.record.state import State
from debate_core.spec.contents import Verdict

ELO_START, ELO_K, ELO_SCALE = 1200.0, 32.0, 400.0
"""The usual parameters of Elo: initial rating, maximum change per comparison, and scale."""


@dataclass(frozen=True, slots=True)
class PairedRow:
    """One comparison of two options; `preferred` empty = neither was better."""

    round: int
    seat: str
    first: str
    second: str
    preferred: str
    reason: str


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One comparison by a short debate; `preferred` empty = neither was better."""

    round: int
    seat: str
    """The seat that judged."""
    first: str
    second: str
    preferred: str
    match: str
    """Id of the short debate."""


@dataclass(frozen=True, slots=True)
class RankedRow:
    """One option: `strength` 2 beats 1 in two of three comparisons; None if never compared."""

    place: int
    option: str
    strength: float | None
    low: float | None
    high: float | None
    comparisons: int
    points: float
    """Comparisons won, a tie as one half."""
    elo: float


@dataclass(frozen=True, slots=True)
class Comparing:
    """Progress of a tournament."""

    given: int
    most: int | None
    """Maximum number; the tournament ends earlier once the best are separated. None while candidates may be added."""
    next_pair: tuple[str, str] | None
    """The pair to compare now; the first of simultaneous ones."""
    beside: int
    """Number of other pairs compared at the same time."""


def progress(state: State) -> Comparing:
    """Progress so far, including the number of comparisons given in an open phase."""
    waiting = state.open.missing() if state.open and state.outcome is None else ()
    pairs = [state.compared[turn] for turn in waiting if turn in state.compared]
    return Comparing(
        given=len(comparisons.contests(state)),
        most=None if candidates.more_to_come(state) else comparisons.most(state.spec),
        next_pair=pairs[0] if pairs else None,
        beside=max(len(pairs) - 1, 0),
    )


def paired_rows(state: State) -> tuple[PairedRow, ...]:
    """Every comparison given, in schedule order."""
    rows = []
    for turn in comparisons.compared_turns(state.all_turns(), state):
        assert isinstance(turn.content, Verdict)
        first, second = state.compared[turn.address()]
        reasoning = turn.content.reasoning if turn.status == "ok" else ""
        rows.append(PairedRow(turn.round, turn.seat, first, second, turn.content.option or "", reasoning))
    return tuple(rows)


def match_rows(state: State) -> tuple[MatchRow, ...]:
    """Every comparison by a short debate, in schedule order."""
    rows = []
    for turn in comparisons.compared_turns(state.all_turns(), state):
        if turn.match is not None and isinstance(turn.content, Verdict):
            first, second = state.compared[turn.address()]
            rows.append(MatchRow(turn.round, turn.seat, first, second, turn.content.option or "", turn.match))
    return tuple(rows)


def ranked_rows(state: State) -> tuple[RankedRow, ...]:
    """Options by strength, then those never compared, in their declared order; () without comparisons."""
    if not state.spec.protocol.paired:
        return ()
    contests = comparisons.contests(state)
    strengths = bradley_terry(contests).strengths
    intervals = strength_intervals(contests, strengths)
    met = Counter[str]()
    points = defaultdict[str, float](float)
    for first, second, won in contests:
        met.update((first, second))
        points[first] += won
        points[second] += 1 - won
    elo = elo_of(contests)
    order = [*strengths, *(option for option in state.spec.options if option not in strengths)]
    known: Mapping[str, tuple[float | None, float | None]] = {**intervals}
    rows = []
    for place, option in enumerate(order, start=1):
        low, high = known.get(option, (None, None))
        strength, rating = strengths.get(option), elo.get(option, ELO_START)
        rows.append(RankedRow(place, option, strength, low, high, met[option], points[option], rating))
    return tuple(rows)


def elo_of(contests: Iterable[Contest]) -> Mapping[str, float]:
    """Elo of each item after these contests, in their order."""
    elo: dict[str, float] = {}
    for first, second, won in contests:
        a = elo.get(first, ELO_START)
        b = elo.get(second, ELO_START)
        gain = ELO_K * (won - 1 / (1 + 10 ** ((b - a) / ELO_SCALE)))
        elo[first] = a + gain
        elo[second] = b - gain
    return elo
