"""Seats of language models: a view becomes a prompt, the reply becomes a turn or a failed attempt.

A reply counts only if it is complete and readable as the requested content; votes and numbers are never read from a
partial one. One attempt is one call, or two for a turn in two steps. Knows no dialect. The host decides whether a
debate may call models at all.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import cast

from pydantic import JsonValue

from debate_core.engine.limits import total
from debate_core.engine.reply_parser import Reading, read_turn
from debate_core.engine.seat_view import View, spec_read_by
from debate_core.errors import BadReply
from debate_core.record.commands import FailTurn, LookUp, TakeTurn
from debate_core.record.ids import TurnId
from debate_core.record.look_ups import MAX_QUERY_CHARS, ToolAnswer
from debate_core.record.state import Request, State
from debate_core.seats import FREE, Filler, OnText, failed_turn
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
from debate_core.seats.providers.dialects import wire_for
from debate_core.seats.providers.exchange import cut_prompt, prompt_bytes, prompt_chars, tokens_of
from debate_core.seats.providers.network import DIRECT, Network
from debate_core.seats.providers.token_limits import ServerLimits
from debate_core.seats.providers.wire import Call, Reply, ReplyStatus, Structured, Wire
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
from debate_core.seats.tool_calls import (
    MAX_NAME_CHARS,
    may_become_search,
    offers_of,
    query_in,
    searches_by_form,
    written_query,
)
from debate_core.spec.contents import ARGUMENT_KINDS, MAX_LEFT_OUT, Gives, LeftOut
from debate_core.spec.dialects import dialect_facts
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import is_loopback
from debate_core.spec.protocol import Spec
from debate_core.spec.tools import is_server_tool
from debate_core.spec.values import MAX_TEXT_CHARS, SEARCH_SOURCES, Json, TurnError, Usage

MIN_PREFIX_CHARS = 4 * 1_024
"""About 1,024 tokens; no server caches a shorter prefix."""
MAX_WAIT_S = 10.0
MAX_PREFIXES = 8
"""Number of remembered prefixes; the seats of a phase share one, or have one each."""
RESERVED_BYTES_PER_TOKEN = 3
"""Low enough for scripts in which each letter is a token: a reservation must not be too small."""
LEAST_S = 0.1
MAX_BALLOT_TOKENS = 400
"""Limit of a reply that is only a ballot."""
_ERRORS: dict[ReplyStatus, TurnError] = {
    "length": "cut",
    "cut": "cut",
    "refusal": "refused",
    "filtered": "refused",
    "timeout": "timeout",
    "malformed": "unparseable",
}


_ONE_SCHEMA = ("anthropic", "azure", "openai")
"""Vendors who cache the schema with the prompt."""


def asks_the_same_always(line: ModelLine) -> bool:
    """True for vendors who cache the schema with the prompt, so that a changed schema would be paid again.

    Their models stop without a bound, also behind a router, which passes the schema on.
    """
    return line.provider in _ONE_SCHEMA or (line.family in _ONE_SCHEMA and not is_loopback(line.base_url))


def bounds_for(line: ModelLine, *, was_cut: bool) -> Bounds | None:
    """Bounds of the schema for replies of this line; None if its schema must stay the same."""
    if asks_the_same_always(line):
        return None
    is_hosted = bool(line.key_env) and not is_loopback(line.base_url)
    # Hosted servers may cache the schema with the prompt, so it must not contain ids of this call.
    return bounds_of(line.max_tokens, was_cut=was_cut, names_ids=not is_hosted)


def asks_in_two_steps(line: ModelLine, gives: Gives) -> bool:
    """True if a seat of this line is asked for prose first and then only for the ballot."""
    return line.structured == "two_step" and gives in ARGUMENT_KINDS


def first_prompt(
    line: ModelLine, view: View, *, was_cut: bool = False, schema_refused: bool = False
) -> tuple[Prompt, Structured]:
    """The prompt for a turn by this line, and the way to ask for the form of the reply."""
    bounds = bounds_for(line, was_cut=was_cut)
    if asks_in_two_steps(line, view.request.gives):
        return prose_prompt(view, bounds, was_cut=was_cut), "prompt"
    how: Structured = "schema" if line.structured == "two_step" else line.structured
    by_form = searches_by_form(line)
    if by_form and view.tools and view.look_ups_left:
        # A schema would leave no way to write the line of a search.
        how = "prompt"
    shows_form = bounds is not None or how != "schema" or schema_refused
    prompt = prompt_for(view, bounds, shows_form=shows_form, was_cut=was_cut, searches_by_form=by_form)
    return prompt, how


AskTool = Callable[[str, str, float], Awaitable[ToolAnswer]]
"""Asks a tool of an MCP server: name of the tool, query, seconds left. It raises nothing."""


class Gate:
    """Holds back calls with the prefix of a call whose reply has not begun, so that they find it in the server's cache.

    Shared by the seats on one wire of one debate.
    """

    def __init__(self) -> None:
        self._answering: dict[tuple[str, ...], asyncio.Event] = {}

    @asynccontextmanager
    async def enter(self, prefix: tuple[str, ...], *, wait_s: float) -> AsyncIterator[Callable[[], None]]:
        """Wait while another call with this prefix is about to begin; the yielded function must be called at the first
        token."""
        first = self._answering.get(prefix)
        if first is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await first.wait()
            yield first.set
            return
        first = self._answering[prefix] = asyncio.Event()
        while len(self._answering) > MAX_PREFIXES:
            oldest = next(iter(self._answering))
            self._answering.pop(oldest).set()
        try:
            yield first.set
        finally:
            first.set()


class ModelSeat:
    """Fills one seat of one debate; other seats may share its wire."""

    def __init__(
        self,
        spec: Spec,
        line: ModelLine,
        wire: Wire,
        deadline_s: float,
        gate: Gate,
        queue: ServerQueue,
        debate: str = "",
        ask_tool: AskTool | None = None,
    ) -> None:
        """`debate`: its id, the key of its prefix in a server's cache. `ask_tool`: asks a tool of an MCP server."""
        self._spec = spec
        self._line = line
        self._wire = wire
        self._gate = gate
        self.queue = queue
        self._debate = debate
        self._ask_tool = ask_tool
        people_act = bool(spec.has_people or spec.seats_with("human"))
        self._keeps_an_hour = people_act and dialect_facts(line.dialect).keeps_an_hour
        self.deadline_s = line.deadline_s or deadline_s
        self._ended_at_limit = set[tuple[int, str]]()
        """(round, phase) of turns that reached the limit: the next attempt asks for less."""
        self._schema_refused = False
        self._ballot_tokens = min(line.max_tokens, MAX_BALLOT_TOKENS)
        self._form = ""
        """The form of the reply in the latest prompt."""
        self._latest_call: tuple[View, Call] | None = None
        self._said: dict[TurnId, str] = {}
        """The prose of turns that lost only their ballot."""

    async def __call__(self, request: Request, view: View, on_text: OnText) -> TakeTurn | FailTurn | LookUp:
        call = self._call(request, view)
        if why := self._why_not_asked(request, call, view):
            return failed_turn(request, "failed", why, "", FREE, permanent=True, reached=True)
        if request.turn() in self._said:
            return await self._ballot_again(request, view)
        until_s = time.monotonic() + self.deadline_s
        reply, said = await self._stream_reply(request, view, call, on_text, until_s)
        usage = self._priced(reply.usage)
        prose = view.names.real(said)
        self._schema_refused |= reply.schema_refused
        if why := cut_prompt(call, reply.usage):
            return failed_turn(request, "failed", why, prose, usage, permanent=True, reached=True)
        if reply.status == "length":
            self._ended_at_limit.add((request.round, request.phase))
        if asked := self._search_in(request, view, reply, usage):
            return await self._with_answer(asked, view, until_s - time.monotonic())
        match reply.status:
            case "complete" if not self._in_two_steps(request):
                return self._whole_turn(request, view, call, reply, prose, usage)
            case "complete" if said:
                return await self._after_prose(request, view, said, usage, until_s - time.monotonic())
            case "length" if not self._in_two_steps(request):
                return self._cut_turn(request, view, call, reply, prose, usage)
            case _:
                return self._failure(request, reply, prose, usage)

    def _search_in(self, request: Request, view: View, reply: Reply, usage: Usage) -> LookUp | FailTurn | None:
        """The look-up that a reply asks for, as a call of a tool or as a written line; None for any other reply.

        A written line without a search left is a failed attempt.
        """
        tool, query = SEARCH_SOURCES, None
        if reply.status == "tool":
            tool, query = reply.tool_name[:MAX_NAME_CHARS], query_in(reply.tool_arguments)
        elif reply.status == "complete" and self._writes_searches(view):
            query = written_query(without_thinking(reply.text)[0])
            if query is None:
                return None
        else:
            return None
        if view.tools:
            return LookUp(by=request.seat, request=request.id, tool=tool, query=query, usage=usage)
        return failed_turn(request, "unparseable", "the reply is a search, and none is left: reply now", "", usage)

    async def _with_answer(self, asked: LookUp | FailTurn, view: View, left_s: float) -> LookUp | FailTurn:
        """A call of an MCP server with the answer of the server; other calls unchanged."""
        if not isinstance(asked, LookUp) or not is_server_tool(asked.tool) or self._ask_tool is None:
            return asked
        is_allowed = asked.tool in view.tools and view.look_ups_left > 0
        if not is_allowed or not asked.query or len(asked.query) > MAX_QUERY_CHARS:
            return asked
        answer = await self._ask_tool(asked.tool, asked.query, max(LEAST_S, left_s))
        return asked.model_copy(update={"answer": answer})

    def _writes_searches(self, view: View) -> bool:
        return bool(view.phase.tools) and searches_by_form(self._line)

    def _prose_reader(self, request: Request, view: View) -> Callable[[str], str]:
        """Reads the prose of an incomplete reply; the line of a search is none."""
        reads = plain_prose if self._in_two_steps(request) else prose_of
        if not self._writes_searches(view):
            return reads
        return lambda text: "" if may_become_search(text) else reads(text)

    async def _stream_reply(
        self, request: Request, view: View, call: Call, on_text: OnText, until_s: float
    ) -> tuple[Reply, str]:
        """The reply to this call, and its prose, which is streamed to the room."""
        shared = (call.system, *call.blocks)
        is_cached = self._line.warm_cache and sum(map(len, shared)) >= MIN_PREFIX_CHARS
        # A unique prefix never waits.
        prefix = shared if is_cached else (request.id,)
        reads = self._prose_reader(request, view)
        async with self._gate.enter(prefix, wait_s=min(MAX_WAIT_S, self.deadline_s / 4)) as on_begin:
            listener = Listener(_with_ids(on_text, view), request.id, on_begin, reads)
            reply = await self._wire.ask(call, listener, deadline_s=until_s - time.monotonic())
        listener.tell()
        return reply, listener.prose

    def reserve(self, request: Request, view: View) -> Usage:
        """Maximum usage of the call, or of both calls of a turn in two steps."""
        said = self._said.get(request.turn())
        call = self._ballot_call(view, said, is_again=True) if said else self._call(request, view)
        prompt_tokens = -(-prompt_bytes(call) // RESERVED_BYTES_PER_TOKEN)
        calls, output_tokens = 1, call.max_tokens
        if self._in_two_steps(request) and not said:
            # The second prompt repeats the text of the first reply.
            calls = 2
            prompt_tokens = 2 * prompt_tokens + call.max_tokens
            output_tokens += self._ballot_tokens
        usage = Usage(
            calls=calls,
            input_tokens=prompt_tokens,
            output_tokens=output_tokens,
            estimated=True,
            # The whole prompt may be written into a cache, which costs more than reading it.
            cache_write_tokens=prompt_tokens if asks_the_same_always(self._line) else None,
        )
        return self._priced(usage)

    async def close(self) -> None:
        await self._wire.close()

    def _in_two_steps(self, request: Request) -> bool:
        return asks_in_two_steps(self._line, request.gives)

    async def _after_prose(
        self, request: Request, view: View, prose: str, usage: Usage, left_s: float
    ) -> TakeTurn | FailTurn:
        """The turn with this prose. A lost ballot is asked for again without the prose."""
        try:
            if not view.is_last_attempt:
                self._read(request, replace(view, ballot_options=()), {"rationale": prose})
        except BadReply as bad:
            return failed_turn(request, "unparseable", str(bad), view.names.real(prose), usage)
        turn = await self._with_ballot(request, view, prose, usage, left_s)
        if isinstance(turn, FailTurn):
            self._said[request.turn()] = prose
        return turn

    async def _ballot_again(self, request: Request, view: View) -> TakeTurn | FailTurn:
        """The turn with the prose of the attempt before. If its ballot is unreadable too, the next attempt starts
        over."""
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
        """Ask for the ballot of this prose, and join both to a turn."""
        fields: dict[str, JsonValue] = {"rationale": prose}
        try:
            if view.ballot_options or view.phase.min_strength is not None:
                call = self._ballot_call(view, prose, is_again=is_again)
                # A ballot is not streamed to the room.
                reply = await self._wire.ask(call, lambda _text, _thinking: None, deadline_s=max(left_s, LEAST_S))
                both = total((usage, self._priced(reply.usage)))
                usage = both.model_copy(update={"model": reply.usage.model or usage.model})
                if reply.status != "complete":
                    return self._failure(request, reply, view.names.real(prose), usage)
                fields |= _asked_fields(call, reply)
            read = self._read(request, view, fields)
        except BadReply as bad:
            return failed_turn(request, "unparseable", str(bad), view.names.real(prose), usage)
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
        """Add the cost to a usage, if the price is known."""
        cost = cost_usd(usage, self._line, keeps_an_hour=self._keeps_an_hour)
        return usage.model_copy(update={"cost_usd": cost})

    def _call(self, request: Request, view: View) -> Call:
        """The call for a request, built once for the reservation and the call itself."""
        if self._latest_call is None or self._latest_call[0] != view:
            was_cut = request.attempt > 1 and (request.round, request.phase) in self._ended_at_limit
            prompt, how = first_prompt(self._line, view, was_cut=was_cut, schema_refused=self._schema_refused)
            self._form = prompt.form
            call = self._as_call(prompt, how, self._line.max_tokens)
            if view.tools and not searches_by_form(self._line):
                call = replace(call, tools=offers_of(view))
            self._latest_call = view, call
        return self._latest_call[1]

    def _why_not_asked(self, request: Request, call: Call, view: View) -> str:
        """The reason for making no call, "" if it can be made."""
        if names := changed(view.templates):
            return f"the prompts of this program are not those agreed at the start: {', '.join(names)}"
        prompt_tokens = tokens_of(prompt_chars(call))
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
        """The failed attempt of an incomplete reply, with its prose, or its text if it is no JSON."""
        text, _ = without_thinking(reply.text)
        if "{" in text:
            text = ""
        return failed_turn(
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

    def _whole_turn(
        self, request: Request, view: View, call: Call, reply: Reply, prose: str, usage: Usage
    ) -> TakeTurn | FailTurn:
        """The turn of a complete reply, or a failed attempt if the reply is unreadable."""
        text, _ = without_thinking(reply.text)
        try:
            data = read_reply(text)
        except BadReply as bad:
            if reply.unknown_end:
                why = f"the server ended the reply by {reply.unknown_end!r}, and it is not whole"
                return failed_turn(request, "cut", why, prose, usage, transport=True, began=True)
            # Some servers call a reply complete that reached its limit.
            max_tokens = reply.max_tokens or call.max_tokens
            if usage.output_tokens >= max_tokens and not usage.estimated:
                self._ended_at_limit.add((request.round, request.phase))
                why = f"the reply reached the limit of {max_tokens:,} tokens before its end"
                return self._cut_turn(request, view, call, replace(reply, status="length", message=why), prose, usage)
            why = str(bad) if text.strip() else "the reply is empty"
            return failed_turn(request, "unparseable", why, text, usage)
        try:
            read = self._read(request, view, data)
        except BadReply as bad:
            return failed_turn(request, "unparseable", str(bad), text, usage)
        return TakeTurn(by=request.seat, request=request.id, content=read.content, usage=usage, left_out=read.left_out)

    def _read(self, request: Request, view: View, data: JsonValue) -> Reading:
        """Read the content of a reply; BadReply if it is no answer, or only repeats the task."""
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
            asks_another_round=view.asks_another_round,
        )

    def _cut_turn(
        self, request: Request, view: View, call: Call, reply: Reply, prose: str, usage: Usage
    ) -> TakeTurn | FailTurn:
        """The turn of a reply that reached its limit, if only the list of its claims is cut; else a failed attempt.

        Every field before the claims is whole then, including the ballot; the cut claim is kept as left out.
        """
        text, _ = without_thinking(reply.text)
        fields, rest = closed_fields(text)
        needed = cast(Mapping[str, Json], call.schema["properties"]).keys() - {"claims"}
        if request.gives in ARGUMENT_KINDS and needed <= fields.keys():
            with suppress(BadReply):
                read = self._read(request, view, fields)
                # Nothing of the turn is cut if a whole object was started again.
                cut = (LeftOut(field="claims", raw=rest[:MAX_TEXT_CHARS]),) if rest is not None else ()
                kept = (*read.left_out, *cut)[-MAX_LEFT_OUT:]
                return TakeTurn(by=request.seat, request=request.id, content=read.content, usage=usage, left_out=kept)
        return self._failure(request, reply, prose, usage)


def _asked_fields(call: Call, reply: Reply) -> dict[str, JsonValue]:
    """The requested fields of a reply, without others. BadReply if it is no JSON."""
    said = read_reply(without_thinking(reply.text)[0])
    if not isinstance(said, dict):
        return {}
    asked = cast(Mapping[str, Json], call.schema["properties"])
    return {name: value for name, value in said.items() if name in asked}


def _with_ids(on_text: OnText, view: View) -> OnText:
    """Restore the record's names of claims in streamed text, which a seat may read under other names."""

    def told(request: str, text: str, /, thinking: str = "") -> None:
        on_text(request, view.names.real(text), thinking=view.names.real(thinking))

    return told


def model_fillers(
    state: State,
    keys: Mapping[str, str],
    *,
    deadline_s: float,
    servers: Servers | None = None,
    network: Network = DIRECT,
    make_wire: Callable[[ModelLine, str | None, ServerLimits, Network], Wire] = wire_for,
    ask_tool: AskTool | None = None,
) -> dict[str, Filler]:
    """Seat id -> filler of every seat that a model can hold with these keys (by variable name).

    Seats that call the same model in the same way share a wire; all debates of a process share `servers`. `deadline_s`
    limits one call, unless its model line does. `ask_tool` asks a tool of an MCP server. Seats without a line
    or a key are left out; `run` then waits for them.

        model_fillers(state, {"OPENAI_API_KEY": key}, deadline_s=120)
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
        # Fields of a line that do not change the way to call its server.
        same = {"id": "any", "family": "", "price": None, "max_tokens": 64, "deadline_s": None}
        same |= {"parallel": None, "tokens_per_minute": None}
        way_to_ask = line.model_copy(update=same)
        if (way_to_ask, key) not in wires:
            wires[way_to_ask, key] = make_wire(line, key, servers.limits(line), network), Gate()
        wire, gate = wires[way_to_ask, key]
        fillers[seat.id] = ModelSeat(spec, line, wire, deadline_s, gate, servers.queue(line), state.debate, ask_tool)
    return fillers


def unfillable(spec: Spec, keys: Mapping[str, str]) -> tuple[str, ...]:
    """The reason for each seat that its model cannot take, one sentence each."""
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
