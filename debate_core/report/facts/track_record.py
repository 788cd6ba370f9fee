"""The track record over many debates: accuracy and calibration of judges, models and seats.

Each debate is one case: forecasts of one model in several seats, or of a group of people, are averaged first, because
the intervals need independent cases. Below its minimum number of cases a figure is None; `n` is the number of cases.
Knows no store and no words.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum
from typing import Literal, TypeVar, get_args

from debate_core.report.facts.ballot_moves import Moves, count_moves
from debate_core.report.facts.calibration import LEAST_TO_FIT, Slope, fit_with_interval, walk_forward
from debate_core.report.facts.cross_debate_metrics import LEAST, with_answers_of_debates
from debate_core.report.facts.debate_facts import Facts
from debate_core.report.facts.forecasts import Stated, StatedBy, mean_shares, model_votes
from debate_core.report.facts.joint_errors import JointErrors, joint_errors
from debate_core.report.facts.judge_statistics import (
    Forecast,
    brier_score,
    krippendorff_alpha,
    log_score,
    mean_interval,
    reliability,
    wilson,
)

IntervalMethod = Literal["Wilson", "Student", "jackknife"]
WhyUncounted = Literal["rehearsal", "origin_unknown", "still_judged", "held_elsewhere"]
ScoredAs = Literal["judge", "people", "models", "seat", "debater"]
"""`debater`: the votes of one model in all seats in which it debated."""
MARGINS = (0.0, 0.2, 0.5, 1.0)
"""Our own cuts: the lead of the named option over the next one, as a share."""
TwoOrders = tuple[float, float | None]
"""Of one debate: 1 if both orders named the same option, else 0; and the lead of the first one."""
K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval; without one if all cases are equal."""

    n: int
    value: float
    low: float | None
    high: float | None
    method: IntervalMethod


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Verdicts that gave their favourite `low` to `high`: their mean confidence and accuracy."""

    low: float
    high: float
    sure: float
    right: Estimate


@dataclass(frozen=True, slots=True)
class Hint:
    """Recalibration of a judge's stated confidence, and its effect on later verdicts."""

    slope: Slope
    as_said: float | None
    """Mean Brier score of the later verdicts; None if there are fewer than five."""
    as_read: float | None
    gain: Estimate | None
    """Reduction of the score by recalibration."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Performance over the debates with a known right option."""

    who: str
    """Empty for all people, or all models, together."""
    by: StatedBy | None
    """None for a seat, which different speakers may have held."""
    group: ScoredAs
    n: int
    n_sure: int
    """Number of cases with a stated confidence."""
    accuracy: Estimate | None
    brier: Estimate | None
    log_score: Estimate | None
    sure: float | None
    """Mean probability of the favourite; None without a stated confidence."""
    too_sure: Estimate | None
    """Mean probability of the favourite minus its accuracy: above 0 is overconfident, below underconfident."""
    bins: tuple[CalibrationBin, ...] = ()
    hint: Hint | None = None


@dataclass(frozen=True, slots=True)
class MarginRow:
    """Verdicts in both orders whose first one led by `low` to `high`: share with the same option in both."""

    low: float
    high: float
    n: int
    same: Estimate | None


@dataclass(frozen=True, slots=True)
class OrderAudit:
    """Share of a judge's verdicts that change when the debate is read in the other order."""

    who: str
    n: int
    flips: Estimate | None
    mean_margin: float | None
    margins: tuple[MarginRow, ...]


@dataclass(frozen=True, slots=True)
class PeopleAndModels:
    """Debates judged by people and models: agreement on the favourite, and alpha over probabilities."""

    n: int
    same: Estimate | None
    alpha: Estimate | None


@dataclass(frozen=True, slots=True)
class TaskRow:
    """Cost and duration of debates of one kind of decision; `task` None = not stated."""

    task: str | None
    n: int
    n_cost: int
    usd: Estimate | None
    n_time: int
    seconds: Estimate | None


@dataclass(frozen=True, slots=True)
class QuarterRow:
    """Mean self-rating of critiques in the debates of one quarter, 0 to 10."""

    quarter: str
    n: int
    strength: Estimate | None


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """All figures of the track record."""

    debates: int
    known: int
    """Number of debates with a known right option."""
    unnamed: int
    """Reversed without a recorded right option, so that no judge can be scored."""
    scores: tuple[Scores, ...]
    orders: tuple[OrderAudit, ...]
    together: PeopleAndModels
    joint_errors: JointErrors
    moves: Moves
    tasks: tuple[TaskRow, ...]
    strength: tuple[QuarterRow, ...]

    @property
    def scored(self) -> list[Scores]:
        """Scores with an accuracy."""
        return [row for row in self.scores if row.accuracy]

    @property
    def calibrated(self) -> list[Scores]:
        """Scores with a calibration, of judges and of the means of people and models."""
        return [row for row in self.scores if row.bins and row.group in ("judge", "people", "models")]

    @property
    def spending(self) -> list[TaskRow]:
        """Kinds of decisions whose debates have a known cost or duration."""
        return [row for row in self.tasks if row.usd or row.seconds]


