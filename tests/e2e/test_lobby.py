"""From set-up to a room with two browsers: the opener is the facilitator by cookie, a guest joins by code."""

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.conftest import Server
from tests.e2e.own_server import open_section

pytestmark = pytest.mark.e2e


def opened(server: Server, page: Page) -> str:
    """A debate with people and a brief before two rounds, which wait to be let on; its id."""
    page.goto(f"{server.url}/setup")
    page.get_by_label("What needs to be decided?").fill("Should we move the orders database?")
    page.get_by_label("Option 1").fill("migrate")
    page.get_by_label("Option 2").fill("stay")
    page.get_by_text("3 · People and rule").click()
    page.get_by_text("The room", exact=True).click()
    open_section(page, "time")
    page.get_by_role("combobox", name="Time").click()
    page.get_by_role("option", name="60 min · 2 rounds").click()
    expect(page.get_by_text("3 programs quote documents in at most 2 rounds, and advise.")).to_be_visible()
    # The name makes it ready, and the press that leaves its field starts it.
    page.get_by_label("Your name: you facilitate").fill("Fay")
    page.get_by_role("button", name="Start debate").click()
    expect(page.get_by_text("How people join", exact=True)).to_be_visible()
    found = re.search(r"id=([^&]+)", page.url)
    assert found
    return found[1]


def cookies(context: BrowserContext, debate: str) -> list[bool]:
    """Return whether the cookies of this debate are hidden from scripts; empty without one."""
    return [bool(c.get("httpOnly")) for c in context.cookies() if c.get("name") == f"room-{debate}"]


def i_am(page: Page, words: str) -> None:
    expect(page.get_by_role("button", name=f"I am: {words}")).to_be_visible()


def greets(page: Page, name: str) -> None:
    """The lobby of a guest says who they are."""
    expect(page.get_by_text(f"You are {name}")).to_be_visible()
    expect(page.get_by_role("button", name="Change my name")).to_be_visible()


def is_watching(page: Page) -> None:
    expect(page.get_by_role("button", name="I am watching")).to_be_visible()


def height_of_transcript(page: Page) -> float:
    box = page.locator(".frame").bounding_box()
    return box["height"] if box else 0


def test_the_opener_stays_facilitator_and_a_guest_joins_by_code(server: Server, page: Page, browser: Browser):
    debate = opened(server, page)
    i_am(page, "Fay, facilitator")
    # A code that only this computer can open has no QR code.
    expect(page.locator(".st-key-lobby h1")).to_be_visible()
    expect(page.locator(".st-key-lobby img")).to_have_count(0)
    for _ in range(300):
        if cookies(page.context, debate):
            break
        page.wait_for_timeout(100)
    assert cookies(page.context, debate) == [True]
    page.reload()
    i_am(page, "Fay, facilitator")
    code = page.locator(".st-key-lobby h1").inner_text().strip()

    phone = browser.new_context(viewport={"width": 360, "height": 740})
    guest = phone.new_page()
    guest.goto(f"{server.url}/room?id={debate}&as=facilitator")
    is_watching(guest)
    expect(guest.get_by_text("How people join", exact=True)).to_have_count(0)
    # The page is redrawn once it knows its narrow width: the tasks are then above the transcript.
    field = guest.get_by_label("Join a debate: code")
    field.fill(code.lower())
    # The page learns its width late and moves the tasks out of the columns: the field keeps what was typed.
    expect(guest.locator(".st-key-room-columns").get_by_text("Ground rules")).to_have_count(0, timeout=30_000)
    guest.wait_for_timeout(500)
    expect(field).to_have_value(code.lower())
    guest.get_by_role("button", name="Join", exact=True).click()
    guest.get_by_label("Your name").fill("Gus")
    guest.get_by_role("button", name="Join", exact=True).click()
    greets(guest, "Gus")
    assert guest.url == f"{server.url}/room?id={debate}"
    expect(guest.get_by_text("The debate begins soon").first).to_be_visible()
    guest.reload()
    greets(guest, "Gus")
    guest.goto(f"{server.url}/room?id={debate}&as=facilitator")
    greets(guest, "Gus")
    assert guest.evaluate("document.documentElement.scrollWidth") <= 360

    expect(page.get_by_text("2 people are here")).to_be_visible()
    phone.close()


def test_the_projector_follows_and_gives_no_names(server: Server, page: Page, context: BrowserContext):
    debate = opened(server, page)
    screen = context.new_page()
    screen.goto(f"{server.url}/screen?id={debate}")
    expect(screen.get_by_text("1 person is here")).to_be_visible()
    # Phones cannot open this computer's address: the wall says so, and has no code that would lead nowhere.
    expect(screen.locator(".wall .gather h1")).to_be_visible()
    expect(screen.get_by_text("Phones cannot join yet")).to_be_visible()
    expect(screen.locator(".wall :is(.code, .qr)")).to_have_count(0)
    # Before anybody has spoken the transcript takes no place.
    expect(page.locator("article.turn")).to_have_count(3)
    expect(page.locator(".frame")).to_be_hidden()
    page.get_by_role("button", name="Open the brief").click()
    page.get_by_role("button", name="Open the pre-vote").click()
    expect(screen.get_by_role("heading", name="Pre-vote")).to_be_visible()
    page.get_by_role("button", name="Close it, begin later").click()
    page.get_by_role("button", name="Begin the debate").click()
    expect(screen.locator(".wall .speaker")).to_contain_text(re.compile("Speaker|seats"))
    expect(page.locator("article.turn strong").first).to_have_text("quotes on data")
    assert height_of_transcript(page) > 350
    assert "quotes on data" not in screen.locator("body").inner_text().casefold()
