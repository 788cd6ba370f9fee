"""The bodies that the three dialects send, what they read back, and the lists of models; faults are in tests/wire."""

import asyncio
import inspect
import json
import textwrap
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from debate_core.errors import SeatError
from debate_core.seats.providers.connection_faults import VendorFault
from debate_core.seats.providers.dialects import server_models, wire_for
from debate_core.seats.providers.exchange import Exchange
from debate_core.seats.providers.http import HttpWire
from debate_core.seats.providers.token_limits import ServerLimits
from debate_core.seats.providers.wire import Call, Reply, ReplyStatus, Wire
from debate_core.spec.models import Dialect, ModelLine
from debate_core.spec.values import Usage
from tests.model_faults import Fault
from tests.model_server import ModelServer

# To load a vendor's package takes seconds.
pytestmark = pytest.mark.slow
DIALECTS: tuple[Dialect, ...] = ("chat", "responses", "messages")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(votes=["adopt"]) as running:
        yield running


def line(**fields: object) -> ModelLine:
    given = {"id": "m1", "model": "m", "provider": "local", "dialect": "chat", "base_url": "http://127.0.0.1:9/v1"}
    return ModelLine.model_validate({**given, **fields})


@pytest.mark.parametrize("dialect", DIALECTS)
def test_models_of_a_server(server: ModelServer, dialect: Dialect):
    asked = line(dialect=dialect, base_url=server.base_url(dialect))
    offers = asyncio.run(server_models(asked, None, deadline_s=5))
    assert [offer.id for offer in offers] == ["small-model", "large-model"]
    server.set(models_fault="html")
    host = server.url.removeprefix("http://")
    with pytest.raises(SeatError, match=f"^{host} lists no models$"):
        asyncio.run(server_models(asked, None, deadline_s=5))
    server.set(models_fault="401")
    with pytest.raises(SeatError) as refused:
        asyncio.run(server_models(asked.model_copy(update={"key_env": "K"}), "sk-abcdefgh12345678", deadline_s=5))
    assert str(refused.value).startswith(f"{host} rejects the key in K for m (401): ")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_call_in_each_dialect(server: ModelServer, dialect: Dialect):
    """The same prefix for every seat, the seat's own words last, and a reply whose usage is the server's."""
    call = Call("RULES", ("QUESTION", "SOURCE", "TURN"), (1, 2), "TAIL", {"type": "object"}, 700, "schema")

    async def asked() -> Reply:
        wire = wire_for(line(dialect=dialect, base_url=server.base_url(dialect), effort="low"), None)
        try:
            return await wire.ask(call, lambda _text, _thinking: None, deadline_s=5)
        finally:
            await wire.close()

    reply = asyncio.run(asked())
    log = server.log[0]
    assert log.tokens is not None
    assert (reply.status, reply.text, reply.usage) == (
        "complete",
        log.text,
        Usage(
            calls=1,
            input_tokens=log.tokens.input,
            cached_tokens=log.tokens.cached,
            output_tokens=log.tokens.output,
            reasoning_tokens=log.tokens.reasoning,
            model="m",
            # The server of the tests says so where a vendor does.
            cache_write_tokens=None if dialect == "chat" else 0,
        ),
    )
    assert log.body == BODIES[dialect]


CALL = Call("RULES", ("QUESTION", "SOURCE", "TURN"), (1, 2), "TAIL", {"type": "object"}, 700, "schema")
_MARK = {"prompt_cache_breakpoint": {"mode": "explicit"}}


@pytest.mark.parametrize("dialect", ["chat", "responses"])
def test_openai_caches_end_at_the_marker_and_have_a_key(dialect: Dialect):
    limits = ServerLimits()
    wire = wire_for(line(dialect=dialect, provider="openai", base_url=""), "k", limits)
    assert isinstance(wire, HttpWire)
    body: Any = wire.body(replace(CALL, cache_key="d1"))
    assert body["prompt_cache_key"] == "d1"
    assert body["prompt_cache_options"] == {"mode": "explicit", "ttl": "30m"}
    parts = body["messages"][1]["content"] if dialect == "chat" else body["input"][0]["content"]
    kind = "text" if dialect == "chat" else "input_text"
    assert parts[:3] == [
        {"type": kind, "text": "QUESTION"},
        {"type": kind, "text": "SOURCE", **_MARK},
        {"type": kind, "text": "TURN", **_MARK},
    ]
    # The newest message is for one seat alone: no cache ends there.
    assert "prompt_cache_breakpoint" not in str([*parts[3:], *body.get("input", [])[1:]])
    # An older model refuses the options: then none is sent, and the prompt is the same.
    assert set(wire.optional_parts()) >= {"prompt_cache_options", "prompt_cache_breakpoint", "prompt_cache_key"}
    limits.refused |= {"prompt_cache_options", "prompt_cache_key"}
    plain = wire.body(replace(CALL, cache_key="d1"))
    assert plain == {"model": "m", **{k: v for k, v in BODIES[dialect].items() if k in plain}}
    assert "prompt_cache" not in json.dumps(plain)


