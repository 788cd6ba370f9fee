"""No page keeps anybody out: what axe-core calls serious, in light; `bench/pages.py` looks at all pages in both themes.

Beside it: no error in the console, no request to another host, and plotly only where one of its charts is.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from bench.page_debates import Stored, write
from bench.pages import NO_PLOTLY, Screen, address_in, barriers, quiet, screens, visit
from tests.e2e.conftest import serve

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

LOOKED_AT = (
    "debates",
    "set-up: question",
    "protocols",
    "track record",
    "results overview, signed",
    "record, signed",
    "room, facilitator, round",
    "phone, vote",
    "wall, reveal",
)


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Stored]]:
    """A server with a debate in each state."""
    made: list[Stored] = []

    def put(database: str) -> dict[str, str]:
        made.append(write(database))
        return made[0].debates

    for server in serve(tmp_path_factory.mktemp("barriers"), put):
        yield server.url, made[0]


def looked_at(name: str) -> Screen:
    return next(screen for screen in screens() if screen.name == name)


def faults(page: Page, base: str, screen: Screen, stored: Stored) -> list[str]:
    asked, said = list[str](), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda told: said.append(told.text) if told.type == "error" else None)
    page.goto(base + address_in(screen, stored))
    page.locator("h1, h2").first.wait_for()
    quiet(page)
    grave, _ = barriers(page)
    # A blob or data address belongs to no host.
    foreign = [url for url in asked if not url.startswith((base, "blob:", "data:"))]
    charts = [url for url in asked if "plotly" in url.lower() and screen.name.startswith(NO_PLOTLY)]
    return [*grave, *said, *foreign, *charts]


def test_no_page_keeps_anybody_out(browser: Browser, held: tuple[str, Stored]):
    base, stored = held
    found = []
    for screen in map(looked_at, LOOKED_AT):
        with visit(browser, base, stored, screen, screen.sizes[0]) as page:
            found += [f"{screen.name}: {what}" for what in faults(page, base, screen, stored)]
    assert found == []
