"""State of one call while it streams: its text, its usage, its end.

The dialects update it from events, and `Exchange.reply` makes the Reply. A stream is complete only if its server says
that it is. Values of events are untrusted: `value_at`, `text_at` and `count_at` give nothing for a field of another
shape.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, assert_never

from debate_core.seats.providers.faults import SCHEMA, SOON_MS, Fault, temporary_fault
from debate_core.seats.providers.provider_errors import Server, scrub
from debate_core.seats.providers.redact import Redactor, name_of
from debate_core.seats.providers.wire import Call, OnPiece, Reply, ReplyStatus
from debate_core.sentence import Sentence
from debate_core.spec.values import Usage

Ending = Literal["whole", "limit", "declined", "filtered", "tool", "broken"]
"""`broken` where the server ended the reply and not the model."""
CHARS_PER_TOKEN = 4
LAST_BYTES_S = 2.0
"""How long a stream may stay open after its own end: usage may follow, and the connection can then be reused."""
MAX_REPLY_CHARS = 1_000_000
MAX_ARGUMENT_CHARS = 10_000
"""Longer arguments of a tool are cut, and then not readable."""
MAX_COUNT = 10**9
"""Tokens in one call; a higher number is invalid."""


def value_at(value: object, *path: str | int) -> object:
    """The value at this path of nested objects and lists; None if it is missing."""
    for step in path:
        if isinstance(step, str):
            value = value.get(step) if isinstance(value, Mapping) else None
        else:
            value = value[step] if isinstance(value, list) and len(value) > step else None
    return value


def text_at(value: object, *path: str | int) -> str:
    """The text at this path, "" if there is none."""
    text = value_at(value, *path)
    return text if isinstance(text, str) else ""


def count_at(value: object, *path: str | int) -> int:
    """The positive number at this path, else 0."""
    count = value_at(value, *path)
    if not isinstance(count, int) or isinstance(count, bool):
        return 0
    return count if 0 < count <= MAX_COUNT else 0


def text_and_thinking(content: object) -> tuple[str, str]:
    """Split a content into its text and its thinking: a plain text, or a list of parts, as Mistral's models send it.

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
"""Types of parts that do not belong to the reply."""


WHOLE_SHARE = 0.8
"""Least tokens for each word of a prompt: a word is at least one token for every tokenizer in use."""


def cut_prompt(call: Call, usage: Usage) -> str:
    """One sentence if the server silently cut the prompt: it counts fewer tokens than the prompt has words."""
    words = sum(len(part.split()) for part in (call.system, *call.blocks, call.tail))
    if usage.estimated or not usage.input_tokens or usage.input_tokens >= words * WHOLE_SHARE:
        return ""
    return (
        f"the server read {usage.input_tokens:,} tokens of a prompt of more than {words:,}, and did not say so: "
        "give the model a larger context there (num_ctx in Ollama)"
    )


def _parts(call: Call) -> tuple[str, ...]:
    schema = json.dumps(call.schema) if call.structured == "schema" else ""
    tools = [f"{tool.name} {tool.description} {json.dumps(tool.parameters)}" for tool in call.tools]
    return (call.system, *call.blocks, call.tail, schema, *tools)


