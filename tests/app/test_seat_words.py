"""Texts of a seat's card while its turn is awaited: a true sentence for each state."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest

from debate_core.engine.engine import open_debate, submit
from debate_core.language import spoken
from debate_core.record.commands import AnyCommand, FailTurn, Pause, StartAttempt, TakeTurn
from debate_core.record.fold import apply, replay
from debate_core.record.state import State
from debate_core.spec.contents import Argument
from debate_core.spec.models import ModelLine
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat, TurnError
from debate_core.ui.room.live import seat_words
from debate_core.ui.room.live.transcript import picture
from debate_core.ui.room.live.wire_types import Item

AT = datetime(2026, 1, 1, tzinfo=UTC)
AT_MS = round(AT.timestamp() * 1000)
HERE = ModelLine(id="m", model="m", provider="x", dialect="chat", base_url="http://127.0.0.1:1/v1")
ANA, BEN = "1.proposal.ana.1", "1.proposal.ben.1"
BEGUN = StartAttempt(by="ana", request=ANA)
PAUSED = Pause(by="chair", reason="tea")
GIVEN = TakeTurn(by="ana", request=ANA, content=Argument(rationale="Because", vote="stay"))
ANSWERING = "asked {seconds} s ago, no word yet"
QUEUED = "waits for its turn at the server"


def lost(request: str = ANA, error: TurnError = "failed", wait_ms: int = 9_000) -> FailTurn:
    """A call without a reply, after which the server is asked again."""
    seat = request.split(".")[2]
    return FailTurn(
        by=seat, request=request, error=error, message="no connection", retry_after_ms=wait_ms, transport=True
    )


def broken_off() -> FailTurn:
    return lost(error="cut", wait_ms=1_000).model_copy(update={"began": True})


def unread(error: TurnError) -> FailTurn:
    return FailTurn(by="ana", request=ANA, error=error, message="not JSON")


def begun_again(attempt: int = 2) -> StartAttempt:
    return StartAttempt(by="ana", request=f"1.proposal.ana.{attempt}")


def held(
    *commands: AnyCommand, line: ModelLine = HERE, seats: Sequence[Seat] = (), name: str = "bounded_vote"
) -> State:
    """Two models at one server, and a person; each command comes a second after the one before."""
    seated = seats or [Seat(id=s, model="m") for s in ("ana", "ben")] + [Seat(id="eva", occupant="human")]
    spec = compose("Which store?", ["migrate", "stay"], protocol(name), seated, models=[line])
    state = replay(open_debate(spec, debate_id="d", at=AT))
    for second, command in enumerate(commands):
        for event in submit(state, command, at=AT + timedelta(seconds=second)):
            state = apply(state, event)
    return state


def items(state: State, holds: Sequence[str] = (), text: str = "", thinking: str = "") -> list[Item]:
    asked = [*state.attempts][-1:]
    return picture(state, dict.fromkeys(asked, text), holds, thinking=dict.fromkeys(asked, thinking))["items"]


def says(state: State, **heard: str) -> list[str]:
    """Return the card texts of Ana, Ben and Eva."""
    return [item["says"] for item in items(state, **heard)]


def test_a_seat_says_what_it_waits_for():
    away, looks = (
        "no reply from the server; looks again in {seconds} s",
        "looks whether the server is back; asked {seconds} s ago",
    )
    other_looks = "no reply from the server; another seat looks whether it is back"
    asks = "the server 127.0.0.1:1 asks to wait until {time}"
    table: list[tuple[list[AnyCommand], list[str]]] = [
        ([], ["is asked next", "is asked next", "has the turn"]),
        ([BEGUN], [ANSWERING, QUEUED, "has the turn"]),
        ([PAUSED], ["is asked when the debate goes on", "is asked when the debate goes on", "has the turn"]),
        ([BEGUN, PAUSED], [ANSWERING, "is asked when the debate goes on", "has the turn"]),
        ([BEGUN, GIVEN], ["", "is asked next", "has the turn"]),
        ([BEGUN, lost()], [away, away, "has the turn"]),
        ([BEGUN, lost(), begun_again()], [looks, other_looks, "has the turn"]),
        ([BEGUN, lost(), StartAttempt(by="ben", request=BEN)], [other_looks, looks, "has the turn"]),
        ([BEGUN, lost(wait_ms=3_600_000)], [asks, asks, "has the turn"]),
        ([BEGUN, lost(), PAUSED], ["is asked when the debate goes on"] * 2 + ["has the turn"]),
        # Its server is free: no other seat waits for it.
        (
            [BEGUN, broken_off()],
            ["the reply broke off; is asked again in {seconds} s", "is asked next", "has the turn"],
        ),
        ([BEGUN, broken_off(), begun_again()], [ANSWERING, QUEUED, "has the turn"]),
        # It refuses a part of the call, which is left out from now on.
        ([BEGUN, lost(wait_ms=0)], ["is asked again", "is asked next", "has the turn"]),
        ([BEGUN, unread("unparseable")], ["is asked again", "is asked next", "has the turn"]),
        ([BEGUN, unread("unparseable"), begun_again()], [ANSWERING, QUEUED, "has the turn"]),
        ([BEGUN, unread("refused")], ["declined to answer", "is asked next", "has the turn"]),
        (
            [BEGUN, lost(), begun_again(), GIVEN.model_copy(update={"request": "1.proposal.ana.2"})],
            ["", "is asked next", "has the turn"],
        ),
    ]
    assert [says(held(*commands)) for commands, _ in table] == [expected for _, expected in table]


def test_a_seat_that_answers_says_how_far_it_is():
    state = held(BEGUN)
    assert says(state)[0] == ANSWERING
    assert says(state, thinking="Well")[0] == "thinks; asked {seconds} s ago"
    assert says(state, thinking="Well", text="I say")[0] == "writes"
    # Eva still has to answer at once: what Ana says is kept from her, and whether she has begun to say it.
    assert items(state, ["eva"], text="I say")[0]["says"] == "asked {seconds} s ago"
    with spoken("de"):
        assert says(state, text="I say")[0] == "schreibt"
        assert items(state, ["eva"], text="I say")[0]["says"] == "vor {seconds} s gefragt"
    given = [item["says"] for item in items(held(BEGUN, GIVEN), ["eva"])]
    assert given == ["has answered; shown when everyone has", "is asked next", "has the turn"]


def test_who_speaks_later_says_so():
    seats = [Seat(id=s, model="m") for s in ("ana", "ben")] + [Seat(id="syn", role="judge", model="m")]
    assert says(held(seats=seats, name="tit_for_tat"))[:2] == ["is asked next", "speaks later in this phase"]


@pytest.mark.parametrize(("parallel", "expected"), [(None, QUEUED), (1, QUEUED), (2, "is asked next")])
def test_calls_that_a_server_answers_at_once_are_not_waited_for(parallel: int | None, expected: str):
    assert says(held(BEGUN, line=HERE.model_copy(update={"parallel": parallel})))[1] == expected


def test_the_seconds_run_from_the_request_to_the_servers_answer():
    asked, waits = items(held(BEGUN))[0], items(held(BEGUN, lost()))[1]
    assert (asked["since"], "until" in asked) == (AT_MS, False)
    assert (waits["until"], "since" in waits) == (AT_MS + 1_000 + 9_000, False)


def test_every_reason_to_ask_again_has_its_sentence():
    """But for a refusal: that one is final."""
    assert {*seat_words.TRIES, "contradicts", "mismatch", "refused"} == {*get_args(TurnError)}
    assert {*seat_words.ENDED} >= {*get_args(TurnError)}
    tried = {
        error: items(held(BEGUN, unread(error), begun_again()))[0]["tried"]
        for error in get_args(TurnError)
        if error in seat_words.TRIES
    }
    assert tried == {
        "timeout": "try 2 of 2: there was no reply in time",
        "cut": "try 2 of 2: the reply was cut short",
        "unparseable": "try 2 of 2: the reply could not be read",
        "failed": "try 2 of 2: the call failed",
        "weak": "try 2 of 2: the critique was too weak by its own rating",
    }
    content = Argument(rationale="Stay. My position: stay.", vote="migrate")
    asked = unread("contradicts").model_copy(update={"content": content, "argues_for": "stay"})
    assert items(held(BEGUN, asked, begun_again()))[0]["tried"] == "asked which it holds, its text or its ballot"


def test_a_call_without_a_reply_is_no_try():
    again = held(BEGUN, lost(), begun_again())
    assert items(again)[0]["tried"] == "asked 2 times"
    unread_then = unread("unparseable").model_copy(update={"request": "1.proposal.ana.2"})
    third = held(BEGUN, lost(), begun_again(), unread_then, begun_again(3))
    assert items(third)[0]["tried"] == "try 2 of 2: the reply could not be read"


def test_a_number_of_seconds_is_the_only_gap_in_a_sentence():
    """The browser fills in no other."""
    told = [says(held(*commands)) for commands in ([BEGUN], [BEGUN, lost()], [BEGUN, lost(), begun_again()])]
    assert {gap for said in told for words in said for gap in re.findall(r"{.*?}", words)} == {"{seconds}"}
