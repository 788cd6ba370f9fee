"""Every page in a browser: names of controls, barriers, requests and the console.

What a screen reader says of each control tells it apart from every other one; axe-core finds nothing serious on the
main pages; nothing is requested from another host, and plotly only where one of its charts is. `bench/pages.py` looks
at all pages in both themes.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Any, get_args

import pytest
from playwright.sync_api import Browser, Page

from bench.page_debates import Stored, write
from bench.pages import NO_PLOTLY, PHONE, Screen, address_in, barriers, quiet, screens, visit
from debate_core.host.host import Host, HostOptions
from debate_core.host.stores import open_store
from debate_core.record.acts import PollOpened
from debate_core.record.commands import Act, Resume
from debate_core.record.events import dump_record
from debate_core.spec.people import Room
from debate_core.spec.protocol import Driver
from debate_core.spec.rules import Elected, ElectedKind, ballot_kind
from debate_core.spec.values import Seat
from tests.app.test_tournament import compare, opened
from tests.e2e.conftest import serve
from tests.joining import cookie_for
from tests.marking import quoted
from tests.people import FAY, GUS, room_spec

pytestmark = pytest.mark.e2e

ROLES = {
    *("button", "checkbox", "combobox", "link", "radio", "radiogroup", "searchbox", "slider", "spinbutton"),
    *("switch", "tab", "textbox"),
}
STREAMLITS_OWN = {("button", name) for name in ("Help", "Open", "Clear value", "Increment", "Decrement")}
"""Parts of a field: the question mark of its help, the arrow and the cross of a list, the steps of a number. Streamlit
gives them these names and no way to change them; each is drawn beside its field."""
OPTIONS = ("Redis cluster", "Signed cookies", "Postgres table")
DRIVERS = (Driver(name="cost", weight=50), Driver(name="speed", weight=50))
KINDS: tuple[ElectedKind, ...] = ("approval", "star", "irv", "cumulative", "consent", "weighted_criteria")
"""One rule for each kind of ballot on which options are marked."""
MAIN = (
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
"""Pages that axe-core looks at as they open."""
TOURNAMENT = (
    Screen("room, tournament", "/room", "tournament", FAY.id),
    Screen("phone, tournament", "/room", "tournament", GUS.id, (PHONE,)),
    Screen("results votes, tournament", "/results?tab=Votes", "ranked", FAY.id),
)
"""A tournament in its second round and one that is over, on which axe-core looks too."""
OPENED = (
    *MAIN,
    "practice, desk",
    "set-up: people, with people",
    "results evidence, reveal",
    "results files, reveal",
    "results sign dialog",
    "room, facilitator, lobby",
    "room, facilitator, vote",
    "judge desk, vote",
    "seat, round",
)
PLOTLY = "loads plotly"
UNFOLD = "() => document.querySelectorAll('details:not([open]) > summary').forEach((one) => one.click())"


def write_ballots(database: str, stored: Stored) -> list[Screen]:
    """Store a debate with an open vote for each kind of ballot, one with marks, and tournaments, seen by Gus."""
    host = Host(open_store(database), HostOptions(worker="none"))
    seats = [Seat(id=f"s{n}", occupant="human") for n in range(3)]
    made: dict[str, str] = {}
    for kind in KINDS:
        spec = room_spec((FAY, GUS), seats=seats, vote=Elected(kind=kind), decides="room")
        drivers = DRIVERS if kind == "weighted_criteria" else ()
        spec = spec.model_copy(update={"question": f"Which, by {kind}?", "options": OPTIONS, "drivers": drivers})
        made[kind] = host.create(spec, by=FAY.id)
        host.submit(made[kind], Act(by=FAY.id, act=PollOpened(poll="pre")))
    made["marks"] = host.import_record(dump_record(quoted().events).encode())
    shown = [Screen(f"ballot, {name}", "/room", name, GUS.id, (PHONE,)) for name in made]
    for name, comparisons in (("tournament", 8), ("ranked", 1_000)):
        room = Room(people=(FAY, GUS), hold="none", pre_vote="none", decides="room")
        made[name] = opened(host, room=room)
        host.submit(made[name], Resume(by=FAY.id))
        compare(host, made[name], comparisons, by=GUS.id)
    for name, debate in made.items():
        stored.debates[name] = debate
        for who in (FAY, GUS):
            stored.cookies[name, who.id] = cookie_for(host, debate, who)
    host.close()
    return [*shown, *TOURNAMENT]


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Stored, list[Screen]]]:
    """A server with a debate in each state, and the screens to look at."""
    made: list[tuple[Stored, list[Screen]]] = []

    def put(database: str) -> dict[str, str]:
        stored = write(database)
        by_name = {screen.name: screen for screen in screens()}
        shown = [by_name[name] for name in OPENED]
        made.append((stored, shown + write_ballots(database, stored)))
        return stored.debates

    for server in serve(tmp_path_factory.mktemp("names"), put):
        yield server.url, *made[0]


def controls(page: Page) -> list[tuple[str, str, str]]:
    """Role, name and group or address of each control in the accessibility tree."""
    line = page.context.new_cdp_session(page)
    nodes = line.send("Accessibility.getFullAXTree")["nodes"]
    line.detach()
    by_id = {node["nodeId"]: node for node in nodes}
    found = [(role(node), name(node), beside(node, by_id)) for node in nodes if not node["ignored"]]
    return [one for one in found if one[0] in ROLES]


def role(node: dict[str, Any]) -> str:
    return str(node["role"]["value"])


def name(node: dict[str, Any]) -> str:
    return str(node.get("name", {}).get("value", "")).strip()


def beside(node: dict[str, Any], by_id: dict[str, dict[str, Any]]) -> str:
    """The address of a link, and the name of the group of a radio button."""
    if role(node) == "link":
        return next((str(p["value"]["value"]) for p in node.get("properties", ()) if p["name"] == "url"), "")
    above = node if role(node) == "radio" else {}
    while above and role(above) != "radiogroup":
        above = by_id.get(above.get("parentId", ""), {})
    return name(above) if above else ""


def faults(found: list[tuple[str, str, str]]) -> list[str]:
    """Controls without a name, and those that share role and name; links to one address may."""
    told = [one for one in found if one[:2] not in STREAMLITS_OWN]
    of_links = {one for one in told if one[0] == "link"}
    of_others = [one for one in told if one[0] != "link"]
    times = Counter([*((kind, name) for kind, name, _ in of_links), *of_others])
    return [f"{times[one]} x {one}" for one in times if times[one] > 1 or not one[1]]


def together(shown: list[Screen]) -> Iterator[list[Screen]]:
    """Screens that one browser of one person opens: it fetches the scripts once."""

    def key(screen: Screen) -> str:
        return f"{screen.who} {screen.sizes[0]}"

    for _, group in groupby(sorted(shown, key=key), key):
        yield [*group]


def test_no_page_keeps_anybody_out(browser: Browser, held: tuple[str, Stored, list[Screen]]):
    base, stored, shown = held
    found = []
    for screens_of_one in together(shown):
        with visit(browser, base, stored, screens_of_one[0], screens_of_one[0].sizes[0]) as page:
            told = listen(page, base)
            for screen in screens_of_one:
                told.clear()
                enter(page, base, screen, stored)
                if screen.name in MAIN or screen in TOURNAMENT:
                    told += barriers(page)[0]
                seen = controls(unfolded(page, screen))
                assert seen, screen.name
                told += faults(seen)
                may_not_draw = screen.name.startswith(NO_PLOTLY)
                found += [f"{screen.name}: {what}" for what in told if what != PLOTLY or may_not_draw]
    assert found == []


def listen(page: Page, base: str) -> list[str]:
    """A list that grows by each error in the console and each request to another host or for plotly."""
    told = list[str]()

    def note(url: str) -> None:
        # A blob or data address belongs to no host.
        if not url.startswith((base, "blob:", "data:")):
            told.append(url)
        elif "plotly" in url.lower():
            told.append(PLOTLY)

    page.on("request", lambda request: note(request.url))
    page.on("console", lambda line: told.append(line.text) if line.type == "error" else None)
    return told


def enter(page: Page, base: str, screen: Screen, stored: Stored) -> None:
    """Open the screen as its person, and wait until it is quiet."""
    if screen.who:
        name, value = stored.cookies[screen.state, screen.who]
        page.context.add_cookies([{"name": name, "value": value, "url": base}])
    page.goto(base + address_in(screen, stored))
    page.locator("h1, h2, h3").first.wait_for()
    quiet(page)


def unfolded(page: Page, screen: Screen) -> Page:
    """The page with this screen, everything on it unfolded."""
    screen.prepare(page)
    page.evaluate(UNFOLD)
    quiet(page)
    return page


def test_every_kind_of_marked_ballot_is_looked_at():
    every = get_args(ElectedKind)
    assert {ballot_kind(Elected(kind=kind)) for kind in every} == {ballot_kind(Elected(kind=kind)) for kind in KINDS}
