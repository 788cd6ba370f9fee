"""Claims for and against each option: as marked by people, else by the ballot of the seat that made them.

Uses marks by the chair, and those by the room once they are shown. Does not interpret the text of a claim.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from debate_core.engine.count.ballots import BallotCounted, tops
from debate_core.record.state import GivenMark
from debate_core.report.facts.account import Account
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.people_marks import MarkRow, by_passage, sides_of
from debate_core.spec.contents import Argument
from debate_core.spec.rules import ballot_kind

ReasonSide = Literal["for", "against", "divided", "said"]
_ORDER: Sequence[ReasonSide] = ("for", "against", "divided", "said")


@dataclass(frozen=True, slots=True)
class OptionReason:
    """A claim about an option, with the number of people who read it for or against that option."""

    row: ClaimRow
    supports: int = 0
    against: int = 0
    marked_by: int = 0
    """People in the room who marked it, for any option."""
    mark: GivenMark | None = None
    """The single mark of the claim, usually by the chair, if it is about this option."""

    @property
    def side(self) -> ReasonSide:
        """`divided`: as many readers for the option as against it. `said`: unmarked, made by a seat that chose it."""
        supports, against = self._readings()
        if not supports and not against:
            return "said"
        if supports == against:
            return "divided"
        return "for" if supports > against else "against"

    @property
    def readers(self) -> int:
        """Number of people who read it as its side says."""
        return max(self._readings())

    def _readings(self) -> tuple[int, int]:
        """People who read it for and against the option, including the single mark."""
        reading = self.mark.mark.reading if self.mark else ""
        return self.supports + (reading == "supports"), self.against + (reading == "against")


def option_reasons(account: Account) -> Mapping[str, tuple[OptionReason, ...]]:
    """Option -> claims about it: for, against, divided, unmarked; most readers first."""
    room = by_passage(account.marks)
    said_for = _said_for(account)
    found = defaultdict[str, list[OptionReason]](list)
    for row in _unstruck(account):
        readings = _without_skipped(room.get(row.claim_id, ()))
        mark = account.state.marks.get(row.claim_id)
        for option, reason in _as_marked(row, readings, mark).items():
            found[option].append(reason)
        if row.claim_id in said_for and not (mark or readings):
            found[said_for[row.claim_id]].append(OptionReason(row))
    for reasons in found.values():
        reasons.sort(key=lambda reason: (_ORDER.index(reason.side), -reason.readers))
    return {option: tuple(found[option]) for option in account.state.spec.options}


def _said_for(account: Account) -> Mapping[str, str]:
    """Claim that stands -> the option that its seat chose with it."""
    votes = _votes(account)
    return {row.claim_id: votes[row.turn_id] for row in claims_that_stand(account) if row.turn_id in votes}


def repeated_reasons(account: Account) -> Iterator[tuple[str, OptionReason]]:
    """Yield each unmarked repetition of a claim with the option that its seat chose."""
    votes = _votes(account)
    others = {*account.state.marks, *by_passage(account.marks), *(row.claim_id for row in claims_that_stand(account))}
    for row in _unstruck(account):
        if row.turn_id in votes and row.claim_id not in others:
            yield votes[row.turn_id], OptionReason(row)


def _without_skipped(rows: Iterable[MarkRow]) -> list[MarkRow]:
    return [row for row in rows if row.reading != "skipped"]


def _as_marked(row: ClaimRow, readings: Sequence[MarkRow], mark: GivenMark | None) -> Mapping[str, OptionReason]:
    """Option -> the reason, for options that marks of this claim support or oppose."""
    marked_by = readings[0].marked_by if readings else 0
    reasons = dict[str, OptionReason]()
    for option, (supports, against) in sides_of(readings).items():
        reasons[option] = OptionReason(row, supports, against, marked_by)
    if mark is not None and mark.mark.option is not None and mark.mark.reading != "neutral":
        known = reasons.get(mark.mark.option, OptionReason(row, marked_by=marked_by))
        reasons[mark.mark.option] = replace(known, mark=mark)
    return reasons


def claims_that_stand(account: Account) -> tuple[ClaimRow, ...]:
    """Claims without those of struck turns and repetitions; if a claim is struck, its first repetition stands."""
    rows = {row.claim_id: row for row in _unstruck(account)}
    first: dict[str, ClaimRow] = {}
    for row in rows.values():
        if row.duplicate_of not in rows:
            first.setdefault(row.wording, row)
    return tuple(first.values())


def _unstruck(account: Account) -> Iterator[ClaimRow]:
    struck = {turn.request for turn in account.readable_turns if turn.status == "struck"}
    return (row for row in account.claims if row.turn_id not in struck)


def _votes(account: Account) -> Mapping[str, str]:
    """Turn id -> the single highest option of its ballot, of seats that argue; the evidence panel only quotes."""
    spec = account.state.spec
    kind = ballot_kind(spec.protocol.decide)
    quoting = {seat.id for seat in spec.evidence_panel()}
    votes = dict[str, str]()
    for turn, argument in account.turns_giving(Argument):
        ballot = BallotCounted(turn.seat, argument.vote, argument.ballot)
        highest = tops(kind, ballot, spec.drivers)
        if len(highest) == 1 and turn.seat not in quoting:
            votes[turn.request] = highest[0]
    return votes