@pytest.mark.parametrize(("keeps_an_hour", "kept"), [(False, {}), (True, {"ttl": "1h"})])
def test_anthropic_caches_last_an_hour_where_people_act(keeps_an_hour: bool, kept: dict[str, str]):
    wire = wire_for(line(dialect="messages", provider="anthropic", base_url=""), "k")
    assert isinstance(wire, HttpWire)
    body: Any = wire.body(replace(CALL, keeps_an_hour=keeps_an_hour))
    marks = [part.get("cache_control") for part in body["messages"][0]["content"]]
    assert marks == [None, {"type": "ephemeral", **kept}, {"type": "ephemeral", **kept}, None]


_WRITTEN: dict[Dialect, list[dict[str, Any]]] = {
    "chat": [
        {
            "choices": [],
            "usage": {
                "prompt_tokens": 900,
                "completion_tokens": 9,
                "prompt_tokens_details": {"cached_tokens": 100, "cache_write_tokens": 700},
            },
        }
    ],
    "responses": [
        {
            "type": "response.completed",
            "response": {
                "usage": {
                    "input_tokens": 900,
                    "output_tokens": 9,
                    "input_tokens_details": {"cached_tokens": 100, "cache_write_tokens": 700},
                }
            },
        }
    ],
    "messages": [
        {
            "type": "message_start",
            "message": {
                "usage": {"input_tokens": 100, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 700}
            },
        },
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}},
    ],
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_cache_writes_are_counted_as_such(dialect: Dialect):
    async def read() -> Usage:
        wire = wire_for(line(dialect=dialect, base_url="http://127.0.0.1:9/v1"), None)
        assert isinstance(wire, HttpWire)
        async with asyncio.timeout(5) as limit:
            exchange = Exchange(wire.server, CALL, lambda _text, _thinking: None, limit, answered=True)
            for event in _WRITTEN[dialect]:
                wire.read_event(event, exchange)
            return exchange.reply().usage

    used = asyncio.run(read())
    assert (used.input_tokens, used.cached_tokens, used.cache_write_tokens, used.output_tokens) == (900, 100, 700, 9)


_FORMAT = {"name": "turn", "strict": True, "schema": {"type": "object"}}
_EPHEMERAL = {"type": "ephemeral"}
BODIES: dict[Dialect, dict[str, object]] = {
    "chat": {
        "model": "m",
        "messages": [
            {"role": "system", "content": "RULES"},
            {"role": "user", "content": "QUESTION\n\nSOURCE\n\nTURN\n\nTAIL"},
        ],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 700,
        "reasoning_effort": "low",
        "response_format": {"type": "json_schema", "json_schema": _FORMAT},
    },
    "responses": {
        "model": "m",
        "instructions": "RULES",
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": t} for t in ("QUESTION", "SOURCE", "TURN")]},
            {"role": "developer", "content": "TAIL"},
        ],
        "stream": True,
        "store": False,
        "max_output_tokens": 700,
        "reasoning": {"effort": "low"},
        "text": {"format": {"type": "json_schema", **_FORMAT}},
    },
    "messages": {
        "model": "m",
        "system": "RULES",
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "QUESTION"},
                    {"type": "text", "text": "SOURCE", "cache_control": _EPHEMERAL},
                    {"type": "text", "text": "TURN", "cache_control": _EPHEMERAL},
                    {"type": "text", "text": "TAIL"},
                ],
            }
        ],
        "stream": True,
        "max_tokens": 700,
        "output_config": {
            "effort": "low",
            "format": {
                "type": "json_schema",
                "schema": {"type": "object", "properties": {}, "additionalProperties": False},
            },
        },
    },
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_a_line_adds_to_each_call(server: ModelServer, dialect: Dialect):
    added = {"temperature": "0.2", "seed": 7, "extra": '{"top_p": 0.9, "options": {"num_ctx": 8192}}'}
    call = Call("", (), (), "t", {}, 100, "prompt")

    async def asked() -> None:
        wire = wire_for(line(dialect=dialect, base_url=server.base_url(dialect), **added), None)
        await wire.ask(call, lambda _text, _thinking: None, deadline_s=5)
        await wire.close()

    asyncio.run(asked())
    body = server.log[0].body or {}
    assert (body["temperature"], body["seed"], body["top_p"], body["options"]) == (0.2, 7, 0.9, {"num_ctx": 8192})


