"""Sentences for a judge: what is given, what comes next, and what still counts.

The same for everyone who judges, whenever they joined.
"""

from collections.abc import Sequence

from debate_core.engine import judge_view
from debate_core.engine.stage import judges_late, signature
from debate_core.language import _, _n, spoken_list
from debate_core.record.acts import BeliefReported, Compared, Judged
from debate_core.record.people import Done
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.judgements import percent
from debate_core.report.facts.who_judged import is_late


def judged_words(account: Account) -> str:
    """The option with the highest mean of the judges: `64 % Outbox table`; empty without judgements."""
    best = max(account.judged_options, key=lambda row: row.mean, default=None)
    return f"{percent(best.mean)} {best.option}" if best else ""


def progress_words(state: State, person_id: str) -> str:
    """The parts that this judge has given, and the next one: `1 of 3 rounds judged. Next: round 2.`"""
    words = (_given_words(state, person_id), _next_words(state, person_id), _optional_words(state, person_id))
    return " ".join(part for part in words if part)


def resting_words(state: State, person_id: str) -> tuple[str, str]:
    """Return when this judge is needed next, and the parts given, for a time in which nothing is asked.

    After the final probabilities, that the judge is done. Empty texts while something is asked.
    """
    if any(report.final for report in judge_view.reports(state, person_id).values()):
        return _("You are done judging"), _("Nothing more is asked of you.")
    if state.outcome is not None or judge_view.round_to_judge(state, person_id) is not None:
        return "", ""
    following = _("You judge round {number} when it is over", number=max(state.current_round(), 1))
    words = (_given_words(state, person_id), _optional_words(state, person_id))
    return following, " ".join(part for part in words if part)


def _given_words(state: State, person_id: str) -> str:
    given = judge_view.reports(state, person_id)
    rounds = state.current_round() if state.outcome else state.spec.max_rounds
    if judge_view.mode_of(state, person_id) == "timed":
        return _("The whole debate is judged at once.")
    return _n(rounds, "{given} of {n} round judged.", "{given} of {n} rounds judged.", given=len(given))


def _next_words(state: State, person_id: str) -> str:
    asked = judge_view.round_to_judge(state, person_id)
    if asked is None:
        if state.outcome is not None:
            return ""
        return _("Next: round {number}, when it is over.", number=max(state.current_round(), 1))
    if judge_view.is_final(state, asked):
        return _("Next: your final probabilities.")
    if asked not in judge_view.reports(state, person_id):
        return _("Next: round {number}.", number=asked)
    if asked < state.spec.max_rounds:
        return _("Next: round {number}, when it is over.", number=asked + 1)
    return _("Next: your final probabilities, when the debate is over.")


def _optional_words(state: State, person_id: str) -> str:
    """The rubric and the comparisons, which are optional; empty without them."""
    parts = []
    if state.room.done_by(person_id, Judged):
        parts.append(_("rubric given"))
    if n_pairs := len(state.room.done_by(person_id, Compared)):
        parts.append(_n(n_pairs, "{n} pair compared", "{n} pairs compared"))
    if not parts:
        return ""
    return _("Also: {parts}.", parts=spoken_list(parts))


def counting_words(state: State, person_id: str) -> str:
    """Say what counts in the judges' mean: what this person gave, else what they can still give."""
    in_time = [done.fact for done in _reports(state, person_id) if not is_late(state, done)]
    if judge_view.done_judging(state, person_id):
        return _closed_words(state, person_id, in_time)
    if judges_late(state, person_id):
        return _("You joined after the reveal: what you give is shown with its date and left out of the judges' mean.")
    if signature(state) is not None:
        words = _("The decision is signed: what you give now is shown with its date and left out of the judges' mean.")
        return " ".join((words, *_counted_words(in_time)))
    missed = _missed_rounds(state, person_id)
    if not missed:
        return _("What you give counts in the judges' mean.")
    return _n(
        len(missed),
        "Round {missed} is closed without yours. What you give from now on counts in the judges' mean.",
        "Rounds {missed} are closed without yours. What you give from now on counts in the judges' mean.",
        missed=spoken_list([str(number) for number in missed]),
    )


def _reports(state: State, person_id: str) -> list[Done[BeliefReported]]:
    return [done for done in state.room.of(BeliefReported) if done.by == person_id]


def _closed_words(state: State, person_id: str, in_time: Sequence[BeliefReported]) -> str:
    """The sentences for a judge whose probabilities are closed."""
    given = _reports(state, person_id)
    if not given:
        return _("The judges were revealed and you gave no probabilities: you are not in the judges' mean.")
    sentences = _counted_words(in_time)
    if is_late(state, given[-1]):
        late = _("Your last probabilities came late: they are shown with their date and left out of the judges' mean.")
        sentences = [late, *sentences]
    elif not judge_view.is_judging_closed(state, person_id):
        sentences.append(_("The rubric and the pairs stay open until the judges are revealed."))
    return " ".join(sentences)


def _counted_words(in_time: Sequence[BeliefReported]) -> list[str]:
    """The sentence about the report of a judge that counts; [] without one."""
    if not in_time:
        return []
    last = max(reversed(in_time), key=lambda report: report.round)
    if last.final:
        return [_("Your final probabilities count in the judges' mean.")]
    return [_("Your probabilities after round {number} count in the judges' mean.", number=last.round)]


def _missed_rounds(state: State, person_id: str) -> list[int]:
    """Rounds that this judge can no longer judge, without a report of theirs."""
    if judge_view.mode_of(state, person_id) == "timed":
        return []
    asked = judge_view.round_to_judge(state, person_id)
    first_open = state.current_round() if asked is None else asked
    given = judge_view.reports(state, person_id)
    return [number for number in range(1, first_open) if number not in given]
