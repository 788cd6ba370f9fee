"""Seats of plain functions: the arguments they get, the replies they may give, and the faults of both."""

import asyncio
import threading
import time
from dataclasses import dataclass
from typing import Any

import pytest

import debate_core as dc
from debate_core.host.run_options import RunOptions
from debate_core.host.stores.memory import MemoryStore
from debate_core.seats.callback import TurnCallback
from debate_core.spec.presets import PROTOCOLS, compose, other_seats
from debate_core.spec.protocol import Spec
from tests.holding import AT, OPTIONS, SEATS


@dataclass(frozen=True)
class Said:
    stance: str
    rationale: str
    vote: str


def spec(seats: tuple[str, ...] = SEATS, protocol: str = "bounded_vote") -> Spec:
    rules = PROTOCOLS[protocol]
    debaters = [dc.Seat(id=seat, occupant="scripted", stance=f"side {seat}") for seat in seats]
    return compose("Release?", OPTIONS, rules, [*debaters, *other_seats(rules, "scripted")], max_rounds=1)


def played(callback: TurnCallback, *, deadline_s: float = 5, agreed: Any = None) -> Any:
    agreed = agreed or spec()
    store = MemoryStore()
    store.append("d", dc.open_debate(agreed, debate_id="d", at=AT), after=0)
    fillers = dict.fromkeys(agreed.seat_ids(), dc.from_callback(callback))
    state = asyncio.run(dc.run("d", store, fillers, RunOptions(deadline_s=deadline_s)))
    assert dc.verify(store.load("d")) == ()
    return state


def test_callback_gets_round_seat_and_phase_by_keyword():
    asked = []

    def reply(**given):
        asked.append(given)
        return "I abstain."

    state = played(reply)
    phases = ("proposal", "critique", "revision", "consensus")
    assert asked == [{"round_index": 1, "speaker_id": seat, "phase": phase} for phase in phases for seat in SEATS]
    assert {turn.argument and turn.argument.rationale for turn in state.turns} == {"I abstain."}
    assert state.outcome.tally.cast == 0
    assert {ballot.status for ballot in state.ballots.values()} == {"abstained"}


@pytest.mark.parametrize(
    "reply",
    [
        dc.Argument(rationale="Tests are red.", stance="wait", vote="revise"),
        {"rationale": "Tests are red.", "stance": "wait", "vote": "revise"},
        Said("wait", "Tests are red.", "revise"),
    ],
    ids=["content", "mapping", "dataclass"],
)
def test_callback_returns_content_fields_or_dataclass(reply: object):
    state = played(lambda round_index, speaker_id, phase: reply)
    assert {turn.argument for turn in state.turns} == {
        dc.Argument(rationale="Tests are red.", stance="wait", vote="revise")
    }
    assert (state.outcome.decision, state.outcome.tally.as_dict()) == ("revise", {"revise": 3})
    assert {turn.usage for turn in state.turns} == {None}


def test_text_is_the_prose_of_every_kind_with_prose():
    state = played(lambda **_: "All in all, wait.", agreed=spec(protocol="stance_judge"))
    verdict = state.turns[-1].content
    assert isinstance(verdict, dc.Verdict)
    assert (verdict.reasoning, verdict.option) == ("All in all, wait.", None)


def test_async_callbacks_of_a_phase_run_together():
    together = asyncio.Barrier(3)

    async def reply(*, round_index: int, speaker_id: str, phase: str) -> object:
        if phase == "proposal":
            await together.wait()
        return {"rationale": "Because.", "vote": "release"}

    assert played(reply).outcome.decision == "release"


def test_plain_callback_is_called_once_at_a_time():
    running = []

    def reply(*, speaker_id: str, **_: object) -> dict[str, str]:
        running.append(speaker_id)
        time.sleep(0.01)
        assert running[-1] == speaker_id
        return {"rationale": "Because.", "vote": "release"}

    assert played(reply).outcome.decision == "release"
    assert running == [*SEATS]


def test_plain_callback_that_hangs_misses_the_deadline():
    released = threading.Event()

    def reply(**_: object) -> str:
        released.wait(10)
        return "Late."

    began_s = time.monotonic()
    state = played(reply, deadline_s=0.01)
    assert time.monotonic() - began_s < 5
    released.set()
    assert {turn.status for turn in state.turns} == {"timeout"}


def raises(**_: object) -> object:
    raise KeyError("secret")


async def raises_later(**_: object) -> object:
    raise KeyError("secret")


def exhausted(**_: object) -> object:
    return next(iter(()))


@pytest.mark.parametrize(
    ("callback", "status", "message"),
    [
        (raises, "failed", "the seat broke with KeyError"),
        (raises_later, "failed", "the seat broke with KeyError"),
        (exhausted, "failed", "the callback has no turn left: its iterator is exhausted"),
        (lambda **_: None, "unparseable", "the callback returned NoneType for 'argument': return a content"),
        (lambda **_: {"rationale": "x", "votes": "release"}, "unparseable", "votes"),
        (lambda **_: {"rationale": "x", "vote": "releese"}, "unparseable", "releese"),
        (lambda **_: "", "unparseable", "at least 1 character"),
        (lambda **_: dc.Verdict(reasoning="x"), "unparseable", "verdict"),
    ],
)
def test_fault_of_a_callback_is_a_fault_of_the_turn(callback: TurnCallback, status: str, message: str):
    state = played(callback)
    assert {turn.status for turn in state.turns} == {status}
    assert all(message in turn.message for turn in (*state.turns, *state.failed_attempts))
    assert state.outcome.tally.cast == 0
    assert state.outcome.status != "decided"
