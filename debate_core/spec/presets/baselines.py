"""Baselines as separate debates: one answer to the same question, a vote of many, or one that is checked.

Defines their rules; `engine.baselines` decides when they are asked and counts them.
"""

from typing import get_args

from debate_core.errors import InvalidSpec
from debate_core.spec.checks import check
from debate_core.spec.models import ModelLine
from debate_core.spec.presets import protocol
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import BaselineName, Seat

BASELINES: tuple[BaselineName, ...] = get_args(BaselineName)
SINGLE_ANSWERS: tuple[BaselineName, ...] = ("single_call", "self_consistency")
"""Baselines of independent answers, which `eval` asks beside every protocol."""
SUPERVISOR = "supervisor"
"""Id of the seat that checks the supervised answer."""


def read_baselines(text: str) -> tuple[BaselineName, ...]:
    """`single_call,self_consistency` as names, each once. InvalidSpec lists the baselines."""
    stripped = [part.strip() for part in text.split(",")]
    named = [name for name in stripped if name] or [""]
    for name in named:
        if name not in BASELINES:
            raise InvalidSpec(
                "unknown baseline {unknown!r}: choose one of {baselines}",
                unknown=name,
                baselines=", ".join(BASELINES),
            )
    return tuple(name for name in BASELINES if name in named)


def refuse_baseline(spec: Spec) -> None:
    """Raise InvalidSpec if this question has no baseline."""
    if spec.protocol.paired:
        raise InvalidSpec("a tournament compares options two at a time: there is no single answer to compare it with")
    if not _lines(spec):
        raise InvalidSpec("a baseline asks the models of the debate, and no model sits in it")


def baseline_spec(spec: Spec, name: BaselineName, *, calls: int, usd: str | None = None) -> Spec:
    """The same question, options, sources, models and prompts, asked `calls` times independently within a USD limit."""
    rules = protocol(name)
    if usd is not None:
        rules = rules.model_copy(update={"stop": (Ceiling(usd=usd), *rules.stop)})
    seats = _supervised_seats(spec) if name == "supervised_answer" else _independent_seats(spec, calls)
    asked = spec.model_copy(
        update={
            "protocol": rules,
            "seats": seats,
            "sources": tuple(source.model_copy(update={"from_round": 1, "only_for": None}) for source in spec.sources),
            "models": tuple(dict.fromkeys(spec.lines_of(seats))),
            "max_rounds": 1,
            "room": None,
            "max_wait_s": None,
        }
    )
    check(asked)
    return asked


def _independent_seats(spec: Spec, calls: int) -> tuple[Seat, ...]:
    lines = _lines(spec)
    return tuple(_seat(number, lines[number % len(lines)]) for number in range(calls))


def _supervised_seats(spec: Spec) -> tuple[Seat, ...]:
    """A worker, and a supervisor of another model where the debate has one: first a seat that does not argue."""
    worker = _lines(spec)[0]
    others = [seat for seat in spec.seats if seat.role != "debater"]
    lines = [*spec.lines_of(others), *spec.lines_of(spec.debaters())]
    line = next((line for line in lines if line.id != worker.id), worker)
    family = line.family or None
    supervisor = Seat(id=SUPERVISOR, role="referee", model=line.id, family=family, commitment="open")
    return _seat(0, worker), supervisor


def _seat(number: int, line: ModelLine) -> Seat:
    """A seat without side or persona, which answers independently."""
    return Seat(id=f"answer_{number + 1}", model=line.id, family=line.family or None, commitment="open")


def _lines(spec: Spec) -> list[ModelLine]:
    """The debaters' lines in order, one per seat; without debating models, the lines of other seats."""
    return spec.lines_of(spec.debaters()) or spec.lines_of(spec.seats)
