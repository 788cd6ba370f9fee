"""Outcome of a decision as people recorded it later, and which answers turned out right.

Knows one debate at a time; figures over many are in `cross_debate_metrics`.
"""

from dataclasses import dataclass
from typing import Literal

from debate_core.engine.schedule import stance_of
from debate_core.engine.stage import final_decision, signature
from debate_core.record.acts import OutcomeRecorded, Signed
from debate_core.record.state import State, Turn
from debate_core.spec.contents import Argument
from debate_core.spec.values import ABSTAIN, TaskType
from debate_core.text import folded

Held = Literal["held", "revised", "reversed"]


@dataclass(frozen=True, slots=True)
class Aftermath:
    """A finished debate with its recorded outcome; fields are None if nothing was recorded, decided or proposed."""

    question: str = ""
    """Normalised question and options: the same for a debate and for a single call with its question."""
    task: TaskType | None = None
    quarter: str = ""
    """Quarter of the end: `2026 Q4`."""
    decision: str | None = None
    """The signed option, else the counted one."""
    first: str | None = None
    """The first proposal, made before any reply."""
    first_confidence: int | None = None
    """Stated confidence of that proposal, in percent."""
    result: Held | None = None
    right: str | None = None
    """The option that turned out right."""

    def was_right(self, answer: str | None) -> bool | None:
        """Tell whether this answer turned out right; None if unknown."""
        if answer is None:
            return None
        if self.right is not None:
            return answer == self.right
        if self.result == "reversed" and answer == self.decision:
            # The decision was wrong even if no right option was recorded.
            return False
        return None


NOTHING_KNOWN = Aftermath()


def aftermath(state: State) -> Aftermath:
    """Outcome of a finished debate; of several records the latest counts."""
    first, confidence = first_answer(state)
    options = sorted(folded(option) for option in state.spec.options)
    return Aftermath(
        question="\n".join([folded(state.spec.question), *options]),
        task=state.spec.task,
        quarter=quarter_of(state.closed_at) if state.closed_at else "",
        decision=_decision(state),
        first=first,
        first_confidence=confidence,
        result=_result(state),
        right=right_option(state),
    )


def quarter_of(at: str) -> str:
    """`2026 Q4` for a time of a record."""
    return f"{at[:4]} Q{(int(at[5:7]) + 2) // 3}"


def right_option(state: State) -> str | None:
    """The option that turned out right: the recorded one, else the decision if it held; None if unknown."""
    recorded = state.room.of(OutcomeRecorded)
    if recorded and recorded[-1].fact.option is not None:
        return recorded[-1].fact.option
    return _decision(state) if _result(state) == "held" else None


def _result(state: State) -> Held | None:
    """The latest recorded outcome of the decision; one from before the latest signature is about an earlier one."""
    recorded, signed = state.room.of(OutcomeRecorded), state.room.of(Signed)
    if not recorded or (signed and signed[-1].seq > recorded[-1].seq):
        return None
    result = recorded[-1].fact.result
    return None if result == "unknown" else result


def first_answer(state: State) -> tuple[str | None, int | None]:
    """Option and confidence (percent) of the first debater's first turn: its vote, else the option it had to propose.

    The option is None for an abstention, a lost turn, and a first speaker who neither votes nor proposes.
    """
    debaters = {seat.id for seat in state.spec.debaters()}
    turn = next((turn for turn in state.turns if turn.seat in debaters), None)
    if turn is None or not isinstance(turn.content, Argument):
        return None, None
    option = turn.content.vote if turn.content.vote != ABSTAIN else None
    if turn.content.vote is None:
        option = _proposed(state, turn)
    return option, turn.content.confidence


def _proposed(state: State, turn: Turn) -> str | None:
    """The option that the seat of a proposal was given, in a phase reserved for the first seat."""
    if state.phase(turn.phase).places != (1,):
        return None
    side = stance_of(state, turn.seat).strip().casefold()
    return next((option for option in state.spec.options if option.strip().casefold() == side), None)


def _decision(state: State) -> str | None:
    signed = signature(state)
    return signed.option if signed else final_decision(state).option
