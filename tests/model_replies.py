"""Replies of the fault server: deterministic texts and their events in the three dialects.

Pure: no socket and no clock. Knows nothing of debates but the names of the fields that a reply may have.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

Dialect = Literal["chat", "responses", "messages"]
Ending = Literal["stop", "length", "refusal", "filter"]
Data = dict[str, Any]
WORDS = (
    "The change pays off once the second team has moved, because the load of the shared store falls and both sides "
    "can be rolled back on their own. The price is a longer period in which two paths are kept in step. "
)
REFUSAL = "I cannot help with this request."
STREAM_ERROR = "Something went wrong upstream."
FIELDS = (
    *("rationale", "stance", "claims", "answers", "concedes", "vote", "confidence", "strength"),
    *("answer", "strongest", "established", "contested", "option", "marks"),
    *("thesis", "scope", "criteria", "key_sources", "positions", "candidates", "struck"),
    *("reason", "next_speakers", "briefing", "new_angle", "done"),
    *("synthesis", "quality", "resolved", "unresolved"),
    *("recommend_another_round", "confidence_level", "uncertainties"),
    *("reasoning", "verdict"),
)
"""Fields that a prompt may ask for when no schema comes with it."""
ARGUMENT = FIELDS[:7]
PROSE = ("rationale", "answer", "thesis", "reason", "synthesis", "reasoning")
LISTS = (
    *("claims", "answers", "concedes", "strongest", "established", "contested", "marks"),
    *("struck", "criteria", "key_sources", "next_speakers", "quality", "resolved", "unresolved", "uncertainties"),
)


@dataclass(frozen=True)
class Tokens:
    """Token usage of a call: input with the cached part, output with the thinking."""

    input: int
    cached: int
    output: int
    reasoning: int


@dataclass(frozen=True)
class Said:
    """One reply before it is put into a dialect."""

    number: int
    model: str
    text: str
    thinking: str
    ending: Ending
    tokens: Tokens
    piece_chars: int
    tool: tuple[str, str] | None = None
    """Name and arguments of a tool that is called instead of a reply."""

    def pieces(self) -> list[str]:
        """The text in the pieces that are sent, at least one unless it is empty."""
        return [self.text[i : i + self.piece_chars] for i in range(0, len(self.text), self.piece_chars)]

    def thoughts(self) -> list[str]:
        return [w + " " for w in self.thinking.split()]


def dialect_of(path: str) -> Dialect | None:
    """Derive the dialect from the end of the path, as the vendors' libraries build it."""
    for end, dialect in (("/chat/completions", "chat"), ("/responses", "responses"), ("/messages", "messages")):
        if path.endswith(end):
            return dialect  # type: ignore[return-value]
    return None


def texts(value: object) -> Iterator[str]:
    """Every text of a body, in order: the prompt in any dialect."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            if name not in ("type", "role", "cache_control", "prompt_cache_breakpoint"):
                yield from texts(inner)
    elif isinstance(value, Sequence):
        for inner in value:
            yield from texts(inner)


def prompt_of(body: Mapping[str, Any]) -> str:
    return "\n".join(texts([body.get(k) for k in ("instructions", "system", "messages", "input")]))


def schema_of(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The JSON schema that was asked for, None if there is none."""
    asked = body.get("response_format") or (body.get("text") or {}).get("format")
    asked = asked or (body.get("output_config") or {}).get("format") or {}
    schema = (asked.get("json_schema") or asked).get("schema")
    return schema if isinstance(schema, Mapping) else None


