"""The crux of a revealed final vote as rows: claims that decided it, and results if they were false. Advice only."""

from dataclasses import dataclass

from debate_core.engine import crux, stage
from debate_core.engine.count.count import Count
from debate_core.engine.count.crux import ClaimSets, Supposition, VoterSets, claim_sets, suppose, voter_sets
from debate_core.engine.count.margin_of_victory import MAX_COUNTS
from debate_core.report.facts.account import Account
from debate_core.report.facts.option_reasons import option_reasons
from debate_core.spec.people import Electorate

MAX_BALLOTS = 20_000
"""Limit on the ballots that one search counts, so that a page of a large room is drawn within seconds."""


@dataclass(frozen=True, slots=True)
class CruxRow:
    """One claim that people named as decisive, in one electorate."""

    electorate: Electorate
    claim_id: str
    number: int
    claim: str
    named_by: int
    """Ballots of this electorate that name it."""
    ballots: int
    """Ballots of this electorate, abstentions included."""
    checked: bool
    """True if its quote is verbatim, or a person has marked it."""
    supposed: Supposition | None
    """The vote if the claim were false; None if it was not asked about."""


@dataclass(frozen=True, slots=True)
class Crux:
    """The crux of one electorate."""

    count: Count
    rows: tuple[CruxRow, ...]
    claims: ClaimSets
    voters: VoterSets
    counts: int
    """The bound of each search."""


def crux_of(account: Account, electorate: Electorate) -> Crux | None:
    """The crux of the final vote of one electorate; None before the reveal, or if no one named a claim."""
    state = account.state
    final = state.room.polls.get("final")
    if final is None or not final.revealed or not crux.named_claims(state):
        return None
    count = stage.count_of_poll(state, final, electorate)
    receipts = {
        person.id: stage.receipt(final.ballots[person.id].hash)
        for person in stage.entitled_voters(state, final, electorate)
        if person.id in final.ballots
    }
    if not receipts:
        return None
    answers = {
        claim_id: {receipts[person]: choice for person, choice in given.items() if person in receipts}
        for claim_id, given in crux.answers(state).items()
    }
    counts = min(MAX_COUNTS, max(1, MAX_BALLOTS // len(receipts)))
    named = [final.ballots[person].fact.decided_by for person in receipts]
    numbers = state.claim_numbers()
    rows = tuple(
        CruxRow(
            electorate=electorate,
            claim_id=claim_id,
            number=numbers[claim_id],
            claim=state.claims[claim_id].text,
            named_by=named.count(claim_id),
            ballots=len(receipts),
            checked=claim_id in account.once(_checked_claims),
            supposed=suppose(count, answers, (claim_id,), counts=counts) if claim_id in answers else None,
        )
        for claim_id in crux.named_claims(state)
    )
    return Crux(count, rows, claim_sets(count, answers, counts=counts), voter_sets(count, counts=counts), counts)


def crux_rows(account: Account) -> tuple[CruxRow, ...]:
    """The rows of every electorate."""
    every = (account.once(crux_of, electorate) for electorate in stage.ELECTORATES)
    return tuple(row for one in every if one is not None for row in one.rows)


def _checked_claims(account: Account) -> frozenset[str]:
    quoted = {row.claim_id for row in account.claims if row.quote_verified == "verbatim"}
    by_room = {row.claim_id for row in account.marks if row.reading != "skipped"}
    return frozenset(quoted | by_room | account.state.marks.keys())


def claims_to_name(account: Account, option: str) -> tuple[str, ...]:
    """All claims, those about this option first, then the most answered ones."""
    about = [reason.row.claim_id for reason in account.once(option_reasons).get(option, ())]
    rest = sorted(account.claims, key=lambda row: -len((*row.attacked_by, *row.conceded_by)))
    return tuple(dict.fromkeys([*about, *(row.claim_id for row in rest if not row.duplicate_of)]))
