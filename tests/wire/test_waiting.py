"""Waiting is not silence: a server may think before its first byte, and answers one call after the other if it must."""

import asyncio
from functools import partial

import pytest

from debate_core.engine.engine import open_debate
from debate_core.host.run_options import RunOptions
from debate_core.host.run_planner import LOOK_S
from debate_core.host.runner import now, run
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.state import State
from debate_core.seats.model import model_fillers
from debate_core.seats.server_queue import Servers
from debate_core.spec.models import Dialect
from debate_core.spec.protocol import Spec
from tests.model_faults import Fault, Kind
from tests.model_server import ModelServer
from tests.wire.rig import DIALECTS, HEALTHY, KEYS, SPLIT, check, hold, line, panel

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
