"""In every state of a room the next action of each person is on the first screen, and the status stays in sight."""

import time
from collections.abc import Callable, Iterator, Mapping

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

from bench.pages import PHONE
from tests.e2e.conftest import serve
from tests.e2e.room_states import STATES, States, write
from tests.e2e.workshop import ANDROID, is_drawn, wait_for_layout

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

LAPTOP: ViewportSize = {"width": 1280, "height": 800}
NEXT = ".st-key-next-step"
STATUS = ".of-status"
CAST = ".st-key-ballot button:has-text('Cast my vote')"
TURN = ".st-key-your-turn :is(input, textarea)"
READ = ".st-key-preparation button"
WRITE = ".st-key-preparation textarea"
JUDGE = ".st-key-judge-desk button"
ACTIONS: Mapping[str, Mapping[str, str]] = {
    "facilitator": {"unreached": ".st-key-ask-again button"},
    "voter": {
        "brief": READ,
        "facts": WRITE,
        "pre_vote": CAST,
        "quick_poll": CAST,
        "marks": ".st-key-passages button",
        "final_vote": CAST,
    },
    "debater": {"brief": READ, "facts": WRITE, "opening": TURN, "persons_turn": TURN, "last_round": TURN},
    "judge": {"between_rounds": JUDGE, "sign_off": JUDGE},
    "synthesiser": {"synthesis": TURN},
    "approver": {
        "tied": ".st-key-decision-desk button:has-text('Reject')",
        "sign_off": ".st-key-sign-bar button:has-text('Sign')",
    },
    "observer": {"running": STATUS},
    "guest": {"lobby": ".st-key-stranger input", "running": ".st-key-stranger input"},
}
"""Kind of person -> state -> the next action; the facilitator and a voter are looked at in every state."""
CLEAR = """one => {
  const box = one.getBoundingClientRect()
  const at = [box.x + box.width / 2, box.y + box.height / 2]
  let top = document.elementFromPoint(...at)
  while (top?.shadowRoot?.elementFromPoint(...at)) top = top.shadowRoot.elementFromPoint(...at)
  return one === top || one.contains(top) || Boolean(top?.contains(one))
}"""
"""True if nothing covers the middle of this element."""

SCROLL = """() => {
  const main = document.querySelector("[data-testid=stMain]")
  main.scrollTo(0, main.scrollHeight)
  return main.scrollTop
}"""
"""Scroll to the end of the page; its distance from the top."""


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, States]]:
    """A server with a debate in each state."""
    made: list[States] = []

    def put(database: str) -> dict[str, str]:
        made.append(write(database))
        return dict(made[0].debates)

    for server in serve(tmp_path_factory.mktemp("rooms"), put):
        yield server.url, made[0]


def states_of(role: str) -> list[str]:
    return [*STATES] if role in ("facilitator", "voter") else [*ACTIONS[role]]


def action_of(role: str, state: str) -> str:
    return ACTIONS[role].get(state, NEXT if role == "facilitator" else STATUS)


def admit(context: BrowserContext, url: str, made: States, role: str) -> None:
    """Give the browser the cookies of this kind of person in all debates."""
    cookies = [cookie for (_, kind), cookie in made.cookies.items() if kind == role]
    context.add_cookies([{"name": name, "value": value, "url": url} for name, value in cookies])


def becomes_true(page: Page, check: Callable[[], bool]) -> bool:
    """Wait for at most ten seconds until the check is true."""
    give_up = time.monotonic() + 10
    while not check():
        if time.monotonic() > give_up:
            return False
        page.wait_for_timeout(200)
    return True


def faults_of(action: Locator, where: str) -> list[str]:
    """Say what keeps an action from being on the first screen; [] if it is there in full and nothing covers it."""
    try:
        expect(action).to_be_in_viewport(ratio=1, timeout=10_000)
    except AssertionError:
        return [f"{where}: not on the first screen"]
    is_clear = becomes_true(action.page, lambda: bool(action.evaluate(CLEAR)))
    return [] if is_clear else [f"{where}: covered"]


def faults_on_first_screen(page: Page, role: str, state: str) -> list[str]:
    """Say what is not on the first screen of the page as it is now; [] if nothing is missing."""
    action = action_of(role, state)
    faults = faults_of(page.locator(action).first, action)
    if action != STATUS:
        faults += faults_of(page.locator(STATUS).first, "status")
    if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
        faults.append("scrolls sideways")
    return faults


@pytest.mark.parametrize("role", ACTIONS)
def test_next_action_is_on_the_first_screen(browser: Browser, rooms: tuple[str, States], role: str):
    url, made = rooms
    faults = []
    with browser.new_context(viewport=PHONE, has_touch=True) as context:
        context.set_default_timeout(60_000)
        admit(context, url, made, role)
        page = context.new_page()
        sizes = [PHONE, LAPTOP]
        for state in states_of(role):
            page.goto(f"{url}/room?id={made.debates[state]}")
            for size in sizes:
                page.set_viewport_size(size)
                wait_for_layout(page, is_narrow=size is PHONE)
                is_drawn(page)
                faults += [f"{role}, {state}, {size}: {what}" for what in faults_on_first_screen(page, role, state)]
            # The next page is opened in the size that it has now.
            sizes.reverse()
    assert faults == []


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_status_and_count_stay_while_the_page_scrolls(browser: Browser, rooms: tuple[str, States], size: ViewportSize):
    url, made = rooms
    called = ANDROID if size is PHONE else None
    with browser.new_context(viewport=size, has_touch=size is PHONE, user_agent=called) as context:
        context.set_default_timeout(60_000)
        admit(context, url, made, "facilitator")
        page = context.new_page()
        page.goto(f"{url}/room?id={made.debates['last_round']}")
        wait_for_layout(page, is_narrow=size is PHONE)
        is_drawn(page)
        assert page.evaluate(SCROLL) > 100
        for part, words in ((STATUS, "Now: "), (".last", "Last round"), (".time-left", "left")):
            expect(page.locator(part).first).to_contain_text(words)
            assert faults_of(page.locator(part).first, part) == []
        count = page.locator(".small-count")
        # The room decides, so the count of the seats would move its vote.
        expect(count).to_have_count(0)
        page.goto(f"{url}/room?id={made.debates['quick_poll']}")
        wait_for_layout(page, is_narrow=size is PHONE)
        is_drawn(page)
        assert page.evaluate(SCROLL) > 100
        expect(count).to_have_attribute("aria-label", "0 of 2 ballots in")
        assert faults_of(count, "count") == []
