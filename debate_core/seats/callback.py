"""Seats of plain Python functions, for programs that need neither requests nor views. Knows no model and no script."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, is_dataclass
from functools import partial
from inspect import isawaitable
from typing import Any, Protocol, TypeVar

from pydantic import ValidationError

from debate_core.engine.seat_view import View
from debate_core.engine.validate_content import CONTENT
from debate_core.errors import BadReply, SeatError
from debate_core.record.commands import TakeTurn
from debate_core.record.state import Request
from debate_core.seats import Filler, OnText
from debate_core.spec.contents import CONTENT_OF, CONTENT_TYPES, Content, Gives
from debate_core.spec.protocol import first_problem

T = TypeVar("T")


class TurnCallback(Protocol):
    """A function that gives the turns of seats.

    `round_index` counts from 1, `speaker_id` is the id of the seat, `phase` the name of the phase. It returns the text
    of the turn, a content such as `Argument`, or its fields as a mapping or a dataclass instance; an async function
    returns the same.
    """

    def __call__(self, *, round_index: int, speaker_id: str, phase: str) -> object | Awaitable[object]: ...


def from_callback(callback: TurnCallback) -> Filler:
    """Make a filler from a function. It can answer for several seats, with any occupant.

    A plain function runs in a separate thread, one call at a time, in the order of the requests. Calls of an async
    function run in the event loop and can overlap. An exception is a failed attempt of the seat, and so is an
    unreadable reply. Text alone is an abstention where the phase asks for a vote. Write a `Filler` for a function that
    reads the debate.

        def reply(*, round_index, speaker_id, phase):
            return Argument(rationale="The load has doubled.", vote="adopt")

        asyncio.run(run("d1", store, {"ann": from_callback(reply)}))
    """
    thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="seat")

    async def answer(request: Request, view: View, on_text: OnText) -> TakeTurn:
        call = partial(callback, round_index=request.round, speaker_id=request.seat, phase=view.phase.name)
        reply = await asyncio.get_running_loop().run_in_executor(thread, _without_stop_iteration, call)
        if isawaitable(reply):
            reply = await reply
        content = _content_of(request.gives, reply)
        on_text(request.id, content.prose)
        return TakeTurn(by=request.seat, request=request.id, content=content)

    return answer


def _without_stop_iteration(call: Callable[[], T]) -> T:
    """Call it; an exhausted iterator becomes a fault, because futures cannot hold a StopIteration."""
    try:
        return call()
    except StopIteration:
        raise SeatError("the callback has no turn left: its iterator is exhausted") from None


def _content_of(gives: Gives, reply: object) -> Content:
    """The content that a callback returned. BadReply if it is not readable as this kind of content."""
    if isinstance(reply, CONTENT_TYPES):
        return reply
    fields = _fields_of(gives, reply)
    try:
        return CONTENT.validate_python({"kind": gives, **fields})
    except ValidationError as error:
        raise BadReply(first_problem(error)) from None


def _fields_of(gives: Gives, reply: object) -> Mapping[str, Any]:
    if isinstance(reply, Mapping):
        return reply
    if is_dataclass(reply) and not isinstance(reply, type):
        return asdict(reply)
    prose_field = CONTENT_OF[gives].PROSE_FIELD
    if isinstance(reply, str) and prose_field is not None:
        return {prose_field: reply}
    raise BadReply(
        "the callback returned {returned} for {gives!r}: return a content, a mapping of its fields, or its text",
        returned=type(reply).__name__,
        gives=gives,
    )
