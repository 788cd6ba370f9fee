"""Plain words for what a protocol is and for why it ended: whether it is a debate at all, and each stop rule.

Knows rules and specs, no transcript. Called by the sentences, flags and reports.
"""

from collections.abc import Sequence

from debate_core.engine import stopping
from debate_core.record.state import State
from debate_core.spec.protocol import Phase, Slot, Spec, agenda
from debate_core.spec.rules import AllOf, BySeat
from debate_core.spec.values import Outcome, in_words


def missing_of_a_debate(spec: Spec) -> tuple[str, ...]:
    """What this run lacks to be called a debate (R065, R130); () = it is one."""
    slots = [s for s in agenda(spec) if s.phase.role == "debater"]
    lacks = []
    if len({seat for s in slots for seat in _seats(spec, s.phase)}) < 2:
        lacks.append("several positions of their own")
    if len(slots) < 2:
        lacks.append("more than one exchange")
    if not any(_reads_others(spec, slots[:i], s) for i, s in enumerate(slots)):
        lacks.append("reading one another")
    return tuple(lacks)


def _seats(spec: Spec, phase: Phase) -> tuple[str, ...]:
    there = spec.seats_of("debater")
    return tuple(s.id for i, s in enumerate(there, start=1) if not phase.places or i in phase.places)


def _reads_others(spec: Spec, before: Sequence[Slot], slot: Slot) -> bool:
    """True if a seat of this phase can have read a turn of another debater."""
    phase, here = slot.phase, set(_seats(spec, slot.phase))
    if phase.sees.turns == "own":
        return False
    within_a_phase = phase.sees.turns in ("all", "neighbours", "previous") and phase.order == "in_turn"
    if within_a_phase and len(here) > 1:
        return True
    rounds_only = phase.sees.turns in ("earlier_rounds", "last_round")
    heard = {seat for s in before if not rounds_only or s.round < slot.round for seat in _seats(spec, s.phase)}
    return bool(heard) and len(heard | here) > 1


def not_a_debate_words(spec: Spec) -> str:
    """`Not a debate: it lacks reading one another.`; empty if it is one."""
    lacks = missing_of_a_debate(spec)
    return f"Not a debate: it lacks {' and '.join(lacks)}." if lacks else ""


_ENDED: dict[str, str] = {
    stopping.MAX_ROUNDS: "the last round was over",
    stopping.PROVIDER_DOWN: "no seat of the last phase gave a turn",
    stopping.STOPPED: "a person stopped it",
    "all_agree": "all debaters voted for the same option",
    "stable": "no ballot had changed since the round before",
    "moderator_done": "the moderator had called this the last round",
    "no_further_round": "the evaluator did not recommend another round",
    "text_mention": "somebody had said the phrase that was agreed to end it",
    "from_round": "the round had come that was waited for",
    "no_progress": "the round had brought no new claim",
    "ceiling_calls": "the limit of calls was reached",
    "ceiling_tokens": "the limit of tokens was reached",
    "ceiling_seconds": "the time was over",
    "ceiling_usd": "the limit of money was reached",
}


def ended_words(state: State) -> str:
    """Why the debate ended, as a clause: `the last round was over`; empty while it runs."""
    if state.outcome is None:
        return ""
    name, rule = state.outcome.ended_by, state.spec.protocol.decide
    if name == rule.kind:
        return f"the {rule.role} had named an option" if isinstance(rule, BySeat) else "the rule had a winner"
    if name == stopping.PROVIDER_DOWN and stopping.all_answered(state):
        return "every seat of the last phase answered, and no reply could be used"
    if name != "all_of":
        return _ENDED.get(name, in_words(name))
    both = (r for r in state.spec.protocol.stop if isinstance(r, AllOf))
    return " and ".join(_clause(r.kind) for rule in both for r in rule.rules)


def end_words(outcome: Outcome) -> str:
    """The same as far as the end itself tells, for whoever has nothing but it."""
    if outcome.ended_by == "all_of":
        return "all had come that was to end it together"
    if known := _ENDED.get(outcome.ended_by):
        return known
    # What ended it is the rule that decides.
    return "an option had been named" if outcome.ended_by == "by_seat" else "the rule had a winner"


def _clause(kind: str) -> str:
    return "the rule had a winner" if kind == "decision_reached" else _ENDED.get(kind, in_words(kind))
