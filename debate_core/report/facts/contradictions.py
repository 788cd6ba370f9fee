"""Ballots, verdicts and syntheses whose own text argues for another option; the count with and without such ballots.

Reads only `argues_for` as recorded with each turn; older records without it have no contradictions.
"""

from dataclasses import dataclass

from debate_core.engine import ballot_consistency, voting
from debate_core.engine.count.count import Count
from debate_core.record.state import State, Turn
from debate_core.report.facts.counts import final_ballots
from debate_core.report.facts.turns import readable_turns
from debate_core.spec.contents import Synthesis, Verdict
from debate_core.spec.values import Ballot


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A ballot, or one that was not counted, and the option that its own text argues for."""

    turn_id: str
    seat: str
    ballot: tuple[str, ...]
    """Options that it puts highest."""
    argues_for: str
    counts: bool
    """False if the debate agreed to count such a ballot as an abstention."""


@dataclass(frozen=True, slots=True)
class NamedOtherwise:
    """A verdict or synthesis that names another option than its own text argues for."""

    turn_id: str
    seat: str
    named: str
    argues_for: str


def named_otherwise(state: State) -> tuple[NamedOtherwise, ...]:
    """The last verdict or synthesis of each seat, if its text argues for another option."""
    turns = [turn for turn in readable_turns(state) if turn.status == "ok"]
    last = {turn.seat: turn for turn in turns if isinstance(turn.content, Verdict | Synthesis)}
    return tuple(
        NamedOtherwise(turn.request, seat, " and ".join(turn.content.names), turn.argues_for)
        for seat, turn in last.items()
        if turn.content is not None and turn.argues_for
    )


@dataclass(frozen=True, slots=True)
class Contradictions:
    """Contradictions among the debaters' last ballots, in schedule order."""

    rows: tuple[Contradiction, ...]
    ballots: int
    """Number of last ballots that were not abstentions as given; 0 without contradictions."""
    with_them: Count | None
    """The count of the ballots as given; None if no count decides."""
    without: Count | None
    """The count with these ballots as abstentions."""


def contradictions(state: State, count: Count | None) -> Contradictions:
    """Contradictions of the ballots at the close, or so far; `count` is the count of these ballots."""
    ballots = final_ballots(state)
    turns = {ballot.seat: _turn_of(state, ballot) for ballot in ballots.values()}
    rows = []
    for seat in state.spec.debaters():
        turn = turns.get(seat.id)
        if turn is not None:
            rows.append(_contradiction(state, turn, ballots[seat.id]))
    if not rows:
        return Contradictions((), 0, None, None)
    n_cast = sum(ballot.status == "cast" for ballot in ballots.values())
    n_uncounted = sum(not row.counts for row in rows)
    if count is None:
        return Contradictions(tuple(rows), n_cast + n_uncounted, None, None)
    as_given = {seat: _as_given(ballot, turns.get(seat)) for seat, ballot in ballots.items()}
    counted = voting.count_of(state, as_given)
    with_them = count.with_ballots(counted.ballots) if counted else None
    return Contradictions(tuple(rows), n_cast + n_uncounted, with_them, count.agreeing())


def _contradiction(state: State, turn: Turn, ballot: Ballot) -> Contradiction:
    highest = ballot_consistency.highest_on(state, turn.argument) if turn.argument else ()
    return Contradiction(turn.request, turn.seat, highest, turn.argues_for or "", ballot.status == "cast")


def _as_given(ballot: Ballot, turn: Turn | None) -> Ballot:
    """Restore a ballot that was counted as an abstention because it contradicts its text."""
    argument = turn.argument if turn else None
    if ballot.status == "cast" or argument is None:
        return ballot
    return ballot._replace(status="cast", choice=argument.vote, given=argument.ballot)


def _turn_of(state: State, ballot: Ballot) -> Turn | None:
    """Find the turn that gave a ballot which contradicts its text."""
    if not ballot.argues_for:
        return None
    for turn in reversed(state.all_turns()):
        is_same = (turn.seat, turn.argues_for) == (ballot.seat, ballot.argues_for)
        if is_same and _may_give(turn, ballot):
            return turn
    return None


def _may_give(turn: Turn, ballot: Ballot) -> bool:
    """Compare the votes; an abstention no longer has the vote that the turn gave."""
    if ballot.status != "cast":
        return True
    argument = turn.argument
    return argument is not None and (argument.vote, argument.ballot) == (ballot.choice, ballot.given)
