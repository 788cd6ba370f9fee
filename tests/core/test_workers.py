"""Processes that ask seats and processes that do not, on one database: who is there, who takes up what, who says so."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from debate_core.engine.audit import verify
from debate_core.errors import Leased, NewerRecord
from debate_core.host.background import Running
from debate_core.host.host import Host, HostOptions
from debate_core.host.run_loop import LEASE_TTL_S
from debate_core.host.stores.memory import MemoryStore
from debate_core.host.stores.owner import this_process
from debate_core.host.stores.sqlite import SqliteStore
from debate_core.host.workers import ALIVE_S, BEAT_S, Asking, Workers
from debate_core.record.commands import Pause, Resume
from tests.core.test_host import is_over, start
from tests.waiting import until

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("free_in_s", "tries", "runs"), [(0.05, 2, True), (7.0, 1, False), (0, 1, False)])
def test_a_waiter_for_a_dead_runners_lease_tries_at_its_end(free_in_s: float, tries: int, runs: bool):
    tried = 0

    async def run(debate_id: str, wake: asyncio.Event) -> float | None:
        nonlocal tried
        tried += 1
        if tried == 1:
            raise Leased("d-1 is being run by somebody", free_in_s=free_in_s)
        return None

    async def serve() -> float | None:
        running = Running(run, lambda *_: pytest.fail("nothing broke"), retry_s=5, patience_s=1)
        return await running.serve("d-1", running.begin("d-1"))

    assert (asyncio.run(serve()), tried) == (None if runs else 5, tries)


def signed(how: str, age_s: float) -> str:
    return f"{how} {(datetime.now(UTC) - timedelta(seconds=age_s)).isoformat()}"


@pytest.mark.parametrize(
    ("process", "how", "age_s", "alive"),
    [
        ("there:1:1", "beats", ALIVE_S - 5, 1),
        ("there:1:1", "beats", ALIVE_S + 1, 0),
        ("there:1:1", "ended", 0, 0),
        # It signed once, so only its own machine can tell, by its number.
        ("there:1:1", "once", 0, 0),
        (this_process(), "once", 10 * ALIVE_S, 1),
        # A process of this machine that has ended needs no time to be missed.
        (f"{this_process()}9", "beats", 0, 0),
    ],
    ids=["elsewhere", "too-old", "ended", "once-elsewhere", "once-here", "gone-from-here"],
)
def test_a_process_that_asks_seats_is_known_by_its_sign_of_life(process: str, how: str, age_s: float, alive: int):
    store = MemoryStore()
    store.put_note("worker", process, sign := signed(how, age_s))
    last_sign = None if how == "once" else datetime.fromisoformat(sign.split()[1])
    assert Workers(store).asking() == Asking(alive, last_sign)


def test_signs_come_and_go_and_those_of_long_ago_are_forgotten():
    store = MemoryStore()
    store.put_note("worker", "old:1:1", signed("beats", 2 * 86_400))
    new = Workers(store, process="new:1:1")
    new.begin(beats=True)
    assert list(store.notes("worker")) == ["new:1:1"]
    assert Workers(store).asking().workers == 1
    new.end()
    assert Workers(store).asking().workers == 0
    assert ALIVE_S > 3 * BEAT_S


def test_newer_records_are_left_alone_and_logged_once(caplog: pytest.LogCaptureFixture):
    async def unreadable(debate_id: str, wake: asyncio.Event) -> float | None:
        raise NewerRecord("the record has edition 99 of the rules; this program knows 2: update it")

    async def thrice() -> list[float | None]:
        running = Running(unreadable, lambda *_: pytest.fail("nothing broke"), retry_s=7)
        return [await running.serve("d-new", running.begin("d-new")) for _ in range(3)]

    with caplog.at_level(logging.WARNING):
        assert asyncio.run(thrice()) == [7, 7, 7]
    assert [record.getMessage() for record in caplog.records] == [
        "d-new is left to a process of a newer version: "
        "the record has edition 99 of the rules; this program knows 2: update it"
    ]


def test_seats_that_cost_nothing_are_not_waited_for():
    store = MemoryStore()
    host = Host(store, HostOptions(drain_s=3_600))
    # Its first turn would take minutes.
    begun = start(host, pace_cps=1)
    until(lambda: host.state(begun).attempts)
    host.close()
    store.release(store.acquire(begun, this_process(), ttl_s=60))
    assert not host.runs.running


@contextmanager
def worker(database: Path, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "debate_core", "worker", "--db", f"sqlite:///{database}"]
    with log.open("wb") as told, subprocess.Popen(command, cwd=ROOT, stderr=told) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_worker_runs_debates_and_returns_them_on_stop(tmp_path: Path):
    database = tmp_path / "debates.db"
    with (
        closing(Host(SqliteStore(database), HostOptions(worker="none")).start()) as web,
        closing(SqliteStore(database)) as store,
    ):
        assert web.health.missing_workers() == Asking(0)
        begun = start(web)
        with worker(database, tmp_path / "log") as process:
            until(is_over(web, begun))
            until(lambda: web.health.missing_workers() is None)
            assert (web.health.report()["workers"], web.health.report()["running"]) == (1, 0)
            later = start(web, pace_cps=20)
            until(lambda: web.state(later).attempts)
            web.submit(later, Pause(by="chair", reason="tea"))
            web.submit(later, Resume(by="chair"))
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=LEASE_TTL_S) == 0
        until(lambda: web.health.missing_workers() is not None)
        missing = web.health.missing_workers()
        assert missing is not None
        assert missing.last_sign is not None
        assert web.health.report()["no_worker_since"]
        # Nobody holds it any more, and nothing was lost.
        store.release(store.acquire(later, this_process(), ttl_s=60))
        assert verify(web.events(begun)) == verify(web.events(later)) == ()
        assert web.state(later).outcome is None
        assert "seats are asked, of all debates in SQLite" in (tmp_path / "log").read_text()
