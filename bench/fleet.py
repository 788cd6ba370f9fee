"""Failures of workers and web processes on one PostgreSQL database: killed, suspended and observed.

`python -m bench.fleet kills` kills workers at random while debates of models run, and reports lost or doubled turns and
the time of take-overs. `zombies` suspends a worker for longer than its lease and resumes it. `texts` streams text from
one worker to viewers of two web processes, and kills one of these. Each process has its own machine name, so that only
leases and heartbeats reveal its death. Prints JSON. Needs the development requirements.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from urllib.error import URLError

import sqlalchemy as sa
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from bench.watchers import PACE_CPS, Watcher, free_port, latencies_ms, note_what_is_said, script, updates_of
from debate_core.engine.audit import verify
from debate_core.host.access.door import Door
from debate_core.host.fillers import Access
from debate_core.host.host import Host, HostOptions
from debate_core.host.notifier import coordination_of
from debate_core.host.run_loop import LEASE_TTL_S
from debate_core.host.runner import now
from debate_core.host.stores import open_store
from debate_core.record.commands import Pause, Resume
from debate_core.record.events import Event, TurnTaken
from debate_core.seats.scripted import read_script
from debate_core.seats.scripted import spec_of as spec_of_script
from debate_core.spec.contents import Argument
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import PanelFile
from debate_core.spec.protocol import Spec
from tests import postgres
from tests.model_seats import line, spec_of
from tests.model_server import ModelServer

ROOT = Path(__file__).resolve().parents[1]
OVER_S = 120.0
START_S = 60.0
"""Time limit for the start of a worker."""
ENDLESS_S = 600.0
"""Latency of a reply that must not arrive during the benchmark."""
SECRET, SIGNING_KEY = "s" * 32, "5" * 64
"""Shared by all processes, because PostgreSQL stores no secrets."""


@dataclass
class Process:
    """A worker or a web process; `place` is the machine name that it uses."""

    place: str
    running: subprocess.Popen[bytes]
    log: Path
    port: int = 0


@dataclass
class Fleet:
    """The processes on one database; `end` kills those still running."""

    url: str
    folder: Path
    lease_s: float | None = None
    """Overrides the program's lifetime of leases."""
    said: Path | None = None
    """File in which workers note the time of each piece of text."""
    processes: list[Process] = field(default_factory=list)
    replaced: int = 0
    """Workers that did not start in time."""

    def worker(self) -> Process:
        """Start another process that asks seats."""
        return self._start("worker")

    def web(self) -> Process:
        """Start another process that shows debates, and wait until it answers."""
        process = self._start("web", free_port())
        until(lambda: answers(process.port), within_s=60)
        return process

    def _start(self, kind: str, port: int = 0) -> Process:
        place = f"machine-{len(self.processes)}"
        flags = ["--place", place, "--port", str(port)]
        flags += ["--lease-s", str(self.lease_s)] if self.lease_s else []
        flags += ["--said", str(self.said)] if self.said else []
        log = self.folder / f"{place}.log"
        environment = {
            **os.environ,
            "DEBATE_DB": self.url,
            "DEBATE_WORKER": "none",
            "DEBATE_SECRET": SECRET,
            "DEBATE_SIGNING_KEY": SIGNING_KEY,
        }
        command = [sys.executable, "-m", "bench.fleet", f"be-{kind}", *flags]
        with log.open("wb") as told:
            running = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=told, stderr=told)
        process = Process(place, running, log, port)
        self.processes.append(process)
        return process

    def end(self) -> None:
        """Kill the processes still running."""
        for process in self.processes:
            process.running.kill()
            process.running.wait()

    def last_words(self) -> str:
        """Return the end of each process's log."""
        logs = [f"{process.place}:\n{process.log.read_text('utf-8', 'replace')[-2_000:]}" for process in self.processes]
        return "\n".join(logs)

    def in_service(self, worker: Process) -> Process:
        """Wait until the worker asks seats. A worker that does not start in time is replaced, and its log is printed.

        SystemExit if the worker has exited: then waiting would not help.
        """
        if is_so(lambda: worker in self.ready() or worker.running.poll() is not None, within_s=START_S):
            if worker in self.ready():
                return worker
            raise SystemExit(f"{worker.place} has ended instead of asking seats")
        worker.running.kill()
        worker.running.wait()
        self.replaced += 1
        print(f"{worker.place} did not start:\n{worker.log.read_text('utf-8', 'replace')}", file=sys.stderr)
        another = self.worker()
        until(lambda: another in self.ready())
        return another

    def ready(self) -> list[Process]:
        """Return the running workers that have started to ask seats."""
        living = [p for p in self.processes if not p.port and p.running.poll() is None]
        return [p for p in living if b"seats are asked" in p.log.read_bytes()]


