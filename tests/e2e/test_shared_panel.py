"""Shared parts of the panel change on the pages of voters while the server redraws none of them."""

import re

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from bench.pages import PHONE
from debate_core.host.host import Host, HostOptions
from debate_core.host.stores import open_store
from debate_core.seats.scripted import read_script, spec_of
from debate_core.spec.people import Person, Room
from tests.e2e import scripts
from tests.e2e.conftest import Server
from tests.e2e.workshop import ANDROID, is_drawn

pytestmark = pytest.mark.e2e

FAY = Person(id="p-fay", name="Fay", role="facilitator")


def write(database: str) -> dict[str, str]:
    """A room in its lobby, whose seats speak for minutes, and the links into it."""
    host = Host(open_store(database), HostOptions(worker="none"))
    text, pace_cps = scripts.ALL["clicks"]
    room = Room(people=(FAY,), pre_vote="none", hold="none", decides="room", blind="named")
    spec = spec_of(read_script(text)).model_copy(update={"room": room})
    debate = host.create(spec, by=FAY.id, script_text=text, pace_cps=pace_cps)
    door = host.door_for(debate, by=FAY.id)
    links = {
        "all": door.token(door.invitations.make(debate, "voter", kind="open")),
        "fay": door.token(door.invitations.make(debate, "facilitator", person=FAY.id, name="Fay")),
    }
    host.close()
    return links


@pytest.fixture
def room_server(server: Server) -> Server:
    return server.holding(write)


def come_in(page: Page, server: Server, link: str) -> None:
    page.goto(f"{server.url}/join/{server.ids[link]}")
    button = page.get_by_role("button", name=re.compile("^(Come in|Join)$"))
    if "/join/" in page.url:
        if (name := page.get_by_label("Your name")).count():
            name.fill("Gus")
        button.click()


def test_a_pause_reaches_voters_without_a_rerun(room_server: Server, page: Page, browser: Browser):
    phone = browser.new_context(viewport=PHONE, user_agent=ANDROID)
    guest = phone.new_page()
    asked: list[str] = []

    def follow(socket: WebSocket) -> None:
        if socket.url.endswith("/_stcore/stream"):
            socket.on("framesent", lambda _frame: asked.append(socket.url))

    guest.on("websocket", follow)
    come_in(guest, room_server, "all")
    come_in(page, room_server, "fay")
    status = guest.locator(".of-status")
    expect(status).to_have_text("Lobby open")
    page.locator(".st-key-begin button").click()
    expect(status).to_have_text(re.compile("^Now: "))
    expect(guest.get_by_text("The debate begins soon")).to_have_count(0)
    expect(guest.locator(".prose").first).not_to_be_empty()
    before = len(asked)
    page.locator(".st-key-pause button").click()
    expect(status).to_have_text("Paused")
    page.locator(".st-key-next button").click()
    expect(status).to_have_text(re.compile("^Now: "))
    assert len(asked) == before
    phone.close()


def test_a_call_for_help_survives_a_reload_until_it_is_answered(room_server: Server, page: Page, browser: Browser):
    """The facilitator also sees Gus online until the phone is closed."""
    phone = browser.new_context(viewport=PHONE, user_agent=ANDROID)
    guest = phone.new_page()
    come_in(guest, room_server, "all")
    come_in(page, room_server, "fay")
    people = page.locator(".progress")
    # While people gather, all names are in sight.
    gus = people.locator("li", has_text="Gus")
    expect(gus.get_by_role("img", name="online")).to_be_visible()
    calls = people.get_by_text("Gus needs help")
    bell = guest.locator(".bell button")
    expect(bell).to_have_text("I need help")
    is_drawn(guest)
    bell.click()
    expect(calls).to_be_visible()
    expect(bell).to_have_text("✓ Asked for help: undo")
    is_drawn(guest)
    guest.reload()
    expect(bell).to_have_text("✓ Asked for help: undo")
    expect(calls).to_be_visible()
    is_drawn(page)
    people.get_by_role("button", name="Done: Gus has been helped").click()
    expect(calls).to_have_count(0)
    expect(bell).to_have_text("I need help")
    phone.close()
    expect(gus.get_by_role("img", name="not connected now")).to_be_visible()
