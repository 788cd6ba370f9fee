"""A room with scripted phones: what a screen must say according to the record, and how a ballot is filled by thumb.

`bench/workshop_phones.py` holds a workshop with it, `tests/e2e/test_phones.py` a short one.
"""

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from playwright.sync_api import Error as PlaywrightError

from debate_core.engine import stage
from debate_core.engine.count.ballots import ballot_words
from debate_core.engine.stage import final_decision, open_poll, receipt
from debate_core.host.host import Host, HostOptions
from debate_core.host.stores import open_store
from debate_core.language import Language, _, spoken
from debate_core.record.acts import BallotCast
from debate_core.record.state import State
from debate_core.report.facts.polls import Progress
from debate_core.report.facts.terms import named
from debate_core.report.phrases.polls import progress_words
from debate_core.seats.scripted import read_script, spec_of
from debate_core.spec.people import Person, Room, poll_name
from debate_core.spec.rules import CountedRule, Plurality, ballot_kind
from tests.e2e.conftest import Server, serve
from tests.e2e.workshop import ABE, LAPTOP, OPTIONS, SEATS, SPEECH, Links, is_drawn, next_step

PHONE = {"width": 390, "height": 844}
LANDSCAPE = {"width": 844, "height": 390}
FAY = Person(id="p-fay", name="Fay", role="facilitator")
PATIENCE_S = 40.0
"""Longest wait for a screen to say what the record says, on a busy machine."""
RECEIPT = re.compile(r"^[0-9A-F]{4}-[0-9A-F]{4}$")
VISIBLE = """() => {
  const told = []
  const read = root => {
    for (const part of root.children) if (!["STYLE", "SCRIPT"].includes(part.tagName)) told.push(part.innerText ?? "")
    for (const part of root.querySelectorAll("*")) if (part.shadowRoot) read(part.shadowRoot)
  }
  if (document.body) read(document.body)
  return told.join(" ")
}"""
"""The visible text of a page, with that of its shadow trees."""
OPEN_RECEIPTS = "document.querySelectorAll('.st-key-own-receipts details:not([open]) summary').forEach(x => x.click())"


@dataclass(frozen=True, slots=True)
class Scene:
    """The agreement of one workshop."""

    vote: CountedRule = field(default_factory=Plurality)
    pre_vote: Literal["none", "shown_at_close", "shown_at_end"] = "shown_at_end"


@dataclass
class Row:
    """A step of a phone: act, sentences on the screen, and faults."""

    phone: str
    did: str
    saw: str
    wrong: str = ""


def script() -> str:
    """Two rounds of three scripted seats without a closing phase."""
    votes = dict(zip(SEATS, OPTIONS, strict=True))
    said = {seat: {"rationale": SPEECH.format(month="May"), "vote": vote} for seat, vote in votes.items()}
    return json.dumps(
        {
            "question": "Should we move the orders database to a managed store?",
            "options": OPTIONS,
            "protocol": {
                "name": "workshop",
                "each_round": [{"name": "opening", "order": "at_once"}],
                "stop": [{"kind": "max_rounds"}],
                "decide": {"kind": "threshold_vote", "votes": 2},
            },
            "settings": {"rounds": 2},
            "seats": [{"id": seat, "stance": vote} for seat, vote in votes.items()],
            "turns": [{"seat": seat, "content": content, "repeat": True} for seat, content in said.items()],
        }
    )


def create(database: str, scene: Scene) -> Links:
    """Create the debate in its lobby; returns the ways in."""
    host = Host(open_store(database), HostOptions(worker="none"))
    text, people = script(), (FAY, ABE)
    room = Room(people=people, decides="room", vote=scene.vote, pre_vote=scene.pre_vote)
    spec = spec_of(read_script(text)).model_copy(update={"room": room})
    debate = host.create(spec, by=FAY.id, script_text=text, pace_cps=3_000)
    door = host.door_for(debate, by=FAY.id)
    for_all = door.invitations.make(debate, "voter", kind="open")
    own = {p.id: f"/join/{door.token(door.invitations.make(debate, p.role, name=p.name, person=p.id))}" for p in people}
    links = Links(debate, for_all.shown_code(), f"/join/{door.token(for_all)}", own, "")
    host.close()
    return links


# --- what a phone has to say


@dataclass
class Sentences:
    """The sentences that a screen must show, and those that would be untrue on it."""

    true: list[str]
    untrue: list[str] = field(default_factory=list)


