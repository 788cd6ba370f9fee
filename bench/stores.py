"""Costs of a store: appends, reads at the end of a record, and votes of several processes at once.

`python -m bench.stores` measures an SQLite file, and a PostgreSQL database on the server of the tests. That server does
not wait for its disk; name one that does with `--db`, which leaves test debates in its database.
"""

import argparse
import multiprocessing
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from uuid import uuid4

from debate_core.engine.audit import verify
from debate_core.engine.engine import advance, open_debate
from debate_core.host.debate_cache import DebateCache
from debate_core.host.group_commit import GroupCommit
from debate_core.host.stores import Store, open_store
from debate_core.record.commands import Pause, Resume
from debate_core.record.events import Event
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.spec.presets import BOUNDED_VOTE
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Seat

APPENDS, LOOKS, PROCESSES, EACH = 1_000, 2_000, 4, 200
PEOPLE = 1, 10
"""Threads of a process that write at once."""
_AT = datetime(2026, 1, 1, tzinfo=UTC)
_SPEC = Spec(
    question="Which?",
    options=("a", "b"),
    seats=(Seat(id="a", occupant="scripted"), Seat(id="b", occupant="scripted")),
    protocol=BOUNDED_VOTE,
)
_REASON = "A reason as long as people give one. " * 40
"""Makes an event of about 1.5 kB."""


def opened(store: Store) -> str:
    """Open a debate; returns its id."""
    debate_id = f"bench-{uuid4()}"
    store.append(debate_id, open_debate(_SPEC, debate_id=debate_id, at=_AT), after=0)
    return debate_id


def _advance(state: State) -> tuple[Sequence[Event], State]:
    return advance(state, Resume(by="x") if state.paused else Pause(by="x", reason=_REASON), at=_AT)


def told(name: str, times: Sequence[float]) -> str:
    """Format one line: operations per second, and milliseconds."""
    ordered = sorted(times)
    p50, p99 = (ordered[int(len(ordered) * share)] * 1000 for share in (0.5, 0.99))
    return f"  {name:30} {len(times) / sum(times):8.0f} /s   p50 {p50:7.2f} ms   p99 {p99:7.2f} ms"


def timed(act: Callable[[], object]) -> float:
    """Run this; returns the seconds."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def append_times(store: Store, debate_id: str) -> list[float]:
    """Append to one debate, one event after the other; returns the seconds of each append."""
    state, times = replay(store.load(debate_id)), []
    for _ in range(APPENDS):
        version = state.version
        events, state = _advance(state)
        times.append(timed(partial(store.append, debate_id, events, after=version)))
    return times


def race(url: str, debate_id: str, people: int) -> tuple[float, float]:
    """Write as fast as this process can, with so many people; returns the times of its begin and end."""
    with closing(open_store(url)) as store:
        cache, commits = DebateCache(store, debate_id), GroupCommit(store, lambda _cache, _events: None)

        def write(n: int) -> None:
            for _ in range(n):
                commits.write(cache, _advance)

        start = time.monotonic()
        with ThreadPoolExecutor(people) as pool:
            list(pool.map(write, [EACH // people] * people))
        return start, time.monotonic()


def measure(url: str) -> Iterator[str]:
    """Yield a line for each figure of the store at this URL."""
    with closing(open_store(url)) as store:
        yield store.about()
        debate_id = opened(store)
        yield told("append, 1.5 kB", append_times(store, debate_id))
        version = len(store.load(debate_id))
        yield told("look, nothing new", [timed(lambda: store.load(debate_id, version)) for _ in range(LOOKS)])
        yield told("look, three new events", [timed(lambda: store.load(debate_id, version - 3)) for _ in range(LOOKS)])
        yield told("read all of it", [timed(lambda: store.load(debate_id)) for _ in range(10)])
        with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool:
            pool.starmap(opening, [(url,)] * PROCESSES)
            for people in PEOPLE:
                together = opened(store)
                n_before = len(store.load(together))
                starts, ends = zip(*pool.starmap(race, [(url, together, people)] * PROCESSES), strict=True)
                took_s = max(ends) - min(starts)
                events = store.load(together)
                n = len(events) - n_before
                yield (
                    f"  {PROCESSES} processes x {people:2}, one debate   {n / took_s:8.0f} /s   "
                    f"{n} of {PROCESSES * EACH} there, {len(verify(events))} faults"
                )


def opening(url: str) -> None:
    """Open the store once in advance, so that imports are not measured."""
    open_store(url).close()


@contextmanager
def places(named: str | None) -> Iterator[list[str]]:
    """Stores to measure."""
    if named:
        yield [named]
        return
    from tests import postgres

    with tempfile.TemporaryDirectory() as folder, ExitStack() as made:
        yield [made.enter_context(postgres.address_of(kind, Path(folder))) for kind in ("sqlite", "postgres")]


def main() -> None:
    """Print the figures."""
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--db", metavar="URL")
    with places(flags.parse_args().db) as urls:
        for url in urls:
            for line in measure(url):
                print(line, flush=True)


if __name__ == "__main__":
    main()
