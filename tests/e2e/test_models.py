"""Seats of models in a real browser: how soon what a server says is on every screen, and a person who takes over."""

import re
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from websockets.sync.client import connect

from debate_core.engine.audit import verify
from debate_core.host.fillers import Access
from debate_core.host.host import Host, HostOptions
from debate_core.host.stores import open_store
from debate_core.record.commands import Pause
from debate_core.record.fold import replay
from debate_core.spec.panels import read_panels
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from tests.e2e import own_server
from tests.e2e.conftest import Server, serve
from tests.e2e.test_room import resume
from tests.model_process import ModelProcess
from tests.real_model import MODEL, served_weights

pytestmark = pytest.mark.e2e

WATCHERS = 5
MOST_MS = 400
REAL_TOKENS, REAL_TURN_S, REAL_DEBATE_S = 500, 1_800, 7_200
"""For real weights on a machine that does other work too."""
PANEL = """
[lines.here]
provider = "local"
family = "none"
model = "small-model"
dialect = "chat"
base_url = "{url}"
parallel = 8
price = {{ input = "0", output = "0" }}

[panels.here]
title = "One server"
debaters = ["here"]
"""
# Notes when the first words of each call are in the page; every reply of the server begins with "Call N.". The
# transcript is in a shadow tree, which an observer of the document does not see.
NOTE_FIRST_WORDS = r"""
window.firstSeen = {}
function watch(root) {
  new MutationObserver(() => {
    for (const prose of root.querySelectorAll("article.turn .prose")) {
      const call = /Call (\d+)\./.exec(prose.textContent)
      if (call && !(call[1] in window.firstSeen)) window.firstSeen[call[1]] = Date.now()
    }
  }).observe(root, { childList: true, subtree: true, characterData: true })
}
watch(document)
const attach = Element.prototype.attachShadow
Element.prototype.attachShadow = function (how) {
  const root = attach.call(this, how)
  watch(root)
  return root
}
"""


@pytest.fixture(scope="module")
def models() -> Iterator[ModelProcess]:
    with ModelProcess() as server:
        server.reset(latency_s=1.0, text_chars=600, votes=["migrate", "stay"])
        yield server


@pytest.fixture(scope="module")
def model_room(tmp_path_factory: pytest.TempPathFactory, models: ModelProcess) -> Iterator[Server]:
    """The app with its own panel file, and waiting debates of three models."""
    folder = tmp_path_factory.mktemp("models")
    panel = folder / "panels.toml"
    panel.write_text(PANEL.format(url=models.base_url("chat")))

    def write(database: str) -> dict[str, str]:
        file = read_panels(panel.read_text(), where=str(panel))
        host = Host(open_store(database), HostOptions(access=Access(panels=file), worker="none"))
        seats = [Seat(id=name, model="here", stance=side) for name, side in (("ana", "migrate"), ("ben", "stay"))]
        spec = compose("Do we migrate?", ["migrate", "stay"], protocol("bounded_vote"), seats, models=file.lines)
        ids = {name: host.create(spec, by="tests") for name in ("watched", "taken")}
        for debate_id in ids.values():
            host.submit(debate_id, Pause(by="tests", reason="not yet"))
        host.close()
        return ids

    yield from serve(folder, write, {"DEBATE_PANELS": str(panel)})


@pytest.mark.alone
def test_the_first_token_is_on_the_screen_at_once(model_room: Server, models: ModelProcess, page: Page):
    """One browser, and four viewers without a screen: five browsers on this machine would wait for each other."""
    page.add_init_script(NOTE_FIRST_WORDS)
    page.goto(model_room.room("watched", "facilitator"))
    expect(page.locator(".closing")).to_have_text("Paused: not yet")
    # The browser has loaded all that it loads once.
    expect(page.locator(".votes").first).to_be_visible()
    models.reset(latency_s=1.0, text_chars=600, votes=["migrate", "stay"])
    socket = f"ws{model_room.url.removeprefix('http')}/api/debates/{model_room.ids['watched']}/live"
    with ExitStack() as others, pauses() as pauses_ms:
        for _ in range(WATCHERS - 1):
            others.enter_context(connect(socket, max_queue=None))
        resume(page)
        wait_for_calls(page, 8)
    seen: dict[str, float] = page.evaluate("window.firstSeen")
    sent = {str(call.number): call.first_token_at for call in models.log() if call.first_token_at is not None}
    found = [at_ms - sent[number] * 1000 for number, at_ms in seen.items() if number in sent]
    assert len(found) >= 4
    late_ms = found
    print(f"first token to the screen, {WATCHERS} viewers: {', '.join(f'{ms:.0f}' for ms in late_ms)} ms")
    # On its way a token waits for its turn three times: in the server of models, in the app and in the browser.
    assert max(late_ms) <= MOST_MS + 3 * max(pauses_ms)


