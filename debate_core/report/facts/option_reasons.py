"""Which claims speak for and against each option: as people marked them, else by the ballot of the seat that made them.

It does not know what a claim says.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from debate_core.engine.count.ballots import BallotCounted, tops
from debate_core.record.state import GivenMark
from debate_core.report.facts.account import Account
from debate_core.report.facts.claims import ClaimRow
from debate_core.spec.contents import Argument
from debate_core.spec.rules import ballot_kind


@dataclass(frozen=True, slots=True)
class OptionReason:
    """A claim about an option. `said`: nobody has marked it, and its seat voted for the option."""

    side: Literal["for", "against", "said"]
    row: ClaimRow
    mark: GivenMark | None = None


def option_reasons(account: Account) -> Mapping[str, tuple[OptionReason, ...]]:
    """Option -> the claims that are known to be about it, marked ones first."""
    marks = account.state.marks
    votes = _votes(account)
    marked = defaultdict[str | None, list[OptionReason]](list)
    unmarked = defaultdict[str | None, list[OptionReason]](list)
    for row in claims_that_stand(account):
        mark = marks.get(row.claim_id)
        if mark is None:
            unmarked[votes.get(row.turn_id)].append(OptionReason("said", row))
        elif mark.mark.reading != "neutral":
            side: Literal["for", "against"] = "for" if mark.mark.reading == "supports" else "against"
            marked[mark.mark.option].append(OptionReason(side, row, mark))
    return {option: (*marked[option], *unmarked[option]) for option in account.state.spec.options}


def claims_that_stand(account: Account) -> tuple[ClaimRow, ...]:
    """Claims without those of struck turns and those that repeat an earlier one."""
    struck = {turn.request for turn in account.readable_turns if turn.status == "struck"}
    return tuple(row for row in account.claims if row.turn_id not in struck and not row.duplicate_of)


def _votes(account: Account) -> Mapping[str, str]:
    """Turn id -> the one option that its ballot puts highest."""
    spec = account.state.spec
    kind = ballot_kind(spec.protocol.decide)
    votes = dict[str, str]()
    for turn, argument in account.turns_giving(Argument):
        ballot = BallotCounted(turn.seat, argument.vote, argument.ballot)
        highest = tops(kind, ballot, spec.drivers)
        if len(highest) == 1:
            votes[turn.request] = highest[0]
    return votes