def test_a_connection_is_reused_and_a_closed_client_reconnects(server: ModelServer):
    server.set(faults=[Fault("500", at=(2,))])
    call = Call("", (), (), "t", {}, 100, "prompt")

    async def four() -> list[ReplyStatus]:
        wire = wire_for(line(base_url=server.base_url("chat")), None)
        replies = [await wire.ask(call, lambda _text, _thinking: None, deadline_s=5) for _ in range(3)]
        await wire.close()
        replies.append(await wire.ask(call, lambda _text, _thinking: None, deadline_s=5))
        await wire.close()
        await wire.close()
        return [r.status for r in replies]

    assert asyncio.run(four()) == ["complete", "error", "complete", "complete"]


ASKED = Call("", (), (), "t", {}, 100, "prompt")


async def asked_once(wire: Wire) -> Reply:
    try:
        return await wire.ask(ASKED, lambda _text, _thinking: None, deadline_s=5)
    finally:
        await wire.close()


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("step", ["body", "read_event"])
def test_a_fault_of_this_program_is_no_address_fault(
    server: ModelServer, dialect: Dialect, step: str, monkeypatch: pytest.MonkeyPatch
):
    wire = wire_for(line(dialect=dialect, base_url=server.base_url(dialect)), None)

    def broken(*_arguments: object) -> object:
        raise TypeError("a mistake of ours")

    monkeypatch.setattr(wire, step, broken)
    with pytest.raises(TypeError, match="a mistake of ours"):
        asyncio.run(asked_once(wire))


@pytest.mark.parametrize("dialect", ["chat", "responses"])
def test_a_key_that_no_request_can_hold_is_told_as_that(dialect: Dialect):
    reply = asyncio.run(asked_once(wire_for(line(dialect=dialect), "k\N{LATIN SMALL LETTER E WITH ACUTE}y")))
    assert (reply.permanent, reply.usage) == (True, Usage())
    assert reply.message == "the call cannot be sent to 127.0.0.1:9: check base_url and the key"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_unreadable_model_list_is_no_wrong_address(server: ModelServer, dialect: Dialect):
    server.set(models_fault="badjson")
    host = server.url.removeprefix("http://")
    with pytest.raises(SeatError, match=f"^{host} lists its models in a form that cannot be read$"):
        asyncio.run(server_models(line(dialect=dialect, base_url=server.base_url(dialect)), None, deadline_s=5))


class EchoStream:
    """A line of JSON for each event."""

    def __init__(self, response: httpx2.Response) -> None:
        self.response = response

    async def __aenter__(self) -> "EchoStream":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.response.aclose()

    async def __aiter__(self) -> AsyncIterator[SimpleNamespace]:
        async for event in self.response.aiter_lines():
            yield SimpleNamespace(**json.loads(event))


class EchoClient:
    """The library of a vendor whose models say what they are told."""

    def __init__(self, http_client: httpx2.AsyncClient) -> None:
        self._http = http_client

    async def stream(self, *, timeout: httpx2.Timeout, **body: object) -> EchoStream:
        request = self._http.build_request("POST", "https://echo.example/v1", json=body, timeout=timeout)
        return EchoStream(await self._http.send(request, stream=True))


def echo(request: httpx2.Request) -> httpx2.Response:
    """Send the request back in two pieces and an end."""
    said = json.loads(request.content)["text"]
    events = [{"text": said[:3], "done": False}, {"text": said[3:], "done": False}, {"text": "", "done": True}]
    lines = "".join(f"{json.dumps(event)}\n" for event in events)
    return httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=lines)


def test_the_smallest_documented_dialect_works():
    example = inspect.cleandoc(HttpWire.__doc__ or "").split("The smallest dialect:\n\n")[1].split("\n\nThis class")[0]
    names: dict[str, Any] = {"HttpWire": HttpWire, "VendorFault": VendorFault}
    names |= {"EchoClient": EchoClient, "EchoError": RuntimeError}
    exec(textwrap.dedent(example), names)
    wire: HttpWire = names["EchoWire"](line(base_url=""), None, transport=httpx2.MockTransport(echo))
    told: list[str] = []
    reply = asyncio.run(wire.ask(CALL, lambda text, _thinking: told.append(text), deadline_s=5))
    assert (reply.status, reply.text, "".join(told)) == ("complete", "TAIL", "TAIL")
    assert reply.usage.estimated
