"""Measurements of screens: content above the fold, page length, controls and words, weight, accessibility.

`python bench/pages.py [--json] [--only NAME]` starts a server with generated debates (`bench/page_debates.py`), opens
every page, tab, scene and step in two sizes and two themes, and prints the figures beside their bars. `--only` takes
the start of a screen's name. Needs the development requirements and Chromium.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.page_debates import APPROVER, DEBATERS, FACILITATOR, JUDGES, STATES, VOTERS, WALL, Stored, write  # noqa: E402
from bench.screenshots import OUTSIDE, server, set_up  # noqa: E402
from tests.e2e.conftest import CHROMIUM, FLAGS  # noqa: E402
from tests.e2e.own_server import open_section  # noqa: E402
from tests.e2e.workshop import ANDROID  # noqa: E402

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
SCREEN: ViewportSize = {"width": 1920, "height": 1080}
TABS = ("Overview", "Votes", "Evidence", "Transcript", "Judges", "Process", "Files")
PROBE = (Path(__file__).parent / "page_probe.js").read_text("utf-8")
WCAG = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], "resultTypes": ["violations"]}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
GRAVE = ("serious", "critical")
IN_ROOM = ("wall", "phone", "room", "judge desk", "seat")
"""Beginnings of the screens drawn with a public address, as in a workshop; the others are of the host's computer."""
NO_PLOTLY = ("debates", "room", "results overview", "wall", "phone")
"""Pages that draw votes as HTML: none with this prefix may load plotly."""
QUIET_MS = 700
"""Time without changes before a page is measured: charts and sockets load after the text."""
TYPING_S = 2.0
"""Time for which a person reads the page that asks for a name."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen to measure. `state` names a debate of `bench/page_debates.py`, `who` a person in it; "" = the host."""

    name: str
    address: str
    state: str = ""
    who: str = ""
    sizes: tuple[ViewportSize, ...] = (DESKTOP, PHONE)
    prepare: Callable[[Page], None] = lambda _: None


@dataclass(slots=True)
class Seen:
    """Measurements of one screen in one size and theme; lengths in CSS pixels."""

    screen: str
    size: str
    theme: str
    figures: dict[str, Any]
    grave: list[str]
    """Violations that axe-core rates serious or worse: rule, number of elements, the first of them."""
    mild: list[str]
    errors: list[str]
    foreign: list[str]
    plotly: bool
    heading_s: float = 0.0


