"""The steps of a debate from the lobby to the signature: which are done, which is now, which come.

Knows no words for phases but their names.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from debate_core.engine import preparation, stage
from debate_core.language import Words, _, message
from debate_core.record.acts import PreparationBegun
from debate_core.record.state import State
from debate_core.report.facts.terms import named
from debate_core.spec.people import PreparationStep

When = Literal["done", "now", "next"]


@dataclass(frozen=True, slots=True)
class AgendaStep:
    """One step. `beside`: what goes on in it now and how many are in; of a step to come, how long it may take."""

    name: str
    when: When
    beside: str = ""


def agenda(state: State) -> tuple[AgendaStep, ...]:
    """Every step in order; rounds that will not be held any more are left out."""
    steps = [*_before(state), *_rounds(state), *_after(state)]
    if state.outcome is None:
        return tuple(steps)
    return tuple(step for step in steps if step.when != "next" or step.name == _(SIGNATURE))


SIGNATURE = message("Sign")
PREPARATION: Words[PreparationStep] = Words({"collect": "Options", "brief": "Brief"})


def _before(state: State) -> Iterator[AgendaStep]:
    if not state.spec.has_people:
        return
    now = stage.stage(state)
    begun = [done.fact.step for done in state.room.of(PreparationBegun)]
    at = begun[-1] if begun and now == "lobby" else ""
    yield AgendaStep(_("Lobby"), "now" if now == "lobby" and not begun else "done")
    for one in state.spec.terms.preparation:
        if one.step == at:
            yield AgendaStep(_(PREPARATION[one.step]), "now", _in_of(*_prepared(state, one.step)))
        elif one.step in begun:
            yield AgendaStep(_(PREPARATION[one.step]), "done")
        elif now == "lobby":
            yield AgendaStep(_(PREPARATION[one.step]), "next", _("{minutes} min", minutes=one.minutes))
    if state.spec.terms.pre_vote != "none":
        when: When = "now" if now == "prevote" else "next" if now == "lobby" else "done"
        yield AgendaStep(_("Pre-vote"), when)


def _prepared(state: State, step: PreparationStep) -> tuple[int, int]:
    asked = [person.id for person in preparation.asked(state)]
    return len(preparation.prepared(state, step) & set(asked)), len(asked)


def _in_of(n: int, of: int) -> str:
    """`5 of 7 in`; nothing where nobody is waited for."""
    return _("{n_} of {of} in", n_=n, of=of) if of else ""


def _rounds(state: State) -> Iterator[AgendaStep]:
    now, current = stage.stage(state), max(state.current_round(), 1)
    for number in range(1, state.spec.max_rounds + 1):
        name = _("Round {number}", number=number)
        if now in ("lobby", "prevote"):
            yield AgendaStep(name, "next", _minutes(state, number))
        elif now == "round":
            when: When = "done" if number < current else "now" if number == current else "next"
            yield AgendaStep(name, when, _beside_round(state, number) if when != "done" else "")
        else:
            yield AgendaStep(name, "done" if number <= current else "next")


def _beside_round(state: State, number: int) -> str:
    """The phase that runs, and how many have spoken in it where all are asked at once; else how long it may take."""
    if number > max(state.current_round(), 1) or state.open is None:
        return _minutes(state, number)
    phase = state.open.slot.phase
    if phase.order != "at_once":
        return named(phase.name)
    n_in, n_missing = len(state.open.answers), len(state.open.missing())
    return f"{named(phase.name)}, {_in_of(n_in, n_in + n_missing)}"


def _minutes(state: State, number: int) -> str:
    """`8 min` by the clock of its phases; nothing without a clock."""
    seconds = state.spec.terms.phase_seconds
    if seconds is None:
        return ""
    in_round = [slot for slot in state.slots if (slot.section, slot.round) == ("round", number)]
    n_phases = sum(bool(state.spec.seats_of(slot.phase.role)) for slot in in_round)
    return _("{n_phases} min", n_phases=-(-n_phases * seconds // 60)) if n_phases else ""


def _after(state: State) -> Iterator[AgendaStep]:
    now = stage.stage(state)
    is_over = state.outcome is not None
    if names := [slot.phase.name for slot in state.slots if slot.section == "after"]:
        phase = named(state.open.slot.phase.name) if state.open and now == "closing" else ""
        when: When = "done" if is_over else "now" if now == "closing" else "next"
        yield AgendaStep(named(names[-1]).capitalize(), when, phase if len(names) > 1 else "")
    final = state.room.polls.get("final")
    if state.spec.has_people and state.spec.terms.final_vote != "none":
        counted = final is not None and final.closed is not None
        at_vote: When = "done" if counted else "now" if is_over else "next"
        yield AgendaStep(_("Final vote"), at_vote)
        is_over = is_over and (counted or state.spec.terms.decides == "debaters")
    yield AgendaStep(_(SIGNATURE), "done" if now == "signed" else "now" if is_over else "next")
