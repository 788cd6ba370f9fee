"""Validation of judges' acts against the state. Each check returns a sentence, or None = the act fits."""

from debate_core.engine.judge_view import is_judging_closed
from debate_core.engine.option_names import fault_in_option
from debate_core.engine.stage import judges_late, revealed_round
from debate_core.record import acts
from debate_core.record.state import State
from debate_core.sentence import Sentence


def fault(state: State, act: acts.JudgeAct, by: str) -> Sentence | None:
    """The reason why this act does not fit now."""
    if isinstance(act, acts.BeliefsRevealed):
        return _revealing_beliefs(state, act)
    if isinstance(act, acts.BeliefReported):
        return _belief(state, act, by)
    if is_judging_closed(state, by):
        return Sentence("the judges' probabilities were revealed: rating and comparing are closed")
    if isinstance(act, acts.Judged):
        return _rubric(state, act)
    return _pair(state, act, by)


def _rubric(state: State, act: acts.Judged) -> Sentence | None:
    cells = set[tuple[str, str]]()
    for rating in act.ratings:
        if why := fault_in_option(state.spec.options, rating.option):
            return why
        cells.add((rating.option, rating.criterion))
    if len(cells) < len(act.ratings):
        return Sentence("each cell of the rubric has one score")
    return None


def _revealing_beliefs(state: State, act: acts.BeliefsRevealed) -> Sentence | None:
    if act.round <= revealed_round(state):
        return Sentence("the judges' probabilities of round {round} were revealed already", round=act.round)
    rounds_are_over = state.outcome is not None or state.slots[state.position].section == "after"
    last = state.current_round() if rounds_are_over else state.current_round() - 1
    if act.round > last:
        return Sentence(
            "round {round} is not over: the judges' probabilities up to round {last} can be revealed",
            round=act.round,
            last=last,
        )
    return None


def _pair(state: State, act: acts.Compared, by: str) -> Sentence | None:
    there = {turn.place() for turn in state.turns if turn.status == "ok"}
    for place in (act.a, act.b):
        if place not in there:
            return Sentence("there is no turn {missing} to compare", missing=place)
    if act.a == act.b:
        return Sentence("two different turns are compared")
    own_pairs = [{one.a, one.b} for one in state.room.done_by(by, acts.Compared)]
    if {act.a, act.b} in own_pairs:
        return Sentence("you compared these two already: a pair counts once")
    return None


def _belief(state: State, act: acts.BeliefReported, by: str) -> Sentence | None:
    if fault := _fault_in_beliefs(state, act):
        return fault
    if act.round > state.current_round():
        return Sentence("round {round} has not begun", round=act.round)
    if act.round <= revealed_round(state) and not judges_late(state, by):
        return Sentence("the probabilities of round {round} were revealed: reporting is closed", round=act.round)
    if any(report.final for report in state.room.done_by(by, acts.BeliefReported)):
        return Sentence("your final probabilities are recorded and cannot be changed")
    if act.final:
        return _final_belief(state, act)
    return None


def _fault_in_beliefs(state: State, act: acts.BeliefReported) -> Sentence | None:
    """The reason why the probabilities do not match the options, or None."""
    options = sorted(state.spec.options)
    if sorted(belief.option for belief in act.beliefs) != options:
        return Sentence("a probability is given for each option once: {options}", options=", ".join(state.spec.options))
    if act.shown and sorted(act.shown) != options:
        return Sentence("the order shown must be one of the options")
    return None


def _final_belief(state: State, act: acts.BeliefReported) -> Sentence | None:
    if state.outcome is None:
        return Sentence("final probabilities are given when the debate is over")
    if act.round != state.current_round():
        return Sentence(
            "final probabilities are those after the last round, {current_round}", current_round=state.current_round()
        )
    if act.explanation.strip():
        return None
    return Sentence("say why: final probabilities need an explanation")
