"""What people who judge gave, as rows and figures: probabilities by round, rubrics, comparisons, and how they did.

Only what was revealed: probabilities up to the revealed round, rubrics and comparisons once the last round is. Knows no
file format and no screen.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isclose
from statistics import fmean

from debate_core.engine import judge_view
from debate_core.engine.count.strengths import Contest, bradley_terry, connected, strength_intervals
from debate_core.engine.stage import judges_late, known_as, revealed_round
from debate_core.language import Words, _, _n, spoken_list
from debate_core.record import acts
from debate_core.record.state import State
from debate_core.report.facts import judge_statistics
from debate_core.report.facts.aftermath import right_option
from debate_core.spec.doubts import anyone_answers
from debate_core.spec.protocol import Spec

CRITERIA: Words[acts.Criterion] = Words(
    {
        "evidence": "Quality of the evidence",
        "facts": "Care with facts",
        "clash": "Answers the other side",
        "responsiveness": "Responds to questions",
        "clarity": "Clarity",
        "feasibility": "Feasibility",
        "risk": "Honesty about risks",
    }
)
"""The rubric in words, in the order of the screen."""
_OF_ANSWERS: frozenset[acts.Criterion] = frozenset({"clash", "responsiveness"})
POINTS = {"a": 1.0, "b": 0.0, "tie": 0.5, "both_weak": 0.5}
"""What a comparison gives its first turn; the second has the rest."""
MIN_READINGS = 2
"""Comparisons that each turn of a group needs before strengths are told: a second reader agrees with one in 71 %."""
BY_CHANCE = 0.05
"""Judges are said to agree, or to disagree, only if chance alone would do it no more often than this."""


def criteria_that_apply(spec: Spec) -> tuple[acts.Criterion, ...]:
    """The criteria that some seat of this debate could meet: seats that only quote, or speak unseen, answer no one."""
    answers = anyone_answers(spec)
    return tuple(criterion for criterion in CRITERIA if answers or criterion not in _OF_ANSWERS)


@dataclass(frozen=True, slots=True)
class JudgementRow:
    """The probability that one judge gave one option after one round. Scores are of the whole report of that round."""

    judge: str
    mode: judge_view.Mode
    round: int
    option: str
    probability: str
    final: bool
    shuffle_seed: int
    swapped: bool | None
    """True if the options stood in another order than the debate's; None if it is not known."""
    seconds_spent: int | None
    explanation: str
    brier: str | None
    """None as long as it is not recorded which option turned out right."""
    log_score: str | None


@dataclass(frozen=True, slots=True)
class RubricRow:
    """One cell of a judge's rubric; `score` None = not enough to judge."""

    judge: str
    option: str
    criterion: acts.Criterion
    score: int | None
    comment: str


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """Two turns that a judge read side by side."""

    judge: str
    item_a: str
    item_b: str
    winner: str
    reason: str
    at: str


@dataclass(frozen=True, slots=True)
class StrengthRow:
    """How strong one compared turn is among those of its group, with the interval of 95 %; 1 = as a made-up average."""

    turn: str
    group: int
    """From 1; turns of two groups never met, and cannot be compared."""
    strength: float
    low: float
    high: float
    readings: int


@dataclass(frozen=True, slots=True)
class OptionRow:
    """One option in the eyes of all judges, by their latest revealed probabilities; shares of 1."""

    option: str
    mean: float
    log_odds: float
    lowest: float
    highest: float
    favourites: int
    """Judges who gave it more than any other option."""


@dataclass(frozen=True, slots=True)
class Move:
    """The largest change of one judge from one report to the next."""

    judge: str
    """Id of the person."""
    round: int
    option: str
    before: int
    after: int


