"""Revealed judgements as rows and figures: probabilities by round, rubrics, comparisons and scores.

Probabilities are included up to the revealed round, rubrics and comparisons once the last round is revealed. A
judgement after the reveal or the first signature is late: it is left out of the figures and shown with its date.
Knows no file format and no screen.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isclose
from statistics import fmean

from debate_core.engine import judge_view
from debate_core.engine.count.bradley_terry import Contest, bradley_terry, connected, strength_intervals
from debate_core.engine.stage import revealed_round
from debate_core.language import Words, _, _n, spoken_list
from debate_core.record import acts
from debate_core.record.people import Done
from debate_core.record.state import State
from debate_core.report.facts import judge_statistics
from debate_core.report.facts.decision_outcomes import right_option
from debate_core.report.facts.who_judged import Judge, is_late, judge_flags, judges, who_judged
from debate_core.spec.protocol import Spec
from debate_core.spec.warnings import anyone_answers

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
"""Criterion -> its words, in the order of the screen."""
_OF_ANSWERS: frozenset[acts.Criterion] = frozenset({"clash", "responsiveness"})
POINTS = {"a": 1.0, "b": 0.0, "tie": 0.5, "both_weak": 0.5}
"""Points of the first turn of a comparison; the second has the rest of 1."""
MIN_READINGS = 2
"""Comparisons that a turn needs for a strength: a second reader agrees with the first in only 71 %."""
BY_CHANCE = 0.05
"""Significance level of agreement and disagreement."""


def criteria_that_apply(spec: Spec) -> tuple[acts.Criterion, ...]:
    """Criteria that can apply to this debate: without replies between seats, those about answers are left out."""
    answers = anyone_answers(spec)
    return tuple(criterion for criterion in CRITERIA if answers or criterion not in _OF_ANSWERS)


@dataclass(frozen=True, slots=True)
class JudgementRow:
    """Probability of one option by one judge after one round. Scores are of the whole report of that round."""

    judge: str
    mode: judge_view.Mode
    round: int
    option: str
    probability: str
    final: bool
    shuffle_seed: int
    swapped: bool | None
    """True if the options were shown in another order than the debate's; None if unknown."""
    seconds_spent: int | None
    explanation: str
    brier: str | None
    """None until the right option is recorded."""
    log_score: str | None
    given_at: str
    late: bool
    """True if given after the reveal of the judges, or after the first signature."""
    blind: bool
    """True if the speakers' names were hidden from this judge."""
    led: bool
    interest: str


@dataclass(frozen=True, slots=True)
class RubricRow:
    """One cell of a judge's rubric; `score` None = not enough to judge."""

    judge: str
    option: str
    criterion: acts.Criterion
    score: int | None
    comment: str
    late: bool = False


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """A judge's comparison of two turns."""

    judge: str
    item_a: str
    item_b: str
    winner: str
    reason: str
    at: str
    late: bool = False


@dataclass(frozen=True, slots=True)
class StrengthRow:
    """Strength of a compared turn within its group, with the 95 % interval; 1 = an average turn."""

    turn: str
    group: int
    """From 1; turns of two groups were never compared."""
    strength: float
    low: float
    high: float
    readings: int


@dataclass(frozen=True, slots=True)
class OptionRow:
    """One option by the judges' latest probabilities, without late ones; shares of 1."""

    option: str
    mean: float
    log_odds: float
    lowest: float
    highest: float
    favourites: int
    """Number of judges whose single favourite it is."""


@dataclass(frozen=True, slots=True)
class Move:
    """The largest change of one judge from one report to the next."""

    judge: str
    """Id of the person."""
    round: int
    option: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class LateJudgement:
    """Probabilities given after the reveal of the judges, or after the first signature."""

    person: str
    at: str
    given: Mapping[str, float]
    """Option -> probability, as a share."""


def fully_revealed(state: State) -> bool:
    """True once the last probabilities are revealed, with rubrics and comparisons."""
    return state.outcome is not None and revealed_round(state) >= state.current_round()


