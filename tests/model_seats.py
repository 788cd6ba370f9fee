"""A model's seat without a server: a wire that says what the test has written, and a debate to say it in."""

import asyncio
from collections.abc import Sequence

from debate_core.engine.engine import requests
from debate_core.engine.seat_view import View, view
from debate_core.record.commands import AnyCommand
from debate_core.record.state import Request
from debate_core.seats.model import Gate, ModelSeat
from debate_core.seats.providers.wire import Call, Offer, OnPiece, Reply
from debate_core.seats.server_queue import ServerQueue
from debate_core.spec.models import ModelLine, Price
from debate_core.spec.presets import EXPERT_PANEL, compose, synthesiser
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Seat, Usage
from tests.playing import Played, silent

OPTIONS = ("adopt", "keep")
GOOD = '{"rationale": "It is cheaper.", "claims": [], "answers": [], "concedes": [], "vote": "adopt", "confidence": 70}'
USED = Usage(calls=1, input_tokens=900, output_tokens=60, model="m-1")


class SaidBefore:
    """A wire that gives these replies, in pieces of 7 characters; it keeps what it was asked."""

    def __init__(self, *replies: Reply) -> None:
        self.replies, self.calls = list(replies), list[Call]()

    async def ask(self, call: Call, on_piece: OnPiece, *, deadline_s: float) -> Reply:
        self.calls.append(call)
        reply = self.replies.pop(0)
        for start in range(0, len(reply.text), 7):
            on_piece(reply.text[start : start + 7], "")
        return reply

    async def models(self, *, deadline_s: float) -> tuple[Offer, ...]:
        return (Offer("m"),)

    async def context_tokens(self, *, deadline_s: float) -> None:
        """It does not say."""

    async def close(self) -> None:
        """Nothing is open."""


def line(**fields: object) -> ModelLine:
    given = {"id": "m1", "model": "m", "provider": "local", "dialect": "chat", "base_url": "http://127.0.0.1:9/v1"}
    usual = {"price": Price(input="1", output="10"), "parallel": 8}
    return ModelLine.model_validate({**given, **usual, **fields})


def spec_of(*lines: ModelLine, seats: Sequence[Seat] = ()) -> Spec:
    own = seats or [Seat(id=s, model=lines[0].id) for s in ("cost", "risk", "speed")]
    closing = synthesiser("model").model_copy(update={"model": lines[0].id})
    spec = compose("Shall we?", OPTIONS, EXPERT_PANEL, [*own, closing])
    return spec.model_copy(update={"models": lines})


def first(spec: Spec, attempt: int = 1) -> tuple[Request, View]:
    state = Played(spec).state
    request = requests(state)[0]
    request = request._replace(attempt=attempt)
    return request, view(state, request)


def seat_of(spec: Spec, wire: SaidBefore) -> ModelSeat:
    return ModelSeat(spec, spec.models[0], wire, 5, Gate(), ServerQueue())


def ask(spec: Spec, reply: Reply) -> AnyCommand:
    return asyncio.run(seat_of(spec, SaidBefore(reply))(*first(spec), silent))


def complete(text: str) -> Reply:
    return Reply("complete", text, USED)
