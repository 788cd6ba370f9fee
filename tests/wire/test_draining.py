"""A process that is told to end: calls under way may still end, nobody else is asked, and nothing is paid for twice."""

import asyncio
import os
import signal
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from debate_core.engine.audit import verify
from debate_core.host.job_queue import STALLED_S
from debate_core.host.run_loop import LEASE_TTL_S
from debate_core.host.runner import run
from debate_core.host.stores.owner import this_process
from debate_core.record.events import AttemptStarted, Event, TurnTaken
from debate_core.seats.model import model_fillers
from tests import postgres
from tests.e2e.conftest import start
from tests.model_server import ModelServer
from tests.monitoring import free_port
from tests.waiting import until
from tests.wire.fleet import Fleet
from tests.wire.rig import HEALTHY, KEYS, SEATS, SPLIT, line

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="needs signals")]


def begun(record: Sequence[Event]) -> list[str]:
    return [event.body.request for event in record if isinstance(event.body, AttemptStarted)]


def taken(record: Sequence[Event]) -> list[str]:
    return [event.body.request for event in record if isinstance(event.body, TurnTaken)]


def asked_once(server: ModelServer, record: Sequence[Event]) -> bool:
    return len(begun(record)) == len(set(begun(record))) == len(server.log)


@pytest.mark.parametrize("kind", ["worker", "web"])
def test_calls_under_way_are_recorded_and_not_repeated(server: ModelServer, tmp_path: Path, kind: str):
    server.set(votes=SPLIT, latency_s=8)
    asked = line(server, "chat")
    with ExitStack() as until_over:
        database = "postgres" if kind == "worker" else "sqlite"
        fleet = Fleet(until_over.enter_context(postgres.address_of(database, tmp_path)), asked, tmp_path, until_over)
        (debate,) = fleet.open(asked, 1)
        process = fleet.worker() if kind == "worker" else start(tmp_path, free_port(), fleet.environ)
        until_over.callback(process.kill)
        server.wait_for("received_at", len(SEATS))
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) in (0, -signal.SIGTERM)
        record = fleet.store.load(debate)
        # On a busy machine it may be a phase later that the process hears of its end.
        assert len(SEATS) <= len(begun(record)) == len(taken(record)) == len(server.log) < HEALTHY
        assert not any(call.client_left for call in server.log)
        # Whoever comes next need not wait for a lease, and asks none of them again.
        fleet.store.release(fleet.store.acquire(debate, this_process(), ttl_s=60))
        server.set(latency_s=0)
        ended = asyncio.run(run(debate, fleet.store, partial(model_fillers, keys=KEYS, deadline_s=8)))
        assert ended.outcome is not None
        record = fleet.store.load(debate)
        assert asked_once(server, record)
        assert verify(record) == ()


@pytest.mark.nightly
def test_nobody_takes_over_what_takes_longer_than_a_sign_of_life(server: ModelServer, tmp_path: Path):
    server.set(votes=SPLIT, latency_s=LEASE_TTL_S + STALLED_S)
    asked = line(server, "chat")
    with postgres.address_of("postgres", tmp_path) as url, ExitStack() as until_over:
        fleet = Fleet(url, asked, tmp_path, until_over)
        (debate,) = fleet.open(asked, 1)
        process = fleet.worker()
        server.wait_for("received_at", len(SEATS))
        fleet.worker()
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0
        assert len(taken(fleet.store.load(debate))) == len(server.log) == len(SEATS)
        server.set(latency_s=0)
        until(lambda: fleet.all_over([debate]))
        assert asked_once(server, fleet.store.load(debate))


@pytest.mark.parametrize(("drain_s", "signals", "status"), [("0.2", 1, 0), ("3600", 2, -signal.SIGTERM)])
def test_slow_calls_are_cut_off_and_a_second_signal_ends_at_once(
    server: ModelServer, tmp_path: Path, drain_s: str, signals: int, status: int
):
    server.set(latency_s=600)
    asked = line(server, "chat")
    with postgres.address_of("sqlite", tmp_path) as url, ExitStack() as until_over:
        fleet = Fleet(url, asked, tmp_path, until_over)
        (debate,) = fleet.open(asked, 1)
        process = fleet.worker(DEBATE_DRAIN_S=drain_s)
        server.wait_for("received_at", len(SEATS))
        for _ in range(signals):
            process.send_signal(signal.SIGTERM)
            until(lambda: b"a second signal cancels them" in fleet.log.read_bytes())
        assert process.wait(timeout=60) == status
        server.wait_for("client_left", len(SEATS))
        record = fleet.store.load(debate)
        assert (len(begun(record)), taken(record)) == (len(SEATS), [])
