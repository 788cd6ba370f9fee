"""Overhead of the program in a debate of models: time between calls, text for viewers, calls, repeated text.

Calls the fault server of the tests over real sockets. It answers like a model at a known pace; its clock and log are
the reference. Importable only in a checkout.
"""

import asyncio
import json
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from websockets.asyncio.client import connect

from bench import caches
from bench.engine import WORDS
from bench.prefix import prefix_share
from debate_core.engine.engine import open_debate
from debate_core.host.host import Host, reset_shared_host, shared_host
from debate_core.host.run_options import RunOptions
from debate_core.host.runner import now, run
from debate_core.host.settings import Settings
from debate_core.host.stores import open_store
from debate_core.seats.model import model_fillers
from debate_core.spec.models import Dialect, ModelLine
from debate_core.spec.presets import EXPERT_PANEL, compose, synthesiser
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Seat, Source
from debate_core.ui.room.live.socket import watch
from tests.model_process import ModelProcess
from tests.model_replies import prompt_of
from tests.model_server import Logged, ModelServer

DIALECTS: tuple[Dialect, ...] = ("chat", "responses", "messages")
OPTIONS = ("move", "stay", "defer")
SEATS = ("cost", "risk", "delivery")
CALL_S = 0.05
RUNS = 8
LONG_CALL_S = 2.0
VIEWERS = 5
WATCHED_CALL_S = 1.0
COMES_BACK_S = 0.2
"""Duration of each visit of the viewer who reconnects."""


def spec(server: ModelServer | ModelProcess, dialect: Dialect, max_rounds: int = 2) -> Spec:
    """Build a debate of three seats that never agree, and a synthesiser, on one model."""
    here = {"provider": "local", "base_url": server.base_url(dialect), "parallel": len(SEATS)}
    line = ModelLine.model_validate({"id": "m1", "model": "bench-1", "dialect": dialect, **here})
    seats = [Seat(id=s, persona=f"You look at {s}.", commitment="open", model=line.id) for s in SEATS]
    seats.append(synthesiser("model").model_copy(update={"model": line.id}))
    source = Source(id="E1", title="Load test", text=WORDS * 12)
    made = compose("Should the queue be moved?", OPTIONS, EXPERT_PANEL, seats, sources=[source], max_rounds=max_rounds)
    return made.model_copy(update={"models": (line,)})


def hold(debate: Spec) -> None:
    """Hold a debate to its end, on a durable store."""
    with tempfile.TemporaryDirectory() as name:
        store = open_store(f"sqlite:///{name}/bench.db")
        store.append("bench", open_debate(debate, debate_id="bench", at=now()), after=0)
        asyncio.run(run("bench", store, lambda s: model_fillers(s, {}, deadline_s=30), RunOptions(deadline_s=30)))
        store.close()


def span_ratio(log: Sequence[Logged]) -> float:
    """Return the time from first request to last reply over the sum of each phase's longest call: 1 = no overhead."""
    phases = log[: len(SEATS)], log[len(SEATS) : -1], log[-1:]
    longest_s = [max(_call_s(call) for call in phase) for phase in phases]
    ended_at = max(call.ended_at or 0 for call in log)
    began_at = min(call.received_at for call in log)
    return (ended_at - began_at) / sum(longest_s)


def _call_s(call: Logged) -> float:
    return (call.ended_at or 0) - call.received_at


def spans() -> dict[str, float]:
    """Measure the span ratio of the worst dialect, and that of long calls in one dialect.

    Each is the best of a few runs, because other work on the machine only adds to it. With long calls the overhead of
    the program is the same and weighs less.
    """
    ratios = {d: list[float]() for d in DIALECTS}
    with ModelProcess() as server:
        for dialect in DIALECTS * RUNS:
            ratios[dialect].append(_span(server, dialect, CALL_S))
        of_long_calls = _span(server, DIALECTS[0], LONG_CALL_S)
    return {
        "span_ratio": round(max(min(found) for found in ratios.values()), 4),
        "span_ratio_2s": round(of_long_calls, 4),
    }


