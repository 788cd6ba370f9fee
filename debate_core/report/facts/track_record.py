"""The track record over many debates: how often judges, models and seats were right, and how far to believe them.

Each debate is one case: what a model said in several seats of it, or a group of people together, is averaged first.
So the intervals hold, which need cases that are independent. Below its least number of cases a figure is None, and its
`n` says how many there are. Knows no store and no words.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum
from typing import Literal, TypeVar

from debate_core.report.facts.calibration import LEAST_TO_FIT, Slope, fit_with_interval, walk_forward
from debate_core.report.facts.debate_facts import Facts
from debate_core.report.facts.judge_statistics import (
    Forecast,
    brier_score,
    krippendorff_alpha,
    log_score,
    mean_interval,
    reliability,
    wilson,
)
from debate_core.report.facts.over_debates import LEAST, with_answers_of_debates
from debate_core.report.facts.stated import AskedTwice, Stated, StatedBy, mean_shares

IntervalMethod = Literal["Wilson", "Student", "jackknife"]
WhyUncounted = Literal["rehearsal", "origin_unknown", "still_judged"]
ScoredAs = Literal["judge", "people", "models", "seat", "debater"]
"""`debater`: the votes of one model, in whatever seats it debated."""
MARGINS = (0.0, 0.2, 0.5, 1.0)
"""Our own cuts: the lead of the named option over the next one, as a share."""
TwoOrders = tuple[float, float | None]
"""Of one debate: whether both orders named the same option, 1 or 0, and by how much the first one led."""
K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its interval of 95 %; without one where all cases are the same, so that nothing can be said."""

    n: int
    value: float
    low: float | None
    high: float | None
    method: IntervalMethod


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Verdicts that gave their favourite `low` to `high`: how sure they were on average, and how often right."""

    low: float
    high: float
    sure: float
    right: Estimate


@dataclass(frozen=True, slots=True)
class Hint:
    """How to read what a judge says of their own sureness, and what that did to verdicts that came later."""

    slope: Slope
    as_said: float | None
    """Mean Brier score of the later verdicts; None if there are fewer than five."""
    as_read: float | None
    gain: Estimate | None
    """By how much reading them so lowers the score."""


@dataclass(frozen=True, slots=True)
class Scores:
    """How well somebody did over the debates of which it is known what turned out right."""

    who: str
    """Empty for all people, or all models, together."""
    by: StatedBy | None
    """None for a seat: different speakers may have sat in it."""
    group: ScoredAs
    n: int
    n_sure: int
    """Those of them in which it was said how sure."""
    accuracy: Estimate | None
    brier: Estimate | None
    log_score: Estimate | None
    sure: float | None
    """Mean probability that they gave their favourite; None if nobody said how sure they were."""
    too_sure: Estimate | None
    """Mean probability of the favourite less how often it was right: above 0 is too sure, below is too careful."""
    bins: tuple[CalibrationBin, ...] = ()
    hint: Hint | None = None


@dataclass(frozen=True, slots=True)
class MarginRow:
    """Verdicts in both orders whose first one led by `low` to `high`: how often the second named the same option."""

    low: float
    high: float
    n: int
    same: Estimate | None


@dataclass(frozen=True, slots=True)
class OrderAudit:
    """How often a judge names another option when the same debate is read in the other order."""

    who: str
    n: int
    flips: Estimate | None
    mean_margin: float | None
    margins: tuple[MarginRow, ...]


@dataclass(frozen=True, slots=True)
class PeopleAndModels:
    """Debates that people and models both judged: whether they favour the same option, and alpha over probabilities."""

    n: int
    same: Estimate | None
    alpha: Estimate | None


@dataclass(frozen=True, slots=True)
class TaskRow:
    """What debates of one kind of decision cost, and how long they took; `task` None = nobody said the kind."""

    task: str | None
    n: int
    n_cost: int
    usd: Estimate | None
    n_time: int
    seconds: Estimate | None


@dataclass(frozen=True, slots=True)
class QuarterRow:
    """How strong critics called their own critiques in the debates that ended in one quarter, 0 to 10."""

    quarter: str
    n: int
    strength: Estimate | None


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """All of it."""

    debates: int
    known: int
    """Of how many it is known which option was right."""
    unnamed: int
    """Reversed, and nobody said which option would have been right: they say nothing of a judge."""
    scores: tuple[Scores, ...]
    orders: tuple[OrderAudit, ...]
    together: PeopleAndModels
    tasks: tuple[TaskRow, ...]
    strength: tuple[QuarterRow, ...]


@dataclass(frozen=True, slots=True)
class Uncounted:
    """How many debates that are over are not counted, and why."""

    rehearsals: int
    origin_unknown: int
    still_judged: int


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """One debate as one judge saw it; `shares` None = nobody said how sure they were."""

    right: str
    hit: float
    """1 or 0; a part of 1 where several options stood level."""
    shares: Forecast | None


def track_record(held: Sequence[Facts]) -> TrackRecord:
    """Every figure over these debates."""
    held = sorted(with_answers_of_debates(held), key=lambda f: (f.ended_at, f.debate))
    unknown = [one.later for one in held if one.later.right is None]
    return TrackRecord(
        debates=len(held),
        known=len(held) - len(unknown),
        unnamed=sum(later.result == "reversed" for later in unknown),
        scores=_all_scores(held),
        orders=_orders(held),
        together=_together(held),
        tasks=_tasks(held),
        strength=_strength(held),
    )


def of_practice(held: Iterable[Facts]) -> tuple[Scores, ...]:
    """How judges did with practice debates, those with most first; one that is not judged to its end says nothing."""
    return tuple(row for row in track_record(tuple(held)).scores if row.group == "judge")


def scores(who: str, by: StatedBy | None, group: ScoredAs, cases: Sequence[JudgedCase]) -> Scores:
    """The figures of one judge, group or seat from its cases, in the order of the debates."""
    told = list[tuple[Forecast, str]]()
    said = list[tuple[float, float]]()
    for case in cases:
        if case.shares is not None:
            told.append((case.shares, case.right))
            said.append((max(case.shares.values()), case.hit))
    briers = [brier_score(shares, right) for shares, right in told]
    log_scores = [log_score(shares, right) for shares, right in told]
    hint = None
    if group == "judge" and len(told) >= LEAST_TO_FIT:
        hint = _hint(told)
    return Scores(
        who=who,
        by=by,
        group=group,
        n=len(cases),
        n_sure=len(told),
        accuracy=_share([case.hit for case in cases]),
        brier=_mean(briers, least=0.0, most=1.0),
        log_score=_mean(log_scores, most=0.0),
        sure=fsum(share for share, _ in said) / len(said) if said else None,
        too_sure=_too_sure(said),
        bins=_bins(said),
        hint=hint,
    )


def _all_scores(held: Sequence[Facts]) -> tuple[Scores, ...]:
    """Each judge, people and models together, each seat, each model that debated; those with most debates first."""
    by_judge = _divided(held, lambda stated: (stated.by, stated.who) if stated.judges else None)
    judges = [scores(who, by, "judge", cases) for (by, who), cases in by_judge.items()]
    by_seat = _divided(held, lambda stated: stated.seat)
    seats = [scores(seat, None, "seat", cases) for seat, cases in by_seat.items()]
    by_model = _divided(held, _debating_model)
    debaters = [scores(model, "model", "debater", cases) for model, cases in by_model.items()]
    return (*_most_first(judges), *_pooled_scores(held), *_most_first(seats), *_most_first(debaters))


def _debating_model(stated: Stated) -> str | None:
    return stated.who if stated.by == "model" and stated.debates else None


def _pooled_scores(held: Sequence[Facts]) -> list[Scores]:
    """Of all people together, and of all models."""
    by_group = _divided(held, lambda stated: stated.by if stated.judges else None)
    groups: Mapping[StatedBy, ScoredAs] = {"person": "people", "model": "models"}
    return [scores("", by, group, by_group[by]) for by, group in groups.items() if by in by_group]


def _most_first(found: Sequence[Scores]) -> list[Scores]:
    return sorted(found, key=lambda row: (-row.n, row.who))


def _divided(held: Sequence[Facts], key_of: Callable[[Stated], K | None]) -> dict[K, list[JudgedCase]]:
    """What was said of the debates whose right option is known, one case a debate under each key."""
    found: dict[K, list[JudgedCase]] = {}
    for one in held:
        if one.later.right is None:
            continue
        keyed = [(key_of(stated), stated) for stated in one.stated if stated.named]
        for key, said_so in _grouped(keyed).items():
            if key is not None:
                found.setdefault(key, []).append(_case(one.later.right, said_so))
    return found


def _case(right: str, said: Sequence[Stated]) -> JudgedCase:
    """What several said of one debate: the mean of their probabilities, or of how often they were right."""
    shares = _together_shares(said)
    if shares is not None and right in shares:
        return JudgedCase(right, _hit(_top(shares), right), shares)
    return JudgedCase(right, fsum(_hit(s.named, right) for s in said) / len(said), None)


def _together_shares(said: Sequence[Stated]) -> Forecast | None:
    """The mean of their probabilities; None if one of them did not say any."""
    given = [stated.shares for stated in said if stated.shares is not None]
    if not given or len(given) < len(said):
        return None
    return mean_shares(given)


def _top(shares: Forecast) -> tuple[str, ...]:
    # Means of floats: what differs by less than this is level.
    most = max(shares.values()) - 1e-9
    return tuple(option for option, share in shares.items() if share >= most)


def _hit(favourites: Sequence[str], right: str) -> float:
    return 1 / len(favourites) if right in favourites else 0.0


def _share(hits: Sequence[float]) -> Estimate | None:
    if len(hits) < LEAST:
        return None
    low, high = wilson(fsum(hits), len(hits))
    return Estimate(len(hits), fsum(hits) / len(hits), low, high, "Wilson")


def _mean(values: Sequence[float], *, least: float | None = None, most: float | None = None) -> Estimate | None:
    """A mean with its interval, which ends where the values have to end."""
    if len(values) < LEAST:
        return None
    low, high = mean_interval(values) or (None, None)
    if low is not None and least is not None:
        low = max(low, least)
    if high is not None and most is not None:
        high = min(high, most)
    return Estimate(len(values), fsum(values) / len(values), low, high, "Student")


def _too_sure(said: Sequence[tuple[float, float]]) -> Estimate | None:
    """What was said is known; only how often it was right is not, so that the interval is that of the share."""
    right = _share([hit for _, hit in said])
    if right is None or right.low is None or right.high is None:
        return None
    sure = fsum(share for share, _ in said) / len(said)
    return Estimate(right.n, sure - right.value, sure - right.high, sure - right.low, "Wilson")


def _bins(said: Sequence[tuple[float, float]]) -> tuple[CalibrationBin, ...]:
    """The reliability table, without its empty rows; nothing for fewer than five verdicts."""
    if len(said) < LEAST:
        return ()
    rows = []
    for row in reliability(said):
        if row.mean_probability is not None and row.share_true is not None:
            low, high = wilson(row.share_true * row.count, row.count)
            right = Estimate(row.count, row.share_true, low, high, "Wilson")
            rows.append(CalibrationBin(row.low, row.high, row.mean_probability, right))
    return tuple(rows)


def _hint(told: Sequence[tuple[Forecast, str]]) -> Hint:
    later = walk_forward(told)
    gain = _mean([said - read for said, read in later])
    if gain is None:
        return Hint(fit_with_interval(told), None, None, None)
    as_said = fsum(said for said, _ in later) / len(later)
    as_read = fsum(read for _, read in later) / len(later)
    return Hint(fit_with_interval(told), as_said, as_read, gain)


def _orders(held: Sequence[Facts]) -> tuple[OrderAudit, ...]:
    """Every judge of whom verdicts were asked in both orders, most debates first; all debates count."""
    by_judge: dict[str, list[TwoOrders]] = {}
    for one in held:
        for who, asked in _grouped((verdict.who, verdict) for verdict in one.asked_twice).items():
            by_judge.setdefault(who, []).append(_two_orders(asked))
    audits = [order_audit(who, debates) for who, debates in by_judge.items()]
    return tuple(sorted(audits, key=lambda audit: (-audit.n, audit.who)))


def _two_orders(asked: Sequence[AskedTwice]) -> TwoOrders:
    same = sum(verdict.same for verdict in asked) / len(asked)
    margins = [verdict.margin for verdict in asked if verdict.margin is not None]
    return same, fsum(margins) / len(margins) if margins else None


def order_audit(who: str, debates: Sequence[TwoOrders]) -> OrderAudit:
    """What the other order changed in the verdicts of one judge."""
    margins = [(margin, same) for same, margin in debates if margin is not None]
    mean_margin = None
    if len(margins) >= LEAST:
        mean_margin = fsum(margin for margin, _ in margins) / len(margins)
    return OrderAudit(
        who=who,
        n=len(debates),
        flips=_share([1 - same for same, _ in debates]),
        mean_margin=mean_margin,
        margins=tuple(_margin_row(*ends, margins) for ends in pairwise(MARGINS)),
    )


def _margin_row(low: float, high: float, margins: Sequence[tuple[float, float]]) -> MarginRow:
    same = [same for margin, same in margins if low <= margin < high or margin == high == MARGINS[-1]]
    return MarginRow(low, high, len(same), _share(same))


def _together(held: Sequence[Facts]) -> PeopleAndModels:
    """All debates count, whether or not it is known what was right."""
    pairs = []
    for one in held:
        judges = _grouped((stated.by, stated) for stated in one.stated if stated.judges)
        people = _together_shares(judges.get("person", []))
        models = _together_shares(judges.get("model", []))
        if people is not None and models is not None:
            pairs.append((people, models))
    same = [_same_favourite(people, models) for people, models in pairs]
    return PeopleAndModels(len(pairs), _share(same), _alpha(pairs))


def _same_favourite(people: Forecast, models: Forecast) -> float:
    """Half where they share one of two favourites."""
    ours = set(_top(people))
    theirs = set(_top(models))
    return len(ours & theirs) / len(ours | theirs)


def _alpha(pairs: Sequence[tuple[Forecast, Forecast]]) -> Estimate | None:
    """Krippendorff's alpha over the probability of every option; its interval leaves out one debate at a time."""
    found = _alpha_of(pairs)
    if len(pairs) < LEAST or found is None:
        return None
    n = len(pairs)
    values = []
    for place in range(n):
        without_one = _alpha_of([*pairs[:place], *pairs[place + 1 :]])
        if without_one is not None:
            values.append(n * found - (n - 1) * without_one)
    low, high = mean_interval(values) or (None, None)
    if low is None or high is None:
        return Estimate(n, found, None, None, "jackknife")
    half = (high - low) / 2
    return Estimate(n, found, max(found - half, -1.0), min(found + half, 1.0), "jackknife")


