"""From the empty set-up page to the CSV, in a real browser: a document, marks by a person, a counted decision."""

import csv
import io
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from debate_core.engine.audit import verify
from debate_core.record.events import parse_record
from tests.e2e.conftest import Server
from tests.e2e.own_server import open_section
from tests.e2e.workshop import is_drawn

pytestmark = pytest.mark.e2e

ADR = """# Move the reports to a read replica

The nightly report takes 42 minutes and slows every order during that time.

A replica costs $310 per month and one migration of the connection settings.

Reading from a replica risks reports that are up to 5 seconds old.

The team can roll back the change by editing one setting and restarting the service.

Maintenance of a second database adds one item to the on-call checklist.

The vendor releases a new version twice a year; both machines must be updated together.
"""


def set_up(page: Page, server: Server, document: Path) -> None:
    page.goto(server.url)
    page.get_by_role("link", name="New debate").click()
    page.get_by_label("What needs to be decided?").fill("Should the reports move to a replica?")
    for number, option in enumerate(("move", "stay"), start=1):
        page.get_by_label(f"Option {number}", exact=True).fill(option)
        page.get_by_label(f"Option {number}", exact=True).press("Enter")
    page.get_by_role("button", name="Next: material").click()
    # The step before has a field for a file too, which goes last.
    expect(page.get_by_text("No documents yet")).to_be_visible()
    expect(page.locator("input[type=file]")).to_have_count(1)
    page.locator("input[type=file]").set_input_files(document)
    expect(page.get_by_text("Move the reports to a read replica", exact=True)).to_be_visible()
    expect(page.get_by_text("Ready to start")).to_be_visible()
    page.get_by_role("button", name="Start debate").click()
    page.wait_for_url("**/room**")


def mark_everything(page: Page, words: str) -> None:
    """Passage after passage, until all were looked at."""
    done = page.get_by_text(re.compile(r"\d+ of \d+ passages? marked"))
    passage = page.get_by_text(re.compile(r"Passage \d+ of \d+"))
    expect(passage).to_be_visible()
    while passage.is_visible():
        before = passage.inner_text()
        page.get_by_role("button", name=words).first.click()
        expect(page.get_by_text(before, exact=True)).to_have_count(0)
        expect(passage.or_(done)).to_be_visible()
    page.get_by_role("button", name="Give these marks").click()


def test_a_debate_on_a_document_from_set_up_to_csv(server: Server, page: Page, tmp_path: Path):
    # R001, R012, R014
    document = tmp_path / "replica.md"
    document.write_text(ADR, "utf-8")
    set_up(page, server, document)
    expect(page.locator(".notice")).to_have_text("Evidence panel: no model, quotes only")
    mark_everything(page, "For A: move")
    expect(page.locator("article.turn", has_text="It votes move by people's marks").first).to_be_visible()
    expect(page.locator(".closing")).to_contain_text("Decided: move")
    page.get_by_role("button", name="See the results").click()
    expect(page.get_by_role("heading", name="move", exact=True)).to_be_visible()
    page.get_by_role("button", name="Decision record").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="All tables and the full record (zip)").click()
    pack = zipfile.ZipFile(io.BytesIO(Path(str(download.value.path())).read_bytes()))
    assert verify(parse_record(pack.read("events.jsonl"))) == ()
    claims = list(csv.DictReader(io.StringIO(pack.read("claims.csv").decode("utf-8-sig"))))
    turns = list(csv.DictReader(io.StringIO(pack.read("turns.csv").decode("utf-8-sig"))))
    assert claims
    assert all(row["evidence_text"] in ADR and row["quote_verified"] == "verbatim" for row in claims)
    assert [row["round"] for row in turns] == ["1"] * 3 + ["2"] * 4
    assert {row["is_human"] for row in turns} == {"false"}


def test_a_draft_survives_another_one_and_a_restart(server: Server, page: Page):
    """The browser also clears and fills its fields, which it would keep if the page were only redrawn."""
    question, option = page.get_by_label("What needs to be decided?"), page.get_by_label("Option 1", exact=True)
    page.goto(f"{server.url}/setup")
    question.fill("Where do the logs go?")
    page.get_by_label("Option 2", exact=True).fill("a vendor's")
    option.fill("our own store")
    option.press("Enter")
    expect(page.get_by_text("Ready to start")).to_be_visible()
    written = page.url
    for _ in range(2):
        # The second time the present draft is the unchanged workshop.
        page.get_by_role("link", name="Debates").click()
        page.get_by_role("button", name="New workshop").click()
        expect(question).to_have_value("")
    page.get_by_role("link", name="Back to the draft that you were writing").click()
    expect(question).to_have_value("Where do the logs go?")
    expect(option).to_have_value("our own store")
    page.get_by_role("link", name="Start over with an empty draft").press("Enter")
    expect(question).to_have_value("")
    expect(option).to_have_value("")
    page.goto(written)
    expect(option).to_have_value("our own store")


def test_an_opened_row_keeps_its_head_in_sight(page: Page, server: Server):
    """The row above closes at the same time, and would take the page with it."""
    page.set_viewport_size({"width": 390, "height": 620})
    page.goto(f"{server.url}/setup")
    page.get_by_text("3 · People and rule").click()
    above, head = (page.locator(f".st-key-setup_open_people_{name} button") for name in ("seats", "course"))
    is_drawn(page)
    above.click()
    body = page.locator(".st-key-setup_part_seats")
    expect(body).to_be_visible()
    is_drawn(page)
    main = "document.querySelector('[data-testid=stMain]')"
    head.evaluate(f"e => {{ {main}.scrollTop += e.getBoundingClientRect().top - 110 }}")
    head.click()
    expect(page.locator(".st-key-setup_part_course")).to_be_visible()
    expect(body).to_have_count(0)
    is_drawn(page)
    expect(head).to_be_in_viewport(ratio=1)


def test_people_are_rows_on_a_phone_and_survive_a_reload(page: Page, server: Server):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server.url}/setup")
    page.get_by_text("3 · People and rule").click()
    page.get_by_text("The room", exact=True).click()
    open_section(page, "people")
    name, role = page.get_by_label("Name of person 1"), page.get_by_label("Role of person 1")
    name.fill("Ana")
    name.press("Tab")
    # A list closes when the page is scrolled under it.
    role.evaluate("field => field.scrollIntoView({ block: 'center' })")
    is_drawn(page)
    role.click()
    page.get_by_role("option", name="Judge").click()
    page.get_by_role("button", name="Paste a list").click()
    page.get_by_label("One person a line").fill("Bo\nDee, boss")
    page.get_by_role("button", name="Add these people").click()
    expect(page.get_by_text("Dee: “boss” is no role, choose one.").first).to_be_visible()
    expect(page.get_by_role("button", name="Add these people")).to_have_count(0)
    is_drawn(page)
    page.reload()
    expect(name).to_have_value("Ana")
    expect(page.get_by_label("Name of person 3")).to_have_value("Dee")
    page.get_by_role("button", name="Remove person 3").click()
    expect(page.get_by_text("Dee: “boss” is no role, choose one.")).to_have_count(0)
    boxes = [field.bounding_box() for field in (name, role)]
    tops = [box["y"] + box["height"] / 2 for box in boxes if box]
    assert abs(tops[0] - tops[1]) <= 2
    assert page.evaluate("document.documentElement.scrollWidth") == 390
