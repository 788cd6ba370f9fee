"""`metrics`: figures over all debates of a database that are over. Asks nobody and changes nothing.

The figures are those of `debate_core.report.facts.over_debates`.
"""

from argparse import Namespace
from collections.abc import Iterator
from contextlib import closing

from debate_core.cli.files import refuse_missing
from debate_core.cli.terminal import say
from debate_core.engine.audit import refuse_broken
from debate_core.errors import DebateError, InvalidSpec
from debate_core.host.settings import Settings
from debate_core.host.stores import Store, open_store
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.report.facts.over_debates import (
    Metric,
    MetricPart,
    bar_words,
    facts,
    interval_words,
    metrics,
    number_words,
)
from debate_core.report.files.export import dumps
from debate_core.seats.forecast import forecast_when_opened
from debate_core.spec.values import Json
from debate_core.text import plural


def measure(flags: Namespace, settings: Settings) -> int:
    """Print every figure; 0 whatever they say. Records that do not hold are named and left out."""
    refuse_missing(settings.database_url)
    with closing(open_store(settings.database_url)) as store:
        counted = [s for s in _states(store) if s.outcome and (flags.rehearsals or not s.spec.rehearsal)]
    names = sorted({s.spec.protocol.name for s in counted})
    if flags.protocol is not None and flags.protocol not in names:
        there = f"there are some under {', '.join(names)}" if names else "there are none at all"
        raise InvalidSpec(f"no debate under --protocol {flags.protocol} is over: {there}")
    chosen = [s for s in counted if flags.protocol in (None, s.spec.protocol.name)]
    held = [f for s in chosen if (f := facts(s, forecast_usd=forecast_when_opened(s))) is not None]
    found = metrics(held)
    told: dict[str, Json] = {
        "debates": len(held),
        "protocol": flags.protocol,
        "rehearsals": flags.rehearsals,
        "metrics": [_json(m) for m in found],
    }
    print(dumps(told) if flags.json else _text(len(held), found), end="")
    return 0


def _states(store: Store) -> Iterator[State]:
    for debate_id in store.debates():
        try:
            events = store.load(debate_id)
            refuse_broken(events, f"{debate_id} is left out")
        except DebateError as error:
            say(str(error))
        else:
            yield replay(events)


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


def _in_brackets(figure: Metric | MetricPart) -> str:
    return f" [{interval_words(figure)}]" if figure.low is not None else ""
