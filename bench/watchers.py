"""Load of twenty viewers of one streaming rehearsal: delay of text, lost clicks, cost of a cut connection.

`python bench/watchers.py [--viewers 20] [--clicks 20]` starts a server on a free port with a new store and prints one
JSON object. Needs the development requirements and Chromium.
"""

import argparse
import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from bisect import bisect_left
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from playwright.async_api import Page, async_playwright  # noqa: E402
from playwright.async_api import TimeoutError as Late  # noqa: E402
from websockets.asyncio.client import connect  # noqa: E402

from debate_core.host.host import Host, HostOptions  # noqa: E402
from debate_core.host.stores import open_store  # noqa: E402
from debate_core.record.commands import Pause  # noqa: E402
from debate_core.seats.scripted import read_script, spec_of  # noqa: E402
from tests.e2e.conftest import CHROMIUM, FLAGS  # noqa: E402

PACE_CPS = 120
"""About 30 tokens per second and seat; the first phase has three seats at once."""
STREAM_S = 20.0
CUT_S = 3.0


def script() -> str:
    """Build a script of three seats that speak for the whole measurement."""
    text = " ".join(f"Point {n}: the store, its load, and what a change costs per month." for n in range(1, 61))
    seats = [{"id": i, "stance": s} for i, s in (("ana", "migrate"), ("ben", "stay"), ("cyd", "partition first"))]
    turns = [{"seat": s["id"], "content": {"rationale": text, "vote": s["stance"]}, "repeat": True} for s in seats]
    return json.dumps(
        {
            "question": "Should we move the orders database?",
            "options": [s["stance"] for s in seats],
            "protocol": "bounded_vote",
            "settings": {"rounds": 4, "threshold": 3},
            "seats": seats,
            "turns": turns,
        }
    )


# --- the server: the real app, in a process that also notes the time of each piece of text


def note_what_is_said(path: Path) -> None:
    """Write `request length seconds` for every piece of text that a scripted seat of this process says."""
    from debate_core.seats import OnText, scripted

    speak = scripted.speak
    log = path.open("a", buffering=1)

    async def noted(on_text: OnText, request: str, text: str, pace_cps: int) -> None:
        def note(name: str, so_far: str, /, thinking: str = "") -> None:
            log.write(f"{name} {len(so_far)} {time.monotonic()}\n")
            on_text(name, so_far, thinking=thinking)

        await speak(note, request, text, pace_cps)

    scripted.speak = noted


def serve(port: int, said: Path) -> None:
    """Run the app, and note the texts of its seats."""
    import uvicorn

    note_what_is_said(said)
    # Uncompressed, as with `streamlit run`.
    uvicorn.run("app:app", host="127.0.0.1", port=port, log_level="warning", ws_per_message_deflate=False)


def free_port() -> int:
    """Find a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def prepare(database: str) -> str:
    """Create a paused rehearsal; returns its id."""
    host = Host(open_store(database), HostOptions(worker="none"))
    debate = host.create(spec_of(read_script(script())), by="bench", script_text=script(), pace_cps=PACE_CPS)
    host.submit(debate, Pause(by="bench", reason="until everybody watches"))
    host.close()
    return debate


@contextlib.contextmanager
def server(folder: Path, port: int, said: Path) -> Iterator[int]:
    """Run the app in a separate process within the block; yields its pid."""
    environment = {**os.environ, "DEBATE_DB": f"sqlite:///{folder / 'debates.db'}"}
    command = [sys.executable, __file__, "--serve", str(port), "--said", str(said)]
    log = (folder / "server.log").open("wb")
    with log, subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log) as process:
        try:
            give_up = time.monotonic() + 30
            while time.monotonic() < give_up:
                with contextlib.suppress(URLError, ConnectionError):
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2).close()
                    break
                time.sleep(0.1)
            yield process.pid
        finally:
            process.terminate()


# --- the viewers


@lru_cache(256)
def updates_of(message: str) -> Sequence[tuple[str, Any]]:
    """Read the updates of a message, once for all viewers who get the same one: they share the machine with the app."""
    updates: list[tuple[str, Any]] = json.loads(message)
    return updates


@dataclass
class Watcher:
    """A raw client: the times at which its text of each turn reached each length, and the last status."""

    arrived: dict[str, list[tuple[int, float]]] = field(default_factory=dict)
    requests: dict[str, str] = field(default_factory=dict)

    def hear(self, message: str, now: float) -> None:
        """Read one batch of updates."""
        for kind, value in updates_of(message):
            if kind == "text":
                item, offset, more = value
                self.note(item, offset + len(more), now)
            elif kind == "item":
                self.item(value, now)
            elif kind == "snapshot":
                for item in value["items"]:
                    self.item(item, now)

    def item(self, item: dict[str, str], now: float) -> None:
        """Read a whole turn."""
        self.requests[item["id"]] = item["request"]
        if item["text"]:
            self.note(item["id"], len(item["text"]), now)

    def note(self, item: str, length: int, now: float) -> None:
        """Note the length of a turn's text."""
        self.arrived.setdefault(self.requests.get(item, ""), []).append((length, now))


async def watch(url: str, viewer: Watcher) -> None:
    """Read until cancelled."""
    async with connect(url, max_size=None) as line:
        async for message in line:
            viewer.hear(str(message), time.monotonic())


def latencies_ms(said: Path, viewers: list[Watcher], since: float, until: float) -> list[float]:
    """Return the delay in milliseconds for every piece of text in this period and every viewer."""
    found = []
    for row in said.read_text("utf-8").splitlines():
        name, length, at = row.split()
        if not since <= float(at) <= until:
            continue
        for viewer in viewers:
            arrived = viewer.arrived.get(name, [])
            reached = bisect_left(arrived, int(length), key=lambda pair: pair[0])
            while reached < len(arrived) and arrived[reached][1] < float(at):
                reached += 1
            if reached < len(arrived):
                found.append((arrived[reached][1] - float(at)) * 1000)
    return found


