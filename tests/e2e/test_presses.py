"""A press is heard once, also where the page is drawn anew before it has come to the button."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import ROOT, free_port, wait_until_up

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SCRIPT = """
import time

import streamlit as st

from debate_core.ui.kit.presses import done, pressed, pressed_until_done

other = st.checkbox("Another field")
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


@pytest.fixture
def slow_page(tmp_path: Path) -> Iterator[str]:
    script, port = tmp_path / "page.py", free_port()
    script.write_text(SCRIPT, "utf-8")
    options = {"port": port, "address": "127.0.0.1", "headless": "true"}
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    command += [f"--server.{name}={value}" for name, value in options.items()]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "", "HOME": str(tmp_path)}
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL)
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


def test_what_another_drawing_breaks_off_is_done_again(slow_page: str, page: Page):
    page.goto(slow_page)
    expect(page.get_by_text("Answered 0 times.")).to_be_visible()
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_text("Asking")).to_be_visible()
    page.get_by_text("Another field").click()
    expect(page.get_by_text("Acted 0 times, with the field.")).to_be_visible()
    expect(page.get_by_text("Answered 1 times.")).to_be_visible()
