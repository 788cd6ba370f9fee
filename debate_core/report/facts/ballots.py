"""Ballots as typed rows: who voted how, when, and what replaced it. Of people only what is revealed, under aliases."""

import json
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from debate_core.engine.count.ballots import BallotCounted, PointsByName, ballot_words, points_by_name, tops
from debate_core.engine.stage import ELECTORATES, joined_late, receipt
from debate_core.record.acts import BallotCast
from debate_core.record.people import Done, PollState
from debate_core.record.state import Counted, State
from debate_core.report.facts.polls import aliases, count_id, kind_of, revealed_polls
from debate_core.spec.people import Electorate, Stage, stage_of
from debate_core.spec.rules import ballot_kind
from debate_core.spec.values import ABSTAIN, Ballot, BallotKind, BallotStatus, Given, Seat

SEVERAL, ABSTAINED = "several at once", "abstained"
"""Where a ballot stands that puts no single option highest."""


class BallotCells:
    """What a ballot says, as cells of a table."""

    __slots__ = ()
    kind: BallotKind
    choice: str | None
    given: PointsByName
    said: str | None

    def ranking(self) -> str | None:
        """`a>b=c`, if it ranks."""
        if self.kind != "ranking" or not self.said or not (self.given or self.choice):
            return None
        return self.said.replace(" > ", ">").replace(" = ", "=")

    def scores_json(self) -> str | None:
        """What it gives to each option as JSON, places of a ranking too: names can hold any sign."""
        return json.dumps(dict(self.given), ensure_ascii=False) if self.given else None

    def approvals(self) -> tuple[str, ...]:
        """The options that it approves, if it approves."""
        return tuple(self.given) if self.kind == "approval" else ()


@dataclass(frozen=True, slots=True)
class VoteRow(BallotCells):
    """One ballot as it stood after one phase; `replaced_by` is the seat's next ballot."""

    ballot_id: str
    poll_id: str
    round: int
    phase: str
    seat: str
    role: str
    weight: int
    status: BallotStatus
    kind: BallotKind
    choice: str | None
    given: PointsByName
    """Option -> points, under rules that ask for more than one choice."""
    tops: tuple[str, ...]
    """What it puts highest."""
    said: str | None
    """The ballot in words; None if it was not cast."""
    reason: str
    confidence: int | None
    changed_by: tuple[str, ...]
    cast_at: str
    replaced_by: str
    first: bool
    final: bool
    options: tuple[str, ...]
    """Of the debate: a ballot may leave some out."""


@dataclass(frozen=True, slots=True)
class PollBallot(BallotCells):
    """One ballot of a revealed poll; one that its voter changed later too, with what replaced it."""

    ballot_id: str
    poll: str
    seq: int
    """Number of the event with which it was cast."""
    poll_id: str
    """The poll and whose it is: `final.panel` is one count."""
    stage: Stage
    electorate: Electorate
    alias: str
    role: str
    weight: int
    status: Literal["cast", "abstained"]
    kind: BallotKind
    choice: str | None
    given: PointsByName
    top: str
    """What it puts highest, or SEVERAL, or ABSTAINED."""
    said: str
    """The ballot in words."""
    confidence: int | None
    reason: str
    joined_after_open: bool
    cast_at: str
    replaced_by: str
    receipt: str
    transcript: str
    """Hash of the last event of the debate that the voter could have read."""
    options: tuple[str, ...]


def vote_rows(state: State) -> tuple[VoteRow, ...]:
    """One row per debater and phase that asked for ballots, in the order of the polls."""
    times = {(t.round, t.phase, t.seat): t.at for t in state.turns}
    following: tuple[Counted | None, ...] = (*state.counted[1:], None)
    rows = []
    for poll, after in zip(state.counted, following, strict=False):
        for seat in state.spec.debaters():
            if seat.id in poll.ballots:
                cast_at = times.get((poll.round, poll.phase, seat.id), "")
                rows.append(_vote_row(state, seat, poll, after, cast_at))
    return tuple(rows)


