"""In every state of a room the next action of each person is on the first screen, and the status stays in sight."""

import time
from collections.abc import Callable, Iterator, Mapping

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, ViewportSize, expect

from bench.pages import PHONE
from tests.e2e.conftest import serve
from tests.e2e.devices import Devices
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
        "tied": ".st-key-decision-desk label:has-text('Reject')",
        "sign_off": ".st-key-sign-bar button:has-text('Sign')",
    },
    "observer": {"running": STATUS},
    "guest": {"lobby": ".st-key-stranger input", "running": ".st-key-stranger input"},
}
"""Kind of person -> state -> the next action; the facilitator and a voter are looked at in every state."""
COUNT = ".small-count"
AT_THE_END: Mapping[str, Mapping[str, str]] = {
    "last_round": {STATUS: "Now: ", ".last": "Last round", ".time-left": "left"},
    "quick_poll": {COUNT: ""},
}
"""What stays in sight while the page of the facilitator scrolls, and its words."""
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


def faults_at_the_end(page: Page, state: str) -> list[str]:
    """Say what of the status and the count is out of sight at the end of a long page; [] in all other states."""
    if state not in AT_THE_END:
        return []
    faults = [] if page.evaluate(SCROLL) > 100 else ["does not scroll"]
    for part, words in AT_THE_END[state].items():
        shown = page.locator(part).first
        expect(shown).to_contain_text(words)
        faults += faults_of(shown, f"{part} at the end")
    if state == "quick_poll":
        expect(page.locator(COUNT)).to_have_attribute("aria-label", "0 of 2 ballots in")
    else:
        # The room decides, so the count of the seats would move its vote.
        expect(page.locator(COUNT)).to_have_count(0)
    return faults


@pytest.mark.parametrize("role", ACTIONS)
def test_next_action_is_on_the_first_screen(devices: Devices, rooms: tuple[str, States], role: str):
    url, made = rooms
    faults = []
    with devices.lend(**PHONE, has_touch=True, user_agent=ANDROID) as page:
        admit(page.context, url, made, role)
        for state in states_of(role):
            # A page that is left is not drawn once more for another width.
            page.goto("about:blank")
            page.set_viewport_size(PHONE)
            page.goto(f"{url}/room?id={made.debates[state]}")
            for size in (PHONE, LAPTOP):
                page.set_viewport_size(size)
                wait_for_layout(page, is_narrow=size is PHONE)
                is_drawn(page)
                found = faults_on_first_screen(page, role, state)
                if role == "facilitator":
                    found += faults_at_the_end(page, state)
                faults += [f"{role}, {state}, {size}: {what}" for what in found]
    assert faults == []
