"""A debate beside its question asked without one: same answer or not, and how much more the debate cost and took.

Only what is on record; what is not known (a price, the time of people) is None.
"""

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from debate_core.engine import stage, voting
from debate_core.engine.ceiling import total
from debate_core.record.events import BaselineHeld
from debate_core.record.state import State
from debate_core.report.facts.usage import usage_rows, used_in
from debate_core.spec.values import BaselineName


@dataclass(frozen=True, slots=True)
class BaselineRow:
    """One comparison."""

    name: BaselineName
    calls: int
    """Replies that were asked for."""
    answered: int
    votes: int
    """Replies that name its answer."""
    answer: str | None
    """None if it has none: too few replies name an option, or two options are level."""
    debate_answer: str | None
    cost_usd: str | None
    took_s: float
    price_multiple: Fraction | None
    """Cost of the debate over its cost; None if one is not known, or nothing was paid."""
    latency_multiple: Fraction | None
    """Time of the debate over its time; None where people took part in the debate."""
    why: str
    """Why replies are missing; empty if none is."""

    @property
    def same(self) -> bool | None:
        """Whether the debate has the same answer; None if one of them has none."""
        if self.answer is None or self.debate_answer is None:
            return None
        return self.answer == self.debate_answer


def baseline_rows(state: State) -> tuple[BaselineRow, ...]:
    """Everything that was asked for comparison, in the order in which it was."""
    return tuple(_row(state, held) for held in state.baselines)


def _row(state: State, held: BaselineHeld) -> BaselineRow:
    cost = _cost_usd(held)
    faults = [reply.message or str(reply.error) for reply in held.replies if reply.error is not None]
    votes = [counted.votes for counted in held.tally.counts if counted.option == held.answer]
    return BaselineRow(
        name=held.name,
        calls=held.calls,
        answered=len(held.replies) - len(faults),
        votes=votes[0] if votes else 0,
        answer=held.answer,
        debate_answer=stage.final_decision(state).option,
        cost_usd=cost,
        took_s=held.took_ms / 1000,
        price_multiple=_price_multiple(used_in(usage_rows(state)).cost_usd, cost),
        latency_multiple=_latency_multiple(_seconds_of_models(state), held.took_ms),
        why=held.why or "".join(faults[:1]),
    )


def _cost_usd(held: BaselineHeld) -> str | None:
    """None if there is no reply, or of one of them it is not known."""
    known = [reply.usage for reply in held.replies if reply.usage is not None]
    if not known or len(known) < len(held.replies):
        return None
    return total(known).cost_usd


def _latency_multiple(debate_s: float | None, took_ms: int) -> Fraction | None:
    if debate_s is None or not took_ms:
        return None
    return Fraction(debate_s) * 1000 / took_ms


def _price_multiple(debate_usd: str | None, usd: str | None) -> Fraction | None:
    if debate_usd is None or usd is None or not Fraction(usd):
        return None
    return Fraction(debate_usd) / Fraction(usd)


def _seconds_of_models(state: State) -> float | None:
    """From the first event to the last less all pauses; None if somebody was waited for."""
    if state.spec.has_people or any(seat.occupant == "human" for seat in state.spec.seats):
        return None
    took = datetime.fromisoformat(state.closed_at) - datetime.fromisoformat(state.opened_at) - state.waited
    return took.total_seconds()


def agreed_from_the_start(state: State) -> str | None:
    """The option that every debater named in a first ballot that nobody's turn could move, if the debate chose it too.

    None elsewhere, and where nothing was said after that ballot.
    """
    first = state.counted[0] if state.counted else None
    if first is None or first.tally.eligible < 2 or (first.round, first.phase) == state.ran[-1]:
        return None
    if not voting.first_is_blind(state.spec.protocol) or state.outcome is None or state.outcome.status != "decided":
        return None
    option = voting.agreed_on(state.spec, first)
    return option if stage.final_decision(state).option == option else None