def _span(server: ModelProcess, dialect: Dialect, call_s: float) -> float:
    server.reset(votes=OPTIONS, latency_s=call_s)
    hold(spec(server, dialect))
    return span_ratio(server.log())


def share(server: ModelServer) -> float:
    """Return the repeated share of what nine turns of one model send, for the worst dialect."""
    shares = []
    for dialect in DIALECTS:
        server.reset(votes=OPTIONS, text_chars=1_000)
        hold(spec(server, dialect, max_rounds=3))
        turns = server.log[: 3 * len(SEATS)]
        shares.append(prefix_share([prompt_of(call.body or {}) for call in turns]))
    return min(shares)


@dataclass
class Viewer:
    """Time at which each call's text was first seen; texts begin with the number of their call."""

    seen_at: dict[int, float] = field(default_factory=dict)
    over: bool = False

    def hear(self, message: str) -> None:
        """Read one batch of updates."""
        for kind, value in json.loads(message):
            items = value["items"] if kind == "snapshot" else [value] if kind == "item" else []
            for item in items:
                self._see(item["text"])
            if kind == "text":
                self._see(value[2])
            meta = value["meta"] if kind == "snapshot" else value if kind == "meta" else {}
            self.over = self.over or meta.get("status") == "over"

    def _see(self, text: str) -> None:
        words = text.split()[:2]
        if len(words) == 2 and words[0] == "Call":
            self.seen_at.setdefault(int(words[1].rstrip(".")), time.time())


async def follow(url: str, viewer: Viewer) -> None:
    """Watch until the end of the debate."""
    async with connect(url, max_size=None) as line:
        async for message in line:
            viewer.hear(str(message))
            if viewer.over:
                return


async def come_and_go(url: str) -> None:
    """Connect for short periods until the end of the debate."""
    viewer = Viewer()
    while not viewer.over:
        try:
            async with asyncio.timeout(COMES_BACK_S):
                await follow(url, viewer)
        except TimeoutError:
            continue


@contextmanager
def served() -> Iterator[str]:
    """Serve the app's live socket on a free port; yields its address."""
    app = Starlette(routes=[WebSocketRoute("/api/debates/{debate_id}/live", watch)])
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"ws://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


async def watched(host: Host, debate: Spec, url: str) -> Sequence[Viewer]:
    """Hold a debate before permanent viewers and one who reconnects; returns the permanent ones."""
    viewers = [Viewer() for _ in range(VIEWERS)]
    debate_id = await asyncio.to_thread(host.create, debate, by="bench")
    address = f"{url}/api/debates/{debate_id}/live"
    await asyncio.gather(come_and_go(address), *(follow(address, viewer) for viewer in viewers))
    return viewers


def live(server: ModelServer) -> Mapping[str, float]:
    """Measure a watched debate: the delay of a turn's first text, and calls beyond those of its turns."""
    with tempfile.TemporaryDirectory() as name:
        server.reset(votes=OPTIONS, latency_s=WATCHED_CALL_S)
        settings = Settings(f"sqlite:///{name}/bench.db", base_urls=(server.base_url("chat"),))
        host = shared_host(settings)
        try:
            # The server ends before its host, which it would open again.
            with served() as url:
                viewers = asyncio.run(watched(host, spec(server, "chat"), url))
        finally:
            reset_shared_host()
    late_s = [
        v.seen_at[c.number] - c.first_token_at for v in viewers for c in server.log if c.first_token_at is not None
    ]
    return {
        "reconnect_extra_calls": float(len(server.log) - (2 * len(SEATS) + 1)),
        "first_token_to_room_ms": round(max(late_s) * 1000, 1),
    }


def measure() -> dict[str, float]:
    """Measure every figure of debates with models."""
    with ModelServer() as server:
        hold(spec(server, "chat"))
        return {
            **spans(),
            "prefix_share": round(share(server), 4),
            **live(server),
            **caches.shares(),
        }