def sentences(state: State, person: Person) -> Sentences:
    """Derive from the record: my vote, whether it counts, what is open for me, who has voted, and what comes next."""
    poll = open_poll(state)
    if poll is not None:
        return _while_open(state, person, poll.id)
    if stage.stage(state) in ("lobby", "prevote"):
        begins = [_("You are in, {name}", name=person.name), _("The debate begins soon.")]
        return Sentences([*begins, *_after_close(state, person)], [_("Cast my vote")])
    final = state.room.polls.get("final")
    if final is None:
        open_next = _("Next for you: the final vote.")
        return Sentences([open_next, *_after_close(state, person)], [_("Cast my vote")])
    if not final.revealed:
        return Sentences(_after_close(state, person), [_("Cast my vote"), _("Decided, not signed")])
    decided, signed = final_decision(state), stage.signature(state)
    status, option = (_("Decided, not signed") if decided.option else _("Undecided")), decided.option
    if signed is not None:
        status, option = _("Decided and signed"), signed.option
    return Sentences([status, option or "", *_own_vote(state, person, "final")], [_("Cast my vote")])


def _while_open(state: State, person: Person, poll: str) -> Sentences:
    if person.id in state.room.polls[poll].ballots:
        said = [_("Your vote is in"), _("Change my vote"), progress(state, poll), *_own_vote(state, person, poll)]
        return Sentences(said)
    asked = _("**Your ballot: {name}**", name=named(poll_name(poll))).strip("*")
    return Sentences([asked, _("Cast my vote"), progress(state, poll)], [_("Your vote is in")])


def _after_close(state: State, person: Person) -> list[str]:
    """The number of ballots in the poll that was closed last, until its reveal, and the vote of this person in it."""
    closed = [poll for poll in state.room.polls.values() if poll.closed is not None]
    if not closed:
        return []
    counted = [] if closed[-1].revealed else [progress(state, closed[-1].id)]
    return [*counted, *_own_vote(state, person, closed[-1].id)]


def _own_vote(state: State, person: Person, poll_id: str) -> list[str]:
    """My vote in this poll, with its receipt until the reveal; or that I have none."""
    poll = state.room.polls[poll_id]
    ballot = poll.ballots.get(person.id)
    said = words_of(state, ballot.fact) if ballot else _("none")
    if poll.revealed:
        return [f"{_('Your vote')} {said}"]
    if ballot is not None:
        whole = _("**{said}**  \nReceipt: **{receipt}**", said=said, receipt=receipt(ballot.hash))
        return [" ".join(whole.replace("**", "").split())]
    came_late = person not in eligible(state, poll_id)
    missed = _("{poll}: it was closed before you came.") if came_late else _("{poll}: you cast no vote.")
    return [missed.format(poll=named(poll_name(poll_id)))]


def eligible(state: State, poll: str) -> list[Person]:
    """People with a vote who came before the poll was closed."""
    closed = state.room.polls[poll].closed
    until = closed.seq if closed else state.version
    return [p for p in state.room.people.values() if p.electorate and state.room.joined[p.id] <= until]


def progress(state: State, poll: str) -> str:
    """The number of ballots in a poll, as a screen says it; everyone votes in the room."""
    n_cast = len(state.room.polls[poll].ballots)
    return progress_words([Progress(poll, "room", n_cast, len(eligible(state, poll)))])


def words_of(state: State, fact: BallotCast) -> str:
    """A ballot as its voter reads it."""
    return ballot_words(ballot_kind(state.spec.terms.vote), fact.given) if fact.given else fact.choice or ""


def flat(text: str) -> str:
    """Text without differences of case, spacing and colons, which styles and layouts change."""
    return re.sub(r"[\s:]+", " ", text).casefold()


# --- the phones


@dataclass
class Phone:
    """A phone of one person. `votes` is what they mean to vote in each poll; a poll without entry: no vote."""

    name: str
    context: BrowserContext
    page: Page
    language: Language = "en"
    votes: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    is_excused: bool = False

    def note(self, words: str) -> None:
        """Keep an error of the console, unless it is the browser's own about a request that had to fail."""
        if not self.is_excused:
            self.errors.append(words)

    def leave_network(self) -> None:
        self.is_excused = True
        self.context.set_offline(offline=True)

    def rejoin_network(self) -> None:
        """Come back; the requests that fail until the page has reconnected are no faults."""
        self.context.set_offline(offline=False)
        self.page.locator("[data-test-connection-state=CONNECTED]").wait_for()
        self.is_excused = False

    def label(self, english: str, **values: object) -> str:
        """A label of the screen in the language of this phone."""
        with spoken(self.language):
            return _(english, **values)


