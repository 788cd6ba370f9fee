"""Swing between the vote before the debate and the final vote, transitions of people, and the turns in between.

Uses revealed polls only, under aliases. A swing decides nothing unless that was agreed: reports show it beside the
count.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from debate_core.engine.stage import ELECTORATES, count_of_poll, result_of
from debate_core.record.events import Event, PhaseEnded, TurnTaken
from debate_core.record.ids import RequestId
from debate_core.record.state import State
from debate_core.report.facts.ballots import BallotRow
from debate_core.report.facts.polls import electorate_of, revealed_results
from debate_core.spec.people import Electorate, PollStage
from debate_core.spec.rules import CountedRule
from debate_core.spec.values import ABSTAIN

_ENDS: tuple[PollStage, PollStage] = ("pre", "final")
NO_BALLOT = "no ballot"
"""Position of a person who voted in only one of the two polls."""


@dataclass(frozen=True, slots=True)
class SwingRow:
    """Votes of one option before the first turn and at the end: weighted ballots that put it highest, ties shared.

    Shares are of all ballots, including abstentions.
    """

    electorate: Electorate
    option: str
    before: Fraction
    after: Fraction
    share_before: Fraction
    share_after: Fraction

    def swing(self) -> Fraction:
        """Change of the share; negative if lost."""
        return self.share_after - self.share_before


@dataclass(frozen=True, slots=True)
class Transition:
    """Number of voters who went from `before` to `after`: people between pre-vote and final vote, seats between counts.

    Both are an option, SEVERAL, NO_BALLOT, or the status of a ballot without a vote.
    """

    electorate: Electorate | Literal["debaters"]
    before: str
    after: str
    voters: int
    seats: tuple[str, ...] = ()
    """The seats; () for people, who are not named."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A person whose next ballot puts another option highest, with the last turns readable before each ballot.

    `read_before` and `read_after` are turns (`2.reply.risk`), empty before the first one.
    """

    alias: str
    electorate: str
    polls: tuple[str, str]
    before: str
    after: str
    read_before: str
    read_after: str


@dataclass(frozen=True, slots=True)
class ConfidenceRow:
    """Confidence of an electorate in one poll; `mean` is None if no one stated theirs."""

    electorate: Electorate
    poll: str
    said: int
    ballots: int
    mean: Fraction | None
    lowest: int | None
    highest: int | None


def has_first_choices(rule: CountedRule) -> bool:
    """True if ballots put one option first, so that a vote can go from one option to another."""
    return rule.kind not in ("approval", "consent")


def has_swing(state: State) -> bool:
    """True once both votes are revealed."""
    return all(i in state.room.polls and state.room.polls[i].revealed for i in _ENDS)


def swing_rows(state: State) -> tuple[SwingRow, ...]:
    """Each option before and after, by electorate; () until both votes are revealed."""
    rows = []
    for electorate in ELECTORATES:
        if all(result_of(state, poll, electorate) for poll in _ENDS):
            rows += _swing_of(state, electorate)
    return tuple(rows)


def _swing_of(state: State, electorate: Electorate) -> list[SwingRow]:
    before, after = (count_of_poll(state, state.room.polls[poll], electorate) for poll in _ENDS)
    firsts_before = before.firsts()
    firsts_after = after.firsts()
    # Without ballots every option has 0 votes, and so a share of 0.
    all_before = sum(b.weight for b in before.ballots) or 1
    all_after = sum(b.weight for b in after.ballots) or 1
    return [
        SwingRow(
            electorate,
            option,
            firsts_before[option],
            firsts_after[option],
            firsts_before[option] / all_before,
            firsts_after[option] / all_after,
        )
        for option in state.spec.options
    ]


def swing_winners(state: State, electorate: Electorate) -> tuple[str, ...]:
    """Options with the largest gain; () without a gain."""
    swings = {r.option: r.swing() for r in swing_rows(state) if r.electorate == electorate}
    most = max(swings.values(), default=Fraction(0))
    return tuple(o for o, s in swings.items() if s == most and most > 0)


def transition_rows(state: State, ballots: Iterable[BallotRow]) -> tuple[Transition, ...]:
    """Transitions of people between the two votes, most frequent first; () until both are revealed."""
    if not has_swing(state):
        return ()
    tops: dict[tuple[str, str], dict[str, str]] = {}
    for row in ballots:
        if row.final:
            tops.setdefault((row.electorate, row.stage), {})[row.voter] = row.top()
    rows = []
    for electorate in ELECTORATES:
        before, after = (tops.get((electorate, stage), {}) for stage in _ENDS)
        moves = Counter((before.get(who, NO_BALLOT), after.get(who, NO_BALLOT)) for who in before | after)
        most_first = sorted(moves.items(), key=lambda move: (-move[1], move[0]))
        rows += [Transition(electorate, *ends, voters) for ends, voters in most_first]
    return tuple(rows)


def seat_transitions(state: State, rows: Iterable[BallotRow]) -> tuple[Transition, ...]:
    """Transitions of the seats from the first count to the last, most frequent first; () until there are two."""
    by_count: dict[str, dict[str, str]] = {}
    for row in rows:
        place = row.top() if row.status == "cast" else row.status
        by_count.setdefault(row.poll_id, {})[row.voter] = place
    if len(by_count) < 2:
        return ()
    counts = [*by_count.values()]
    movers: dict[tuple[str, str], list[str]] = {}
    for seat in state.spec.debaters():
        ends = counts[0].get(seat.id, NO_BALLOT), counts[-1].get(seat.id, NO_BALLOT)
        movers.setdefault(ends, []).append(seat.id)
    most_first = sorted(movers.items(), key=lambda move: (-len(move[1]), move[0]))
    return tuple(Transition("debaters", *ends, len(seats), tuple(seats)) for ends, seats in most_first)


def moved_rows(state: State, events: Iterable[Event], ballots: Iterable[BallotRow]) -> tuple[Moved, ...]:
    """Changes of a person's vote between two ballots in revealed polls, with the turns before each."""
    last_turn = _last_turns(state, events)
    by_voter: dict[str, list[BallotRow]] = {}
    for ballot in sorted(ballots, key=lambda b: b.seq):
        by_voter.setdefault(ballot.voter, []).append(ballot)
    rows = []
    for alias, own in by_voter.items():
        for a, b in pairwise(own):
            if a.top() != b.top():
                read = last_turn.get(a.transcript, ""), last_turn.get(b.transcript, "")
                rows.append(Moved(alias, a.electorate, (a.poll, b.poll), a.top(), b.top(), *read))
    return tuple(rows)


