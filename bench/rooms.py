"""Load of a hundred people in a room with a streaming debate: delay of text, time of a panel, clicks, memory.

`python bench/rooms.py [--viewers 100] [--clicks 100] [--minutes 0]` starts a server on a free port. One viewer is the
facilitator in Chromium; the others use the app's protocols with the cookie of a voter: the live socket, and the page,
which is redrawn when a form changes. Prints one JSON object.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from itertools import chain
from pathlib import Path
from statistics import median, quantiles

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from playwright.async_api import Page  # noqa: E402
from playwright.async_api import TimeoutError as Late  # noqa: E402
from streamlit.components.v2.bidi_component.main import _make_trigger_id  # noqa: E402
from streamlit.proto.BackMsg_pb2 import BackMsg  # noqa: E402
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg  # noqa: E402
from websockets.asyncio.client import ClientConnection, connect  # noqa: E402

from bench import watchers  # noqa: E402
from bench.watchers import PACE_CPS, Watcher, browser_pages, free_port, latencies_ms, server, updates_of  # noqa: E402
from debate_core.host.host import Host, HostOptions  # noqa: E402
from debate_core.host.stores import open_store  # noqa: E402
from debate_core.record.events import Paused, Resumed  # noqa: E402
from debate_core.seats.scripted import read_script, spec_of  # noqa: E402
from debate_core.spec.people import Person, Room  # noqa: E402

FAY = Person(id="p-fay", name="Fay", role="facilitator")
STREAM_S = 30.0
OPEN_S = 180.0
"""The longest time until all have their first page."""
LIVE_JS = (ROOT / "debate_core" / "ui" / "room" / "live" / "live.js").read_text("utf-8")
LEAST_S = 0.1
SOON_MS, EACH_MS = (int(re.findall(rf"^const {name} = (\d+)$", LIVE_JS, re.M)[0]) for name in ("SOON_MS", "EACH_MS"))
"""Delays of the page before it requests its panel again: minimum, random part, and part per viewer."""
SENTENCES = 12
"""Size of a turn: about 900 characters, eight seconds at this pace, so that eight rounds last three minutes."""


@dataclass
class Links:
    """One debate and the links into it."""

    database: str
    debate: str
    all: str
    facilitator: str


def script(minutes: float) -> str:
    """Build a script: three seats, the maximum of rounds, and turns long enough for the whole measurement."""
    told = json.loads(watchers.script())
    points = range(1, max(SENTENCES, round(SENTENCES * minutes / 2)) + 1)
    text = " ".join(f"Point {n}: the store, its load, and what a change costs per month." for n in points)
    for turn in told["turns"]:
        turn["content"]["rationale"] = text
    told["settings"]["rounds"] = 8
    return json.dumps(told)


def prepare(database: str, minutes: float) -> Links:
    """Write a debate in its lobby, without votes before the start and waits between rounds."""
    host = Host(open_store(database), HostOptions(worker="none"))
    # With names the live socket tells the turn of each text, which the timing needs.
    room = Room(people=(FAY,), pre_vote="none", hold="none", decides="room", blind="named")
    told = script(minutes)
    spec = spec_of(read_script(told)).model_copy(update={"room": room})
    debate = host.create(spec, by=FAY.id, script_text=told, pace_cps=PACE_CPS)
    door = host.door_for(debate, by=FAY.id)
    for_all = door.invitations.make(debate, "voter", kind="open")
    own = door.invitations.make(debate, "facilitator", person=FAY.id, name="Fay")
    links = Links(database, debate, f"/join/{door.token(for_all)}", f"/join/{door.token(own)}")
    host.close()
    return links


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


def join(url: str) -> str:
    """Join as a new guest by the form without a name; returns the cookie."""
    try:
        urllib.request.build_opener(_Stay).open(url, data=b"", timeout=10)
    except urllib.error.HTTPError as answer:
        cookies = SimpleCookie(answer.headers["set-cookie"])
        return "; ".join(f"{name}={c.value}" for name, c in cookies.items())
    raise SystemExit("the link admitted no one")


@dataclass
class Session:
    """One guest: the connection of a page, which requests its panel after news on the live socket."""

    port: int
    debate: str
    cookie: str
    viewer: Watcher = field(default_factory=Watcher)
    rerun_ms: list[float] = field(default_factory=list)
    fragment: str = ""
    transcript: str = ""
    """Id of the component that asks for redraws."""
    watching: int = 0
    failed: int = 0
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    has_page: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self) -> None:
        """Run until cancelled."""
        headers = {"Cookie": self.cookie}
        page, live = f"ws://127.0.0.1:{self.port}/_stcore/stream", f"/api/debates/{self.debate}/live"
        async with connect(page, max_size=None, additional_headers=headers, subprotocols=["streamlit"]) as line:  # type: ignore[list-item]
            await self._ask(line)
            self.has_page.set()
            async with asyncio.TaskGroup() as group:
                group.create_task(self._follow(f"ws://127.0.0.1:{self.port}{live}", headers))
                group.create_task(self._panel(line))

    async def _follow(self, url: str, headers: dict[str, str]) -> None:
        news = None
        async with connect(url, max_size=None, additional_headers=headers) as line:
            async for message in line:
                now = time.monotonic()
                self.viewer.hear(str(message), now)
                for kind, value in updates_of(str(message)):
                    meta = value.get("meta") if kind == "snapshot" else value if kind == "meta" else None
                    if meta is None:
                        continue
                    self.watching = meta["watching"]
                    if meta["form_news"] != news:
                        news = meta["form_news"]
                        self.asked.set()

    async def _panel(self, line: ClientConnection) -> None:
        while True:
            await self.asked.wait()
            await asyncio.sleep(LEAST_S + random.random() * max(SOON_MS, EACH_MS * self.watching) / 1000)
            self.asked.clear()
            start = time.monotonic()
            await self._ask(line)
            self.rerun_ms.append((time.monotonic() - start) * 1000)

    async def _ask(self, line: ClientConnection) -> None:
        """Request the whole page at first, later only the room's fragment, and read the complete answer."""
        message = BackMsg()
        message.rerun_script.query_string = f"id={self.debate}"
        message.rerun_script.page_name = "room"
        message.rerun_script.fragment_id = self.fragment
        if self.transcript:
            # Without it the server takes the request for a press, which goes before redraws.
            news = message.rerun_script.widget_states.widgets.add()
            news.id = _make_trigger_id(self.transcript, "events")
            news.json_trigger_value = json.dumps([{"event": "news", "value": 1}])
        await line.send(message.SerializeToString())
        async for data in line:
            told = ForwardMsg.FromString(data if isinstance(data, bytes) else data.encode())
            if told.HasField("delta"):
                self.fragment = self.fragment or told.delta.fragment_id
                drawn = told.delta.new_element.bidi_component
                self.transcript = drawn.id if "transcript-" in drawn.id else self.transcript
                self.failed += told.delta.new_element.HasField("exception")
            if told.HasField("script_finished"):
                return


