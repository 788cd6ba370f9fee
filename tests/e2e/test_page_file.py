"""The HTML file of a debate in a real browser, without a network: it asks for nothing, and draws and prints all."""

import io
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pypdf
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from debate_core.record.events import Event, parse_record
from debate_core.record.fold import replay
from debate_core.report.facts.account import account
from debate_core.report.figures.charts import charts_of
from debate_core.report.files.page import html_page
from debate_core.spec.rules import Elected
from debate_core.ui.pages.home import EXAMPLES_LABEL
from tests.core.test_ballots_in_debates import tennessee
from tests.e2e.conftest import Server
from tests.holding import SEATS, Said, hold, script, turn
from tests.people import whole_workshop

pytestmark = pytest.mark.e2e

RECORDS = Path(__file__).resolve().parents[1] / "records"
HOSTILE = "</script><script>alert(1)</script><!-- <img src=http://e.example/x onerror=alert(1)>"
A4_POINTS = (595, 842)
Events = Sequence[Event]


def _of_record(name: str) -> Events:
    return parse_record((RECORDS / f"format1_{name}.jsonl").read_bytes())


def _held(said: Said) -> Events:
    """Hold a debate in another thread: the browser's driver keeps an event loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(hold, said).result()[1]


KINDS: dict[str, Callable[[], Events]] = {
    "workshop of people": lambda: whole_workshop().events,
    "split panel of models": lambda: _of_record("models"),
    "evidence panel": lambda: _of_record("people"),
    "ranked ballots": lambda: _held(tennessee(Elected(kind="schulze"))),
    "waiting for a person": lambda: _of_record("waiting_for_a_person"),
    "hostile turns": lambda: _held(script([turn(seat, "release", repeat=True, rationale=HOSTILE) for seat in SEATS])),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_opens_offline_draws_and_prints(kind: str, browser: Browser, tmp_path: Path):
    events = KINDS[kind]()
    file = tmp_path / "debate.html"
    file.write_text(html_page(account(replay(events), events)), "utf-8")
    context = browser.new_context(offline=True, viewport={"width": 390, "height": 844})
    page = context.new_page()
    asked, faults = list[str](), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(file.as_uri())
    assert (asked, faults) == ([file.as_uri()], [])
    charts = page.locator("svg")
    assert charts.count() == len(list(charts_of(account(replay(events), events))))
    for box in (chart.bounding_box() for chart in charts.all()):
        assert box is not None
        assert min(box["width"], box["height"]) > 50
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    violations = Axe().run(page).response["violations"]
    assert [one["id"] for one in violations if one["impact"] in ("serious", "critical")] == []
    printed = pypdf.PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True)))
    assert tuple(round(float(side)) for side in printed.pages[0].mediabox[2:]) == A4_POINTS
    assert parse_record(file.read_bytes())[-1].hash == events[-1].hash
    context.close()


def test_the_decision_is_alone_on_its_sheet_of_paper(browser: Browser, tmp_path: Path):
    events = whole_workshop().events
    file = tmp_path / "debate.html"
    file.write_text(html_page(account(replay(events), events)), "utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    first, second, *_rest = pypdf.PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
    assert "Accepted by Abe" in first.extract_text()
    assert "Charts" not in first.extract_text()
    assert second.extract_text().startswith("Charts")
    page.close()


def test_charts_have_the_colours_of_the_dark_theme(browser: Browser, tmp_path: Path):
    events = whole_workshop().events
    file = tmp_path / "debate.html"
    file.write_text(html_page(account(replay(events), events)), "utf-8")
    page = browser.new_page(color_scheme="dark")
    page.goto(file.as_uri())
    bar = page.locator('svg rect[fill="#2360c5"]').first
    assert bar.evaluate("element => getComputedStyle(element).fill") == "rgb(130, 177, 255)"
    assert Axe().run(page).response["violations"] == []
    page.close()


def test_a_page_is_uploaded_and_its_charts_are_taken_along(server: Server, page: Page, tmp_path: Path):
    events = whole_workshop().events
    file = tmp_path / "debate.html"
    file.write_text(html_page(account(replay(events), events)), "utf-8")
    page.goto(server.url)
    page.get_by_text(EXAMPLES_LABEL).click()
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)
    page.get_by_role("button", name="See its results").click()
    page.get_by_role("tab", name="Votes").click()
    page.locator(".st-key-moves-panel-as-table").get_by_text("Table and files").click()
    with page.expect_download() as svg:
        page.get_by_role("button", name="Votes of the named people before and after (SVG)").click()
    assert svg.value.suggested_filename == "chart-moves-panel.svg"
    assert b"adopt (2)" in svg.value.path().read_bytes()
