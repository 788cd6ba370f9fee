"""The crux of a vote as rows: claims that decided it, and results if they were false. Advice only.

Of people after the reveal of their final vote, of the debaters after the end of the debate.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from debate_core.engine import crux, stage
from debate_core.engine.count.ballots import BallotCounted
from debate_core.engine.count.count import Count
from debate_core.engine.count.crux import (
    ClaimSets,
    SupposedAnswers,
    Supposition,
    VoterSets,
    claim_sets,
    suppose,
    voter_sets,
)
from debate_core.engine.count.margin_of_victory import MAX_COUNTS
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.counts import debaters_count, final_ballots
from debate_core.report.facts.option_reasons import option_reasons
from debate_core.report.facts.vote_bars import Voters
from debate_core.spec.people import Electorate
from debate_core.spec.values import ABSTAIN

VOTERS: tuple[Voters, ...] = ("debaters", *stage.ELECTORATES)
MAX_BALLOTS = 20_000
"""Limit on the ballots that one search counts, so that a page of a large room is drawn within seconds."""


@dataclass(frozen=True, slots=True)
class CruxRow:
    """One claim that voters named as decisive, in one electorate."""

    electorate: Voters
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
    unanswered: tuple[str, ...] = ()
    """Seats that were asked about it and gave no readable answer; people are only counted."""

    @property
    def switched(self) -> int | None:
        return self.supposed.switched if self.supposed else None

    @property
    def unknown(self) -> int | None:
        return self.supposed.unknown if self.supposed else None

    @property
    def flips(self) -> bool | None:
        return self.supposed.flips if self.supposed else None


@dataclass(frozen=True, slots=True)
class Crux:
    """The crux of one electorate."""

    count: Count
    rows: tuple[CruxRow, ...]
    claims: ClaimSets
    voters: VoterSets
    counts: int
    """The bound of each search."""
    not_asked: tuple[str, ...] = ()
    """Voting seats of the evidence panel, which has no model to ask; they are unknown."""


class _ClaimAnswers(NamedTuple):
    """The answers of one electorate. `named`: the decisive claim of each ballot; `ranked`: the claims, most first."""

    counted: Count
    named: Sequence[str | None]
    ranked: Mapping[str, int]
    answers: SupposedAnswers


def crux_of(account: Account, electorate: Voters) -> Crux | None:
    """The crux of the last vote of one electorate; None while it is sealed, or if no one named a claim."""
    state = account.state
    asked = _asked_seats(state) if electorate == "debaters" else _asked_people(state, electorate)
    if asked is None:
        return None
    count, named, ranked, answers = asked
    counts = min(MAX_COUNTS, max(1, MAX_BALLOTS // len(named)))
    unanswered = _unanswered(state, answers) if electorate == "debaters" else {}
    numbers = state.claim_numbers()
    rows = tuple(
        CruxRow(
            electorate=electorate,
            claim_id=claim_id,
            number=numbers[claim_id],
            claim=state.claims[claim_id].text,
            named_by=named.count(claim_id),
            ballots=len(named),
            checked=claim_id in account.once(_checked_claims),
            supposed=suppose(count, answers, (claim_id,), counts=counts) if claim_id in answers else None,
            unanswered=unanswered.get(claim_id, ()),
        )
        for claim_id in ranked
    )
    sets, voters = claim_sets(count, answers, counts=counts), voter_sets(count, counts=counts)
    not_asked = tuple(s.id for s in state.spec.evidence_panel() if electorate == "debaters" and s.id in _voters(count))
    return Crux(count, rows, sets, voters, counts, not_asked)


def _unanswered(state: State, answers: SupposedAnswers) -> dict[str, tuple[str, ...]]:
    """Claim id -> seats that were asked about it and gave no readable answer."""
    seats = crux.seats_asked(state)
    return {claim_id: tuple(seat for seat in seats if seat not in given) for claim_id, given in answers.items()}


def crux_claims(account: Account) -> frozenset[str]:
    """Ids of the claims that most voters of a revealed vote named as decisive, for each electorate."""
    state = account.state
    asked = (_asked_seats(state), *(_asked_people(state, electorate) for electorate in stage.ELECTORATES))
    ranked = [one.ranked for one in asked if one]
    return frozenset(claim for named in ranked for claim in named if named[claim] == max(named.values()))


def _voters(count: Count) -> tuple[str, ...]:
    return tuple(ballot.voter for ballot in count.ballots)


def _asked_people(state: State, electorate: Electorate) -> _ClaimAnswers | None:
    final = state.room.polls.get("final")
    if final is None or not final.revealed or not crux.named_claims(state):
        return None
    voters = stage.electors(state, final, electorate)
    receipts = _receipts(final, [person.id for person in voters])
    if not receipts:
        return None
    answers = {
        claim_id: {receipts[person]: choice for person, choice in given.items() if person in receipts}
        for claim_id, given in crux.answers(state).items()
    }
    named = [final.ballots[person].fact.decided_by for person in receipts]
    return _ClaimAnswers(stage.count_of_poll(state, final, electorate), named, crux.named_claims(state), answers)


def _receipts(poll: PollState, people: Sequence[str]) -> dict[str, str]:
    """Id of a person who voted -> the receipt of their ballot."""
    return {person: stage.receipt(poll.ballots[person].hash) for person in people if person in poll.ballots}


def _asked_seats(state: State) -> _ClaimAnswers | None:
    ranked = crux.claims_named_by_seats(state)
    count = debaters_count(state) if ranked and state.outcome else None
    if count is None:
        return None
    count = _with_abstentions(state, count)
    named = crux.named_by_seats(state)
    return _ClaimAnswers(count, [named.get(voter) for voter in _voters(count)], ranked, crux.answers_of_seats(state))


def _with_abstentions(state: State, count: Count) -> Count:
    """The count with abstentions as ballots, so that a seat that abstained can switch; the result is the same."""
    abstained = {seat for seat, ballot in final_ballots(state).items() if ballot.status == "abstained"}
    more = tuple(BallotCounted(seat, ABSTAIN, weight=w) for seat, w in count.silent.items() if seat in abstained)
    silent = {seat: weight for seat, weight in count.silent.items() if seat not in abstained}
    return replace(count, ballots=(*count.ballots, *more), silent=silent)


def crux_rows(account: Account) -> tuple[CruxRow, ...]:
    every = (account.once(crux_of, electorate) for electorate in VOTERS)
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
