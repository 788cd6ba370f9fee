"""The outcome of a debate: decided by the agreed rule, or the reason why not."""

from collections.abc import Sequence
from typing import NamedTuple

from debate_core.engine import comparisons, evidence, stopping, voting
from debate_core.engine.count.count import Result
from debate_core.engine.option_names import only_option
from debate_core.record.state import State
from debate_core.spec.rules import BySeat, DecisionRule
from debate_core.spec.values import Outcome, Status, TieStep, Unheard


class _WayOfEnding(NamedTuple):
    """The result of the decision rule; without an option nothing is decided."""

    ended_by: str
    decision_rule: str
    option: str | None = None
    decided_by: str | None = None
    steps: tuple[TieStep, ...] = ()
    unheard: tuple[Unheard, ...] = ()


def outcome_of(state: State, fired: tuple[str, ...]) -> Outcome:
    """The outcome, given the names of what ends the debate, the reason first."""
    first = fired[0]
    # An interruption decides nothing, even with a majority of votes.
    interrupted = stopping.is_interruption(state, first)
    ending = _WayOfEnding(first, first) if interrupted else _concluded(state, first)
    decided = ending.option is not None
    return Outcome(
        status="decided" if decided else _undecided_status(state, interrupted=interrupted),
        decision=state.spec.protocol.decide.if_undecided if ending.option is None else ending.option,
        ended_by=ending.ended_by,
        decision_rule=ending.decision_rule,
        decided_by=ending.decided_by,
        tally=voting.tally(state),
        ties=_ties(state, ending),
        steps=ending.steps,
        fired=fired,
        rounds_run=state.current_round(),
        unheard=ending.unheard,
    )


def _ties(state: State, ending: _WayOfEnding) -> tuple[str, ...]:
    return voting.ties(state) if ending.option is None else ()


def _concluded(state: State, ended_by: str) -> _WayOfEnding:
    """Apply the decision rule: blocked, without one winner, or decided."""
    rule = state.spec.protocol.decide
    elected, count = voting.elected(state)
    steps = count.steps if count else ()
    unheard = voting.unheard(state)
    winner = only_option(elected)
    if kept_from := _kept_from(state, winner, count, unheard):
        return _WayOfEnding(ended_by=kept_from, decision_rule=kept_from, steps=steps, unheard=unheard)
    seat = _deciding_seat(state, rule)
    if winner is None:
        # A seat that gave its content has applied the rule, even if it named no option.
        return _WayOfEnding(ended_by=ended_by, decision_rule=rule.kind if seat else ended_by, steps=steps)
    return _WayOfEnding(ended_by, rule.kind, option=winner, decided_by=seat or rule.kind, steps=steps)


def _kept_from(state: State, winner: str | None, count: Result | None, unheard: Sequence[Unheard]) -> str | None:
    """The condition that blocks the decision: a silent side, too few ballots, or false quotes; None = none."""
    if unheard:
        return stopping.SIDE_UNHEARD
    if not _quorum_met(state, count):
        return stopping.QUORUM
    if winner is not None and evidence.refuses(state, winner):
        return stopping.UNVERIFIED_QUOTES
    return None


def _quorum_met(state: State, count: Result | None) -> bool:
    """True if the quorum is met, or no ballots are counted."""
    if state.spec.protocol.paired:
        return comparisons.quorum_met(state)
    return count is None or count.quorum_met


def _undecided_status(state: State, *, interrupted: bool) -> Status:
    if state.stopped or state.deadline_passed:
        return "aborted"
    return "truncated" if state.truncated and interrupted else "undecided"


def _deciding_seat(state: State, rule: DecisionRule) -> str | None:
    """The seat that decides by its content, if it gave one."""
    if not isinstance(rule, BySeat):
        return None
    named = voting.named_by(state, rule.role)
    return named[0] if named else None
