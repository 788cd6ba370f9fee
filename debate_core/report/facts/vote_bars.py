"""The votes of one electorate against the agreed threshold, as drawn by every chart of votes.

Only the deciding electorate has a threshold; all others are advice. Of a sealed vote only the number of ballots is
known.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, get_args

from debate_core.engine import stage, voting
from debate_core.engine.count.count import Count, Result
from debate_core.engine.count.methods import METHODS
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.ballots import BallotRow
from debate_core.report.facts.counts import Number, as_recorded, number, points_by_option
from debate_core.report.facts.polls import count_id, poll_progress, revealed_results
from debate_core.spec.people import Electorate, PollResult
from debate_core.spec.rules import CountedRule, Elected, votes_needed
from debate_core.spec.values import TieStep

Voters = Literal["debaters", "panel", "room"]
VOTERS: tuple[Voters, ...] = get_args(Voters)
IN_HEADS = frozenset({"votes", "approvals", "consents", "first places"})
"""Units in which one option can have at most the total weight of the voters."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def letters(options: tuple[str, ...]) -> Mapping[str, str]:
    """Option -> its letter, in declared order; empty from the 27th on."""
    return {option: _LETTERS[place] if place < len(_LETTERS) else "" for place, option in enumerate(options)}


@dataclass(frozen=True, slots=True)
class OptionBar:
    """Points of one option."""

    letter: str
    option: str
    has: Number
    before: Number | None
    """Points in the vote before the debate, or in the first count; None without one."""
    wins: bool


@dataclass(frozen=True, slots=True)
class VoteBars:
    """One vote of one electorate."""

    voters: Voters
    decides: bool
    is_sealed: bool
    """If True, `bars` is empty."""
    rule: CountedRule
    """The rule of the count."""
    bars: tuple[OptionBar, ...]
    """Bars in declared order."""
    of: Number
    """Length of a full bar."""
    needed: Number | None
    """Threshold; None if most votes win, for advice, and where too few ballots were cast for any option to win."""
    cast: int
    eligible: int
    """Number of eligible voters."""
    in_a_row: int = 1
    has_held: int = 0
    """Consecutive counts to win (`in_a_row`), and those won so far."""
    ties: tuple[str, ...] = ()
    """Options that share the first place."""
    quorum_missed: int | None = None
    """Number of ballots required at the end, if some were cast, but too few."""
    tied_before: tuple[str, ...] = ()
    tie_steps: tuple[TieStep, ...] = ()
    """The tie-break steps that were tried, and the options tied before them."""
    count: Count | None = None
    """The counted ballots; None while sealed."""
    count_before: Count | None = None
    """The ballots behind `OptionBar.before`."""
    poll: str = ""
    """The poll of people; empty for seats."""

    @property
    def unit(self) -> str:
        """Unit of the points."""
        return METHODS[self.rule.kind].unit

    @property
    def winner(self) -> OptionBar | None:
        """The elected option, if any."""
        return next((bar for bar in self.bars if bar.wins), None)

    @property
    def leading(self) -> tuple[OptionBar, ...]:
        """The winner, else the tied options, else those with the most points; () before the first ballot."""
        if self.winner or not self.cast:
            return (self.winner,) if self.winner else ()
        most = max((bar.has for bar in self.bars), default=0)
        return tuple(bar for bar in self.bars if (bar.option in self.ties if self.ties else bar.has == most))

    @property
    def are_of_seats(self) -> bool:
        """True if debaters voted, not people."""
        return self.voters == "debaters"

    @property
    def abstained(self) -> int:
        """Number of voters who abstained; 0 while sealed."""
        return sum(not ballot.says() for ballot in self.count.ballots) if self.count is not None else 0

    @property
    def weight_cast(self) -> int | None:
        """Total weight of the ballots cast; None where all weigh one, and while sealed."""
        if self.count is None or self.count.weighs_one():
            return None
        return _cast_weight(self.count)

    @property
    def in_heads(self) -> bool:
        """True if a full bar is the total weight of the voters."""
        return self.unit in IN_HEADS

    @property
    def needed_of_cast(self) -> int | None:
        """Total weight of the ballots cast if `needed` is a share of it; None if it is a share of all votes."""
        of_cast = self.rule.base == "cast" or isinstance(self.rule, Elected)
        return _cast_weight(self.count) if self.in_heads and of_cast and self.count is not None else None

    @property
    def counts_everybody(self) -> bool:
        """True if a full bar is one vote of each eligible voter."""
        return self.unit == "votes" and self.of == self.eligible