class Workshop:
    """A room with its facilitator and phones; `rows` is the table."""

    def __init__(self, browser: Browser, server: Server, database: str, links: Links, scene: Scene) -> None:
        self.browser, self.url, self.database, self.links, self.scene = browser, server.url, database, links, scene
        self.phones: dict[str, Phone] = {}
        self.rows: list[Row] = []
        self.fay = browser.new_context(viewport={"width": LAPTOP[0], "height": LAPTOP[1]}).new_page()
        self.fay.set_default_timeout(60_000)
        self._enter(self.fay, links.own[FAY.id])

    def state(self) -> State:
        """The present state of the record."""
        host = Host(open_store(self.database), HostOptions(worker="none"))
        try:
            return host.state(self.links.debate)
        finally:
            host.close()

    def person(self, state: State, name: str) -> Person | None:
        return next((p for p in state.room.people.values() if p.name == name), None)

    def takes_phone(self, name: str, locale: str = "en-GB") -> Phone:
        """A new phone with nothing on its screen."""
        context = self.browser.new_context(viewport=PHONE, has_touch=True, locale=locale)  # type: ignore[arg-type]
        context.set_default_timeout(60_000)
        phone = Phone(name, context, context.new_page(), "de" if locale.startswith("de") else "en")
        context.on("console", lambda said: phone.note(said.text) if said.type == "error" else None)
        context.on("weberror", lambda said: phone.note(str(said.error)))
        self.phones[name] = phone
        return phone

    def enters(self, name: str, did: str, *, locale: str = "en-GB", link: str = "") -> Phone:
        """A person opens a link on a new phone and gives their name."""
        phone = self.takes_phone(name, locale)
        self._enter(phone.page, link or self.links.all, name)
        self.check(phone, did)
        return phone

    def _enter(self, page: Page, link: str, name: str = "") -> None:
        page.goto(self.url + link)
        if page.get_by_role("textbox").count():
            page.get_by_role("textbox").fill(name)
        if "/join/" in page.url:
            page.get_by_role("button").first.click()
        page.wait_for_url(f"**/room?id={self.links.debate}*")

    def lead(self, words: str, *, anyway: bool = False) -> None:
        """The facilitator takes the next step, for all who have not finished too if `anyway`."""
        before = self.state().version
        next_step(self.fay, words)
        if anyway:
            self.fay.get_by_role("button", name="Close anyway").click()
        give_up = time.monotonic() + PATIENCE_S
        while self.state().version == before:
            assert time.monotonic() < give_up, f"{words}: nothing happened"
            self.fay.wait_for_timeout(100)

    def check(self, phone: Phone, did: str, page: Page | None = None) -> None:
        """Compare a phone with the record, as soon as both have come to rest; adds a row."""
        give_up = time.monotonic() + PATIENCE_S
        while True:
            wanted, wrong = self._compare(phone, page or phone.page)
            if not wrong or time.monotonic() > give_up:
                break
            phone.page.wait_for_timeout(250)
        self.add(Row(phone.name, did, "; ".join(filter(None, wanted.true)), "; ".join(wrong)))

    def _compare(self, phone: Phone, page: Page) -> tuple[Sentences, list[str]]:
        state = self.state()
        person = self.person(state, phone.name)
        if person is None:
            return Sentences([]), [f"the record has no {phone.name}"]
        with spoken(phone.language):
            wanted = sentences(state, person)
        page.evaluate(OPEN_RECEIPTS)
        read = flat(page.evaluate(VISIBLE))
        wrong = [f"does not say “{words}”" for words in wanted.true if flat(words) not in read]
        wrong += [f"says “{words}”" for words in wanted.untrue if flat(words) in read]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wrong.append("scrolls sideways")
        return wanted, wrong

    def add(self, row: Row) -> None:
        """Add a row to the table and print it."""
        self.rows.append(row)
        print(
            f"| {row.phone} | {row.did} | {row.saw} | {f'**wrong: {row.wrong}**' if row.wrong else 'right'} |",
            flush=True,
        )

    def lets(self, habit: "Habit", name: str, option: str) -> None:
        """Let a person vote by their habit; what cannot be done is a wrong row."""
        try:
            habit(self, name, option)
        except (PlaywrightError, AssertionError) as error:
            self.add(Row(name, habit.__name__.replace("_", " "), "", str(error).splitlines()[0]))

    def check_all(self, did: str) -> None:
        """Compare every phone with the record."""
        for phone in self.phones.values():
            self.check(phone, did)

    def finish(self) -> None:
        """Compare what each person meant to vote with the record, and the console of each phone."""
        state = self.state()
        for phone in self.phones.values():
            person = self.person(state, phone.name)
            for poll in state.room.polls.values():
                meant, ballot = phone.votes.get(poll.id, ""), person and poll.ballots.get(person.id)
                first = first_choice(state, ballot.fact) if ballot else ""
                wrong = "" if first == meant else f"meant {meant or 'no vote'}"
                self.add(Row(phone.name, f"{poll.id} in the record", first or "no vote", wrong))
            if phone.errors:
                self.add(Row(phone.name, "console", "", " | ".join(phone.errors)))

    def close(self) -> None:
        """Close every browser of the room."""
        for page in (self.fay, *(phone.page for phone in self.phones.values())):
            page.context.close()


