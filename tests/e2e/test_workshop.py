"""A workshop from the lobby to the signed decision, on a laptop, a projector, a judge's screen and two phones.

And one from the lobby to the reveal without a mouse and without a thumb.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import workshop
from tests.e2e.conftest import Server
from tests.e2e.workshop import (
    ABE,
    FAY,
    JUNE,
    LAPTOP,
    PHONE,
    SEATS,
    Others,
    Party,
    everything,
    is_drawn,
    next_step,
    party,
    presses,
    says,
    tabs_to,
    votes,
)

pytestmark = pytest.mark.e2e

REASON = "xylophone"
EXPLAINED = "marimba"


@pytest.fixture
def room(server: Server, browser: Browser) -> Iterator[Party]:
    """Everybody in the lobby, each by their own way in."""
    links = workshop.create(server.database, text=workshop.script(), pace_cps=600)
    with party(browser, server.url, links) as made:
        come_in(made)
        yield made


def come_in(room: Party) -> None:
    """A laptop, a projector, a judge, a guest with a phone, and the approver with another one."""
    room.comes("fay", LAPTOP, room.links.own[FAY.id])
    screen = room.sits("screen", LAPTOP)
    screen.goto(room.url + room.links.wall)
    room.comes("june", LAPTOP, room.links.own[JUNE.id])
    room.types_the_code("ann")
    room.comes("abe", PHONE, room.links.own[ABE.id])


def is_short_on_a_phone(page: Page, results: str) -> None:
    """The files begin near the top, and with the decision record folded they are no long page."""
    page.goto(f"{results.partition('&')[0]}&tab=Files")
    says(page, "Reasons and the whole record")
    # The decision and the links are loaded late; without them, the tabs are at another height for a moment.
    expect(page.locator(".st-key-strip").get_by_text("2 of 3 voters chose it.")).to_be_visible()
    expect(page.locator(".st-key-debate-places").get_by_role("link")).to_have_count(3)
    box = page.get_by_role("tabpanel").bounding_box()
    assert box is not None
    assert box["y"] < 290
    height = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight")
    assert height <= 2.5 * PHONE[1]


def names_in(page: Page) -> list[str]:
    """Seats that a page names."""
    told = everything(page).casefold().replace("_", " ")
    return [seat for seat in SEATS if seat.replace("_", " ") in told]


def judges(page: Page, percent: int, why: str = "") -> None:
    """A judge moves the first slider by its number box and hands in."""
    box = page.get_by_role("spinbutton").first
    box.fill(str(percent))
    box.press("Enter")
    expect(page.get_by_text(f"{percent} %").first).to_be_visible()
    if why:
        # The field of the probabilities before is there for a moment beside that of the final ones.
        expect(page.get_by_label(re.compile("^Why"))).to_have_count(1)
        page.get_by_label(re.compile("^Why")).fill(why)
        page.get_by_label(re.compile("^Why")).press("Tab")
    page.locator(".st-key-give-beliefs button").click()


def test_a_workshop_from_the_lobby_to_the_signature(room: Party, server: Server):
    fay, screen, june = room.pages["fay"], room.pages["screen"], room.pages["june"]
    ann, abe = room.pages["ann"], room.pages["abe"]
    others = Others(server.database, room.links.debate, "ben")

    # Lobby: everybody knows what they are here for. Phones cannot open this address, so the projector has no code.
    says(screen, "Phones cannot join yet", "5 people are here")
    says(fay, "How people join")
    says(june, "The debate begins soon", re.compile("You are June"))
    for phone in (ann, abe):
        says(phone, "The debate begins soon")
        assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    room.shoot("1-lobby")

    # The pre-vote is sealed: how many are in, and nothing else, for the facilitator too.
    next_step(fay, "Open the pre-vote")
    # A phone begins with the ballot: no menu, and what casts it is on the first screen.
    cast = ann.get_by_role("button", name="Cast my vote")
    expect(cast).to_be_in_viewport(ratio=1)
    assert ann.locator("[data-testid=stMain]").evaluate("main => main.scrollTop") == 0
    expect(ann.get_by_role("link", name="New debate")).to_have_count(0)
    expect(fay.get_by_role("link", name="New debate")).to_be_visible()
    votes(ann, "migrate", REASON)
    votes(abe, "stay", REASON)
    says(screen, "2 of 3")
    room.shoot("2-prevote")
    others.vote("pre", ben="stay")
    says(screen, "3 of 3")
    for page in (fay, screen, june):
        assert REASON not in everything(page)
    next_step(fay, "Close it, begin later")

    # Round 1: speakers have other names for phones, projector and judge; the facilitator sees the real ones.
    next_step(fay, "Begin the debate")
    says(fay, "Let round 2 begin")
    assert names_in(fay) == [*SEATS]
    for page in (june, ann, abe):
        expect(page.locator(".log")).to_contain_text("Here in round 1")
        assert page is abe or not names_in(page)
    # On the wall stands one claim, in the name that the room reads.
    says(screen, "Speaker ", re.compile(r"Outage \d+ lasted"))
    assert not names_in(screen)
    room.shoot("3-round1")

    # The judge's numbers and a pulse of the room are sealed until they are revealed.
    judges(june, 61)
    says(june, "Yours for this round are in")
    presses(fay, "Quick poll after round 1")
    for phone in (ann, abe):
        votes(phone, "migrate", REASON)
    others.vote("pulse-1", ben="migrate")
    says(screen, "3 of 3")
    room.shoot("4-pulse")
    for page in (fay, screen, ann, abe):
        assert "61 %" not in everything(page)
    next_step(fay, "Close it, reveal later")
    next_step(fay, "Reveal the quick poll after round 1")
    says(ann, "Room, quick poll after round 1")
    presses(fay, "Reveal the judges")
    says(ann, re.compile("How likely each option is right"))

    # Round 2, and what the facilitator writes as synthesiser; its final judgement comes before the judge reads it.
    next_step(fay, "Let round 2 begin")
    says(fay, "What the debate showed")
    room.shoot("5-synthesis")
    presses(fay, "Automatic draft")
    # The field that this one replaces is still there for a moment, hidden.
    expect(fay.locator("textarea[aria-label=migrate]:visible")).not_to_have_value("")
    fay.get_by_text("No one argued for partition first").click()
    expect(fay.locator("textarea[aria-label='partition first']")).to_have_count(0)
    fay.get_by_label("What the debate showed").fill("The room knows the load and disagrees on the price of a move.")
    fay.get_by_label("What the debate showed").press("Tab")
    presses(fay, "Give this synthesis")
    says(fay, "Open the final vote")
    says(june, "Give my final probabilities")
    judges(june, 77, EXPLAINED)
    says(june, "You are done judging")

    # The final vote decides; it is sealed as the first one was.
    next_step(fay, "Open the final vote")
    votes(ann, "stay", REASON)
    others.vote("final", ben="stay")
    votes(abe, "migrate", REASON)
    says(screen, "3 of 3")
    room.shoot("6-final-vote")
    for page in (fay, screen, june):
        assert not [w for w in (REASON, EXPLAINED) if w in everything(page)] or page is june
    next_step(fay, "Close it, reveal later")
    next_step(fay, "Reveal the final vote")
    next_step(fay, "Reveal the pre-vote")
    presses(fay, "Reveal the judges")
    says(screen, "Decided, not signed", "2 of 3 voters chose it. The most votes win.")
    says(ann, "Decided, not signed", "2 of 3 voters chose it. The most votes win.")
    room.shoot("7-revealed")

    # The approver signs on the phone, and the record of the decision can be taken home.
    desk = abe.locator(".st-key-decision-desk")
    desk.get_by_label("Owner: who carries it out").fill("Ola")
    presses(abe, re.compile("and sign$"))
    says(screen, "Approver")
    room.shoot("8-signed")
    next_step(fay, "See the results")
    expect(fay.get_by_role("heading", name="stay")).to_be_visible()
    room.shoot("9-results")
    take = fay.get_by_role("button", name="Download the .md file").first
    # The room, which is still there for a moment, has a button of almost this name.
    fay.locator(".st-key-open-files button").click()
    with fay.expect_download() as taken:
        take.click()
    record = Path(taken.value.path()).read_text("utf-8")
    is_short_on_a_phone(abe, fay.url)
    assert "## Decision Outcome" in record
    assert 'Chosen option: "stay"' in record
    assert REASON not in record


MOST_STOPS_TO_LEAD, MOST_STOPS_TO_VOTE = 12, 3
BALLOT_FIRST = """() => {
  const ballot = document.querySelector(".st-key-ballot"), log = document.querySelector("[class*=st-key-transcript-]")
  return ballot && log && ballot.compareDocumentPosition(log) & Node.DOCUMENT_POSITION_FOLLOWING
}"""


@pytest.fixture
def keyboards(server: Server, browser: Browser) -> Iterator[Party]:
    """The facilitator and two guests in the lobby; the approver has not come."""
    links = workshop.create(server.database, text=workshop.script(sentences=1), pace_cps=3_000)
    with party(browser, server.url, links) as made:
        made.comes("fay", LAPTOP, made.links.own[FAY.id])
        for guest in ("ann", "ben"):
            made.comes(guest, PHONE, made.links.all)
        yield made


def leads(page: Page, words: str) -> None:
    """The one primary button says this, and its key is pressed."""
    expect(page.locator(".st-key-lead").get_by_role("button", name=words)).to_be_visible()
    # While the page is drawn anew, its old button no longer listens, and the new one not yet.
    is_drawn(page)
    page.keyboard.press("n")


def votes_by_keys(page: Page) -> None:
    """The ballot is three stops away when the page is opened: arrows choose an option, Enter casts."""
    expect(page.get_by_role("button", name="Cast my vote")).to_be_visible()
    page.reload()
    # On a phone the ballot is above the transcript.
    page.wait_for_function(BALLOT_FIRST)
    stay = page.get_by_role("radio", name="stay")
    expect(stay).to_have_count(1)
    assert tabs_to(page, "radio", re.compile(".")) <= MOST_STOPS_TO_VOTE
    for _ in range(len(workshop.OPTIONS) + 1):
        page.keyboard.press("ArrowDown")
        # The old elements may be there too until the page is complete again.
        expect(stay).to_have_count(1)
        if stay.is_checked():
            break
    tabs_to(page, "button", "Cast my vote")
    page.keyboard.press("Enter")
    says(page, "Your vote is in")


def test_a_workshop_by_keyboard_alone(keyboards: Party):
    fay, *guests = (keyboards.pages[name] for name in ("fay", "ann", "ben"))
    says(fay, "3 of 5 people here")
    assert tabs_to(fay, "button", "Open the pre-vote") <= MOST_STOPS_TO_LEAD
    fay.keyboard.press("Enter")
    for guest in guests:
        votes_by_keys(guest)
    # An invited person has not come: the key opens the question, and Tab reaches the answer.
    leads(fay, "Close the vote and begin")
    tabs_to(fay, "button", "Close anyway")
    fay.keyboard.press("Enter")
    leads(fay, "Let round 2 begin")

    tabs_to(fay, "button", "Automatic draft")
    fay.keyboard.press("Enter")
    expect(fay.locator("textarea[aria-label=migrate]:visible")).not_to_have_value("")
    tabs_to(fay, "checkbox", "No one argued for partition first")
    fay.keyboard.press("Space")
    expect(fay.locator("textarea[aria-label='partition first']")).to_have_count(0)
    tabs_to(fay, "textbox", "What the debate showed")
    fay.keyboard.press("Control+A")
    # What is typed here presses no button.
    fay.keyboard.type("The room knows the load, and not the price of a move.")
    tabs_to(fay, "button", "Give this synthesis")
    fay.keyboard.press("Enter")

    leads(fay, "Open the final vote")
    for guest in guests:
        votes_by_keys(guest)
    leads(fay, "Close and reveal the final vote")
    tabs_to(fay, "button", "Close anyway")
    fay.keyboard.press("Enter")
    for page in (fay, *guests):
        says(page, "Decided, not signed")
