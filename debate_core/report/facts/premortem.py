"""Reasons why a decision might be reversed: those that people wrote in silence, then those of seats in their phase."""

from debate_core.engine import preparation
from debate_core.record.state import State
from debate_core.spec.contents import Premortem


def reversal_reasons(state: State) -> tuple[str, ...]:
    """Every reason once, in the order in which they were shown; () while they are sealed."""
    of_seats = (
        reason
        for turn in state.turns
        if turn.status == "ok" and isinstance(turn.content, Premortem)
        for reason in turn.content.reasons
    )
    each: dict[str, str] = {}
    for reason in (*preparation.shown_texts(state, "premortem"), *of_seats):
        each.setdefault(reason.strip().casefold(), reason)
    return tuple(each.values())
