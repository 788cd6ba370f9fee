"""Make the pictures of every screen in docs/: `python bench/screenshots.py` starts its own server and browser.

Desktop in light and dark, and a phone; the store is new, in a temporary folder. Needs Chromium. `room` makes only the
pictures of a workshop.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, FilePayload, Page, ViewportSize, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.room_pictures import shoot_room, write  # noqa: E402
from tests.e2e.conftest import CHROMIUM, FLAGS, start  # noqa: E402
from tests.e2e.own_server import open_section  # noqa: E402
from tests.e2e.workshop import Links  # noqa: E402
from tests.model_server import ModelServer  # noqa: E402
from tests.monitoring import free_port  # noqa: E402

DESKTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 780}
ADR = """# Move the orders database

The primary database handled 9,400 writes per second at peak in September, and p95 commit latency was 210 ms.
A managed store would cost $11,400 per month at that load; the present cluster costs $10,500 per month.
31% of writes touch three or more tables, so they need transactions that the managed store limits to 100 items.
A migration with shadow reads takes the team two quarters, and rollback is possible for 21 days after the switch.
Partitioning the orders table by region needs six weeks and changes no interface that other teams use.
"""


PANELS = """
[lines.claude_sonnet]
provider = "anthropic"
family = "anthropic"
model = "claude-sonnet-5-5"
dialect = "messages"
base_url = "{root}"
parallel = 8

[lines.gpt_terra]
provider = "openai"
family = "openai"
model = "gpt-6.1-terra"
dialect = "responses"
base_url = "{root}/v1"
parallel = 8

[lines.gemini_flash]
provider = "google"
family = "google"
model = "gemini-3.8-flash"
dialect = "chat"
base_url = "{root}/v1"
parallel = 8

