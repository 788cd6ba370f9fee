"""Ballots and counts as typed rows: who voted how, what each option has under the rule, who is put above whom.

Nothing is counted here that the rules did not count. Numbers are for reading: no decision is made from them. Tables,
charts, CSV and screens are drawn from these rows.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from debate_core.engine import voting
from debate_core.engine.count import counting, profile
from debate_core.engine.count.counting import Tallied
from debate_core.record.state import Counted, State
from debate_core.report.facts.turns import sealed_seats
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import BySeat, CountedRule, ballot_kind
from debate_core.spec.values import Ballot, BallotKind, BallotStatus, Seat, Tally

CLOSE = "close"
"""Poll id of the count at the close, if ballots changed after the last counted phase."""
UNITS: Mapping[str, str] = {
    "approval": "approvals",
    "score": "points",
    "star": "points",
    "borda": "points",
    "copeland": "pairs won",
    "minimax": "votes in the worst pair",
    "schulze": "pairs not lost",
    "ranked_pairs": "orders won",
    "irv": "first places",
    "irv_put": "first places",
    "coombs": "first places",
    "bucklin": "votes for its upper places",
    "anti_plurality": "last places, taken off",
    "cumulative": "dots",
    "consent": "consents",
    "weighted_criteria": "weighted points",
}
"""What the numbers of a rule are; of all others they are votes."""
Number = int | float


class BallotCells:
    """What a ballot says, as cells of a table."""

    __slots__ = ()
    kind: BallotKind
    choice: str | None
    given: counting.Points
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
    given: counting.Points
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
class TallyRow:
    """What one option has in one poll, 0 too. Rank 1 is shared by options that stand level."""

    poll_id: str
    rule: str
    option: str
    votes: Number
    """In `unit`; with the weights that were agreed."""
    unweighted: Number
    """The same if every ballot weighed 1."""
    unit: str
    rank: int
    elected: bool
    threshold: Number | None
    quorum_met: bool
    tie: bool
    tie_step: str
    """What broke the tie, or the steps that did not; empty if there was none to break."""


@dataclass(frozen=True, slots=True)
class PairRow:
    """How many ballots, by weight, put one option above another one."""

    poll_id: str
    a: str
    b: str
    prefers_a: Number
    prefers_b: Number
    tied: Number


def number(value: Fraction) -> Number:
    """A whole number as such; a part of a vote as a decimal."""
    return value.numerator if value.denominator == 1 else round(float(value), 6)


def unit_of(rule: CountedRule) -> str:
    """What the numbers of this rule are."""
    return UNITS.get(rule.kind, "votes")


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
    ballot, poll_id = poll.ballots[seat.id], f"{poll.round}.{poll.phase}"
    kind = ballot_kind(state.spec.protocol.decide)
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
        given=counting.points_by_name(ballot.given),
        tops=counting.tops(kind, counting.Cast(seat.id, ballot.choice, ballot.given), state.spec.drivers),
        said=ballot_said(kind, ballot),
        reason="; ".join(f"{g.option}: {g.reason}" for g in ballot.given if g.reason),
        confidence=ballot.confidence,
        changed_by=ballot.changed_by,
        cast_at=cast_at,
        replaced_by=f"{after.round}.{after.phase}.{seat.id}" if after else "",
        first=poll is state.counted[0],
        final=after is None,
        options=state.spec.options,
    )


def ballot_said(kind: BallotKind, ballot: Ballot) -> str | None:
    """A ballot in words, None if it was not cast."""
    return counting.ballot_words(kind, ballot.given) if ballot.given else ballot.choice


def first_tally(state: State) -> Tally | None:
    """The first count of the debate, None before it or if the protocol counts nothing."""
    return state.counted[0].tally if state.counted else None


def final_tally(state: State) -> Tally:
    """The count in heads at the close, or as it stands now; ballots of a sealed phase count once it has ended."""
    return state.outcome.tally if state.outcome else voting.tally_of(final_ballots(state), _debaters(state))


def _debaters(state: State) -> list[str]:
    return [s.id for s in state.spec.debaters()]


def final_ballots(state: State) -> Mapping[str, Ballot]:
    """The ballots at the close, or as they stand now, without those of a sealed phase that is open."""
    if not sealed_seats(state):
        return state.ballots
    return state.counted[-1].ballots if state.counted else {}


def counts_heads(state: State) -> bool:
    """True if a vote is one option and weighs 1: what an option has is then the number of its ballots."""
    one = ballot_kind(state.spec.protocol.decide) == "one"
    return one and all(s.weight == 1 for s in state.spec.debaters())


def points_by_option(state: State, ballots: Mapping[str, Ballot]) -> dict[str, Number]:
    """Option -> what it has under the agreed rule; of plain votes, in the order of the seats, without the zeros."""
    rule = state.spec.protocol.decide
    if isinstance(rule, BySeat) or counts_heads(state):
        return {**voting.tally_of(ballots, _debaters(state)).as_dict()}
    return {o: number(p) for o, p in voting.tallied(state.spec, ballots, rule).points.items()}


def final_points(state: State) -> dict[str, Number]:
    """The same at the close, or as it stands now."""
    return {**final_tally(state).as_dict()} if counts_heads(state) else points_by_option(state, final_ballots(state))


def unweighted_points(state: State) -> dict[str, Number]:
    """The same if every ballot weighed 1; {} where every one does, or no count decides."""
    rule = state.spec.protocol.decide
    if isinstance(rule, BySeat) or _weighs_one(state):
        return {}
    found = voting.tallied(without_weights(state.spec), final_ballots(state), rule)
    return {o: number(p) for o, p in found.points.items()}


def tally_rows(state: State) -> tuple[TallyRow, ...]:
    """Every option of every poll, in the order of polls and of the options as they were declared."""
    polls = [(f"{c.round}.{c.phase}", c.ballots) for c in state.counted]
    if polls and state.outcome and _counts(state, polls[-1][1]) != _counts(state, state.ballots):
        polls.append((CLOSE, state.ballots))
    rows: list[TallyRow] = []
    for place, (poll_id, ballots) in enumerate(polls):
        # Ballots that changed in a phase that was cut off were never counted against the rule.
        closing = place == len(polls) - 1 and poll_id != CLOSE
        rows += poll_rows(state, poll_id, ballots, closing=closing)
    return tuple(rows)


def _counts(state: State, ballots: Mapping[str, Ballot]) -> object:
    return voting.tally_of(ballots, _debaters(state)), points_by_option(state, ballots)


def poll_rows(state: State, poll_id: str, ballots: Mapping[str, Ballot], *, closing: bool) -> list[TallyRow]:
    """Rows of one poll; only the `closing` one can have elected an option or ended in a tie."""
    rule, outcome = state.spec.protocol.decide, state.outcome
    if isinstance(rule, BySeat):
        return []
    found = voting.tallied(state.spec, ballots, rule)
    plain = found if _weighs_one(state) else voting.tallied(without_weights(state.spec), ballots, rule)
    decided = outcome.decision if closing and outcome and outcome.status == "decided" else None
    ties = outcome.ties if closing and outcome else ()
    above = {o: (o == decided and ballot_kind(rule) != "one", p) for o, p in found.points.items()}
    return [
        TallyRow(
            poll_id=poll_id,
            rule=rule.kind,
            option=option,
            votes=number(found.points[option]),
            unweighted=number(plain.points[option]),
            unit=unit_of(rule),
            rank=1 + sum(other > above[option] for other in above.values()),
            elected=option == decided,
            threshold=None if found.needed is None else number(found.needed),
            quorum_met=found.quorum_met,
            tie=option in ties,
            tie_step=steps_words(found) if closing and outcome and outcome.steps else "",
        )
        for option in state.spec.options
    ]


def _weighs_one(state: State) -> bool:
    return all(s.weight == 1 for s in state.spec.debaters())


def without_weights(spec: Spec) -> Spec:
    """The same debate if every ballot weighed 1."""
    return spec.model_copy(update={"seats": tuple(s.model_copy(update={"weight": 1}) for s in spec.seats)})


def steps_words(found: Tallied) -> str:
    """`pairwise: a and b; lot: a`."""
    return "; ".join(f"{s.step}: {' and '.join(s.left)}" for s in found.steps)


def pair_rows(state: State) -> tuple[PairRow, ...]:
    """Every pair of options in every poll, if ballots rank or give points."""
    kind = ballot_kind(state.spec.protocol.decide)
    if kind not in ("ranking", "score"):
        return ()
    rows = []
    for poll in state.counted:
        votes = counting.profile_of(kind, state.spec.options, voting.casts(poll.ballots, state.spec.debaters()))
        pairs, cast = profile.pairwise(votes), votes.weight()
        for a, b in combinations(state.spec.options, 2):
            tied = cast - pairs[a, b] - pairs[b, a]
            where = f"{poll.round}.{poll.phase}"
            rows.append(PairRow(where, a, b, number(pairs[a, b]), number(pairs[b, a]), number(tied)))
    return tuple(rows)


def ballot_counts(state: State) -> dict[str, int]:
    """Current ballots of the debaters by status; all five words are there."""
    words: tuple[BallotStatus, ...] = ("cast", "abstained", "unparseable", "failed", "struck")
    found = Counter(b.status for b in final_ballots(state).values())
    return {word: found[word] for word in words}
