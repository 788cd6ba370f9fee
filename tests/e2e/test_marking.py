"""A workshop with the evidence panel and four voters: marks, the next step in sight, and the reasons of the winner."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from debate_core.host.host import Host, HostOptions
from debate_core.host.stores import open_store
from debate_core.spec.values import Source
from debate_core.ui.setup.draft import example
from debate_core.ui.setup.mapping import spec_from
from debate_core.ui.setup.people import WORKSHOPS, of_workshop
from tests.adr_reader import lint, read_adr
from tests.e2e.conftest import Server
from tests.e2e.workshop import LAPTOP, SHOTS, Links, Others, Party, next_step, party, presses, says, votes

PHONE = (390, 844)
OPTIONS = ("Redis cluster", "Signed cookies", "Postgres table")
DOCUMENT = """# ADR-0017: Where do we keep user sessions?

## Considered options

### Redis cluster

Good, because it answers in 2 ms at the peak of our load. Bad, because a second store needs a team and backups.

### Signed cookies

Good, because no server state is needed, so a deploy logs no user out. Bad, because a session of 22 kB does not fit into
a cookie of 4 kB. Bad, because revocation needs a deny list, which is a store again.

### Postgres table

The on-call team runs the database already and restores it within 15 minutes.

Good, because a session is written in the same transaction as the order.
"""
PHONES, OTHERS = ("ann", "ben"), ("cem", "dan")
IN_VIEW = """selector => {
  const box = document.querySelector(selector).getBoundingClientRect()
  return box.height > 0 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight + 1 && box.right <= innerWidth + 1
}"""


def create(database: str) -> Links:
    """The workshop of an hour as set-up suggests it, in its lobby."""
    host = Host(open_store(database), HostOptions(worker="none"))
    draft = example("Where do we keep user sessions?", OPTIONS)
    agreed = of_workshop(WORKSHOPS[1]).room.model_copy(update={"name": "Kim", "preparation": ()})
    document = Source(id="E1", title="ADR-0017", text=DOCUMENT)
    spec = spec_from(draft.model_copy(update={"room": agreed, "rounds": 2, "sources": (document,)}))
    (kim,) = spec.people()
    debate = host.create(spec, by=kim.id)
    door = host.door_for(debate, by=kim.id)
    for_all = door.invitations.make(debate, "voter", kind="open")
    own = door.invitations.make(debate, kim.role, name=kim.name, person=kim.id, seats=kim.seats)
    to_all, to_kim = (f"/join/{door.token(invite)}" for invite in (for_all, own))
    links = Links(debate, for_all.shown_code(), to_all, {"kim": to_kim}, f"/wall/{door.screen_token(debate)}")
    host.close()
    return links


NO_KEY = "no key"


@pytest.fixture(params=[pytest.param(LAPTOP, id="laptop"), pytest.param(PHONE, id="phone", marks=pytest.mark.nightly)])
def room(request: pytest.FixtureRequest, server: Server, browser: Browser) -> Iterator[Party]:
    """Kim leads at a laptop or on a phone; two phones come by the link for all."""
    with party(browser, server.url, create(server.database)) as made:
        made.comes("kim", request.param, made.links.own["kim"])
        for name in PHONES:
            made.comes(name, PHONE, made.links.all)
        yield made


def is_in_sight(page: Page, selector: str) -> None:
    """Check that the whole element is on the screen at the present scroll position."""
    page.wait_for_selector(selector, state="visible")
    page.wait_for_function(IN_VIEW, arg=selector)


def sees_the_next_step(kim: Page) -> None:
    """At the top of the page and at its end."""
    for where in ("0", "main.scrollHeight"):
        kim.locator("[data-testid=stMain]").evaluate(f"main => main.scrollTo(0, {where})")
        is_in_sight(kim, ".st-key-next-step")


def is_marked(page: Page, reads: Callable[[str], str]) -> None:
    """Every passage on this phone, two of them together, by presses that are in sight without scrolling."""
    passages = page.locator(".st-key-passages")
    together = passages.get_by_role("button", name="Mark 2 passages against B")
    expect(together).to_be_visible()
    is_in_sight(page, ".st-key-passage-choices")
    before = re.findall(r"· 0 of \d+ marked", passages.inner_text())[0]
    total = int(before.split()[3])
    together.click()
    key = NO_KEY
    for _ in range(total - 2):
        key = key_of_next_passage(page, key)
        # The buttons can be those of the next passage before its text is.
        expect(passages).not_to_contain_text(before)
        is_in_sight(page, ".st-key-passage-choices")
        text = passages.inner_text()
        before = re.findall(r"· \d+ of \d+", text)[0]
        passages.get_by_role("button", name=reads(text)).click()
    expect(passages.get_by_text("You have marked")).to_be_visible()


def key_of_next_passage(page: Page, earlier: str) -> str:
    """Wait until the buttons are those of another passage; returns the key of the last one, which is drawn last."""
    choice = page.locator(".st-key-passage-choices [class*='st-key-passage-']").last
    expect(choice).not_to_have_class(re.compile(re.escape(earlier)))
    return str(re.findall(r"st-key-passage-\S+", str(choice.get_attribute("class")))[0])


def as_written(text: str) -> str:
    """Choose the reading of the author for the option of the heading above the passage."""
    letter, option = next(("ABC"[n], option) for n, option in enumerate(OPTIONS) if f"/ {option}”" in text)
    return f"Against {letter}" if "\nBad, because" in text else f"For {letter}: {option}"


def test_workshop_with_evidence_panel_gives_reasons(room: Party, server: Server, request: pytest.FixtureRequest):
    kim = room.pages["kim"]
    ann, ben = (room.pages[name] for name in PHONES)
    others = Others(server.database, room.links.debate, *OTHERS)
    next_step(kim, "Open the pre-vote")
    for phone in (ann, ben):
        votes(phone, "Postgres table")
    others.vote("pre", cem="Redis cluster", dan="Signed cookies")
    says(kim, "4 of 4 ballots in")
    next_step(kim, "Close the vote and begin")

    # The room marks while round 2 waits; all choices and the next step are in sight.
    says(ann, "Mark the passages")
    # A mark against the label of the author is asked about.
    passages = ann.locator(".st-key-passages")
    passages.get_by_role("button", name="One by one").click()
    key = key_of_next_passage(ann, NO_KEY)
    while as_written(passages.inner_text()) != "Against B":
        passages.get_by_role("button", name="Skip").click()
        key = key_of_next_passage(ann, key)
    ann.get_by_role("button", name="For B: Signed cookies").click()
    says(ann, "The author wrote “Bad, because”. Mark it “For B: Signed cookies”?")
    is_in_sight(ann, ".st-key-passage-choices")
    ann.get_by_role("button", name="Choose again").click()
    ann.reload()
    room.shoot("1-marking")
    is_marked(ben, as_written)
    others.mark_as("Ben")
    sees_the_next_step(kim)
    next_step(kim, "Show the marks of the room")
    expect(kim.locator(".st-key-lead").get_by_role("button", name="Let round 2 begin")).to_be_visible()
    sees_the_next_step(kim)
    room.shoot("2-shown")
    next_step(kim, "Let round 2 begin")

    # The chair begins with the marks of the room, has looked at none, and gives them.
    says(kim, "you have looked at 0")
    sees_the_next_step(kim)
    kim.locator("[data-testid=stMain]").evaluate("main => main.scrollTo(0, 0)")
    presses(kim, "Look at them again")
    is_in_sight(kim, ".st-key-passage-choices")
    room.shoot("3-chair")
    presses(kim, "Give these marks")
    says(kim, "Open the final vote")
    sees_the_next_step(kim)
    next_step(kim, "Open the final vote")
    for phone in (ann, ben):
        votes(phone, "Postgres table")
    others.vote("final", cem="Postgres table")
    says(kim, "3 of 4 ballots in")

    # The warning about missing ballots goes with the last ballot.
    next_step(kim, "Close and reveal the final vote")
    says(kim, "1 of 4 has not voted.")
    others.vote("final", dan="Signed cookies")
    expect(kim.get_by_text("has not voted")).to_have_count(0)
    next_step(kim, "Close and reveal the final vote")
    sees_the_next_step(kim)
    room.shoot("4-decided")
    next_step(kim, "See the results")
    expect(kim.locator(".reasons")).to_contain_text("3 of 3 who marked it read it for Postgres table")
    room.shoot("5-results")
    kim.locator(".st-key-open-files button").click()
    with kim.expect_download() as taken:
        kim.get_by_role("button", name="Download the .md file").first.click()
    record = Path(taken.value.path()).read_text("utf-8")
    if SHOTS:
        (Path(SHOTS) / f"{request.node.callspec.id}.md").write_text(record, "utf-8")
    assert lint(record) == []
    reasons = read_adr(record).sections["Postgres table"]
    assert sum("3 of 3 who marked it read it for Postgres table" in reason for reason in reasons) == 2
    assert not re.search(r"because\W+(good|bad|neutral)\W+because", record, re.IGNORECASE)
