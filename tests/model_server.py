"""A model server for tests and measurements, on loopback: three dialects, no model, faults where they are asked for.

    with ModelServer(votes=["adopt"]) as server:
        server.set(faults=[Fault("429", at=(2,))])
        ... server.base_url("chat"), server.log

Streams only. Replies are deterministic and fill the schema that was asked for. `python -m tests.model_server PORT`
serves for trials by hand.
"""

import argparse
import asyncio
import contextlib
import json
import ssl
import struct
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from socket import SO_LINGER, SOL_SOCKET
from typing import Any, Literal, cast

from tests.loop_thread import LoopThread
from tests.model_faults import BROKEN, NO_STREAM, REFUSING, Fault, Kind, Refusing, chosen, ending_of, refusal, text_of
from tests.model_replies import (
    Data,
    Dialect,
    Filling,
    Said,
    Sent,
    Tokens,
    dialect_of,
    error_events,
    prompt_of,
    reply_object,
    stream_of,
    whole_reply,
)

LOOK_S = 0.01
"""How often a waiting call looks whether its client is still there."""
DRIP_S = 0.03


@dataclass(frozen=True)
class Settings:
    """Behaviour of the server."""

    votes: Sequence[str] | Mapping[str, Sequence[str]] | None = None
    """In turn, call by call; or by the model that is asked, in turn for each; None = the first that the schema has."""
    faults: Sequence[Fault] = ()
    latency_s: float = 0
    """From the request to the last byte."""
    first_s: float | None = None
    """From the request to the first token; None = a fifth of the latency."""
    text_chars: int = 400
    piece_chars: int = 40
    thinking: str = ""
    model: str | None = None
    """The model named in the answer; None = the model that was asked."""
    models: Sequence[str] = ("small-model", "large-model")
    model_facts: Mapping[str, Any] = field(default_factory=dict)
    """What the list says of each model beside its name."""
    ollama: Mapping[str, Any] = field(default_factory=dict)
    """What Ollama's own pages say: path -> object. None of them = another server."""
    reads_at_most: int | None = None
    """Tokens of a prompt that it reads; the rest it leaves out without a word."""
    models_fault: Kind | None = None
    """What goes wrong when the list of models is asked for."""
    keep_bodies: bool = True
    whole: Literal["", "answers", "refuses"] = ""
    """A server that does not stream: it answers whole whatever it is asked, or refuses a call for a stream."""
    hangs_up: bool = False
    """It does not keep a connection: the next call on it gets no answer."""
    tool_calls: Sequence[tuple[str, str]] = ()
    """(name, arguments) of the tools that it calls, in turn, if a prompt offers a search; then it replies."""
    cites: bool = False
    """Answers and links name the first claim that the prompt has, and the prose says so too."""


@dataclass
class Logged:
    """One call as the server saw it; times are those of `time.time()`."""

    number: int
    path: str
    dialect: Dialect
    model: str
    has_key: bool
    body: Mapping[str, Any] | None
    received_at: float
    fault: Kind | None = None
    status: int = 0
    first_token_at: float | None = None
    ended_at: float | None = None
    """When the last byte was sent, or the client had gone."""
    client_left: bool = False
    tokens: Tokens | None = None
    """What the reply used, if the client was told so at its end."""
    text: str = ""
    """What would have been said, whole."""


class _Gone(Exception):
    """The client has closed the connection."""


