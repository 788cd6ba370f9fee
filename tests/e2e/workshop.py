"""A workshop of 25 minutes in separate browsers: the people, their way in, and the text that each of them reads."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Locator, Page, expect

from debate_core.host.host import Host, HostOptions
from debate_core.host.stores import open_store
from debate_core.record.acts import BallotCast, PassageMarked, RoomAct
from debate_core.record.commands import Act
from debate_core.seats.scripted import read_script, spec_of
from debate_core.spec.people import Person, Room

OPTIONS = ("migrate", "stay", "partition first")
FAY = Person(id="p-fay", name="Fay", role="facilitator", seats=("synthesiser",))
JUNE = Person(id="p-june", name="June", role="judge")
ABE = Person(id="p-abe", name="Abe", role="approver", electorate="room")
SEATS = ("cost_hawk", "operator", "data_lead")
SPEECH = "The load peaks in {month}, a move takes two quarters, and rollback is possible for three weeks. "
PHONE = (360, 740)
LAPTOP = (1280, 800)
ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36"
)
"""What the browser of a phone calls itself: the app draws a room for its width at once, not after a first try."""
SHOTS = os.environ.get("DEBATE_SHOTS", "")
"""A folder for pictures of every screen in every state; empty = none are made."""
EVERYTHING = """() => {
  const told = node => [...node.childNodes].map(n => n.nodeType === 3 ? n.data : n.nodeType !== 1 ? "" :
    ["STYLE", "SCRIPT"].includes(n.tagName) ? "" :
    [n.value || "", n.shadowRoot ? told(n.shadowRoot) : "", told(n)].join(" ")).join(" ")
  return told(document.body)
}"""


def script(rounds: int = 2, sentences: int = 3) -> str:
    """Openings that are sealed, a rebuttal, and a synthesis by a person."""
    protocol = {
        "name": "workshop",
        "each_round": [
            {"name": "opening", "order": "at_once", "sealed": True, "when": "first"},
            {"name": "rebuttal", "order": "at_once", "when": "after_first"},
        ],
        "after": [{"name": "synthesis", "gives": "synthesis", "role": "synthesiser"}],
        "stop": [{"kind": "max_rounds"}],
        "decide": {"kind": "threshold_vote", "votes": 2},
    }
    votes = dict(zip(SEATS, ("migrate", "stay", "migrate"), strict=True))
    seats: list[dict[str, str]] = [{"id": s, "stance": votes[s]} for s in SEATS]
    seats.append({"id": "synthesiser", "role": "synthesiser", "occupant": "human", "commitment": "open"})
    turns: list[dict[str, object]] = []
    for seat in SEATS:
        for number in range(1, rounds + 1):
            text = f"Here in round {number}: " + "".join(SPEECH.format(month=f"month {n}") for n in range(sentences))
            claims = [{"text": f"Outage {2 * len(turns) + n} lasted {n + 2} hours"} for n in range(2)]
            answers = [] if number == 1 else [f"{other}.1.1" for other in SEATS if votes[other] != votes[seat]]
            said = {"rationale": text, "claims": claims, "vote": votes[seat], "answers": answers}
            turns.append({"seat": seat, "round": number, "content": said})
    return json.dumps(
        {
            "question": "Should we move the orders database to a managed store?",
            "options": OPTIONS,
            "protocol": protocol,
            "settings": {"rounds": rounds},
            "seats": seats,
            "turns": turns,
        }
    )


@dataclass(frozen=True, slots=True)
class Links:
    """The ways into one debate: `code` and `all` for everybody, `own` by the id of a person, `wall` to project it."""

    debate: str
    code: str
    all: str
    own: dict[str, str]
    wall: str


def create(
    database: str, *, text: str, pace_cps: int, pre_vote: Literal["none", "shown_at_end"] = "shown_at_end"
) -> Links:
    """The debate in its lobby, with a link for each person."""
    host = Host(open_store(database), HostOptions(worker="none"))
    people = (FAY, JUNE, ABE)
    room = Room(people=people, phase_seconds=120, max_chars=750, decides="room", pre_vote=pre_vote)
    debate = host.create(
        spec_of(read_script(text)).model_copy(update={"room": room}), by=FAY.id, script_text=text, pace_cps=pace_cps
    )
    door = host.door_for(debate, by=FAY.id)
    for_all = door.invitations.make(debate, "voter", kind="open")
    made = {p.id: door.invitations.make(debate, p.role, name=p.name, person=p.id, seats=p.seats) for p in people}
    own = {person: f"/join/{door.token(invite)}" for person, invite in made.items()}
    wall = f"/wall/{door.screen_token(debate)}"
    links = Links(debate, for_all.shown_code(), f"/join/{door.token(for_all)}", own, wall)
    host.close()
    return links


class Party:
    """The pages of all people, each in a separate browser context, so that no one has another's cookie."""

    def __init__(self, browser: Browser, url: str, links: Links) -> None:
        self.browser, self.url, self.links = browser, url, links
        self.pages: dict[str, Page] = {}

    def sits(self, name: str, size: tuple[int, int]) -> Page:
        """A new device."""
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            accept_downloads=True,
            has_touch=size == PHONE,
            user_agent=ANDROID if size[0] < LAPTOP[0] else None,
        )
        context.set_default_timeout(60_000)
        self.pages[name] = context.new_page()
        return self.pages[name]

    def comes(self, name: str, size: tuple[int, int], link: str) -> Page:
        """A person opens a link, and confirms if asked."""
        page = self.sits(name, size)
        page.goto(self.url + link)
        if "/join/" in page.url and page.get_by_label("Your name").count():
            self.says_who(page, name)
        elif "/join/" in page.url:
            page.get_by_role("button", name="Come in").click()
        page.wait_for_url(f"**/room?id={self.links.debate}*")
        return page

    def types_the_code(self, name: str) -> Page:
        """A person types the code of the projector on their phone."""
        page = self.sits(name, PHONE)
        page.goto(f"{self.url}/join")
        page.get_by_label("Code on the screen").fill(self.links.code.lower())
        page.get_by_role("button", name="Join").click()
        self.says_who(page, name)
        page.wait_for_url(f"**/room?id={self.links.debate}*")
        return page

    def says_who(self, page: Page, name: str) -> None:
        """Everybody who comes by the link or the code for all is asked for a name."""
        page.get_by_label("Your name").fill(name.capitalize())
        page.get_by_role("button", name="Join").click()

    def leave(self) -> None:
        """Every browser is closed."""
        self.shoot("last")
        for page in self.pages.values():
            page.context.close()

    def shoot(self, state: str) -> None:
        """A picture of every screen, where pictures are asked for."""
        if not SHOTS:
            return
        for name, page in self.pages.items():
            page.wait_for_timeout(700)
            # Streamlit scrolls inside the page: a tall window shows all of it.
            size = page.viewport_size
            if size and name != "screen":
                tall = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
                page.set_viewport_size({"width": size["width"], "height": min(max(tall + 60, size["height"]), 2_200)})
                page.wait_for_timeout(300)
            page.screenshot(path=Path(SHOTS) / f"{state}-{name}.png")
            if size:
                page.set_viewport_size(size)

    def nobody_reads(self, *words: str, but: str = "") -> None:
        """No page has any of these words, except the device of their author."""
        for name, page in self.pages.items():
            if name != but:
                told = everything(page)
                assert not [w for w in words if w in told], f"{name} reads {words}"


