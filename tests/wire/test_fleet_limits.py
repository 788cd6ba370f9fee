"""Workers of one database before one model server: whatever they do, it sees no more calls and tokens than agreed."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from debate_core.engine.audit import verify
from tests import postgres
from tests.model_server import Logged, ModelServer
from tests.wire.fleet import Fleet
from tests.wire.rig import SPLIT, line

WINDOW_S = 60
NEVER_S = 900


def wait_for(happened: Callable[[], bool]) -> None:
    """Longer than elsewhere: minutes pass here by agreement."""
    give_up = time.monotonic() + NEVER_S
    while not happened():
        assert time.monotonic() < give_up, "it never happened"
        time.sleep(0.1)


def more_calls_than(server: ModelServer, count: int) -> bool:
    return len(server.log) > count


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "workers", "debates", "places", "kills"),
    [
        ("sqlite", 2, 4, 2, 0),
        pytest.param("sqlite", 4, 40, 8, 0, marks=pytest.mark.nightly),
        pytest.param("postgres", 4, 60, 8, 3, marks=pytest.mark.nightly),
    ],
)
def test_calls_at_a_time(
    server: ModelServer, tmp_path: Path, kind: str, workers: int, debates: int, places: int, kills: int
):
    server.set(votes=SPLIT, latency_s=0.1)
    asked = line(server, "chat", parallel=places)
    with postgres.address_of(kind, tmp_path) as url, ExitStack() as until_over:
        fleet = Fleet(url, asked, tmp_path, until_over)
        opened = fleet.open(asked, debates)
        running = [fleet.worker() for _ in range(workers)]
        for kill in range(kills):
            wait_for(partial(more_calls_than, server, (kill + 1) * 40))
            running[kill].send_signal(signal.SIGKILL)
            running.append(fleet.worker())
        wait_for(partial(fleet.all_over, opened))
        assert [verify(fleet.store.load(debate)) for debate in opened] == [()] * debates
    print(f"{kind}: {workers} workers, {len(server.log)} calls, at most {server.most_at_once} at a time")
    # The votes are dealt out over all debates: one whose seats happen to agree is over after its first round.
    assert len(server.log) >= debates * 4
    # All places are used, and no more: also where those of a worker that was killed came back.
    assert server.most_at_once == places


@pytest.mark.nightly
def test_tokens_a_minute(server: ModelServer, tmp_path: Path):
    most = 30_000
    server.set(votes=SPLIT, latency_s=0.2, text_chars=2_000)
    asked = line(server, "chat", tokens_per_minute=most)
    with postgres.address_of("postgres", tmp_path) as url, ExitStack() as until_over:
        fleet = Fleet(url, asked, tmp_path, until_over)
        opened = fleet.open(asked, 6)
        for _ in range(4):
            fleet.worker()
        wait_for(partial(fleet.all_over, opened))
    worst = max(max(in_a_minute(server.log, "received_at")), max(in_a_minute(server.log, "ended_at")))
    print(f"{len(server.log)} calls, at most {worst} of {most} tokens in {WINDOW_S} s")
    assert worst <= most


def in_a_minute(log: list[Logged], when: str) -> Iterator[int]:
    """Tokens in the minute from each call on."""
    counted = [(getattr(call, when), call.tokens.input + call.tokens.output) for call in log if call.tokens]
    for from_s, _ in counted:
        yield sum(tokens for at_s, tokens in counted if from_s <= at_s < from_s + WINDOW_S)
