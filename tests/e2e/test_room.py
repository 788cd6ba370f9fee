"""The room in a real browser: live text, reloads, two viewers, a person's turn, clicks that land."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.e2e.conftest import Server
from tests.e2e.scripts import PHASES

pytestmark = pytest.mark.e2e

TURNS = "article.turn"
GIVEN = "article.turn[data-state=given]"


def resume(page: Page) -> None:
    page.locator(".st-key-resume button").click()
    expect(page.locator(".st-key-pause button")).to_be_visible()


def ids_of(page: Page) -> list[str]:
    return [str(article.get_attribute("data-turn")) for article in page.locator(TURNS).all()]


def texts_of(page: Page) -> list[str]:
    return [article.text_content() or "" for article in page.locator(TURNS).all()]


def wait_for_the_end(page: Page) -> None:
    expect(page.locator(".closing")).to_contain_text("Undecided. Agreed next step: escalate. ")


EVERY_TURN = [f"1.{phase}.{seat}" for phase in PHASES for seat in ("ana", "ben")]


def test_a_rehearsal_streams_and_says_that_it_is_one(server: Server, page: Page):
    outside: list[str] = []
    page.on("request", lambda request: outside.append(request.url) if _is_outside(request.url, server) else None)
    page.goto(server.room("stream", "facilitator"))
    expect(page.locator(".notice")).to_have_text("Rehearsal: scripted turns, not a debate that was held")
    expect(page.locator(".closing")).to_have_text("Paused: not yet")
    resume(page)
    first = page.locator(TURNS).first.locator(".prose")
    expect(first).to_contain_text("ana speaks. Sentence 1")
    length = len(first.inner_text())
    expect(first).to_contain_text("Sentence 8")
    assert len(first.inner_text()) > length
    wait_for_the_end(page)
    assert ids_of(page) == EVERY_TURN
    expect(page.get_by_role("button", name="See the results")).to_be_visible()
    assert outside == []


def _is_outside(url: str, server: Server) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != urlsplit(server.url).netloc


def test_a_page_that_changes_before_its_script_is_still_live(server: Server, page: Page):
    held: list[Route] = []
    page.route("**/drawn/debate_transcript-*", lambda asked: held.append(asked))
    page.goto(server.room("late", "facilitator"))
    resume(page)
    expect(page.get_by_text("round 1 of 1 · proposal")).to_be_visible()
    held[0].continue_()
    expect(page.locator(GIVEN).first).to_be_visible()


DRAWN_AGAIN = """async (frame, address) => {
  const host = document.createElement("div")
  host.id = "again"
  host.append(frame.cloneNode(true))
  host.querySelector(".closing").hidden = true
  document.body.append(host)
  const debate = new URLSearchParams(location.search).get("id")
  const data = { debate, seats: [], news: "", link: "", now: Date.now() }
  const script = await import(address)
  script.default({ data, parentElement: host, setTriggerValue() {}, setStateValue() {} })
}"""
"""Where a transcript was drawn and taken back, as after a lost connection, it is drawn once more. Its closing words
are hidden first: they show when the server has sent the whole debate again."""


def test_a_reload_in_mid_debate_loses_and_repeats_nothing(server: Server, page: Page):
    scripts: list[str] = []
    page.on("request", lambda request: scripts.append(request.url) if "debate_transcript" in request.url else None)
    page.goto(server.room("reload", "facilitator"))
    resume(page)
    expect(page.locator(GIVEN).nth(2)).to_be_visible()
    before = texts_of(page)[:2]
    page.reload()
    expect(page.get_by_role("button", name="I am: facilitator")).to_be_visible()
    expect(page.locator(GIVEN).nth(1)).to_be_visible()
    assert texts_of(page)[:2] == before
    wait_for_the_end(page)
    assert ids_of(page) == EVERY_TURN
    page.locator(".frame").evaluate(DRAWN_AGAIN, scripts[0])
    expect(page.locator("#again .closing")).to_be_visible()
    drawn = page.locator("#again article.turn").evaluate_all("all => all.map(turn => turn.dataset.turn)")
    assert drawn == EVERY_TURN


def test_two_browsers_show_one_debate(server: Server, page: Page, context: BrowserContext):
    page.goto(server.room("two", "facilitator"))
    other = context.new_page()
    other.goto(server.room("two"))
    expect(other.get_by_role("button", name="I am watching")).to_be_visible()
    expect(other.locator(".st-key-pause button")).to_have_count(0)
    resume(page)
    expect(other.locator(TURNS).first.locator(".prose")).to_contain_text("ana speaks")
    for viewer in (page, other):
        wait_for_the_end(viewer)
    assert texts_of(page) == texts_of(other)
    assert ids_of(other) == EVERY_TURN


def test_clicks_land_while_seats_are_speaking(server: Server, page: Page):
    page.goto(server.room("clicks", "facilitator"))
    resume(page)
    expect(page.locator(TURNS).first.locator(".prose")).to_contain_text("ana")
    for _ in range(3):
        page.locator(".st-key-pause button").click()
        expect(page.locator(".st-key-resume button")).to_be_visible(timeout=3_000)
        expect(page.locator(".closing")).to_contain_text("Paused")
        resume(page)


def test_a_persons_draft_survives_a_reload_and_becomes_a_turn(server: Server, page: Page):
    page.goto(server.room("person", "facilitator,eva"))
    resume(page)
    expect(page.get_by_text("has answered; shown when everyone has").first).to_be_visible()
    expect(page.locator(".prose")).to_have_count(0)
    page.get_by_label("Your argument").fill("Moving costs a year.")
    page.get_by_test_id("stRadio").locator("label", has_text="stay").last.click()
    page.wait_for_timeout(1_000)
    page.reload()
    expect(page.get_by_label("Your argument")).to_have_value("Moving costs a year.")
    page.get_by_role("button", name="Give this turn").click()
    eva = page.locator("article").filter(has_text="Moving costs a year.")
    expect(eva).to_be_visible()
    expect(eva.locator(".vote")).to_have_text("vote stay")
    expect(page.locator(".prose").first).to_contain_text("ana speaks")
    expect(page.get_by_label("Your argument")).to_have_value("")


def test_a_seat_that_was_given_up_and_taken_again_is_kept(server: Server, page: Page):
    page.goto(server.room("quiet", "eva"))
    page.get_by_role("button", name="I am: eva").click()
    page.get_by_test_id("stPopoverBody").get_by_role("button", name="eva").click()
    expect(page.get_by_text("I am watching")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Take the seat eva").click()
    page.get_by_test_id("stRadio").locator("label", has_text="stay").last.click()
    page.wait_for_timeout(1_000)
    expect(page.get_by_role("button", name="I am: eva")).to_be_visible()
    expect(page.get_by_label("Your argument")).to_be_visible()


def test_an_empty_turn_is_refused_in_words(server: Server, page: Page):
    page.goto(server.room("quiet", "eva"))
    page.get_by_role("button", name=re.compile("Give this")).click()
    expect(page.get_by_text("Your argument is empty: say why").first).to_be_visible()


def test_a_phone_shows_what_can_be_done_before_the_transcript(server: Server, page: Page):
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(server.room("quiet"))
    take = page.get_by_role("button", name="Take the seat eva")
    expect(take.first).to_be_visible()
    # While the page is redrawn for its narrow width, the tasks are there twice for a moment.
    expect(page.locator(".st-key-to-do")).to_have_count(0)
    expect(take).to_have_count(1)
    take.click()
    form, transcript = page.locator(".st-key-your-turn"), page.locator(".frame")
    expect(form).to_be_visible()
    expect(page.locator(TURNS)).to_have_count(3)
    # The page is redrawn once it knows its narrow width.
    for _ in range(300):
        above, below = form.bounding_box(), transcript.bounding_box()
        if above and below and above["y"] < below["y"]:
            break
        page.wait_for_timeout(100)
    assert above is not None
    assert below is not None
    assert above["y"] < below["y"]
    assert below["width"] <= 340
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


MENU = ["Debates", "New debate", "Protocols", "Track record"]


@pytest.mark.parametrize("path", ["/", "/room"])
def test_the_first_visit_of_a_cold_server_shows_the_right_menu(cold_server: Server, page: Page, path: str):
    seen: set[str] = set()
    page.goto(cold_server.url + path)
    for _ in range(40):
        seen.update(page.locator('[data-testid="stTopNavLink"]').all_inner_texts())
        page.wait_for_timeout(50)
    # Each link begins with the name of its icon.
    assert {text.split(None, 1)[1] for text in seen} == set(MENU)
