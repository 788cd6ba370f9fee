"""One call as far as it has come: what was heard, what the server says it used, how it ended.

The dialects tell it what an event means; it makes the Reply. A stream is complete only if it said so itself.
Values of events are untrusted: `dig` and its kin give nothing where a field is not what it should be.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, assert_never

from debate_core.seats.wires.faults import SCHEMA, Fault, Server, passing, scrub
from debate_core.seats.wires.redact import Clean, name_of
from debate_core.seats.wires.wire import Call, Heard, Reply, ReplyStatus
from debate_core.spec.values import Usage

Ending = Literal["whole", "limit", "declined", "filtered", "tool"]
CHARS_PER_TOKEN = 4
LAST_BYTES_S = 2.0
"""How long a stream may stay open after its own end: usage may follow, and a drained connection is used again."""
MAX_REPLY_CHARS = 1_000_000
MAX_COUNT = 10**9
"""Of tokens in one call: a higher number is no count."""


def dig(value: object, *path: str | int) -> object:
    """What is at this path of nested objects and lists, None if there is nothing."""
    for step in path:
        if isinstance(step, str):
            value = value.get(step) if isinstance(value, Mapping) else None
        else:
            value = value[step] if isinstance(value, list) and len(value) > step else None
    return value


def text_at(value: object, *path: str | int) -> str:
    """The text there, "" if there is none."""
    found = dig(value, *path)
    return found if isinstance(found, str) else ""


def count_at(value: object, *path: str | int) -> int:
    """The number there, 0 if there is none that counts anything."""
    found = dig(value, *path)
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 < found <= MAX_COUNT else 0


def _parts(call: Call) -> tuple[str, ...]:
    schema = json.dumps(call.schema) if call.structured == "schema" else ""
    return (call.system, *call.blocks, call.tail, schema)


def prompt_chars(call: Call) -> int:
    """Characters of what is sent, the schema included where one is."""
    return sum(map(len, _parts(call)))


def prompt_bytes(call: Call) -> int:
    """The same in bytes of UTF-8."""
    return sum(len(part.encode("utf-8", "replace")) for part in _parts(call))


@dataclass
class Exchange:
    """What came of one call up to now; `reply` may be asked at any moment."""

    server: Server
    call: Call
    heard: Heard
    limit: asyncio.Timeout
    sent: bool = False
    """True once the server has answered."""
    began: bool = False
    """True once an event came that belongs to a reply."""
    text: str = ""
    refusal: str = ""
    """What the model says, or its server, when it declines."""
    reason: str = ""
    """Why the reply ends, where that comes before its end."""
    model: str | None = None
    _text: Clean = field(init=False)
    _thinking: Clean = field(init=False)
    _thought_chars: int = field(default=0, init=False)
    said: Usage | None = field(default=None, init=False)
    """What the server says was used, up to now."""
    _used_whole: bool = field(default=False, init=False)
    _ended: tuple[ReplyStatus, str] | None = field(default=None, init=False)
    _fault: Fault | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._text, self._thinking = Clean(self.server.key), Clean(self.server.key)

    def hear(self, text: str, thinking: str = "") -> None:
        """More of the reply."""
        if not (text or thinking) or self._over():
            return
        self.began = True
        text, thinking = self._text(text), self._thinking(thinking)
        self.text += text
        self._thought_chars += len(thinking)
        if len(self.text) + self._thought_chars > MAX_REPLY_CHARS:
            self.fail(passing(f"{self.server.host} sent more than {MAX_REPLY_CHARS:,} characters", status="malformed"))
            self.limit.reschedule(0)
            return
        self.heard(text, thinking)

    def used(self, tokens: tuple[int, int, int, int], *, whole: bool) -> None:
        """What the server says: (input with cached, cached, output with thinking, thinking); `whole` at the end."""
        given, cached, output, thinking = tokens
        if given or output:
            self.said = Usage(
                calls=1,
                input_tokens=given,
                cached_tokens=min(cached, given),
                output_tokens=output,
                reasoning_tokens=min(thinking, output),
            )
            self._used_whole = whole

    def end(self, status: ReplyStatus, message: str = "") -> None:
        """The stream came to its own end. The first end or fault holds."""
        if not self._over():
            self._ended = (status, message)
            soon_s = asyncio.get_running_loop().time() + LAST_BYTES_S
            self.limit.reschedule(min(soon_s, self.limit.when() or soon_s))

    def end_as(self, how: Ending) -> None:
        """One of the usual ends, in the same words for every dialect."""
        host = self.server.host
        match how:
            case "whole":
                self.end("complete")
            case "limit":
                self.end("length", f"the reply from {host} reached the limit of {self.call.max_tokens:,} tokens")
            case "declined":
                said = scrub(self.refusal, self.server)
                self.end("refusal", f"the model at {host} declines{': ' if said else ''}{said}")
            case "filtered":
                self.end("filtered", f"{host} filtered the reply")
            case "tool":
                self.end("malformed", f"the model at {host} calls a tool, and none was offered")
            case _:
                assert_never(how)

    def fail(self, fault: Fault) -> None:
        """Something went wrong; after the stream's own end it changes nothing."""
        if not self._over():
            self._fault = fault

    def _over(self) -> bool:
        return self._ended is not None or self._fault is not None

    def reply(self) -> Reply:
        """The whole call, or how far it came."""
        self.text += self._text.rest()
        usage, host = self._usage(), self.server.host
        if self._ended is not None:
            status, message = self._ended
            return Reply(status, self.text, usage, message)
        fault = self._fault
        if fault is None:
            fault = (
                passing(f"the stream of {host} stopped before its end", status="cut")
                if self.began
                else passing(f"{host} sent a stream with nothing of a reply in it", status="malformed")
            )
        refused = fault.refused == SCHEMA
        return Reply(fault.status, self.text, usage, fault.message, fault.permanent, fault.retry_after_ms, refused)

    def _usage(self) -> Usage:
        """What the server said; where it did not, an estimate from the characters, marked as one."""
        fault = self._fault or Fault("")
        if not (self.sent or (self._fault and fault.sent)):
            return Usage()
        said, model = self.said, name_of(self.model or "", self.server.key) or None
        received = -(-(len(self.text) + self._thought_chars) // CHARS_PER_TOKEN)
        if said is not None and self._used_whole and (said.output_tokens or not received):
            return said.model_copy(update={"model": model})
        if not fault.billed:
            return Usage(calls=1, estimated=True)
        return Usage(
            calls=1,
            input_tokens=(said and said.input_tokens) or -(-prompt_chars(self.call) // CHARS_PER_TOKEN),
            cached_tokens=said.cached_tokens if said else 0,
            output_tokens=max(said.output_tokens if said else 0, received),
            reasoning_tokens=said.reasoning_tokens if said else 0,
            estimated=True,
            model=model,
        )


Body = dict[str, object]
"""What a dialect sends as JSON."""


def bounded(schema: object, max_items: int) -> object:
    """The schema with an upper bound on every list: small models go on in a list until they are cut off."""
    if isinstance(schema, Mapping):
        made = {name: bounded(inner, max_items) for name, inner in schema.items()}
        return {**made, "maxItems": max_items} if made.get("type") == "array" and "maxItems" not in made else made
    if isinstance(schema, Sequence) and not isinstance(schema, str):
        return [bounded(inner, max_items) for inner in schema]
    return schema
