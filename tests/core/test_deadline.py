"""A wait for people that has an end: the debate is ended there, nothing is decided, and nothing ever goes on by it."""

import asyncio
import threading
import time
from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from debate_core.engine import stage
from debate_core.engine.audit import verify
from debate_core.engine.engine import requests
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.host.host import Host, HostOptions
from debate_core.host.run_options import RunOptions
from debate_core.host.runner import run
from debate_core.host.stores import Lease
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.acts import Extended
from debate_core.record.commands import EndWait, Pause, TakeTurn
from debate_core.record.events import DeadlinePassed, Event, make_event, utc_text
from debate_core.record.state import State
from debate_core.report.facts.account import account
from debate_core.report.files.report import text_report
from debate_core.spec.contents import Argument
from debate_core.spec.presets import compose, protocol
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Occupant, Seat
from tests.people import FAY, room_spec
from tests.playing import AT, Played
from tests.waiting import until

HOUR = 3_600
END = EndWait(by="runner")


def spec(max_wait_s: int | None = HOUR, occupant: Occupant = "human") -> Spec:
    seats = [Seat(id="ana", occupant=occupant), Seat(id="ben", occupant=occupant)]
    return compose("Adopt it?", ["adopt", "defer"], protocol("bounded_vote"), seats, max_wait_s=max_wait_s, threshold=2)


def test_the_debate_ends_undecided_when_the_agreed_wait_is_over():
    # R291: abort, never proceed
    held = Played(spec()).after(HOUR - 1)
    wait = stage.wait_for_people(held.state)
    assert wait == stage.Wait(("ana", "ben"), utc_text(AT), AT + timedelta(seconds=HOUR))
    assert "ends without a decision at 2026-03-04 06:06 UTC" in text_report(account(held.state))
    with pytest.raises(RuleViolation, match="no wait has lasted longer"):
        held.do(END)
    held.after(1).do(END)
    outcome = held.outcome()
    assert (outcome.status, outcome.ended_by, outcome.decided_by) == ("aborted", "deadline", None)
    assert [e.kind for e in held.events[-2:]] == ["deadline_passed", "closed"]
    assert verify(held.events) == ()
    assert "Ended by the deadline. Ana and ben had 1 hour and did not answer." in text_report(account(held.state))
    with pytest.raises(RuleViolation, match="the debate is over"):
        held.do(TakeTurn(by="ana", request="1.proposal.ana.1", content=Argument(rationale="late", vote="adopt")))


@pytest.mark.parametrize("changed", [{"seats": ("ben",)}, {"since": "2026-03-04T05:00:00.000000Z"}, {"seats": ()}])
def test_a_deadline_that_had_not_passed_so_is_found_out(changed: dict[str, object]):
    held = Played(spec()).after(HOUR).do(END)
    *before, passed, _ = held.events
    assert isinstance(passed.body, DeadlinePassed)
    body = passed.body.model_copy(update=changed)
    forged = make_event("d1", passed.seq, passed.prev_hash, passed.at, passed.actor, passed.key, body)
    (finding,) = verify([*before, forged])
    assert "it was a different one" in finding.message


def test_without_a_deadline_people_are_awaited_for_ever():
    # R291
    held = Played(spec(None)).after(10 * 365 * 24 * HOUR)
    with pytest.raises(RuleViolation, match="no wait has lasted longer"):
        held.do(END)


def test_only_people_are_waited_for_and_a_pause_counts():
    held = Played(spec(occupant="scripted"))
    assert stage.wait_for_people(held.state) is None
    held.do(Pause(by="ann", reason="tea")).after(HOUR)
    wait = stage.wait_for_people(held.state)
    assert wait is not None
    assert wait.seats == ()
    assert held.do(END).outcome().ended_by == "deadline"
    assert "The facilitator had 1 hour" in text_report(account(held.state))


def test_a_gathering_room_has_no_deadline_and_time_can_be_added():
    held = Played(room_spec().model_copy(update={"max_wait_s": HOUR}))
    held.after(100 * HOUR)
    assert stage.wait_for_people(held.state) is None
    held.go_on().play()
    assert held.state.paused is not None
    began = stage.wait_for_people(held.state)
    held.after(HOUR // 2).act(FAY, Extended(seconds=60, reason="lunch"))
    later = stage.wait_for_people(held.state)
    assert began is not None
    assert later is not None
    assert began.until is not None
    assert later.until is not None
    assert later.until - began.until >= timedelta(seconds=HOUR // 2)


@pytest.mark.parametrize("seconds", [0, 59, 366 * 86_400 + 1])
def test_a_wait_has_a_sensible_length(seconds: int):
    with pytest.raises(InvalidSpec, match="max_wait_s"):
        spec(seconds)


def test_writing_the_end_of_a_wait_blocks_no_other_task():
    others_went_on = threading.Event()

    class Slow(MemoryStore):
        def append(self, debate_id: str, events: Sequence[Event], *, after: int, lease: Lease | None = None) -> None:
            assert not after or others_went_on.wait(timeout=60)
            super().append(debate_id, events, after=after, lease=lease)

    async def beside() -> None:
        others_went_on.set()

    async def both() -> State:
        later = RunOptions(clock=lambda: AT + timedelta(hours=1))
        ended, _ = await asyncio.gather(run("d1", store, {}, later), beside())
        return ended

    store = Slow()
    store.append("d1", Played(spec()).events, after=0)
    assert asyncio.run(both()).outcome is not None


@pytest.mark.slow
def test_the_host_ends_the_wait_by_itself():
    # R291: nobody has to look at it for the deadline to hold
    began, asked = time.monotonic(), list[datetime]()

    def clock() -> datetime:
        """The opening is the first to ask; everything later is just before the deadline."""
        asked.append(AT if not asked else AT + timedelta(seconds=59.7 + time.monotonic() - began))
        return asked[-1]

    host = Host(MemoryStore(), HostOptions(clock=clock))
    debate = host.create(spec(60), by="ann")
    assert [r.seat for r in requests(host.state(debate))] == ["ana", "ben"]
    until(lambda: host.state(debate).outcome is not None)
    outcome = host.state(debate).outcome
    assert outcome is not None
    assert (outcome.status, outcome.ended_by) == ("aborted", "deadline")
    assert verify(host.events(debate)) == ()
    host.close()
