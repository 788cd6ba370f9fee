"""Servers that think for long, or ask to wait for an hour: waiting is not silence, and the debate loses nothing."""

import asyncio
from datetime import datetime, timedelta
from functools import partial

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate, submit
from debate_core.host.fillers import Access
from debate_core.host.host import Host, HostOptions
from debate_core.host.retry_policy import MAX_PARKS
from debate_core.host.run_options import RunOptions
from debate_core.host.run_planner import LOOK_S
from debate_core.host.runner import now, run
from debate_core.host.server_health import StoreBoard
from debate_core.host.stores.memory import MemoryStore
from debate_core.host.stores.owner import this_process
from debate_core.record.commands import SkipTurn
from debate_core.record.events import Paused, TurnFailed
from debate_core.record.state import State
from debate_core.seats.model import model_fillers
from debate_core.seats.server_queue import Servers
from debate_core.spec.models import Dialect
from debate_core.spec.panels import PanelFile
from debate_core.spec.protocol import Spec
from tests.model_faults import Fault, Kind
from tests.model_server import ModelServer
from tests.virtual_time import VirtualTime
from tests.waiting import until
from tests.wire.rig import DIALECTS, HEALTHY, KEYS, SPLIT, Held, check, hold, line, panel

SILENCE_S = 0.2


@pytest.fixture
def _short_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("debate_core.seats.providers.silence.IDLE_S", SILENCE_S)


@pytest.mark.usefixtures("_short_silence")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_only_the_deadline_limits_the_wait_for_the_first_byte(server: ModelServer, dialect: Dialect):
    server.set(votes=SPLIT, faults=[Fault("slow", at=(1,), wait_s=4 * SILENCE_S)])
    held = asyncio.run(hold(panel(line(server, dialect))))
    check(held, server)
    assert (held.failures(), len(server.log)) == ([], HEALTHY)


@pytest.mark.usefixtures("_short_silence")
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("kind", "deadline_s", "why"), [("stall", 20, "sent nothing for 0.2 s"), ("drip", 1, "did not finish within 1 s")]
)
def test_after_it_only_bytes_keep_a_stream_alive(
    server: ModelServer, kind: Kind, deadline_s: float, why: str, dialect: Dialect
):
    server.set(votes=SPLIT, faults=[Fault(kind, at=(1,))])
    held = asyncio.run(hold(panel(line(server, dialect, deadline_s=deadline_s))))
    check(held, server)
    assert [(f.error, f.message.partition(" ")[2]) for f in held.failures()] == [("timeout", why)]


def test_calls_queue_for_a_serial_server_without_losing_time(server: ModelServer):
    # Each call takes half of what it may take, and the last of three begins when two of them are over.
    server.set(votes=SPLIT, latency_s=0.5)
    held = asyncio.run(hold(panel(line(server, "chat", parallel=None, deadline_s=1)), deadline_s=0.1))
    check(held, server)
    assert (held.failures(), len(server.log), server.most_at_once) == ([], HEALTHY, 1)


def test_two_debates_share_the_places_at_a_server(server: ModelServer):
    server.set(votes=SPLIT, latency_s=0.02)
    assert [state.outcome is not None for state in asyncio.run(two(panel(line(server, "chat", parallel=2))))] == [
        True
    ] * 2
    assert (len(server.log), server.most_at_once) == (2 * HEALTHY, 2)


def test_a_place_that_another_debate_leaves_is_soon_taken(server: ModelServer):
    # Also where the store tells of news, and nobody looks for them: it does not tell of places.
    server.set(votes=SPLIT)
    debate, servers, slept = panel(line(server, "chat", parallel=1)), Servers(), list[float]()
    elsewhere = servers.queue(debate.models[0]).enter(at=now())
    assert elsewhere is not None

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        elsewhere.leave(at=now())

    async def one() -> State:
        store = MemoryStore()
        store.append("d1", open_debate(debate, debate_id="d1", at=now()), after=0)
        fillers = partial(model_fillers, keys=KEYS, deadline_s=8, servers=servers)
        return await run("d1", store, fillers, RunOptions(look_s=60, sleep=sleep))

    assert asyncio.run(one()).outcome is not None
    assert slept[0] <= LOOK_S


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("how", "calls"), [("answers", HEALTHY), ("refuses", HEALTHY + 3)])
def test_a_server_that_does_not_stream_answers_whole(server: ModelServer, how: str, calls: int, dialect: Dialect):
    server.set(votes=SPLIT, whole=how)
    held = asyncio.run(hold(panel(line(server, dialect))))
    check(held, server)
    assert [turn.status for turn in held.state.turns] == ["ok"] * HEALTHY
    assert len(server.log) == calls


@pytest.mark.parametrize("kind", ["parameter", "schema"])
def test_a_servers_refusals_are_remembered_for_the_next_debate(server: ModelServer, kind: Kind):
    server.set(votes=SPLIT, faults=[Fault(kind)])
    asyncio.run(two(panel(line(server, "chat")), side_by_side=False))
    assert [call.status for call in server.log].count(400) == 3


async def two(spec: Spec, *, side_by_side: bool = True) -> list[State]:
    """Hold this debate twice in one process."""
    servers = Servers()

    async def one() -> State:
        store = MemoryStore()
        store.append("d1", open_debate(spec, debate_id="d1", at=now()), after=0)
        return await run("d1", store, lambda s: model_fillers(s, KEYS, deadline_s=8, servers=servers))

    return list(await asyncio.gather(one(), one())) if side_by_side else [await one(), await one()]