def _cast_weight(count: Count) -> int:
    return sum(ballot.weight for ballot in count.ballots if ballot.says())


def vote_bars(account: Account) -> tuple[VoteBars, ...]:
    """The deciding vote first, then advice; () if no one was asked for a ballot."""
    found = (*_of_debaters(account), *_of_people(account.state))
    return tuple(sorted(found, key=lambda bars: not bars.decides))


@dataclass(frozen=True, slots=True)
class PollBallots:
    """The ballots of some voters in one count: after a phase of seats, or in a revealed poll of people."""

    ballots: tuple[BallotRow, ...]
    """Without replaced ones."""
    missing: int
    """Number of eligible voters without a ballot."""
    round: int = 0
    phase: str = ""
    poll: str = ""


def polls_of(account: Account, voters: Voters) -> tuple[PollBallots, ...]:
    """The counts of these voters, in order."""
    state = account.state
    found = []
    if voters == "debaters":
        rows: dict[tuple[int, str], list[BallotRow]] = {}
        for row in account.votes:
            rows.setdefault((row.round, row.phase), []).append(row)
        for (number, phase), ballots in rows.items():
            missing = len(state.spec.debaters()) - len(ballots)
            found.append(PollBallots(tuple(ballots), missing, round=number, phase=phase))
        return tuple(found)
    for poll, result in revealed_results(state):
        if result.electorate == voters:
            poll_id = count_id(poll.id, voters)
            cast = tuple(row for row in account.poll_votes if row.poll_id == poll_id and row.final)
            found.append(PollBallots(cast, result.eligible - len(cast), poll=poll.id))
    return tuple(found)


def deciding_bars(account: Account) -> VoteBars | None:
    """The deciding vote; None if a seat decides, or no one has been asked yet."""
    return next((bars for bars in vote_bars(account) if bars.decides), None)


def _of_debaters(account: Account) -> Iterator[VoteBars]:
    state = account.state
    if state.spec.held_elsewhere:
        return
    ruling = account.ruling
    decides = ruling.is_counted and state.spec.terms.decides == "debaters"
    if ruling.count is None or ruling.result is None:
        yield from _nothing_counted(state, decides=decides)
        return
    first = voting.count_of(state, state.counted[0].ballots) if len(state.counted) > 1 else None
    before = points_by_option(state, state.counted[0].ballots) if first else None
    wins = ruling.option or _only_winner(ruling.result.winners)
    drawn = _bars(ruling.count, ruling.result, "debaters", decides=decides, before=before, wins=wins)
    if state.outcome is not None:
        drawn = _without_quorum(drawn, ruling.result)
    yield replace(drawn, count_before=first)


def _only_winner(winners: tuple[str, ...]) -> str | None:
    return winners[0] if len(winners) == 1 else None


def _nothing_counted(state: State, *, decides: bool) -> Iterator[VoteBars]:
    """Yield empty bars while a count can still come."""
    rule = state.spec.protocol.decide
    debaters = state.spec.debaters()
    if not isinstance(rule, CountedRule) or state.outcome is not None:
        return
    weight = sum(seat.weight for seat in debaters)
    needed = votes_needed(rule, weight) if decides else None
    cast = sum(ballot.status == "cast" for ballot in state.ballots.values())
    yield _unread(rule, "debaters", decides=decides, of=weight, needed=needed, cast=cast, eligible=len(debaters))


