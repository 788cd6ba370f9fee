"""The running app in a real browser: a server on a free port with its own store, and debates that wait in it.

A debate is written to the store before the server starts, paused: nothing happens before a test resumes it.
"""

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar
from urllib.error import URLError

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocket, expect, sync_playwright

from debate_core.host.host import Host, HostOptions
from debate_core.host.stores import open_store
from debate_core.record.commands import Pause
from debate_core.seats.scripted import read_script, spec_of
from tests.e2e import fork_server, scripts
from tests.e2e.devices import Devices
from tests.e2e.fork_server import Forked
from tests.monitoring import free_port

ROOT = Path(__file__).resolve().parents[2]
BROWSERS = "/usr/bin/chromium-headless-shell", "/usr/bin/chromium"
CHROMIUM = next(filter(os.path.exists, BROWSERS), BROWSERS[-1])
"""The browser without windows where there is one: it draws the same pages with less CPU time."""
NOT_WANTED = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "HttpsUpgrades", "MediaRouter", "OptimizationHints", "PaintHolding"),
    *("WebUIOmniboxAimPopup", "WebUIOmniboxPopup"),
)
"""Features of Chromium: what playwright switches off, and the pages behind its own address bar, of which each window
loads two."""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    f"--disable-features={','.join(NOT_WANTED)}",
)
OF_SHORT_PAGES = (*FLAGS, "--js-flags=--no-opt,--no-maglev")
"""Without the compilers that make the scripts of a page fast after minutes: a test leaves it within seconds."""
# A busy machine is no fault of the page.
expect.set_options(timeout=60_000)
START_S = 180.0
Process = TypeVar("Process", "subprocess.Popen[bytes]", Forked)


@dataclass(frozen=True, slots=True)
class Server:
    """A running app; `ids` are its debates by the name of their script."""

    url: str
    ids: Mapping[str, str]
    database: str

    def holding(self, write: Callable[[str], dict[str, str]]) -> "Server":
        """This server with debates that `write` puts beside the others into its store while it runs."""
        return replace(self, ids=write(self.database))

    def room(self, name: str, roles: str = "") -> str:
        """The address of a debate's room, for a person with these roles."""
        return f"{self.url}/room?id={self.ids[name]}" + (f"&as={roles}" if roles else "")


def prepare(database: str) -> dict[str, str]:
    """Write every script of `scripts` as a paused debate; ids by name."""
    host = Host(open_store(database), HostOptions(worker="none"))
    ids = {}
    for name, (text, pace_cps) in scripts.ALL.items():
        ids[name] = host.create(spec_of(read_script(text)), by="tests", script_text=text, pace_cps=pace_cps)
        host.submit(ids[name], Pause(by="tests", reason="not yet"))
    host.close()
    return ids


def start(folder: Path, port: int, env: Mapping[str, str] | None = None) -> "subprocess.Popen[bytes]":
    """The app in a new Python process, once it answers."""
    command = [sys.executable, "-m", "streamlit", *_run(port)]
    with (folder / "server.log").open("ab") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=_environ(folder, env), stdout=log, stderr=subprocess.STDOUT)
    return _once_up(process, port)


def start_fork(folder: Path, port: int, env: Mapping[str, str] | None = None) -> Forked:
    """The app in a fork of a process that has imported it, once it answers."""
    return _once_up(fork_server.fork(_run(port), _environ(folder, env), folder / "server.log"), port)


def _run(port: int) -> list[str]:
    return ["run", "app.py", "--server.port", str(port)]


def _environ(folder: Path, env: Mapping[str, str] | None) -> dict[str, str]:
    """Leave out the API keys of this machine: a key is enough to seat a model."""
    without_keys = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    return {**without_keys, "DEBATE_DB": f"sqlite:///{folder / 'debates.db'}", **(env or {})}


def _once_up(process: Process, port: int) -> Process:
    try:
        wait_until_up(f"http://127.0.0.1:{port}", process)
    except RuntimeError:
        process.kill()
        process.wait(timeout=30)
        raise
    return process


def wait_until_up(url: str, process: "subprocess.Popen[bytes] | Forked", path: str = "healthz") -> None:
    give_up = time.monotonic() + START_S
    while time.monotonic() < give_up and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/{path}", timeout=2):
                return
        except (URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    raise RuntimeError(f"the app did not start within {START_S} s")


def serve(
    folder: Path,
    write: Callable[[str], dict[str, str]] = prepare,
    env: Mapping[str, str] | None = None,
) -> Iterator[Server]:
    """The app as `make run` starts it, on a new store into which `write` puts debates; stopped at the end."""
    database, port = f"sqlite:///{folder / 'debates.db'}", free_port()
    ids = write(database)
    process = start_fork(folder, port, env)
    try:
        yield Server(f"http://127.0.0.1:{port}", ids, database)
    finally:
        process.terminate()
        process.wait(timeout=30)


@pytest.fixture(scope="package", autouse=True)
def _fork_server() -> Iterator[None]:
    """End it after all servers."""
    yield
    fork_server.end()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that do not need a cold one; each test has its own debate in it."""
    yield from serve(tmp_path_factory.mktemp("server"))


@pytest.fixture
def cold_server(tmp_path: Path) -> Iterator[Server]:
    """A server without visitors so far."""
    yield from serve(tmp_path)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One for all tests of this folder, and gone after them: its driver keeps an event loop running in this thread."""
    if not Path(CHROMIUM).exists():
        pytest.skip(f"there is no browser at {CHROMIUM}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OF_SHORT_PAGES)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def devices(browser: Browser) -> Devices:
    return Devices(browser)


@pytest.fixture
def page(devices: Devices) -> Iterator[Page]:
    """Print the console messages and sockets of the pages beside a failing test."""
    began = time.monotonic()

    def note(words: str) -> None:
        print(f"{time.monotonic() - began:6.1f} s  {words}", file=sys.stderr)

    def follow(socket: WebSocket) -> None:
        note(f"socket opened: {socket.url}")
        socket.on("close", lambda closed: note(f"socket closed: {closed.url}"))

    def follow_page(page: Page) -> None:
        page.on("websocket", follow)

    notes: dict[Any, Callable[[Any], None]] = {
        "console": lambda told: note(f"{told.type}: {told.text}") if told.type in ("error", "warning") else None,
        "weberror": lambda told: note(f"error: {told.error}"),
        "requestfailed": lambda asked: note(f"failed: {asked.url} {asked.failure}"),
        "page": follow_page,
    }
    with devices.lend(1360, 900) as page:
        for event, listener in notes.items():
            page.context.on(event, listener)
        page.on("websocket", follow)
        yield page
        for event, listener in notes.items():
            page.context.remove_listener(event, listener)
        page.remove_listener("websocket", follow)


@pytest.fixture
def context(page: Page) -> BrowserContext:
    """The context of the page, for more pages of the same person."""
    return page.context
