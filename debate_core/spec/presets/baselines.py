"""The same question without a debate, as a debate of its own: one answer, or a vote of as many as models gave turns.

Says how such a comparison is agreed and played; when it is asked and what it comes to is told elsewhere.
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


def read_baselines(text: str) -> tuple[BaselineName, ...]:
    """`single_call,self_consistency` as names, each once. InvalidSpec lists those there are."""
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
    """InvalidSpec if the question of this debate cannot be asked without a debate."""
    if spec.protocol.paired:
        raise InvalidSpec("a tournament compares options two at a time: there is no single answer to compare it with")
    if not _lines(spec):
        raise InvalidSpec("a baseline asks the models of the debate, and no model sits in it")


def baseline_spec(spec: Spec, name: BaselineName, *, calls: int, usd: str | None = None) -> Spec:
    """The same question, options, sources, models and prompts, asked `calls` times unseen, for at most so many USD."""
    lines = _lines(spec)
    rules = protocol(name)
    if usd is not None:
        rules = rules.model_copy(update={"stop": (Ceiling(usd=usd), *rules.stop)})
    asked = spec.model_copy(
        update={
            "protocol": rules,
            "seats": tuple(_seat(number, lines[number % len(lines)]) for number in range(calls)),
            "sources": tuple(source.model_copy(update={"from_round": 1}) for source in spec.sources),
            "models": tuple(dict.fromkeys(lines)),
            "max_rounds": 1,
            "room": None,
            "max_wait_s": None,
        }
    )
    check(asked)
    return asked


def _seat(number: int, line: ModelLine) -> Seat:
    """Without side or lens: it answers as it would if nobody else were asked."""
    return Seat(id=f"answer_{number + 1}", model=line.id, family=line.family or None, commitment="open")


def _lines(spec: Spec) -> list[ModelLine]:
    """The lines of the debaters in their order, one a seat; where no model debates, those of the other seats."""
    return spec.lines_of(spec.debaters()) or spec.lines_of(spec.seats)
