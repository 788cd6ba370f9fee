"""The list of debates in a real browser: a row is pressed from the keyboard, and leads to its debate."""

import re

import pytest
from playwright.sync_api import Page, expect

from debate_core.ui.pages.home import EXAMPLES_LABEL
from tests.e2e.conftest import Server

pytestmark = pytest.mark.e2e


def test_a_row_is_a_button_for_hands_and_keyboards(server: Server, page: Page):
    page.goto(server.url)
    page.get_by_text(EXAMPLES_LABEL).click()
    page.get_by_text("At once", exact=True).click()
    row = page.get_by_role("list", name="Examples to watch").get_by_role("listitem").first
    question = row.locator(".question").inner_text()
    row.get_by_role("button", name=f"Watch: {question}").press("Enter")
    page.wait_for_url(re.compile("/room.*id="))
    page.get_by_role("link", name="Debates").click()
    listed = page.get_by_role("list", name=re.compile("Under way|Finished|Waiting for you"))
    expect(listed.first).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
