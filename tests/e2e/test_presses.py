"""A press counts once, even if the page is redrawn before the run reaches the button."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import ROOT, wait_until_up
from tests.monitoring import free_port

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SCRIPT = """
import time
from functools import partial

import streamlit as st

from debate_core.ui.kit.click_guard import done, pressed, pressed_until_done, while_others_are_heard
from debate_core.ui.server import streamlit_patch

streamlit_patch.apply()


def add_a_vote():
    time.sleep(0.2)
    st.session_state["votes"] = st.session_state.get("votes", 0) + 1


@st.fragment
def part():
    st.button("Vote in a part", on_click=add_a_vote)


st.button("Vote", on_click=add_a_vote)
part()
st.write(f"Counted {st.session_state.get('votes', 0)} votes.")
other = st.checkbox("Another field")
st.write("The field is on." if other else "The field is off.")
if st.button("Try"):
    with st.spinner("Trying"):
        while_others_are_heard(partial(time.sleep, 100))
for _ in range(15):
    time.sleep(0.1)
    st.empty()
if pressed("Act", key="act"):
    st.session_state["acts"] = st.session_state.get("acts", 0) + 1
if pressed_until_done("Ask", key="ask"):
    with st.spinner("Asking"):
        time.sleep(2)
        st.session_state["answers"] = st.session_state.get("answers", 0) + 1
    done("ask")
st.write(f"Answered {st.session_state.get('answers', 0)} times.")
st.write(f"Acted {st.session_state.get('acts', 0)} times, {'with' if other else 'without'} the field.")
"""


@pytest.fixture(scope="module")
def slow_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the page; each browser has its own session there."""
    folder, port = tmp_path_factory.mktemp("slow"), free_port()
    script = folder / "page.py"
    script.write_text(SCRIPT, "utf-8")
    options = {"port": port, "address": "127.0.0.1", "headless": "true"}
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    command += [f"--server.{name}={value}" for name, value in options.items()]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "", "HOME": str(folder)}
    # The settings of the app lie there.
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    try:
        wait_until_up(f"http://127.0.0.1:{port}", process, path="_stcore/health")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=30)


def test_a_press_that_another_drawing_overtakes_is_acted_on_once(slow_page: str, page: Page):
    page.goto(slow_page)
    expect(page.get_by_text("Acted 0 times, without the field.")).to_be_visible()
    page.get_by_role("button", name="Act").click()
    page.wait_for_timeout(300)
    page.get_by_text("Another field").click()
    expect(page.get_by_text("Acted 1 times, with the field.")).to_be_visible()
    page.get_by_text("Another field").click()
    expect(page.get_by_text("Acted 1 times, without the field.")).to_be_visible()


def test_a_slow_act_does_not_block_other_presses(slow_page: str, page: Page):
    page.goto(slow_page)
    page.get_by_role("button", name="Try").click()
    expect(page.get_by_text("Trying")).to_be_visible()
    page.get_by_text("Another field").click()
    expect(page.get_by_text("The field is on.")).to_be_visible()
    expect(page.get_by_text("Acted 0 times, with the field.")).to_be_visible()


def test_what_another_drawing_breaks_off_is_done_again(slow_page: str, page: Page):
    page.goto(slow_page)
    expect(page.get_by_text("Answered 0 times.")).to_be_visible()
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_text("Asking")).to_be_visible()
    page.get_by_text("Another field").click()
    expect(page.get_by_text("Acted 0 times, with the field.")).to_be_visible()
    expect(page.get_by_text("Answered 1 times.")).to_be_visible()


TWO_MESSAGES = """async (buttons, words) => {
  buttons.find(button => button.innerText === words).click()
  await new Promise(after => setTimeout(after, WAIT))
  document.querySelector("input[type=checkbox]").click()
}"""
"""Faster than a person: a message of the transcript may come this soon after a press."""


@pytest.mark.parametrize("button", ["Vote", "Vote in a part"])
def test_what_a_press_does_is_done_whatever_comes_meanwhile(slow_page: str, page: Page, button: str):
    page.goto(slow_page)
    expect(page.get_by_text("Acted 0 times, without the field.")).to_be_visible()
    for n in range(1, 11):
        page.get_by_role("button").evaluate_all(TWO_MESSAGES.replace("WAIT", str(10 * n)), button)
        expect(page.get_by_text(f"Counted {n} votes.")).to_be_visible(timeout=10_000)