def judges(state: State) -> Mapping[str, str]:
    """Everybody who judged, id -> alias: `Judge 1` by the order in which they came."""
    room = state.room
    gave = {done.by for done in room.of(acts.BeliefReported)}
    gave |= {done.by for done in room.of(acts.Judged)}
    gave |= {done.by for done in room.of(acts.Compared)}
    in_order = [person for person in room.people if person in gave]
    return {person: _("Judge {number}", number=number) for number, person in enumerate(in_order, start=1)}


def fully_revealed(state: State) -> bool:
    """True once the judges' last probabilities are revealed, and their rubrics and comparisons with them."""
    return state.outcome is not None and revealed_round(state) >= state.current_round()


def revealed_reports(state: State) -> Mapping[str, Mapping[int, acts.BeliefReported]]:
    """By judge and round, without what is sealed; judges of whom nothing is revealed are left out."""
    last = revealed_round(state)
    by_judge = {}
    for person in judges(state):
        revealed = {number: report for number, report in judge_view.reports(state, person).items() if number <= last}
        if revealed:
            by_judge[person] = revealed
    return by_judge


def percent(share: float) -> str:
    """`0.72` -> `72 %`."""
    return f"{100 * share:.0f} %"


def shares(report: acts.BeliefReported) -> dict[str, float]:
    """Probabilities as shares of 1."""
    return {option: percent / 100 for option, percent in report.percents.items()}


def judgement_rows(state: State) -> tuple[JudgementRow, ...]:
    """One row per judge, revealed round and option; of each round the latest report."""
    named = judges(state)
    rows = []
    for person, by_round in revealed_reports(state).items():
        for report in by_round.values():
            rows += _report_rows(state, person, named[person], report)
    return tuple(rows)


def _report_rows(state: State, person: str, alias: str, report: acts.BeliefReported) -> list[JudgementRow]:
    right = right_option(state)
    given = shares(report)
    was_swapped = report.shown != state.spec.options if report.shown else None
    brier = None if right is None else f"{judge_statistics.brier_score(given, right):.4f}"
    log_score = None if right is None else f"{judge_statistics.log_score(given, right):.4f}"
    return [
        JudgementRow(
            judge=alias,
            mode=judge_view.mode_of(state, person),
            round=report.round,
            option=option,
            probability=f"{given[option]:.2f}",
            final=report.final,
            shuffle_seed=state.spec.seed,
            swapped=was_swapped,
            seconds_spent=report.read_s,
            explanation=report.explanation,
            brier=brier,
            log_score=log_score,
        )
        for option in state.spec.options
    ]


def rubric_rows(state: State) -> tuple[RubricRow, ...]:
    """The latest rubric of every judge, once everything is revealed."""
    if not fully_revealed(state):
        return ()
    latest = {d.by: d.fact for d in state.room.of(acts.Judged)}
    rows = []
    for person, alias in judges(state).items():
        if person in latest:
            rubric = latest[person]
            rows += [RubricRow(alias, r.option, r.criterion, r.score, rubric.comment) for r in rubric.ratings]
    return tuple(rows)


def comparison_rows(state: State) -> tuple[ComparisonRow, ...]:
    """Every comparison, in order, once everything is revealed."""
    if not fully_revealed(state):
        return ()
    named = judges(state)
    rows = []
    for done in state.room.of(acts.Compared):
        pair = done.fact
        rows.append(ComparisonRow(named[done.by], pair.a, pair.b, pair.winner, pair.reason, done.at))
    return tuple(rows)


def strengths(state: State) -> tuple[StrengthRow, ...]:
    """How strong turns are by Bradley and Terry's model, group by group, the strongest of each first.

    Only turns that were read at least twice, among others that they met: one reading says nothing of a turn.
    """
    contests = [(r.item_a, r.item_b, POINTS[r.winner]) for r in comparison_rows(state)]
    rows: list[StrengthRow] = []
    number = 1
    for group in connected(contests):
        in_group = _strengths_within([contest for contest in contests if contest[0] in group], number)
        if in_group:
            rows += in_group
            number += 1
    return tuple(rows)


