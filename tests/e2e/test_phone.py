"""Ballots by thumb: nothing is cut, the button stays in reach, and the signature is easy to find."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from bench.pages import PHONE
from debate_core.host.host import Host, HostOptions
from debate_core.host.stores import open_store
from debate_core.record.acts import PollClosed, PollOpened, PollRevealed
from debate_core.record.commands import Act
from debate_core.spec.people import Person
from debate_core.spec.protocol import Driver
from debate_core.spec.rules import Elected, ElectedKind
from debate_core.spec.values import Seat
from tests.e2e.conftest import Server
from tests.e2e.workshop import ANDROID, is_drawn, wait_for_layout
from tests.people import ABE, FAY, room_spec
from tests.playing import Played

pytestmark = pytest.mark.e2e
LAPTOP: ViewportSize = {"width": 1280, "height": 800}
GUS = Person(id="p-gus", name="Gus", electorate="room")
ORDER_OF_DESK = """() => {
  const column = [...document.querySelectorAll(".st-key-room-columns [data-testid=stColumn]")].at(-1)
  const desk = document.createElement("div")
  desk.innerHTML = "<div><div class='st-key-to-do'></div></div>"
  column.append(desk)
  const order = getComputedStyle(column).order
  desk.remove()
  return order
}"""
"""Where the column with what is to be done lies, before the app knows that the window is narrow: -1 = first."""
OPTIONS = ("Outbox table", "Change data capture", "Publish with retries", "Leave it as it is")


COUNT_BALLOTS = """
globalThis.ballots = 0
const replace = Element.prototype.replaceChildren
Element.prototype.replaceChildren = function (...parts) {
  if (parts[0]?.className === "pick") globalThis.ballots += 1
  return replace.apply(this, parts)
}
"""
"""Counts how often a ballot was drawn as a whole."""


LONG = (
    "Extend the Context model in existing IFunctionFilter implementations with an exception property",
    "Change the IFunctionFilter signature by adding a next delegate, so that filters can wrap the call in try/catch",
    "Introduce a new IExceptionFilterInterfaceThatIsCalledByTheKernelWheneverAnExceptionHappens",
)
DRIVERS = tuple(Driver(name=f"driver {n}", weight=20) for n in range(1, 6))
CUT = """() => [...document.querySelectorAll("*")].flatMap((node) => [...(node.shadowRoot?.querySelectorAll(
  ".choice, .choice span, .name, .name span, legend, .step") ?? [])]).filter(
  (node) => node.scrollHeight > node.clientHeight + 1 && getComputedStyle(node).overflow === "hidden"
    && getComputedStyle(node).position !== "absolute").map((node) => node.textContent)"""
"""What of a ballot is cut off."""


def ranking(
    database: str,
    kind: ElectedKind = "irv",
    options: tuple[str, ...] = OPTIONS,
    drivers: tuple[Driver, ...] = (),
) -> str:
    """Write a debate whose first vote is open; the link of Gus."""
    host = Host(open_store(database), HostOptions(worker="none"))
    seats = [Seat(id=f"s{n}", occupant="human") for n in range(3)]
    spec = room_spec((FAY, GUS), seats=seats, vote=Elected(kind=kind), decides="room")
    debate = host.create(spec.model_copy(update={"options": options, "drivers": drivers}), by=FAY.id)
    host.submit(debate, Act(by=FAY.id, act=PollOpened(poll="pre")))
    door = host.door_for(debate, by=FAY.id)
    invite = door.invitations.make(debate, GUS.role, name=GUS.name, person=GUS.id, electorate=GUS.electorate)
    host.close()
    return f"/join/{door.token(invite)}"


def signing(database: str) -> str:
    """Write a debate decided by the room and not signed yet; the link of the approver."""
    abe = ABE.model_copy(update={"electorate": "room"})
    held = Played(room_spec((FAY, GUS, abe), decides="room"), "d-phone-signs")
    for poll in ("pre", "final"):
        held.act(FAY, PollOpened(poll=poll))
        held.ballot(GUS, poll, "adopt")
        held.ballot(abe, poll, "adopt")
        held.act(FAY, PollClosed(poll=poll))
        if poll == "pre":
            held.go_on()
            held.to_the_end()
    held.act(FAY, PollRevealed(poll="final"))
    held.act(FAY, PollRevealed(poll="pre"))
    debate = "d-phone-signs"
    store = open_store(database)
    store.append(debate, held.events, after=0)
    host = Host(store, HostOptions(worker="none"))
    door = host.door_for(debate, by=FAY.id)
    invite = door.invitations.make(debate, abe.role, name=abe.name, person=abe.id, electorate=abe.electorate)
    host.close()
    return f"/join/{door.token(invite)}"


OnPhone = Callable[..., AbstractContextManager[Page]]


@pytest.fixture
def on_phone(server: Server, browser: Browser) -> OnPhone:
    """The room of a debate that `make` writes, on the phone of the one whose link it gives."""

    @contextmanager
    def open_room(make: Callable[[str], str], user_agent: str | None = None) -> Iterator[Page]:
        link = make(server.database)
        with browser.new_context(viewport=PHONE, has_touch=True, user_agent=user_agent) as context:
            context.set_default_timeout(60_000)
            page = context.new_page()
            page.add_init_script(COUNT_BALLOTS)
            page.goto(server.url + link)
            if "/join/" in page.url:
                page.get_by_role("button", name="Come in").click()
            page.wait_for_selector(".st-key-room-columns")
            wait_for_layout(page, is_narrow=True)
            yield page

    return open_room


@pytest.mark.parametrize("kind", ["irv", "weighted_criteria", "consent"])
def test_ballot_with_long_names_is_whole_and_in_reach(on_phone: OnPhone, kind: ElectedKind):
    drivers = DRIVERS if kind == "weighted_criteria" else ()
    with on_phone(lambda database: ranking(database, kind, LONG, drivers)) as page:
        cast = page.get_by_role("button", name="Cast my vote")
        for size in (PHONE, LAPTOP):
            page.set_viewport_size(size)
            wait_for_layout(page, is_narrow=size is PHONE)
            if size is LAPTOP:
                expect(page.locator(".st-key-to-do").get_by_role("button", name="Cast my vote")).to_have_count(1)
            # While the page is redrawn, the button is in both places.
            expect(cast).to_have_count(1)
            expect(cast).to_be_in_viewport(ratio=1)
            assert page.evaluate(CUT) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if drivers:
            page.set_viewport_size(PHONE)
            wait_for_layout(page, is_narrow=True)
            expect(cast).to_have_count(1)
            step = page.get_by_role("button", name=f"driver 5, {LONG[0]}: 4 of 5")
            step.tap()
            expect(step).to_have_attribute("aria-pressed", "true")
            expect(cast).to_be_in_viewport(ratio=1)
            is_drawn(page)
            cast.tap()
            expect(page.get_by_text("14 of 15 rows have no answer: ")).to_be_visible()
            expect(cast).to_be_in_viewport(ratio=1)
            page.get_by_role("button", name="Cast it without them").tap()
            expect(page.get_by_text("driver 5 4").first).to_be_visible()


EIGHT = (*OPTIONS, *LONG, "Two-phase commit")
SIX = tuple(Driver(name=f"driver {n}", weight=weight) for n, weight in enumerate((30, 20, 15, 15, 10, 10), start=1))
MAX_INPUTS = 65
"""Taps and swipes within 90 seconds, at 1.4 seconds each."""
CLEAR = """row => {
  const box = row.getBoundingClientRect()
  let top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
  while (top?.shadowRoot) top = top.shadowRoot.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
  return top === row && box.height >= 44 && box.width >= 44
}"""
"""True if a thumb hits this button: it is large enough, and nothing covers its centre."""
SETTLED = """row => new Promise((done) => {
  let top = NaN, same = 0
  const look = () => {
    const now = row.getBoundingClientRect().top
    same = now === top ? same + 1 : 0
    top = now
    same > 5 ? done() : requestAnimationFrame(look)
  }
  look()
})"""
"""Waits until the page no longer scrolls: a browser takes a tap on a scrolling page as its stop."""
IN_SIGHT = """row => {
  const head = row.closest(".weighed").querySelector(".head").getBoundingClientRect()
  return head.top >= 0 && head.bottom <= innerHeight
}"""
"""True if the name of the option of this row is on the screen."""


def tap_by_thumb(page: Page, name: str) -> int:
    """Swipe until this button is clear, and tap it; the number of inputs."""
    button = page.get_by_role("button", name=name, exact=True)
    inputs = 1
    button.evaluate(SETTLED)
    while not button.evaluate(CLEAR):
        assert inputs < 10, f"{name} is out of reach"
        page.mouse.move(195, 400)
        page.mouse.wheel(0, 480)
        inputs += 1
        page.wait_for_timeout(100)
        button.evaluate(SETTLED)
    assert button.evaluate(IN_SIGHT), name
    box = button.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(button).to_have_attribute("aria-pressed", "true")
    return inputs


def options_drawn(page: Page) -> list[str]:
    # At once, and each once: what is drawn again is there twice for a moment.
    labels = page.locator(".weighed").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    return list(dict.fromkeys(labels))


def test_largest_ballot_takes_90_seconds_by_thumb(on_phone: OnPhone):
    """Eight options under six drivers: a reload in between, one press to send, and one answer changed afterwards."""

    def make(database: str) -> str:
        return ranking(database, "weighted_criteria", EIGHT, SIX)

    with on_phone(make) as page:
        expect(page.locator(".weighed")).to_have_count(8)
        options = options_drawn(page)
        rows = [f"{driver.name}, {option}" for option in options for driver in SIX]
        inputs = sum(tap_by_thumb(page, f"{row}: {place % 6} of 5") for place, row in enumerate(rows[:14]))
        expect(page.get_by_text("14 of 48").first).to_be_visible()
        is_drawn(page)
        page.reload()
        expect(page.get_by_text("14 of 48").first).to_be_visible()
        wait_for_layout(page, is_narrow=True)
        is_drawn(page)
        assert options_drawn(page) == options
        page.get_by_role("button", name="14 of 48 rows have an answer: go to the next one without").first.tap()
        expect(page.get_by_role("button", name=f"{rows[14]}: 0 of 5", exact=True)).to_be_focused()
        inputs += sum(tap_by_thumb(page, f"{row}: {place % 6} of 5") for place, row in enumerate(rows[14:47], start=14))
        is_drawn(page)
        page.get_by_role("button", name="Cast my vote").tap()
        missing = page.get_by_text(f"1 of 48 rows has no answer: {options[-1]}: driver 6.")
        expect(missing).to_be_visible()
        inputs += tap_by_thumb(page, f"{rows[47]}: 5 of 5")
        expect(missing).to_have_count(0)
        is_drawn(page)
        page.get_by_role("button", name="Cast my vote").tap()
        expect(page.get_by_text("48 of 48 graded")).to_be_visible()
        print(f"{inputs + 2} taps and swipes")
        assert inputs + 2 <= MAX_INPUTS
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_text("Change my vote").tap()
        again = page.get_by_role("button", name=f"{rows[0]}: 3 of 5", exact=True)
        again.tap()
        expect(again).to_have_attribute("aria-pressed", "true")
        is_drawn(page)
        page.get_by_role("button", name="Cast my vote").tap()
        expect(page.get_by_text("driver 1 3 · driver 2 1").first).to_be_visible()
        expect(page.get_by_text("48 of 48 graded")).to_be_visible()


def test_a_tap_on_a_replaced_ballot_counts(on_phone: OnPhone):
    with on_phone(lambda database: ranking(database, "weighted_criteria", EIGHT, SIX)) as page:
        replaced = page.locator("fieldset.pick").element_handle()
        page.set_viewport_size({"width": 1_000, "height": 844})
        wait_for_layout(page, is_narrow=False)
        is_drawn(page)
        expect(page.locator("fieldset.pick")).to_have_count(1)
        replaced.evaluate("ballot => ballot.querySelectorAll('.step')[0].click()")
        expect(page.locator("fieldset.pick .step").first).to_have_attribute("aria-pressed", "true")
        page.locator("fieldset.pick .step").nth(6).click()
        expect(page.get_by_text("2 of 48").first).to_be_visible()


def test_approver_signs_on_the_first_screen(on_phone: OnPhone):
    with on_phone(signing) as page:
        sign = page.get_by_role("button", name="Accept and sign", exact=True)
        expect(sign).to_be_in_viewport(ratio=1)
        sign.tap()
        expect(page.get_by_text("Decided and signed").first).to_be_visible()


def places(page: Page) -> list[str]:
    """Option and place of each row that has one, best first."""
    rows = page.locator("button.choice[aria-pressed=true]").all()
    found = {str(row.get_attribute("aria-label")) for row in rows}
    return [name.split(",")[0] for name in sorted(found, key=lambda name: int(name.rsplit(" ", 1)[1]))]


def test_options_are_tapped_in_order(on_phone: OnPhone):
    with on_phone(ranking) as page:
        cast = page.get_by_role("button", name="Cast my vote")
        expect(cast).to_have_count(1, timeout=60_000)
        expect(cast).to_be_in_viewport(ratio=1, timeout=60_000)
        assert page.evaluate(ORDER_OF_DESK) == "-1"
        for option in (OPTIONS[1], OPTIONS[0], OPTIONS[3]):
            page.get_by_role("button", name=f"{option}, no place yet").tap()
        assert places(page) == [OPTIONS[1], OPTIONS[0], OPTIONS[3]]
        page.get_by_role("button", name=f"{OPTIONS[1]}, place 1").tap()
        assert places(page) == [OPTIONS[0], OPTIONS[3]]
        page.get_by_role("button", name=f"{OPTIONS[3]}, place 2").press("ArrowUp")
        assert places(page) == [OPTIONS[3], OPTIONS[0]]
        heights = page.locator("button.choice").evaluate_all("rows => rows.map((row) => row.offsetHeight)")
        assert all(48 <= height <= 64 for height in heights), heights
        cast.tap()
        expect(page.get_by_text(f"{OPTIONS[3]} > {OPTIONS[0]}").first).to_be_visible(timeout=60_000)


def test_tap_counts_if_ballot_is_replaced_during_it(on_phone: OnPhone):
    """A turned phone has the ballot elsewhere: what was tapped before stays, and the tap under way counts."""
    with on_phone(ranking) as page:
        is_drawn(page)
        first = page.get_by_role("button", name=f"{OPTIONS[1]}, no place yet")
        expect(first).to_have_count(1)
        first.tap()
        expect(page.get_by_role("button", name=f"{OPTIONS[1]}, place 1")).to_have_count(1)
        is_drawn(page)
        box = page.get_by_role("button", name=f"{OPTIONS[0]}, no place yet").bounding_box()
        assert box is not None
        before = page.evaluate("ballots")
        thumb = page.context.new_cdp_session(page)
        points = [{"x": box["x"] + 40, "y": box["y"] + 20}]
        thumb.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
        page.set_viewport_size(LAPTOP)
        wait_for_layout(page, is_narrow=False)
        page.wait_for_function(f"ballots > {before}")
        is_drawn(page)
        thumb.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(page.get_by_role("button", name=f"{OPTIONS[0]}, place 2")).to_have_count(1)
        assert places(page) == [OPTIONS[1], OPTIONS[0]]
        is_drawn(page)
        page.reload()
        expect(page.get_by_role("button", name=f"{OPTIONS[0]}, place 2")).to_have_count(1)


LIFTED_IN_BETWEEN = """([label, x, y]) => {
  const shadows = [...document.querySelectorAll("*")].flatMap((node) => node.shadowRoot ?? [])
  const buttons = shadows.flatMap((shadow) => [...shadow.querySelectorAll("button.choice")])
  const button = buttons.find((one) => one.getAttribute("aria-label") === label)
  const at = { clientX: x, clientY: y, bubbles: true, composed: true }
  button.dispatchEvent(new PointerEvent("pointerdown", at))
  const lift = () => {
    if (button.isConnected) requestAnimationFrame(lift)
    else document.body.dispatchEvent(new PointerEvent("pointerup", at))
  }
  lift()
}"""
"""Presses a button of a ballot and lifts the thumb when that ballot has left the page."""


def test_tap_counts_if_it_ends_before_the_next_ballot_is_drawn(on_phone: OnPhone):
    with on_phone(ranking) as page:
        is_drawn(page)
        # Some of the ballots are made twice, and only one of the two reaches the page.
        for size, answer, then in ((LAPTOP, "no place yet", "place 1"), (PHONE, "place 1", "no place yet")) * 4:
            row = page.get_by_role("button", name=f"{OPTIONS[0]}, {answer}")
            expect(row).to_have_count(1)
            is_drawn(page)
            box = row.bounding_box()
            assert box is not None
            page.evaluate(LIFTED_IN_BETWEEN, [f"{OPTIONS[0]}, {answer}", box["x"] + 40, box["y"] + 20])
            page.set_viewport_size(size)
            wait_for_layout(page, is_narrow=size is PHONE)
            expect(page.get_by_role("button", name=f"{OPTIONS[0]}, {then}")).to_have_count(1)


def test_phone_draws_its_ballot_once(on_phone: OnPhone):
    """Until the width is known a page trusts the name of the browser, so that no ballot moves under a thumb."""
    with on_phone(ranking, ANDROID) as page:
        expect(page.get_by_role("button", name="Cast my vote")).to_have_count(1)
        is_drawn(page)
        page.wait_for_timeout(1_000)
        is_drawn(page)
        assert page.evaluate("ballots") == 1