[panels.balanced]
title = "Balanced: three families, middle of each range"
debaters = ["claude_sonnet", "gpt_terra", "gemini_flash"]
"""
OUTSIDE = "https://debates.example.org"
THINKING = "What matters is whether writes that touch three or more tables stay transactional after the move. " * 2


@contextmanager
def server(panels: str = "", write: Callable[[str], object] = lambda _: None, public: str = "") -> Iterator[str]:
    """Start the app on a free port with a new store filled by `write`; yields its address.

    `panels` replaces the shipped panel file; `public` is the public address.
    """
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        env = {"DEBATE_PUBLIC_URL": public} if public else {}
        if panels:
            (folder / "panels.toml").write_text(panels, "utf-8")
            env["DEBATE_PANELS"] = str(folder / "panels.toml")
        write(f"sqlite:///{folder / 'debates.db'}")
        process = start(folder, port, env)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(10)


def rehearse(context: BrowserContext, base: str, place: int) -> str:
    """Open a rehearsal without pacing; returns the address of its room, without the viewer."""
    page = context.new_page()
    page.goto(base)
    page.get_by_text("Examples to watch").click()
    page.get_by_text("At once").click()
    page.wait_for_timeout(500)
    page.get_by_role("button", name="Watch:").nth(place).click()
    page.wait_for_url("**id=*")
    page.wait_for_timeout(1_500)
    debate_id = page.url.split("id=")[1].split("&")[0]
    page.close()
    return debate_id


def set_up(page: Page) -> None:
    """Fill the set-up page as a person would."""
    page.get_by_label("What needs to be decided?").fill("Should we move the orders database to a managed store?")
    for number, option in enumerate(("migrate", "stay", "partition first"), start=1):
        page.get_by_label(f"Option {number}", exact=True).fill(option)
    page.keyboard.press("Tab")
    page.get_by_text("Ready to start").wait_for()
    page.get_by_role("button", name="Next: material").click()
    page.get_by_text("No documents yet.").wait_for()
    expect(page.locator("input[type=file]")).to_have_count(1)
    document: FilePayload = {"name": "load.md", "mimeType": "text/markdown", "buffer": ADR.encode()}
    page.locator("input[type=file]").set_input_files(document)
    page.get_by_text("Move the orders database", exact=True).wait_for()
    page.get_by_role("button", name="Next: people and rule").click()
    page.get_by_text("Who decides?").wait_for()
    page.wait_for_timeout(500)
    page.evaluate("document.activeElement.blur(); document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")


def watch(page: Page, base: str) -> None:
    """Take a picture of a rehearsal in the middle of a turn, as its facilitator sees it."""
    page.goto(base)
    page.get_by_text("Examples to watch").click()
    page.get_by_text("Quick", exact=True).click()
    page.wait_for_timeout(500)
    page.get_by_role("button", name="Watch:").first.click()
    page.wait_for_url("**id=*")
    page.locator("article.turn[data-state=live]").nth(0).wait_for()
    expect(page.locator(".log")).to_contain_text("Round 1 · Critique", timeout=60_000)
    page.wait_for_timeout(2_500)
    page.locator("article.turn[data-state=live] .prose").first.wait_for()


def shoot(context: BrowserContext, base: str, mode: str, debate_id: str) -> None:
    """Take one picture per screen."""
    addresses = {
        "home": "/",
        "setup": "/setup",
        "protocols": "/protocols",
        "results": f"/results?id={debate_id}",
        "record": f"/record?id={debate_id}",
    }
    page = context.new_page()
    watch(page, base)
    page.screenshot(path=ROOT / "docs" / f"room-{mode}.png")
    page.close()
    for name, address in addresses.items():
        page = context.new_page()
        page.goto(base + address)
        page.locator("[data-testid=stMain] h1, [data-testid=stMain] h3").first.wait_for()
        page.wait_for_timeout(1_500)
        if name == "setup":
            set_up(page)
        expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=30_000)
        page.wait_for_timeout(1_200)
        page.screenshot(path=ROOT / "docs" / f"{name}-{mode}.png")
        page.close()


def shoot_models(browser: Browser, base: str) -> None:
    """Take pictures of a model panel before the start, and of reasoning in the room; the models are fakes."""
    for mode in ("light", "dark", "phone"):
        scheme: Literal["dark", "light"] = "dark" if mode == "dark" else "light"
        with browser.new_context(viewport=PHONE if mode == "phone" else DESKTOP, color_scheme=scheme) as context:
            page = context.new_page()
            page.goto(f"{base}/setup")
            set_up(page)
            open_section(page, "seats")
            page.get_by_role("combobox", name="Models for all seats").click()
            page.get_by_role("option").first.click()
            page.get_by_text("All ground rules").wait_for()
            page.wait_for_timeout(1_200)
            page.screenshot(path=ROOT / "docs" / f"setup-models-{mode}.png")
            page.get_by_role("button", name="Start debate").click()
            page.wait_for_url("**id=*")
            page.locator(".thinking").nth(2).wait_for()
            page.wait_for_timeout(1_500)
            page.screenshot(path=ROOT / "docs" / f"room-models-{mode}.png")


def shoot_all(browser: Browser, base: str) -> None:
    """Take pictures of all screens in all three forms, of the same debates."""
    with browser.new_context(viewport=DESKTOP) as context:
        first, *_ = [rehearse(context, base, place) for place in range(2)]
    for mode in ("light", "dark", "phone"):
        with browser.new_context(
            viewport=PHONE if mode == "phone" else DESKTOP, color_scheme="dark" if mode == "dark" else "light"
        ) as context:
            shoot(context, base, mode, first)


def main() -> None:
    """Make all pictures."""
    (ROOT / "docs").mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        made: list[Links] = []
        with server(write=lambda database: made.append(write(database)), public=OUTSIDE) as base:
            shoot_room(browser, base, made[0])
        if "room" not in sys.argv[1:]:
            shoot_pages(browser)
        browser.close()


def shoot_pages(browser: Browser) -> None:
    """Take pictures of every page of rehearsals, and of a model panel."""
    with server() as base:
        shoot_all(browser, base)
    with (
        ModelServer(latency_s=12, first_s=4, thinking=THINKING) as models,
        server(PANELS.format(root=models.url)) as with_models,
    ):
        shoot_models(browser, with_models)


if __name__ == "__main__":
    main()
