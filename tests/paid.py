"""Debates in which models sit, played by hand: what each call reserves and uses is given, and no server is asked."""

import hashlib
from datetime import UTC, datetime
from typing import Self

from debate_core.record.commands import FailTurn, StartAttempt, TakeTurn, Truncate
from debate_core.spec import presets
from debate_core.spec.contents import Argument
from debate_core.spec.models import ModelLine, Template
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import Seat, TurnError, Usage
from tests.playing import Played

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
OPTIONS = ("release", "revise", "escalate")
LINES = (
    ModelLine(id="north", model="north-large", provider="anthropic", family="north", dialect="messages"),
    ModelLine(id="south", model="south-1", provider="openai", family="south", dialect="responses"),
)
SHIPPED = Template(name="rules", sha256=hashlib.sha256(b"rules").hexdigest())
OWN = Template(name="turn", sha256=hashlib.sha256(b"Speak up.").hexdigest(), text="Speak up.")
RESERVED = Usage(calls=1, input_tokens=1_000, output_tokens=1_000, cost_usd="0.05")
NO_LIMIT = Ceiling()


def paid_spec(bound: Ceiling = NO_LIMIT, *, lines: str = "north north south", **fields: object) -> Spec:
    """A counted vote of planner, critic and operator, who sit on these lines."""
    seats = [
        Seat(id=name, stance=f"{name} side", model=line, family=line)
        for name, line in zip(("planner", "critic", "operator"), lines.split(), strict=True)
    ]
    rules = presets.BOUNDED_VOTE.model_copy(update={"stop": (*presets.BOUNDED_VOTE.stop, bound)})
    return presets.compose("Release the migration?", OPTIONS, rules, seats, models=LINES, **fields)  # type: ignore[arg-type]


def use(tokens_in: int, tokens_out: int, cost: str | None, *, model: str = "north-large-0901", **more: int) -> Usage:
    """Return the usage of one call."""
    given = {"input_tokens": tokens_in, "output_tokens": tokens_out, **more}
    return Usage(calls=1, cost_usd=cost, model=model, **given)  # type: ignore[arg-type]


class Hand(Played):
    """A debate whose clock only `after` moves."""

    def ask(self, request: str, reserved: Usage | None = RESERVED) -> Self:
        """Begin an attempt."""
        return self.do(StartAttempt(by=request.split(".")[2], request=request, reserved=reserved))

    def take(self, request: str, vote: str, usage: Usage | None) -> Self:
        """Ask, and get a vote."""
        seat = request.split(".")[2]
        content = Argument(rationale=f"{seat} rationale", vote=vote)
        return self.ask(request).do(TakeTurn(by=seat, request=request, content=content, usage=usage))

    def unanswered(self, request: str, error: TurnError, message: str, usage: Usage | None, **more: int | bool) -> Self:
        """Ask, and get nothing."""
        fields = {"by": request.split(".")[2], "request": request, "error": error, "message": message, **more}
        return self.ask(request).do(FailTurn.model_validate({**fields, "usage": usage}))

    def cut(self, request: str, reserved: Usage | None = RESERVED) -> Self:
        """End the debate before this call."""
        return self.do(Truncate(by="runner", request=request, reserved=reserved))


def begin(spec: Spec, debate_id: str = "d-models") -> Hand:
    """A debate that has been opened."""
    return Hand(spec, debate_id, at=AT)


def troubled() -> Hand:
    """Everything that can happen to a call, in a debate that ends at its limit of 0.30 USD in the second phase."""
    hand = begin(paid_spec(Ceiling(calls=20, usd="0.30"), templates=(SHIPPED, OWN)))
    hand.after(1).unanswered("1.proposal.planner.1", "timeout", "no answer within 60 s", _late())
    hand.after(60).take("1.proposal.planner.2", "release", use(1_000, 200, "0.02", cached_tokens=800))
    hand.unanswered(
        "1.proposal.critic.1", "failed", "the key was rejected", Usage(calls=1, cost_usd="0"), permanent=True
    )
    # The process ended here: of this call nothing is ever heard.
    hand.ask("1.proposal.operator.1")
    hand.after(5).unanswered("1.proposal.operator.1", "failed", "429, asked to wait", _refused(), retry_after_ms=2_000)
    hand.after(2).take("1.proposal.operator.2", "revise", use(1_100, 300, "0.03", model="south-1-2026"))
    hand.after(9).take("1.critique.planner.1", "release", use(2_000, 400, "0.10", cached_tokens=1_500))
    hand.after(9).take("1.critique.critic.1", "escalate", use(2_400, 100, "0.04", cached_tokens=1_500))
    return hand.cut("1.critique.operator.1")


def _late() -> Usage:
    return use(900, 40, "0.015", reasoning_tokens=10, cached_tokens=100).model_copy(update={"estimated": True})


def _refused() -> Usage:
    return Usage(calls=1, cost_usd="0")
