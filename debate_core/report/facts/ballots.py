"""Ballots as typed rows: voter, choice, time and replacement. Of people only revealed ballots, under aliases."""

import json
from dataclasses import dataclass, replace
from typing import Literal

from debate_core.engine.count.ballots import BallotCounted, PointsByName, ballot_words, points_by_name, tops
from debate_core.engine.stage import ELECTORATES, joined_late, receipt
from debate_core.record.acts import BallotCast
from debate_core.record.people import Done, PollState
from debate_core.record.state import Counted, State
from debate_core.report.facts.polls import aliases, count_id, kind_of, revealed_polls
from debate_core.spec.people import Electorate, PollStage, stage_of
from debate_core.spec.rules import ballot_kind
from debate_core.spec.values import ABSTAIN, Ballot, BallotKind, BallotStatus, Given, Seat

SEVERAL, ABSTAINED = "several at once", "abstained"
"""Words for a ballot without a single highest option."""


@dataclass(frozen=True, slots=True)
class BallotRow:
    """One ballot: of a debater after a phase, or of a person in a revealed poll."""

    ballot_id: str
    poll_id: str
    """The count it belongs to: `2.reply`, or a poll and whose it is, `final.panel`."""
    stage: PollStage | Literal["debater"]
    electorate: Electorate | Literal["debaters"]
    voter: str
    """A seat, or the alias of a person."""
    role: str
    weight: int
    status: BallotStatus
    kind: BallotKind
    choice: str | None
    given: PointsByName
    """Option -> points, under rules that ask for more than one choice."""
    tops: tuple[str, ...]
    """Options with the highest place or most points."""
    said: str | None
    """The ballot in words; None if a debater cast none."""
    reason: str
    confidence: int | None
    cast_at: str
    replaced_by: str
    """The next ballot of the same voter."""
    options: tuple[str, ...]
    """Of the debate: a ballot may leave some out."""

    # Of debaters alone
    round: int = 0
    phase: str = ""
    first: bool | None = None
    changed_by: tuple[str, ...] | None = None
    argues_for: str | None = None
    """The option that its own text argues for, if its ballot puts another one highest."""

    # Of people alone
    poll: str = ""
    seq: int = 0
    """Number of the event that cast it."""
    joined_after_open: bool = False
    receipt: str | None = None
    transcript: str = ""
    """Hash of the last event of the debate that the voter could have read."""

    @property
    def final(self) -> bool:
        """True if nothing replaced it."""
        return not self.replaced_by

    def top(self) -> str:
        """The single highest option, or SEVERAL, or ABSTAINED."""
        if len(self.tops) > 1:
            return SEVERAL
        return self.tops[0] if self.tops else ABSTAINED

    def ranking(self) -> str | None:
        """Format a ranking as `a>b=c`; None for other ballots."""
        if self.kind != "ranking" or not self.said or not (self.given or self.choice):
            return None
        return self.said.replace(" > ", ">").replace(" = ", "=")

    def scores_json(self) -> str | None:
        """Points of each option as JSON (places of a ranking too), because names can hold any separator."""
        return json.dumps(dict(self.given), ensure_ascii=False) if self.given else None

    def approvals(self) -> tuple[str, ...]:
        """Approved options; () for other ballots."""
        return tuple(self.given) if self.kind == "approval" else ()


def vote_rows(state: State) -> tuple[BallotRow, ...]:
    """One row per debater and phase that asked for ballots, in the order of the counts."""
    times = {(t.round, t.phase, t.seat): t.at for t in state.turns}
    following: tuple[Counted | None, ...] = (*state.counted[1:], None)
    rows = []
    for counted, after in zip(state.counted, following, strict=False):
        for seat in state.spec.debaters():
            if seat.id in counted.ballots:
                cast_at = times.get((counted.round, counted.phase, seat.id), "")
                rows.append(_vote_row(state, seat, counted, after, cast_at))
    return tuple(rows)


def _vote_row(state: State, seat: Seat, counted: Counted, after: Counted | None, cast_at: str) -> BallotRow:
    ballot = counted.ballots[seat.id]
    kind = ballot_kind(state.spec.protocol.decide)
    poll_id = phase_count_id(counted)
    return BallotRow(
        ballot_id=f"{poll_id}.{seat.id}",
        poll_id=poll_id,
        stage="debater",
        electorate="debaters",
        voter=seat.id,
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
        cast_at=cast_at,
        replaced_by=f"{phase_count_id(after)}.{seat.id}" if after else "",
        options=state.spec.options,
        round=counted.round,
        phase=counted.phase,
        first=counted is state.counted[0],
        changed_by=ballot.changed_by,
        argues_for=ballot.argues_for,
    )


def phase_count_id(counted: Counted) -> str:
    """Id of the debaters' count after one phase: `2.reply`."""
    return f"{counted.round}.{counted.phase}"


def _reasons(given: tuple[Given, ...]) -> list[str]:
    return [f"{g.option}: {g.reason}" for g in given if g.reason]


def ballot_said(kind: BallotKind, ballot: Ballot) -> str | None:
    """Put a ballot into words; None if it was not cast."""
    return ballot_words(kind, ballot.given) if ballot.given else ballot.choice


def poll_ballots(state: State) -> tuple[BallotRow, ...]:
    """Every ballot of every revealed poll, replaced ones too, in the order of receipts within each count."""
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


def _poll_ballot(state: State, poll: PollState, done: Done[BallotCast], alias: str, after: int | None) -> BallotRow:
    person = state.room.people[done.by]
    fact = done.fact
    kind = kind_of(state)
    electorate = person.electorate or "room"
    ballot = BallotCounted(done.by, fact.choice, fact.given)
    reasons = [fact.reason] if fact.reason else []
    row = BallotRow(
        ballot_id=f"{poll.id}.{done.seq}",
        poll_id=count_id(poll.id, electorate),
        stage=stage_of(poll.id),
        electorate=electorate,
        voter=alias,
        role=person.role,
        weight=person.weight,
        status="abstained",
        kind=kind,
        choice=None,
        given=points_by_name(fact.given),
        tops=(),
        said=counted_words(kind, ballot),
        reason="; ".join([*reasons, *_reasons(fact.given)]),
        confidence=fact.confidence,
        cast_at=done.at,
        replaced_by=f"{poll.id}.{after}" if after else "",
        options=state.spec.options,
        poll=poll.id,
        seq=done.seq,
        joined_after_open=joined_late(state, poll.id, done.by),
        receipt=receipt(done.hash),
        transcript=fact.transcript,
    )
    if not ballot.says():
        return row
    return replace(row, status="cast", choice=fact.choice, tops=tops(kind, ballot, state.spec.drivers))


def counted_words(kind: BallotKind, ballot: BallotCounted, *, abstains: str = ABSTAIN) -> str:
    """Put a ballot into words as it was counted; an abstention is `abstains`."""
    if not ballot.says():
        return abstains
    return ballot_words(kind, ballot.given) if ballot.given else ballot.choice or ""