async def press(page: Page, clicks: int) -> tuple[int, list[float]]:
    """Pause and resume in turn while seats speak; returns the number of effective clicks and their delays in ms."""
    landed, took_ms = 0, list[float]()
    for _ in range(clicks):
        either = page.locator(".st-key-pause button:visible, .st-key-next button:visible").first
        # Read the page once: between two reads it may be redrawn.
        pauses = await either.evaluate("button => !!button.closest('.st-key-pause')", timeout=60_000)
        pressed, shows = ("pause", "next") if pauses else ("next", "pause")
        start = time.monotonic()
        with contextlib.suppress(Late):
            await page.locator(f".st-key-{pressed} button").click(timeout=15_000)
            await page.locator(f".st-key-{shows} button").wait_for(timeout=15_000)
            landed += 1
            took_ms.append((time.monotonic() - start) * 1000)
        await asyncio.sleep(0.2)
    return landed, took_ms


def recorded(links: Links) -> int:
    """Count the pauses and resumptions in the record."""
    host = Host(open_store(links.database), HostOptions(worker="none"))
    found = sum(isinstance(e.body, Paused | Resumed) for e in host.events(links.debate))
    host.close()
    return found


def memory_mb(pid: int) -> float:
    """Return the memory of the server in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)


def cpu_s(pid: int) -> float:
    """Return the CPU time of the server so far."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def enter_as_facilitator(page: Page, address: str) -> None:
    """Open the room by the facilitator's link, up to the button that begins the debate."""
    await page.goto(address)
    if "/join/" in page.url:
        await page.get_by_role("button", name="Come in").click()
    await page.locator(".st-key-begin button").wait_for()


