"""Polls of people as typed rows: how many are in, ballots by receipt, and counts.

Only a poll that was revealed has rows; of every other one it is known how many have answered. Voters stand under
aliases in the order of their receipts, never under names.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations
from types import MappingProxyType
from typing import Literal

from debate_core.engine.count import counting, profile
from debate_core.engine.count.counting import Cast, Tallied
from debate_core.engine.stage import ELECTORATES, electors, joined_late, receipt, result_of, voters
from debate_core.record.acts import BallotCast
from debate_core.record.people import Done, PollState
from debate_core.record.state import State
from debate_core.report.facts.counts import BallotCells, Number, PairRow, TallyRow, number, unit_of
from debate_core.report.facts.robustness import others_of
from debate_core.spec.people import Electorate, Person, PollResult, Room, Stage, stage_of
from debate_core.spec.rules import ballot_kind
from debate_core.spec.values import ABSTAIN, BallotKind

SEVERAL, ABSTAINED = "several at once", "abstained"
"""Where a ballot stands that puts no single option highest."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How many have answered: all that anybody may know of a poll before it is revealed."""

    poll: str
    electorate: Electorate
    voted: int
    eligible: int


@dataclass(frozen=True, slots=True)
class PollBallot(BallotCells):
    """One ballot of a revealed poll; one that its voter changed later too, with what replaced it."""

    ballot_id: str
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
    given: counting.Points
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


def count_id(poll: str, electorate: Electorate) -> str:
    """`final.panel`: one poll of one electorate is one count."""
    return f"{poll}.{electorate}"


def poll_progress(state: State, poll: str) -> tuple[Progress, ...]:
    """Of each electorate that somebody belongs to, how many have answered."""
    held = state.room.polls.get(poll)
    found = []
    for electorate in ELECTORATES:
        there = {p.id for p in (electors(state, held, electorate) if held else voters(state, electorate))}
        voted = {i for i in held.ballots if electorate_of(state, i) == electorate} if held else set()
        if there | voted:
            found.append(Progress(poll, electorate, len(voted), len(there | voted)))
    return tuple(found)


def counted_voters(state: State, poll: str, electorate: Electorate) -> tuple[Person, ...]:
    """Whom a closed poll was counted against: whoever comes or goes later changes nothing. Before, who may vote now."""
    held = state.room.polls.get(poll)
    if held is None or held.closed is None:
        return voters(state, electorate)
    return tuple(p for p in electors(state, held, electorate) if state.room.joined[p.id] <= held.closed.seq)


def electorate_of(state: State, person: str) -> Electorate | None:
    """Where this person votes."""
    return state.room.people[person].electorate


def revealed_polls(state: State) -> tuple[PollState, ...]:
    """Polls that everybody may read, in the order in which they were opened."""
    return tuple(p for p in state.room.polls.values() if p.revealed)


def revealed_results(state: State) -> Iterator[tuple[PollState, PollResult]]:
    """Every count that everybody may read."""
    for poll in revealed_polls(state):
        for electorate in ELECTORATES:
            if result := result_of(state, poll.id, electorate):
                yield poll, result


def aliases(state: State) -> Mapping[str, str]:
    """Person id -> `panel 2`: numbered in the order of the hashes of their first ballots."""
    first: dict[str, str] = {}
    for done in state.room.of(BallotCast):
        first.setdefault(done.by, done.hash)
    numbers: Counter[str] = Counter()
    named = {}
    for person in sorted(first, key=lambda i: first[i]):
        electorate = electorate_of(state, person) or "nobody's"
        numbers[electorate] += 1
        named[person] = f"{electorate} {numbers[electorate]}"
    return named


def poll_ballots(state: State) -> tuple[PollBallot, ...]:
    """Every ballot of every revealed poll, changed ones too, in the order of receipts within each count."""
    named = aliases(state)
    rows = []
    for poll in revealed_polls(state):
        cast = [d for d in state.room.of(BallotCast) if d.fact.poll == poll.id]
        later: dict[str, int] = {}
        for done in reversed(cast):
            rows.append(_ballot_row(state, poll, done, named[done.by], later.get(done.by)))
            later[done.by] = done.seq
    return tuple(sorted(rows, key=lambda r: (_place(state, r), r.receipt)))


def _place(state: State, row: PollBallot) -> tuple[int, int]:
    return [*state.room.polls].index(row.poll_id.split(".")[0]), ELECTORATES.index(row.electorate)


def _ballot_row(state: State, poll: PollState, done: Done[BallotCast], alias: str, after: int | None) -> PollBallot:
    person, fact, kind = state.room.people[done.by], done.fact, kind_of(state)
    electorate = person.electorate or "room"
    abstains = fact.choice == ABSTAIN
    return PollBallot(
        ballot_id=f"{poll.id}.{done.seq}",
        poll_id=count_id(poll.id, electorate),
        stage=stage_of(poll.id),
        electorate=electorate,
        alias=alias,
        role=person.role,
        weight=person.weight,
        status="abstained" if abstains else "cast",
        kind=kind,
        choice=None if abstains else fact.choice,
        given=MappingProxyType(counting.points_by_name(fact.given)),
        top=_top(state, fact),
        said=ABSTAIN if abstains else counting.ballot_words(kind, fact.given) if fact.given else fact.choice or "",
        confidence=fact.confidence,
        reason="; ".join(
            [fact.reason] * bool(fact.reason) + [f"{g.option}: {g.reason}" for g in fact.given if g.reason]
        ),
        joined_after_open=joined_late(state, poll.id, done.by),
        cast_at=done.at,
        replaced_by=f"{poll.id}.{after}" if after else "",
        receipt=receipt(done.hash),
        transcript=fact.transcript,
        options=state.spec.options,
    )


