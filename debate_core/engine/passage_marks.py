"""What people in the room read in the passages that the evidence panel quoted: which are open, which are shown.

Marks are sealed until whoever leads shows them, or the debate is over. None of them is a ballot, and no count reads
them: they are what the room knows of its documents.
"""

from collections.abc import Mapping

from debate_core.engine.schedule import quoted_passages
from debate_core.record.acts import MarkAct, MarksRevealed, PassageMarked
from debate_core.record.state import State
from debate_core.sentence import Sentence


def open_passages(state: State) -> tuple[str, ...]:
    """Claim ids that people can mark now, in the order in which they were quoted; none once the debate is over."""
    if state.outcome is not None:
        return ()
    shown = _shown(state)
    return tuple(claim_id for claim_id in quoted_passages(state) if claim_id not in shown)


def readings(state: State) -> Mapping[str, Mapping[str, PassageMarked]]:
    """Claim id -> person id -> what they read in it; of each person the last word stands. Sealed ones are in it."""
    found: dict[str, dict[str, PassageMarked]] = {}
    for done in state.room.of(PassageMarked):
        found.setdefault(done.fact.claim_id, {})[done.by] = done.fact
    return found


def shown_readings(state: State) -> Mapping[str, Mapping[str, PassageMarked]]:
    """The same for passages whose marks everybody may read."""
    shown = _shown(state)
    return {claim_id: by for claim_id, by in readings(state).items() if state.outcome or claim_id in shown}


def are_sealed(state: State) -> bool:
    """True while there are marks that nobody may read yet."""
    return len(shown_readings(state)) < len(readings(state))


def wait_to_be_shown(state: State) -> bool:
    """True if whoever leads can show marks now. Of a turn that was struck they stay sealed to the end."""
    return not readings(state).keys().isdisjoint(open_passages(state))


def _shown(state: State) -> frozenset[str]:
    return frozenset(claim_id for done in state.room.of(MarksRevealed) for claim_id in done.fact.claims)


def fault(state: State, act: MarkAct) -> Sentence | None:
    """Why this mark, or showing the marks, does not fit now."""
    passages = open_passages(state)
    if isinstance(act, MarksRevealed):
        if not wait_to_be_shown(state):
            return Sentence("there are no marks of the room that wait to be shown")
        return None if act.claims == passages else Sentence("the marks are shown of every passage that is open now")
    if act.claim_id not in passages:
        was_shown = act.claim_id in _shown(state)
        stand = Sentence("its marks were shown, and they stand")
        why = stand if was_shown else Sentence("it is no passage that waits for marks")
        return Sentence("{claim_id!r} cannot be marked: {why}", claim_id=act.claim_id[:80], why=why)
    if act.reading in ("neutral", "skipped"):
        if act.option is None:
            return None
        return Sentence("a passage that is {reading} speaks for no option", reading=act.reading)
    if act.option not in state.spec.options:
        return Sentence(
            "{option!r} is none of the options: {options}",
            option=(act.option or "")[:80],
            options=", ".join(state.spec.options),
        )
    return None
