"""Reading a finished debate in a browser: find in the transcript, open a linked turn, sort claims, walk the map."""

import re
from collections.abc import Mapping

import pytest
from playwright.sync_api import Page, expect

from debate_core.engine.engine import requests
from debate_core.host.host import Host, HostOptions
from debate_core.host.stores import open_store
from debate_core.record.commands import TakeTurn
from debate_core.spec.contents import Argument, Claim, Verdict
from debate_core.spec.presets import compose, protocol
from debate_core.spec.protocol import Phase, Protocol
from debate_core.spec.rules import MaxRounds, Unanimity
from debate_core.spec.values import Seat
from tests.e2e.conftest import Server
from tests.e2e.devices import Devices

CLAIMS = {
    "ana": (Claim(text="Zebra crossings cost 90 USD."), Claim(text="No team maintains it.")),
    "ben": (Claim(text="A cheap one costs 40 USD.", answers=("ana.1.1",)),),
    "cyd": (Claim(text="Maintenance is agreed.", concedes=("ana.1.2",)),),
}
DESIGNS = ("North", "East", "South", "West")
MANY_CLAIMS = {
    "ana": tuple(Claim(text=f"Reason {n} of Ana.") for n in range(10)),
    "ben": tuple(Claim(text=f"Reason {n} of Ben.", answers=(f"ana.1.{n + 1}",)) for n in range(8)),
    "cyd": tuple(Claim(text=f"Reason {n} of Cyd.", answers=("ana.1.1",)) for n in range(8)),
}


def write(database: str) -> dict[str, str]:
    """Write debates that are over: two with claims in the first turns, and comparisons of pairs."""
    host = Host(open_store(database), HostOptions(worker="none"))
    written = {name: _write_one(host, claims) for name, claims in {"read": CLAIMS, "many": MANY_CLAIMS}.items()}
    written["moved"] = _write_moved(host)
    seats = [Seat(id=name, occupant="human") for name in CLAIMS]
    spec = compose("Which design?", [*DESIGNS], protocol("tournament"), seats, max_rounds=2)
    written["pairs"] = host.create(spec, by="ana")
    while asked := requests(state := host.state(written["pairs"])):
        said = Verdict(reasoning="It is.", option=min(state.compared[asked[0].turn()]))
        host.submit(written["pairs"], TakeTurn(by=asked[0].seat, request=asked[0].id, content=said))
    host.close()
    return written


def _write_one(host: Host, said_first: Mapping[str, tuple[Claim, ...]]) -> str:
    seats = [Seat(id=name, occupant="human") for name in said_first]
    debate = host.create(compose("Do we buy it?", ["buy", "wait"], protocol("bounded_vote"), seats), by="ana")
    while host.state(debate).outcome is None:
        asked = requests(host.state(debate))[0]
        claims = said_first[asked.seat] if asked.phase == "proposal" and asked.round == 1 else ()
        vote = "buy" if asked.seat == "ana" else "wait"
        said = Argument(rationale=f"Here {asked.seat} speaks. Here again.", vote=vote, claims=claims)
        host.submit(debate, TakeTurn(by=asked.seat, request=asked.id, content=said))
    return debate


def _write_moved(host: Host) -> str:
    """A debate of two rounds in which Cyd changes their mind."""
    seats = [Seat(id=name, occupant="human") for name in CLAIMS]
    rounds = (Phase(name="opening", order="at_once"),)
    play = Protocol(name="own", each_round=rounds, stop=(MaxRounds(),), decide=Unanimity())
    debate = host.create(compose("Do we buy it?", ["buy", "wait"], play, seats, max_rounds=2), by="ana")
    while asked := requests(host.state(debate)):
        has_moved = asked[0].seat == "cyd" and asked[0].round == 2
        said = Argument(rationale="So.", vote="wait" if has_moved else "buy")
        host.submit(debate, TakeTurn(by=asked[0].seat, request=asked[0].id, content=said))
    return debate


@pytest.fixture(scope="module")
def library(server: Server) -> Server:
    return server.holding(write)


def opens(page: Page, library: Server, address: str, debate: str = "read") -> None:
    page.goto(f"{library.url}/results?id={library.ids[debate]}&{address}")


