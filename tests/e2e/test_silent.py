"""Two silent minutes in a browser: agreed in set-up, written on a phone, counted on the wall, shown by one press."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from bench.pages import PHONE
from tests.e2e.conftest import Server
from tests.e2e.own_server import open_section
from tests.e2e.test_lobby import greets
from tests.e2e.workshop import ANDROID, is_drawn

pytestmark = pytest.mark.e2e
FACT = "The pump was replaced in May"


def test_phone_text_is_sealed_until_the_facilitator_shows_it(server: Server, page: Page, browser: Browser):
    page.goto(f"{server.url}/setup")
    page.get_by_label("What needs to be decided?").fill("Should we move the orders database?")
    page.get_by_label("Option 1").fill("migrate")
    page.get_by_label("Option 2").fill("stay")
    page.get_by_text("3 · People and rule").click()
    page.get_by_text("The room", exact=True).click()
    page.get_by_label("Your name: you facilitate").fill("Fay")
    page.get_by_label("Your name: you facilitate").press("Tab")
    open_section(page, "course")
    expect(page.get_by_text("Two silent minutes before the first vote")).to_be_visible()
    is_drawn(page)
    page.get_by_text("Two silent minutes before the first vote").click()
    expect(page.get_by_text("Show these facts with names")).to_be_visible()
    page.get_by_role("button", name="Start debate").click()
    expect(page.get_by_text("How people join", exact=True)).to_be_visible()
    code = page.locator(".st-key-lobby h1").inner_text().strip()
    address = re.search(r"id=([^&]+)", page.url)
    assert address

    phone = browser.new_context(viewport=PHONE, user_agent=ANDROID)
    guest = phone.new_page()
    guest.goto(f"{server.url}/room?id={address[1]}")
    guest.get_by_label("Join a debate: code").fill(code)
    guest.get_by_role("button", name="Join", exact=True).click()
    guest.get_by_label("Your name").fill("Gus")
    guest.get_by_role("button", name="Join", exact=True).click()
    greets(guest, "Gus")
    wall = browser.new_context(viewport={"width": 1920, "height": 1080}).new_page()
    wall.goto(f"{server.url}/screen?id={address[1]}")

    page.get_by_role("button", name="Ask what only one of us knows").click()
    expect(wall.get_by_text("What do you know that the others may not?")).to_be_visible()
    guest.get_by_role("textbox", name="What do you know that the others may not?").fill(FACT)
    guest.get_by_role("button", name="Seal it", exact=True).click()
    expect(guest.get_by_text("1 text is sealed.")).to_be_visible()
    for other in (page, wall):
        assert FACT not in other.locator("body").inner_text()
    page.get_by_role("button", name="Show what people know").click()
    for reader in (page, wall, guest):
        expect(reader.get_by_text(FACT).first).to_be_visible()
    assert guest.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="Open the pre-vote").click()
    expect(wall.get_by_role("heading", name="Pre-vote")).to_be_visible()
    phone.close()
