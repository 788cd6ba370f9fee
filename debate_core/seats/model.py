"""A seat held by a language model: a view becomes a prompt, the reply becomes a turn, or says why it is none.

A reply counts only when it is whole and reads as the content that was asked; votes and numbers are never taken from a
part of it. One attempt is one call. Knows no dialect.
"""

import time

from debate_core.engine.content_faults import read_content
from debate_core.engine.seat_view import View
from debate_core.errors import BadReply
from debate_core.record.commands import FailTurn, TakeTurn
from debate_core.record.state import Request
from debate_core.seats import FREE, OnText
from debate_core.seats.cache_warmup import MAX_WAIT_S, MIN_PREFIX_CHARS, Gate
from debate_core.seats.pricing import cost_usd
from debate_core.seats.prompts import changed, prompt_for
from debate_core.seats.reply import Listener, read_reply, without_thinking
from debate_core.seats.wires.exchange import CHARS_PER_TOKEN, prompt_bytes, prompt_chars
from debate_core.seats.wires.wire import Call, Reply, ReplyStatus, Wire
from debate_core.spec.models import ModelLine
from debate_core.spec.protocol import Spec
from debate_core.spec.values import MAX_TEXT_CHARS, TurnError, Usage

RESERVED_BYTES_PER_TOKEN = 3
"""Of UTF-8: scripts in which each letter is a token are met too. What is reserved must not be too little."""
MAX_MESSAGE_CHARS = 2_000
_ERRORS: dict[ReplyStatus, TurnError] = {
    "length": "cut",
    "cut": "cut",
    "refusal": "refused",
    "filtered": "refused",
    "timeout": "timeout",
    "malformed": "unparseable",
}


class ModelSeat:
    """Fills one seat of one debate; its calls go over a wire that other seats may share."""

    def __init__(self, spec: Spec, line: ModelLine, wire: Wire, deadline_s: float, gate: Gate) -> None:
        self._spec, self._line, self._wire, self._deadline_s, self._gate = spec, line, wire, deadline_s, gate
        self._too_short = set[tuple[int, str]]()
        """(round, phase) of turns that ended at their limit: the next attempt gets twice as much."""
        self._made: tuple[View, Call] | None = None

    async def __call__(self, request: Request, view: View, on_text: OnText) -> TakeTurn | FailTurn:
        call = self._call(request, view)
        if why := self._unaskable(call, view):
            return _failed(request, "failed", why, "", FREE, permanent=True)
        began_s = time.monotonic()
        waits = self._line.warm_cache and len(call.system) + sum(map(len, call.blocks)) >= MIN_PREFIX_CHARS
        prefix = (call.system, *call.blocks) if waits else (request.id,)
        async with self._gate.passing(prefix, wait_s=min(MAX_WAIT_S, self._deadline_s / 4)) as begun:
            listener = Listener(on_text, request.id, begun)
            left_s = self._deadline_s - (time.monotonic() - began_s)
            reply = await self._wire.ask(call, listener, deadline_s=left_s)
        listener.tell()
        usage = reply.usage.model_copy(update={"cost_usd": cost_usd(reply.usage, self._line)})
        return self._turn(request, view, call, reply, listener.prose, usage)

    def reserve(self, request: Request, view: View) -> Usage:
        """The prompt, rounded up, and the longest reply that is allowed."""
        call = self._call(request, view)
        most = Usage(
            calls=1,
            input_tokens=-(-prompt_bytes(call) // RESERVED_BYTES_PER_TOKEN),
            output_tokens=call.max_tokens,
            estimated=True,
        )
        return most.model_copy(update={"cost_usd": cost_usd(most, self._line)})

    async def close(self) -> None:
        await self._wire.close()

    def _call(self, request: Request, view: View) -> Call:
        """Made once for the reservation and the call itself."""
        if self._made is None or self._made[0] != view:
            prompt = prompt_for(view)
            longer = request.attempt > 1 and (request.round, request.phase) in self._too_short
            call = Call(
                system=prompt.system,
                blocks=prompt.blocks,
                breakpoints=prompt.breakpoints,
                tail=prompt.tail,
                schema=prompt.schema,
                max_tokens=self._line.max_tokens * (2 if longer else 1),
                structured=self._line.structured,
            )
            self._made = view, call
        return self._made[1]

    def _unaskable(self, call: Call, view: View) -> str:
        """Why no call is made, "" if one can be."""
        if names := changed(view.templates):
            return f"the prompts of this program are not those agreed at the start: {', '.join(names)}"
        prompt_tokens, fits = -(-prompt_chars(call) // CHARS_PER_TOKEN), self._line.context_tokens
        if fits and prompt_tokens + call.max_tokens > fits:
            return (
                f"a prompt of about {prompt_tokens:,} tokens and a reply of up to {call.max_tokens:,} do not fit into "
                f"the {fits:,} tokens of {self._line.model}"
            )
        return ""

    def _turn(
        self, request: Request, view: View, call: Call, reply: Reply, prose: str, usage: Usage
    ) -> TakeTurn | FailTurn:
        said, _ = without_thinking(reply.text)
        if reply.status != "complete":
            if reply.status == "length":
                self._too_short.add((request.round, request.phase))
            error = _ERRORS.get(reply.status, "failed")
            return _failed(
                request,
                error,
                reply.message,
                prose or ("" if "{" in said else said),
                usage,
                permanent=reply.permanent,
                retry_after_ms=reply.retry_after_ms,
            )
        try:
            data = read_reply(said)
        except BadReply as bad:
            # Some servers call a reply complete that only reached its limit.
            if usage.output_tokens >= call.max_tokens and not usage.estimated:
                self._too_short.add((request.round, request.phase))
                reached = f"the reply reached the limit of {call.max_tokens:,} tokens before its end"
                return _failed(request, "cut", reached, prose, usage)
            why = str(bad) if said.strip() else "the reply is empty"
            return _failed(request, "unparseable", why, said, usage)
        try:
            content = read_content(self._spec, request.gives, data, asks_ballot=bool(view.ballot_options))
        except BadReply as bad:
            return _failed(request, "unparseable", str(bad), said, usage)
        return TakeTurn(by=request.seat, request=request.id, content=content, usage=usage)


def _failed(
    request: Request,
    error: TurnError,
    message: str,
    partial: str,
    usage: Usage,
    *,
    permanent: bool = False,
    retry_after_ms: int = 0,
) -> FailTurn:
    return FailTurn(
        by=request.seat,
        request=request.id,
        error=error,
        message=message[:MAX_MESSAGE_CHARS],
        partial=partial[:MAX_TEXT_CHARS],
        usage=usage,
        permanent=permanent,
        retry_after_ms=retry_after_ms,
    )
