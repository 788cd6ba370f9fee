"""Marks of the room on passages quoted by the evidence panel: which passages are open, which marks are shown.

Marks stay sealed until a facilitator shows them or the debate ends. They are no ballots, and no count reads them.
"""

from collections.abc import Mapping

from debate_core.engine.option_names import fault_in_option
from debate_core.engine.schedule import quoted_passages
from debate_core.record.acts import MarkAct, MarksRevealed, PassageMarked
from debate_core.record.state import State
from debate_core.sentence import Sentence


def open_passages(state: State) -> tuple[str, ...]:
    """Ids of claims that people can mark now, in order of quotation; () once the debate is over."""
    if state.outcome is not None:
        return ()
    shown = _shown(state)
    return tuple(claim_id for claim_id in quoted_passages(state) if claim_id not in shown)


def readings(state: State) -> Mapping[str, Mapping[str, PassageMarked]]:
    """Claim id -> person id -> their latest mark, sealed marks included."""
    marks: dict[str, dict[str, PassageMarked]] = {}
    for done in state.room.of(PassageMarked):
        marks.setdefault(done.fact.claim_id, {})[done.by] = done.fact
    return marks


def shown_readings(state: State) -> Mapping[str, Mapping[str, PassageMarked]]:
    """The readings of passages whose marks are visible to all."""
    if state.outcome is not None:
        return readings(state)
    shown = _shown(state)
    return {claim_id: by for claim_id, by in readings(state).items() if claim_id in shown}


def are_sealed(state: State) -> bool:
    """True while there are hidden marks."""
    return len(shown_readings(state)) < len(readings(state))


def wait_to_be_shown(state: State) -> bool:
    """True if marks can be shown now. Marks on a struck turn stay sealed to the end."""
    return not readings(state).keys().isdisjoint(open_passages(state))


def _shown(state: State) -> frozenset[str]:
    return frozenset[str]().union(*(revealed.claims for revealed in state.room.facts(MarksRevealed)))


def fault(state: State, act: MarkAct) -> Sentence | None:
    """The reason why this mark, or showing the marks, is refused now."""
    if isinstance(act, MarksRevealed):
        if not wait_to_be_shown(state):
            return Sentence("there are no marks of the room to show")
        if act.claims != open_passages(state):
            return Sentence("the marks are shown of every passage that is open now")
        return None
    if act.claim_id not in open_passages(state):
        was_shown = act.claim_id in _shown(state)
        closed = Sentence("its marks were shown and can no longer change")
        why = closed if was_shown else Sentence("it is not a passage that waits for marks")
        return Sentence("{claim_id!r} cannot be marked: {why}", claim_id=act.claim_id[:80], why=why)
    if act.reading in ("neutral", "skipped"):
        if act.option is None:
            return None
        return Sentence("a passage that is {reading} speaks for no option", reading=act.reading)
    return fault_in_option(state.spec.options, act.option)