def first_choice(state: State, fact: BallotCast) -> str:
    """The option that a ballot puts first."""
    best = min if ballot_kind(state.spec.terms.vote) == "ranking" else max
    return fact.choice or best(fact.given, key=lambda given: given.points).option


def choose(phone: Phone, scene: Scene, option: str, page: Page | None = None) -> None:
    """Fill the ballot on the screen with this option in front."""
    ballot = (page or phone.page).locator(".st-key-ballot")
    others = [other for other in OPTIONS if other != option]
    match ballot_kind(scene.vote):
        case "one":
            ballot.get_by_test_id("stRadio").locator("label", has_text=option).last.click()
            return
        case "approval":
            take_back(ballot)
            ballot.locator("button.choice", has_text=option).tap()
            return
        case "ranking":
            take_back(ballot)
            taps = [phone.label("{option}, no place yet", option=one) for one in (option, *others)]
        case _:
            points = {option: 5} | dict.fromkeys(others, 1)
            taps = [f"{one}: {phone.label('{points} of {most}', points=n, most=5)}" for one, n in points.items()]
    for name in taps:
        button = ballot.get_by_role("button", name=name)
        # A second tap takes points back.
        if button.get_attribute("aria-pressed") == "false":
            button.tap()


def take_back(ballot: Locator) -> None:
    """Tap every option that was tapped before."""
    tapped = ballot.locator("button.choice[aria-pressed=true]")
    for _tap in range(tapped.count()):
        tapped.first.tap()


def cast(phone: Phone, page: Page | None = None, *, twice: bool = False) -> None:
    """Press the button that casts, once or twice."""
    page = page or phone.page
    is_drawn(page)
    button = page.get_by_role("button", name=phone.label("Cast my vote"))
    button.dblclick() if twice else button.tap()
    expect(page.get_by_text(phone.label("Your vote is in")).first).to_be_visible()


Habit = Callable[[Workshop, str, str], object]
"""How a person of this name votes for this option."""


def change(phone: Phone, scene: Scene, option: str, page: Page | None = None) -> None:
    """Change a vote that is in."""
    page = page or phone.page
    code = page.get_by_text(RECEIPT).first.inner_text()
    again = page.get_by_text(phone.label("Change my vote"))
    # While a page is redrawn for a narrow window, its ballot is in both places.
    expect(again).to_have_count(1)
    again.click()
    choose(phone, scene, option, page)
    cast(phone, page)
    expect(page.get_by_text(code)).to_have_count(0)


@contextmanager
def room_with_phones(browser: Browser, folder: Path, scene: Scene) -> Iterator[Workshop]:
    """A workshop in its lobby on a new server, which keeps its store in this folder."""
    made: list[Links] = []
    database = f"sqlite:///{folder / 'debates.db'}"

    def write(database: str) -> dict[str, str]:
        made.append(create(database, scene))
        return {"workshop": made[0].debate}

    for server in serve(folder, write):
        workshop = Workshop(browser, server, database, made[0], scene)
        try:
            yield workshop
        finally:
            workshop.close()