def test_transcript_finds_words_and_opens_a_linked_turn(page: Page, library: Server):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opens(page, library, "tab=Transcript")
    turns = page.locator(".transcript .turn:visible")
    expect(turns.first).to_be_visible()
    total = turns.count()
    page.get_by_label("Find in the transcript").fill("ben speaks")
    found = page.locator(".transcript mark")
    expect(found.first).to_have_text("ben speaks")
    hits = found.count()
    expect(page.locator(".transcript .count")).to_have_text(f"Hits: {hits}, in {hits} of {total} turns")
    expect(turns).to_have_count(hits)
    page.keyboard.press("Enter")
    expect(page.locator("mark.now")).to_have_count(1)
    page.get_by_role("link", name="Copy the link to this turn of Ben").first.click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    address = page.evaluate("navigator.clipboard.readText()")
    page.goto(address)
    expect(page.locator(".turn.target details[open]")).to_contain_text("Here ben speaks.")
    expect(page.locator(".turn.target summary")).to_be_focused()


def test_transcript_marks_changed_votes_and_no_others(page: Page, library: Server):
    opens(page, library, "tab=Transcript", "moved")
    turns = page.locator(".transcript .turn:visible")
    expect(turns.first).to_contain_text("votes buy")
    changed = page.locator(".vote.changed")
    expect(changed).to_have_count(1)
    expect(changed).to_contain_text("changes to wait")
    # A vote that stays is only its sign, which says so.
    same = page.locator(".vote.same").first
    expect(same).to_have_attribute("title", re.compile("^still votes"))
    assert (same.bounding_box() or {"width": 99})["width"] < 30
    page.get_by_role("button", name="Changed votes of seats: 1").click()
    expect(turns).to_have_count(1)
    expect(turns).to_contain_text("Cyd")


def test_claims_begin_on_the_first_screen_of_a_phone(devices: Devices, library: Server):
    """The filters are one line, and what is the same in all claims is no column of the table."""
    with devices.lend(390, 844) as page:
        opens(page, library, "tab=Evidence")
        second = page.locator(".claims [role=option]").nth(1)
        expect(second).to_be_in_viewport(ratio=1)
        unanswered = page.get_by_role("button", name="Unanswered")
        expect(unanswered).to_be_hidden()
        page.get_by_text("Filters", exact=True).click()
        unanswered.click()
        expect(page.locator(".evidence .count")).to_have_text("2 of 4 claims")
        page.get_by_role("button", name="Table").click()
        expect(page.locator(".same")).to_contain_text("Quote check: no quote")
        expect(page.get_by_role("columnheader", name="Status")).to_have_count(1)
        expect(page.get_by_role("columnheader", name="Quote check")).to_have_count(0)


def test_transcript_of_pairs_is_filtered_by_option(page: Page, library: Server):
    opens(page, library, "tab=Transcript", "pairs")
    turns = page.locator(".transcript .turn:visible")
    expect(turns.first).to_be_visible()
    total = turns.count()
    of_west = turns.filter(has_text="West").count()
    assert 0 < of_west < total
    page.get_by_label("Option").select_option("West")
    expect(page.locator(".transcript .count")).to_have_text(f"{of_west} of {total} turns")
    expect(turns.filter(has_text="West")).to_have_count(of_west)


def test_hints_about_texts_unfold_from_one_chip(page: Page, library: Server):
    opens(page, library, "")
    hint = page.locator(".cautions ul + ul button").first
    fold = page.locator(".cautions ul").first.get_by_role("button").last
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(hint).to_be_hidden()
    fold.press("Enter")
    expect(fold).to_have_attribute("aria-expanded", "true")
    hint.press("Enter")
    expect(page.locator(".cautions .reason")).to_have_text(hint.get_attribute("title") or "no reason")


