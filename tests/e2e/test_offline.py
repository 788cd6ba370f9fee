"""A lost connection on a phone: a sentence in the reader's language that says whether the vote is in."""

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect

from bench.page_debates import VOTERS, Stored, write
from bench.pages import PHONE, quiet
from tests.e2e.conftest import Server, start_fork
from tests.e2e.fork_server import Forked
from tests.e2e.workshop import ANDROID
from tests.monitoring import free_port

pytestmark = pytest.mark.e2e

SEEN = """() => new MutationObserver(() => {
  if (document.querySelector("[data-testid=stDialog]")) document.documentElement.dataset.dialog = "seen"
}).observe(document.body, { childList: true })"""
"""Notes that Streamlit has opened its dialog about the lost connection."""


@dataclass
class Running:
    """A server with a vote that is open: the first voter has voted, the last one has not."""

    folder: Path
    port: int
    stored: Stored
    process: Forked

    def phone(self, browser: Browser, voter: int, locale: str) -> BrowserContext:
        context = browser.new_context(viewport=PHONE, has_touch=True, locale=locale, user_agent=ANDROID)
        name, value = self.stored.cookies["vote", VOTERS[voter].id]
        context.add_cookies([{"name": name, "value": value, "url": self.url}])
        return context

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def room(self, context: BrowserContext) -> Page:
        page = context.new_page()
        page.goto(f"{self.url}/room?id={self.stored.debates['vote']}")
        page.locator("[data-vote]").wait_for(state="attached", timeout=60_000)
        quiet(page)
        page.evaluate(SEEN)
        return page

    def die(self) -> None:
        self.process.kill()
        self.process.wait(timeout=30)

    def return_(self) -> None:
        self.process = start_fork(self.folder, self.port)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    port = free_port()
    stored = write(f"sqlite:///{tmp_path / 'debates.db'}")
    made = Running(tmp_path, port, stored, start_fork(tmp_path, port))
    yield made
    made.die()


def test_killed_server_is_named_with_the_state_of_the_vote(running: Running, browser: Browser):
    with running.phone(browser, 0, "en-GB") as voted, running.phone(browser, -1, "de-DE") as waits:
        mine, other = running.room(voted), running.room(waits)
        expect(mine.locator(".offline")).to_be_hidden()
        running.die()
        expect(mine.locator(".offline")).to_contain_text("Your vote is in, cast at")
        expect(other.locator(".offline")).to_contain_text("Die Stimme ist nicht bestätigt")
        expect(other.locator(".offline")).to_be_in_viewport(ratio=1)
        # Streamlit tries six times before its English dialog.
        other.locator("html[data-dialog=seen]").wait_for(state="attached", timeout=120_000)
        expect(other.get_by_text("Connection error")).to_have_count(0)
        running.return_()
        for page in (mine, other):
            expect(page.locator(".offline")).to_be_hidden()


def test_silent_network_is_named_within_a_minute(server: Server, page: Page):
    """Nothing closes the sockets of the page, and nothing arrives: only the clock of the page can tell."""
    swallows = threading.Event()

    def pass_on(socket: WebSocketRoute) -> None:
        socket.connect_to_server().on_message(lambda words: None if swallows.is_set() else socket.send(words))

    page.route_web_socket(re.compile("/live"), pass_on)
    page.clock.install()
    page.goto(server.room("quiet"))
    expect(page.locator(".closing")).to_have_text("Paused: not yet")
    page.clock.fast_forward(5_000)
    expect(page.locator(".offline")).to_be_hidden()
    swallows.set()
    page.clock.fast_forward(41_000)
    page.clock.fast_forward(1_500)
    expect(page.locator(".offline")).to_contain_text("No connection since")
    swallows.clear()
    page.clock.fast_forward(41_000)
    expect(page.locator(".offline")).to_be_hidden()