HOUR = timedelta(hours=1)
MIDDLE = 4


class Parked:
    """A debate that is run, each time until it is over or a server asks to wait for longer."""

    def __init__(self, server: ModelServer, dialect: Dialect = "chat", *, parallel: int = 8) -> None:
        self.time, self.store = VirtualTime(), MemoryStore()
        self.until: list[datetime] = []
        self.server = server
        self.store.append(
            "d1", open_debate(panel(line(server, dialect, parallel=parallel)), debate_id="d1", at=self.time.at), after=0
        )

    def go_on(self) -> State:
        # Each run is one of another process, which knows nothing but what is in the store.
        fillers = partial(model_fillers, keys=KEYS, deadline_s=8, servers=Servers(StoreBoard(self.store)))
        time = self.time
        return asyncio.run(
            run(
                "d1",
                self.store,
                fillers,
                RunOptions(waits_hours=True, on_parked=self.until.append, clock=time.clock, sleep=time.sleep),
            )
        )

    def held(self, state: State) -> Held:
        return Held(state, tuple(self.store.load("d1")))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_worker_is_free_until_the_server_may_be_called_again(server: ModelServer, dialect: Dialect):
    server.set(votes=SPLIT, faults=[Fault("429", at=(MIDDLE,), headers={"retry-after": "3600"})])
    debate = Parked(server, dialect, parallel=1)
    state = debate.go_on()
    assert (state.outcome, state.paused, len(server.log)) == (None, None, MIDDLE)
    assert [until - debate.time.at for until in debate.until] == [pytest.approx(HOUR, abs=timedelta(seconds=5))]
    # Somebody else could run it, and whoever does calls nobody before the hour is over.
    debate.store.release(debate.store.acquire("d1", this_process(), ttl_s=1))
    debate.time.at += HOUR / 2
    debate.go_on()
    assert len(server.log) == MIDDLE
    debate.time.at = debate.until[-1]
    held = debate.held(debate.go_on())
    check(held, server)
    assert held.state.outcome is not None
    assert [turn.status for turn in held.state.turns] == ["ok"] * HEALTHY
    assert [(f.permanent, f.retry_after_ms, f.transport) for f in held.failures()] == [(False, 3_600_000, True)]
    assert len(debate.until) == 2


def test_a_server_that_always_postpones_is_unreachable_at_last(server: ModelServer):
    server.set(votes=SPLIT, faults=[Fault("429", first=MIDDLE, headers={"retry-after": "90"})])
    debate = Parked(server)
    state = debate.go_on()
    # While one of three asks, the others need not hear the same.
    for _ in range(3 * MAX_PARKS):
        if state.paused is None:
            debate.time.at = debate.until[-1]
            state = debate.go_on()
    assert "could not be reached" in (state.paused or "")
    assert verify(debate.store.load("d1")) == ()
    asked = [event.body for event in debate.store.load("d1") if isinstance(event.body, TurnFailed)]
    assert [failed.permanent for failed in asked].count(True) == 3


def test_a_wait_of_more_than_a_day_in_all_is_not_waited_for(server: ModelServer):
    server.set(votes=SPLIT, faults=[Fault("429", headers={"retry-after": "50000"})])
    debate = Parked(server)
    state = debate.go_on()
    for _ in range(3):
        if state.paused is None:
            debate.time.at = debate.until[-1]
            state = debate.go_on()
    assert "it asks to wait 50000 s" in (state.paused or "")


def test_people_can_skip_who_waits(server: ModelServer):
    server.set(votes=SPLIT, faults=[Fault("429", at=(MIDDLE,), headers={"retry-after": "3600"})])
    debate = Parked(server, parallel=1)
    state = debate.go_on()
    (waiting,) = [turn.seat for turn in state.failed_attempts]
    skip = SkipTurn(by="chair", request=f"2.critique.{waiting}.2", reason="it may not be asked for an hour")
    request = next(r for r in state.open.missing() if r.seat == waiting) if state.open else None
    assert request is not None
    debate.store.append("d1", submit(state, skip, at=debate.time.at), after=state.version)
    debate.go_on()
    assert len(server.log) == MIDDLE


def test_a_host_frees_the_runner_and_wakes_the_debate_by_itself(server: ModelServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("debate_core.host.retry_policy.PARK_S", 0.1)
    monkeypatch.setattr("debate_core.host.run_planner.PARK_S", 0.1)
    server.set(votes=SPLIT, faults=[Fault("429", at=(MIDDLE,), headers={"retry-after": "1"})])
    asked = line(server, "chat", parallel=1)
    host = Host(MemoryStore(), HostOptions(access=Access(PanelFile(lines=(asked,)), keys=KEYS, turn_deadline_s=30)))
    try:
        debate_id = host.create(panel(asked), by="chair")
        until(lambda: len(server.log) == MIDDLE and host.health.report()["running"] == 0)
        gauges = host.health.gauges()
        assert (gauges.parked, gauges.servers) == (1, {"closed": 1})
        began = now()
        until(lambda: host.state(debate_id).outcome is not None)
        until(lambda: host.health.gauges().parked == 0)
        assert now() - began > timedelta(seconds=0.5)
        assert not any(isinstance(event.body, Paused) for event in host.events(debate_id))
        assert len(server.log) == HEALTHY + 1
    finally:
        host.close()
