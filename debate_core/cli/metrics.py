"""`metrics`: figures over all debates of a database that are over. Asks nobody and changes nothing.

The figures are those of `debate_core.report.facts.over_debates` and `track_record` beside it.
"""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict

from debate_core.cli.files import refuse_missing
from debate_core.cli.terminal import say
from debate_core.engine.audit import refuse_broken
from debate_core.engine.judge_view import still_judging
from debate_core.errors import DebateError, InvalidSpec
from debate_core.host import origin
from debate_core.host.settings import Settings
from debate_core.host.stores import Store, open_store
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.report.facts.over_debates import (
    LEAST,
    Metric,
    MetricPart,
    bar_words,
    facts,
    interval_words,
    metrics,
    number_words,
)
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
from debate_core.report.files.export import dumps
from debate_core.report.words.track_record import (
    basis_sentences,
    hint_sentence,
    minutes_words,
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


def measure(flags: Namespace, settings: Settings) -> int:
    """Print every figure; 0 whatever they say. Records that do not hold are named and left out."""
    refuse_missing(settings.database_url)
    with closing(open_store(settings.database_url)) as store:
        ended = [state for state in _states(store) if state.outcome]
        over = [(state, _why_left_out(store, state, flags)) for state in ended if not state.spec.practice]
        practice = [s for s in ended if s.spec.practice and not origin.is_unknown(store, s.debate)]
    counted = [state for state, why in over if why is None]
    names = sorted({s.spec.protocol.name for s in counted})
    if flags.protocol is not None and flags.protocol not in names:
        there = f"there are some under {', '.join(names)}" if names else "there are none at all"
        raise InvalidSpec(f"no debate under --protocol {flags.protocol} is over: {there}")
    chosen = [s for s in counted if flags.protocol in (None, s.spec.protocol.name)]
    held = [f for s in chosen if (f := facts(s, forecast_usd=forecast_when_opened(s))) is not None]
    found, record = metrics(held), track_record(held)
    practised = of_practice(f for s in practice if (f := facts(s, forecast_usd=None)))
    missing = left_out(why for state, why in over if flags.protocol in (None, state.spec.protocol.name))
    told: dict[str, Json] = {
        "debates": len(held),
        "protocol": flags.protocol,
        "rehearsals": flags.rehearsals,
        "metrics": [_json(m) for m in found],
        "left_out": asdict(missing),
        "track_record": {**asdict(record), "needs": list(need_sentences(record))},
        "practice": [asdict(row) for row in practised],
    }
    text = _text(len(held), found) + _record_text(record, missing) + _practice_text(practised)
    print(dumps(told) if flags.json else text, end="")
    return 0


def _why_left_out(store: Store, state: State, flags: Namespace) -> WhyUncounted | None:
    own = not origin.is_imported(store, state.debate)
    return why_left_out(
        rehearsal=state.spec.rehearsal and not flags.rehearsals,
        origin_unknown=origin.is_unknown(store, state.debate),
        still_judged=own and state.spec.has_people and bool(still_judging(state)),
    )


def _states(store: Store) -> Iterator[State]:
    for debate_id in store.debates():
        try:
            events = store.load(debate_id)
            refuse_broken(events, f"{debate_id} is left out")
        except DebateError as error:
            say(str(error))
        else:
            state = replay(events)
            # Another record stands for it: the same debate is not counted twice.
            if not state.ownership.replaced_by:
                yield state


def _json(metric: Metric) -> Json:
    return {
        "name": metric.name,
        "n": metric.n,
        "value": None if metric.value is None else float(metric.value),
        "unit": metric.unit,
        "bar": None if metric.bar is None else float(metric.bar),
        "worse": metric.worse,
        "alert": metric.alert,
        "sentence": metric.sentence,
        "interval": _interval(metric),
        "parts": [
            {
                "of": part.label,
                "n": part.n,
                "value": None if part.value is None else float(part.value),
                "interval": _interval(part),
            }
            for part in metric.parts
        ],
        "source": metric.source or None,
    }


def _interval(figure: Metric | MetricPart) -> Json:
    return None if figure.low is None else [figure.low, figure.high]


def _text(n: int, found: tuple[Metric, ...]) -> str:
    lines = [f"{plural(n, 'debate')} over"]
    for metric in found:
        bar = f" (warns {bar_words(metric)})" if metric.bar is not None else ""
        sign = "!" if metric.alert else " "
        value = f"{number_words(metric.unit, metric.value)}{_in_brackets(metric)}"
        lines.append(f"{sign} {metric.title}: {value}{bar}. {metric.sentence}")
        lines += [_part_text(metric, part) for part in metric.parts]
    return "\n".join(lines) + "\n"


def _part_text(metric: Metric, part: MetricPart) -> str:
    """`    architecture: 80% [61% to 91%], from 25`."""
    if part.value is None:
        return f"    {part.label}: too few to say ({part.n})"
    return f"    {part.label}: {number_words(metric.unit, part.value)}{_in_brackets(part)}, from {part.n}"


def _record_text(record: TrackRecord, missing: Uncounted) -> str:
    """The track record after the figures: its basis, what is known of whom, and what the rest would need."""
    rows = [row for row in record.scores if row.n >= LEAST]
    lines = ["", "Track record", *basis_sentences(record, missing)]
    lines += [f"  {who_words(row)}: {_scores_text(row)}" for row in rows]
    lines += [f"  {hint_sentence(row, row.hint)}" for row in rows if row.hint]
    told = [*map(order_sentence, record.orders), together_sentence(record.together)]
    lines += [f"  {line}" for line in told if line]
    lines += [f"  {line}" for line in (*map(_task_text, record.tasks), *map(_quarter_text, record.strength)) if line]
    return "\n".join([*lines, *need_sentences(record)]) + "\n"


def _practice_text(practised: Sequence[Scores]) -> str:
    """Practice debates by themselves: nothing was decided in them."""
    if not practised:
        return ""
    lines = [f"  {who_words(row)}: {_scores_text(row, 'practice debates')}" for row in practised if row.n >= LEAST]
    lines += [f"  {hint_sentence(row, row.hint)}" for row in practised if row.hint]
    few = practice_few_sentence(practised)
    return "\n".join(["", "Practice", *lines, *([few] if few else [])]) + "\n"


def _task_text(row: TaskRow) -> str:
    parts = [f"{number_with_interval(row.usd)} USD from {row.n_cost}"] if row.usd else []
    parts += [f"{minutes_words(row.seconds)} from {row.n_time}"] if row.seconds else []
    return f"A debate on {task_words(row)}: {', '.join(parts)}" if parts else ""


def _quarter_text(row: QuarterRow) -> str:
    if row.strength is None:
        return ""
    return f"{row.quarter}: critics rated their critiques {number_with_interval(row.strength, 1)} of 10, from {row.n}"


def _scores_text(row: Scores, cases: str = "decisions") -> str:
    """`right in 66 % (51 to 78) of 40 decisions, Brier 0.225 (0.180 to 0.270), log score -0.941 (-1.1 to -0.8)`."""
    parts = [f"right in {percent_words(row.accuracy)} of {row.n} {cases}"]
    named = (("Brier", row.brier), ("log score", row.log_score))
    parts += [f"{name} {number_with_interval(found)}" for name, found in named if found]
    return ", ".join(parts)


def _in_brackets(figure: Metric | MetricPart) -> str:
    return f" [{interval_words(figure)}]" if figure.low is not None else ""
