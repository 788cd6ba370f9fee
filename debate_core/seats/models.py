"""Which seats of a debate models hold, over which wires; the one place that knows all dialects.

A vendor's library is loaded only when a wire of its dialect is made. Whether a debate may ask models at all is the
host's to say.
"""

from collections.abc import Mapping
from typing import assert_never

from debate_core.record.state import State
from debate_core.seats import Filler
from debate_core.seats.cache_warmup import Gate
from debate_core.seats.model import ModelSeat
from debate_core.seats.wires.wire import Wire
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import is_loopback
from debate_core.spec.protocol import Spec


def wire_for(line: ModelLine, key: str | None) -> Wire:
    """A wire to the server of a line."""
    match line.dialect:
        case "chat":
            from debate_core.seats.wires.openai import ChatWire

            return ChatWire(line, key)
        case "responses":
            from debate_core.seats.wires.openai import ResponsesWire

            return ResponsesWire(line, key)
        case "messages":
            from debate_core.seats.wires.anthropic import MessagesWire

            return MessagesWire(line, key)
        case _:
            assert_never(line.dialect)


async def server_models(line: ModelLine, key: str | None, *, deadline_s: float) -> tuple[str, ...]:
    """The models that the server of a line offers. SeatError says why it does not list them."""
    wire = wire_for(line, key)
    try:
        return await wire.models(deadline_s=deadline_s)
    finally:
        await wire.close()


def model_fillers(state: State, keys: Mapping[str, str], *, deadline_s: float) -> dict[str, Filler]:
    """Seat id -> filler of every seat that a model can hold with these keys (by variable name).

    Seats that ask the same model in the same way share a wire.
    """
    spec = state.spec
    wires: dict[tuple[ModelLine, str | None], tuple[Wire, Gate]] = {}
    fillers: dict[str, Filler] = {}
    for seat in spec.seats:
        line = spec.line(seat)
        if line is None or _why_empty(line, keys):
            continue
        key = keys.get(line.key_env) if line.key_env else None
        asked = line.model_copy(update={"id": "any", "family": "", "price": None, "max_tokens": 64})
        if (asked, key) not in wires:
            wires[asked, key] = wire_for(line, key), Gate()
        wire, gate = wires[asked, key]
        fillers[seat.id] = ModelSeat(spec, line, wire, deadline_s, gate)
    return fillers


def unfillable(spec: Spec, keys: Mapping[str, str]) -> tuple[str, ...]:
    """Why a model cannot take its seat, one sentence for each such seat."""
    found = []
    for seat in spec.seats:
        if seat.occupant != "model":
            continue
        line = spec.line(seat)
        if line is None:
            known = ", ".join(m.id for m in spec.models) or "none"
            found.append(f"seat {seat.id} asks for the model line {seat.model!r}; this debate has: {known}")
        elif why := _why_empty(line, keys):
            found.append(f"seat {seat.id}: {why}")
    return tuple(found)


def _why_empty(line: ModelLine, keys: Mapping[str, str]) -> str:
    if not line.model:
        return f"the model line {line.id} names no model: choose one that its server offers"
    if line.key_env and not keys.get(line.key_env) and not is_loopback(line.base_url):
        return (
            f"{line.model} needs a key: set {line.key_env} in the environment or in .streamlit/secrets.toml, "
            "let a person take the seat, or use the evidence panel, which needs none"
        )
    return ""
