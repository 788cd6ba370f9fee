"""A whole debate of models on a local server, in a browser: set-up, room, results, decision record."""

import io
import re
import time
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from debate_core.record.events import Event, parse_record
from tests.e2e.standing import heights, look_at
from tests.e2e.workshop import is_drawn

QUESTION = "Should we adopt the new connectors?"
OPTIONS = ("adopt", "defer")
DOCUMENT = """# Load test of March

The old connectors lose 2 of 1,000 orders under load. The new connectors lost none in a test of four hours.

The move takes three weeks of two people. The contract for the old connectors ends in June.

Nobody has tested the new connectors with the largest customer.
"""
SEATS = ("Quotes on risk", "Quotes on maintenance", "Quotes on data")
"""The seats that the words of the question suggest."""
FIRST_ROWS = ("people", "seats", "course", "time")
"""The rows of the third step that are in sight before *More settings* is opened."""


def set_up(page: Page, app: str, folder: Path) -> None:
    """The question with a document, up to who sits where; a vote of three seats that can be over after one phase."""
    document = folder / "test.md"
    document.write_text(DOCUMENT, "utf-8")
    page.goto(f"{app}/setup")
    page.get_by_label("What needs to be decided?").fill(QUESTION)
    for number, option in enumerate(OPTIONS, start=1):
        page.get_by_label(f"Option {number}", exact=True).fill(option)
        page.get_by_label(f"Option {number}", exact=True).press("Enter")
    expect(page.get_by_text("Ready to start")).to_be_visible()
    # The row of steps keeps its place; a button below it is there twice for a moment while a step is drawn.
    page.get_by_text("2 · Material").click()
    expect(page.get_by_text("No documents yet.")).to_be_visible()
    expect(page.locator("input[type=file]")).to_have_count(1)
    page.locator("input[type=file]").set_input_files(document)
    expect(page.get_by_text("Load test of March", exact=True)).to_be_visible()
    page.get_by_text("3 · People and rule").click()
    open_section(page, "seats")
    expect(page.get_by_role("combobox", name=f"{SEATS[-1]} argues for")).to_be_visible()
    is_drawn(page)
    look_at(page, ".st-key-setup_adjust_people")
    choose(page, page.get_by_role("combobox", name="Protocol", exact=True), "Bounded vote")
    # Not yet the rule that was there before: "…, on 2 consecutive counts".
    expect(page.get_by_text("One option needs 2 of 3 votes", exact=True)).to_be_visible()
    assert heights(page) == 1


def open_section(page: Page, name: str) -> None:
    """Open a row of settings of the third step, unless it is open."""
    is_drawn(page)
    body = page.locator(f".st-key-setup_part_{name}")
    if not body.count():
        # While another decider is drawn, it is there twice; one of them is hidden.
        head = page.locator(f".st-key-setup_open_people_{name} button").filter(visible=True)
        if name not in FIRST_ROWS and not head.count():
            page.locator(".st-key-setup_open_people_more button").click()
        expect(head).to_have_count(1)
        head.last.click()
    expect(body).to_be_visible()
    is_drawn(page)


def add_model(page: Page, address: str, model: str, limits: Mapping[str, int]) -> None:
    """Ask the server for its models, take this one with these limits, and try it before it may sit anywhere."""
    open_section(page, "seats")
    # By its key: while a drawer opens, what is in it still moves.
    page.locator(".st-key-own-server summary").press("Enter")
    page.get_by_label("Address").fill(address)
    page.get_by_label("Address").press("Enter")
    page.get_by_role("button", name="Ask for its models").click()
    expect(page.get_by_text(re.compile(r"It offers \d+ models?\."))).to_be_visible()
    # A single model is chosen already.
    if model:
        choose(page, page.get_by_role("combobox", name="Model", exact=True), model)
    for label, number in limits.items():
        page.get_by_label(label).fill(str(number))
        page.get_by_label(label).press("Enter")
    page.get_by_role("button", name="Try it").first.click()


def seat_everywhere(page: Page, words: str) -> None:
    """Put the model that was tried into every seat."""
    page.get_by_role("button", name="Use for a seat").click()
    expect(page.get_by_text("is now available for every seat")).to_be_visible()
    open_section(page, "seats")
    for seat in SEATS:
        choose(page, page.get_by_role("combobox", name=seat, exact=True), words)
    page.get_by_role("button", name="Start debate").click()
    page.wait_for_url("**/room**")


def decision_record(page: Page) -> str:
    """The file of the decision, from the room of a debate that is over."""
    page.get_by_role("button", name="See the results").click()
    take = page.get_by_role("button", name="Download the .md file")
    page.locator(".st-key-open-files button").click()
    with page.expect_download() as download:
        take.click()
    return Path(str(download.value.path())).read_text("utf-8")


def record(page: Page) -> Sequence[Event]:
    """The record, as the zip beside the decision has it."""
    with page.expect_download() as download:
        page.get_by_role("button", name="All tables and the full record (zip)").click()
    pack = zipfile.ZipFile(io.BytesIO(Path(str(download.value.path())).read_bytes()))
    return parse_record(pack.read("events.jsonl"))


def choose(page: Page, field: Locator, words: str) -> None:
    # A list of Streamlit that opens slowly takes the rest of the press that opened it for one beside it, and closes.
    option = page.get_by_role("option", name=words)
    give_up = time.monotonic() + 60
    while not option.is_visible():
        assert time.monotonic() < give_up, f"{field} did not open"
        field.click()
        page.wait_for_timeout(1_000)
    option.click()