def _reports(state: State, *, late: bool) -> Mapping[str, Mapping[int, Done[acts.BeliefReported]]]:
    """Judge -> round -> the latest revealed report, either late ones or all others."""
    last = revealed_round(state)
    by_judge: dict[str, dict[int, Done[acts.BeliefReported]]] = {}
    for done in state.room.of(acts.BeliefReported):
        if done.fact.round <= last and is_late(state, done) == late:
            by_judge.setdefault(done.by, {})[done.fact.round] = done
    return {person: dict(sorted(by_judge[person].items())) for person in judges(state) if person in by_judge}


def revealed_together(state: State) -> Mapping[str, Mapping[int, acts.BeliefReported]]:
    """Judge -> round -> report, without sealed and late ones."""
    return {
        person: {number: done.fact for number, done in by_round.items()}
        for person, by_round in _reports(state, late=False).items()
    }


def late_judgements(state: State) -> tuple[LateJudgement, ...]:
    """The last report of each late judge."""
    found = []
    for person, by_round in _reports(state, late=True).items():
        done = by_round[max(by_round)]
        found.append(LateJudgement(person, done.at, shares(done.fact)))
    return tuple(found)


def has_revealed(state: State) -> bool:
    """True if any judgement is revealed."""
    return bool(revealed_together(state) or late_judgements(state))


def percent(share: float) -> str:
    """Format a share: `0.72` -> `72 %`."""
    return f"{100 * share:.0f} %"


def shares(report: acts.BeliefReported) -> dict[str, float]:
    """Probabilities as shares of 1."""
    return {option: percent / 100 for option, percent in report.percents.items()}


def judgement_rows(state: State) -> tuple[JudgementRow, ...]:
    """One row per judge, revealed round and option: the latest report of each round, then the late one."""
    rows = list[JudgementRow]()
    for judge in who_judged(state):
        for late in (False, True):
            for done in _reports(state, late=late).get(judge.person, {}).values():
                rows += _report_rows(state, judge, done, late=late)
    return tuple(rows)


def _report_rows(state: State, judge: Judge, done: Done[acts.BeliefReported], *, late: bool) -> list[JudgementRow]:
    right = right_option(state)
    report = done.fact
    given = shares(report)
    was_swapped = report.shown != state.spec.options if report.shown else None
    brier = None if right is None else f"{judge_statistics.brier_score(given, right):.4f}"
    log_score = None if right is None else f"{judge_statistics.log_score(given, right):.4f}"
    return [
        JudgementRow(
            judge=judge.alias,
            mode=judge_view.mode_of(state, judge.person),
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
            given_at=done.at,
            late=late,
            blind=judge.blind,
            led=bool(judge.led),
            interest="; ".join(judge.interests),
        )
        for option in state.spec.options
    ]


def rubric_rows(state: State) -> tuple[RubricRow, ...]:
    """The latest rubric of every judge, once everything is revealed; a late one is added to an earlier one."""
    if not fully_revealed(state):
        return ()
    latest = {(done.by, is_late(state, done)): done.fact for done in state.room.of(acts.Judged)}
    rows = []
    for person, alias in judges(state).items():
        for late in (False, True):
            if rubric := latest.get((person, late)):
                rows += [RubricRow(alias, r.option, r.criterion, r.score, rubric.comment, late) for r in rubric.ratings]
    return tuple(rows)


def comparison_rows(state: State) -> tuple[ComparisonRow, ...]:
    """Every comparison, in order, once everything is revealed."""
    if not fully_revealed(state):
        return ()
    named = judges(state)
    rows = []
    for done in state.room.of(acts.Compared):
        pair = done.fact
        late = is_late(state, done)
        rows.append(ComparisonRow(named[done.by], pair.a, pair.b, pair.winner, pair.reason, done.at, late))
    return tuple(rows)


def strengths(state: State) -> tuple[StrengthRow, ...]:
    """Strengths of turns by Bradley and Terry's model, group by group, the strongest of each first.

    Only turns with at least two comparisons within a connected group: a single reading is too little.
    """
    contests = [(r.item_a, r.item_b, POINTS[r.winner]) for r in comparison_rows(state) if not r.late]
    rows: list[StrengthRow] = []
    number = 1
    for group in connected(contests):
        in_group = _strengths_within([contest for contest in contests if contest[0] in group], number)
        if in_group:
            rows += in_group
            number += 1
    return tuple(rows)