@dataclass(frozen=True, slots=True)
class Uncounted:
    """Number of finished debates left out, by reason."""

    rehearsals: int
    origin_unknown: int
    still_judged: int
    held_elsewhere: int


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """One debate as one judge saw it; `shares` None = no stated confidence."""

    right: str
    hit: float
    """1 or 0; a fraction if several options are tied."""
    shares: Forecast | None


def track_record(held: Sequence[Facts]) -> TrackRecord:
    """Compute every figure over these debates."""
    held = sorted(with_answers_of_debates(held), key=lambda f: (f.ended_at, f.debate))
    unknown = [one.later for one in held if one.later.right is None]
    votes = [(right, [option for _model, option in model_votes(one.stated)]) for right, one in _answered(held)]
    return TrackRecord(
        debates=len(held),
        known=len(held) - len(unknown),
        unnamed=sum(later.result == "reversed" for later in unknown),
        scores=_all_scores(held),
        orders=_orders(held),
        together=_together(held),
        joint_errors=joint_errors(votes),
        moves=count_moves((right, one.moves) for right, one in _answered(held)),
        tasks=_task_rows(held),
        strength=_strength(held),
    )


def of_practice(held: Iterable[Facts]) -> tuple[Scores, ...]:
    """Scores of judges in practice debates, those with most cases first; unfinished judgements are left out."""
    return tuple(row for row in track_record(tuple(held)).scores if row.group == "judge")


def scores(who: str, by: StatedBy | None, group: ScoredAs, cases: Sequence[JudgedCase]) -> Scores:
    """Figures of one judge, group or seat from its cases, in the order of the debates."""
    told = list[tuple[Forecast, str]]()
    said = list[tuple[float, float]]()
    for case in cases:
        if case.shares is not None:
            told.append((case.shares, case.right))
            said.append((max(case.shares.values()), case.hit))
    briers = [brier_score(shares, right) for shares, right in told]
    log_scores = [log_score(shares, right) for shares, right in told]
    sure = fsum(share for share, _ in said) / len(said) if said else None
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
        sure=sure,
        too_sure=_too_sure(said),
        bins=_bins(said),
        hint=hint,
    )


def _all_scores(held: Sequence[Facts]) -> tuple[Scores, ...]:
    """Each judge, people and models together, each seat, each debating model; those with most cases first."""
    by_judge = _divided(held, lambda stated: (stated.by, stated.who) if stated.judges else None)
    judges = [scores(who, by, "judge", cases) for (by, who), cases in by_judge.items()]
    by_seat = _divided(held, lambda stated: stated.seat)
    seats = [scores(seat, None, "seat", cases) for seat, cases in by_seat.items()]
    by_model = _divided(held, lambda stated: stated.who if stated.by == "model" and stated.debates else None)
    debaters = [scores(model, "model", "debater", cases) for model, cases in by_model.items()]
    return (*_most_first(judges), *_pooled_scores(held), *_most_first(seats), *_most_first(debaters))


def _pooled_scores(held: Sequence[Facts]) -> list[Scores]:
    """All judging people as one, and all judging models as one."""
    by_group = _divided(held, lambda stated: stated.by if stated.judges else None)
    groups: Mapping[StatedBy, ScoredAs] = {"person": "people", "model": "models"}
    return [scores("", by, group, by_group[by]) for by, group in groups.items() if by in by_group]


def _most_first(found: Sequence[Scores]) -> list[Scores]:
    return sorted(found, key=lambda row: (-row.n, row.who))


def _divided(held: Sequence[Facts], key_of: Callable[[Stated], K | None]) -> dict[K, list[JudgedCase]]:
    """Cases of debates with a known right option, one case per debate under each key."""
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
    """Pool several forecasts of one debate: the mean of their probabilities, else of their hits."""
    shares = _together_shares(said)
    if shares is not None and right in shares:
        return JudgedCase(right, _hit(_top(shares), right), shares)
    return JudgedCase(right, fsum(_hit(s.named, right) for s in said) / len(said), None)


def _together_shares(said: Sequence[Stated]) -> Forecast | None:
    """Mean of their probabilities; None if one is missing."""
    given = [stated.shares for stated in said if stated.shares is not None]
    if not given or len(given) < len(said):
        return None
    return mean_shares(given)


def _top(shares: Forecast) -> tuple[str, ...]:
    # Smaller differences between means of floats are rounding errors.
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
    """A mean with its interval, cut at the bounds of the values."""
    if len(values) < LEAST:
        return None
    low, high = mean_interval(values) or (None, None)
    if low is not None and least is not None:
        low = max(low, least)
    if high is not None and most is not None:
        high = min(high, most)
    return Estimate(len(values), fsum(values) / len(values), low, high, "Student")


