"""Turns in two steps: prose first, then the ballot alone, of which each can be lost by itself."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from debate_core.record.commands import AnyCommand, FailTurn, TakeTurn
from debate_core.seats.providers.exchange import prompt_chars
from debate_core.seats.providers.wire import Reply
from debate_core.spec.contents import Argument
from debate_core.spec.values import Usage
from tests.model_seats import USED, SaidBefore, complete, first, line, seat_of, spec_of
from tests.playing import silent

PROSE = "It is cheaper, and we can undo it. My position: adopt."


def in_two_steps(*replies: Reply, attempt: int = 1) -> tuple[SaidBefore, AnyCommand, Usage]:
    spec = spec_of(line(structured="two_step", max_tokens=500))
    wire, (request, seen) = SaidBefore(*replies), first(spec, attempt)
    seat = seat_of(spec, wire)
    reserved = seat.reserve(request, seen)
    return wire, asyncio.run(seat(request, seen, silent)), reserved


@pytest.mark.parametrize(
    "said", [PROSE, f"<think>Hm.</think>\n{PROSE}", json.dumps({"rationale": PROSE, "vote": "keep"})]
)
def test_in_two_steps_a_turn_is_prose_and_then_a_ballot(said: str):
    wire, turn, reserved = in_two_steps(complete(said), complete('{"vote": "adopt", "confidence": 70, "x": 1}'))
    assert isinstance(turn, TakeTurn)
    assert turn.content == Argument(rationale=PROSE, vote="adopt", confidence=70)
    prose, ballot = wire.calls
    assert [c.structured for c in wire.calls] == ["prompt", "schema"]
    assert (prose.system, prose.blocks) == (ballot.system, ballot.blocks)
    assert "Vote for exactly one of" not in prose.tail
    assert prose.tail.splitlines()[-1].startswith("For now write plain text alone, at most 85 words")
    assert "Vote for exactly one of" in ballot.tail
    assert f"<data-1>\n{PROSE}\n</data-1>" in ballot.tail
    asked: Any = ballot.schema
    assert list(asked["properties"]) == ["vote", "confidence"]
    # One turn, two calls; both were reserved.
    used = turn.usage
    assert used is not None
    assert (used.calls, used.input_tokens, used.output_tokens, used.cost_usd, used.model) == (
        *(2, 1_800, 120),
        *("0.003", "m-1"),
    )
    assert reserved.calls == 2
    assert reserved.output_tokens == 500 + 400
    assert reserved.input_tokens >= (prompt_chars(prose) + prompt_chars(ballot)) // 3


@pytest.mark.parametrize("ballot", ["adopt", '{"confidence": 70}', '{"vote": "<one of: adopt, keep, abstain>"}'])
def test_in_two_steps_prose_without_a_ballot_is_no_turn(ballot: str):
    _, turn, _ = in_two_steps(complete(PROSE), complete(ballot))
    assert isinstance(turn, FailTurn)
    assert (turn.error, turn.partial) == ("unparseable", PROSE)
    assert turn.usage is not None
    assert turn.usage.calls == 2


LOST_BALLOTS: list[tuple[Reply, bool]] = [
    # (what comes instead of a ballot, whether the next task says what was wrong)
    (complete("adopt"), True),
    (complete('{"vote": "maybe"}'), True),
    (Reply("length", '{"vote"', USED, "too long"), False),
    (Reply("error", "", Usage(), "no connection", retry_after_ms=1, transport=True), False),
    (Reply("cut", '{"vo', USED, "it stopped", retry_after_ms=1, transport=True, began=True), False),
]


@pytest.mark.parametrize(("lost", "says_why"), LOST_BALLOTS)
def test_in_two_steps_a_lost_ballot_is_asked_alone(lost: Reply, says_why: bool):
    spec = spec_of(line(structured="two_step", max_tokens=500))
    wire = SaidBefore(complete(PROSE), lost, complete('{"vote": "adopt", "confidence": 70}'))
    seat, (request, seen) = seat_of(spec, wire), first(spec)
    failed = asyncio.run(seat(request, seen, silent))
    assert isinstance(failed, FailTurn)
    assert (failed.partial, failed.transport, failed.began) == (PROSE, lost.transport, lost.began)
    # What is seen after a fault of the reply; after one of transport the task is the same as before.
    request = request._replace(attempt=2)
    why = {"failed_as": "unparseable", "failed_before": failed.message} if failed.error == "unparseable" else {}
    seen = replace(seen, request=request, **why)  # type: ignore[arg-type]
    reserved = seat.reserve(request, seen)
    turn = asyncio.run(seat(request, seen, silent))
    assert isinstance(turn, TakeTurn)
    assert turn.content == Argument(rationale=PROSE, vote="adopt", confidence=70)
    _, before, again = wire.calls
    assert again.schema == before.schema
    assert f"<data-1>\n{PROSE}\n</data-1>" in again.tail
    assert (again.tail != before.tail) is says_why
    # One call, and no more than it was reserved and is paid.
    assert turn.usage is not None
    assert (turn.usage.calls, turn.usage.cost_usd) == (1, "0.0015")
    assert (reserved.calls, reserved.output_tokens) == (1, 400)
    assert reserved.input_tokens >= prompt_chars(again) // 3


def test_in_two_steps_a_ballot_is_asked_once():
    spec = spec_of(line(structured="two_step", max_tokens=500))
    away = Reply("error", "", Usage(), "no connection", retry_after_ms=1, transport=True)
    said = (complete(PROSE), away, away, away, complete("adopt"), complete(PROSE), complete('{"vote": "keep"}'))
    wire, (request, seen) = SaidBefore(*said), first(spec)
    seat = seat_of(spec, wire)
    turns = [asyncio.run(seat(request._replace(attempt=n), seen, silent)) for n in range(1, 6)]
    assert [type(turn) for turn in turns] == [FailTurn] * 4 + [TakeTurn]
    assert [call.structured for call in wire.calls] == ["prompt", *["schema"] * 4, "prompt", "schema"]


@pytest.mark.parametrize("prose", ["I hold no JSON object.", "Shall we?"])
def test_in_two_steps_unusable_prose_gets_no_ballot_request(prose: str):
    wire, turn, _ = in_two_steps(complete(prose))
    assert isinstance(turn, FailTurn)
    assert (turn.error, len(wire.calls)) == ("unparseable", 1)


def test_in_two_steps_cut_prose_is_asked_again_and_shorter():
    spec = spec_of(line(structured="two_step", max_tokens=500))
    wire = SaidBefore(Reply("length", PROSE, USED, "too long"), complete(PROSE), complete('{"vote": "adopt"}'))
    seat = seat_of(spec, wire)
    turns = [asyncio.run(seat(*first(spec, attempt), silent)) for attempt in (1, 2)]
    assert [type(turn) for turn in turns] == [FailTurn, TakeTurn]
    assert ["at most 85 words" in c.tail for c in wire.calls[:2]] == [True, False]
    assert "at most 42 words" in wire.calls[1].tail