def _vote_row(state: State, seat: Seat, poll: Counted, after: Counted | None, cast_at: str) -> VoteRow:
    ballot = poll.ballots[seat.id]
    kind = ballot_kind(state.spec.protocol.decide)
    poll_id = phase_count_id(poll)
    return VoteRow(
        ballot_id=f"{poll_id}.{seat.id}",
        poll_id=poll_id,
        round=poll.round,
        phase=poll.phase,
        seat=seat.id,
        role=seat.role,
        weight=seat.weight,
        status=ballot.status,
        kind=kind,
        choice=ballot.choice,
        given=points_by_name(ballot.given),
        tops=tops(kind, BallotCounted(seat.id, ballot.choice, ballot.given), state.spec.drivers),
        said=ballot_said(kind, ballot),
        reason="; ".join(_reasons(ballot.given)),
        confidence=ballot.confidence,
        changed_by=ballot.changed_by,
        cast_at=cast_at,
        replaced_by=f"{phase_count_id(after)}.{seat.id}" if after else "",
        first=poll is state.counted[0],
        final=after is None,
        options=state.spec.options,
    )


def phase_count_id(counted: Counted) -> str:
    """`2.reply`: the count of the debaters after one phase."""
    return f"{counted.round}.{counted.phase}"


def _reasons(given: tuple[Given, ...]) -> list[str]:
    return [f"{g.option}: {g.reason}" for g in given if g.reason]


def ballot_said(kind: BallotKind, ballot: Ballot) -> str | None:
    """A ballot in words, None if it was not cast."""
    return ballot_words(kind, ballot.given) if ballot.given else ballot.choice


def poll_ballots(state: State) -> tuple[PollBallot, ...]:
    """Every ballot of every revealed poll, changed ones too, in the order of receipts within each count."""
    voters = aliases(state)
    rows = []
    for poll in revealed_polls(state):
        of_poll = []
        next_of: dict[str, int] = {}
        for done in reversed(state.room.of(BallotCast)):
            if done.fact.poll == poll.id:
                of_poll.append(_poll_ballot(state, poll, done, voters[done.by], next_of.get(done.by)))
                next_of[done.by] = done.seq
        rows += sorted(of_poll, key=lambda row: (ELECTORATES.index(row.electorate), row.receipt))
    return tuple(rows)


def _poll_ballot(state: State, poll: PollState, done: Done[BallotCast], alias: str, after: int | None) -> PollBallot:
    person, fact, kind = state.room.people[done.by], done.fact, kind_of(state)
    electorate = person.electorate or "room"
    abstains = fact.choice == ABSTAIN
    reasons = ([fact.reason] if fact.reason else []) + _reasons(fact.given)
    return PollBallot(
        ballot_id=f"{poll.id}.{done.seq}",
        poll=poll.id,
        seq=done.seq,
        poll_id=count_id(poll.id, electorate),
        stage=stage_of(poll.id),
        electorate=electorate,
        alias=alias,
        role=person.role,
        weight=person.weight,
        status="abstained" if abstains else "cast",
        kind=kind,
        choice=None if abstains else fact.choice,
        given=MappingProxyType(points_by_name(fact.given)),
        top=_top(state, fact),
        said=counted_words(kind, BallotCounted(done.by, fact.choice, fact.given)),
        confidence=fact.confidence,
        reason="; ".join(reasons),
        joined_after_open=joined_late(state, poll.id, done.by),
        cast_at=done.at,
        replaced_by=f"{poll.id}.{after}" if after else "",
        receipt=receipt(done.hash),
        transcript=fact.transcript,
        options=state.spec.options,
    )


def counted_words(kind: BallotKind, ballot: BallotCounted, *, abstains: str = ABSTAIN) -> str:
    """A ballot in words as it was counted, an abstention too."""
    if not ballot.says():
        return abstains
    return ballot_words(kind, ballot.given) if ballot.given else ballot.choice or ""


def _top(state: State, fact: BallotCast) -> str:
    if fact.choice == ABSTAIN:
        return ABSTAINED
    highest = tops(kind_of(state), BallotCounted("", fact.choice, fact.given), state.spec.drivers)
    if len(highest) > 1:
        return SEVERAL
    return highest[0] if highest else ABSTAINED
