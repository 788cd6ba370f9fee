"""`metrics`: prints figures over all finished debates of a database. Calls no model; `--threshold` stores an answer.

`debate_core.report.facts.cross_debate_metrics` and `track_record` compute them.
"""

from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from fractions import Fraction

from debate_core.cli import triage_threshold
from debate_core.cli.files import refuse_missing
from debate_core.cli.terminal import answer, say
from debate_core.cli.triage_threshold import ThresholdState
from debate_core.engine.audit import refuse_broken
from debate_core.engine.judge_view import still_judging
from debate_core.errors import DebateError, InvalidSpec
from debate_core.host import origin
from debate_core.host.settings import Settings
from debate_core.host.stores import Store, open_store
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.report.facts.cross_debate_metrics import (
    LEAST,
    Metric,
    MetricPart,
    bar_words,
    interval_words,
    metrics,
    number_words,
)
from debate_core.report.facts.debate_facts import Facts, facts
from debate_core.report.facts.limits_from_use import LimitsRow, limits_rows, use_of
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
    why_left_out,
)
from debate_core.report.phrases.limits_from_use import proposed_limits_sentence
from debate_core.report.phrases.track_record import (
    basis_sentences,
    hint_sentence,
    joint_errors_sentence,
    left_out_sentences,
    minutes_words,
    moves_sentence,
    need_sentences,
    number_with_interval,
    order_sentence,
    percent_words,
    practice_few_sentence,
    task_words,
    together_sentence,
    who_words,
)
from debate_core.seats.forecast import forecast_when_opened
from debate_core.spec.values import Json
from debate_core.text import plural


@dataclass(frozen=True, slots=True)
class _Over:
    """A finished debate, and why it is not counted; None if it is."""

    state: State
    why_left_out: WhyUncounted | None


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
    """Print every figure, after storing an answer to the proposal; 0. Invalid records are named and left out."""
    triage_threshold.refuse_flags(flags)
    refuse_missing(settings.database_url)
    with closing(open_store(settings.database_url)) as store:
        over: list[_Over] = []
        practice: list[State] = []
        for state in _load_finished(store):
            if state.spec.match_of is not None:
                continue
            if not state.spec.practice:
                over.append(_Over(state, _why_left_out(store, state, flags)))
            elif not origin.is_unknown(store, state.debate):
                practice.append(state)
        chosen = _select_protocol(flags.protocol, over)
        held = _facts_of(over)
        threshold = triage_threshold.settle(store, flags, held)
    of_protocol = [one for one in held if flags.protocol in (None, one.protocol)]
    figures = _compute_figures(chosen, of_protocol, practice, threshold)
    answer(flags, _json(figures, flags), _text(figures))
    return 0


def _select_protocol(protocol: str | None, over: Sequence[_Over]) -> Sequence[_Over]:
    """The debates under the named protocol, if any. InvalidSpec if none is counted."""
    if protocol is None:
        return over
    chosen = [one for one in over if one.state.spec.protocol.name == protocol]
    if any(one.why_left_out is None for one in chosen):
        return chosen
    if chosen:
        why = " ".join(left_out_sentences(left_out(one.why_left_out for one in chosen))).removesuffix(".")
        raise InvalidSpec(f"no debate under --protocol {protocol} is counted: {why}")
    names = sorted({one.state.spec.protocol.name for one in over})
    there = f"there are some under {', '.join(names)}" if names else "there are none at all"
    raise InvalidSpec(f"no debate under --protocol {protocol} is over: {there}")


def _facts_of(over: Sequence[_Over]) -> list[Facts]:
    """The facts of the debates that count."""
    counted = [one.state for one in over if one.why_left_out is None]
    of_debates = [facts(state, forecast_usd=forecast_when_opened(state)) for state in counted]
    return [known for known in of_debates if known]


def _compute_figures(
    over: Sequence[_Over], debates: Sequence[Facts], practice: Iterable[State], threshold: ThresholdState
) -> _FiguresOverAll:
    counted = [one.state for one in over if one.why_left_out is None]
    of_practised = [facts(state, forecast_usd=None) for state in practice]
    practised = [known for known in of_practised if known]
    return _FiguresOverAll(
        len(debates),
        metrics(debates),
        track_record(debates),
        left_out(one.why_left_out for one in over),
        of_practice(practised),
        limits_rows([use for state in counted if (use := use_of(state))]),
        threshold,
    )


def _why_left_out(store: Store, state: State, flags: Namespace) -> WhyUncounted | None:
    was_opened_here = not origin.is_imported(store, state.debate)
    return why_left_out(
        rehearsal=state.spec.rehearsal and not flags.rehearsals,
        origin_unknown=origin.is_unknown(store, state.debate),
        still_judged=was_opened_here and state.spec.has_people and bool(still_judging(state)),
        held_elsewhere=state.spec.held_elsewhere is not None,
    )


def _load_finished(store: Store) -> Iterator[State]:
    """Every finished debate, once; invalid records are named."""
    for debate_id in store.debates():
        try:
            events = store.load(debate_id)
            refuse_broken(events, f"{debate_id} is left out")
        except DebateError as error:
            say(str(error))
        else:
            state = replay(events)
            # A replaced record and its successor are the same debate.
            if state.outcome is not None and not state.ownership.replaced_by:
                yield state


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
    """`! One family: 80% [61% to 91%] (warns above 50%). 20 of 25 decisions ...`; `!` for a warning."""
    sign = "!" if metric.alert else " "
    value = f"{number_words(metric.unit, metric.value)}{_format_interval(metric)}"
    bar = f" (warns {bar_words(metric)})" if metric.bar is not None else ""
    return f"{sign} {metric.title}: {value}{bar}. {metric.sentence}"


def _format_part(metric: Metric, part: MetricPart) -> str:
    """`    architecture: 80% [61% to 91%], from 25`."""
    if part.value is None:
        return f"    {part.label}: too few to say ({part.n})"
    return f"    {part.label}: {number_words(metric.unit, part.value)}{_format_interval(part)}, from {part.n}"


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
        parts.append(f"{minutes_words(row.seconds)} from {row.n_time}")
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


def _format_interval(figure: Metric | MetricPart) -> str:
    return f" [{interval_words(figure)}]" if figure.low is not None else ""