@contextmanager
def pauses() -> Iterator[list[float]]:
    """Return the delays of this machine on timers of ten milliseconds."""
    late_ms, over = [0.0], threading.Event()

    def look() -> None:
        while not over.is_set():
            began = time.monotonic()
            over.wait(0.01)
            late_ms.append((time.monotonic() - began) * 1000 - 10)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield late_ms
    finally:
        over.set()
        looking.join()


def wait_for_calls(page: Page, count: int) -> None:
    """Asked again and again: the page's own rules do not let a test evaluate text as code in it."""
    give_up = time.monotonic() + 60
    while len(page.evaluate("window.firstSeen")) < count:
        assert time.monotonic() < give_up, "the models did not speak"
        time.sleep(0.2)


def test_a_person_answers_for_a_model_and_the_record_says_so(model_room: Server, models: ModelProcess, page: Page):
    models.reset(latency_s=30, first_s=20)
    page.goto(model_room.room("taken", "facilitator") + "&name=Eva")
    resume(page)
    expect(page.locator("article.turn").first).to_contain_text("small-model")
    # The browser counts the seconds without the server.
    expect(page.locator("article.turn .state").first).to_have_text(re.compile(r"^asked [2-9] s ago, no word yet$"))
    page.get_by_role("button", name=re.compile("Intervene")).click()
    page.get_by_role("button", name=re.compile("Answer it myself")).click()
    page.get_by_label("Your argument").fill("The five weeks are not there this quarter.")
    page.get_by_role("radiogroup", name="Your vote").get_by_text("stay", exact=True).click()
    page.get_by_role("button", name="Give this turn").click()
    given = page.locator("article.turn[data-state=given]")
    expect(given.first).to_contain_text("The five weeks are not there this quarter.")
    expect(given.first).to_contain_text("by Eva")


def test_a_self_hosted_server_leads_to_a_decision_record(
    model_room: Server, models: ModelProcess, page: Page, tmp_path: Path
):
    models.reset(latency_s=0.2, votes=["adopt"])
    own_server.set_up(page, model_room.url, tmp_path)
    own_server.add_model(page, models.base_url("chat"), "large-model", {"Timeout of a turn in seconds": 300})
    expect(page.get_by_text("It gave a valid turn.")).to_be_visible()
    own_server.seat_everywhere(page, "large-model")
    expect(page.locator(".closing")).to_contain_text("Decided: adopt. 3 of 3 seats, 2 needed")
    file, events = own_server.decision_record(page), own_server.record(page)
    assert own_server.QUESTION in file
    assert "large-model" in file
    assert verify(events) == ()
    state = replay(events)
    lines = [state.spec.line(seat) for seat in state.spec.debaters()]
    assert [(line.model, line.deadline_s) for line in lines if line] == [("large-model", 300)] * 3
    # The trial, and one call a turn: nothing was asked twice. The debates of the other tests may still ask their own.
    assert [call.model for call in models.log() if call.model != "small-model"] == ["large-model"] * 4


@pytest.fixture
def real_room(tmp_path: Path) -> Iterator[tuple[Server, str]]:
    """The app, and the address of a real model that it may ask."""
    with served_weights() as root:
        panel = tmp_path / "panels.toml"
        panel.write_text(PANEL.format(url=f"{root}/v1"))
        allowed = {"DEBATE_PANELS": str(panel), "DEBATE_BASE_URLS": f"{root}/v1"}
        for room in serve(tmp_path, lambda _database: {}, allowed):
            yield room, f"{root}/v1"


@pytest.mark.nightly
def test_from_set_up_to_the_decision_record_with_a_real_model(
    real_room: tuple[Server, str], page: Page, tmp_path: Path
):
    """The opinion of a small model does not matter; that it is asked, awaited, counted and recorded does."""
    room, address = real_room
    own_server.set_up(page, room.url, tmp_path)
    limits = {"Maximum reply in tokens": REAL_TOKENS, "Timeout of a turn in seconds": REAL_TURN_S}
    own_server.add_model(page, address, "", limits)
    expect(page.get_by_text("It gave a valid turn.")).to_be_visible(timeout=REAL_TURN_S * 1000)
    own_server.seat_everywhere(page, "gguf")
    expect(page.locator(".state", has_text="waits for its turn at the server").first).to_be_visible()
    expect(page.locator(".state", has_text=re.compile(r"^asked \d+ s ago, no word yet$"))).to_be_visible()
    expect(page.locator(".state", has_text=re.compile("^writes$"))).to_be_visible(timeout=REAL_TURN_S * 1000)
    over = re.compile(r"^(Decided|Undecided)\b")
    expect(page.locator(".closing")).to_have_text(over, timeout=REAL_DEBATE_S * 1000)
    file, events = own_server.decision_record(page), own_server.record(page)
    state = replay(events)
    valid = [turn for turn in state.turns if turn.status == "ok"]
    print(f"{MODEL.stem}: {len(valid)} of {len(state.turns)} turns valid, {len(state.attempts)} attempts")
    assert verify(events) == ()
    assert len(valid) >= len(state.turns) * 3 / 4
    assert own_server.QUESTION in file
    assert MODEL.stem in file
