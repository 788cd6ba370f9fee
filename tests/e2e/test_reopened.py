"""From a question to a signature, a broken assumption and the second debate, with a phone in a browser.

With DEBATE_SHOTS the test also makes the moving picture of docs/watching.md.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from bench.film import Film
from debate_core.__main__ import main
from tests.e2e.conftest import Server, serve
from tests.e2e.test_first_hour import Inputs, begins_with_record, comes, votes
from tests.e2e.workshop import LAPTOP, SHOTS, Others, is_drawn, presses, says

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

RECORD = """# Queue of the order events

## Context and Problem Statement

Which queue carries the order events?

## Considered Options

- Outbox table
- Broker

## Pros and Cons of the Options

### Outbox table

The outbox needs no new service, because Postgres 15.2 already notifies every worker of a new row.

### Broker

A broker keeps the events of a week, and two teams would have to learn how it is run.
"""
DATABASE = "Postgres 15.2"


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Server]:
    yield from serve(tmp_path, lambda _: {})


def test_broken_assumption_opens_the_second_debate(
    fresh: Server, browser: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    record, code = tmp_path / "queue.md", tmp_path / "code"
    record.write_text(RECORD, "utf-8")
    code.mkdir()
    lock = code / "requirements.txt"
    lock.write_text("postgres==15.2\n", "utf-8")
    page = browser.new_context(viewport={"width": LAPTOP[0], "height": LAPTOP[1]}).new_page()
    page.set_default_timeout(60_000)
    fay = Inputs(page)
    begins_with_record(fay, fresh, record)
    fay.fills("Your name: you facilitate", "Fay")
    says(page, "Ready to start")
    fay.presses("Start debate")
    joining = page.locator(".st-key-lobby h1").inner_text().strip()
    ben = comes(browser, fresh, joining, "Ben")
    others = Others(fresh.database, page.url.partition("id=")[2].partition("&")[0], "Ann")
    film = Film(page, ben)

    def shot() -> None:
        if SHOTS:
            film.shot()

    fay.presses("Skip the pre-vote")
    for number in (1, 2):
        says(page, f"Passage {number} of 2")
        is_drawn(page)
        is_of_outbox = DATABASE in page.locator(".st-key-your-turn").inner_text()
        presses(page, "For A: Outbox table" if is_of_outbox else "For B: Broker")
    says(page, "2 of 2 passages marked")
    is_drawn(page)
    shot()
    fay.presses("Give these marks")
    fay.presses("Open the final vote")
    votes(ben, "Outbox table")
    others.vote("final", Ann="Outbox table")
    says(page, "2 of 2 ballots in")
    shot()
    fay.presses("Close and reveal the final vote")
    fay.chooses("who-signs", "Ben")

    ben.get_by_text("Conditions, people to inform").click()
    says(ben, "It holds as long as")
    ben.locator("[data-testid=stCheckbox]").filter(has_text=DATABASE).click()
    expect(ben.get_by_label("Check", exact=True)).to_have_value("version postgres below 16")
    ben.get_by_text("It holds as long as").first.scroll_into_view_if_needed()
    shot()
    presses(ben, re.compile("and sign$"))
    says(ben, re.compile("Accepted by|accepted"))
    shot()

    watch = ["watch", str(code), "--db", f"sqlite:///{tmp_path / 'debates.db'}"]
    assert main(watch) == 0
    lock.write_text("postgres==16.1\n", "utf-8")
    assert main(watch) == 7
    assert "16.1" in capsys.readouterr().out

    page.goto(fresh.url)
    says(page, "Challenged")
    shot()
    presses(page, "Review")
    page.wait_for_url("**/results?id=*")
    says(page, "no longer holds")
    shot()
    page.get_by_role("link", name="Debate it again").first.click()
    page.wait_for_url("**/setup*")
    expect(page.get_by_label("What needs to be decided?")).to_have_value("Which queue carries the order events?")
    page.get_by_text("2 · Material").first.click()
    says(page, re.compile("Broken assumptions: Which queue"))
    shot()
    if SHOTS:
        film.save(Path(SHOTS) / "reopened.gif")
    for one in (page, ben):
        one.context.close()
