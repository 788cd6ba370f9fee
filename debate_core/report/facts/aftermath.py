"""What became of a decision, as people recorded it later, and which answers turned out right.

Knows one debate at a time; figures over many are in `over_debates`.
"""

from dataclasses import dataclass
from typing import Literal

from debate_core.engine.schedule import stance_of
from debate_core.engine.stage import final_decision, signature
from debate_core.record.acts import OutcomeRecorded
from debate_core.record.state import State, Turn
from debate_core.spec.contents import Argument
from debate_core.spec.values import ABSTAIN, TaskType

Held = Literal["held", "revised", "reversed"]


@dataclass(frozen=True, slots=True)
class Aftermath:
    """One debate that is over, seen from later; None where nobody has said, or nothing was decided or proposed."""

    question: str = ""
    """What was asked with which options: the same for a debate and for a single call with its question."""
    task: TaskType | None = None
    quarter: str = ""
    """In which it ended: `2026 Q4`."""
    decision: str | None = None
    """What holds: what was signed, else what was counted."""
    first: str | None = None
    """What was proposed first, before anything was answered."""
    first_confidence: int | None = None
    """How sure that proposal said it was, in percent."""
    result: Held | None = None
    right: str | None = None
    """The option that turned out right."""

    def was_right(self, answer: str | None) -> bool | None:
        """Whether this answer turned out right; None if that is not known."""
        if answer is None:
            return None
        if self.right is not None:
            return answer == self.right
        if self.result == "reversed" and answer == self.decision:
            # It was wrong, also where nobody said what would have been right.
            return False
        return None


NOTHING_KNOWN = Aftermath()


def aftermath(state: State) -> Aftermath:
    """What is known of a debate that is over; of several records of what became of it, the latest stands."""
    latest = _latest(state)
    first, confidence = first_answer(state)
    return Aftermath(
        question=_question(state),
        task=state.spec.task,
        quarter=_quarter(state.closed_at),
        decision=_decision(state),
        first=first,
        first_confidence=confidence,
        result=latest.result if latest and latest.result != "unknown" else None,
        right=right_option(state),
    )


def right_option(state: State) -> str | None:
    """The option that turned out right: the one that was named, else the decision if it held; None = not known."""
    latest = _latest(state)
    if latest is None:
        return None
    if latest.option is None and latest.result == "held":
        return _decision(state)
    return latest.option


def _latest(state: State) -> OutcomeRecorded | None:
    recorded = state.room.of(OutcomeRecorded)
    return recorded[-1].fact if recorded else None


def first_answer(state: State) -> tuple[str | None, int | None]:
    """The option of the first debater's first turn, and how sure it was: its vote, else what it was seated to propose.

    None for an abstention, a turn that was lost, and a first speaker who neither votes nor proposes.
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
    """The option that the seat of a proposal was given to propose, in a phase that the first seat has for itself."""
    if state.phase(turn.phase).places != (1,):
        return None
    side = stance_of(state, turn.seat).strip().casefold()
    return next((option for option in state.spec.options if option.strip().casefold() == side), None)


def _decision(state: State) -> str | None:
    signed = signature(state)
    return signed.option if signed else final_decision(state).option


def _question(state: State) -> str:
    options = sorted(" ".join(option.casefold().split()) for option in state.spec.options)
    return "\n".join([" ".join(state.spec.question.casefold().split()), *options])


def _quarter(at: str) -> str:
    """`2026-11-23T…` -> `2026 Q4`."""
    if not at:
        return ""
    return f"{at[:4]} Q{(int(at[5:7]) + 2) // 3}"