def tokens_of(chars: int) -> int:
    """Estimated tokens of a text of this length, rounded up."""
    return -(-chars // CHARS_PER_TOKEN)


def prompt_chars(call: Call) -> int:
    """Characters of the prompt, and of its schema if one is sent."""
    return sum(map(len, _parts(call)))


def prompt_bytes(call: Call) -> int:
    """The length of the prompt in bytes of UTF-8."""
    return sum(len(part.encode("utf-8", "replace")) for part in _parts(call))


@dataclass
class Exchange:
    """One call up to now; `reply` can be called at any moment."""

    server: Server
    call: Call
    on_piece: OnPiece
    limit: asyncio.Timeout
    answered: bool = False
    """True once the server has answered."""
    began: bool = False
    """True once an event of a reply came."""
    text: str = ""
    refusal: str = ""
    """Reason that the model or its server gives for declining."""
    reason: str = ""
    """Reason for the end of the reply, if it comes before the end."""
    unknown_end: str = ""
    """The server's word for the end of the reply, if its dialect does not know it."""
    unread: bool = False
    """True once a content came in an unknown form."""
    asides: set[str] = field(default_factory=set)
    """Names of items, such as commentary, that do not belong to the reply."""
    tool_name: str = ""
    """The first tool that the model calls."""
    tool_arguments: str = ""
    heard_item: bool = False
    """True once text of the current item came."""
    model: str | None = None
    reported: Usage | None = field(default=None, init=False)
    """Usage as the server reported it so far."""
    _redact_text: Redactor = field(init=False)
    _redact_thinking: Redactor = field(init=False)
    _thinking_chars: int = field(default=0, init=False)
    _tool_place: object = field(default=None, init=False)
    _usage_is_final: bool = field(default=False, init=False)
    _ended: tuple[ReplyStatus, str] | None = field(default=None, init=False)
    _fault: Fault | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._redact_text = Redactor(self.server.key)
        self._redact_thinking = Redactor(self.server.key)

    def add(self, text: str, thinking: str = "") -> None:
        """Append text and thinking of the reply."""
        if not (text or thinking) or self._over():
            return
        self.began = True
        text = self._redact_text(text)
        thinking = self._redact_thinking(thinking)
        self.text += text
        self._thinking_chars += len(thinking)
        if len(self.text) + self._thinking_chars > MAX_REPLY_CHARS:
            too_long = Sentence(
                "{host} sent more than {most:,} characters", host=self.server.host, most=MAX_REPLY_CHARS
            )
            self.fail(Fault(too_long, "malformed", retry_after_ms=SOON_MS))
            self.limit.reschedule(0)
            return
        self.on_piece(text, thinking)

    def add_content(self, content: object) -> None:
        """Append more of the reply, given as a text or as a list of parts."""
        text, thinking = text_and_thinking(content)
        self.add(text, thinking)
        if content and not (text or thinking):
            self.unread = True

    def add_tool_call(self, place: object, name: str = "", arguments: str = "") -> None:
        """Append a part of the call at this place of the reply; all calls but the first one are ignored."""
        if self._over():
            return
        self.began = True
        if not self.tool_name:
            self.tool_name, self._tool_place = name, place
        elif place != self._tool_place or (place is None and name):
            return
        self.tool_arguments = (self.tool_arguments + arguments)[:MAX_ARGUMENT_CHARS]

    def restate(self, text: str) -> None:
        """Replace the text by the whole reply, if more than the reply was streamed."""
        if not self._over():
            self._redact_text = Redactor(self.server.key)
            self.text = self._redact_text(text)

    def set_usage(
        self, *, sent: int, cached: int, output: int, thinking: int, final: bool, written: int | None = None
    ) -> None:
        """Set the server's token counts: `sent` includes `cached` and `written` ones (None = not reported), `output`
        includes `thinking`; `final` at the end of the stream."""
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
        """Record that the stream came to its own end. The first end or fault counts."""
        if not self._over():
            self._ended = (status, message)
            soon_s = asyncio.get_running_loop().time() + LAST_BYTES_S
            self.limit.reschedule(min(soon_s, self.limit.when() or soon_s))

    def end_as(self, how: Ending) -> None:
        """Record one of the usual ends, with the same message in every dialect."""
        host = self.server.host
        match how:
            case "whole":
                self._end_whole()
            case "broken":
                broken = Sentence(
                    "{host} broke off the reply ({reason})", host=host, reason=scrub(self.reason, self.server)
                )
                self.fail(temporary_fault(broken, status="cut"))
            case "limit":
                self.end("length", f"the reply from {host} reached the limit of {self.call.max_tokens:,} tokens")
            case "declined":
                why = scrub(self.refusal, self.server)
                message = f"the model at {host} declines"
                self.end("refusal", f"{message}: {why}" if why else message)
            case "filtered":
                self.end("filtered", f"{host} filtered the reply")
            case "tool" if self.call.tools:
                self.end("tool")
            case "tool":
                self.end("malformed", f"the model at {host} calls a tool, and none was offered")
            case _:
                assert_never(how)

    def _end_whole(self) -> None:
        if self.tool_name and self.call.tools:
            # Some servers give the reason of a whole reply for a call of a tool.
            self.end("tool")
            return
        if self.text or not self.unread:
            self.end("complete")
            return
        form = Sentence("{host} sent its reply in a form that this program does not read", host=self.server.host)
        self.began = True
        self.fail(temporary_fault(form, status="malformed"))

    def end_by(self, reason: str, known: Mapping[str, Ending]) -> None:
        """Record the end by the server's own word for it; an unknown word counts as "whole" and is kept."""
        self.reason = reason
        how = known.get(reason.casefold())
        if how is None:
            self.unknown_end = scrub(reason, self.server)
        self.end_as(how or "whole")

    def fail(self, fault: Fault) -> None:
        """Record a fault, unless the stream has ended or failed before."""
        if not self._over():
            self._fault = fault

    def _over(self) -> bool:
        return self._ended is not None or self._fault is not None

    def reply(self) -> Reply:
        """The reply, complete or as far as it came."""
        self.text += self._redact_text.rest()
        usage = self._usage()
        host = self.server.host
        most = self.call.max_tokens
        if self._ended is not None:
            status, message = self._ended
            return Reply(
                status,
                self.text,
                usage,
                message,
                unknown_end=self.unknown_end,
                tool_name=name_of(self.tool_name, self.server.key),
                tool_arguments=self._without_key(self.tool_arguments),
                max_tokens=most,
            )
        if self._fault is not None:
            fault = self._fault
        elif self.began:
            fault = temporary_fault(Sentence("the stream of {host} stopped before its end", host=host), status="cut")
        else:
            fault = temporary_fault(Sentence("{host} sent a stream without a reply", host=host), status="malformed")
        # A permanent fault in the middle of a reply is about the prompt.
        transport = fault.transport and not (self.began and fault.permanent)
        is_late_reply = fault.status == "timeout" and not transport
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
            max_tokens=most,
            reached=fault.reached or is_late_reply,
        )

    def _usage(self) -> Usage:
        """The reported usage, or an estimate from the characters, marked as one."""
        if not self._may_have_arrived():
            return Usage()
        reported = self.reported or Usage()
        model = self._model_name()
        received_tokens = tokens_of(len(self.text) + len(self.tool_arguments) + self._thinking_chars)
        if self._usage_is_final and (reported.output_tokens or not received_tokens):
            return reported.model_copy(update={"model": model})
        if self._fault is not None and not self._fault.billed:
            return Usage(calls=1, estimated=True)
        estimate = {
            "calls": 1,
            "input_tokens": reported.input_tokens or tokens_of(prompt_chars(self.call)),
            "output_tokens": max(reported.output_tokens, received_tokens),
            "estimated": True,
            "model": model,
        }
        return reported.model_copy(update=estimate)

    def _without_key(self, text: str) -> str:
        redact = Redactor(self.server.key)
        return redact(text) + redact.rest()

    def _model_name(self) -> str | None:
        return name_of(self.model or "", self.server.key) or None

    def _may_have_arrived(self) -> bool:
        """False if the server surely never had the call."""
        return self.answered or (self._fault is not None and self._fault.sent)


RequestBody = dict[str, object]
"""JSON body of a request."""


def with_max_items(schema: object, max_items: int) -> object:
    """Limit every list in a schema, because small models continue a list until they are cut off."""
    if isinstance(schema, Mapping):
        copy = {name: with_max_items(inner, max_items) for name, inner in schema.items()}
        if copy.get("type") == "array":
            copy.setdefault("maxItems", max_items)
        return copy
    if isinstance(schema, Sequence) and not isinstance(schema, str):
        return [with_max_items(inner, max_items) for inner in schema]
    return schema