def _strengths_within(contests: Sequence[Contest], group: int) -> list[StrengthRow]:
    """Strengths within one group; [] if its comparisons do not determine them."""
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
    """Judge -> latest probabilities as shares, without late ones."""
    return {person: shares(given[max(given)]) for person, given in revealed_together(state).items()}


def last_words(state: State) -> Mapping[str, Mapping[str, float]]:
    """Judge -> latest revealed probabilities, late or not."""
    return {**latest_forecasts(state), **{late.person: late.given for late in late_judgements(state)}}


def option_rows(state: State) -> tuple[OptionRow, ...]:
    """Every option in the order of the debate; () until something is revealed."""
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
    """The option with the highest probability; None for a tie."""
    most = max(given.values())
    best = [option for option, p in given.items() if p == most]
    return best[0] if len(best) == 1 else None


def agreement_sentence(state: State) -> str:
    """Agreement of the judges in words, with the figure; for papers, which also say that it cannot be measured."""
    told = latest_forecasts(state)
    return agreement_words(told) if told else _("No judge's probabilities are revealed.")


def agreement_on_screen(state: State) -> str:
    """Agreement of the judges in words; empty where there are too few judges to say anything."""
    told = latest_forecasts(state)
    return "" if told and _are_too_few(told) else agreement_sentence(state)


def _are_too_few(told: judge_statistics.Forecasts) -> bool:
    """True if even the highest possible agreement of these judges could be chance."""
    chance = judge_statistics.agreement_by_chance(told)
    return len(told) < 2 or (chance is not None and chance.least > BY_CHANCE)


def agreement_words(told: judge_statistics.Forecasts) -> str:
    """Agreement of these probabilities in words; agreement that chance explains counts as none."""
    if len(told) < 2:
        return _("Agreement needs at least two judges.")
    found = judge_statistics.krippendorff_alpha(told, "interval")
    chance = judge_statistics.agreement_by_chance(told)
    if found is None or chance is None:
        return _(
            "All {told} judges gave every option the same probability: agreement cannot be measured.", told=len(told)
        )
    if chance.least > BY_CHANCE:
        return _(
            "{told} judges of {options} options are too few to say whether they agree.",
            told=len(told),
            options=len(next(iter(told.values()))),
        )
    if min(chance.as_much, chance.as_little) > BY_CHANCE:
        return _("It is not clear whether the {told} judges agree: it may be chance.", told=len(told))
    if chance.as_little <= BY_CHANCE:
        return _(
            "The {told} judges disagree more than by chance (Krippendorff's alpha {alpha:.2f}).",
            told=len(told),
            alpha=found,
        )
    low = f" {_(judge_statistics.LOW_IS_NORMAL)}" if found < judge_statistics.LITTLE else ""
    cases = _("fewer than 1 of 100 cases")
    if chance.as_much >= 0.01:
        cases = _("{cases:.0f} of 100 cases", cases=100 * chance.as_much)
    by_chance = _("by chance as high in {how_often}", how_often=cases)
    return _(
        "The {told} judges {agree} (Krippendorff's alpha {alpha:.2f}, {by_chance}).{low}",
        told=len(told),
        agree=_(judge_statistics.band(found)),
        alpha=found,
        by_chance=by_chance,
        low=low,
    )


def aggregate_sentence(state: State) -> str:
    """The judges' mean, and the favourite of most of them: information, never the decision."""
    rows = option_rows(state)
    if not rows:
        return ""
    most = max(r.mean for r in rows)
    # Means are floats of whole percents: smaller differences are rounding errors.
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


def favourite_sentence(state: State) -> str:
    """`2 of 2 judges find Outbox table most likely to be right.`; empty if no judge has a single favourite."""
    rows = option_rows(state)
    votes = max((row.favourites for row in rows), default=0)
    if not votes:
        return ""
    led = spoken_list([row.option for row in rows if row.favourites == votes])
    if [row.favourites for row in rows].count(votes) > 1:
        return _("The judges favour different options: {led}.", led=led)
    judged = len(latest_forecasts(state))
    return _n(
        judged,
        "The judge finds {led} most likely to be right.",
        "{votes} of {n} judges find {led} most likely to be right.",
        votes=votes,
        led=led,
    )