def test_claims_are_sorted_mapped_and_read_with_keys(page: Page, library: Server):
    opens(page, library, "tab=Evidence")
    numbers = page.locator(".sheet tbody td:first-child")
    # What divides the seats comes first.
    expect(page.locator("th[aria-sort=ascending]")).to_contain_text("Status")
    expect(numbers).to_have_text(["1", "3", "4", "2"])
    page.get_by_role("button", name="No.").click()
    expect(page.locator("th[aria-sort=ascending]")).to_contain_text("No.")
    expect(numbers).to_have_text(["1", "2", "3", "4"])
    page.get_by_role("button", name="Status").click()
    expect(numbers).to_have_text(["1", "3", "4", "2"])
    count = page.locator(".evidence .count")
    page.get_by_label("Search claims").fill("USD")
    expect(numbers).to_have_text(["1", "3"])
    expect(count).to_have_text("2 of 4 claims")
    page.get_by_label("Search claims").fill("")
    expect(count).to_have_text("4 claims")
    page.get_by_role("button", name="Map").click()
    first = page.locator("button.node").first
    expect(first).to_be_visible()
    first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".pane h3")).to_have_text("Maintenance is agreed.")
    page.keyboard.press("Escape")
    expect(page.locator(".pane")).to_be_hidden()
    # An answer is below its claim, one step further in.
    expect(page.locator(".map li li .node")).to_contain_text("A cheap one costs 40 USD.")


def test_a_cut_table_counts_all_claims(page: Page, library: Server):
    opens(page, library, "tab=Evidence", "many")
    count = page.locator(".evidence .count")
    expect(count).to_have_text("26 claims")
    expect(page.locator(".sheet tr[data-claim]")).to_have_count(20)
    expect(page.get_by_role("button", name="Contested 8")).to_be_visible()
    groups = page.locator("tr.group")
    expect(groups.first).to_have_text("≠ Contested 8 · another seat answered and has not agreed")
    expect(groups.nth(1)).to_contain_text("Unanswered 18")
    row = page.locator("tr", has_text="Reason 0 of Ana.")
    expect(row).to_contain_text("by Ben and Cyd")
    # In another order the status of a claim is in its row.
    page.get_by_role("button", name="No.").click()
    expect(groups).to_have_count(0)
    expect(row.get_by_text("Contested")).to_have_attribute("title", "Contested by Ben and Cyd")
    page.get_by_role("button", name="Status").click()
    page.get_by_role("button", name="Show all 26").click()
    expect(page.locator(".sheet tr[data-claim]")).to_have_count(26)


def test_map_of_many_claims_begins_as_an_overview(page: Page, library: Server):
    opens(page, library, "tab=Evidence", "many")
    page.get_by_role("button", name="Map").click()
    groups = page.locator(".map .group > .fold")
    expect(groups).to_have_count(3)
    claims = page.locator(".map .node")
    expect(claims).to_have_count(0)
    # Ben and Cyd said wait, Ana said buy: 8 of her 10 claims are answered.
    expect(page.get_by_role("region", name="buy").locator(".fold")).to_contain_text("2 of 10 unanswered")
    expect(page.get_by_role("region", name="wait").locator("h3")).to_contain_text("16 of 16 unanswered")
    groups.first.focus()
    page.keyboard.press("ArrowRight")
    expect(groups.first).to_have_attribute("aria-expanded", "true")
    expect(claims).to_have_count(10)
    # The unanswered ones come first; the answers below a claim are folded.
    expect(claims.first).to_contain_text("Reason 8 of Ana.")
    answers = page.locator(".answers > .fold").first
    expect(answers).to_contain_text("9 answers, 9 unanswered")
    answers.click()
    expect(claims).to_have_count(19)
    page.locator(".pane").wait_for(state="hidden")
    groups.first.focus()
    page.keyboard.press("ArrowLeft")
    expect(claims).to_have_count(0)
    page.get_by_role("button", name="Unfold all").click()
    expect(claims).to_have_count(26 + 9)
    page.get_by_label("Search claims").fill("of Ben")
    expect(groups).to_have_count(0)
    expect(claims).to_have_count(8)


def test_claims_on_a_phone_begin_as_a_list(page: Page, library: Server):
    page.set_viewport_size({"width": 390, "height": 844})
    opens(page, library, "tab=Evidence")
    expect(page.get_by_role("listbox", name="Claims")).to_be_visible()
    groups = page.get_by_role("listbox", name="Claims").get_by_role("group")
    expect(groups.first).to_have_accessible_name(re.compile("^≠ Contested"))
    page.get_by_role("option", name="No team maintains it.").click()
    expect(page.locator(".pane h3")).to_have_text("No team maintains it.")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
