"""The server is killed while seats speak, and two tabs of one facilitator press the same button at once."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from debate_core.host.host import Host, HostOptions
from debate_core.host.stores import open_store
from debate_core.record.events import Resumed
from tests.e2e import workshop
from tests.e2e.conftest import start_fork
from tests.e2e.workshop import FAY, JUNE, LAPTOP, Party, party
from tests.monitoring import free_port

pytestmark = pytest.mark.e2e

GIVEN = "article.turn[data-state=given]"
SPEAKS = "article.turn[data-state=live] .prose >> nth=0"
WHO = {"fay": "I am: Fay, facilitator", "june": "I am: June, judge", "ann": "I am: Ann, voter"}


class Killable:
    """A server that dies without a word, and comes back on the same port with the same store."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.database = f"sqlite:///{folder / 'debates.db'}"
        self.process = start_fork(folder, self.port)

    def dies(self) -> None:
        self.process.kill()
        self.process.wait(timeout=30)

    def returns(self) -> None:
        self.process = start_fork(self.folder, self.port)


@pytest.fixture
def links(tmp_path: Path) -> workshop.Links:
    text = workshop.script(sentences=6)
    return workshop.create(f"sqlite:///{tmp_path / 'debates.db'}", text=text, pace_cps=90, pre_vote="none")


@pytest.fixture
def server(links: workshop.Links, tmp_path: Path) -> Iterator[Killable]:
    made = Killable(tmp_path)
    yield made
    made.dies()


@pytest.fixture
def room(server: Killable, links: workshop.Links, browser: Browser) -> Iterator[Party]:
    with party(browser, f"http://127.0.0.1:{server.port}", links) as made:
        made.comes("fay", LAPTOP, links.own[FAY.id])
        made.comes("june", LAPTOP, links.own[JUNE.id])
        made.types_the_code("ann")
        yield made


def pressed_at_once(tabs: list[Page], words: str) -> None:
    """Both are drawn before either is pressed, and no tab hears of the other's click."""
    for tab in tabs:
        expect(tab.locator(".st-key-lead").get_by_role("button", name=words)).to_be_enabled()
    for tab in tabs:
        tab.evaluate(
            """words => [...document.querySelectorAll(".st-key-lead button")]
            .find(b => b.innerText.includes(words)).click()""",
            words,
        )


def resumed(server: Killable, debate: str) -> int:
    """Count the resumptions of the debate in the store."""
    with closing(Host(open_store(server.database), HostOptions(worker="none"))) as host:
        return sum(isinstance(e.body, Resumed) for e in host.events(debate))


def turns(page: Page) -> list[str]:
    return [str(a.get_attribute("data-turn")) for a in page.locator(GIVEN).all()]


def test_a_killed_server_resumes_and_two_tabs_advance_once(room: Party, server: Killable):
    fay, ann = room.pages["fay"], room.pages["ann"]
    second = fay.context.new_page()
    second.goto(fay.url)
    pressed_at_once([fay, second], "Begin the debate")
    expect(ann.locator(GIVEN)).to_have_count(3)
    pressed_at_once([fay, second], "Let round 2 begin")
    expect(ann.locator(SPEAKS)).to_contain_text("Here in round 2")
    assert resumed(server, room.links.debate) == 2

    server.dies()
    for page in room.pages.values():
        expect(page.locator(".lost")).to_be_visible()
    before = turns(ann)
    server.returns()
    for name, page in room.pages.items():
        expect(page.locator(".lost")).to_be_hidden()
        expect(page.get_by_role("button", name=WHO[name])).to_be_visible()
    # A turn in progress starts again, and each given turn is there once.
    for page in room.pages.values():
        expect(page.locator(GIVEN)).to_have_count(6)
        assert len(set(turns(page))) == 6
    assert turns(ann)[: len(before)] == before
    assert resumed(server, room.links.debate) == 2
