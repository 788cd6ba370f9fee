"""Makes wires to the servers of model lines; the only module that knows all dialects.

A vendor's library is loaded only when a wire of its dialect is made.
"""

from datetime import date
from typing import TYPE_CHECKING, assert_never

from debate_core.seats.providers.network import DIRECT, Network
from debate_core.seats.providers.token_limits import ServerLimits
from debate_core.seats.providers.wire import Offer, Wire
from debate_core.spec.models import ModelLine

if TYPE_CHECKING:
    import httpx2


def wire_for(
    line: ModelLine,
    key: str | None,
    limits: ServerLimits | None = None,
    network: Network = DIRECT,
    transport: "httpx2.AsyncBaseTransport | None" = None,
) -> Wire:
    """Make a wire to the server of a line; `limits` keep what that server refuses, `transport` replaces the network."""
    match line.dialect:
        case "chat":
            from debate_core.seats.providers.openai import ChatWire

            return ChatWire(line, key, limits, network, transport)
        case "responses":
            from debate_core.seats.providers.openai import ResponsesWire

            return ResponsesWire(line, key, limits, network, transport)
        case "messages":
            from debate_core.seats.providers.anthropic import MessagesWire

            return MessagesWire(line, key, limits, network, transport)
        case _:
            assert_never(line.dialect)


async def server_models(
    line: ModelLine, key: str | None, *, deadline_s: float, network: Network = DIRECT
) -> tuple[Offer, ...]:
    """List the models that the server of a line offers; SeatError if it does not list them."""
    wire = wire_for(line, key, network=network)
    try:
        return await wire.models(deadline_s=deadline_s)
    finally:
        await wire.close()


def retires_on(line: ModelLine) -> date | None:
    """The day on which the vendor retires a model, according to the vendor's own library; None = unknown."""
    if line.provider != "anthropic" or line.dialect != "messages":
        return None
    from debate_core.seats.providers.anthropic import retirement

    return retirement(line.model)
