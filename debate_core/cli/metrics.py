"""`metrics`: prints figures over all finished debates of a database. Calls no model; `--threshold` stores an answer.

`debate_core.report.facts.cross_debate_metrics` and `track_record` compute them from the facts that are kept beside the
records, so that only records that grew are read.
"""

from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from fractions import Fraction

from debate_core.cli import triage_threshold
from debate_core.cli.files import refuse_missing
from debate_core.cli.terminal import answer
from debate_core.cli.triage_threshold import ThresholdState
from debate_core.errors import InvalidSpec
from debate_core.host.debate_cache import DebateCaches
from debate_core.host.debate_figures import DebateFigures, FiguresList
from debate_core.host.debate_list import DebateList, DebateRow
from debate_core.host.settings import Settings
from debate_core.host.stores import Store, open_store
from debate_core.report.facts.cross_debate_metrics import (
    LEAST,
    Metric,
    MetricPart,
    bar_words,
    metrics,
    value_words,
)
from debate_core.report.facts.debate_facts import Facts
from debate_core.report.facts.limits_from_use import LimitsRow, limits_rows
from debate_core.report.facts.track_record import (
    QuarterRow,
    Scores,
    TaskRow,
    TrackRecord,
    Uncounted,
    WhyUncounted,
    left_out,
    of_practice,
    track_record,
)
from debate_core.report.phrases.limits import proposed_limits_sentence
from debate_core.report.phrases.track_record import (
    basis_sentences,
    hint_sentence,
    joint_errors_sentence,
    left_out_sentences,
    moves_sentence,
    need_sentences,
    number_with_interval,
    order_sentence,
    percent_words,
    practice_few_sentence,
    task_words,
    time_words,
    together_sentence,
    who_words,
)
from debate_core.spec.values import Json
from debate_core.text import plural


@dataclass(frozen=True, slots=True)
class _FiguresOverAll:
    """All figures of these debates."""

    debates: int
    metrics: tuple[Metric, ...]
    record: TrackRecord
    left_out: Uncounted
    practice: tuple[Scores, ...]
    limits: tuple[LimitsRow, ...]
    threshold: ThresholdState


def measure(flags: Namespace, settings: Settings) -> int:
    """Print every figure, after storing an answer to the proposal; 0. The log names the invalid records left out."""
    triage_threshold.refuse_flags(flags)
    refuse_missing(settings.database_url)
    with closing(open_store(settings.database_url)) as store:
        held, practised = _finished_rows(store)
        why = {row.id: row.why_left_out(with_rehearsals=flags.rehearsals) for row in held}
        counted = [row for row in held if why[row.id] is None]
        figures = FiguresList(store).of((*counted, *practised))
        threshold = triage_threshold.settle(store, flags, _facts_of(counted, figures))
    chosen = _select_protocol(flags.protocol, held, why)
    of_protocol = [row for row in chosen if why[row.id] is None]
    debates = _facts_of(of_protocol, figures)
    uses = (figures[row.id].use for row in of_protocol if row.id in figures)
    over_all = _FiguresOverAll(
        len(debates),
        metrics(debates),
        track_record(debates),
        left_out(why[row.id] for row in chosen),
        of_practice(_facts_of(practised, figures)),
        limits_rows([*filter(None, uses)]),
        threshold,
    )
    answer(flags, _json(over_all, flags), _text(over_all))
    return 0


def _finished_rows(store: Store) -> tuple[list[DebateRow], list[DebateRow]]:
    """The finished debates and the finished practice debates, without matches."""
    held = list[DebateRow]()
    practised = list[DebateRow]()
    for row in DebateList(store, DebateCaches(store)).rows():
        # A replaced record and its successor are the same debate.
        if not row.is_over or row.is_match or row.ownership.replaced_by:
            continue
        if not row.practice:
            held.append(row)
        elif not row.origin_unknown:
            practised.append(row)
    return held, practised


def _select_protocol(
    protocol: str | None, held: Sequence[DebateRow], why: Mapping[str, WhyUncounted | None]
) -> Sequence[DebateRow]:
    """The debates under the named protocol, if any. InvalidSpec if none is counted."""
    if protocol is None:
        return held
    chosen = [row for row in held if row.protocol == protocol]
    if any(why[row.id] is None for row in chosen):
        return chosen
    if chosen:
        reasons = " ".join(left_out_sentences(left_out(why[row.id] for row in chosen))).removesuffix(".")
        raise InvalidSpec(f"no debate under --protocol {protocol} is counted: {reasons}")
    names = sorted({row.protocol for row in held})
    there = f"there are some under {', '.join(names)}" if names else "there are none at all"
    raise InvalidSpec(f"no debate under --protocol {protocol} is over: {there}")


def _facts_of(rows: Iterable[DebateRow], figures: Mapping[str, DebateFigures]) -> list[Facts]:
    """The facts of these debates, without those of invalid records."""
    return [known for row in rows if row.id in figures and (known := figures[row.id].facts)]


# As JSON


