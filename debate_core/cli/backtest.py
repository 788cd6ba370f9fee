"""`eval` on a team's own questions: compares protocols with one call and a vote of the same models.

It plans the debates and reports their results; `debate_core.evaluation.backtest` holds them.
"""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from debate_core.cli.files import write_whole
from debate_core.cli.models import UNNAMED, ModelChoice, choice_or_key, seats_with_lines, templates, with_every_model
from debate_core.cli.plan import read_protocol
from debate_core.cli.terminal import answer, failure_listener, say
from debate_core.engine import stage
from debate_core.engine.limits import total
from debate_core.errors import InvalidSpec
from debate_core.evaluation.backtest import Contender, HeldDebate, Planned, hold_all, refuse_twice
from debate_core.evaluation.comparison import ContenderFigures, Difference, differences, figures
from debate_core.evaluation.decided_records import UnusableRecord, read_folder
from debate_core.evaluation.questions import JudgedQuestion
from debate_core.host.fillers import Access
from debate_core.host.settings import Settings
from debate_core.record.state import State
from debate_core.report.facts.cross_debate_metrics import LEAST_LABELLED
from debate_core.report.files.document import Block, Document, Heading, Paragraph, Verbatim, items, table
from debate_core.seats.forecast import forecast
from debate_core.spec.presets import compose, default_seats
from debate_core.spec.presets.baselines import SINGLE_ANSWERS
from debate_core.spec.protocol import Protocol
from debate_core.spec.values import Json, Source
from debate_core.text import line, plural

OVER, BELOW, WAITING = 0, 1, 5
REPORT = "report.md"
COLUMNS = 41
"""Columns of the scale, both ends included: 2.5 points of 100 each."""


def backtest(flags: Namespace, settings: Settings) -> int:
    """Hold the missing debates and report; 1 if a protocol is below --fail-below, 5 if debates wait."""
    folder = Path(flags.folder)
    judged = read_folder(folder)
    planned = _plan_debates(judged.questions, flags, settings)
    for one in judged.left_out:
        say(f"left out: {one.sentence}")
    runs = folder / "runs" if flags.runs is None else Path(flags.runs)
    say(_announce(planned, runs))
    access = Access(keys=settings.keys, turn_deadline_s=settings.turn_deadline_s, network=settings.network)
    held = hold_all(planned, runs, access, told=_report_end, on_events=failure_listener())
    blocks = [*_report_blocks(held, len(planned))]
    if judged.left_out:
        blocks += [Heading(2, "Records that are left out"), *items(one.sentence for one in judged.left_out)]
    report = Document(tuple(blocks))
    write_whole(runs / REPORT, report.markdown().encode())
    answer(flags, _json(held, len(planned), judged.left_out), report.terminal())
    say(f"records and {REPORT} are in {runs}")
    return _exit_status(held, len(planned), flags.fail_below)


def _exit_status(held: Sequence[HeldDebate], planned: int, fail_below: float | None) -> int:
    if len(held) < planned:
        return WAITING
    if fail_below is None:
        return OVER
    for one in figures(held):
        is_a_protocol = one.task is None and one.contender.protocol not in SINGLE_ANSWERS
        if is_a_protocol and one.accuracy < fail_below:
            return BELOW
    return OVER


# Planning


def _plan_debates(questions: Sequence[JudgedQuestion], flags: Namespace, settings: Settings) -> list[Planned]:
    rules = [read_protocol(name) for name in dict.fromkeys((*_split_names(flags.protocols), *SINGLE_ANSWERS))]
    if flags.seeds < 1:
        raise InvalidSpec(f"--seeds {flags.seeds}: each question is held once or more")
    planned = []
    for panel in _split_names(flags.panel) or (None,):
        choice = choice_or_key(Namespace(**{**vars(flags), "panel": panel}), settings)
        if choice is None:
            raise InvalidSpec("there is no model to ask: add --panel NAME or --model NAME")
        name = panel or choice.panel.name
        for protocol in rules:
            for asked in questions:
                planned += [_plan_debate(asked, protocol, name, choice, settings, seed) for seed in range(flags.seeds)]
    refuse_twice(planned)
    return planned


def _split_names(text: str | None) -> tuple[str, ...]:
    names = [part.strip() for part in (text or "").split(",")]
    return tuple(name for name in names if name)


def _plan_debate(
    asked: JudgedQuestion, protocol: Protocol, panel: str, choice: ModelChoice, settings: Settings, seed: int
) -> Planned:
    seats, lines = seats_with_lines(default_seats(protocol, asked.question, asked.options, "model"), choice)
    if any(line.model == UNNAMED for line in lines):
        raise InvalidSpec("a line of the panel names no model: add --model NAME, so that it is the same in every run")
    sources = []
    if asked.background:
        sources.append(Source(id="E1", title="Background", text=asked.background))
    spec = compose(
        asked.question,
        asked.options,
        protocol,
        seats,
        sources=sources,
        seed=seed,
        models=lines,
        templates=templates((), protocol),
        task=asked.task,
    )
    return Planned(Contender(protocol.name, panel), asked, with_every_model(spec, settings, budget_usd=None))