@dataclass
class _Call:
    """One request being answered."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    log: Logged
    began_s: float
    body: Mapping[str, Any]
    key: str
    chunked: bool = field(default=False)

    def look(self) -> None:
        if self.reader.at_eof() or self.writer.transport.is_closing():
            raise _Gone

    async def until(self, moment_s: float) -> None:
        """Wait, but not for a client that has gone."""
        while (left_s := moment_s - time.monotonic()) > 0:
            self.look()
            await asyncio.sleep(min(LOOK_S, left_s))
        self.look()

    async def send(self, data: bytes) -> None:
        """A chunk of the stream; the first one comes with its head."""
        if not self.chunked:
            head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
            self.writer.write(head.encode())
            self.chunked, self.log.status = True, 200
        self.writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        await self.writer.drain()

    async def close_stream(self) -> None:
        self.writer.write(b"0\r\n\r\n")
        await self.writer.drain()

    async def answer(self, status: int, data: bytes, kind: str, headers: Mapping[str, str] | None = None) -> None:
        """A whole reply that is no stream."""
        lines = [f"HTTP/1.1 {status} -", f"content-type: {kind}", f"content-length: {len(data)}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        self.log.status = status
        self.writer.write(("\r\n".join(lines) + "\r\n\r\n").encode() + data)
        await self.writer.drain()


class ModelServer(LoopThread):
    """The server, in a separate thread while it is entered."""

    def __init__(self, port: int = 0, *, tls: ssl.SSLContext | None = None, **settings: Any) -> None:
        """`tls`: the server speaks https with this certificate."""
        self.settings = Settings(**settings)
        self._tls = tls
        self.log: list[Logged] = []
        self.trapped: list[str] = []
        """Requests that came to the address to which a redirect points: method and path."""
        self.most_at_once = 0
        self.port, self._trap_port = port, 0
        self._at_once = self._called = 0
        self._asked: Counter[str] = Counter()
        super().__init__()

    @property
    def url(self) -> str:
        """The root."""
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}"

    def base_url(self, dialect: Dialect) -> str:
        """Return the base URL for a client of this dialect: the root for messages, the /v1 address for the others."""
        return self.url if dialect == "messages" else f"{self.url}/v1"

    def set(self, **settings: Any) -> None:
        """Change how it answers from now on; the log stays."""
        self.settings = replace(self.settings, **settings)

    def reset(self, **settings: Any) -> None:
        """Forget everything and answer like this."""
        self.settings = Settings(**settings)
        self.log, self.trapped, self.most_at_once = [], [], 0
        self._asked.clear()
        self._called = 0

    def wait_for(self, what: str, calls: int = 1, within_s: float = 60) -> None:
        """Until that many calls have the field `what` of the log set; TimeoutError if they never do."""
        until = time.monotonic() + within_s
        while sum(bool(getattr(c, what)) for c in self.log) < calls:
            if time.monotonic() > until:
                raise TimeoutError(f"not {calls} calls with {what}: {self.log}")
            time.sleep(0.005)

    async def listen(self) -> list[asyncio.Server]:
        server = await asyncio.start_server(self._connected, "127.0.0.1", self.port, ssl=self._tls)
        trap = await asyncio.start_server(self._trap, "127.0.0.1", 0)
        self.port, self._trap_port = server.sockets[0].getsockname()[1], trap.sockets[0].getsockname()[1]
        return [server, trap]

    async def _trap(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = await reader.readline()
        self.trapped.append(line.decode("latin1").rsplit(" ", 1)[0])
        writer.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(_Gone, ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while await self._one(reader, writer) and not self.settings.hangs_up:
                    pass
                if self.settings.hangs_up:
                    await reader.readline()
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Read one request and answer it; False if the connection is over."""
        start = (await reader.readline()).decode("latin1").split()
        if len(start) != 3:
            return False
        headers: dict[str, str] = {}
        while (line := (await reader.readline()).decode("latin1").strip()) != "":
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
        path = start[1].partition("?")[0]
        key = headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer").strip()
        body: Mapping[str, Any] = json.loads(raw) if raw else {}
        dialect = dialect_of(path)
        log = Logged(0, path, dialect or "chat", str(body.get("model", "")), bool(key), None, time.time())
        call = _Call(reader, writer, log, time.monotonic(), body, key)
        if page := self.settings.ollama.get(path):
            await call.answer(200, json.dumps(page).encode(), JSON)
        elif start[0] == "GET" and path.endswith("/models"):
            await self._models(call, anthropic="anthropic-version" in headers)
        elif start[0] == "POST" and dialect and (body.get("stream") or self.settings.whole):
            return await self._logged(call)
        else:
            await call.answer(404, b'{"error": {"message": "no such address, or no stream asked for"}}', JSON)
        return True

    async def _models(self, call: _Call, *, anthropic: bool) -> None:
        fault = Fault(self.settings.models_fault) if self.settings.models_fault else None
        if fault and fault.kind in (*REFUSING, *NO_STREAM):
            return await self._no_stream(call, fault, "messages" if anthropic else "chat")
        stamp = "2026-01-01T00:00:00Z"
        fixed: Data = {"object": "model", "created": 1, "owned_by": "tests", "type": "model"}
        fixed |= {"created_at": stamp, "lifecycle": "active"}
        fixed |= self.settings.model_facts
        data = [{**fixed, "id": name, "display_name": name} for name in self.settings.models]
        page = {"object": "list", "data": data, "has_more": False, "first_id": None, "last_id": None}
        await call.answer(200, json.dumps(page).encode(), JSON)

    async def _logged(self, call: _Call) -> bool:
        log, settings = call.log, self.settings
        log.number = len(self.log) + 1
        self._asked[log.model] += 1
        log.body = call.body if settings.keep_bodies else None
        fault = chosen(settings.faults, log.number, log.model, call.body)
        log.fault = fault.kind if fault else None
        self.log.append(log)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            if settings.whole == "refuses" and call.body.get("stream"):
                error = {"message": "Your organization must be verified to stream this model.", "param": "stream"}
                await call.answer(400, json.dumps({"error": error}).encode(), JSON)
                return True
            if settings.whole:
                said = self._said(call, settings, None)
                log.tokens = said.tokens
                await call.answer(200, json.dumps(whole_reply(log.dialect, said)).encode(), JSON)
                return True
            if fault and fault.kind in (*REFUSING, *NO_STREAM):
                await call.until(call.began_s + settings.latency_s)
                await self._no_stream(call, fault, log.dialect)
                return True
            return await self._stream(call, settings, fault)
        except (_Gone, ConnectionError):
            log.client_left = True
            return False
        finally:
            self._at_once -= 1
            log.ended_at = time.time()

    async def _no_stream(self, call: _Call, fault: Fault, dialect: Dialect) -> None:
        match fault.kind:
            case "html":
                await call.answer(200, b"<!doctype html><title>Sign in</title><p>Please sign in.", "text/html")
            case "badjson":
                await call.answer(200, b'{"id": "x", "choices": [{"message": {"content": "half', JSON)
            case "shape":
                await call.answer(200, b'{"id": "x", "object": "thing"}', JSON)
            case "nothing":
                await call.answer(200, b"", "text/event-stream")
            case "redirect":
                where = f"http://127.0.0.1:{self._trap_port}{call.log.path}"
                await call.answer(307, b"", "text/plain", {"location": where})
            case "hang":
                await call.until(call.began_s + 600)
            case "closed":
                raise _Gone
            case _:
                said = fault.said or refusal(cast(Refusing, fault.kind), dialect, call.log.model, call.key)
                headers = fault.headers if fault.kind in ("429", "503", "529") else {}
                await call.answer(said.status, json.dumps(said.body).encode(), JSON, headers)

    def _said(self, call: _Call, settings: Settings, fault: Fault | None) -> Said:
        kind = fault.kind if fault else None
        log = call.log
        tool = self._tool_call(settings, call.body) if kind is None else None
        filling = Filling(log.number, self._vote(settings, log), settings.text_chars, settings.cites)
        text = log.text = text_of(kind, reply_object(call.body, filling), filling)
        if tool is not None:
            # A server to which no tools are offered can only write its search.
            text = log.text = "" if call.body.get("tools") else f"SEARCH: {json.loads(tool[1])['query']}"
        thinking = "I weigh what each side has said before I answer." if kind == "thinking" else settings.thinking
        # No two calls have the same numbers, so that sums can be compared.
        sent, thought = self._read(settings, call.body) + log.number, len(thinking) // 4 + log.number
        tokens = Tokens(sent, sent // 2, len(text) // 4 + thought, thought)
        model = settings.model or log.model
        called = tool if call.body.get("tools") else None
        return Said(log.number, model, text, thinking, ending_of(kind), tokens, settings.piece_chars, called)

    def _tool_call(self, settings: Settings, body: Mapping[str, Any]) -> tuple[str, str] | None:
        """The next call of a tool, if this prompt offers one and one is left."""
        offers = bool(body.get("tools")) or "`SEARCH: a few words`" in prompt_of(body)
        if not offers or self._called >= len(settings.tool_calls):
            return None
        self._called += 1
        return settings.tool_calls[self._called - 1]

    def _read(self, settings: Settings, body: Mapping[str, Any]) -> int:
        tokens = len(prompt_of(body)) // 5
        return tokens if settings.reads_at_most is None else min(tokens, settings.reads_at_most)

    def _vote(self, settings: Settings, log: Logged) -> str | None:
        votes = settings.votes
        if isinstance(votes, Mapping):
            mine = votes.get(log.model)
            return mine[(self._asked[log.model] - 1) % len(mine)] if mine else None
        return votes[(log.number - 1) % len(votes)] if votes else None

    async def _stream(self, call: _Call, settings: Settings, fault: Fault | None) -> bool:
        """False if the connection is over."""
        said = self._said(call, settings, fault)
        events = stream_of(call.log.dialect, said, call.body)
        kind = fault.kind if fault else None
        if kind in BROKEN:
            shown = [i for i, event in enumerate(events) if event.token]
            events = events[: shown[len(shown) // 2]]
        first_s = settings.latency_s / 5 if settings.first_s is None else settings.first_s
        if fault and kind == "slow":
            first_s = fault.wait_s
            await call.until(call.began_s + first_s)
        await self._paced(call, events, first_s, max(settings.latency_s, first_s))
        if kind in BROKEN:
            return await self._break(call, cast(Kind, kind))
        is_told = call.log.dialect != "chat" or (call.body.get("stream_options") or {}).get("include_usage")
        call.log.tokens = said.tokens if is_told else None
        await call.close_stream()
        return True

    async def _paced(self, call: _Call, events: Sequence[Sent], first_s: float, last_s: float) -> None:
        """The tokens spread evenly from the first to the last; everything else at once."""
        tokens, sent = max(1, sum(event.token for event in events)), 0
        for event in events:
            if event.token or (event.terminal and not sent):
                await call.until(call.began_s + first_s + (last_s - first_s) * sent / tokens)
                sent += 1
            elif event.terminal:
                await call.until(call.began_s + last_s)
            await call.send(event.raw())
            if event.token and call.log.first_token_at is None:
                call.log.first_token_at = time.time()

    async def _break(self, call: _Call, kind: Kind) -> bool:
        names = {"chat": "", "responses": "response.output_text.delta", "messages": "content_block_delta"}
        name = names[call.log.dialect]
        match kind:
            case "reset":
                # Without lingering the other side is told of a reset, not of an end.
                call.writer.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
                call.writer.transport.abort()
                return False
            case "stall":
                await call.until(call.began_s + 600)
            case "drip":
                while True:
                    await call.send(b": still here\n\n")
                    await call.until(time.monotonic() + DRIP_S)
            case "error_event" | "failed":
                for event in error_events(call.log.dialect, failed=kind == "failed"):
                    await call.send(event.raw())
            case "bad_event":
                await call.send(Sent('{"type": "half of an ev', name).raw())
            case "odd_event":
                await call.send(Sent(json.dumps({"type": name, "choices": None, "delta": None}), name).raw())
        await call.close_stream()
        return True


JSON = "application/json"


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="A model server for trials, without a model.")
    parser.add_argument("port", type=int)
    parser.add_argument("--latency", type=float, default=2, help="seconds that a call takes")
    given = parser.parse_args()
    with ModelServer(given.port, latency_s=given.latency, votes=None, piece_chars=8) as server:
        print(f"serving {server.url} (messages) and {server.url}/v1 (chat, responses)", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()


if __name__ == "__main__":
    main()