class Others:
    """People without a page, which costs seconds of CPU: they join by the link for all and act in this process."""

    def __init__(self, database: str, debate: str, *names: str) -> None:
        self.database, self.debate = database, debate
        with closing(self._host()) as host:
            listed = host.door.invitations.of(debate)
            (for_all,) = (one.invite for one in listed if one.invite.kind == "open")
            self.ids = {name: host.admit(for_all, name=name.capitalize()) for name in names}

    def _host(self) -> Host:
        return Host(open_store(self.database), HostOptions(worker="none"))

    def _act(self, name: str, *acts: RoomAct) -> None:
        with closing(self._host()) as host:
            for act in acts:
                host.submit(self.debate, Act(by=self.ids[name], act=act))

    def vote(self, poll: str, **options: str) -> None:
        """Cast the ballots of these people."""
        for name, option in options.items():
            self._act(name, BallotCast(poll=poll, choice=option))

    def mark_as(self, person: str) -> None:
        """Repeat the marks of this person for each of them."""
        with closing(self._host()) as host:
            room = host.state(self.debate).room
            (by,) = (one.id for one in room.present() if one.name == person)
            marks = room.done_by(by, PassageMarked)
        for name in self.ids:
            self._act(name, *marks)


def everything(page: Page) -> str:
    """Every text of a page, in the fields, in what is folded up, and in the transcript's own tree."""
    return str(page.evaluate(EVERYTHING))


def says(page: Page, *words: str | re.Pattern[str]) -> None:
    """Wait until the page shows each of these."""
    for word in words:
        expect(page.get_by_text(word).first).to_be_visible()


def is_drawn(page: Page) -> None:
    """Wait until the page is drawn: a press before that may meet an element that is being replaced, and is lost."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()


def wait_for_layout(page: Page, *, is_narrow: bool) -> None:
    """Wait until the room is drawn for the width of the window: only in a wide one the tasks are in a column."""
    page.wait_for_selector(".st-key-room-columns .st-key-to-do", state="detached" if is_narrow else "attached")


def presses(page: Page, label: str | re.Pattern[str]) -> None:
    """Press the button of this name."""
    page.get_by_role("button", name=label).first.click()


def next_step(page: Page, words: str) -> None:
    """Press the one primary button of the facilitator, which has this label.

    In another case it is another button: "Close and reveal the vote" stands there before "Reveal the vote".
    """
    page.locator(".st-key-lead").get_by_role("button", name=re.compile(re.escape(words))).click()


def chooses(page: Page, option: str) -> Locator:
    """An option of the ballot, by thumb; the ballot."""
    ballot = page.locator(".st-key-ballot")
    ballot.get_by_test_id("stRadio").locator("label", has_text=option).last.click()
    return ballot


def votes(page: Page, option: str, reason: str = "") -> None:
    """A ballot with a reason; the page thanks for it."""
    ballot = chooses(page, option)
    if reason:
        ballot.get_by_text("Say why, and how sure you are (optional)").click()
        ballot.get_by_label("Why, in one line").fill(reason)
        ballot.get_by_label("Why, in one line").press("Tab")
    ballot.get_by_role("button", name="Cast my vote").click()
    expect(ballot.get_by_text("Your vote is in")).to_be_visible()


MOST_STOPS = 60


def tabs_to(page: Page, role: Literal["button", "checkbox", "radio", "textbox"], name: str | re.Pattern[str]) -> int:
    """Tab until this has the focus; how many stops it took."""
    wanted = page.get_by_role(role, name=name).first
    expect(wanted).to_be_visible()
    for stops in range(1, MOST_STOPS + 1):
        page.keyboard.press("Tab")
        if wanted.evaluate("here => here.matches(':focus')"):
            return stops
    raise AssertionError(f"{MOST_STOPS} stops, and {name} was none of them")


@contextmanager
def party(browser: Browser, url: str, links: Links) -> Iterator[Party]:
    """Everybody, until the end."""
    made = Party(browser, url, links)
    try:
        yield made
    finally:
        made.leave()
