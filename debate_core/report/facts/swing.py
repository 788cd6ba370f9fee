"""Before and after: how the votes of people swung, who went from where to where, and what was said in between.

Made from revealed polls only, under aliases. A swing decides nothing unless that was agreed: reports show it beside
the count.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from debate_core.engine.count import counting, profile
from debate_core.engine.stage import ELECTORATES, result_of
from debate_core.record.address import RequestId
from debate_core.record.events import Event, PhaseEnded, TurnTaken
from debate_core.record.state import State
from debate_core.report.facts.polls import (
    PollBallot,
    casts,
    electorate_of,
    kind_of,
    poll_ballots,
    revealed_results,
    that_say,
)
from debate_core.spec.people import Electorate, Stage
from debate_core.spec.values import ABSTAIN

NO_BALLOT = "no ballot"
"""Where somebody stands who voted in one of the two polls alone."""


@dataclass(frozen=True, slots=True)
class SwingRow:
    """One option before the first turn and at the end: ballots that put it highest, by weight, level ones shared.

    Shares are of all ballots handed in, abstentions too.
    """

    electorate: Electorate
    option: str
    before: Fraction
    after: Fraction
    share_before: Fraction
    share_after: Fraction

    def swing(self) -> Fraction:
        """Share gained; negative if lost."""
        return self.share_after - self.share_before


@dataclass(frozen=True, slots=True)
class Transition:
    """How many people of an electorate stood at `before` in the pre-vote and at `after` in the final vote."""

    electorate: Electorate
    before: str
    after: str
    voters: int


@dataclass(frozen=True, slots=True)
class Moved:
    """Somebody whose next ballot puts another option highest, and which turns they could read before each.

    `read_before` and `read_after` are turns (`2.reply.risk`), empty before the first one.
    """

    alias: str
    electorate: Electorate
    polls: tuple[str, str]
    before: str
    after: str
    read_before: str
    read_after: str


@dataclass(frozen=True, slots=True)
class ConfidenceRow:
    """How sure an electorate was in one poll; `mean` None if nobody said it."""

    electorate: Electorate
    poll: str
    said: int
    ballots: int
    mean: Fraction | None


def _last_ballots(state: State, stage: Stage, electorate: Electorate) -> dict[str, PollBallot]:
    """Alias -> the ballot that counted, in a revealed poll."""
    rows = poll_ballots(state)
    return {r.alias: r for r in rows if (r.stage, r.electorate, r.replaced_by) == (stage, electorate, "")}


def has_swing(state: State) -> bool:
    """True once the votes before the first turn and at the end can both be read."""
    return all(i in state.room.polls and state.room.polls[i].revealed for i in ("pre", "final"))


def swing_rows(state: State) -> tuple[SwingRow, ...]:
    """Each option before and after, electorate by electorate; () until both votes are revealed."""
    if not has_swing(state):
        return ()
    rows = []
    for electorate in ELECTORATES:
        before, after = (_firsts(state, poll, electorate) for poll in ("pre", "final"))
        if before and after:
            rows += [SwingRow(electorate, o, before[o][0], after[o][0], before[o][1], after[o][1]) for o in before]
    return tuple(rows)


def _firsts(state: State, poll: str, electorate: Electorate) -> dict[str, tuple[Fraction, Fraction]]:
    """Option -> weight of the ballots that put it highest, and its share of all that were handed in."""
    if result_of(state, poll, electorate) is None:
        return {}
    ballots = casts(state, state.room.polls[poll], electorate)
    votes = counting.profile_of(kind_of(state), state.spec.options, that_say(ballots), state.spec.drivers)
    points, _ = profile.firsts(votes, state.spec.options)
    handed_in = sum(b.weight for b in ballots)
    return {o: (points[o], points[o] / handed_in if handed_in else Fraction(0)) for o in state.spec.options}


def swing_winners(state: State, electorate: Electorate) -> tuple[str, ...]:
    """The options that gained most; none if nothing gained."""
    swings = {r.option: r.swing() for r in swing_rows(state) if r.electorate == electorate}
    most = max(swings.values(), default=Fraction(0))
    return tuple(o for o, s in swings.items() if s == most and most > 0)


def transition_rows(state: State) -> tuple[Transition, ...]:
    """From where to where people went between the two votes, most first; () until both are revealed."""
    if not has_swing(state):
        return ()
    rows = []
    for electorate in ELECTORATES:
        before, after = (_last_ballots(state, stage, electorate) for stage in _ENDS)
        moves = Counter((_stands(before.get(who)), _stands(after.get(who))) for who in {**before, **after})
        rows += [Transition(electorate, a, b, n) for (a, b), n in sorted(moves.items(), key=lambda m: (-m[1], m[0]))]
    return tuple(rows)


_ENDS: tuple[Stage, Stage] = ("pre", "final")


def _stands(row: PollBallot | None) -> str:
    return row.top if row else NO_BALLOT


def moved_rows(state: State, events: Iterable[Event]) -> tuple[Moved, ...]:
    """Every change of mind between two ballots of one person in revealed polls, and what was said in between."""
    read = _readable(state, events)
    by_voter: dict[str, list[PollBallot]] = {}
    for row in sorted(poll_ballots(state), key=lambda r: int(r.ballot_id.split(".")[1])):
        by_voter.setdefault(row.alias, []).append(row)
    return tuple(
        Moved(
            alias,
            a.electorate,
            (a.poll_id.split(".")[0], b.poll_id.split(".")[0]),
            a.top,
            b.top,
            read.get(a.transcript, ""),
            read.get(b.transcript, ""),
        )
        for alias, rows in by_voter.items()
        for a, b in pairwise(rows)
        if a.top != b.top
    )


def _readable(state: State, events: Iterable[Event]) -> Mapping[str, str]:
    """Hash of an event -> the last turn that everybody could read by then."""
    last, waiting, found = "", "", dict[str, str]()
    for event in events:
        if isinstance(event.body, TurnTaken):
            turn = RequestId.parse(event.body.request).turn
            place, sealed = str(turn), state.phase(turn.phase).sealed
            waiting, last = (place, last) if sealed else (waiting, place)
        elif isinstance(event.body, PhaseEnded) and waiting:
            waiting, last = "", waiting
        found[event.hash] = last
    return found


def confidence_rows(state: State) -> tuple[ConfidenceRow, ...]:
    """How sure each electorate was in every revealed poll; abstentions say nothing."""
    rows = []
    for poll, result in revealed_results(state):
        there = [d.fact for i, d in poll.ballots.items() if electorate_of(state, i) == result.electorate]
        cast = [f for f in there if f.choice != ABSTAIN]
        sure = [f.confidence for f in cast if f.confidence is not None]
        mean = Fraction(sum(sure), len(sure)) if sure else None
        rows.append(ConfidenceRow(result.electorate, poll.id, len(sure), len(cast), mean))
    return tuple(rows)
