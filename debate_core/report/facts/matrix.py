"""Weighted criteria as a matrix: mean points of each option under each driver, the sums, and which weight would matter.

Made from the ballots as the rule counts them; exact, rounded for reading alone.
"""

from collections.abc import Sequence
from fractions import Fraction

from debate_core.engine import voting
from debate_core.engine.count import counting
from debate_core.engine.count.counting import Cast
from debate_core.engine.count.criteria import Cells, Tip, tips
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.report.facts.counts import final_ballots
from debate_core.report.facts.polls import casts, room_of
from debate_core.spec.people import PollResult
from debate_core.spec.rules import BySeat, CountedRule
from debate_core.text import spoken_list


def debater_matrix(state: State) -> Cells | None:
    """The debaters' last ballots; None if weighted criteria do not decide, or nothing was counted."""
    rule, spec = state.spec.protocol.decide, state.spec
    if isinstance(rule, BySeat) or not state.counted:
        return None
    return _cells(state, rule, voting.casts(final_ballots(state), spec.debaters()))


def poll_matrix(state: State, poll: PollState, result: PollResult) -> Cells | None:
    """The ballots of one revealed count; None under any other rule."""
    return _cells(state, room_of(state).vote, casts(state, poll, result.electorate))


def _cells(state: State, rule: CountedRule, ballots: Sequence[Cast]) -> Cells | None:
    if rule.kind != "weighted_criteria":
        return None
    return counting.cells_of(state.spec.options, [b for b in ballots if b.says()], state.spec.drivers)


def percent(share: Fraction) -> float:
    """A weight out of 100, to two decimals."""
    return round(float(share * 100), 2)


def tip_words(tip: Tip) -> str:
    """`62.5 instead of 40: b draws level, and wins beyond`; or that no weight would do."""
    if tip.to is None:
        return "no weight of this driver changes the winner"
    verb, then = ("draws", "wins") if len(tip.options) == 1 else ("draw", "one of them wins")
    return (
        f"{percent(tip.to):g} instead of {percent(tip.weight):g}: {spoken_list(tip.options)} {verb} level, "
        f"and {then} beyond"
    )


def weights_sentence(state: State) -> str:
    """Which weight of a driver, the others scaled in proportion, would change the winner; empty under other rules."""
    found = debater_matrix(state)
    near = tips(found) if found else ()
    if not near:
        return ""
    told = "; ".join(f"{t.driver}: {tip_words(t)}" for t in near if t.to is not None)
    return f"Weights that would change the winner, the others scaled in proportion: {told or 'none of one driver'}."