async def cancel_all(tasks: Sequence[asyncio.Task[None]]) -> int:
    """Cancel the tasks; returns the number of those that had ended before."""
    lost = sum(task.done() for task in tasks)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return lost


async def measure(port: int, links: Links, said: Path, pid: int, flags: argparse.Namespace) -> dict[str, object]:
    """Measure everything on one debate, in sequence."""
    base, load = f"http://127.0.0.1:{port}", os.getloadavg()[0]
    cookies = [await asyncio.to_thread(join, base + links.all) for _ in range(flags.viewers - 1)]
    sessions = [Session(port, links.debate, cookie) for cookie in cookies]
    async with browser_pages(outside := list[str]()) as new_page:
        page = await new_page()
        await enter_as_facilitator(page, base + links.facilitator)
        opened = time.monotonic()
        tasks = [asyncio.create_task(s.run()) for s in sessions]
        # First pages go before redraws, so those of late ones would delay every panel that is measured.
        async with asyncio.timeout(OPEN_S):
            await asyncio.gather(*(s.has_page.wait() for s in sessions))
        open_s = time.monotonic() - opened
        await asyncio.sleep(5)
        memory = [memory_mb(pid)]
        await page.locator(".st-key-begin button").click()
        await page.locator(".prose").first.wait_for()
        for session in sessions:
            session.rerun_ms.clear()
        since, cpu = time.monotonic(), cpu_s(pid)
        while time.monotonic() < since + max(STREAM_S, flags.minutes * 60):
            await asyncio.sleep(min(STREAM_S, 30))
            memory.append(memory_mb(pid))
        until, cpu = time.monotonic(), cpu_s(pid) - cpu
        reruns = list(chain.from_iterable(s.rerun_ms for s in sessions))
        before = recorded(links)
        landed, took_ms = await press(page, flags.clicks)
        in_record = recorded(links) - before
        memory.append(memory_mb(pid))
    lost = await cancel_all(tasks)
    late_ms = latencies_ms(said, [s.viewer for s in sessions], since, until)
    return {
        "sessions": flags.viewers,
        "sessions_lost": lost,
        "pages_with_an_error": sum(s.failed > 0 for s in sessions),
        "cores": os.cpu_count(),
        "load_before": round(load, 2),
        "all_pages_open_after_s": round(open_s, 1),
        "server_cpu_percent": round(100 * cpu / (until - since)),
        "pieces_of_text": len(late_ms),
        "token_to_client_p50_ms": round(median(late_ms), 1),
        "token_to_client_p95_ms": round(quantiles(late_ms, n=100)[94], 1),
        "panels": len(reruns),
        "panels_spread_over_ms": EACH_MS * max(s.watching for s in sessions),
        "panel_p50_ms": round(median(reruns), 1),
        "panel_p95_ms": round(quantiles(reruns, n=100)[94], 1),
        "clicks": flags.clicks,
        "clicks_landed": landed,
        "clicks_in_the_record": in_record,
        "click_to_screen_p50_ms": round(median(took_ms)),
        "click_to_screen_max_ms": round(max(took_ms)),
        "memory_mb": memory,
        "requests_outside_own_host": len(outside),
    }


def main() -> None:
    """Measure with the server of `watchers`, which notes the time of each piece of text."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--viewers", type=int, default=100)
    parser.add_argument("--clicks", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=0.0, help="watch the memory for so long (default: half one)")
    flags = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        said = folder / "said.txt"
        links = prepare(f"sqlite:///{folder / 'debates.db'}", flags.minutes)
        with server(folder, port, said) as pid:
            print(json.dumps(asyncio.run(measure(port, links, said, pid, flags)), indent=1))


if __name__ == "__main__":
    main()
