"""A model's seat without its provider: the request, the live text, and the turn made from a reply.

A server of our own answers on loopback; what it says to each dialect under each fault is in tests/wire.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import pytest

from debate_core.engine.engine import requests
from debate_core.engine.seat_view import view
from debate_core.record.commands import FailTurn, TakeTurn
from debate_core.seats import FREE, Paid
from debate_core.seats.model import Gate, model_fillers, unfillable
from debate_core.seats.providers.exchange import prompt_chars
from debate_core.seats.providers.wire import Reply, ReplyStatus
from debate_core.seats.reply import Listener, prose_of, without_thinking
from debate_core.spec.contents import Argument
from debate_core.spec.models import Template
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Seat, Usage
from tests.model_faults import Fault
from tests.model_seats import GOOD, USED, SaidBefore, ask, complete, first, line, seat_of, spec_of
from tests.model_server import ModelServer
from tests.playing import Played, silent


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(votes=["adopt"]) as running:
        yield running


@pytest.mark.parametrize("status", ["complete", "length"])
def test_a_silently_cut_prompt_gives_no_turn(status: ReplyStatus):
    spec = spec_of(line())
    read = USED.model_copy(update={"input_tokens": 200})
    lost = ask(spec, Reply(status, GOOD, read))
    assert isinstance(lost, FailTurn)
    assert lost.usage is not None
    assert (lost.error, lost.permanent, lost.usage.input_tokens) == ("failed", True, 200)
    assert lost.message.startswith("the server read 200 tokens of a prompt of more than")
    # An estimate of ours, and a server that counts nothing, say nothing of what was read.
    for usage in (read.model_copy(update={"estimated": True}), read.model_copy(update={"input_tokens": 0})):
        assert isinstance(ask(spec, Reply("complete", GOOD, usage)), TakeTurn)


def test_a_whole_reply_is_a_turn_with_its_usage_and_cost():
    spec = spec_of(line())
    turn = ask(spec, complete(GOOD))
    # 900 tokens at 1 and 60 at 10 USD per million.
    used = USED.model_copy(update={"cost_usd": "0.0015"})
    content = Argument(rationale="It is cheaper.", vote="adopt", confidence=70)
    assert turn == TakeTurn(by="cost", request=first(spec)[0].id, content=content, usage=used)


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{GOOD}\n```",
        f"Here it is:\n{GOOD}",
        f"<think>Is {{this}} it?</think>{GOOD}",
        f"so...</think>\n{GOOD}",
    ],
)
def test_json_is_found_in_what_surrounds_it(text: str):
    turn = ask(spec_of(line()), complete(text))
    assert isinstance(turn, TakeTurn)
    assert isinstance(turn.content, Argument)
    assert turn.content.rationale == "It is cheaper."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the reply is empty"),
        ("<think>hm</think>", "the reply is empty"),
        ("I vote adopt.", "the reply holds no JSON object"),
        (GOOD + GOOD.replace("adopt", "keep"), "the reply holds more than one JSON object"),
        (f"[{GOOD}]", "the reply is a JSON list, not one object"),
        (
            GOOD.replace("{", '{"vote": "keep", ', 1),
            "argument.vote: input should be a valid string, not {'named twice': ['keep', 'adopt']}",
        ),
        ('{"rationale": "x"}', "the reply has no vote, and this phase asks for one: adopt, keep or abstain"),
        (GOOD.replace("adopt", "maybe"), "the vote 'maybe' is none of the options: adopt, keep"),
    ],
)
def test_a_reply_that_cannot_be_read_is_no_ballot(text: str, message: str):
    # A vote is never guessed, and what came is kept.
    turn = ask(spec_of(line()), complete(text))
    assert isinstance(turn, FailTurn)
    assert (turn.error, turn.message, turn.permanent) == ("unparseable", message, False)
    assert turn.partial == without_thinking(text)[0]
    assert turn.usage is not None
    assert turn.usage.calls == 1


@pytest.mark.parametrize(
    ("status", "error"),
    [
        ("length", "cut"),
        ("cut", "cut"),
        ("refusal", "refused"),
        ("filtered", "refused"),
        ("timeout", "timeout"),
        ("malformed", "unparseable"),
        ("error", "failed"),
    ],
)
def test_a_reply_that_is_not_whole_keeps_its_prose_and_says_why(status: ReplyStatus, error: str):
    spec = spec_of(line())
    reply = Reply(status, GOOD[:24], USED, "what happened", permanent=True, retry_after_ms=250)
    turn = ask(spec, reply)
    assert turn == FailTurn.model_validate(
        {
            "by": "cost",
            "request": first(spec)[0].id,
            "error": error,
            "message": "what happened",
            "partial": "It is che",
            "usage": USED.model_copy(update={"cost_usd": "0.0015"}),
            "permanent": True,
            "retry_after_ms": 250,
        }
    )


@pytest.mark.parametrize(("provider", "claims"), [("local", [3, 1]), ("openai", [None, None])])
def test_after_a_length_stop_the_next_attempt_is_asked_for_less(provider: str, claims: list[int | None]):
    spec = spec_of(line(max_tokens=500, provider=provider))
    wire = SaidBefore(Reply("length", "", USED, "too long"), complete(GOOD))
    seat = seat_of(spec, wire)
    for attempt in (1, 2):
        asyncio.run(seat(*first(spec, attempt), silent))
    assert [c.max_tokens for c in wire.calls] == [500, 500]
    schemas: list[Any] = [c.schema for c in wire.calls]
    assert [s["properties"]["claims"].get("maxItems") for s in schemas] == claims
    shorter = ["Be much shorter this time: at most" in c.tail for c in wire.calls]
    assert shorter == [False, True]
    bounds = [s["properties"]["rationale"].get("maxLength", 0) for s in schemas]
    # OpenAI keeps the schema with the beginning of the prompt: there the words alone ask for less.
    assert bounds == ([600, 300] if provider == "local" else [0, 0])


LONG = """ {"rationale": "It is cheaper.", "vote": "adopt", "confidence": 70, "answers": [], "concedes": [],
 "claims": [{"text": "One.", "source_id": "none", "quote": "", "answers": ["none"], "concedes": []},
 {"text": "Two.", "source_id": "none", "quote": "", "answers": [], "concedes": []}]}"""


@pytest.mark.slow
def test_only_a_reply_cut_in_its_claims_keeps_its_ballot():
    spec, kept = spec_of(line()), []
    for end in range(len(LONG)):
        turn = ask(spec, Reply("length", LONG[:end], USED, "too long"))
        assert isinstance(turn, TakeTurn) is (end > LONG.index("concedes") + len('concedes": []'))
        if isinstance(turn, TakeTurn):
            said = turn.content
            assert isinstance(said, Argument)
            assert (said.rationale, said.vote, said.confidence) == ("It is cheaper.", "adopt", 70)
            claims = [c.text for c in said.claims]
            assert claims == ["One.", "Two."][: len(claims)]
            assert [part.field for part in turn.left_out] == ["claims"]
            kept.append(len(claims))
    assert kept == sorted(kept)
    assert set(kept) == {0, 1, 2}


OTHER_WORDS = LONG.replace("It is cheaper", "It costs less").replace("Two.", "Second.")
OTHER_VOTE = LONG.replace("adopt", "keep")
NO_VOTE = LONG.replace('"vote": "adopt", ', "")
SAID_AGAIN = [
    # (what is said, what follows it, whether the first one counts)
    (LONG, LONG * 40, True),
    (LONG, OTHER_WORDS, True),
    (LONG, f"\n```\n{LONG}", True),
    (LONG, OTHER_VOTE, False),
    (LONG, LONG + OTHER_VOTE, False),
    (LONG, LONG.replace("70", "40"), False),
    (LONG, NO_VOTE, False),
    (NO_VOTE, LONG, False),
    (LONG, ' {"rationale": "More."}', False),
    (LONG, " {as I said}", False),
]


@pytest.mark.parametrize(("said", "more", "counts"), SAID_AGAIN)
def test_a_repeated_object_counts_once_and_a_differing_one_not(said: str, more: str, counts: bool):
    turn = ask(spec_of(line()), complete(said + more))
    assert isinstance(turn, TakeTurn) is counts
    if isinstance(turn, TakeTurn):
        assert turn.content == Argument.model_validate(
            {**json.loads(said), "claims": [{"text": text} for text in ("One.", "Two.")]}
        )
    else:
        assert isinstance(turn, FailTurn)
        assert turn.message == "the reply holds more than one JSON object"


@pytest.mark.parametrize(
    ("more", "counts"),
    [("", True), (LONG * 3 + LONG[:90], True), (OTHER_WORDS[:20], True), (OTHER_VOTE[:90], False), (OTHER_VOTE, False)],
)
def test_a_whole_object_repeated_to_the_limit_counts(more: str, counts: bool):
    turn = ask(spec_of(line()), Reply("length", LONG + more, USED, "too long"))
    assert isinstance(turn, TakeTurn) is counts
    if isinstance(turn, TakeTurn):
        assert isinstance(turn.content, Argument)
        assert (turn.content.vote, len(turn.content.claims), turn.left_out) == ("adopt", 2, ())


@pytest.mark.parametrize(
    "twice", [LONG.replace('"answers": [], "concedes": [],\n', '"vote": "keep", "answers": [], "concedes": [],\n')]
)
def test_a_cut_reply_with_two_votes_is_no_ballot(twice: str):
    assert isinstance(ask(spec_of(line()), Reply("length", twice[:-5], USED, "too long")), FailTurn)


@pytest.mark.parametrize(
    "text",
    [
        '{"rationale": "I hold no JSON object", "vote": "keep", "confidence": 50}',
        '{"rationale": "The JSON object is complete.", "vote": "adopt"}',
        '{"rationale": "<at most 250 words>", "vote": "keep"}',
        '{"rationale": "It is cheaper.", "vote": "keep", "claims": [{"text": "<text>"}]}',
    ],
)
def test_an_echo_of_what_was_asked_is_no_turn(text: str):
    turn = ask(spec_of(line(max_tokens=4_000)), complete(text))
    assert isinstance(turn, FailTurn)
    assert turn.error == "unparseable"


def test_where_the_question_is_about_json_a_turn_may_be_too():
    spec = spec_of(line()).model_copy(update={"question": "Shall we store JSON?"})
    assert isinstance(ask(spec, complete(GOOD.replace("It is cheaper", "JSON is easy to read"))), TakeTurn)


def test_the_reply_form_ends_the_task_without_enforced_schema():
    asked = {}
    for provider, structured in (("local", "schema"), ("openai", "schema"), ("openai", "prompt"), ("openai", "json")):
        spec = spec_of(line(provider=provider, structured=structured))
        wire = SaidBefore(Reply("error", "", USED, "no such part", schema_refused=True), complete(GOOD))
        seat = seat_of(spec, wire)
        for attempt in (1, 2):
            asyncio.run(seat(*first(spec, attempt), silent))
        asked[provider, structured] = [c.tail.splitlines()[-1].startswith('{"rationale": "<') for c in wire.calls]
    assert asked == {
        ("local", "schema"): [True, True],
        ("openai", "schema"): [False, True],
        ("openai", "prompt"): [True, True],
        ("openai", "json"): [True, True],
    }


def test_json_ending_at_the_limit_was_cut():
    spec = spec_of(line(max_tokens=64))
    reply = Reply("complete", GOOD[:40], USED.model_copy(update={"output_tokens": 64}))
    turn = ask(spec, reply)
    assert isinstance(turn, FailTurn)
    assert (turn.error, turn.message) == ("cut", "the reply reached the limit of 64 tokens before its end")


def test_the_reservation_is_the_prompt_and_the_longest_reply():
    # R248: before the call, at its price.
    spec = spec_of(line(max_tokens=500))
    wire = SaidBefore(complete(GOOD))
    seat, (request, seen) = seat_of(spec, wire), first(spec)
    reserved = seat.reserve(request, seen)
    asyncio.run(seat(request, seen, silent))
    given = -(-prompt_chars(wire.calls[0]) // 3)
    cost = f"{(given + 500 * 10) / 1e6:.6f}".rstrip("0")
    assert reserved == Usage(calls=1, input_tokens=given, output_tokens=500, cost_usd=cost, estimated=True)


@pytest.mark.parametrize(("human", "per_million"), [(False, "2.5"), (True, "4")])
def test_cache_writes_are_reserved_at_their_price(human: bool, per_million: str):
    vendor = line(provider="anthropic", model="claude-sonnet-5-5", dialect="messages", base_url="", price=None)
    seats = [Seat(id=s, model="m1") for s in ("cost", "risk")]
    spec = spec_of(vendor, seats=[*seats, *([Seat(id="ana", occupant="human")] if human else [])])
    wire = SaidBefore(complete(GOOD))
    seat, (request, seen) = seat_of(spec, wire), first(spec)
    reserved = seat.reserve(request, seen)
    assert reserved.cache_write_tokens == reserved.input_tokens
    usd = (reserved.input_tokens * Decimal(per_million) + reserved.output_tokens * 10) / 1_000_000
    assert Decimal(reserved.cost_usd or 0) == usd
    asyncio.run(seat(request, seen, silent))
    # People act between calls: what is cached is to be there when they are done.
    assert wire.calls[0].keeps_an_hour is human


def test_a_price_that_nobody_knows_is_unknown():
    spec = spec_of(line(price=None))
    turn = ask(spec, complete(GOOD))
    assert isinstance(turn, TakeTurn)
    assert turn.usage == USED
    assert seat_of(spec, SaidBefore()).reserve(*first(spec)).cost_usd is None


def test_other_prompts_than_those_agreed_are_not_sent():
    # R262
    spec = spec_of(line()).model_copy(update={"templates": (Template(name="rules", sha256="0" * 64),)})
    wire = SaidBefore()
    turn = asyncio.run(seat_of(spec, wire)(*first(spec), silent))
    assert isinstance(turn, FailTurn)
    assert turn.message == "the prompts of this program are not those agreed at the start: rules"
    assert (turn.permanent, turn.usage, wire.calls) == (True, FREE, [])


def test_a_prompt_that_does_not_fit_is_not_shortened_in_silence():
    spec = spec_of(line(context_tokens=1_000, max_tokens=800))
    wire = SaidBefore()
    turn = asyncio.run(seat_of(spec, wire)(*first(spec), silent))
    assert isinstance(turn, FailTurn)
    assert turn.permanent
    assert turn.message.startswith("a prompt of about ")
    assert turn.message.endswith("tokens and a reply of up to 800 do not fit into the 1,000 tokens of m")
    assert wire.calls == []


def test_a_call_that_fits_into_no_minute_is_not_made():
    spec = spec_of(line(tokens_per_minute=900, max_tokens=800))
    wire = SaidBefore()
    turn = asyncio.run(seat_of(spec, wire)(*first(spec), silent))
    assert isinstance(turn, FailTurn)
    assert (turn.permanent, turn.transport, wire.calls) == (True, False, [])
    assert turn.message.endswith("900 tokens a minute of the line m1: raise tokens_per_minute, or lower max_tokens")


def test_the_room_hears_the_prose_alone_and_it_only_grows():
    text = '{"rationale": "A \\"quote\\", a caf\\u00e9 and \\ud83d\\ude00.", "claims": [{"text": "x"}], "vote": "ado'
    prose = [prose_of(text[:end]) for end in range(len(text) + 1)]
    assert prose[-1] == 'A "quote", a café and 😀.'
    # A pair of escapes is half there for a moment: then nothing is read, and the listener keeps what it had.
    assert all(prose[-1].startswith(p) for p in prose)
    heard: list[tuple[str, str]] = []
    listener = Listener(lambda _, said, thinking="": heard.append((said, thinking)), "r", lambda: None)
    for char in f"<think>Well.</think>{text}":
        listener(char, "")
    listener.tell()
    assert heard[-1] == (prose[-1], "Well.")
    assert [len(said) for said, _ in heard] == sorted(len(said) for said, _ in heard)
    assert listener.prose == prose[-1]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (GOOD, (GOOD, "")),
        ("<thi", ("", "<thi")),
        ("<think>a", ("", "a")),
        ("<think>a</think>b", ("b", "a")),
        ("a</think>b", ("b", "a")),
        ('{"rationale": "</think>"}', ('{"rationale": "</think>"}', "")),
    ],
)
def test_thinking_in_tags_is_no_part_of_a_reply(text: str, parts: tuple[str, str]):
    assert without_thinking(text) == parts


@pytest.mark.slow
def test_the_first_seat_goes_ahead_to_warm_a_cache(server: ModelServer):
    long = spec_of(line(warm_cache=True, base_url=server.base_url("chat"), max_tokens=2_000))
    long = long.model_copy(update={"context": "The record of the week. " * 200})
    # The prefix is written into the cache once, and read by the others.
    server.set(latency_s=2, first_s=0.1)
    asyncio.run(all_at_once(long))
    began = [c.received_at for c in server.log]
    token = server.log[0].first_token_at
    assert token is not None
    assert len(began) == 3
    assert all(later >= token for later in began[1:])
    assert server.most_at_once == 3


@pytest.mark.slow
def test_no_seat_waits_where_there_is_nothing_to_share(server: ModelServer):
    server.set(latency_s=1.6, first_s=1.5)
    asyncio.run(all_at_once(spec_of(line(base_url=server.base_url("chat")))))
    assert max(c.received_at for c in server.log) < min(c.first_token_at or 0 for c in server.log)


async def all_at_once(spec: Spec) -> None:
    state = Played(spec).state
    fillers = model_fillers(state, {}, deadline_s=5)
    turns = await asyncio.gather(*(fillers[r.seat](r, view(state, r), silent) for r in requests(state)))
    assert [type(t) for t in turns] == [TakeTurn] * 3
    await closed(fillers)


async def closed(fillers: Mapping[str, object]) -> None:
    for filler in fillers.values():
        assert isinstance(filler, Paid)
        await filler.close()


def test_a_first_call_that_fails_holds_nobody_up():
    async def two() -> list[str]:
        gate, order = Gate(), list[str]()

        async def lead() -> None:
            async with gate.enter(("p",), wait_s=5):
                order.append("first")
                await asyncio.sleep(0.01)
                raise OSError

        async def follow(name: str) -> None:
            async with gate.enter(("p",), wait_s=5):
                order.append(name)

        await asyncio.gather(lead(), follow("second"), follow("third"), return_exceptions=True)
        return order

    assert asyncio.run(two()) == ["first", "second", "third"]


@pytest.mark.slow
def test_waiting_for_a_first_call_that_hangs_leaves_time_to_ask(server: ModelServer):
    # The others are asked in time, and answer.
    long = spec_of(line(warm_cache=True, base_url=server.base_url("chat"), max_tokens=2_000))
    long = long.model_copy(update={"context": "The record of the week. " * 200})
    server.set(faults=[Fault("hang", at=(1,))])

    async def answers() -> list[str]:
        state = Played(long).state
        fillers = model_fillers(state, {}, deadline_s=4)
        turns = await asyncio.gather(*(fillers[r.seat](r, view(state, r), silent) for r in requests(state)))
        await closed(fillers)
        return [type(t).__name__ for t in turns]

    assert asyncio.run(answers()) == ["FailTurn", "TakeTurn", "TakeTurn"]


def test_who_can_be_filled_and_why_not():
    hosted = line(id="hosted", base_url="https://models.example/v1", key_env="SOME_KEY")
    local, unnamed = line(id="local", key_env="OTHER_KEY"), line(id="unnamed", model="")
    seats = [Seat(id="a", model="hosted"), Seat(id="b", model="local"), Seat(id="c", model="unnamed")]
    seats += [Seat(id="d", model="gone"), Seat(id="e", occupant="human")]
    spec = spec_of(hosted, local, unnamed, seats=seats)
    needs = "m needs a key: set SOME_KEY in the environment or in .streamlit/secrets.toml, let a person take the seat, "
    needs += "or use the evidence panel, which needs none"
    assert unfillable(spec, {}) == (
        f"seat a: {needs}",
        "seat c: the model line unnamed names no model: choose one that its server offers",
        "seat d asks for the model line 'gone'; this debate has: hosted, local, unnamed",
        f"seat synthesiser: {needs}",
    )
    state = Played(spec).state
    assert list(model_fillers(state, {}, deadline_s=5)) == ["b"]
    assert list(model_fillers(state, {"SOME_KEY": "k"}, deadline_s=5)) == ["a", "b", "synthesiser"]
