"""The outcome of a debate by the agreed rule, under all its conditions.

All pages, reports, records and tables read the outcome from here, so that they agree. It contains the count applied
at the close (or so far), or the deciding seat, and neither if the debate was cut off before the rule could be applied.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from debate_core.engine import stopping, voting
from debate_core.engine.count.count import Count, Result
from debate_core.record.state import State
from debate_core.report.facts.counts import debaters_count, final_tally
from debate_core.spec.values import Role, Tally

Standing = Literal["open", "decided", "undecided", "cut_off"]
Agreement = Literal["consensus", "split", "incoherent", "no_ballots", "too_few_ballots", "refused", "cut_off"]


@dataclass(frozen=True, slots=True)
class Ruling:
    """Result of the agreed rule. If people vote on it afterwards, it is advice."""

    standing: Standing
    """`cut_off`: the debate ended before the rule could be applied, and nothing is decided."""
    option: str | None
    """The decided option; None if there is none."""
    seat_role: Role | None
    """Role of the seat that decides by naming an option; None if ballots are counted."""
    ended_by: str | None
    tally: Tally
    """In heads."""
    count: Count | None
    """The counted ballots, at the close or so far; None if no count can decide."""
    result: Result | None
    """Result of the count."""
    is_compared: bool = False
    """True if pairwise comparisons decide."""

    @property
    def is_counted(self) -> bool:
        """True if ballots decide, not a seat or comparisons."""
        return self.seat_role is None and not self.is_compared

    @property
    def ties(self) -> tuple[str, ...]:
        """Tied options of an undecided debate; sorted."""
        return self.result.ties if self.result and self.option is None else ()

    @property
    def leading(self) -> tuple[str, ...]:
        """Options with the most points above 0; several if tied."""
        points = self.result.points if self.result else {}
        top = max(points.values(), default=None)
        if not top:
            return ()
        return tuple(option for option, has in points.items() if has == top)

    @property
    def has_reached(self) -> bool:
        """True if an option has met the threshold; a plurality is known only at the end."""
        return self.result is not None and self.result.obstacle is None and self.result.needed is not None


def ruling_of(state: State) -> Ruling:
    """Result of the agreed rule at the close, or so far."""
    standing = _standing(state)
    count = debaters_count(state)
    option = ended_by = None
    if state.outcome is not None:
        option = state.outcome.decision if standing == "decided" else None
        ended_by = state.outcome.ended_by
    return Ruling(
        standing=standing,
        option=option,
        seat_role=state.spec.protocol.deciding_role,
        ended_by=ended_by,
        tally=final_tally(state),
        count=count,
        result=count.result() if count else None,
        is_compared=state.spec.protocol.paired,
    )


def _standing(state: State) -> Standing:
    if state.outcome is None:
        return "open"
    if state.outcome.status == "decided":
        return "decided"
    return "cut_off" if stopping.was_interrupted(state) else "undecided"


def agreement(state: State) -> Agreement:
    """Consensus, split or incoherent, derived from the ballots and all conditions of the rule.

    Consensus: the rule elects one option. Split: two options have two voters each (or two debaters differ), and no one
    changed on the last ballot. If at most half of the debaters cast a ballot, or fewer than the quorum, or the debate
    was cut off before the rule could be applied, there is no verdict.
    """
    ruling = ruling_of(state)
    if ruling.standing == "cut_off":
        return "cut_off"
    if ruling.count is None or ruling.result is None or not ruling.result.cast:
        return "no_ballots"
    if not ruling.result.quorum_met or 2 * ruling.result.cast <= ruling.result.eligible:
        return "too_few_ballots"
    if ruling.result.obstacle == "refused":
        return "refused"
    if len(ruling.result.before_ladder()) == 1:
        return "consensus"
    return "split" if _is_split(state, ruling.result.eligible) else "incoherent"


def _is_split(state: State, eligible: int) -> bool:
    last_two = [voting.said_by(counted) for counted in state.counted[-2:]]
    if last_two[0] != last_two[-1]:
        return False
    sizes = Counter(voting.tops_of(state.spec, state.counted[-1]).values())
    camps_of_two = [camp for camp, size in sizes.items() if size >= 2]
    return len(camps_of_two) >= 2 or (eligible == 2 and len(sizes) == 2)