@contextmanager
def fleet(*, lease_s: float | None = None, said: bool = False) -> Iterator[Fleet]:
    """Create an empty database and a fleet on it."""
    with postgres.new_database() as url, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        made = Fleet(postgres.written(url), folder, lease_s, folder / "said.txt" if said else None)
        try:
            yield made
        except BaseException:
            print(made.last_words(), file=sys.stderr)
            raise
        finally:
            made.end()


def be(flags: argparse.Namespace) -> None:
    """Run as a worker or a web process with its own machine name."""
    import logging

    socket.gethostname = lambda: str(flags.place)
    if flags.lease_s:
        from debate_core.host import job_queue, run_loop, runner

        for module in (run_loop, runner, job_queue):
            vars(module)["LEASE_TTL_S"] = flags.lease_s
        job_queue.STALLED_S = flags.lease_s
    if flags.said:
        note_what_is_said(flags.said)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    logging.getLogger("procrastinate").setLevel(logging.WARNING)
    if flags.what == "be-web":
        import uvicorn

        uvicorn.run("app:app", host="127.0.0.1", port=flags.port, log_level="warning", ws_per_message_deflate=False)
    else:
        from debate_core.__main__ import main as command_line

        sys.exit(command_line(["worker"]))


def answers(port: int) -> bool:
    """True if a web process answers on this port."""
    with suppress(URLError, ConnectionError, TimeoutError):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2).close()
        return True
    return False


def until(happened: Callable[[], object], *, within_s: float = OVER_S) -> None:
    """Wait for this condition. SystemExit on a timeout."""
    if not is_so(happened, within_s=within_s):
        raise SystemExit("it never happened")


def is_so(happened: Callable[[], object], *, within_s: float) -> bool:
    """Wait for this condition; False on a timeout."""
    give_up = time.monotonic() + within_s
    while not happened():
        if time.monotonic() > give_up:
            return False
        time.sleep(0.02)
    return True


# --- leases


@dataclass(frozen=True)
class Held:
    """Current or last holder of a debate's lease."""

    owner: str
    fence: int
    in_force: bool

    def is_of(self, process: Process) -> bool:
        """True if this process holds the lease."""
        return self.owner.startswith((f"{process.place}:", f"{process.place}/"))


class Leases:
    """Polls the leases of a database and times each take-over from a dead worker."""

    def __init__(self, url: str) -> None:
        self._db = postgres.admin(sa.make_url(url))
        self._lock = threading.Lock()
        self.took_s: list[float] = []
        self.orphans: dict[str, tuple[int, float]] = {}
        """Debates of dead workers without a new runner: the fence of their lease, and the time of death."""
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def now(self) -> dict[str, Held]:
        """Current values by debate."""
        asked = "SELECT debate, owner, fence, until_s > extract(epoch FROM clock_timestamp()) FROM leases"
        with self._lock:
            return {debate: Held(owner, fence, live) for debate, owner, fence, live in self._db.execute(asked)}

    def of(self, process: Process) -> set[str]:
        """Return the debates that this worker runs now."""
        return {debate for debate, held in self.now().items() if held.in_force and held.is_of(process)}

    def passed_on(self, debate: str, fence: int) -> bool:
        """True if the debate has a later lease than this one."""
        return self.now()[debate].fence > fence

    def orphaned(self, debate: str, fence: int) -> None:
        """Note that the holder of this lease is dead, even if the lease has not expired."""
        self.orphans[debate] = (fence, time.monotonic())

    def died(self, process: Process) -> int:
        """Note that the process was killed; returns the number of its debates."""
        held = self.now()
        orphans = self.of(process)
        for debate in orphans:
            self.orphaned(debate, held[debate].fence)
        return len(orphans)

    def _watch(self) -> None:
        while not self._ended.wait(0.05):
            held = self.now()
            for debate, (fence, since_s) in list(self.orphans.items()):
                if held[debate].fence > fence:
                    self.took_s.append(time.monotonic() - since_s)
                    del self.orphans[debate]

    def close(self) -> None:
        """Stop polling."""
        self._ended.set()
        self._thread.join()
        self._db.close()


# --- kills


def trial_of(server: ModelServer) -> Spec:
    """Build an expert panel of models on this server."""
    return spec_of(line(base_url=server.base_url("chat"), parallel=256))