def _of_people(state: State) -> Iterator[VoteBars]:
    """Yield the last vote of each electorate: the final one, else a quick poll, else the one before the debate."""
    if not state.room.polls:
        return
    latest = [*state.room.polls.values()][-1]
    for electorate in stage.ELECTORATES:
        poll = state.room.polls.get("final", latest)
        decides = state.spec.terms.decides == electorate and poll.id == "final"
        result = stage.result_of(state, poll.id, electorate)
        if not poll.revealed or result is None:
            yield from _sealed(state, poll, electorate, decides=decides)
            continue
        count = stage.count_of_poll(state, poll, electorate)
        told = as_recorded(count.result(), result)
        wins = _only_winner(result.winners) if poll.id == "final" else None
        pre = _vote_before(state, poll, electorate)
        before = {points.option: number(Fraction(points.points)) for points in pre[1].points} if pre else None
        drawn = _without_quorum(_bars(count, told, electorate, decides=decides, before=before, wins=wins), told)
        earlier = stage.count_of_poll(state, pre[0], electorate) if pre else None
        yield replace(drawn, count_before=earlier, poll=poll.id)


def _vote_before(state: State, poll: PollState, electorate: Electorate) -> tuple[PollState, PollResult] | None:
    """The revealed pre-vote; None without one or without a ballot in it, or if this poll is the pre-vote."""
    pre = state.room.polls.get("pre")
    result = stage.result_of(state, "pre", electorate)
    if pre is None or pre is poll or not pre.revealed or result is None or not result.cast:
        return None
    return pre, result


def _sealed(state: State, poll: PollState, electorate: Electorate, *, decides: bool) -> Iterator[VoteBars]:
    rule = state.spec.terms.vote
    for row in poll_progress(state, poll.id):
        if row.electorate == electorate and row.eligible:
            weight = sum(person.weight for person in stage.electors(state, poll, electorate))
            needed = votes_needed(rule, weight) if decides else None
            sealed = _unread(
                rule, electorate, decides=decides, of=weight, needed=needed, cast=row.voted, eligible=row.eligible
            )
            yield replace(sealed, poll=poll.id)


def _unread(
    rule: CountedRule, voters: Voters, *, decides: bool, of: int, needed: int | None, cast: int, eligible: int
) -> VoteBars:
    return VoteBars(
        voters=voters,
        decides=decides,
        is_sealed=True,
        rule=rule,
        bars=(),
        of=of,
        needed=needed,
        cast=cast,
        eligible=eligible,
    )


def _bars(
    count: Count,
    result: Result,
    voters: Voters,
    *,
    decides: bool,
    before: Mapping[str, Number] | None,
    wins: str | None,
) -> VoteBars:
    needed = number(result.needed) if decides and result.needed is not None else None
    bars = _option_bars(count, result, before, wins)
    full: Number = result.eligible_weight
    if METHODS[count.rule.kind].unit not in IN_HEADS:
        full = max(1, needed or 0)
        for bar in bars:
            full = max(full, bar.has, bar.before or 0)
    return VoteBars(
        voters=voters,
        decides=decides,
        is_sealed=False,
        rule=count.rule,
        bars=bars,
        of=full,
        needed=needed,
        cast=result.cast,
        eligible=result.eligible,
        in_a_row=result.in_a_row,
        has_held=result.has_held,
        ties=result.winners if len(result.winners) > 1 else (),
        tied_before=result.ties,
        tie_steps=result.steps,
        count=count,
    )


def _without_quorum(bars: VoteBars, result: Result) -> VoteBars:
    """A threshold that no option can meet, because too few ballots were cast, gives way to the quorum."""
    if result.quorum_met or not bars.cast or not bars.decides:
        return bars
    return replace(bars, needed=None, quorum_missed=result.quorum)


def _option_bars(
    count: Count, result: Result, before: Mapping[str, Number] | None, wins: str | None
) -> tuple[OptionBar, ...]:
    letter = letters(tuple(count.options))
    bars = []
    for option in count.options:
        had = None if before is None else before.get(option, 0)
        bars.append(OptionBar(letter[option], option, number(result.points[option]), had, option == wins))
    return tuple(bars)
