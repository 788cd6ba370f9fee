"""The open points of a debate that decided nothing: the options left, the contested claims, the addressee.

A decision leaves no open points. A seat's text decides nothing here: options come from the count, claims from links.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from debate_core.report.facts.account import Account
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.option_reasons import claims_that_stand
from debate_core.report.facts.vote_bars import deciding_bars
from debate_core.report.facts.who_decided import DecisionState, who_decided
from debate_core.spec.contents import Linked
from debate_core.spec.protocol import MOST_OPTIONS
from debate_core.spec.rules import Escalation

UNRESOLVED: frozenset[DecisionState] = frozenset({"undecided", "truncated", "stopped", "outage", "escalated"})


@dataclass(frozen=True, slots=True)
class Unresolved:
    """The open points of one debate."""

    standing: DecisionState
    escalation: Escalation | None
    """Addressee and date; None if no one was named before the start."""
    options: tuple[str, ...]
    """Options left, in declared order; at least two, unless the debate had fewer."""
    left_out: tuple[str, ...]
    """The other options: behind in the deciding count or in comparisons, or too many for a debate with a vote."""
    contested: tuple[ClaimRow, ...]
    """Claims that another seat answered and did not concede."""
    synthesis: tuple[Linked, ...]
    """Points that the synthesis calls contested."""


def unresolved(account: Account) -> Unresolved | None:
    """Derive the open points; None before the end, while the deciding vote is awaited, and once it is decided."""
    standing = account.once(who_decided).standing
    if standing not in UNRESOLVED:
        return None
    spec = account.state.spec
    left = _options_left(account)
    left_out = tuple(option for option in spec.options if option not in left)
    contested = tuple(row for row in claims_that_stand(account) if row.status == "contested")
    return Unresolved(
        standing=standing,
        escalation=spec.protocol.escalation,
        options=tuple(option for option in spec.options if option in left),
        left_out=left_out,
        contested=contested,
        synthesis=account.standing.content.contested if account.standing else (),
    )


def _options_left(account: Account) -> Sequence[str]:
    """Tied options, else those with points in the deciding count, else the best compared ones, else all."""
    bars = deciding_bars(account)
    with_points = [bar.option for bar in bars.bars if bar.has > 0] if bars else []
    ranked = [row.option for row in account.ranking][:MOST_OPTIONS]
    for options in (account.decision.ties, with_points, ranked):
        if 2 <= len(options) <= MOST_OPTIONS:
            return options
    return account.state.spec.options[:MOST_OPTIONS]
