"""The steps of a debate from the lobby to the signature: which are done, which is now, which come.

A step of turns is done if a turn was given in it, and the final vote once it is revealed. Knows no words for phases
but their names.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from debate_core.engine import preparation, stage
from debate_core.language import Words, _, message
from debate_core.record.acts import PreparationBegun
from debate_core.record.state import State
from debate_core.report.facts import tournament
from debate_core.report.facts.terms import named
from debate_core.spec.people import PreparationStep
from debate_core.text import capitalized

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
    """Steps that were never begun are left out once the debate has left the lobby."""
    if not state.spec.has_people:
        return
    now = stage.stage(state)
    begun = [done.fact.step for done in state.room.of(PreparationBegun)]
    yield AgendaStep(_("Lobby"), "now" if now == "lobby" and not begun else "done")
    yield from _preparation(state, begun)
    is_before = now in ("lobby", "prevote")
    if state.spec.terms.pre_vote != "none" and (is_before or "pre" in state.room.polls):
        yield AgendaStep(_("Pre-vote"), _when(done=not is_before, now=now == "prevote"))


def _preparation(state: State, begun: list[PreparationStep]) -> Iterator[AgendaStep]:
    in_lobby = stage.stage(state) == "lobby"
    for one in state.spec.terms.preparation:
        name = _(PREPARATION[one.step])
        if in_lobby and one.step in begun[-1:]:
            yield AgendaStep(name, "now", _in_of(*_prepared(state, one.step)))
        elif one.step in begun:
            yield AgendaStep(name, "done")
        elif in_lobby:
            yield AgendaStep(name, "next", _("{minutes} min", minutes=one.minutes))


def _prepared(state: State, step: PreparationStep) -> tuple[int, int]:
    asked = [person.id for person in preparation.asked(state)]
    return len(preparation.prepared(state, step) & set(asked)), len(asked)


def _in_of(n: int, of: int) -> str:
    """`5 of 7 in`; nothing where nobody is waited for."""
    return _("{given} of {asked} in", given=n, asked=of) if of else ""


def _rounds(state: State) -> Iterator[AgendaStep]:
    now = stage.stage(state)
    current = state.current_round()
    if state.spec.protocol.paired:
        # Two dozen rounds of comparisons are one step for people.
        is_past = now not in ("lobby", "prevote", "round")
        when = _when(done=is_past and tournament.progress(state).given > 0, now=now == "round")
        yield AgendaStep(_("Comparisons"), when, _compared(state) if when == "now" else "")
        return
    held = {turn.round for turn in state.all_turns() if turn.content is not None}
    for number in range(1, state.spec.max_rounds + 1):
        name = _("Round {number}", number=number)
        if now in ("lobby", "prevote"):
            yield AgendaStep(name, "next", _minutes(state, number))
        elif now == "round" and number >= current:
            yield AgendaStep(name, _when(done=False, now=number == current), _beside_round(state, number))
        elif number in held:
            yield AgendaStep(name, "done")


def _compared(state: State) -> str:
    """`157 of 360 at most`."""
    so_far = tournament.progress(state)
    if so_far.most is None:
        return str(so_far.given)
    return _("{given} of {most} at most", given=so_far.given, most=so_far.most)


def _beside_round(state: State, number: int) -> str:
    """The phase that runs, and how many have spoken in it where all are asked at once; else how long it may take."""
    if state.open is None or number > state.current_round():
        return _minutes(state, number)
    phase = state.open.slot.phase
    if phase.order != "at_once":
        return named(phase.name)
    n_in = len(state.open.answers)
    n_missing = len(state.open.missing())
    return f"{named(phase.name)}, {_in_of(n_in, n_in + n_missing)}"


def _minutes(state: State, number: int) -> str:
    """`8 min` by the clock of its phases; nothing without a clock."""
    seconds = state.spec.terms.phase_seconds
    if seconds is None:
        return ""
    in_round = [slot for slot in state.slots if (slot.section, slot.round) == ("round", number)]
    n_phases = sum(bool(state.spec.seats_of(slot.phase.role)) for slot in in_round)
    return _("{minutes} min", minutes=-(-n_phases * seconds // 60)) if n_phases else ""


def _after(state: State) -> Iterator[AgendaStep]:
    yield from _closing_step(state)
    yield from _vote_step(state)
    yield _signature_step(state)


def _closing_step(state: State) -> Iterator[AgendaStep]:
    """All phases after the rounds in one step, named by the last one that was given, else by the last one."""
    names = [slot.phase.name for slot in state.slots if slot.section == "after"]
    if not names:
        return
    is_now = stage.stage(state) == "closing"
    running = named(state.open.slot.phase.name) if is_now and state.open and len(names) > 1 else ""
    has_given = {turn.phase for turn in state.all_turns() if turn.content is not None}
    given = [name for name in names if name in has_given]
    is_over = state.outcome is not None
    name = given[-1] if is_over and given else names[-1]
    yield AgendaStep(capitalized(named(name)), _when(done=is_over and bool(given), now=is_now), running)


def _vote_step(state: State) -> Iterator[AgendaStep]:
    if not _has_final_vote(state):
        return
    final = state.room.polls.get("final")
    is_read = final is not None and final.revealed
    yield AgendaStep(_("Final vote"), _when(done=is_read, now=state.outcome is not None))


def _signature_step(state: State) -> AgendaStep:
    """It is time to sign once the count that decides has been read."""
    is_now = state.outcome is not None and not stage.final_decision(state).pending
    return AgendaStep(_(SIGNATURE), _when(done=stage.stage(state) == "signed", now=is_now))


def _has_final_vote(state: State) -> bool:
    return state.spec.has_people and state.spec.terms.final_vote != "none"


def _when(*, done: bool, now: bool) -> When:
    if done:
        return "done"
    return "now" if now else "next"
