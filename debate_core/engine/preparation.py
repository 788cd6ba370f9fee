"""Preparation of votes: propose options and drivers, read the brief, write down facts, and a premortem.

Pure functions of the state. They refuse votes and turns before the options are agreed, and while texts are sealed.
"""

from datetime import datetime, timedelta
from typing import assert_never

from debate_core.errors import InvalidSpec
from debate_core.record import acts
from debate_core.record.people import Done, texts_to_show, written_texts
from debate_core.record.state import State
from debate_core.sentence import Sentence
from debate_core.spec.checks import check_recorded
from debate_core.spec.people import SILENT, Person, Preparation, PreparationStep, SilentStep

MAX_PROPOSALS = 12
"""Maximum number of proposals per person."""
NOT_AGREED = Sentence("options are still being collected: the facilitator has to settle the list first")


NOT_SHOWN = Sentence("people still write, each alone: the facilitator has to show the texts first")


def running(state: State) -> Preparation | None:
    """The current step of the room."""
    begun = state.room.facts(acts.PreparationBegun)
    if not begun:
        return None
    step = begun[-1].step
    is_over = _is_shown(state, step) if step in SILENT else _is_over(state)
    if is_over:
        return None
    if step == "collect" and not options_are_open(state):
        return None
    return next(one for one in state.spec.terms.preparation if one.step == step)


def _is_over(state: State) -> bool:
    """True once a vote or the debate has begun."""
    return state.room.begun or state.outcome is not None or "pre" in state.room.polls


def _is_shown(state: State, step: PreparationStep) -> bool:
    return step in {shown.step for shown in state.room.facts(acts.TextsShown)}


def coming(state: State) -> Preparation | None:
    """The next step; None while options are collected or texts are sealed, and where only a vote or turns follow."""
    if _collects_now(state) or silent(state):
        return None
    is_after = _takes_premortem(state)
    if _is_over(state) and not is_after:
        return None
    begun = {done.step for done in state.room.facts(acts.PreparationBegun)}
    left = (one for one in state.spec.terms.preparation if one.step not in begun)
    return next((one for one in left if (one.step == "premortem") == is_after), None)


def _takes_premortem(state: State) -> bool:
    """True between the end of the debate and the final vote or the signature."""
    is_closed = state.outcome is None or state.outcome.status == "aborted"
    return not (is_closed or "final" in state.room.polls or state.room.of(acts.Signed))


def silent(state: State) -> SilentStep | None:
    """The silent step that runs: its texts are sealed."""
    now = running(state)
    if now is None or now.step == "collect" or now.step == "brief":
        return None
    return now.step


def own_texts(state: State, step: SilentStep, by: str) -> tuple[str, ...]:
    """The texts that this person has written in a silent step: their own, sealed or not."""
    mine = [fact for fact in state.room.done_by(by, acts.TextsWritten) if fact.step == step]
    return mine[-1].texts if mine else ()


def _fault_in_silent(state: State, act: acts.TextsWritten | acts.TextsShown) -> Sentence | None:
    if silent(state) != act.step:
        return Sentence("the room is not at this step")
    if isinstance(act, acts.TextsWritten):
        return None if all(text.strip() for text in act.texts) else Sentence("it is empty: write something")
    return _fault_in_shown(state, act)


def _fault_in_shown(state: State, act: acts.TextsShown) -> Sentence | None:
    if act.texts is None:
        return None
    written = {
        text.casefold()
        for text in texts_to_show(state.room, act.step, named=_named(state, act.step), before=state.version + 1)
    }
    if state.predecessor is None or not written.issuperset(text.casefold() for text in act.texts):
        return Sentence("the texts that are shown are those that people have written")
    return None


def _named(state: State, step: SilentStep) -> bool:
    return any(one.named for one in state.spec.terms.preparation if one.step == step)


def shown_texts(state: State, step: SilentStep) -> tuple[str, ...]:
    """The texts of a silent step, with names where that was agreed; () until they are shown."""
    return written_texts(state.room, step, named=_named(state, step))


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
    """Ids of present people who have completed this step; in a silent one, who have written."""
    ready = {done.by for done in state.room.of(acts.Prepared) if done.fact.step == step}
    ready |= {done.by for done in state.room.of(acts.TextsWritten) if done.fact.step == step}
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
        case acts.TextsWritten() | acts.TextsShown():
            return _fault_in_silent(state, act)
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