def _json(figures: _FiguresOverAll, flags: Namespace) -> Json:
    return {
        "debates": figures.debates,
        "protocol": flags.protocol,
        "rehearsals": flags.rehearsals,
        "metrics": [*map(_metric_json, figures.metrics)],
        "left_out": asdict(figures.left_out),
        "track_record": {**asdict(figures.record), "needs": list(need_sentences(figures.record))},
        "practice": [*map(asdict, figures.practice)],
        "limits": [*map(asdict, figures.limits)],
        "threshold": figures.threshold.as_json(),
    }


def _metric_json(metric: Metric) -> Json:
    return {
        "name": metric.name,
        "n": metric.n,
        "value": _number(metric.value),
        "unit": metric.unit,
        "bar": _number(metric.bar),
        "worse": metric.worse,
        "alert": metric.alert,
        "sentence": metric.sentence,
        "interval": _interval(metric),
        "parts": [
            {"of": part.label, "n": part.n, "value": _number(part.value), "interval": _interval(part)}
            for part in metric.parts
        ],
        "source": metric.source or None,
    }


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _interval(figure: Metric | MetricPart) -> Json:
    return None if figure.low is None else [figure.low, figure.high]


# As text


def _text(figures: _FiguresOverAll) -> str:
    lines = [f"{plural(figures.debates, 'debate')} counted"]
    for metric in figures.metrics:
        lines += [_format_metric(metric), *(_format_part(metric, part) for part in metric.parts)]
    lines += _record_lines(figures.record, figures.left_out)
    lines += _practice_lines(figures.practice)
    if figures.limits:
        lines += ["", "Limits from experience", *(f"  {proposed_limits_sentence(row)}" for row in figures.limits)]
    lines += ["", "Threshold of triage", *(f"  {sentence}" for sentence in figures.threshold.sentences())]
    return "\n".join(lines) + "\n"


def _format_metric(metric: Metric) -> str:
    """`! One family: 80 % (61 to 91), warns above 50 %. 20 of 25 decisions ...`; `!` for a warning."""
    sign = "!" if metric.alert else " "
    if metric.value is None:
        return f"{sign} {metric.title}: {metric.sentence}"
    value = value_words(metric.unit, metric)
    bar = f", warns {bar_words(metric)}" if metric.bar is not None else ""
    return f"{sign} {metric.title}: {value}{bar}. {metric.sentence}"


def _format_part(metric: Metric, part: MetricPart) -> str:
    """`    architecture: 80 % (61 to 91), from 25`."""
    if part.value is None:
        return f"    {part.label}: too few to say ({part.n})"
    return f"    {part.label}: {value_words(metric.unit, part)}, from {part.n}"


def _record_lines(record: TrackRecord, missing: Uncounted) -> list[str]:
    """The track record: its basis, known figures, and the data that others need."""
    rows = [row for row in record.scores if row.n >= LEAST]
    sentences = [
        *_score_lines(rows, "decisions"),
        *map(order_sentence, record.orders),
        together_sentence(record.together),
        joint_errors_sentence(record.joint_errors),
        moves_sentence(record.moves),
        *map(_format_task, record.tasks),
        *map(_format_quarter, record.strength),
    ]
    known = [f"  {line}" for line in sentences if line]
    return ["", "Track record", *basis_sentences(record, missing), *known, *need_sentences(record)]


def _practice_lines(practised: Sequence[Scores]) -> list[str]:
    """Practice debates, separate because they decide nothing."""
    if not practised:
        return []
    rows = [row for row in practised if row.n >= LEAST]
    known = [f"  {line}" for line in _score_lines(rows, "practice debates")]
    few = practice_few_sentence(practised)
    lines = ["", "Practice", *known]
    if few:
        lines.append(few)
    return lines


def _score_lines(rows: Sequence[Scores], cases: str) -> list[str]:
    """The scores of each row, then how to read the reliable ones."""
    did = [f"{who_words(row)}: {_format_scores(row, cases)}" for row in rows]
    return did + [hint_sentence(row, row.hint) for row in rows if row.hint]


def _format_task(row: TaskRow) -> str:
    parts = []
    if row.usd:
        parts.append(f"{number_with_interval(row.usd)} USD from {row.n_cost}")
    if row.seconds:
        parts.append(f"{time_words(row.seconds)} from {row.n_time}")
    if not parts:
        return ""
    return f"A debate on {task_words(row)}: {', '.join(parts)}"


def _format_quarter(row: QuarterRow) -> str:
    if row.strength is None:
        return ""
    return f"{row.quarter}: critics rated their critiques {number_with_interval(row.strength, 1)} of 10, from {row.n}"


def _format_scores(row: Scores, cases: str) -> str:
    """`right in 66 % (51 to 78) of 40 decisions, Brier 0.225 (0.180 to 0.270), log score -0.941 (-1.1 to -0.8)`."""
    parts = [f"right in {percent_words(row.accuracy)} of {row.n} {cases}"]
    if row.brier:
        parts.append(f"Brier {number_with_interval(row.brier)}")
    if row.log_score:
        parts.append(f"log score {number_with_interval(row.log_score)}")
    return ", ".join(parts)