@dataclass(slots=True)
class Weight:
    """Bytes that a browser with an empty cache loads."""

    name: str
    http_kb: float
    socket_kb: float
    heading_s: float
    largest: list[tuple[str, float]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table; `most` None = no bar."""

    what: str
    measured: float
    bar: float | None
    unit: str = ""
    where: str = ""

    def is_met(self) -> bool:
        return self.bar is None or self.measured <= self.bar


# --- the screens


def screens() -> list[Screen]:
    """Return every page, tab, scene and step."""
    return [*_single_screens(), *_setup_screens(), *_result_screens(), *_room_screens(), *_phone_screens()]


def _single_screens() -> Iterator[Screen]:
    yield Screen("debates", "/")
    yield Screen("protocols", "/protocols")
    yield Screen("track record", "/metrics")
    yield Screen("practice", "/practice")
    yield Screen("messages", "/messages")
    yield Screen("practice, list", "/practice?who=Ann")
    yield Screen("access tokens", "/tokens")
    yield Screen("practice, desk", "/practice?who=Ann&case=retention_rule")


def _setup_screens() -> Iterator[Screen]:
    steps: dict[str, Callable[[Page], None]] = {
        "question": lambda _: None,
        "material": lambda page: _open_step(page, "2 · Material"),
        "people": lambda page: _open_step(page, "3 · People and rule"),
        "people, filled in": set_up,
        "people, with people": _with_people,
    }
    for step, prepare in steps.items():
        yield Screen(f"set-up: {step}", "/setup", prepare=prepare)
    for section in ("seats", "course", "time", "counting", "polls", "protocol", "roles"):
        yield Screen(f"set-up, open: {section}", "/setup", prepare=partial(_with_section, section=section))
    yield Screen("set-up, open: a seat", "/setup", prepare=_with_a_seat)
    yield Screen("set-up, open: a list of people", "/setup", prepare=_with_a_list)


def _result_screens() -> Iterator[Screen]:
    for state in ("seats", "reveal", "signed"):
        for tab in TABS if state == "reveal" else TABS[:4]:
            yield Screen(f"results {tab.lower()}, {state}", f"/results?tab={tab}", state)
        yield Screen(f"record, {state}", "/record", state)
    yield Screen("results sign dialog", "/results", "reveal", APPROVER.id, prepare=_open_desk)


def _room_screens() -> Iterator[Screen]:
    for state in STATES:
        yield Screen(f"room, facilitator, {state}", "/room", state, FACILITATOR.id)
    yield Screen("room, watched, round", "/room", "round")
    yield Screen("room, seats", "/room", "seats")
    for state in ("round", "vote"):
        yield Screen(f"judge desk, {state}", "/room", state, JUDGES[0].id)
    yield Screen("seat, round", "/room", "round", DEBATERS[0].id)


def _phone_screens() -> Iterator[Screen]:
    """The screens of phones and of the projector."""
    for state in STATES:
        late = VOTERS[-1].id if state in ("prevote", "vote") else VOTERS[0].id
        yield Screen(f"phone, {state}", "/room", state, late, (PHONE,))
    yield Screen("phone, voted", "/room", "vote", VOTERS[0].id, (PHONE,))
    yield Screen("phone: join", "/join", sizes=(PHONE,))
    for state in STATES:
        yield Screen(f"wall, {state}", "/screen", state, WALL, (SCREEN,))


def _open_step(page: Page, words: str) -> None:
    page.get_by_text(words).click()


def _with_people(page: Page) -> None:
    _open_step(page, "3 · People and rule")
    page.get_by_text("The room", exact=True).click()
    page.get_by_label("Your name: you facilitate").fill("Fay")
    page.get_by_label("Your name: you facilitate").press("Tab")
    quiet(page)
    page.evaluate("document.activeElement.blur(); document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")


def _with_section(page: Page, section: str) -> None:
    _with_people(page)
    open_section(page, section)
    quiet(page)


def _with_a_seat(page: Page) -> None:
    _with_people(page)
    open_section(page, "seats")
    page.locator("[class*=st-key-seat-row-] .stButton button").first.click()
    # Off the button, whose tooltip would lie across the fields.
    page.mouse.move(0, 0)
    quiet(page)


def _with_a_list(page: Page) -> None:
    _with_people(page)
    open_section(page, "people")
    page.get_by_role("button", name="Paste a list").click()
    names = page.get_by_role("textbox", name="One person a line")
    names.fill("Cleo Diaz\nBo Chen, judge\nAna Ruiz, voter, 2\nDee Fox, boss")
    page.get_by_role("button", name="Add these people").click()
    page.get_by_text("“boss” is no role, choose one.").first.wait_for()


def _open_desk(page: Page) -> None:
    page.locator(".st-key-open-decision button").click()
    page.get_by_role("dialog").wait_for()


# --- measuring


def quiet(page: Page) -> None:
    """Wait until the script has run and the page shows its output."""
    if not page.locator("[data-testid=stApp]").count():
        return
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=60_000)
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(timeout=60_000)
    page.wait_for_timeout(QUIET_MS)
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(timeout=60_000)


def look(page: Page, base: str, screen: Screen, stored: Stored, size: ViewportSize) -> Iterator[Seen]:
    """Measure one screen in the light and the dark theme."""
    errors, addresses = list[str](), list[str]()
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: addresses.append(request.url))
    began = time.monotonic()
    page.goto(base + address_in(screen, stored))
    page.locator("h1, h2, h3").first.wait_for(timeout=60_000)
    heading_s = time.monotonic() - began
    quiet(page)
    screen.prepare(page)
    quiet(page)
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        quiet(page)
        grave, mild = barriers(page)
        yield Seen(
            screen=screen.name,
            size=f"{size['width']}x{size['height']}",
            theme=theme,
            figures=page.evaluate(PROBE),
            grave=grave,
            mild=mild,
            errors=[*errors],
            foreign=sorted({url for url in addresses if _is_foreign(url, base)}),
            plotly=any("plotly" in url.lower() for url in addresses),
            heading_s=round(heading_s, 2),
        )


def address_in(screen: Screen, stored: Stored) -> str:
    """Return the address of a screen, with the id of its debate."""
    if not screen.state:
        return screen.address
    return f"{screen.address}{'&' if '?' in screen.address else '?'}id={stored.debates[screen.state]}"


def _is_foreign(url: str, base: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != urlsplit(base).netloc


def barriers(page: Page) -> tuple[list[str], list[str]]:
    """Count the violations of WCAG 2.1 A and AA that axe-core finds: serious or worse, and the rest."""
    found = Axe().run(page, options=WCAG).response["violations"]
    grave, mild = list[str](), list[str]()
    for rule in found:
        first = str(rule["nodes"][0]["target"])
        (grave if rule["impact"] in GRAVE else mild).append(f"{rule['id']} x {len(rule['nodes'])}: {first}")
    return grave, mild


@contextmanager
def visit(browser: Browser, base: str, stored: Stored, screen: Screen, size: ViewportSize) -> Iterator[Page]:
    """Open the screen in a new browser, admitted as the screen's person."""
    called = ANDROID if size is PHONE else None
    with browser.new_context(viewport=size, has_touch=size is PHONE, user_agent=called) as context:
        context.set_default_timeout(30_000)
        if screen.who:
            name, value = stored.cookies[screen.state, screen.who]
            context.add_cookies([{"name": name, "value": value, "url": base}])
        yield context.new_page()


def weigh(browser: Browser, name: str, address: str, most: int = 12) -> Weight:
    """Measure what a phone loads on its first visit until the network is idle, and when the first heading appears.

    Where a name is asked first, the time is that of both pages without the `TYPING_S` in which a person types it.
    """
    with browser.new_context(viewport=PHONE, has_touch=True, user_agent=ANDROID) as context:
        page = context.new_page()
        line = context.new_cdp_session(page)
        line.send("Network.enable")
        urls, sizes, socket = dict[str, str](), dict[str, float](), [0]
        line.on("Network.requestWillBeSent", lambda told: urls.update({told["requestId"]: told["request"]["url"]}))
        line.on("Network.loadingFinished", lambda told: sizes.update({told["requestId"]: told["encodedDataLength"]}))
        line.on("Network.webSocketFrameReceived", lambda told: socket.append(_frame_bytes(told["response"])))
        began = time.monotonic()
        page.goto(address)
        if "/join/" in page.url:
            page.wait_for_timeout(1000 * TYPING_S)
            began += TYPING_S
            for field in page.get_by_label("Your name").all():
                field.fill("Ann")
            page.get_by_role("button").first.click()
        page.locator("h1").first.wait_for()
        heading_s = time.monotonic() - began
        quiet(page)
        page.wait_for_timeout(2_000)
        each = sorted(((urls[request], size / 1000) for request, size in sizes.items()), key=lambda row: -row[1])
        largest = [(url.rsplit("/", 1)[-1][:60], round(kb, 1)) for url, kb in each[:most]]
        return Weight(
            name, round(sum(kb for _, kb in each), 1), round(sum(socket) / 1000, 1), round(heading_s, 2), largest
        )


def _frame_bytes(frame: dict[str, Any]) -> int:
    text: str = frame["payloadData"]
    return len(text) * 3 // 4 if frame["opcode"] == 2 else len(text.encode())


# --- the table


def table(seen: Sequence[Seen], weights: Sequence[Weight]) -> list[Row]:
    """Tabulate the measurements beside their bars: the worst of all screens, and its name."""
    rows = [*_above_the_fold(seen), *_lengths(seen), *_everywhere(seen)]
    for weight in weights:
        phone = weight.name == "phone"
        rows.append(
            Row(
                f"first visit, {weight.name}: loaded",
                weight.http_kb + weight.socket_kb,
                1_000 if phone else None,
                " kB",
            )
        )
        rows.append(Row(f"first visit, {weight.name}: first heading", weight.heading_s, 1.5 if phone else None, " s"))
    return rows


def _above_the_fold(seen: Sequence[Seen]) -> Iterator[Row]:
    for size, height in (("1280x800", 800), ("390x844", 844)):
        for part in ("decision", "chart", "sign"):
            if row := _worst(seen, f"Results, {part} ends, {size}", part, height, "results overview", size=size):
                yield row
    if row := _worst(seen, "ballot, Cast ends, 390x844", "cast", 844, "phone"):
        yield row


def _lengths(seen: Sequence[Seen]) -> Iterator[Row]:
    for size in ("1280x800", "390x844"):
        asked = [
            _worst(seen, f"Results, longest tab, {size}", "screens", 2.5, "results", size=size),
            _worst(seen, f"other pages, longest, {size}", "screens", None, *_OTHERS, size=size),
            _worst(seen, f"Results, a tab's content begins, {size}", "content", None, *_FOLDED, size=size),
            _worst(
                seen, f"Set-up, controls of question and material, {size}", "controls", 12, *_FIRST_STEPS, size=size
            ),
            _worst(seen, f"Set-up, controls of a step and a section, {size}", "controls", 40, "set-up", size=size),
            _worst(seen, f"Set-up, words of a step, {size}", "words", 150, "set-up:", size=size),
        ]
        yield from filter(None, asked)
    if row := _worst(seen, "wall, words of a scene", "words", 40, "wall"):
        yield row
    types = [(one.figures["smallest"][0], one.screen) for one in seen if one.screen.startswith("wall")]
    if types:
        size_px, where = min(types)
        yield Row("wall, smallest type below 44 px by", max(44 - size_px, 0), 0, " px", f"{size_px:g} px: {where}")


_OTHERS = ("debates", "protocols", "track", "record", "room", "judge", "seat", "phone", "set-up")
_FIRST_STEPS = ("set-up: question", "set-up: material")
_FOLDED = tuple(f"results {tab.lower()}" for tab in TABS[1:])


def _worst(seen: Sequence[Seen], what: str, figure: str, bar: float | None, *names: str, size: str = "") -> Row | None:
    found = [
        (one.figures[figure], f"{one.screen}, {one.size}")
        for one in seen
        if one.screen.startswith(names) and size in one.size and one.figures[figure] is not None
    ]
    if not found:
        return None
    measured, where = max(found)
    return Row(what, measured, bar, " screens" if figure == "screens" else "", where)


def _everywhere(seen: Sequence[Seen]) -> Iterator[Row]:
    yield _count("serious or worse by axe-core", seen, lambda one: len(one.grave))
    yield _count("errors in the console", seen, lambda one: len(one.errors))
    yield _count("requests to other hosts", seen, lambda one: len(one.foreign))
    yield _count("pixels of sideways scroll", seen, lambda one: one.figures["sideways"])
    of_votes = [one for one in seen if one.screen.startswith(NO_PLOTLY)]
    yield _count("icons that are shown as words", seen, lambda one: len(one.figures["wordy"]))
    yield _count("pages that load plotly without a chart of it", of_votes, lambda one: int(one.plotly))
    yield from _faintest_edge(seen)


def _faintest_edge(seen: Sequence[Seen]) -> Iterator[Row]:
    edges = [(one.figures["faintest"], one) for one in seen if one.figures["faintest"]]
    if edges:
        (ratio, what), one = min(edges, key=lambda pair: pair[0][0])
        where = f"{ratio}: {what}, {one.screen}, {one.theme}"
        yield Row("fields, contrast of the edge below 3 by", max(round(3 - ratio, 2), 0), 0, "", where)


def _count(what: str, seen: Sequence[Seen], number: Callable[[Seen], int]) -> Row:
    at = [f"{one.screen}, {one.size}, {one.theme}" for one in seen if number(one)]
    return Row(what, sum(number(one) for one in seen), 0, "", "; ".join(at[:3]))


def told(rows: Sequence[Row]) -> str:
    """Format the table as Markdown."""
    lines = ["| | measured | bar |", "|---|---|---|"]
    for row in rows:
        missed = "" if row.is_met() else ", **not met**"
        where = f" ({row.where})" if row.where and row.measured else ""
        bar = "" if row.bar is None else f"{row.bar:g}{row.unit}"
        lines.append(f"| {row.what}{where} | {row.measured:g}{row.unit}{missed} | {bar} |")
    return "\n".join(lines)


def _filled_server(made: dict[str, Stored], public: str = "") -> AbstractContextManager[str]:
    """Start a server whose debates are added to `made` under its public address; yields its local one."""
    return server(write=lambda database: made.update({public: write(database)}), public=public)


def main() -> None:
    """Measure and print."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--json", action="store_true", help="every figure of every screen, one a line")
    asked.add_argument("--only", default="", help="screens whose name begins so")
    asked.add_argument("--pictures", type=Path, help="a folder for a picture of every screen")
    arguments = asked.parse_args()
    made: dict[str, Stored] = {}
    with sync_playwright() as playwright, _filled_server(made) as base, _filled_server(made, OUTSIDE) as outside:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        stored = made[""]
        firsts = {
            "phone": stored.links["vote"],
            "debates": "/",
            "results": f"/results?id={stored.debates['reveal']}",
        }
        weights = [weigh(browser, name, base + to) for name, to in firsts.items() if not arguments.only]
        if arguments.json:
            for weight in weights:
                print(json.dumps(asdict(weight)), flush=True)
        seen = list[Seen]()
        for screen in screens():
            is_in_room = screen.name.startswith(IN_ROOM) and bool(screen.who)
            where = (outside, made[OUTSIDE]) if is_in_room else (base, stored)
            if screen.name.startswith(arguments.only):
                seen += _try_in_all_sizes(browser, *where, screen, arguments)
        browser.close()
    if not arguments.json:
        print(told(table(seen, weights)))


def _try_in_all_sizes(
    browser: Browser, base: str, stored: Stored, screen: Screen, arguments: argparse.Namespace
) -> list[Seen]:
    """Measure one screen; a failure is printed and keeps the earlier sizes."""
    seen = list[Seen]()
    try:
        for one in _in_all_sizes(browser, base, stored, screen, arguments.pictures):
            seen.append(one)
            if arguments.json:
                print(json.dumps(asdict(one)), flush=True)
    except PlaywrightError as error:
        print(f"NOT MEASURED: {screen.name}: {error}", file=sys.stderr)
    return seen


def _in_all_sizes(browser: Browser, base: str, stored: Stored, screen: Screen, pictures: Path | None) -> Iterator[Seen]:
    for size in screen.sizes:
        with visit(browser, base, stored, screen, size) as page:
            for one in look(page, base, screen, stored, size):
                if pictures:
                    page.screenshot(path=pictures / f"{screen.name.replace(' ', '-')}-{one.size}-{one.theme}.png")
                yield one


if __name__ == "__main__":
    main()