@dataclass(frozen=True)
class Filling:
    """Field values of a reply."""

    number: int
    vote: str | None
    text_chars: int
    cites: bool = False
    claim: str = ""
    """The claim that is cited; "" for none."""

    def prose(self) -> str:
        start = f"Call {self.number}. " + (f"As {self.claim} says. " if self.claim else "")
        return (start + WORDS * (self.text_chars // len(WORDS) + 1))[: self.text_chars]

    def text(self, key: str) -> str:
        """A string field by its name."""
        if key in PROSE:
            return self.prose()
        if key in ("vote", "option"):
            return self.vote or "abstain"
        return f"Point of call {self.number}." if key in ("text", "stance") else ""


def reply_object(body: Mapping[str, Any], filling: Filling) -> Data:
    """A JSON object as the schema asks for it, else with the fields that the prompt names."""
    schema = schema_of(body)
    claims = re.findall(r"^Claim (\S+):", prompt_of(body), re.MULTILINE) if filling.cites else []
    filling = replace(filling, claim=claims[0]) if claims else filling
    if schema is not None:
        made: Data = fill(schema, schema, "", filling)
        own = {"positions": sides_in, "candidates": candidates_in, "reasons": reasons_in}
        return made | {name: make(prompt_of(body)) for name, make in own.items() if name in made}
    named = fields_in(prompt_of(body))
    values: Data = {key: [] for key in LISTS} | {"positions": sides_in(prompt_of(body))}
    values |= {"candidates": candidates_in(prompt_of(body))}
    values |= {"claims": [{"text": filling.text("text")}], "confidence": 70, "strength": 7, "confidence_level": "LOW"}
    # Whom a moderator could name is not known without a schema.
    values |= {"recommend_another_round": False, "done": True}
    said = {name: values[name] if name in values else filling.text(name) for name in named}
    return said | ballot_in(prompt_of(body), said, filling)


def ballot_in(prompt: str, said: Data, filling: Filling) -> Data:
    """The vote where a prompt asks for another kind than one option."""
    asked = re.search(r"Instead of `vote` give `([a-z]+)`", prompt)
    if asked is None or "vote" not in said:
        return {}
    del said["vote"]
    option = filling.vote or json.loads(re.findall(r"^The options: (\"(?:[^\"\\]|\\.)*\")", prompt, re.MULTILINE)[-1])
    named = asked[1] in ("approvals", "ranking")
    given = {"says": "consent", "reason": ""} if asked[1] == "consent" else {"points": 1}
    return {asked[1]: [option if named else {"option": option, **given}]}


def sides_in(prompt: str) -> Sequence[Data]:
    """Return as many positions as the prompt asks for: no schema gives the number."""
    wanted = re.search(r"^- positions: exactly (\d+)", prompt, re.MULTILINE)
    count = int(wanted[1]) if wanted else 0
    return [{"name": f"Side {n}", "claim": "It pays.", "because": "It is cheap."} for n in range(1, count + 1)]


def reasons_in(prompt: str) -> Sequence[str]:
    """One that depends on the prompt, so that two seats do not say the same."""
    return [f"The load doubled, reason {len(prompt)} of a reversal."]


def candidates_in(prompt: str) -> Sequence[Data]:
    """Three that the prompt does not have yet."""
    known = len(re.findall(r'^Candidate "', prompt, re.MULTILINE))
    return [{"name": f"Way {known + n}", "text": "A table.", "builds_on": []} for n in range(1, 4)]


def fields_in(prompt: str) -> Sequence[str]:
    """The fields of the last reply that a prompt describes, as a list (`- vote:`) or as JSON (`"vote":`)."""
    listed = re.findall(r"^- ([a-z_]+):", prompt, re.MULTILINE)
    starts = [i for i, name in enumerate(listed) if name in (*PROSE, "marks")]
    found = listed[starts[-1] :] if starts else re.findall(r'"([a-z_]+)":', prompt)
    return [name for name in FIELDS if name in found] or ARGUMENT


def fill(schema: Mapping[str, Any], root: Mapping[str, Any], key: str, filling: Filling) -> Any:
    """The simplest value that a JSON schema allows; lists of objects have one item, other lists none."""
    if "$ref" in schema:
        found: Any = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return fill(found, root, key, filling)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return filling.vote if filling.vote in schema["enum"] else schema["enum"][0]
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in schema:
            real = [s for s in schema[choice] if s.get("type") != "null"]
            return fill(real[0], root, key, filling)
    kind = schema.get("type")
    kind = next((k for k in kind if k != "null"), None) if isinstance(kind, list) else kind
    match kind:
        case "object":
            return {name: fill(s, root, name, filling) for name, s in schema.get("properties", {}).items()}
        case "array":
            items = schema.get("items", {})
            if key in ("next_speakers", "ranking", "approvals"):
                words = sorted(items.get("enum", []), key=lambda w: w != filling.vote)
                return words[:1] if key == "approvals" else words
            if key in ("answers", "links") and filling.claim:
                return [filling.claim]
            is_object = "properties" in items or "$ref" in items
            wanted = max(schema.get("minItems", 0), 1 if is_object and key != "marks" else 0)
            return [fill(items, root, key, filling) for _ in range(wanted)]
        case "integer" | "number":
            return max(schema.get("minimum", 0), min(schema.get("maximum", 100), 1 if key == "points" else 70))
        case "boolean":
            return False
        case _:
            return filling.text(key)


def usage_in(dialect: Dialect, tokens: Tokens) -> Data:
    """The same numbers as each dialect tells them: only `messages` leaves the cached ones out of the input."""
    total = tokens.input + tokens.output
    match dialect:
        case "chat":
            return {
                "prompt_tokens": tokens.input,
                "completion_tokens": tokens.output,
                "total_tokens": total,
                "prompt_tokens_details": {"cached_tokens": tokens.cached},
                "completion_tokens_details": {"reasoning_tokens": tokens.reasoning},
            }
        case "responses":
            return {
                "input_tokens": tokens.input,
                "input_tokens_details": {"cached_tokens": tokens.cached, "cache_write_tokens": 0},
                "output_tokens": tokens.output,
                "output_tokens_details": {"reasoning_tokens": tokens.reasoning},
                "total_tokens": total,
            }
        case "messages":
            return {
                "input_tokens": tokens.input - tokens.cached,
                "cache_read_input_tokens": tokens.cached,
                "cache_creation_input_tokens": 0,
                "output_tokens": tokens.output,
                "output_tokens_details": {"thinking_tokens": tokens.reasoning},
            }


@dataclass(frozen=True)
class Sent:
    """One server-sent event. `token` if it carries text or thinking, `terminal` if a stream without it is cut."""

    data: str
    name: str = ""
    token: bool = False
    terminal: bool = False

    def raw(self) -> bytes:
        return (f"event: {self.name}\n" if self.name else "").encode() + f"data: {self.data}\n\n".encode()


def stream_of(dialect: Dialect, said: Said, body: Mapping[str, Any]) -> list[Sent]:
    """The whole stream of a call that nothing disturbs."""
    match dialect:
        case "chat":
            return list(_chat(said, tells_usage=bool((body.get("stream_options") or {}).get("include_usage"))))
        case "responses":
            return [
                Sent(json.dumps({"type": name, "sequence_number": i, **data}), name, token, terminal)
                for i, (name, data, token, terminal) in enumerate(_responses(said))
            ]
        case "messages":
            return [
                Sent(json.dumps({"type": name, **data}), name, token, name in ("message_delta", "message_stop"))
                for name, data, token in _messages(said)
            ]


def whole_reply(dialect: Dialect, said: Said) -> Data:
    """The same without a stream."""
    usage = usage_in(dialect, said.tokens)
    match dialect:
        case "chat":
            message: Data = {"role": "assistant", "content": said.text}
            if said.tool:
                message["tool_calls"] = [{"id": "call_1", "type": "function", "function": _function(said.tool)}]
            choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
            return {"object": "chat.completion", "model": said.model, "choices": choices, "usage": usage}
        case "responses":
            part = {"type": "output_text", "text": said.text, "annotations": []}
            item = {"type": "message", "role": "assistant", "content": [part]}
            output: list[Data] = [{"type": "reasoning", "summary": []}, item]
            if said.tool:
                output.append({"type": "function_call", "call_id": "call_1", **_function(said.tool)})
            return {**_response_head(said.number, said.model, "completed"), "output": output, "usage": usage}
        case "messages":
            content: list[Data] = [{"type": "text", "text": said.text}]
            if said.tool:
                called = json.loads(said.tool[1])
                content.append({"type": "tool_use", "id": "toolu_1", "name": said.tool[0], "input": called})
            ended = {"stop_reason": "end_turn", "usage": usage}
            return {"type": "message", "role": "assistant", "model": said.model, "content": content, **ended}


def _function(tool: tuple[str, str]) -> Data:
    return {"name": tool[0], "arguments": tool[1]}


def _halves(text: str) -> tuple[str, str]:
    return text[: len(text) // 2], text[len(text) // 2 :]


def error_events(dialect: Dialect, *, failed: bool) -> list[Sent]:
    """Return the events of a mid-stream failure; `failed` is the terminal event of a failed response."""
    match dialect:
        case "chat":
            error: Data = {"message": STREAM_ERROR, "type": "server_error", "code": "server_error", "param": None}
            return [Sent(json.dumps({"error": error}))]
        case "responses" if failed:
            error = {"code": "server_error", "message": STREAM_ERROR}
            response = {**_response_head(0, "", "failed"), "output": [], "error": error}
            data = {"type": "response.failed", "sequence_number": 99, "response": response}
            return [Sent(json.dumps(data), "response.failed")]
        case "responses":
            error = {"type": "error", "code": "server_error", "message": STREAM_ERROR, "param": None}
            return [Sent(json.dumps({**error, "sequence_number": 99}), "error")]
        case "messages":
            error = {"type": "overloaded_error", "message": "Overloaded"}
            return [Sent(json.dumps({"type": "error", "error": error}), "error")]


def _chat(said: Said, *, tells_usage: bool) -> Iterator[Sent]:
    head: Data = {"id": f"chatcmpl-{said.number}", "object": "chat.completion.chunk", "created": 1, "model": said.model}
    head |= {"usage": None} if tells_usage else {}

    def chunk(delta: Data, finish: str | None = None, *, token: bool = False) -> Sent:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return Sent(json.dumps({**head, "choices": [choice]}), token=token, terminal=finish is not None)

    yield chunk({"role": "assistant", "content": ""})
    for thought in said.thoughts():
        yield chunk({"reasoning_content": thought}, token=True)
    if said.ending == "refusal":
        yield chunk({"refusal": REFUSAL}, token=True)
    for piece in said.pieces():
        yield chunk({"content": piece}, token=True)
    if said.tool:
        for place in (0, 1):
            # Two calls at once, of which only the first one can be answered.
            function = {"name": said.tool[0], "arguments": ""}
            yield chunk({"tool_calls": [{"index": place, "id": f"call_{place}", "function": function}]}, token=True)
            for half in _halves(said.tool[1]):
                yield chunk({"tool_calls": [{"index": place, "function": {"arguments": half}}]}, token=True)
        yield chunk({}, "tool_calls")
        if tells_usage:
            yield Sent(json.dumps({**head, "choices": [], "usage": usage_in("chat", said.tokens)}), terminal=True)
        yield Sent("[DONE]", terminal=True)
        return
    finish = {"stop": "stop", "refusal": "stop", "length": "length", "filter": "content_filter"}[said.ending]
    yield chunk({}, finish)
    if tells_usage:
        yield Sent(json.dumps({**head, "choices": [], "usage": usage_in("chat", said.tokens)}), terminal=True)
    yield Sent("[DONE]", terminal=True)


def _response_head(number: int, model: str, status: str) -> Data:
    head: Data = {"id": f"resp_{number}", "object": "response", "created_at": 1, "status": status, "model": model}
    fixed = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "error": None, "metadata": {}}
    return {**head, **fixed, "incomplete_details": None}


def _responses(said: Said) -> Iterator[tuple[str, Data, bool, bool]]:
    started = {**_response_head(said.number, said.model, "in_progress"), "output": []}
    yield "response.created", {"response": started}, False, False
    yield "response.in_progress", {"response": started}, False, False
    output: list[Data] = []
    if said.thinking:
        output.append({"type": "reasoning", "id": f"rs_{said.number}", "summary": []})
        yield "response.output_item.added", {"output_index": 0, "item": output[0]}, False, False
        place = {"item_id": f"rs_{said.number}", "output_index": 0, "summary_index": 0}
        for thought in said.thoughts():
            yield "response.reasoning_summary_text.delta", {**place, "delta": thought}, True, False
        yield "response.output_item.done", {"output_index": 0, "item": output[0]}, False, False
    if said.tool:
        for at in (len(output), len(output) + 1):
            call = {"type": "function_call", "id": f"fc_{at}", "call_id": f"call_{at}", **_function(said.tool)}
            output.append(call)
            added = {**call, "arguments": ""}
            yield "response.output_item.added", {"output_index": at, "item": added}, False, False
            for half in _halves(said.tool[1]):
                delta = {"item_id": f"fc_{at}", "output_index": at, "delta": half}
                yield "response.function_call_arguments.delta", delta, True, False
            yield "response.output_item.done", {"output_index": at, "item": call}, False, False
        yield _response_end(said, output)
        return
    index, refused = len(output), said.ending == "refusal"
    place = {"item_id": f"msg_{said.number}", "output_index": index, "content_index": 0}
    part: Data = {"type": "output_text", "text": said.text, "annotations": []}
    part = {"type": "refusal", "refusal": REFUSAL} if refused else part
    item: Data = {"type": "message", "id": f"msg_{said.number}", "role": "assistant", "status": "completed"}
    yield "response.output_item.added", {"output_index": index, "item": {**item, "content": []}}, False, False
    yield "response.content_part.added", {**place, "part": {**part, "text": "", "refusal": ""}}, False, False
    if refused:
        yield "response.refusal.delta", {**place, "delta": REFUSAL}, True, False
        yield "response.refusal.done", {**place, "refusal": REFUSAL}, False, False
    for piece in said.pieces():
        yield "response.output_text.delta", {**place, "delta": piece, "logprobs": []}, True, False
    yield "response.content_part.done", {**place, "part": part}, False, False
    output.append({**item, "content": [part]})
    yield "response.output_item.done", {"output_index": index, "item": output[-1]}, False, False
    yield _response_end(said, output)


def _response_end(said: Said, output: list[Data]) -> tuple[str, Data, bool, bool]:
    whole = said.ending in ("stop", "refusal")
    status = "completed" if whole else "incomplete"
    response: Data = {**_response_head(said.number, said.model, status), "output": output}
    response["usage"] = usage_in("responses", said.tokens)
    if not whole:
        reason = "max_output_tokens" if said.ending == "length" else "content_filter"
        response["incomplete_details"] = {"reason": reason}
    return f"response.{status}", {"response": response}, False, True


def _messages(said: Said) -> Iterator[tuple[str, Data, bool]]:
    usage = usage_in("messages", said.tokens)
    message: Data = {"id": f"msg_{said.number}", "type": "message", "role": "assistant", "model": said.model}
    message |= {"content": [], "stop_reason": None, "stop_sequence": None, "usage": {**usage, "output_tokens": 1}}
    yield "message_start", {"message": message}, False
    yield "ping", {}, False
    index = 0
    if said.thinking:
        block: Data = {"type": "thinking", "thinking": "", "signature": ""}
        yield "content_block_start", {"index": index, "content_block": block}, False
        for thought in said.thoughts():
            delta = {"type": "thinking_delta", "thinking": thought}
            yield "content_block_delta", {"index": index, "delta": delta}, True
        signed = {"type": "signature_delta", "signature": "c2lnbmVk"}
        yield "content_block_delta", {"index": index, "delta": signed}, False
        yield "content_block_stop", {"index": index}, False
        index += 1
    if said.text:
        yield "content_block_start", {"index": index, "content_block": {"type": "text", "text": ""}}, False
        for piece in said.pieces():
            yield "content_block_delta", {"index": index, "delta": {"type": "text_delta", "text": piece}}, True
        yield "content_block_stop", {"index": index}, False
    if said.tool:
        for at in (index, index + 1):
            called: Data = {"type": "tool_use", "id": f"toolu_{at}", "name": said.tool[0], "input": {}}
            yield "content_block_start", {"index": at, "content_block": called}, False
            for half in _halves(said.tool[1]):
                part = {"type": "input_json_delta", "partial_json": half}
                yield "content_block_delta", {"index": at, "delta": part}, True
            yield "content_block_stop", {"index": at}, False
        yield "message_delta", {"delta": {"stop_reason": "tool_use", "stop_sequence": None}, "usage": usage}, False
        yield "message_stop", {}, False
        return
    # This dialect has one word for a refusal and for a filter.
    reasons = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal", "filter": "refusal"}
    ended: Data = {"stop_reason": reasons[said.ending], "stop_sequence": None}
    if reasons[said.ending] == "refusal":
        ended["stop_details"] = {"type": "refusal", "category": "general_harms", "explanation": REFUSAL}
    yield "message_delta", {"delta": ended, "usage": usage}, False
    yield "message_stop", {}, False