def room_of(state: State) -> Room:
    """What was agreed on people; a poll can only be opened where something was."""
    assert state.spec.room is not None
    return state.spec.room


def kind_of(state: State) -> BallotKind:
    """What a ballot of this room says."""
    return ballot_kind(room_of(state).vote)


def _top(state: State, fact: BallotCast) -> str:
    tops = (
        counting.tops(kind_of(state), Cast("", fact.choice, fact.given), state.spec.drivers)
        if fact.choice != ABSTAIN
        else ()
    )
    return SEVERAL if len(tops) > 1 else tops[0] if tops else ABSTAINED


def casts(state: State, poll: PollState, electorate: Electorate) -> list[Cast]:
    """The ballots of one count as the rules read them, each named by its receipt, in that order."""
    found = []
    for person, done in poll.ballots.items():
        if electorate_of(state, person) == electorate:
            weight = state.room.people[person].weight
            found.append(Cast(receipt(done.hash), done.fact.choice, done.fact.given, weight))
    return sorted(found, key=lambda c: c.voter)


def eligible_weights(result: PollResult) -> list[int]:
    """As many weights as there were voters, and together what they weighed at the close: no more is counted."""
    return [result.weight_eligible - result.eligible + 1, *[1] * (result.eligible - 1)] if result.eligible else []


def poll_tally_rows(state: State) -> tuple[TallyRow, ...]:
    """Every option in every revealed count, as it was recorded at the close."""
    return tuple(row for poll, result in revealed_results(state) for row in _tally(state, poll, result))


def _tally(state: State, poll: PollState, result: PollResult) -> list[TallyRow]:
    rule, options = room_of(state).vote, state.spec.options
    ballots = casts(state, poll, result.electorate)
    count = partial(counting.count, rule, options, seed=state.spec.seed, drivers=state.spec.drivers)
    found = count(ballots, eligible=eligible_weights(result))
    alone = [Cast(b.voter, b.choice, b.given) for b in ballots]
    plain = count(alone, eligible=[1] * result.eligible)
    points = {p.option: Fraction(p.points) for p in result.points}
    elected = result.winners if len(result.winners) == 1 else ()
    above = {o: (o in elected, points[o]) for o in options}
    return [
        TallyRow(
            poll_id=count_id(poll.id, result.electorate),
            rule=rule.kind,
            option=option,
            votes=number(points[option]),
            unweighted=number(plain.points[option]),
            unit=unit_of(rule),
            rank=1 + sum(other > above[option] for other in above.values()),
            elected=option in elected,
            threshold=None if found.needed is None else number(found.needed),
            quorum_met=result.quorum_met,
            tie=not elected and option in result.winners,
            tie_step=steps_words(result),
        )
        for option in options
    ]


def steps_words(result: PollResult | Tallied) -> str:
    """`pairwise: a and b; lot: a`."""
    return "; ".join(f"{s.step}: {' and '.join(s.left)}" for s in result.steps)


def poll_pair_rows(state: State) -> tuple[PairRow, ...]:
    """Every pair of options in every revealed count, if ballots rank or give points."""
    if state.spec.room is None or kind_of(state) not in ("ranking", "score", "dots"):
        return ()
    rows = []
    for poll, result in revealed_results(state):
        votes = counting.profile_of(kind_of(state), state.spec.options, that_say(casts(state, poll, result.electorate)))
        pairs, cast = profile.pairwise(votes), votes.weight()
        for a, b in combinations(state.spec.options, 2):
            tied = cast - pairs[a, b] - pairs[b, a]
            where = count_id(poll.id, result.electorate)
            rows.append(PairRow(where, a, b, number(pairs[a, b]), number(pairs[b, a]), number(tied)))
    return tuple(rows)


def that_say(ballots: Iterable[Cast]) -> list[Cast]:
    """Without the abstentions."""
    return [b for b in ballots if b.says()]


def counted_again(state: State, poll: PollState, electorate: Electorate) -> Tallied:
    """The ballots of one closed count, counted once more from the start."""
    result = next(r for r in poll.closed.fact.results if r.electorate == electorate) if poll.closed else None
    eligible = eligible_weights(result) if result else []
    ballots = casts(state, poll, electorate)
    rule, spec = room_of(state).vote, state.spec
    return counting.count(rule, spec.options, ballots, eligible=eligible, seed=spec.seed, drivers=spec.drivers)


@dataclass(frozen=True, slots=True)
class Otherwise:
    """What another rule makes of the ballots of one count."""

    rule: str
    winners: tuple[str, ...]
    needed: Number | None
    agreed: bool


def other_rules(state: State, poll: PollState, result: PollResult) -> tuple[Otherwise, ...]:
    """The agreed rule first, then every other one that these ballots can be counted by."""
    rule, ballots = room_of(state).vote, casts(state, poll, result.electorate)
    rows = []
    for other in (rule, *others_of(rule)):
        found = counting.count(
            other,
            state.spec.options,
            ballots,
            eligible=eligible_weights(result),
            seed=state.spec.seed,
            kind=kind_of(state),
            drivers=state.spec.drivers,
        )
        needed = None if found.needed is None else number(found.needed)
        rows.append(Otherwise(other.kind, found.winners, needed, other is rule))
    return tuple(rows)