def _alpha_of(pairs: Sequence[tuple[Forecast, Forecast]]) -> float | None:
    people: dict[str, float] = {}
    models: dict[str, float] = {}
    for place, (of_people, of_models) in enumerate(pairs):
        people |= {f"{place} {option}": share for option, share in of_people.items()}
        models |= {f"{place} {option}": share for option, share in of_models.items()}
    return krippendorff_alpha({"people": people, "models": models}, "interval")


def _tasks(held: Sequence[Facts]) -> tuple[TaskRow, ...]:
    by_task = _grouped((f.later.task, f) for f in held)
    return tuple(_task_row(task, by_task[task]) for task in sorted(by_task, key=lambda t: (t is None, t or "")))


def _task_row(task: str | None, held: Sequence[Facts]) -> TaskRow:
    usd = [float(f.cost_usd) for f in held if f.cost_usd is not None]
    seconds = [f.seconds for f in held if f.seconds is not None]
    return TaskRow(task, len(held), len(usd), _mean(usd, least=0.0), len(seconds), _mean(seconds, least=0.0))


def _strength(held: Sequence[Facts]) -> tuple[QuarterRow, ...]:
    """The mean of each debate first: critiques of one debate are alike."""
    rated = [(f.later.quarter, sum(f.strengths) / len(f.strengths)) for f in held if f.strengths]
    by_quarter = _grouped(rated)
    return tuple(
        QuarterRow(quarter, len(means), _mean(means, least=0.0, most=10.0))
        for quarter, means in sorted(by_quarter.items())
    )


def _grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    found: dict[K, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def why_left_out(*, rehearsal: bool, origin_unknown: bool, still_judged: bool) -> WhyUncounted | None:
    """Why a debate that is over is not counted; None if it is."""
    if origin_unknown:
        return "origin_unknown"
    if rehearsal:
        return "rehearsal"
    return "still_judged" if still_judged else None


def left_out(reasons: Iterable[WhyUncounted | None]) -> Uncounted:
    """How many are not counted for each reason."""
    counts = Counter(reasons)
    return Uncounted(counts["rehearsal"], counts["origin_unknown"], counts["still_judged"])
