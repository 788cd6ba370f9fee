"""The votes of one electorate against the line that was agreed before the start: what every drawing of votes shows.

The electorate that decides has a line; every other one is advice and has none. Of a sealed vote nothing is known but
how many have voted.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from debate_core.engine import stage
from debate_core.engine.count.count import Count, Result
from debate_core.engine.count.methods import METHODS
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.counts import Number, as_recorded, number, points_by_option
from debate_core.report.facts.polls import poll_progress
from debate_core.spec.people import Electorate
from debate_core.spec.rules import CountedRule, votes_needed

Voters = Literal["debaters", "panel", "room"]
IN_HEADS = frozenset({"votes", "approvals", "consents", "first places"})
"""Units of which one option can have as much as the voters weigh together."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def letters(options: tuple[str, ...]) -> Mapping[str, str]:
    """Option -> its letter, in the order of set-up; empty from the 27th on."""
    return {option: _LETTERS[place] if place < len(_LETTERS) else "" for place, option in enumerate(options)}


@dataclass(frozen=True, slots=True)
class OptionBar:
    """What one option has."""

    letter: str
    option: str
    has: Number
    before: Number | None
    """In the vote before the debate, or in the first count; None if there was none."""
    wins: bool


@dataclass(frozen=True, slots=True)
class VoteBars:
    """One vote of one electorate."""

    voters: Voters
    decides: bool
    is_sealed: bool
    """Then `bars` is empty."""
    rule: CountedRule
    """By which the ballots are counted."""
    bars: tuple[OptionBar, ...]
    """In the order of set-up."""
    of: Number
    """The length of a bar that is full."""
    needed: Number | None
    """Where the line stands; None where the most votes win, and for advice."""
    cast: int
    eligible: int
    """Heads."""
    in_a_row: int = 1
    has_held: int = 0
    """On how many ballots in a row an option has to have what is needed, and on how many it has had it."""

    @property
    def unit(self) -> str:
        """What the points of an option are."""
        return METHODS[self.rule.kind].unit

    @property
    def winner(self) -> OptionBar | None:
        """The option that is elected, if one is."""
        return next((bar for bar in self.bars if bar.wins), None)

    @property
    def are_of_seats(self) -> bool:
        """True if debaters voted, and no people."""
        return self.voters == "debaters"

    @property
    def in_heads(self) -> bool:
        """True if a full bar is everybody's vote."""
        return self.unit in IN_HEADS

    @property
    def counts_everybody(self) -> bool:
        """True if a full bar is the vote of everybody who may vote, one head each."""
        return self.in_heads and self.of == self.eligible


def vote_bars(account: Account) -> tuple[VoteBars, ...]:
    """The vote that decides first, then those that advise; nothing where nobody was asked for a ballot."""
    found = (*_of_debaters(account), *_of_people(account.state))
    return tuple(sorted(found, key=lambda bars: not bars.decides))


def deciding_bars(account: Account) -> VoteBars | None:
    """The vote that decides; None where a seat decides, or nobody has been asked yet."""
    return next((bars for bars in vote_bars(account) if bars.decides), None)


def _of_debaters(account: Account) -> Iterator[VoteBars]:
    state = account.state
    ruling = account.ruling
    decides = ruling.is_counted and state.spec.terms.decides == "debaters"
    if ruling.count is None or ruling.result is None:
        yield from _nothing_counted(state, decides=decides)
        return
    first = state.counted[0]
    before = points_by_option(state, first.ballots) if len(state.counted) > 1 else None
    wins = ruling.option or _only_winner(ruling.result.winners)
    yield _bars(ruling.count, ruling.result, "debaters", decides=decides, before=before, wins=wins)


def _only_winner(winners: tuple[str, ...]) -> str | None:
    return winners[0] if len(winners) == 1 else None


def _nothing_counted(state: State, *, decides: bool) -> Iterator[VoteBars]:
    """The empty line, while a count can still come."""
    rule = state.spec.protocol.decide
    debaters = state.spec.debaters()
    if not isinstance(rule, CountedRule) or state.outcome is not None:
        return
    weight = sum(seat.weight for seat in debaters)
    needed = votes_needed(rule, weight) if decides else None
    cast = sum(ballot.status == "cast" for ballot in state.ballots.values())
    yield _unread(rule, "debaters", decides=decides, of=weight, needed=needed, cast=cast, eligible=len(debaters))


def _of_people(state: State) -> Iterator[VoteBars]:
    """The last vote of each electorate: the final one, else a pulse, else the one before the debate."""
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
        wins = _only_winner(result.winners) if decides else None
        before = _before(state, poll, electorate)
        yield _bars(count, told, electorate, decides=decides, before=before, wins=wins)


def _before(state: State, poll: PollState, electorate: Electorate) -> Mapping[str, Number] | None:
    pre = state.room.polls.get("pre")
    result = stage.result_of(state, "pre", electorate)
    if pre is None or pre is poll or not pre.revealed or result is None:
        return None
    return {p.option: number(Fraction(p.points)) for p in result.points}


def _sealed(state: State, poll: PollState, electorate: Electorate, *, decides: bool) -> Iterator[VoteBars]:
    """How many have voted: nothing else is known of a vote that is not revealed."""
    rule = state.spec.terms.vote
    for row in poll_progress(state, poll.id):
        if row.electorate == electorate and row.eligible:
            weight = sum(person.weight for person in stage.electors(state, poll, electorate))
            needed = votes_needed(rule, weight) if decides else None
            yield _unread(
                rule, electorate, decides=decides, of=weight, needed=needed, cast=row.voted, eligible=row.eligible
            )


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
    in_heads = METHODS[count.rule.kind].unit in IN_HEADS
    return VoteBars(
        voters=voters,
        decides=decides,
        is_sealed=False,
        rule=count.rule,
        bars=bars,
        of=result.eligible_weight if in_heads else _longest(bars, needed),
        needed=needed,
        cast=result.cast,
        eligible=result.eligible,
        in_a_row=result.in_a_row,
        has_held=result.has_held,
    )


def _option_bars(
    count: Count, result: Result, before: Mapping[str, Number] | None, wins: str | None
) -> tuple[OptionBar, ...]:
    letter = letters(tuple(count.options))
    bars = []
    for option in count.options:
        had = None if before is None else before.get(option, 0)
        bars.append(OptionBar(letter[option], option, number(result.points[option]), had, option == wins))
    return tuple(bars)


def _longest(bars: tuple[OptionBar, ...], needed: Number | None) -> Number:
    longest: Number = 1
    for bar in bars:
        longest = max(longest, bar.has, bar.before or 0)
    return max(longest, needed or 0)