def opener(url: str, *lines: ModelLine) -> Host:
    """Start a host that opens debates with these models and asks no seat."""
    store = open_store(url)
    return Host(
        store,
        HostOptions(
            access=Access(panels=PanelFile(lines=lines)),
            worker="none",
            coordination=coordination_of(url, "none"),
            door=Door(store, clock=now, secret=SECRET),
            signing_key=SIGNING_KEY,
        ),
    ).start()


def kills(
    *,
    debates: int,
    workers: int,
    webs: int,
    n_kills: int,
    latency_s: float,
    seed: int,
    pile_up: bool = False,
) -> dict[str, object]:
    """Run debates of models while workers are killed at random and replaced.

    With `pile_up` a worker may die before the debates of the previous victim were taken over.
    """
    rng, orphans = random.Random(seed), 0
    with ExitStack() as stack:
        server = stack.enter_context(ModelServer(latency_s=latency_s, keep_bodies=False))
        ours = stack.enter_context(fleet())
        host = stack.enter_context(closing(opener(ours.url, *trial_of(server).models)))
        leases = stack.enter_context(closing(Leases(ours.url)))
        shown = [ours.web() for _ in range(webs)]
        for _ in range(workers):
            ours.worker()
        began_s, opened = time.monotonic(), list[str]()
        for number in range(n_kills):
            # A take-over needs a second worker.
            until(lambda: len(ours.ready()) >= min(2, workers) and (pile_up or not leases.orphans))
            while len(opened) * n_kills < debates * (number + 1):
                opened.append(host.create(trial_of(server), by="bench"))
            until(lambda: any(map(leases.of, ours.ready())))
            time.sleep(rng.uniform(0.2, 2.0) * min(1.0, latency_s * 2))
            orphans += kill_one(ours, leases, rng)
            ours.worker()
        until(partial(are_over, host, opened), within_s=OVER_S + n_kills)
        shown_wrong = sum(count_wrong(web, host, opened) for web in shown)
        return {
            "debates": len(opened),
            "workers": workers,
            "webs": webs,
            "kills": n_kills,
            "seconds": round(time.monotonic() - began_s, 1),
            "load": round(os.getloadavg()[0], 1),
            **examined(host, opened, server),
            "debates_whose_worker_died": orphans,
            **take_over_times(leases.took_s),
            "shown_otherwise": shown_wrong,
        }


def kill_one(ours: Fleet, leases: Leases, rng: random.Random) -> int:
    """Kill a random worker, preferably one that runs debates; returns the number of its debates."""
    running_debates = [worker for worker in ours.ready() if leases.of(worker)]
    victim = rng.choice(running_debates or ours.ready())
    os.kill(victim.running.pid, signal.SIGKILL)
    orphans = leases.died(victim)
    victim.running.wait()
    return orphans


def take_over_times(took_s: Sequence[float]) -> dict[str, object]:
    """Summarise the times of take-overs; None without any."""
    if not took_s:
        return {"take_overs": 0, "take_over_p50_s": None, "take_over_max_s": None}
    return {
        "take_overs": len(took_s),
        "take_over_p50_s": round(median(took_s), 1),
        "take_over_max_s": round(max(took_s), 1),
    }


def examined(host: Host, debates: Sequence[str], server: ModelServer) -> dict[str, object]:
    """Compare the records of the debates and return what is missing or doubled; the first debate lists the turns."""
    taken = [turns_taken(host.events(debate)) for debate in debates]
    expected = taken[0][0].keys()
    totals = Counter[str]()
    for debate, (turns, ballots) in zip(debates, taken, strict=True):
        totals["without_end"] += not is_over(host, debate)
        totals["turns"] += turns.total()
        totals["turns_lost"] += len(expected - turns.keys())
        totals["turns_twice"] += turns.total() - len(turns)
        totals["ballots_twice"] += ballots.total() - len(ballots)
        totals["broken_records"] += verify(host.events(debate)) != ()
    return {**totals, "calls_made_again": len(server.log) - totals["turns"]}


def turns_taken(events: Sequence[Event]) -> tuple[Counter[str], Counter[str]]:
    """Count how often each turn, and each ballot cast in one, was taken; by round, phase and seat."""
    turns, ballots = Counter[str](), Counter[str]()
    for event in events:
        if isinstance(event.body, TurnTaken):
            place = event.body.request.rpartition(".")[0]
            turns[place] += 1
            ballots[place] += isinstance(event.body.content, Argument) and event.body.content.vote is not None
    return turns, +ballots


