"""Seats held by language models: a view becomes a prompt, the reply becomes a turn, or says why it is none.

A reply counts only when it is whole and reads as the content that was asked; votes and numbers are never taken from a
part of it. One attempt is one call. Knows no dialect. Whether a debate may ask models at all is the host's to say.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import cast

from pydantic import JsonValue

from debate_core.engine.ceiling import total
from debate_core.engine.replies import Reading, read_turn
from debate_core.engine.seat_view import View, spec_read_by
from debate_core.errors import BadReply
from debate_core.record.address import TurnId
from debate_core.record.commands import FailTurn, TakeTurn
from debate_core.record.state import Request, State
from debate_core.seats import FREE, Filler, OnText
from debate_core.seats.cache_warmup import MAX_WAIT_S, MIN_PREFIX_CHARS, Gate
from debate_core.seats.pricing import cost_usd
from debate_core.seats.prompts import (
    Bounds,
    Prompt,
    ballot_prompt,
    bounds_of,
    changed,
    gaps_left,
    prompt_for,
    prose_prompt,
    without_none,
)
from debate_core.seats.reply import (
    Listener,
    closed_fields,
    plain_prose,
    prose_in,
    prose_of,
    read_reply,
    speaks_of_its_form,
    without_thinking,
)
from debate_core.seats.server_queue import ServerQueue, Servers
from debate_core.seats.truncation import cut_prompt
from debate_core.seats.wires.dialects import wire_for
from debate_core.seats.wires.exchange import CHARS_PER_TOKEN, prompt_bytes, prompt_chars
from debate_core.seats.wires.network import DIRECT, Network
from debate_core.seats.wires.token_limits import ServerLimits
from debate_core.seats.wires.wire import Call, Reply, ReplyStatus, Structured, Wire
from debate_core.spec.contents import ARGUMENT_KINDS, MAX_LEFT_OUT, Gives, LeftOut
from debate_core.spec.dialects import dialect_facts
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import is_loopback
from debate_core.spec.protocol import Spec
from debate_core.spec.values import MAX_TEXT_CHARS, Json, TurnError, Usage

RESERVED_BYTES_PER_TOKEN = 3
"""Of UTF-8: scripts in which each letter is a token are met too. What is reserved must not be too little."""
MAX_MESSAGE_CHARS = 2_000
LEAST_S = 0.1
MAX_BALLOT_TOKENS = 400
"""Of a reply that is a ballot alone."""
_ERRORS: dict[ReplyStatus, TurnError] = {
    "length": "cut",
    "cut": "cut",
    "refusal": "refused",
    "filtered": "refused",
    "timeout": "timeout",
    "malformed": "unparseable",
}


_ONE_SCHEMA = ("anthropic", "azure", "openai")


def asks_the_same_always(line: ModelLine) -> bool:
    """True for vendors who keep the schema with the beginning of a prompt: one that changes would be paid anew.

    Their models come to an end by themselves. So do they behind a router, which passes the schema on.
    """
    return line.provider in _ONE_SCHEMA or (line.family in _ONE_SCHEMA and not is_loopback(line.base_url))


def bounds_for(line: ModelLine, *, was_cut: bool) -> Bounds | None:
    """Limits of the schema for replies of this line, None where the schema is always the same."""
    if asks_the_same_always(line):
        return None
    is_hosted = bool(line.key_env) and not is_loopback(line.base_url)
    # Hosted servers may keep the schema with the beginning of a prompt: there it has no ids of this call.
    return bounds_of(line.max_tokens, was_cut=was_cut, names_ids=not is_hosted)


def asks_in_two_steps(line: ModelLine, gives: Gives) -> bool:
    """True if a seat of this line is asked for prose first and then for the ballot alone."""
    return line.structured == "two_step" and gives in ARGUMENT_KINDS


def first_prompt(
    line: ModelLine, view: View, *, was_cut: bool = False, schema_refused: bool = False
) -> tuple[Prompt, Structured]:
    """The prompt with which this line is asked for a turn, and how the form of the reply is asked for."""
    bounds = bounds_for(line, was_cut=was_cut)
    if asks_in_two_steps(line, view.request.gives):
        return prose_prompt(view, bounds, was_cut=was_cut), "prompt"
    how: Structured = "schema" if line.structured == "two_step" else line.structured
    shows_form = bounds is not None or how != "schema" or schema_refused
    return prompt_for(view, bounds, shows_form=shows_form, was_cut=was_cut), how


class ModelSeat:
    """Fills one seat of one debate; its calls go over a wire that other seats may share."""

    def __init__(
        self,
        spec: Spec,
        line: ModelLine,
        wire: Wire,
        deadline_s: float,
        gate: Gate,
        queue: ServerQueue,
        debate: str = "",
    ) -> None:
        """`debate`: its id, by which a server finds what it has cached of it."""
        self._spec = spec
        self._line = line
        self._wire = wire
        self._gate = gate
        self.queue = queue
        self._debate = debate
        people_act = spec.has_people or spec.seats_with("human")
        self._keeps_an_hour = bool(people_act) and dialect_facts(line.dialect).keeps_an_hour
        self.deadline_s = line.deadline_s or deadline_s
        self._ended_at_limit = set[tuple[int, str]]()
        """(round, phase) of such turns: the next attempt is asked for less."""
        self._schema_refused = False
        self._form = ""
        """Of the reply, as the latest call showed it."""
        self._latest_call: tuple[View, Call] | None = None
        self._said: dict[TurnId, str] = {}
        """The prose of turns of which the ballot alone was lost."""

    async def __call__(self, request: Request, view: View, on_text: OnText) -> TakeTurn | FailTurn:
        call = self._call(request, view)
        if why := self._why_not_asked(request, call, view):
            return _failed(request, "failed", why, "", FREE, permanent=True, reached=True)
        if request.turn() in self._said:
            return await self._ballot_again(request, view)
        until_s = time.monotonic() + self.deadline_s
        reply, said = await self._reply_aloud(request, view, call, on_text, until_s)
        usage = self._priced(reply.usage)
        prose = view.names.real(said)
        self._schema_refused |= reply.schema_refused
        if why := cut_prompt(call, reply.usage):
            return _failed(request, "failed", why, prose, usage, permanent=True, reached=True)
        if not self._in_two_steps(request):
            return self._in_one_step(request, view, call, reply, prose, usage)
        if reply.status == "complete" and said:
            return await self._after_prose(request, view, said, usage, until_s - time.monotonic())
        if reply.status == "length":
            self._ended_at_limit.add((request.round, request.phase))
        return self._failure(request, reply, prose, usage)

    def _in_one_step(
        self, request: Request, view: View, call: Call, reply: Reply, prose: str, usage: Usage
    ) -> TakeTurn | FailTurn:
        """What a reply becomes that was to be a whole turn."""
        match reply.status:
            case "complete":
                return self._turn(request, view, call, reply, prose, usage)
            case "length":
                return self._cut_turn(request, view, call, reply, prose, usage)
            case _:
                return self._failure(request, reply, prose, usage)

    async def _reply_aloud(
        self, request: Request, view: View, call: Call, on_text: OnText, until_s: float
    ) -> tuple[Reply, str]:
        """The reply to this call, and its prose, which the room has heard while it came."""
        shared = (call.system, *call.blocks)
        is_cached = self._line.warm_cache and sum(map(len, shared)) >= MIN_PREFIX_CHARS
        # A prefix of its own waits for nobody.
        prefix = shared if is_cached else (request.id,)
        reads = plain_prose if self._in_two_steps(request) else prose_of
        async with self._gate.enter(prefix, wait_s=min(MAX_WAIT_S, self.deadline_s / 4)) as on_begin:
            listener = Listener(_with_ids(on_text, view), request.id, on_begin, reads)
            reply = await self._wire.ask(call, listener, deadline_s=until_s - time.monotonic())
        listener.tell()
        return reply, listener.prose

    def reserve(self, request: Request, view: View) -> Usage:
        """The prompt, rounded up, and the longest reply that is allowed; of both requests, where there are two."""
        said = self._said.get(request.turn())
        call = self._ballot_call(view, said, is_again=True) if said else self._call(request, view)
        prompt_tokens = -(-prompt_bytes(call) // RESERVED_BYTES_PER_TOKEN)
        if self._in_two_steps(request) and not said:
            # The second one repeats what was said in the first.
            both_tokens = 2 * prompt_tokens + call.max_tokens
            return self._at_most(2, both_tokens, call.max_tokens + self._ballot_tokens)
        return self._at_most(1, prompt_tokens, call.max_tokens)

    def _at_most(self, calls: int, prompt_tokens: int, output_tokens: int) -> Usage:
        # All of the prompt may have to be written into a cache, which costs more than to read it.
        written_tokens = prompt_tokens if asks_the_same_always(self._line) else None
        return self._priced(
            Usage(
                calls=calls,
                input_tokens=prompt_tokens,
                output_tokens=output_tokens,
                estimated=True,
                cache_write_tokens=written_tokens,
            )
        )

    async def close(self) -> None:
        await self._wire.close()

    def _in_two_steps(self, request: Request) -> bool:
        return asks_in_two_steps(self._line, request.gives)

    @property
    def _ballot_tokens(self) -> int:
        return min(self._line.max_tokens, MAX_BALLOT_TOKENS)

    async def _after_prose(
        self, request: Request, view: View, prose: str, usage: Usage, left_s: float
    ) -> TakeTurn | FailTurn:
        """The turn with this prose, if it is any. A ballot that is lost is asked for again without saying all anew."""
        try:
            if not view.is_last_attempt:
                self._read(request, replace(view, ballot_options=()), {"rationale": prose})
        except BadReply as bad:
            return _failed(request, "unparseable", str(bad), view.names.real(prose), usage)
        turn = await self._with_ballot(request, view, prose, usage, left_s)
        if isinstance(turn, FailTurn):
            self._said[request.turn()] = prose
        return turn

    async def _ballot_again(self, request: Request, view: View) -> TakeTurn | FailTurn:
        """The turn whose prose was said before. If its ballot cannot be read either, the next attempt begins anew."""
        prose = self._said[request.turn()]
        turn = await self._with_ballot(request, view, prose, FREE, self.deadline_s, is_again=True)
        if not (isinstance(turn, FailTurn) and turn.transport):
            del self._said[request.turn()]
        return turn

    def _ballot_call(self, view: View, prose: str, *, is_again: bool) -> Call:
        prompt = ballot_prompt(view, prose, bounds_for(self._line, was_cut=False), is_again=is_again)
        self._form = prompt.form
        return self._as_call(prompt, "schema", self._ballot_tokens)

    async def _with_ballot(
        self, request: Request, view: View, prose: str, usage: Usage, left_s: float, *, is_again: bool = False
    ) -> TakeTurn | FailTurn:
        """The turn with this prose, of which the ballot is asked for now."""
        fields: dict[str, JsonValue] = {"rationale": prose}
        try:
            if view.ballot_options or view.phase.min_strength is not None:
                call = self._ballot_call(view, prose, is_again=is_again)
                reply = await self._wire.ask(call, _unheard, deadline_s=max(left_s, LEAST_S))
                both = total((usage, self._priced(reply.usage)))
                usage = both.model_copy(update={"model": reply.usage.model or usage.model})
                if reply.status != "complete":
                    return self._failure(request, reply, view.names.real(prose), usage)
                fields |= _asked_fields(call, reply)
            read = self._read(request, view, fields)
        except BadReply as bad:
            return _failed(request, "unparseable", str(bad), view.names.real(prose), usage)
        return TakeTurn(by=request.seat, request=request.id, content=read.content, usage=usage, left_out=read.left_out)

    def _as_call(self, prompt: Prompt, structured: Structured, max_tokens: int) -> Call:
        return Call(
            system=prompt.system,
            blocks=prompt.blocks,
            breakpoints=prompt.breakpoints,
            tail=prompt.tail,
            schema=prompt.schema,
            max_tokens=max_tokens,
            structured=structured,
            cache_key=self._debate,
            keeps_an_hour=self._keeps_an_hour,
        )

    def _priced(self, usage: Usage) -> Usage:
        """The same with its cost, as far as that is known."""
        cost = cost_usd(usage, self._line, keeps_an_hour=self._keeps_an_hour)
        return usage.model_copy(update={"cost_usd": cost})

    def _call(self, request: Request, view: View) -> Call:
        """Made once for the reservation and the call itself."""
        if self._latest_call is None or self._latest_call[0] != view:
            was_cut = request.attempt > 1 and (request.round, request.phase) in self._ended_at_limit
            prompt, how = first_prompt(self._line, view, was_cut=was_cut, schema_refused=self._schema_refused)
            self._form = prompt.form
            self._latest_call = view, self._as_call(prompt, how, self._line.max_tokens)
        return self._latest_call[1]

    def _why_not_asked(self, request: Request, call: Call, view: View) -> str:
        """Why no call is made, "" if one can be."""
        if names := changed(view.templates):
            return f"the prompts of this program are not those agreed at the start: {', '.join(names)}"
        prompt_tokens = -(-prompt_chars(call) // CHARS_PER_TOKEN)
        most_tokens = self._line.context_tokens
        if most_tokens and prompt_tokens + call.max_tokens > most_tokens:
            return (
                f"a prompt of about {prompt_tokens:,} tokens and a reply of up to {call.max_tokens:,} do not fit into "
                f"the {most_tokens:,} tokens of {self._line.model}"
            )
        a_minute = self._line.tokens_per_minute
        if a_minute is not None and (most := self.reserve(request, view).all_tokens) > a_minute:
            return (
                f"a call of up to {most:,} tokens does not fit into the {a_minute:,} tokens a minute of the line "
                f"{self._line.id}: raise tokens_per_minute, or lower max_tokens"
            )
        return ""

    def _failure(self, request: Request, reply: Reply, prose: str, usage: Usage) -> FailTurn:
        """What a reply that is not whole becomes; its prose is kept, or its text if it is no JSON."""
        text, _ = without_thinking(reply.text)
        if "{" in text:
            text = ""
        return _failed(
            request,
            _ERRORS.get(reply.status, "failed"),
            reply.message,
            prose or text,
            usage,
            permanent=reply.permanent,
            retry_after_ms=reply.retry_after_ms,
            transport=reply.transport,
            began=reply.began,
            reached=reply.reached,
        )

    def _turn(
        self, request: Request, view: View, call: Call, reply: Reply, prose: str, usage: Usage
    ) -> TakeTurn | FailTurn:
        """What a whole reply becomes: a turn, if it reads as the content that was asked."""
        text, _ = without_thinking(reply.text)
        try:
            data = read_reply(text)
        except BadReply as bad:
            if reply.unknown_end:
                why = f"the server ended the reply by {reply.unknown_end!r}, and it is not whole"
                return _failed(request, "cut", why, prose, usage, transport=True, began=True)
            # Some servers call a reply complete that only reached its limit.
            max_tokens = reply.max_tokens or call.max_tokens
            if usage.output_tokens >= max_tokens and not usage.estimated:
                why = f"the reply reached the limit of {max_tokens:,} tokens before its end"
                return self._cut_turn(request, view, call, replace(reply, status="length", message=why), prose, usage)
            why = str(bad) if text.strip() else "the reply is empty"
            return _failed(request, "unparseable", why, text, usage)
        try:
            read = self._read(request, view, data)
        except BadReply as bad:
            return _failed(request, "unparseable", str(bad), text, usage)
        return TakeTurn(by=request.seat, request=request.id, content=read.content, usage=usage, left_out=read.left_out)

    def _read(self, request: Request, view: View, data: JsonValue) -> Reading:
        """BadReply if this is no answer, or nothing but the words in which it was asked for."""
        if gaps_left(self._form, data):
            raise BadReply("the reply is the form that was asked to be filled")
        if speaks_of_its_form(prose_in(data), f"{view.question} {view.context}"):
            raise BadReply("the reply is about its own form alone")
        real = view.names.real(without_none(data, view))
        return read_turn(
            spec_read_by(view, self._spec),
            request.gives,
            real,
            asks_ballot=bool(view.ballot_options),
            is_last=view.is_last_attempt,
        )

    def _cut_turn(
        self, request: Request, view: View, call: Call, reply: Reply, prose: str, usage: Usage
    ) -> TakeTurn | FailTurn:
        """What a reply becomes that ran into its limit: a turn, if nothing is cut but the list of its claims.

        Every field before it is whole then, the ballot too; the claim that is cut is kept as what was left out.
        """
        self._ended_at_limit.add((request.round, request.phase))
        text, _ = without_thinking(reply.text)
        fields, rest = closed_fields(text)
        needed = cast(Mapping[str, Json], call.schema["properties"]).keys() - {"claims"}
        if request.gives in ARGUMENT_KINDS and needed <= fields.keys():
            try:
                read = self._read(request, view, fields)
                # Nothing of the turn is cut where a whole one was begun again.
                cut = (LeftOut(field="claims", raw=rest[:MAX_TEXT_CHARS]),) if rest is not None else ()
                kept = (*read.left_out, *cut)[-MAX_LEFT_OUT:]
                return TakeTurn(by=request.seat, request=request.id, content=read.content, usage=usage, left_out=kept)
            except BadReply:
                pass
        return self._failure(request, reply, prose, usage)


def _asked_fields(call: Call, reply: Reply) -> dict[str, JsonValue]:
    """What a reply says of what was asked; whatever else it holds is left out. BadReply if it is no JSON."""
    said = read_reply(without_thinking(reply.text)[0])
    if not isinstance(said, dict):
        return {}
    asked = cast(Mapping[str, Json], call.schema["properties"])
    return {name: value for name, value in said.items() if name in asked}


def _unheard(_text: str, _thinking: str, /) -> None:
    """A ballot is not read aloud while it comes."""


def _with_ids(on_text: OnText, view: View) -> OnText:
    """What the room hears names claims as the record does, whatever names the seat reads."""

    def told(request: str, text: str, /, thinking: str = "") -> None:
        on_text(request, view.names.real(text), thinking=view.names.real(thinking))

    return told


def _failed(
    request: Request,
    error: TurnError,
    message: str,
    partial: str,
    usage: Usage,
    *,
    permanent: bool = False,
    retry_after_ms: int = 0,
    transport: bool = False,
    began: bool = False,
    reached: bool = False,
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
        transport=transport,
        began=began,
        reached=reached,
    )


def model_fillers(
    state: State,
    keys: Mapping[str, str],
    *,
    deadline_s: float,
    servers: Servers | None = None,
    network: Network = DIRECT,
    make_wire: Callable[[ModelLine, str | None, ServerLimits, Network], Wire] = wire_for,
) -> dict[str, Filler]:
    """Seat id -> filler of every seat that a model can hold with these keys (by variable name).

    Seats that ask the same model in the same way share a wire; `servers` are shared by all debates of a process.
    """
    spec = state.spec
    servers = servers or Servers()
    wires: dict[tuple[ModelLine, str | None], tuple[Wire, Gate]] = {}
    fillers: dict[str, Filler] = {}
    for seat in spec.seats:
        line = spec.line(seat)
        if line is None or _why_empty(line, keys):
            continue
        key = keys.get(line.key_env) if line.key_env else None
        # What differs between two lines without changing how their server is asked.
        same = {"id": "any", "family": "", "price": None, "max_tokens": 64, "deadline_s": None}
        same |= {"parallel": None, "tokens_per_minute": None}
        way_to_ask = line.model_copy(update=same)
        if (way_to_ask, key) not in wires:
            wires[way_to_ask, key] = make_wire(line, key, servers.limits(line), network), Gate()
        wire, gate = wires[way_to_ask, key]
        fillers[seat.id] = ModelSeat(spec, line, wire, deadline_s, gate, servers.queue(line), state.debate)
    return fillers


def unfillable(spec: Spec, keys: Mapping[str, str]) -> tuple[str, ...]:
    """Why a model cannot take its seat, one sentence for each such seat."""
    reasons = []
    for seat in spec.seats_with("model"):
        line = spec.line(seat)
        if line is None:
            known = ", ".join(m.id for m in spec.models) or "none"
            reasons.append(f"seat {seat.id} asks for the model line {seat.model!r}; this debate has: {known}")
        elif why := _why_empty(line, keys):
            reasons.append(f"seat {seat.id}: {why}")
    return tuple(reasons)


def _why_empty(line: ModelLine, keys: Mapping[str, str]) -> str:
    if not line.model:
        return f"the model line {line.id} names no model: choose one that its server offers"
    if line.key_env and not keys.get(line.key_env) and not is_loopback(line.base_url):
        return (
            f"{line.model} needs a key: set {line.key_env} in the environment or in .streamlit/secrets.toml, "
            "let a person take the seat, or use the evidence panel, which needs none"
        )
    return ""
