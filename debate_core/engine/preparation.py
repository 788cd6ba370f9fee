"""Preparation of a room before its first vote: propose options and drivers, read the brief, ask questions.

Pure functions of the state. They refuse votes and turns before the options are agreed.
"""

from datetime import datetime, timedelta
from typing import assert_never

from debate_core.errors import InvalidSpec
from debate_core.record import acts
from debate_core.record.people import Done
from debate_core.record.state import State
from debate_core.sentence import Sentence
from debate_core.spec.checks import check_recorded
from debate_core.spec.people import Person, Preparation, PreparationStep

MAX_PROPOSALS = 12
"""Maximum number of proposals per person."""
NOT_AGREED = Sentence("options are still being collected: the facilitator has to settle the list first")


def running(state: State) -> Preparation | None:
    """The current step of the room."""
    begun = state.room.facts(acts.PreparationBegun)
    if not begun or _is_over(state):
        return None
    step = begun[-1].step
    if step == "collect" and not options_are_open(state):
        return None
    return next(one for one in state.spec.terms.preparation if one.step == step)


def _is_over(state: State) -> bool:
    """True once a vote or the debate has begun."""
    return state.room.begun or state.outcome is not None or "pre" in state.room.polls


def coming(state: State) -> Preparation | None:
    """The next step; None once a vote or the debate has begun, and while options are collected."""
    if _is_over(state) or _collects_now(state):
        return None
    begun = {done.step for done in state.room.facts(acts.PreparationBegun)}
    return next((one for one in state.spec.terms.preparation if one.step not in begun), None)


def _collects_now(state: State) -> bool:
    now = running(state)
    return now is not None and now.step == "collect"


def options_are_open(state: State) -> bool:
    """True until the collected options are agreed."""
    return state.spec.terms.collects and not state.room.of(acts.OptionsAgreed)


def ends_at(state: State) -> datetime | None:
    """End of the clock of the current step."""
    now = running(state)
    if now is None:
        return None
    since = state.room.of(acts.PreparationBegun)[-1].at
    return datetime.fromisoformat(since) + timedelta(minutes=now.minutes, seconds=extended_s(state, since))


def extended_s(state: State, since: str) -> int:
    """Seconds added since then (UTC text)."""
    return sum(done.fact.seconds for done in state.room.of(acts.Extended) if done.at >= since)


def proposals(state: State, kind: str) -> tuple[Done[acts.Suggested], ...]:
    """Each proposed text once, in order of its first proposal."""
    first: dict[str, Done[acts.Suggested]] = {}
    for done in state.room.of(acts.Suggested):
        if done.fact.kind == kind:
            first.setdefault(done.fact.text.casefold(), done)
    return tuple(first.values())


def prepared(state: State, step: PreparationStep) -> frozenset[str]:
    """Ids of present people who have completed this step."""
    ready = {done.by for done in state.room.of(acts.Prepared) if done.fact.step == step}
    return frozenset(ready - state.room.left)


def asked(state: State) -> tuple[Person, ...]:
    """People that a step waits for: everyone but facilitators, moderators and observers."""
    return tuple(p for p in state.room.present() if p.role not in ("facilitator", "moderator", "observer"))


def fault(state: State, act: acts.PreparingAct, by: str) -> Sentence | None:
    """The reason why this act is refused now."""
    now = running(state)
    match act:
        case acts.PreparationBegun():
            following = coming(state)
            fits = following is not None and act.step == following.step
            if fits:
                return None
            return Sentence("this step was not agreed before the start, is over, or is not the next one")
        case acts.Prepared():
            if now is not None and now.step == act.step:
                return None
            return Sentence("the room is not at this step")
        case acts.Suggested():
            return _fault_in_proposal(state, act, by)
        case acts.OptionsAgreed():
            return _fault_in_agreement(state, act)
        case _:
            assert_never(act)


def _fault_in_proposal(state: State, act: acts.Suggested, by: str) -> Sentence | None:
    if not _collects_now(state):
        return Sentence("options and drivers are proposed while the room collects them")
    if not act.text.strip():
        return Sentence("write what you propose first")
    texts = [done.fact.text.casefold() for done in proposals(state, act.kind)]
    if act.text.casefold() in texts:
        return Sentence("{text!r} was proposed already", text=act.text)
    if len(state.room.done_by(by, acts.Suggested)) >= MAX_PROPOSALS:
        return Sentence("you have proposed {max_proposals} already", max_proposals=MAX_PROPOSALS)
    return None


def _fault_in_agreement(state: State, act: acts.OptionsAgreed) -> Sentence | None:
    if not _collects_now(state):
        return Sentence("the options are agreed on once, after the room has collected them")
    defended = {seat.stance for seat in state.spec.debaters()} & set(state.spec.options)
    if lost := sorted(defended - set(act.options)):
        return Sentence(
            "a seat defends {lost!r}: keep that option, or set the debate up with other seats", lost=lost[0]
        )
    try:
        check_recorded(state.spec.model_copy(update={"options": act.options, "drivers": act.drivers}))
    except InvalidSpec as error:
        return error.sentence
    return None
