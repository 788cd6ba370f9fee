"""The agenda of a debate from the lobby to the signature, with each step done, current or still to come.

A step of turns is done if a turn was given in it, the final vote once it is revealed. Phases have no words here but
their names.
"""

from collections.abc import Iterator, Sequence
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
    """One step. `beside`: current activity and progress; for a step to come, its maximum duration."""

    name: str
    when: When
    beside: str = ""


def agenda(state: State) -> tuple[AgendaStep, ...]:
    """Every step in order, without rounds that will not be held."""
    steps = [
        *_opening_steps(state),
        *_round_steps(state),
        *_closing_step(state),
        *_premortem_step(state),
        *_vote_step(state),
    ]
    is_over = state.outcome is not None
    if is_over:
        steps = [step for step in steps if step.when != "next"]
    # The decision can be signed once the count that decides is revealed.
    can_sign = is_over and not stage.final_decision(state).pending
    return (*steps, AgendaStep(_(SIGNATURE), _when(done=stage.stage(state) == "signed", now=can_sign)))


def steps_to_come(state: State) -> str:
    """The steps after the present one: `Round 3 → Final vote → Sign`."""
    return " → ".join(step.name for step in agenda(state) if step.when == "next")


def is_last_round(state: State) -> bool:
    """True in the last of several rounds, and while it waits to begin; False in a tournament."""
    if stage.stage(state) != "round" or state.spec.protocol.paired or state.spec.max_rounds == 1:
        return False
    return stage.last_round_called(state) or state.current_round() == state.spec.max_rounds


SIGNATURE = message("Sign")
PREPARATION: Words[PreparationStep] = Words(
    {"collect": "Options", "brief": "Brief", "facts": "What we know", "premortem": "Premortem"}
)


def _opening_steps(state: State) -> Iterator[AgendaStep]:
    if not state.spec.has_people:
        return
    now = stage.stage(state)
    begun = [done.fact.step for done in state.room.of(PreparationBegun)]
    yield AgendaStep(_("Lobby"), "now" if now == "lobby" and not begun else "done")
    yield from _preparation_steps(state, begun)
    is_before = now in ("lobby", "prevote")
    if state.spec.terms.pre_vote != "none" and (is_before or "pre" in state.room.polls):
        yield AgendaStep(_("Pre-vote"), _when(done=not is_before, now=now == "prevote"))


def _preparation_steps(state: State, begun: list[PreparationStep]) -> Iterator[AgendaStep]:
    """Steps that were never begun are left out once the debate has left the lobby."""
    in_lobby = stage.stage(state) == "lobby"
    now = preparation.running(state)
    for one in state.spec.terms.preparation:
        name = _(PREPARATION[one.step])
        if one.step == "premortem":
            continue
        if in_lobby and now is not None and one.step == now.step:
            yield _current_step(state, one.step)
        elif one.step in begun:
            yield AgendaStep(name, "done")
        elif in_lobby:
            yield AgendaStep(name, "next", _("{minutes} min", minutes=one.minutes))


def _current_step(state: State, step: PreparationStep) -> AgendaStep:
    asked = {person.id for person in preparation.asked(state)}
    n_ready = len(preparation.prepared(state, step) & asked)
    return AgendaStep(_(PREPARATION[step]), "now", _progress_words(n_ready, len(asked)))


def _premortem_step(state: State) -> Iterator[AgendaStep]:
    """The premortem, without one that was agreed and never begun."""
    if not any(one.step == "premortem" for one in state.spec.terms.preparation):
        return
    begun = any(done.step == "premortem" for done in state.room.facts(PreparationBegun))
    if preparation.silent(state) == "premortem":
        yield _current_step(state, "premortem")
    else:
        yield AgendaStep(_(PREPARATION["premortem"]), "done" if begun else "next")


def _progress_words(n: int, of: int) -> str:
    """Format progress as `5 of 7 in`; empty if no one is asked."""
    return _("{given} of {asked} in", given=n, asked=of) if of else ""


def _round_steps(state: State) -> Iterator[AgendaStep]:
    now = stage.stage(state)
    current = state.current_round()
    if state.spec.protocol.paired:
        yield _comparison_step(state)
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


def _comparison_step(state: State) -> AgendaStep:
    """All rounds of a tournament as one step: it has about two dozen of them."""
    now = stage.stage(state)
    so_far = tournament.progress(state)
    if now == "round":
        beside = str(so_far.given)
        if so_far.most is not None:
            beside = _("{given} of {most} at most", given=so_far.given, most=so_far.most)
        return AgendaStep(_("Comparisons"), "now", beside)
    is_past = now not in ("lobby", "prevote")
    return AgendaStep(_("Comparisons"), _when(done=is_past and so_far.given > 0, now=False))


def _beside_round(state: State, number: int) -> str:
    """The running phase with its progress; else the maximum duration."""
    if state.open is None or number > state.current_round():
        return _minutes(state, number)
    phase = state.open.slot.phase
    n_in = len(state.open.answers)
    n_missing = len(state.open.missing())
    return f"{named(phase.name)}, {_progress_words(n_in, n_in + n_missing)}"


def _minutes(state: State, number: int) -> str:
    """Format the time limit of a round as `8 min`; empty without a limit."""
    seconds = state.spec.terms.phase_seconds
    if seconds is None:
        return ""
    in_round = [slot for slot in state.slots if (slot.section, slot.round) == ("round", number)]
    n_phases = sum(bool(state.spec.seats_of(slot.phase.role)) for slot in in_round)
    return _("{minutes} min", minutes=-(-n_phases * seconds // 60)) if n_phases else ""


def _closing_step(state: State) -> Iterator[AgendaStep]:
    """Show all phases after the rounds as one step, named after the last one given, else the last one."""
    names = [slot.phase.name for slot in state.slots if slot.section == "after"]
    if not names:
        return
    given = _given_phases(state, names)
    if state.outcome is not None and given:
        yield AgendaStep(capitalized(named(given[-1])), "done")
        return
    is_now = stage.stage(state) == "closing"
    running = ""
    if is_now and state.open and len(names) > 1:
        running = named(state.open.slot.phase.name)
    yield AgendaStep(capitalized(named(names[-1])), _when(done=False, now=is_now), running)


def _given_phases(state: State, names: Sequence[str]) -> list[str]:
    """The phases of these with the content of a turn."""
    given = {turn.phase for turn in state.all_turns() if turn.content is not None}
    return [name for name in names if name in given]


def _vote_step(state: State) -> Iterator[AgendaStep]:
    if state.spec.has_people and state.spec.terms.final_vote != "none":
        final = state.room.polls.get("final")
        is_revealed = final is not None and final.revealed
        is_next = state.outcome is not None and preparation.silent(state) != "premortem"
        yield AgendaStep(_("Final vote"), _when(done=is_revealed, now=is_next))


def _when(*, done: bool, now: bool) -> When:
    if done:
        return "done"
    return "now" if now else "next"