# --- the browser


async def click_all(page: Page, clicks: int) -> tuple[int, list[float]]:
    """Pause and resume in turn while seats speak; returns the number of effective clicks and their delays in ms."""
    landed, took_ms = 0, []
    for number in range(clicks):
        pressed, shows = ("pause", "resume") if number % 2 == 0 else ("resume", "pause")
        button = page.locator(f".st-key-{pressed} button")
        await button.wait_for(timeout=10_000)
        start = time.monotonic()
        await button.click()
        with contextlib.suppress(Late):
            await page.locator(f".st-key-{shows} button").wait_for(timeout=10_000)
            landed += 1
            took_ms.append((time.monotonic() - start) * 1000)
        await asyncio.sleep(0.3)
    return landed, took_ms


async def transcript(page: Page) -> list[tuple[str, str]]:
    """Return (turn id, text) of every finished turn on the page."""
    pairs: list[list[str]] = await page.locator("article.turn[data-state=given]").evaluate_all(
        "turns => turns.map(t => [t.dataset.turn, t.innerText])"
    )
    return [(i, text) for i, text in pairs]


class Line:
    """A TCP proxy to the server that can be cut, as in the tunnel of a train."""

    def __init__(self, port: int) -> None:
        self.port, self.whole = port, True
        self.writers: set[asyncio.StreamWriter] = set()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Copy in both directions until one end closes or the line is cut."""
        if not self.whole:
            writer.transport.abort()
            return
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.writers |= {writer, there_writer}
        await asyncio.gather(_copy(reader, there_writer), _copy(there_reader, writer))
        self.writers -= {writer, there_writer}

    def cut(self) -> None:
        """Cut the line."""
        self.whole = False
        for writer in self.writers:
            writer.transport.abort()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError, OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


async def cut_and_back(near: Page, far: Page, line: Line) -> dict[str, object]:
    """Cut the far viewer's line for a while; returns the time until both viewers show the same."""
    line.cut()
    await far.locator(".lost").wait_for(state="visible", timeout=10_000)
    await asyncio.sleep(CUT_S)
    line.whole, start = True, time.monotonic()
    await far.locator(".lost").wait_for(state="hidden", timeout=20_000)
    back_s = time.monotonic() - start
    await asyncio.sleep(0.5)
    here, there = await transcript(near), await transcript(far)
    return {
        "back_after_s": round(back_s, 2),
        "turns": len(there),
        "same_text": here == there,
        "duplicates": len(there) - len({i for i, _ in there}),
    }


async def measure(port: int, debate: str, said: Path, viewers: int, clicks: int) -> dict[str, object]:
    """Measure everything on one debate, in sequence."""
    room, live = f"/room?id={debate}&as=facilitator", f"ws://127.0.0.1:{port}/api/debates/{debate}/live"
    watching = [Watcher() for _ in range(viewers)]
    tasks = [asyncio.create_task(watch(live, v)) for v in watching]
    line, outside = Line(port), list[str]()
    proxy = await asyncio.start_server(line.carry, "127.0.0.1", 0)
    far_port = proxy.sockets[0].getsockname()[1]
    async with browser_pages(outside) as new_page:
        near, far = await new_page(), await new_page()
        await near.goto(f"http://127.0.0.1:{port}{room}")
        await far.goto(f"http://127.0.0.1:{far_port}{room}")
        await near.locator(".st-key-resume button").click()
        await far.locator(".prose").first.wait_for()
        since = time.monotonic()
        await asyncio.sleep(STREAM_S)
        until = time.monotonic()
        landed, took_ms = await click_all(near, clicks)
        line_report = await cut_and_back(near, far, line)
    for task in tasks:
        task.cancel()
    proxy.close()
    late_ms = latencies_ms(said, watching, since, until)
    return {
        "viewers": viewers,
        "browsers": 2,
        "cores": os.cpu_count(),
        "pieces_of_text": len(late_ms),
        "token_to_client_p50_ms": round(median(late_ms), 1),
        "token_to_client_p95_ms": round(quantiles(late_ms, n=100)[94], 1),
        "clicks": clicks,
        "clicks_landed": landed,
        "click_to_screen_p50_ms": round(median(took_ms)),
        "click_to_screen_max_ms": round(max(took_ms)),
        "cut_line": line_report,
        "requests_outside_own_host": len(outside),
    }


@contextlib.asynccontextmanager
async def browser_pages(outside: list[str]) -> AsyncIterator[Callable[[], Awaitable[Page]]]:
    """Yield a maker of pages in one Chromium; collects addresses outside this machine in `outside`."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = await browser.new_context(viewport={"width": 1360, "height": 900})

        def note(url: str) -> None:
            parts = urlsplit(url)
            if parts.scheme not in ("data", "blob") and parts.hostname != "127.0.0.1":
                outside.append(url)

        context.on("request", lambda request: note(request.url))
        yield context.new_page
        await browser.close()


def main() -> None:
    """Measure, or with --serve run the measured server."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--viewers", type=int, default=20)
    parser.add_argument("--clicks", type=int, default=20)
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--said", type=Path, help=argparse.SUPPRESS)
    flags = parser.parse_args()
    if flags.serve:
        serve(flags.serve, flags.said)
        return
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        said = folder / "said.txt"
        debate = prepare(f"sqlite:///{folder / 'debates.db'}")
        with server(folder, port, said):
            print(json.dumps(asyncio.run(measure(port, debate, said, flags.viewers, flags.clicks)), indent=1))


if __name__ == "__main__":
    main()
