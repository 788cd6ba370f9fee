"""Options that were compared two at a time: every comparison, and how strong each option is by all of them.

Strengths are those of Bradley and Terry's model, with the interval of 95 % that it gives; Elo stands beside them
because it is what other systems show, and depends on the order of the comparisons.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from debate_core.engine import candidates, comparisons
from debate_core.engine.count.strengths import Contest, bradley_terry, strength_intervals
from debate_core.record.state import State
from debate_core.spec.contents import Verdict

ELO_START, ELO_K, ELO_SCALE = 1200.0, 32.0, 400.0
"""As the systems that show Elo have it: what everybody begins with, the most one comparison moves, and the scale."""


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
class RankedRow:
    """One option: `strength` 2 beats 1 in two of three comparisons; None as long as it was never compared."""

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
    """How far a tournament has come."""

    given: int
    most: int | None
    """If every round is held: it may end before, once the best are told apart. None as long as candidates may come."""
    next_pair: tuple[str, str] | None
    """What is compared now and not given yet; the first of those that are asked at once."""
    beside: int
    """How many other pairs are compared at the same time."""


def progress(state: State) -> Comparing:
    """As of now; what has been given in an open phase is counted, and not what it says."""
    waiting = state.open.missing() if state.open and state.outcome is None else ()
    pairs = [state.compared[turn] for turn in waiting if turn in state.compared]
    return Comparing(
        given=len(comparisons.contests(state)),
        most=None if candidates.more_to_come(state) else comparisons.most(state.spec),
        next_pair=pairs[0] if pairs else None,
        beside=max(len(pairs) - 1, 0),
    )


def paired_rows(state: State) -> tuple[PairedRow, ...]:
    """Every comparison that was given, in the order of the schedule."""
    rows = []
    for turn in comparisons.compared_turns(state.all_turns(), state):
        assert isinstance(turn.content, Verdict)
        first, second = state.compared[turn.address()]
        reasoning = turn.content.reasoning if turn.status == "ok" else ""
        rows.append(PairedRow(turn.round, turn.seat, first, second, turn.content.option or "", reasoning))
    return tuple(rows)


def ranked_rows(state: State) -> tuple[RankedRow, ...]:
    """Every option, the strongest first; those never compared last, in the order of set-up. () if none are compared."""
    if not state.spec.protocol.paired:
        return ()
    contests = comparisons.contests(state)
    strengths = bradley_terry(contests).strengths
    intervals = strength_intervals(contests, strengths)
    met = Counter(option for first, second, _ in contests for option in (first, second))
    points = _points(contests)
    elo = elo_of(contests)
    order = [*strengths, *(option for option in state.spec.options if option not in strengths)]
    known: Mapping[str, tuple[float | None, float | None]] = {**intervals}
    rows = []
    for place, option in enumerate(order, start=1):
        low, high = known.get(option, (None, None))
        row = RankedRow(
            place,
            option,
            strengths.get(option),
            low,
            high,
            met[option],
            points.get(option, 0.0),
            elo.get(option, ELO_START),
        )
        rows.append(row)
    return tuple(rows)


def _points(contests: Iterable[Contest]) -> dict[str, float]:
    points: dict[str, float] = {}
    for first, second, won in contests:
        points[first] = points.get(first, 0.0) + won
        points[second] = points.get(second, 0.0) + 1 - won
    return points


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
