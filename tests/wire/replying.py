"""Replies of servers as tests write them down, and calls to servers that send them."""

import asyncio
from typing import Any

from debate_core.seats.providers.dialects import wire_for
from debate_core.seats.providers.wire import Call, Reply
from debate_core.spec.models import Dialect
from tests.wire.canned import Canned, serving, stream
from tests.wire.rig import KEY, line_at

TURN = '{"rationale": "We should adopt the bus: checkout no longer waits for mail.", "vote": "adopt"}'
HALF = TURN[:40]
USAGE = {"prompt_tokens": 1500, "completion_tokens": 60, "total_tokens": 1560}


def asked(*answers: Canned, dialect: Dialect = "chat", calls: int = 1, call: Call | None = None) -> list[Reply]:
    """The replies to so many calls of one wire to a server that answers like this."""
    return asked_with_bodies(*answers, dialect=dialect, calls=calls, call=call)[0]


def asked_with_bodies(
    *answers: Canned, dialect: Dialect = "chat", calls: int = 1, call: Call | None = None
) -> tuple[list[Reply], list[dict[str, Any]]]:
    """The same with the request."""
    call = call or Call("RULES", ("QUESTION",), (), "TAIL", {"type": "object", "properties": {}}, 8_000, "schema")

    async def ask() -> list[Reply]:
        wire = wire_for(line_at(server.base_url(dialect), dialect), KEY)
        try:
            return [await wire.ask(call, lambda _text, _thinking: None, deadline_s=10) for _ in range(calls)]
        finally:
            await wire.close()

    with serving(*answers) as server:
        replies = asyncio.run(ask())
    assert all(KEY[start : start + 6] not in str(replies) for start in range(len(KEY) - 5))
    return replies, server.bodies


def chunk(delta: object, reason: str | None = None) -> dict[str, Any]:
    return {"id": "c", "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


def chat(*deltas: object, reason: str | None = "stop") -> Canned:
    end = {**chunk({}, reason), "usage": USAGE}
    return stream("chat", [*(chunk(delta) for delta in deltas), end, "[DONE]"])


def of(reply: Reply) -> tuple[str, str]:
    return reply.status, reply.text


def response(status: str = "completed", output: object = (), **more: object) -> dict[str, Any]:
    usage = {"input_tokens": 1500, "output_tokens": 60, "total_tokens": 1560}
    return {"id": "r", "model": "m", "status": status, "output": output, "usage": usage, **more}


def message(text: str, phase: str | None = None) -> dict[str, Any]:
    item = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    return item if phase is None else {**item, "phase": phase}


def ended(*output: object) -> dict[str, Any]:
    return {"type": "response.completed", "response": response(output=list(output))}


def delta(text: str, **where: object) -> dict[str, Any]:
    return {"type": "response.output_text.delta", "delta": text, **where}


def messages(*events: dict[str, Any], reason: str = "end_turn", details: object = None) -> Canned:
    start = {"type": "message_start", "message": {"model": "m", "content": [], "usage": {"input_tokens": 1500}}}
    delta = {"stop_reason": reason, "stop_details": details}
    end = {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 2}}
    return stream("messages", [start, *events, end, {"type": "message_stop"}])


def block(text: str, kind: str = "text") -> dict[str, Any]:
    return {"type": "content_block_start", "index": 0, "content_block": {"type": kind, kind: text}}


def text_delta(text: str) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}