def _last_turns(state: State, events: Iterable[Event]) -> Mapping[str, str]:
    """Hash of an event -> the last turn that was public by then."""
    last = ""
    waiting = ""
    turns: dict[str, str] = {}
    for event in events:
        if isinstance(event.body, TurnTaken):
            turn = RequestId.parse(event.body.request).turn
            if state.phase(turn.phase).sealed:
                waiting = str(turn)
            else:
                last = str(turn)
        elif isinstance(event.body, PhaseEnded) and waiting:
            last = waiting
            waiting = ""
        turns[event.hash] = last
    return turns


def confidence_rows(state: State) -> tuple[ConfidenceRow, ...]:
    """Confidence of each electorate in every revealed poll, without abstentions."""
    rows = []
    for poll, result in revealed_results(state):
        ballots = [d.fact for i, d in poll.ballots.items() if electorate_of(state, i) == result.electorate]
        cast = [ballot for ballot in ballots if ballot.choice != ABSTAIN]
        percents = [ballot.confidence for ballot in cast if ballot.confidence is not None]
        mean = Fraction(sum(percents), len(percents)) if percents else None
        lowest = min(percents, default=None)
        highest = max(percents, default=None)
        rows.append(ConfidenceRow(result.electorate, poll.id, len(percents), len(cast), mean, lowest, highest))
    return tuple(rows)
