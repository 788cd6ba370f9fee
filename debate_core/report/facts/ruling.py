"""What the agreed rule made of a debate, under all its conditions: the one account of the outcome.

Hero, room, results, what-if, reports, decision records and tables tell the outcome from here, so that no two of them
can disagree. It holds the count that was applied at the close (or stands so far), or the seat that was to decide, and
nothing where the debate was cut off before the rule could be applied.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from debate_core.engine import stopping, voting
from debate_core.engine.count.count import Count, Result
from debate_core.record.state import Counted, State
from debate_core.report.facts.counts import debaters_count, final_tally
from debate_core.spec.values import Role, Tally

Standing = Literal["open", "decided", "undecided", "cut_off"]
Agreement = Literal["consensus", "split", "incoherent", "no_ballots", "too_few_ballots", "refused", "cut_off"]


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the agreed rule says of a debate. Where people vote on it afterwards, it is advice."""

    standing: Standing
    """`cut_off`: the debate ended before the rule could be applied, and nothing is decided."""
    option: str | None
    """What is decided; None as long as nothing is."""
    seat_role: Role | None
    """Who decides by naming an option; None where ballots are counted."""
    ended_by: str | None
    tally: Tally
    """In heads."""
    count: Count | None
    """The ballots that the rule was applied to, or stands over so far; None where no count can decide (any more)."""
    result: Result | None
    """What the rule makes of them."""
    is_compared: bool = False
    """True if comparisons of two options at a time decide."""

    @property
    def is_counted(self) -> bool:
        """True if ballots decide, and neither a seat nor comparisons do."""
        return self.seat_role is None and not self.is_compared

    @property
    def ties(self) -> tuple[str, ...]:
        """Options that stand level where nothing is decided; sorted."""
        return self.result.ties if self.result and self.option is None else ()

    @property
    def leading(self) -> tuple[str, ...]:
        """Options that have the most, if any has something; several are level."""
        points = self.result.points if self.result else {}
        top = max(points.values(), default=None)
        if not top:
            return ()
        return tuple(option for option, has in points.items() if has == top)

    @property
    def has_reached(self) -> bool:
        """True if one option has all that a bar asks: of what has the most votes only the end can tell."""
        return self.result is not None and self.result.obstacle is None and self.result.needed is not None


def ruling_of(state: State) -> Ruling:
    """What the agreed rule says of a debate at its close, or so far."""
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
    """Whether the rule was applied, and what it gave."""
    if state.outcome is None:
        return "open"
    if state.outcome.status == "decided":
        return "decided"
    return "cut_off" if stopping.was_interrupted(state) else "undecided"


def agreement(state: State) -> Agreement:
    """Consensus, split or incoherent, by code alone, under all conditions of the rule and of the ballots cast.

    Consensus: the rule elects one. Split: two options with two voters each (or two debaters who differ) and
    nobody changed on the last ballot. Where at most half of the debaters cast a ballot, or fewer than the quorum,
    nothing can be said. Nor can it where the debate was cut off before the rule could be applied.
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
    sizes = Counter(voting.tops_of(state.spec, state.counted[-1]).values())
    camps_of_two = [camp for camp, size in sizes.items() if size >= 2]
    pair_that_differs = eligible == 2 and len(sizes) == 2
    return (len(camps_of_two) >= 2 or pair_that_differs) and not _moved(state.counted)


def _moved(counted: tuple[Counted, ...]) -> bool:
    """True if somebody's last ballot says something else than the one before it."""
    if len(counted) < 2:
        return False
    return voting.said_by(counted[-2]) != voting.said_by(counted[-1])
