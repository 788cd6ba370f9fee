"""Ballots, verdicts and syntheses whose own text argues for another option; the count with and without such ballots.

What was recorded with a turn is told, and nothing is read anew: of records written before nothing is known.
"""

from dataclasses import dataclass

from debate_core.engine import own_text, voting
from debate_core.engine.count.count import Count
from debate_core.record.state import State, Turn
from debate_core.report.facts.counts import final_ballots
from debate_core.report.facts.turns import readable_turns
from debate_core.spec.contents import Synthesis, Verdict
from debate_core.spec.values import Ballot


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A ballot that stands, or would if it were counted, and what its own text argues for."""

    turn_id: str
    seat: str
    ballot: tuple[str, ...]
    """What it puts highest."""
    argues_for: str
    counts: bool
    """False where it was agreed that such a ballot is an abstention."""


@dataclass(frozen=True, slots=True)
class NamedOtherwise:
    """A verdict or a synthesis that names another option than its own text argues for."""

    turn_id: str
    seat: str
    named: str
    argues_for: str


def named_otherwise(state: State) -> tuple[NamedOtherwise, ...]:
    """The last word of each seat that names an option, where its text argues for another one."""
    turns = [turn for turn in readable_turns(state) if turn.status == "ok"]
    last = {turn.seat: turn for turn in turns if isinstance(turn.content, Verdict | Synthesis)}
    return tuple(
        NamedOtherwise(turn.request, seat, " and ".join(turn.content.names), turn.argues_for)
        for seat, turn in last.items()
        if turn.content is not None and turn.argues_for
    )


@dataclass(frozen=True, slots=True)
class Contradictions:
    """Those of the debaters' last ballots, in schedule order."""

    rows: tuple[Contradiction, ...]
    ballots: int
    """How many debaters said something on their last ballot, these among them; 0 if there are none of these."""
    with_them: Count | None
    """As they were given; None where no count decides (any more)."""
    without: Count | None
    """The same if they were abstentions."""


def contradictions(state: State, count: Count | None) -> Contradictions:
    """Of the ballots at the close, or as they stand; `count` is theirs."""
    ballots = final_ballots(state)
    turns = {ballot.seat: _turn_of(state, ballot) for ballot in ballots.values()}
    rows = []
    for seat in state.spec.debaters():
        turn = turns.get(seat.id)
        if turn is not None:
            rows.append(_row(state, turn, ballots[seat.id]))
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


def _turn_of(state: State, ballot: Ballot) -> Turn | None:
    """The turn that gave a ballot which contradicts it."""
    if not ballot.argues_for:
        return None
    mine = (turn for turn in reversed(state.all_turns()) if turn.seat == ballot.seat)
    return next((turn for turn in mine if turn.argues_for == ballot.argues_for and _gave(turn, ballot)), None)


def _gave(turn: Turn, ballot: Ballot) -> bool:
    if ballot.status != "cast":
        return True
    argument = turn.argument
    return argument is not None and (argument.vote, argument.ballot) == (ballot.choice, ballot.given)


def _row(state: State, turn: Turn, ballot: Ballot) -> Contradiction:
    highest = own_text.highest_on(state, turn.argument) if turn.argument else ()
    return Contradiction(turn.request, turn.seat, highest, turn.argues_for or "", ballot.status == "cast")


def _as_given(ballot: Ballot, turn: Turn | None) -> Ballot:
    """The ballot as it was before what was agreed made it an abstention."""
    argument = turn.argument if turn else None
    if ballot.status == "cast" or argument is None:
        return ballot
    return ballot.model_copy(update={"status": "cast", "choice": argument.vote, "given": argument.ballot})