def _strengths_within(contests: Sequence[Contest], group: int) -> list[StrengthRow]:
    """Empty where the comparisons of a group do not say how strong its turns are."""
    fit = bradley_terry(contests)
    if not fit.converged:
        return []
    readings = Counter[str]()
    for first, second, _won in contests:
        readings.update((first, second))
    intervals = strength_intervals(contests, fit.strengths)
    rows = []
    for item, strength in fit.strengths.items():
        if readings[item] >= MIN_READINGS:
            rows.append(StrengthRow(item, group, strength, *intervals[item], readings[item]))
    return rows


def latest_forecasts(state: State) -> Mapping[str, Mapping[str, float]]:
    """The latest revealed probabilities of each judge, as shares."""
    return {person: shares(given[max(given)]) for person, given in revealed_reports(state).items()}


def option_rows(state: State) -> tuple[OptionRow, ...]:
    """Every option in the order of the debate; empty as long as nothing is revealed."""
    told = latest_forecasts(state)
    mean = judge_statistics.mean_probability(told)
    odds = judge_statistics.mean_log_odds(told)
    if not mean or not odds:
        return ()
    given = judge_statistics.by_option(told)
    favourites = [favourite(forecast) for forecast in told.values()]
    return tuple(
        OptionRow(o, mean[o], odds[o], min(given[o]), max(given[o]), favourites.count(o)) for o in state.spec.options
    )


def favourite(given: Mapping[str, float]) -> str | None:
    """The option with more than any other; None if several are level."""
    most = max(given.values())
    best = [option for option, p in given.items() if p == most]
    return best[0] if len(best) == 1 else None


def agreement_sentence(state: State) -> str:
    """How far the judges agree, in plain words with the figure behind them."""
    told = latest_forecasts(state)
    return agreement_words(told) if told else _("No judge's probabilities are revealed.")


def agreement_words(told: judge_statistics.Forecasts) -> str:
    """The same of these probabilities, by judge: agreement that chance alone would give is none."""
    if len(told) < 2:
        return _("With one judge there is no agreement to speak of.")
    found = judge_statistics.krippendorff_alpha(told, "interval")
    chance = judge_statistics.agreement_by_chance(told)
    if found is None or chance is None:
        return _(
            "The {told} judges gave every option the same probability: agreement cannot be measured.", told=len(told)
        )
    if chance.least > BY_CHANCE:
        return _(
            "{told} judges of {options} options are too few to say whether they agree.",
            told=len(told),
            options=len(next(iter(told.values()))),
        )
    if min(chance.as_much, chance.as_little) > BY_CHANCE:
        return _("Whether the {told} judges agree cannot be told: chance alone would do as much.", told=len(told))
    if chance.as_little <= BY_CHANCE:
        return _(
            "The {told} judges disagree more than by chance (Krippendorff's alpha {alpha:.2f}).",
            told=len(told),
            alpha=found,
        )
    low = f" {_(judge_statistics.LOW_IS_NORMAL)}" if found < 0.4 else ""
    by_chance = _("by chance as high in {how_often}", how_often=_of_100(chance.as_much))
    return _(
        "The {told} judges {agree} (Krippendorff's alpha {alpha:.2f}, {by_chance}).{low}",
        told=len(told),
        agree=_(judge_statistics.band(found)),
        alpha=found,
        by_chance=by_chance,
        low=low,
    )


def _of_100(share: float) -> str:
    return _("{cases:.0f} of 100 cases", cases=100 * share) if share >= 0.01 else _("fewer than 1 of 100 cases")


