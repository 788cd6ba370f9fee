"""The judge's desk in a browser: text and form in one view, keys, and the reading place, on a laptop and a phone."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from bench.page_debates import FACILITATOR, JUDGES, SPEECH, speak, workshop_spec
from bench.pages import barriers
from debate_core.host.host import Host, HostOptions
from debate_core.host.stores import open_store
from debate_core.record.commands import Resume
from tests.e2e.conftest import Server
from tests.e2e.test_every_page import controls, faults
from tests.e2e.workshop import LAPTOP, is_drawn, presses, wait_for_layout
from tests.joining import cookie_for

PHONE = (390, 844)


@dataclass(frozen=True, slots=True)
class Desk:
    """The address of a debate whose first round waits for judges, and the cookie of June."""

    url: str
    cookie: tuple[str, str]


@pytest.fixture(scope="module")
def desk(server: Server) -> Desk:
    host = Host(open_store(server.database), HostOptions(worker="none"))
    debate = host.create(workshop_spec(), by=FACILITATOR.id)
    host.submit(debate, Resume(by=FACILITATOR.id))
    speak(host, debate)
    cookie = cookie_for(host, debate, JUDGES[0])
    host.close()
    return Desk(f"{server.url}/room?id={debate}", cookie)


@pytest.fixture(params=[pytest.param(LAPTOP, id="laptop"), pytest.param(PHONE, id="phone")])
def june(request: pytest.FixtureRequest, browser: Browser, desk: Desk) -> Iterator[Page]:
    """June in a new browser of one size; the server keeps her place and her draft from test to test."""
    width, height = request.param
    with browser.new_context(viewport={"width": width, "height": height}, has_touch=width < 640) as context:
        name, value = desk.cookie
        context.add_cookies([{"name": name, "value": value, "url": desk.url}])
        page = context.new_page()
        page.goto(desk.url)
        expect(page.get_by_role("group", name="After round 1")).to_be_visible()
        is_drawn(page)
        yield page


def top(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["y"]


def bottom(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def test_text_and_form_are_in_one_view_and_the_place_is_kept(june: Page):
    size = june.viewport_size
    assert size is not None
    text, form = june.locator(".st-key-judge-page"), june.locator(".probs")
    assert top(text) < size["height"] / 2 + 20
    if size["width"] > 640:
        assert abs(top(form) - top(text)) < 40
        assert bottom(june.get_by_role("button", name="Give these probabilities")) <= size["height"]
    else:
        assert 0 <= top(form) - bottom(text) < 60
    assert june.evaluate("document.documentElement.scrollWidth") <= size["width"]
    # The next turn begins in view, also from the end of the form.
    place = june.get_by_role("combobox", name="Turn of the round")
    begin = int(place.input_value().split("/")[0])
    june.get_by_label("Why? (may stay empty)").scroll_into_view_if_needed()
    june.keyboard.press("n")
    expect(place).to_have_value(re.compile(f"^{begin + 1}/8 "))
    expect(june.locator(".st-key-judge-page").get_by_text(SPEECH[:30])).to_be_in_viewport()
    june.reload()
    expect(place).to_have_value(re.compile(f"^{begin + 1}/8 "))


def test_a_percentage_on_replaced_sliders_counts(browser: Browser, server: Server):
    host = Host(open_store(server.database), HostOptions(worker="none"))
    debate = host.create(workshop_spec(), by=FACILITATOR.id)
    host.submit(debate, Resume(by=FACILITATOR.id))
    name, value = cookie_for(host, debate, JUDGES[0])
    host.close()
    width, height = LAPTOP
    with browser.new_context(viewport={"width": width, "height": height}) as context:
        context.add_cookies([{"name": name, "value": value, "url": server.url}])
        june = context.new_page()
        june.goto(f"{server.url}/room?id={debate}")
        expect(june.get_by_role("group", name="Round 1 so far")).to_be_visible()
        is_drawn(june)
        move_sliders_of_both_layouts(june)


def move_sliders_of_both_layouts(june: Page) -> None:
    """Move one slider of the old layout and another of the new one: both count."""
    replaced = june.locator("fieldset.probs").element_handle()
    width, height = PHONE
    june.set_viewport_size({"width": width, "height": height})
    wait_for_layout(june, is_narrow=True)
    is_drawn(june)
    expect(june.locator("fieldset.probs")).to_have_count(1)
    june.get_by_text("Set your probabilities so far").click()
    # Both before the server has answered.
    is_replaced = replaced.evaluate("""sliders => {
        const move = (form, place, percent) => {
            const slider = form.querySelectorAll("[type=range]")[place]
            slider.value = percent
            for (const kind of ["input", "change"]) slider.dispatchEvent(new Event(kind))
        }
        const roots = [...document.querySelectorAll("*")].map((one) => one.shadowRoot ?? one)
        const drawn = roots.map((one) => one.querySelector("fieldset.probs")).find(Boolean)
        move(sliders, 0, 60)
        move(drawn, 1, 30)
        return sliders !== drawn
    }""")
    assert is_replaced
    boxes = june.get_by_role("spinbutton")
    expect(boxes.nth(1)).to_have_value("30")
    is_drawn(june)
    # The third option has what the first one took from it.
    assert int(boxes.nth(0).input_value()) > 45


def test_digits_score_the_rubric_row_by_row(june: Page):
    presses(june, "Optional: grade or compare turns")
    june.get_by_role("radio", name="Rubric").or_(june.get_by_role("button", name="Rubric", exact=True)).first.click()
    rows = june.locator(".graded")
    expect(rows).to_have_count(21)
    is_drawn(june)
    before = june.locator(".step[aria-pressed=true]").count()
    rows.nth(before).get_by_role("button").first.focus()
    june.keyboard.press("4")
    june.keyboard.press("2")
    chosen = june.locator(".step[aria-pressed=true]")
    expect(chosen).to_have_text([*(["4", "2"] * 2)[: before + 2]])
    expect(rows.nth(before + 2).get_by_role("button").nth(1)).to_be_focused()
    june.keyboard.press("ArrowUp")
    expect(rows.nth(before + 1).get_by_role("button").nth(1)).to_be_focused()
    is_drawn(june)
    assert faults(controls(june)) == []
    assert barriers(june)[0] == []