def is_over(host: Host, debate: str) -> bool:
    """True if the debate has an outcome."""
    return host.state(debate).outcome is not None


def are_over(host: Host, debates: Sequence[str]) -> bool:
    """True if all debates have an outcome."""
    return all(is_over(host, debate) for debate in debates)


def turns_of(host: Host, debate: str) -> int:
    """Count the turns of the record."""
    return len(host.state(debate).all_turns())


def count_wrong(web: Process, host: Host, debates: Sequence[str]) -> int:
    """Count the debates of which a web process shows another number of turns than the record."""
    return sum(shows(web, debate) != turns_of(host, debate) for debate in debates)


def shows(web: Process, debate: str) -> int:
    """Count the turns that a web process shows to a new viewer."""
    from websockets.sync.client import connect

    with connect(f"ws://127.0.0.1:{web.port}/api/debates/{debate}/live", max_size=None) as socket_:
        for kind, value in json.loads(socket_.recv(timeout=30)):
            if kind == "snapshot":
                return sum(item["state"] == "given" for item in value["items"])
    return -1


# --- zombies


def zombies(*, times: int, lease_s: float, latency_s: float, kill: bool = False) -> dict[str, object]:
    """Suspend a worker for longer than its lease, and resume it when another one runs its debate.

    With `kill` one of the two is killed afterwards, and the other one finishes its debate.
    """
    opened: list[str] = []
    refused = 0
    with ExitStack() as stack:
        server = stack.enter_context(ModelServer(keep_bodies=False))
        ours = stack.enter_context(fleet(lease_s=lease_s))
        host = stack.enter_context(closing(opener(ours.url, *trial_of(server).models)))
        leases = stack.enter_context(closing(Leases(ours.url)))
        workers = [*map(ours.in_service, [ours.worker(), ours.worker()])]

        def begun() -> tuple[str, Process, int]:
            """Open a debate whose first replies never end; returns it with its worker and the fence of its lease."""
            server.set(latency_s=ENDLESS_S)
            opened.append(host.create(trial_of(server), by="bench"))
            return opened[-1], *holder(leases, workers, opened[-1])

        for _ in range(times):
            debate, zombie, fence = begun()
            with stopped(zombie):
                server.set(latency_s=latency_s)
                until(partial(leases.passed_on, debate, fence))
            refused += is_so(partial(was_refused, zombie, debate), within_s=OVER_S)
            until(partial(is_over, host, debate))
        if kill:
            debate, victim, fence = begun()
            os.kill(victim.running.pid, signal.SIGKILL)
            leases.orphaned(debate, fence)
            server.set(latency_s=latency_s)
            until(lambda: is_over(host, debate) and not leases.orphans)
        return {
            "stopped": times,
            "workers_replaced": ours.replaced,
            "zombies_refused": refused,
            "take_overs_from_the_dead": len(leases.took_s),
            "load": round(os.getloadavg()[0], 1),
            **examined(host, opened, server),
        }


def holder(leases: Leases, workers: Sequence[Process], debate: str) -> tuple[Process, int]:
    """Wait for a worker to run this debate; returns the worker and the fence of its lease."""
    found: list[tuple[Process, int]] = []

    def is_held() -> bool:
        held = leases.now().get(debate)
        if held is not None and held.in_force:
            found.extend((worker, held.fence) for worker in workers if held.is_of(worker))
        return bool(found)

    until(is_held)
    return found[0]


@contextmanager
def stopped(process: Process) -> Iterator[None]:
    """Suspend the process within the block."""
    os.kill(process.running.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process.running.pid, signal.SIGCONT)


def was_refused(worker: Process, debate: str) -> bool:
    """True if the worker has logged that its debate was taken over."""
    said = worker.log.read_bytes().decode()
    return any(debate in row and "was taken over by" in row for row in said.splitlines())


# --- texts


