"""A ballot by thumb: options are tapped in order, taken back and moved, and what casts it is on the first screen."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from debate_core.host.host import Host
from debate_core.host.stores import open_store
from debate_core.record.acts import PollOpened
from debate_core.record.commands import Act
from debate_core.spec.people import Person
from debate_core.spec.rules import Elected
from debate_core.spec.values import Seat
from tests.e2e.conftest import serve
from tests.people import FAY, room_spec

pytestmark = pytest.mark.e2e
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


def ranking(database: str) -> tuple[str, str]:
    """The debate whose first vote is open, and Gus's way in."""
    host = Host(open_store(database), worker="none")
    seats = [Seat(id=f"s{n}", occupant="human") for n in range(3)]
    spec = room_spec((FAY, GUS), seats=seats, vote=Elected(kind="irv"), decides="room")
    debate = host.create(spec.model_copy(update={"options": OPTIONS}), by=FAY.id)
    host.submit(debate, Act(by=FAY.id, act=PollOpened(poll="pre")))
    door = host.door_for(debate, by=FAY.id)
    invite = door.invitations.make(debate, GUS.role, name=GUS.name, person=GUS.id, electorate=GUS.electorate)
    host.close()
    return debate, f"/join/{door.token(invite)}"


def places(page: Page) -> list[str]:
    """Option and place of each row that has one, best first."""
    rows = page.locator("button.choice[aria-pressed=true]").all()
    found = {str(row.get_attribute("aria-label")) for row in rows}
    return [name.split(",")[0] for name in sorted(found, key=lambda name: int(name.rsplit(" ", 1)[1]))]


def test_options_are_tapped_in_order(tmp_path: Path, browser: Browser):
    made: list[tuple[str, str]] = []

    def write(database: str) -> dict[str, str]:
        made.append(ranking(database))
        return {"ranking": made[0][0]}

    for server in serve(tmp_path, write):
        with browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True) as context:
            context.set_default_timeout(60_000)
            page = context.new_page()
            page.goto(server.url + made[0][1])
            if "/join/" in page.url:
                page.get_by_role("button", name="Come in").click()
            cast = page.get_by_role("button", name="Cast my vote")
            # Once the page knows how narrow it is, it is drawn anew.
            page.wait_for_selector(".st-key-room-columns")
            page.wait_for_selector(".st-key-room-columns .st-key-to-do", state="detached")
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
