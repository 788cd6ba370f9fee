"""One call as far as it has come: the text, what the server says it used, how it ended.

The dialects tell it what an event means; it makes the Reply. A stream is complete only if it said so itself.
Values of events are untrusted: `value_at` and its like give nothing where a field is not what it should be.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, assert_never

from debate_core.seats.wires.faults import SCHEMA, SOON_MS, Fault, temporary_fault
from debate_core.seats.wires.provider_errors import Server, scrub
from debate_core.seats.wires.redact import Redactor, name_of
from debate_core.seats.wires.wire import Call, OnPiece, Reply, ReplyStatus
from debate_core.sentence import Sentence
from debate_core.spec.values import Usage

Ending = Literal["whole", "limit", "declined", "filtered", "tool", "broken"]
"""`broken` where the server ended the reply and not the model."""
CHARS_PER_TOKEN = 4
LAST_BYTES_S = 2.0
"""How long a stream may stay open after its own end: usage may follow, and a drained connection is used again."""
MAX_REPLY_CHARS = 1_000_000
MAX_COUNT = 10**9
"""Of tokens in one call: a higher number is no count."""


def value_at(value: object, *path: str | int) -> object:
    """What is at this path of nested objects and lists, None if there is nothing."""
    for step in path:
        if isinstance(step, str):
            value = value.get(step) if isinstance(value, Mapping) else None
        else:
            value = value[step] if isinstance(value, list) and len(value) > step else None
    return value


def text_at(value: object, *path: str | int) -> str:
    """The text there, "" if there is none."""
    text = value_at(value, *path)
    return text if isinstance(text, str) else ""


def count_at(value: object, *path: str | int) -> int:
    """The number there, 0 if there is none that counts anything."""
    count = value_at(value, *path)
    if not isinstance(count, int) or isinstance(count, bool):
        return 0
    return count if 0 < count <= MAX_COUNT else 0


def text_and_thinking(content: object) -> tuple[str, str]:
    """The text of a content and the thinking in it: a text alone, or a list of parts, as Mistral's models send it.

    `[{"type": "thinking", "thinking": [{"type": "text", "text": "I weigh."}]}, {"type": "text", "text": "Yes."}]`
    """
    if isinstance(content, str):
        return content, ""
    text, thinking = "", ""
    for part in content if isinstance(content, list) else ():
        kind = text_at(part, "type")
        if kind in _THINKING:
            thinking += "".join(text_and_thinking(value_at(part, kind) or value_at(part, "text")))
        else:
            text += text_at(part, "text")
    return text, thinking


_THINKING = ("thinking", "reasoning")
"""Types of parts that are no part of the reply."""


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
    on_piece: OnPiece
    limit: asyncio.Timeout
    answered: bool = False
    """True once the server has answered."""
    began: bool = False
    """True once an event came that belongs to a reply."""
    text: str = ""
    refusal: str = ""
    """What the model says, or its server, when it declines."""
    reason: str = ""
    """Why the reply ends, where that comes before its end."""
    unknown_end: str = ""
    """What the server calls the end of the reply, where that is no word that its dialect knows."""
    unread: bool = False
    """True once a content came in a form that nobody here reads."""
    asides: set[str] = field(default_factory=set)
    """Items of the reply that are no part of it, as their server names them."""
    heard_item: bool = False
    """True once text of the item came that is under way."""
    model: str | None = None
    reported: Usage | None = field(default=None, init=False)
    """What the server says was used, up to now."""
    _redact_text: Redactor = field(init=False)
    _redact_thinking: Redactor = field(init=False)
    _thinking_chars: int = field(default=0, init=False)
    _usage_is_final: bool = field(default=False, init=False)
    _ended: tuple[ReplyStatus, str] | None = field(default=None, init=False)
    _fault: Fault | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._redact_text = Redactor(self.server.key)
        self._redact_thinking = Redactor(self.server.key)

    def add(self, text: str, thinking: str = "") -> None:
        """More of the reply."""
        if not (text or thinking) or self._over():
            return
        self.began = True
        text = self._redact_text(text)
        thinking = self._redact_thinking(thinking)
        self.text += text
        self._thinking_chars += len(thinking)
        if len(self.text) + self._thinking_chars > MAX_REPLY_CHARS:
            too_long = Sentence(
                "{host} sent more than {most:,} characters",
                host=self.server.host,
                most=MAX_REPLY_CHARS,
            )
            self.fail(Fault(too_long, "malformed", retry_after_ms=SOON_MS))
            self.limit.reschedule(0)
            return
        self.on_piece(text, thinking)

    def add_content(self, content: object) -> None:
        """More of the reply, as a text or as a list of parts."""
        text, thinking = text_and_thinking(content)
        self.add(text, thinking)
        self.unread = self.unread or bool(content and not (text or thinking))

    def restate(self, text: str) -> None:
        """The whole reply, where what was heard held more than belongs to it."""
        if not self._over():
            self._redact_text = Redactor(self.server.key)
            self.text = self._redact_text(text)

    def set_usage(
        self, *, sent: int, cached: int, output: int, thinking: int, final: bool, written: int | None = None
    ) -> None:
        """Tokens as the server counts them: `sent` with those read from a cache and written into it (None = not said),
        `output` with thinking; `final` at the end."""
        if sent or output:
            self.reported = Usage(
                calls=1,
                input_tokens=sent,
                cached_tokens=min(cached, sent),
                output_tokens=output,
                reasoning_tokens=min(thinking, output),
                cache_write_tokens=None if written is None else min(written, sent),
            )
            self._usage_is_final = final

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
            case "whole" if self.unread and not self.text:
                form = Sentence("{host} sent its reply in a form that this program does not read", host=host)
                self.began = True
                self.fail(temporary_fault(form, status="malformed"))
            case "whole":
                self.end("complete")
            case "broken":
                broken = Sentence(
                    "{host} broke off the reply ({reason})", host=host, reason=scrub(self.reason, self.server)
                )
                self.fail(temporary_fault(broken, status="cut"))
            case "limit":
                self.end("length", f"the reply from {host} reached the limit of {self.call.max_tokens:,} tokens")
            case "declined":
                why = scrub(self.refusal, self.server)
                self.end("refusal", f"the model at {host} declines{': ' if why else ''}{why}")
            case "filtered":
                self.end("filtered", f"{host} filtered the reply")
            case "tool":
                self.end("malformed", f"the model at {host} calls a tool, and none was offered")
            case _:
                assert_never(how)

    def end_by(self, reason: str, known: Mapping[str, Ending]) -> None:
        """The end by the server's own word for it; one that is not `known` goes along with the reply."""
        self.reason = reason
        how = known.get(reason.casefold())
        if how is None:
            self.unknown_end = scrub(reason, self.server)
        self.end_as(how or "whole")

    def fail(self, fault: Fault) -> None:
        """Something went wrong; after the stream's own end it changes nothing."""
        if not self._over():
            self._fault = fault

    def _over(self) -> bool:
        return self._ended is not None or self._fault is not None

    def reply(self) -> Reply:
        """The whole call, or how far it came."""
        self.text += self._redact_text.rest()
        usage = self._usage()
        host = self.server.host
        if self._ended is not None:
            status, message = self._ended
            return Reply(
                status, self.text, usage, message, unknown_end=self.unknown_end, max_tokens=self.call.max_tokens
            )
        if self._fault is not None:
            fault = self._fault
        elif self.began:
            fault = temporary_fault(Sentence("the stream of {host} stopped before its end", host=host), status="cut")
        else:
            fault = temporary_fault(
                Sentence("{host} sent a stream with nothing of a reply in it", host=host), status="malformed"
            )
        # What would go wrong again in the middle of a reply is about what was asked.
        transport = fault.transport and not (self.began and fault.permanent)
        return Reply(
            fault.status,
            self.text,
            usage,
            fault.message,
            fault.permanent,
            fault.retry_after_ms,
            transport=transport,
            began=transport and self.began,
            schema_refused=fault.refused == SCHEMA,
            max_tokens=self.call.max_tokens,
            reached=fault.reached or (fault.status == "timeout" and not transport),
        )

    def _usage(self) -> Usage:
        """What the server said; where it did not, an estimate from the characters, marked as one."""
        if not self._has_arrived():
            return Usage()
        reported = self.reported or Usage()
        received_tokens = _tokens_of(len(self.text) + self._thinking_chars)
        if self._usage_is_final and (reported.output_tokens or not received_tokens):
            return reported.model_copy(update={"model": self._model_name()})
        if self._fault is not None and not self._fault.billed:
            return Usage(calls=1, estimated=True)
        estimate = {
            "calls": 1,
            "input_tokens": reported.input_tokens or _tokens_of(prompt_chars(self.call)),
            "output_tokens": max(reported.output_tokens, received_tokens),
            "estimated": True,
            "model": self._model_name(),
        }
        return reported.model_copy(update=estimate)

    def _has_arrived(self) -> bool:
        """True if the server may have read the call."""
        return self.answered or (self._fault is not None and self._fault.sent)

    def _model_name(self) -> str | None:
        """The model that answered, as it can be recorded."""
        return name_of(self.model or "", self.server.key) or None


def _tokens_of(chars: int) -> int:
    """About how many tokens so many characters are, rounded up."""
    return -(-chars // CHARS_PER_TOKEN)


RequestBody = dict[str, object]
"""What a dialect sends as JSON."""


def with_max_items(schema: object, max_items: int) -> object:
    """The schema with an upper bound on every list: small models go on in a list until they are cut off."""
    if isinstance(schema, Mapping):
        copy = {name: with_max_items(inner, max_items) for name, inner in schema.items()}
        if copy.get("type") == "array":
            copy.setdefault("maxItems", max_items)
        return copy
    if isinstance(schema, Sequence) and not isinstance(schema, str):
        return [with_max_items(inner, max_items) for inner in schema]
    return schema