@dataclass
class Viewer:
    """A viewer on one web process, who moves to another one when it dies."""

    watcher: Watcher
    ports: list[int]
    texts: dict[str, str] = field(default_factory=dict)
    misplaced: int = 0
    """Pieces that did not continue at the end of the text: some text was lost or doubled."""
    away_s: list[float] = field(default_factory=list)

    async def run(self, debate: str) -> None:
        """Read until cancelled."""
        since: float | None = None
        while True:
            address = f"ws://127.0.0.1:{self.ports[0]}/api/debates/{debate}/live"
            try:
                async with connect(address, max_size=None, open_timeout=5) as line_:
                    async for message in line_:
                        if since is not None:
                            self.away_s.append(time.monotonic() - since)
                            since = None
                        self._read(str(message))
            except (OSError, WebSocketException):
                pass
            since = since or time.monotonic()
            self.ports.append(self.ports.pop(0))
            await asyncio.sleep(random.uniform(0.2, 1.0))

    def _read(self, message: str) -> None:
        self.watcher.hear(message, time.monotonic())
        for kind, value in updates_of(message):
            if kind == "text":
                item, offset, more = value
                self.misplaced += offset != len(self.texts.get(item, ""))
                self.texts[item] = self.texts.get(item, "")[:offset] + more
            for item in value["items"] if kind == "snapshot" else [value] if kind == "item" else []:
                if kind == "snapshot" and not item["text"].startswith(self.texts.get(item["id"], "")):
                    self.misplaced += 1
                self.texts[item["id"]] = item["text"]


async def read_along(
    webs: list[Process], debate: str, n_viewers: int, begin: Callable[[], object], seconds: float
) -> tuple[list[Viewer], float, float, float]:
    """Let viewers read one debate; halfway, kill the first web process."""
    ports = [web.port for web in webs]
    viewers = [Viewer(Watcher(), [ports[n % 2], ports[1 - n % 2]]) for n in range(n_viewers)]
    tasks = [asyncio.create_task(viewer.run(debate)) for viewer in viewers]
    await asyncio.sleep(5)
    await asyncio.to_thread(begin)
    await asyncio.sleep(2)
    since = time.monotonic()
    await asyncio.sleep(seconds)
    until_s, load = time.monotonic(), os.getloadavg()[0]
    os.kill(webs[0].running.pid, signal.SIGKILL)
    await asyncio.sleep(max(8.0, seconds / 3))
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return viewers, since, until_s, load


def texts(*, n_viewers: int, seconds: float) -> dict[str, object]:
    """Measure one worker and two web processes with viewers on both."""
    with ExitStack() as stack:
        ours = stack.enter_context(fleet(said=True))
        host = stack.enter_context(closing(opener(ours.url)))
        told = script()
        debate = host.create(spec_of_script(read_script(told)), by="bench", script_text=told, pace_cps=PACE_CPS)
        host.submit(debate, Pause(by="bench", reason="until everybody reads along"))
        webs = [ours.web(), ours.web()]
        ours.worker()
        viewers, since, until_s, load = asyncio.run(
            read_along(webs, debate, n_viewers, lambda: host.submit(debate, Resume(by="bench")), seconds)
        )
        assert ours.said is not None
        late_ms = latencies_ms(ours.said, [viewer.watcher for viewer in viewers], since, until_s)
        moved = [away for viewer in viewers for away in viewer.away_s]
        whole = {json.dumps(viewer.texts, sort_keys=True) for viewer in viewers}
        return {
            "viewers": n_viewers,
            "load": round(load, 1),
            "pieces_of_text": len(late_ms),
            "said_to_received_p50_ms": round(median(late_ms), 1),
            "said_to_received_p95_ms": round(quantiles(late_ms, n=100)[94], 1),
            "viewers_who_moved": len(moved),
            "away_max_s": round(max(moved, default=0), 1),
            "pieces_lost_or_twice": sum(viewer.misplaced for viewer in viewers),
            "different_texts_at_the_end": len(whole),
        }


def main() -> None:
    """Measure, or run as one of the measured processes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("kills", "zombies", "texts", "be-worker", "be-web"))
    parser.add_argument("--debates", type=int, default=40)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--webs", type=int, default=2)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument(
        "--pile-up", action="store_true", help="kill again before the debates of the dead are taken over"
    )
    parser.add_argument("--times", type=int, default=5, help="zombies")
    parser.add_argument("--viewers", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30.0, help="how long texts are timed")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--place", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--lease-s", type=float, help=argparse.SUPPRESS)
    parser.add_argument("--said", type=Path, help=argparse.SUPPRESS)
    flags = parser.parse_args()
    match flags.what:
        case "kills":
            found = kills(
                debates=flags.debates,
                workers=flags.workers,
                webs=flags.webs,
                n_kills=flags.kills,
                latency_s=0.8,
                seed=flags.seed,
                pile_up=flags.pile_up,
            )
        case "zombies":
            found = zombies(times=flags.times, lease_s=flags.lease_s or LEASE_TTL_S, latency_s=0.8)
        case "texts":
            found = texts(n_viewers=flags.viewers, seconds=flags.seconds)
        case _:
            be(flags)
            return
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
