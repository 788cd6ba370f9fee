"""Baselines: the same question asked without a debate, compared by answer, cost and time.

Uses the record only; unknown values (a price, the time of people) are None.
"""

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from debate_core.engine import stage, voting
from debate_core.engine.limits import total
from debate_core.record.events import BaselineHeld
from debate_core.record.state import State
from debate_core.report.facts.interventions import takers
from debate_core.report.facts.usage import usage_rows, used_in
from debate_core.spec.values import BaselineName, Usage


@dataclass(frozen=True, slots=True)
class BaselineRow:
    """One comparison."""

    name: BaselineName
    calls: int
    """Requested replies."""
    answered: int
    votes: int
    """Replies that name its answer."""
    answer: str | None
    """None if too few replies name an option, or two options are tied."""
    debate_answer: str | None
    cost_usd: str | None
    took_s: float
    price_multiple: Fraction | None
    """Cost of the debate divided by that of the baseline; None if unknown or free."""
    latency_multiple: Fraction | None
    """Time of the debate divided by that of the baseline; None if people took part in the debate."""
    why: str
    """Reason for missing replies; empty if none is missing."""
    tokens: int | None = None
    """Tokens of all replies, both ways; None if the usage of one is unknown."""
    token_multiple: Fraction | None = None
    """Tokens of the debate divided by those of the baseline; None if unknown or zero."""

    @property
    def same(self) -> bool | None:
        """Tell whether the debate has the same answer; None if one has no answer."""
        if self.answer is None or self.debate_answer is None:
            return None
        return self.answer == self.debate_answer


def baseline_rows(state: State) -> tuple[BaselineRow, ...]:
    """All baselines in the order in which they were asked."""
    return tuple(_compare_baseline(state, held) for held in state.baselines)


def _compare_baseline(state: State, held: BaselineHeld) -> BaselineRow:
    known = _known_usage(held)
    cost = total(known).cost_usd if known else None
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
        latency_multiple=_latency_multiple(state, held.took_ms),
        why=held.why or "".join(faults[:1]),
        tokens=_tokens(held),
        token_multiple=_token_multiple(debate_tokens(state), _tokens(held)),
    )


def _tokens(held: BaselineHeld) -> int | None:
    known = _known_usage(held)
    return total(known).all_tokens if known else None


def _known_usage(held: BaselineHeld) -> list[Usage]:
    """Usage of each reply; [] if that of one is unknown."""
    known = [reply.usage for reply in held.replies if reply.usage is not None]
    return known if len(known) == len(held.replies) else []


def debate_tokens(state: State) -> int | None:
    """Tokens of the debate, both ways; None if the usage of a call is unknown."""
    used = used_in(usage_rows(state))
    known = used.tokens()
    return None if used.unknown_calls or known is None else known.all_tokens


def _token_multiple(of_debate: int | None, of_baseline: int | None) -> Fraction | None:
    if of_debate is None or not of_baseline:
        return None
    return Fraction(of_debate, of_baseline)


def _price_multiple(debate_usd: str | None, baseline_usd: str | None) -> Fraction | None:
    if debate_usd is None or baseline_usd is None or not Fraction(baseline_usd):
        return None
    return Fraction(debate_usd) / Fraction(baseline_usd)


def _latency_multiple(state: State, baseline_ms: int) -> Fraction | None:
    took_s = debate_seconds(state)
    if took_s is None or not baseline_ms:
        return None
    return Fraction(took_s) * 1000 / baseline_ms


def debate_seconds(state: State) -> float | None:
    """Seconds from the first event to the last, less all pauses; None if people took part."""
    has_people = state.spec.has_people or any(seat.occupant == "human" for seat in state.spec.seats)
    if has_people or takers(state):
        return None
    took = datetime.fromisoformat(state.closed_at) - datetime.fromisoformat(state.opened_at) - state.waited
    return took.total_seconds()


def agreed_from_the_start(state: State) -> str | None:
    """The option on which all debaters' first, independent ballots agreed, if the debate chose it too.

    None otherwise, and if no turn followed that ballot.
    """
    first = state.counted[0] if state.counted else None
    if first is None or first.tally.eligible < 2 or (first.round, first.phase) == state.ran[-1]:
        return None
    if not voting.first_is_blind(state.spec.protocol) or state.outcome is None or state.outcome.status != "decided":
        return None
    option = voting.agreed_on(state.spec, first)
    return option if stage.final_decision(state).option == option else None
