"""The claims that rest on each document, by recorded claims alone: who quoted it, and for which options.

Empty before the end, and in debates in which all seats read all documents. Interprets no text.
"""

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass

from debate_core.engine.quotes import FOUND
from debate_core.report.facts.account import Account
from debate_core.report.facts.carrying_claims import carrying_claims, named_as_decisive
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.option_reasons import claims_that_stand, option_reasons
from debate_core.spec.values import Source


@dataclass(frozen=True, slots=True)
class SourceClaims:
    """The claims that quote one document correctly; each claim quotes one document."""

    source: Source
    claims: tuple[ClaimRow, ...]
    false_quotes: int
    """Further claims whose quote is altered or not in it."""
    options: Mapping[str, int]
    """Option -> claims for it, by people's marks, else by the ballot of the seat that made the claim."""
    decisive: int
    """Claims that a voter for the decision named as decisive."""
    carrying: int | None
    """Claims among those that carry the decision; None if nothing is decided."""

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that quote it, each once."""
        return tuple(dict.fromkeys(row.seat for row in self.claims))


def source_claims(account: Account) -> tuple[SourceClaims, ...]:
    """Every document with its claims, those of some seats first; () before the end, and if all seats read all."""
    sources = account.state.spec.sources
    if account.state.outcome is None or not any(source.only_for for source in sources):
        return ()
    return tuple(_of_source(account, source) for source in sorted(sources, key=lambda source: not source.only_for))


def _of_source(account: Account, source: Source) -> SourceClaims:
    quoting = [row for row in claims_that_stand(account) if row.source_ref == source.id and row.evidence_text]
    rows = tuple(row for row in quoting if row.quote_verified in FOUND)
    ids = {row.claim_id for row in rows}
    named = named_as_decisive(account)
    carrying = None
    if account.decision.option is not None:
        carrying = sum(row.claim_id in ids for row in account.once(carrying_claims))
    return SourceClaims(
        source=source,
        claims=rows,
        false_quotes=len(quoting) - len(rows),
        options=_claims_for_options(account, ids),
        decisive=sum(bool(named[claim]) for claim in ids),
        carrying=carrying,
    )


def _claims_for_options(account: Account, ids: Set[str]) -> Counter[str]:
    counted = Counter[str]()
    for option, reasons in account.once(option_reasons).items():
        counted[option] = sum(reason.side in ("for", "said") and reason.row.claim_id in ids for reason in reasons)
    return counted
