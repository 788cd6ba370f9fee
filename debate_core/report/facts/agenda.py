"""The steps of a debate from the lobby to the signature: which are done, which is now, which come.

Knows no words for phases but their names.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from debate_core.engine import stage
from debate_core.record.state import State
from debate_core.spec.values import in_words

When = Literal["done", "now", "next"]


@dataclass(frozen=True, slots=True)
class AgendaStep:
    """One step. `beside`: what goes on in it now."""

    name: str
    when: When
    beside: str = ""


def agenda(state: State) -> tuple[AgendaStep, ...]:
    """Every step in order; rounds that will not be held any more are left out."""
    steps = [*_before(state), *_rounds(state), *_after(state)]
    if state.outcome is None:
        return tuple(steps)
    return tuple(step for step in steps if step.when != "next" or step.name == SIGNATURE)


SIGNATURE = "Sign"


def _before(state: State) -> Iterator[AgendaStep]:
    if not state.spec.has_people:
        return
    now = stage.stage(state)
    yield AgendaStep("Lobby", "now" if now == "lobby" else "done")
    if state.spec.terms.pre_vote != "none":
        yield AgendaStep("First vote", "now" if now == "prevote" else "next" if now == "lobby" else "done")


def _rounds(state: State) -> Iterator[AgendaStep]:
    now, current = stage.stage(state), max(state.current_round(), 1)
    phase = in_words(state.open.slot.phase.name) if state.open else ""
    for number in range(1, state.spec.max_rounds + 1):
        name = f"Round {number}"
        if now in ("lobby", "prevote"):
            yield AgendaStep(name, "next")
        elif now == "round":
            when: When = "done" if number < current else "now" if number == current else "next"
            yield AgendaStep(name, when, phase if when == "now" else "")
        else:
            yield AgendaStep(name, "done" if number <= current else "next")


def _after(state: State) -> Iterator[AgendaStep]:
    now = stage.stage(state)
    is_over = state.outcome is not None
    if names := [slot.phase.name for slot in state.slots if slot.section == "after"]:
        phase = in_words(state.open.slot.phase.name) if state.open and now == "closing" else ""
        when: When = "done" if is_over else "now" if now == "closing" else "next"
        yield AgendaStep(in_words(names[-1]).capitalize(), when, phase if len(names) > 1 else "")
    final = state.room.polls.get("final")
    if state.spec.has_people and state.spec.terms.final_vote != "none":
        counted = final is not None and final.closed is not None
        yield AgendaStep("Final vote", "done" if counted else "now" if is_over else "next")
        is_over = is_over and (counted or state.spec.terms.decides == "debaters")
    yield AgendaStep(SIGNATURE, "done" if now == "signed" else "now" if is_over else "next")
