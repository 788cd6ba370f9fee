"""Pairwise comparisons of options: the answers so far, the next pairs, and the ranking that follows.

A comparison is a verdict on two options. Without an option it is a tie; a failed one does not count.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from debate_core.engine.candidates import more_to_come
from debate_core.engine.count.bradley_terry import Contest, bradley_terry, told_apart
from debate_core.engine.count.pair_selection import Pair, next_pairs
from debate_core.record.state import State, Turn
from debate_core.spec.contents import Verdict
from debate_core.spec.protocol import Phase, Spec
from debate_core.spec.rules import Tournament


@dataclass(frozen=True, slots=True)
class Ranking:
    """Options by strength, the strongest first; options without a comparison are left out."""

    contests: tuple[Contest, ...]
    strengths: tuple[tuple[str, float], ...]

    @property
    def options(self) -> tuple[str, ...]:
        """The options without strengths, in the same order."""
        return tuple(option for option, _ in self.strengths)

    def told_apart_after(self, place: int) -> bool:
        """True if the option at this place (1 = strongest) beats the next one beyond chance."""
        if not 1 <= place < len(self.strengths):
            return False
        return told_apart(self.contests, self.options[place - 1], self.options[place])


def ranking(state: State) -> Ranking:
    """The ranking from all comparisons so far."""
    return _ranking(contests(state))


@lru_cache(maxsize=64)
def _ranking(compared: tuple[Contest, ...]) -> Ranking:
    return Ranking(compared, tuple(bradley_terry(compared).strengths.items()))


def contests(state: State) -> tuple[Contest, ...]:
    """Every answered comparison in schedule order."""
    turns = compared_turns(state.all_turns(), state)
    return tuple(_contest(turn, state.compared[turn.address()]) for turn in turns)


def compared_turns(turns: Iterable[Turn], state: State) -> tuple[Turn, ...]:
    """The turns that are comparisons. A struck one still counts, as a struck ballot does."""
    verdicts = []
    for turn in turns:
        is_verdict = turn.status in ("ok", "struck") and isinstance(turn.content, Verdict)
        if is_verdict and turn.address() in state.compared:
            verdicts.append(turn)
    return tuple(verdicts)


def _contest(turn: Turn, pair: Pair) -> Contest:
    assert isinstance(turn.content, Verdict)
    named = turn.content.option
    return (*pair, 0.5 if named is None else float(named == pair[0]))


def wave(state: State, phase: Phase, number: int) -> tuple[tuple[str, ...], tuple[Pair, ...]]:
    """The seats asked in this phase, and the pair of options that each of them compares.

    Seats take turns; both orders of a pair go to the same seat.
    """
    seats = state.spec.ids_of(phase.role)
    seed = f"{state.spec.seed}:{number}"
    asked: list[str] = []
    pairs: list[Pair] = []
    for place, pair in enumerate(next_pairs(state.spec.options, contests(state), top=looked_for(state), seed=seed)):
        orders = [pair, (pair[1], pair[0])] if _asks_both_orders(state.spec) else [pair]
        asked += [seats[(place + number) % len(seats)]] * len(orders)
        pairs += orders
    return tuple(asked), tuple(pairs)


def _asks_both_orders(spec: Spec) -> bool:
    rule = spec.protocol.decide
    return isinstance(rule, Tournament) and rule.both_orders


def has_matches(spec: Spec) -> bool:
    """True if each pair is compared in a short debate."""
    rule = spec.protocol.decide
    return isinstance(rule, Tournament) and rule.matches is not None


def most(spec: Spec) -> int:
    """Number of comparisons if every round is held."""
    phases = sum(phase.paired for phase in spec.protocol.each_round)
    orders = 2 if _asks_both_orders(spec) else 1
    return spec.max_rounds * phases * (len(spec.options) // 2) * orders


def looked_for(state: State) -> int | None:
    """Number of top options to find; None if all are ranked, or the options are that few."""
    rule = state.spec.protocol.decide
    if not isinstance(rule, Tournament) or rule.top is None:
        return None
    return rule.top if rule.top < len(state.spec.options) else None


def top_settled(state: State) -> bool:
    """True if the top options, as many as are looked for, are separated from the rest beyond chance."""
    top = looked_for(state)
    if top is None or more_to_come(state) or not _all_met(state):
        return False
    return ranking(state).told_apart_after(top)


def in_order(state: State) -> tuple[str, ...]:
    """All options, the strongest first; options without a comparison last, in their declared order."""
    ranked = ranking(state).options
    return (*ranked, *(option for option in state.spec.options if option not in ranked))


def level_with_last(state: State) -> tuple[str, tuple[str, ...]]:
    """The last of the top options, and the options right behind it that cannot be separated from it.

    ("", ()) if no top options are looked for, or nothing was compared.
    """
    top = looked_for(state)
    ranked = ranking(state)
    if top is None or top > len(ranked.strengths):
        return "", ()
    last = ranked.options[top - 1]
    behind = ranked.options[top:]
    return last, tuple(takewhile(lambda other: not told_apart(ranked.contests, last, other), behind))


def strongest(state: State) -> tuple[str, ...]:
    """The option that is separated from all others; () without one, or if most comparisons are missing."""
    ranked = ranking(state)
    if not ranked.told_apart_after(1) or not quorum_met(state) or not _all_met(state):
        return ()
    return ranked.options[:1]


def _all_met(state: State) -> bool:
    """True if every candidate proposed during the debate was compared at least once."""
    return not state.spec.protocol.generates or len(ranking(state).strengths) == len(state.spec.options)


def quorum_met(state: State) -> bool:
    """True if more than half of the requested comparisons were answered."""
    return 2 * len(contests(state)) > len(state.compared)