def _too_sure(said: Sequence[tuple[float, float]]) -> Estimate | None:
    """The stated confidence is exact, so the interval is that of the accuracy."""
    right = _share([hit for _, hit in said])
    if right is None or right.low is None or right.high is None:
        return None
    sure = fsum(share for share, _ in said) / len(said)
    return Estimate(right.n, sure - right.value, sure - right.high, sure - right.low, "Wilson")


def _bins(said: Sequence[tuple[float, float]]) -> tuple[CalibrationBin, ...]:
    """The reliability table without empty rows; () for fewer than five verdicts."""
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
    """Every judge whose verdicts were asked in both orders, most cases first, including debates without an outcome."""
    by_judge: dict[str, list[TwoOrders]] = {}
    for one in held:
        for who, asked in _grouped((verdict.who, verdict) for verdict in one.asked_twice).items():
            same = sum(verdict.same for verdict in asked) / len(asked)
            margins = [verdict.margin for verdict in asked if verdict.margin is not None]
            mean_margin = fsum(margins) / len(margins) if margins else None
            by_judge.setdefault(who, []).append((same, mean_margin))
    audits = [order_audit(who, debates) for who, debates in by_judge.items()]
    return tuple(sorted(audits, key=lambda audit: (-audit.n, audit.who)))


def order_audit(who: str, debates: Sequence[TwoOrders]) -> OrderAudit:
    """Effect of the order on the verdicts of one judge."""
    margins = [(margin, same) for same, margin in debates if margin is not None]
    mean_margin = None
    if len(margins) >= LEAST:
        mean_margin = fsum(margin for margin, _ in margins) / len(margins)
    rows = []
    for low, high in pairwise(MARGINS):
        same = [same for margin, same in margins if low <= margin < high or margin == high == MARGINS[-1]]
        rows.append(MarginRow(low, high, len(same), _share(same)))
    flips = _share([1 - same for same, _ in debates])
    return OrderAudit(who=who, n=len(debates), flips=flips, mean_margin=mean_margin, margins=tuple(rows))


def _together(held: Sequence[Facts]) -> PeopleAndModels:
    """Compare people and models, including debates without an outcome."""
    pairs = []
    for one in held:
        judges = _grouped((stated.by, stated) for stated in one.stated if stated.judges)
        people = _together_shares(judges.get("person", []))
        models = _together_shares(judges.get("model", []))
        if people is not None and models is not None:
            pairs.append((people, models))
    same = []
    for people, models in pairs:
        ours, theirs = set(_top(people)), set(_top(models))
        same.append(len(ours & theirs) / len(ours | theirs))
    return PeopleAndModels(len(pairs), _share(same), _alpha(pairs))


def _answered(held: Sequence[Facts]) -> list[tuple[str, Facts]]:
    """Debates with a known right option. A single call is no debate."""
    return [(one.later.right, one) for one in held if one.later.right is not None and not one.is_single_call]


def _alpha(pairs: Sequence[tuple[Forecast, Forecast]]) -> Estimate | None:
    """Krippendorff's alpha over the probability of every option, with a jackknife interval over debates."""
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


def _task_rows(held: Sequence[Facts]) -> tuple[TaskRow, ...]:
    """Kinds of decision in alphabetical order; debates without a kind come last."""
    by_task = _grouped((one.later.task, one) for one in held)
    tasks = sorted(by_task, key=lambda task: (task is None, task or ""))
    return tuple(_task_row(task, by_task[task]) for task in tasks)


def _task_row(task: str | None, held: Sequence[Facts]) -> TaskRow:
    usd = [float(f.cost_usd) for f in held if f.cost_usd is not None]
    seconds = [f.seconds for f in held if f.seconds is not None]
    return TaskRow(task, len(held), len(usd), _mean(usd, least=0.0), len(seconds), _mean(seconds, least=0.0))


def _strength(held: Sequence[Facts]) -> tuple[QuarterRow, ...]:
    """Each debate has one value, because its critiques are correlated."""
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


def why_left_out(
    *, rehearsal: bool, origin_unknown: bool, still_judged: bool, held_elsewhere: bool
) -> WhyUncounted | None:
    """Reason for leaving out a finished debate; None if it counts."""
    if held_elsewhere:
        return "held_elsewhere"
    if origin_unknown:
        return "origin_unknown"
    if rehearsal:
        return "rehearsal"
    return "still_judged" if still_judged else None


def left_out(reasons: Iterable[WhyUncounted | None]) -> Uncounted:
    """Number of debates left out, by reason."""
    counts = Counter(reasons)
    return Uncounted(*(counts[reason] for reason in get_args(WhyUncounted)))
