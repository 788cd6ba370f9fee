"""Replies as servers really send them: forms of text, ends of a reply, refusals and errors."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from debate_core.seats.providers.dialects import wire_for
from debate_core.seats.providers.wire import Call
from tests.wire.canned import Canned, Events, error, serving, stream
from tests.wire.replying import (
    HALF,
    TURN,
    asked,
    block,
    chat,
    delta,
    ended,
    message,
    messages,
    of,
    response,
    text_delta,
)
from tests.wire.rig import line_at

# To load a vendor's package takes seconds.
pytestmark = pytest.mark.slow
THINKING = {"type": "thinking", "thinking": [{"type": "text", "text": "I weigh."}]}


@pytest.mark.parametrize(
    "contents",
    [
        [[{"type": "text", "text": TURN}]],
        [[THINKING], [{"type": "text", "text": TURN}]],
        [[{"type": "thinking", "thinking": "I weigh."}, {"type": "text", "text": TURN}]],
        [[{"type": "text", "text": TURN[:20]}], TURN[20:]],
        [[{"type": "reference", "reference_ids": [1]}, {"type": "text", "text": TURN}]],
        [[{"type": "output_text", "text": TURN}]],
    ],
)
def test_chat_content_in_parts_is_the_reply(contents: list[object]):
    (reply,) = asked(chat(*({"content": content} for content in contents)))
    assert of(reply) == ("complete", TURN)


def test_chat_content_in_parts_without_stream_is_the_reply():
    message = {"role": "assistant", "content": [THINKING, {"type": "text", "text": TURN}]}
    whole = {"model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": {}}
    (reply,) = asked(Canned(json.dumps(whole).encode()))
    assert of(reply) == ("complete", TURN)


def test_chat_thinking_parts_are_heard_as_thinking():
    heard: list[tuple[str, str]] = []

    async def ask() -> None:
        wire = wire_for(line_at(server.base_url(), "chat"), None)
        call = Call("", (), (), "t", {}, 100, "prompt")
        await wire.ask(call, lambda text, thinking: heard.append((text, thinking)), deadline_s=10)
        await wire.close()

    with serving(chat({"content": [THINKING]}, {"content": [{"type": "text", "text": "Yes."}]})) as server:
        asyncio.run(ask())
    assert heard == [("", "I weigh."), ("Yes.", "")]


@pytest.mark.parametrize("content", [{"text": TURN}, 7, [{"type": "audio", "audio": {"data": "x"}}]])
def test_chat_content_of_unknown_form_is_a_transport_fault(content: object):
    (reply,) = asked(chat({"content": content}))
    assert (reply.status, reply.transport, reply.began) == ("malformed", True, True)
    assert "a form that this program does not read" in reply.message


@pytest.mark.parametrize("reason", ["insufficient_system_resource", "abort", "error", "network_error", "cancelled"])
def test_chat_end_by_the_server_is_a_transport_fault(reason: str):
    (reply,) = asked(chat({"content": HALF}, reason=reason))
    assert (reply.status, reply.text, reply.transport, reply.began, reply.permanent) == ("cut", HALF, True, True, False)
    assert reason in reply.message
    assert "JSON" not in reply.message


@pytest.mark.parametrize("reason", ["stop", "eos", "end_turn", "STOP", "stop_sequence"])
def test_chat_end_by_the_model_is_whole(reason: str):
    (reply,) = asked(chat({"content": TURN}, reason=reason))
    assert (of(reply), reply.unknown_end) == (("complete", TURN), "")


@pytest.mark.parametrize(
    ("reason", "status"),
    [("length", "length"), ("MAX_TOKENS", "length"), ("model_length", "length"), ("content_filter", "filtered")],
)
def test_chat_end_by_a_limit_or_filter_has_its_status(reason: str, status: str):
    (reply,) = asked(chat({"content": HALF}, reason=reason))
    assert reply.status == status


def test_chat_end_of_unknown_name_is_told_with_the_reply():
    (reply,) = asked(chat({"content": TURN}, reason="sleepy"))
    assert (of(reply), reply.unknown_end) == (("complete", TURN), "sleepy")


def added(phase: str | None = None, **where: object) -> dict[str, Any]:
    item = {"type": "message", "id": where.get("item_id"), "content": [], "phase": phase}
    return {"type": "response.output_item.added", "item": item, "output_index": where.get("output_index", 0)}


def done(text: str, **where: object) -> dict[str, Any]:
    return {"type": "response.output_text.done", "text": text, **where}


COMMENTARY = "I will weigh {both} sides first."
M0: dict[str, Any] = {"item_id": "m0", "output_index": 0}
M1: dict[str, Any] = {"item_id": "m1", "output_index": 1}
BOTH = (message(COMMENTARY, "commentary"), message(TURN, "final_answer"))


@pytest.mark.parametrize(
    "events",
    [
        [done(TURN), ended(message(TURN))],
        [ended(message(TURN))],
        [delta(TURN), done(TURN), ended(message(TURN))],
        [{"type": "response.content_part.done", "part": {"type": "output_text", "text": TURN}}, ended()],
        [{"type": "response.output_item.done", "item": message(TURN)}, ended()],
        [added(**M0), delta(TURN[:9], **M0), delta(TURN[9:], **M0), done(TURN, **M0), ended(message(TURN))],
        [
            added("commentary", **M0),
            delta(COMMENTARY, **M0),
            added("final_answer", **M1),
            delta(TURN, **M1),
            ended(*BOTH),
        ],
        # The phase of an item may be known only when it is done.
        [added(**M0), delta(COMMENTARY, **M0), added(**M1), delta(TURN, **M1), ended(*BOTH)],
        [
            added("commentary", **M0),
            done(COMMENTARY, **M0),
            added("final_answer", **M1),
            done(TURN, **M1),
            ended(*BOTH),
        ],
        [ended(*BOTH)],
        [
            {"type": "response.output_item.done", "item": BOTH[0]},
            {"type": "response.output_item.done", "item": BOTH[1]},
            ended(*BOTH),
        ],
    ],
)
def test_responses_text_is_read_wherever_it_comes(events: Events):
    (reply,) = asked(stream("responses", events), dialect="responses")
    assert of(reply) == ("complete", TURN)


def test_responses_without_stream_leave_commentary_out():
    whole = response(output=list(BOTH))
    (reply,) = asked(Canned(json.dumps(whole).encode()), dialect="responses")
    assert of(reply) == ("complete", TURN)


@pytest.mark.parametrize(
    "last",
    [
        {"type": "response.cancelled", "response": response("cancelled")},
        {"type": "response.completed", "response": response("cancelled")},
        {"type": "response.incomplete", "response": response("incomplete", incomplete_details={"reason": "steered"})},
        {"type": "response.completed", "response": response("sleepy")},
    ],
)
def test_responses_that_were_broken_off_are_transport_faults(last: dict[str, Any]):
    (reply,) = asked(stream("responses", [delta(HALF), last]), dialect="responses")
    assert (reply.status, reply.text, reply.transport, reply.permanent) == ("cut", HALF, True, False)


def test_responses_refusal_in_a_done_event_is_a_refusal():
    refused = {"type": "response.refusal.done", "refusal": "No."}
    (reply,) = asked(stream("responses", [refused, ended()]), dialect="responses")
    assert reply.status == "refusal"
    assert reply.message.endswith(" declines: No.")


@pytest.mark.parametrize(
    "events",
    [
        [block(TURN)],
        [block(TURN[:9]), text_delta(TURN[9:])],
        [block("I weigh.", "thinking"), block(""), text_delta(TURN)],
    ],
)
def test_messages_text_in_the_start_of_a_block_is_read(events: list[dict[str, Any]]):
    (reply,) = asked(messages(*events), dialect="messages")
    assert of(reply) == ("complete", TURN)


def test_messages_end_of_unknown_name_is_told_with_the_reply():
    (reply,) = asked(messages(block(TURN), reason="compaction"), dialect="messages")
    assert (of(reply), reply.unknown_end) == (("complete", TURN), "compaction")


@pytest.mark.parametrize(
    ("details", "said"),
    [
        ({"type": "refusal", "category": None, "explanation": "Declined for policy."}, "Declined for policy."),
        ({"type": "refusal", "category": "cyber", "explanation": "It is an attack."}, "It is an attack. (cyber)"),
        ({"type": "refusal", "category": "bio", "explanation": None}, "bio"),
        (None, ""),
    ],
)
def test_messages_refusal_is_told_with_its_explanation(details: object, said: str):
    (reply,) = asked(messages(reason="refusal", details=details), dialect="messages")
    assert reply.status == "refusal"
    assert reply.message.partition("declines")[2] == (f": {said}" if said else "")


CASES = ("chat-*", "http-*", "messages-*", "responses-*")


def test_the_cases_of_the_founders(shared: Path):
    """Each case is right in status and kind; its words are pinned above."""
    folder = shared / "cases" / "models"
    paths = sorted(path for pattern in CASES for path in folder.glob(pattern))
    assert len(paths) >= 10
    for path in paths:
        case = json.loads(path.read_text("utf-8"))
        answer = _answer_of(case)
        (reply,) = asked(answer, dialect=case["dialect"])
        found = (reply.status, reply.transport, reply.permanent)
        assert (path.stem, found) == (path.stem, EXPECTED.get(path.stem, found))


EXPECTED = {
    "chat-content-as-list": ("complete", False, False),
    "chat-finish-insufficient-system-resource": ("cut", True, False),
    "http-400-content-filter": ("filtered", False, False),
    "http-400-max-tokens-too-large": ("error", True, False),
    "http-403-country": ("error", True, True),
    "http-403-firewall": ("error", True, True),
    "http-403-page-of-a-proxy": ("error", True, True),
    "messages-refusal-explained": ("refusal", False, False),
    "responses-commentary-then-answer": ("complete", False, False),
    "responses-text-only-in-done": ("complete", False, False),
}


def _answer_of(case: dict[str, Any]) -> Canned:
    if "reply" in case:
        return stream(case["dialect"], case["reply"])
    body = case["body"]
    if isinstance(body, str):
        return Canned(body.encode(), case["status"], case["headers"]["content-type"])
    return error(case["status"], body)