def _announce(planned: Sequence[Planned], runs: Path) -> str:
    """The number of debates to hold, and their probable cost."""
    ahead = [debate for debate in planned if not (runs / f"{debate.id}.jsonl").is_file()]
    expected = total(forecast(debate.spec).total for debate in ahead)
    cost = "the cost is unknown"
    if expected.cost_usd is not None:
        cost = f"about {float(expected.cost_usd):.2f} USD"
    calls = plural(expected.calls, "call")
    return f"{plural(len(ahead), 'debate')} of {len(planned)} to be held: about {calls}, {cost}"


def _report_end(state: State) -> None:
    ended = stage.final_decision(state).option or "nothing decided"
    if not state.outcome:
        ended = f"waits: {state.paused or 'for a person'}"
    say(f"{state.spec.protocol.name}, {state.spec.question}: {ended}")


# Reporting


def _report_blocks(held: Sequence[HeldDebate], planned: int) -> Iterator[Block]:
    yield Heading(1, "Protocols on judged questions")
    if len(held) < planned:
        left = planned - len(held)
        yield Paragraph(f"{plural(left, 'debate')} of {planned} wait for a server, a limit or a person: run it again.")
    if not held:
        return
    rows = figures(held)
    yield Heading(2, "How each did")
    yield table(
        (
            *("Protocol", "Panel", "Task", "Questions", "Right", "95 %", "Undecided", "Brier"),
            *("Flips", "Corrected", "Talked out", "Calls", "USD", "s"),
        ),
        [_format_figures(one) for one in rows],
    )
    all_tasks = [one for one in rows if one.task is None]
    yield Verbatim(_plotted([(" / ".join(one.contender), one) for one in all_tasks], 0, "right"))
    yield Paragraph(
        "Brier is that of the stated confidence, lower is better. Flips are debaters who ended on another option: "
        "corrected to the right one, or talked out of it, or neither. "
        "Calls and USD are means of a debate, seconds the median."
    )
    beside = differences(held)
    yield Heading(2, "Beside one call and a vote")
    yield table(
        ("Protocol", "Panel", "Against", "Questions", "Right", "95 %", "Brier", "It is"),
        [_format_difference(one) for one in beside],
    )
    if beside:
        labelled = [(f"{' / '.join(one.contender)} against {one.against}", one) for one in beside]
        yield Verbatim(_plotted(labelled, -1, "more right"))
    yield Paragraph(
        f"A difference counts from {LEAST_LABELLED} questions on, if its interval (paired bootstrap over questions) "
        "excludes 0."
    )


def _plotted(labelled: Sequence[tuple[str, ContenderFigures | Difference]], least: float, unit: str) -> str:
    rows = [Interval(line(label), one.low, one.accuracy, one.high) for label, one in labelled]
    return interval_plot(rows, least, 1, unit=unit)


def _format_figures(one: ContenderFigures) -> tuple[str, ...]:
    return (
        *one.contender,
        one.task or "all",
        str(one.questions),
        f"{one.accuracy:.0%}",
        f"{one.low:.0%} to {one.high:.0%}",
        f"{one.undecided:.0%}",
        _format_number(one.brier),
        f"{one.flips:.1f}",
        f"{one.corrected:.1f}",
        f"{one.talked_out:.1f}",
        f"{one.calls:.1f}",
        "unknown" if one.usd is None else f"{one.usd:.4f}",
        f"{one.seconds:.1f}",
    )


def _format_difference(one: Difference) -> tuple[str, ...]:
    interval = f"{one.low:+.0%} to {one.high:+.0%}"
    difference = (f"{one.accuracy:+.0%}", interval, _format_number(one.brier), one.verdict)
    return (*one.contender, one.against, str(one.questions), *difference)


def _format_number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3f}"


def _json(held: Sequence[HeldDebate], planned: int, left_out: Sequence[UnusableRecord]) -> Json:
    unusable = [{"file": record.file, "reason": record.reason} for record in left_out]
    contenders = [_figures_json(one) for one in figures(held)]
    compared = [{**_figures_json(one), "verdict": one.verdict} for one in differences(held)]
    return {
        "debates": planned,
        "left_out": unusable,
        "over": len(held),
        "contenders": contenders,
        "differences": compared,
    }


def _figures_json(one: ContenderFigures | Difference) -> dict[str, Json]:
    fields = asdict(one)
    protocol, panel = fields.pop("contender")
    interval: Json = [fields.pop("low"), fields.pop("high")]
    return {"protocol": protocol, "panel": panel, **fields, "interval": interval}


# Plots as text, for terminals, logs and Markdown


class Interval(NamedTuple):
    """A labelled value with its interval."""

    label: str
    low: float
    value: float
    high: float


def interval_plot(rows: Sequence[Interval], least: float, most: float, *, unit: str) -> str:
    """One line per row on a scale from `least` to `most`: `o` value, `-` interval, `|` zero."""
    width = max((len(row.label) for row in rows), default=0)

    def column(value: float) -> int:
        inside = min(max(value, least), most)
        return round((inside - least) / (most - least) * (COLUMNS - 1))

    def drawn(row: Interval) -> str:
        signs = [" "] * COLUMNS
        for place in range(column(row.low), column(row.high) + 1):
            signs[place] = "-"
        if least < 0 < most:
            signs[column(0)] = "|"
        signs[column(row.value)] = "o"
        return f"{row.label:<{width}}  [{''.join(signs)}]"

    ends = f"{least:.0%}", f"{most:.0%} {unit}"
    scale = f"{'':<{width}}  {ends[0]:<{COLUMNS + 1}}{ends[1]}"
    return "\n".join([*map(drawn, rows), scale])