def moves(state: State) -> tuple[Move, ...]:
    """The largest move of each judge between consecutive reports, by round."""
    found = []
    for person, by_round in revealed_together(state).items():
        for earlier, later in pairwise(by_round.items()):
            before = earlier[1].percents
            after = later[1].percents
            changes = {option: abs(after[option] - before[option]) for option in state.spec.options}
            option = max(changes, key=changes.__getitem__)
            if changes[option]:
                found.append(Move(person, later[0], option, before[option], after[option]))
    return tuple(sorted(found, key=lambda move: move.round))


def can_have_moved(state: State) -> bool:
    """True if a judge has two revealed reports."""
    return any(len(by_round) > 1 for by_round in revealed_together(state).values())


def sealed_rounds_words(state: State) -> str:
    """Note on reports of later rounds that are still sealed; empty if none are."""
    revealed = revealed_round(state)
    if all(done.fact.round <= revealed for done in state.room.of(acts.BeliefReported)):
        return ""
    return _("Judgements after round {round} are sealed.", round=max(revealed, 0))


def mean_rubric(rows: Sequence[RubricRow]) -> Mapping[tuple[str, acts.Criterion], float | None]:
    """(option, criterion) -> mean of the scores given in time; None if no judge gave a score."""
    cells: dict[tuple[str, acts.Criterion], list[int]] = {}
    for row in rows:
        if row.late:
            continue
        scores = cells.setdefault((row.option, row.criterion), [])
        if row.score is not None:
            scores.append(row.score)
    return {cell: fmean(scores) if scores else None for cell, scores in cells.items()}


def judge_sentences(state: State) -> tuple[str, ...]:
    """Sentences of a report on the judges; () without judges."""
    named = judges(state)
    if not named:
        return ()
    right = right_option(state)
    found = [*judge_flags(state)]
    if not has_revealed(state):
        return (*found, _("{named} judged; their judgements are sealed.", named=len(named)))
    if latest_forecasts(state):
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
    found += late_sentences(state)
    if right is not None:
        given = last_words(state)
        scores = "; ".join(f"{named[i]} {judge_statistics.brier_score(p, right):.2f}" for i, p in given.items())
        found.append(_("{right} turned out right; Brier scores, 0 is best: {scores}", right=right, scores=scores))
    return tuple(found)


def late_sentences(state: State) -> tuple[str, ...]:
    """One sentence for each late judge, with the date."""
    sentences = []
    for late in late_judgements(state):
        given = ", ".join(f"{option} {percent(share)}" for option, share in late.given.items())
        sentence = _(
            "{name} judged later, on {day}: {given}. Not included in the judges' figures.",
            name=state.room.people[late.person].name,
            day=late.at[:10],
            given=given,
        )
        sentences.append(sentence)
    return tuple(sentences)


def is_plain_reading(state: State) -> bool:
    """True if all timely judges read blind, did not lead or speak, and declared no interest."""
    read = _timely_judges(state)
    took_part = any(judge.led or judge.spoke or judge.interests for judge in read)
    return not took_part and all(judge.blind for judge in read)


def _timely_judges(state: State) -> list[Judge]:
    timely = latest_forecasts(state)
    return [judge for judge in who_judged(state) if judge.person in timely]


def reading_words(state: State) -> str:
    """Conditions of the judgements: `2 judges; who spoke was hidden; led the debate: Fay`."""
    read = _timely_judges(state)
    words = [_n(len(read), "{n} judge", "{n} judges"), _blind_words(state, read)]
    if led := [judge.name for judge in read if judge.led]:
        words.append(_("led the debate: {names}", names=spoken_list(led)))
    if spoke := [judge.name for judge in read if judge.spoke]:
        words.append(_("spoke in it: {names}", names=spoken_list(spoke)))
    if interested := [judge.name for judge in read if judge.interests]:
        words.append(_("declared an interest: {names}", names=spoken_list(interested)))
    return "; ".join(words)


def _blind_words(state: State, read: Sequence[Judge]) -> str:
    knew = [judge.name for judge in read if not judge.blind]
    if not knew:
        return _("who spoke was hidden")
    if state.spec.terms.blind != "blind":
        return _("who spoke was known")
    return _("knew who spoke: {names}", names=spoken_list(knew))