def aggregate_sentence(state: State) -> str:
    """The mean of the judges beside what most of them favour: a reading, never the decision."""
    rows = option_rows(state)
    if not rows:
        return ""
    most = max(r.mean for r in rows)
    # Means are floats of whole percents: what differs by less than that is level.
    top = [r.option for r in rows if isclose(r.mean, most, abs_tol=1e-9)]
    votes = max(r.favourites for r in rows)
    led = [r.option for r in rows if r.favourites == votes]
    judged = len(latest_forecasts(state))
    mean = _(
        "On average the judges think {top} most likely to be right: {most}", top=spoken_list(top), most=percent(most)
    )
    if not votes:
        return _("{mean}; no judge has a single favourite.", mean=mean)
    return _n(
        len(led),
        "{mean}; {led} is the favourite of {votes} of {judged}.",
        "{mean}; {led} are each the favourite of {votes} of {judged}.",
        mean=mean,
        led=spoken_list(led),
        votes=votes,
        judged=judged,
    )


def moves(state: State) -> tuple[Move, ...]:
    """Who moved most on which option from one report to the next, by round."""
    found = []
    for person, by_round in revealed_reports(state).items():
        for earlier, later in pairwise(by_round.items()):
            before = earlier[1].percents
            after = later[1].percents
            changes = {option: abs(after[option] - before[option]) for option in state.spec.options}
            option = max(changes, key=changes.__getitem__)
            if changes[option]:
                found.append(Move(person, later[0], option, before[option], after[option]))
    return tuple(sorted(found, key=lambda move: move.round))


def mean_rubric(rows: Sequence[RubricRow]) -> Mapping[tuple[str, acts.Criterion], float | None]:
    """(option, criterion) -> mean of the scores given; None where every judge said not enough to judge."""
    cells: dict[tuple[str, acts.Criterion], list[int]] = {}
    for row in rows:
        scores = cells.setdefault((row.option, row.criterion), [])
        if row.score is not None:
            scores.append(row.score)
    return {cell: fmean(scores) if scores else None for cell, scores in cells.items()}


def judge_sentences(state: State) -> tuple[str, ...]:
    """What a report says of the judges; empty where nobody judged."""
    named = judges(state)
    if not named:
        return ()
    told = latest_forecasts(state)
    right = right_option(state)
    found = [*judge_flags(state)]
    if not told:
        return (*found, _("{named} judged; what they gave is sealed.", named=len(named)))
    found += [aggregate_sentence(state), agreement_sentence(state)]
    for row in option_rows(state):
        found.append(
            _(
                "{option}: mean probability {mean} (by log-odds {log_odds}), from {lowest} to {highest}",
                option=row.option,
                mean=percent(row.mean),
                log_odds=percent(row.log_odds),
                lowest=percent(row.lowest),
                highest=percent(row.highest),
            )
        )
    if right is not None:
        scores = "; ".join(f"{named[i]} {judge_statistics.brier_score(p, right):.2f}" for i, p in told.items())
        found.append(_("{right} turned out right; Brier scores, 0 is best: {scores}", right=right, scores=scores))
    return tuple(found)


def judge_flags(state: State) -> tuple[str, ...]:
    """What a reader should know of who judged: they also ran the debate, or declared an interest in its outcome."""
    if not state.spec.has_people:
        return ()
    return tuple(sentence for person in judges(state) for sentence in _flags_of(state, person))


def _has_spoken(state: State, person: str) -> bool:
    return any(turn.by == person and turn.content for turn in state.all_turns())


def _flags_of(state: State, person: str) -> Iterator[str]:
    """The same of one judge."""
    name = state.room.people[person].name
    history = known_as(state, person)
    roles = {known.role for known in history}
    for role in ("facilitator", "moderator"):
        if role in roles:
            yield _("{name} judged this debate and was its {role}", name=name, role=role)
    if judges_late(state, person):
        yield _("{name} judged after the judges had been revealed", name=name)
    if _has_spoken(state, person):
        yield _("{name} judged this debate and spoke in it", name=name)
    interests = dict.fromkeys(known.interest.strip() for known in history if known.interest.strip())
    for interest in interests:
        yield _("{name} judged this debate and declared an interest: {interest}", name=name, interest=interest)
