"""Claims for options that lost, and the number of them that appear in the current synthesis. Knows no words."""

from collections.abc import Iterator
from dataclasses import dataclass

from debate_core.engine.similarity import asked_words, restates
from debate_core.report.facts.account import Account
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.debate_facts import defended_option
from debate_core.report.facts.option_reasons import claims_that_stand, option_reasons
from debate_core.report.facts.synthesis import lines_said
from debate_core.spec.contents import Synthesis


@dataclass(frozen=True, slots=True)
class LostClaims:
    """Claims for options that lost. `appear` of `of` are in the synthesis; None without a decided option."""

    appear: int | None
    of: int


def lost_claims(account: Account) -> LostClaims | None:
    """Count the claims in the current synthesis; None before the end and without a synthesis.

    A claim belongs to the option for which people marked it, else to that of its turn's ballot, else to the one that
    its seat had to defend. It appears if a line links it, or if a sentence says about the same. Repetitions, struck
    turns and claims that also support the decided option are left out.
    """
    version = account.standing
    if account.state.outcome is None or version is None:
        return None
    decided = account.decision.option
    if decided is None:
        return LostClaims(None, 0)
    lost = _lost(account, decided)
    asked = asked_words(account.state.spec)
    return LostClaims(sum(_appears(row, version.content, asked) for row in lost), len(lost))


def _lost(account: Account, decided: str) -> list[ClaimRow]:
    sides: dict[str, set[str]] = {}
    for option, claim_id in _supported(account):
        sides.setdefault(claim_id, set()).add(option)
    return [row for row in claims_that_stand(account) if sides.get(row.claim_id) and decided not in sides[row.claim_id]]


def _supported(account: Account) -> Iterator[tuple[str, str]]:
    """(option, id of a claim for it)."""
    state = account.state
    sided = {*state.marks, *(mark.claim_id for mark in account.marks if mark.reading != "skipped")}
    for option, reasons in account.once(option_reasons).items():
        for reason in reasons:
            sided.add(reason.row.claim_id)
            if reason.side in ("for", "said"):
                yield option, reason.row.claim_id
    defended = {seat.id: defended_option(state, seat.id) for seat in state.spec.debaters()}
    for row in account.claims:
        side = defended.get(row.seat)
        if side is not None and row.claim_id not in sided:
            yield side, row.claim_id


def _appears(row: ClaimRow, given: Synthesis, asked: str) -> bool:
    if any(row.claim_id in point.links for point in given.points):
        return True
    return any(restates(row.claim, sentence, asked) for sentence in lines_said(given))
