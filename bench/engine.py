"""Cost of a turn in the engine, the stores and the runner, without any model.

Plays 150 turns of about 1,000 characters and 3 claims.
"""

import asyncio
import gc
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from debate_core.engine.engine import advance, open_debate, requests
from debate_core.engine.seat_view import View
from debate_core.host.runner import run
from debate_core.host.stores import Store, open_store
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import AnyCommand, StartAttempt, TakeTurn
from debate_core.record.events import Event, TurnTaken, canonical
from debate_core.record.fold import replay
from debate_core.record.state import Request
from debate_core.seats import Filler, OnText
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.presets import compose
from debate_core.spec.protocol import Phase, Protocol, Rounds, Spec
from debate_core.spec.rules import MaxRounds, Threshold
from debate_core.spec.values import Seat, Source

SEATS, ROUNDS, TURNS = 3, 50, 150
RUNS = 20
WORDS = (
    "The queue holds 40 % of the load at p95 and costs $120/month, so the migration pays for itself once the second "
    "team moves; until then a rollback stays possible, because both stores are written and compared every night. "
)
_START = datetime(2026, 1, 1, tzinfo=UTC)


def spec() -> Spec:
    """Build a debate of three seats that never agree, in fifty rounds of simultaneous turns."""
    protocol = Protocol(
        name="bench",
        each_round=(Phase(name="argument", order="at_once"),),
        stop=(MaxRounds(),),
        decide=Threshold(votes=SEATS),
        rounds=Rounds(default=ROUNDS, warn_above=ROUNDS, hard_max=ROUNDS),
    )
    seats = [Seat(id=f"seat{i}", occupant="scripted", stance=f"for option {i}") for i in range(SEATS)]
    source = Source(id="E1", title="Load test", text=WORDS * 3)
    return compose("Should the queue be moved?", ["move", "stay", "defer"], protocol, seats, sources=[source])


def content(number: int) -> Argument:
    """Build a turn of about 1,000 characters of prose, three claims and a vote."""
    claims = [Claim(text=f"Claim {i} of turn {number}: {WORDS[:110]}", source_id="E1") for i in range(3)]
    prose = f"Turn {number}. " + WORDS * 5
    return Argument(rationale=prose[:1000], claims=tuple(claims), vote=("move", "stay", "defer")[number % 3])


def play_in_memory() -> tuple[float, list[Event]]:
    """Play 150 turns on the memory store; returns the CPU seconds (engine, canonical bytes, hashes) and the events."""
    store, at = MemoryStore(), _START
    contents = [content(i) for i in range(TURNS)]
    events = list(open_debate(spec(), debate_id="bench", at=at))
    store.append("bench", events, after=0)
    state, given = replay(events), 0
    gc.collect()
    start = time.process_time()
    while asked := requests(state):
        for request in asked:
            at += timedelta(seconds=1)
            for command in _commands(request, contents[given]):
                version = state.version
                new, state = advance(state, command, at=at)
                store.append("bench", new, after=version)
            given += 1
    took_s = time.process_time() - start
    return took_s, list(store.load("bench"))


def _commands(request: Request, said: Argument) -> Sequence[AnyCommand]:
    attempt = StartAttempt(by=request.seat, request=request.id)
    return attempt, TakeTurn(by=request.seat, request=request.id, content=said)


def play_with_runner(store: Store) -> float:
    """Play the same debate with the runner on a durable store; returns the wall seconds. The seats answer at once."""
    contents = [content(i) for i in range(TURNS)]

    async def answer(request: Request, view: View, on_text: OnText) -> AnyCommand:
        assert view.request == request
        said = contents[(request.round - 1) * SEATS + int(request.seat[-1])]
        on_text(request.id, said.rationale)
        return TakeTurn(by=request.seat, request=request.id, content=said)

    store.append("bench", open_debate(spec(), debate_id="bench", at=_START), after=0)
    fillers: dict[str, Filler] = {f"seat{i}": answer for i in range(SEATS)}
    gc.collect()
    start = time.perf_counter()
    asyncio.run(run("bench", store, fillers))
    return time.perf_counter() - start


def stored_bytes(folder: Path) -> int:
    """Return the size of the database files, including the write-ahead log."""
    return sum(path.stat().st_size for path in folder.iterdir())


def content_bytes(events: Sequence[Event]) -> int:
    """Count the UTF-8 bytes of all content values."""
    contents = [e.body.content for e in events if isinstance(e.body, TurnTaken)]
    return sum(len(canonical(c.model_dump(mode="json", exclude_none=True)).encode()) for c in contents)


def tail_check_ms(store: Store, version: int) -> float:
    """Measure 100 checks for new events at the end of a record; returns the 99th percentile in milliseconds."""
    times = []
    for _ in range(500):
        start = time.perf_counter()
        store.load("bench", version)
        times.append(time.perf_counter() - start)
    return sorted(times)[int(len(times) * 0.99)] * 1000


def core_import_cpu_s() -> float:
    """Measure the CPU seconds of importing engine and presets in a fresh Python; the best of three."""
    code = (
        "import time; t = time.process_time(); import debate_core.engine.engine, debate_core.spec.presets; "
        "print(time.process_time() - t)"
    )
    root = Path(__file__).parents[1]
    runs = [subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, check=True) for _ in range(3)]
    return min(float(done.stdout) for done in runs)


def measure() -> dict[str, float]:
    """Measure every figure; timings are the best of a few runs, because other work on the machine only adds to them."""
    runs = [play_in_memory() for _ in range(RUNS)]
    cpu_s, events = min(run[0] for run in runs), runs[0][1]
    walls_s, replays_s, ratios, tails_ms = [], [], [], []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as name:
            store = open_store(f"sqlite:///{name}/bench.db")
            walls_s.append(play_with_runner(store))
            gc.collect()
            start = time.perf_counter()
            version = replay(store.load("bench")).version
            replays_s.append(time.perf_counter() - start)
            tails_ms.append(tail_check_ms(store, version))
            store.close()
            ratios.append(stored_bytes(Path(name)) / content_bytes(events))
    return {
        "cpu_ms_per_turn": round(cpu_s * 1000 / TURNS, 4),
        "wall_overhead_ms_per_turn": round(min(walls_s) * 1000 / TURNS, 4),
        "replay_1000_turns_ms": round(min(replays_s) * 1000 * 1000 / TURNS, 2),
        "storage_ratio": round(min(ratios), 3),
        "core_import_cpu_s": round(core_import_cpu_s(), 3),
        "tail_check_p99_ms": round(min(tails_ms), 3),
    }
