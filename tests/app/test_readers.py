"""Debates with restricted access, in lists, pages, files, routes and the live socket; and possible judges."""

import json

import pytest
from starlette.applications import Starlette
from starlette.websockets import WebSocketDisconnect
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.engine.judge_view import still_judging
from debate_core.host.access.cookies import cookie_name, results_cookie_name, screen_cookie_name
from debate_core.host.access.hosting import COOKIE
from debate_core.host.host import Host
from debate_core.record.acts import Signed
from debate_core.record.commands import Act, Resume
from debate_core.record.events import dump_record
from debate_core.spec.people import Person, Readers
from debate_core.ui.pages.debate_rows import JUDGE_FIRST
from debate_core.ui.room.live import socket
from debate_core.ui.server import launch
from tests.app.test_hosting import CODE, QUESTION, client, guest, hosted
from tests.app.visiting import ELSEWHERE, HOLDERS, PEOPLE, WebClient, at, cookie_of, gives, new_browser, told, words
from tests.people import ABE, ANN, EVERYBODY, FAY, JUNE, belief, judged, room_spec

__all__ = ["guest", "hosted"]
NOBODY_JUDGES = tuple(person for person in EVERYBODY if person is not JUNE)
FILES = "Downloads"


def begun_here(host: Host, readers: Readers, people: tuple[Person, ...] = NOBODY_JUDGES) -> str:
    spec = room_spec((*people, *HOLDERS), seats=PEOPLE, readers=readers, hold="none", pre_vote="none", rounds=1)
    debate = host.create(spec.model_copy(update={"question": QUESTION}), by=FAY.id)
    host.submit(debate, Resume(by=FAY.id))
    return debate


def over(host: Host, readers: Readers, people: tuple[Person, ...] = NOBODY_JUDGES) -> str:
    """A debate that was held here to its end."""
    debate = begun_here(host, readers, people)
    while requests(host.state(debate)):
        gives(host, debate)
    assert host.state(debate).outcome
    return debate


def brought(host: Host, debate: str, who: str) -> dict[str, str]:
    """The cookies of a person elsewhere."""
    return {
        "a stranger": {},
        "a host": {COOKIE: host.door.hosting.cookie(CODE, address=ELSEWHERE)},
        "a person of it": {cookie_name(debate): cookie_of(host, debate, ANN)},
        "a reader": {results_cookie_name(debate): host.door.results_token(debate)},
        "a forger": {results_cookie_name(debate): host.door.screen_token(debate)},
    }[who]


@pytest.mark.parametrize(
    ("readers", "who", "lists", "reads"),
    [
        ("members", "a host", False, False),
        ("members", "a reader", False, False),
        ("members", "a person of it", True, True),
        ("link", "a host", False, False),
        ("link", "a reader", False, True),
        ("link", "a forger", False, False),
        ("hosts", "a host", True, True),
        ("hosts", "a stranger", False, False),
    ],
)
def test_lists_pages_files_and_sockets_keep_to_what_was_agreed(
    guest: AppTest, hosted: Host, monkeypatch: pytest.MonkeyPatch, readers: Readers, who: str, lists: bool, reads: bool
):
    debate = over(hosted, readers)
    cookies = brought(hosted, debate, who)
    monkeypatch.setattr(ContextProxy, "cookies", cookies)
    guest.run()
    assert (QUESTION in told(guest) + words(guest)) is lists
    at(guest, debate, page="results.py", tab="Files")
    assert (QUESTION in told(guest)) is reads
    assert (FILES in [h.value for h in guest.header]) is reads
    assert opens_live(debate, cookies) is reads


def opens_live(debate: str, cookies: dict[str, str]) -> bool:
    browser = client()
    browser.cookies.update(cookies)
    try:
        with browser.websocket_connect(f"/api/debates/{debate}/live") as line:
            return bool(line.receive_text())
    except WebSocketDisconnect:
        return False


@pytest.mark.parametrize("readers", ["members", "link", "hosts"])
def test_the_results_link_opens_a_finished_debate_if_agreed(hosted: Host, readers: Readers):
    debate = begun_here(hosted, readers)
    token = hosted.door.results_token(debate)
    assert client().get(f"/read/{token}").status_code == 403
    while requests(hosted.state(debate)):
        gives(hosted, debate)
    answer = client().get(f"/read/{token}")
    assert answer.status_code == (303 if readers == "link" else 403)
    assert answer.headers.get("location", "") == (f"/results?id={debate}" if readers == "link" else "")
    assert {client().get(f"/read/{bad}").status_code for bad in (token + "x", hosted.door.screen_token(debate))} == {
        403
    }


def test_who_leads_has_the_link_and_nobody_else(app: AppTest, host: Host):
    debate = over(host, "link")
    token = host.door.results_token(debate)
    shown = [
        [code.value for code in at(new_browser(), debate, who, "results.py", tab="Files").code]
        for who in (FAY, ANN, None)
    ]
    assert [any(token in value for value in codes) for codes in shown] == [True, False, False]


def test_who_is_shown_out_hears_no_more(hosted: Host, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(socket, "LOOK_S", 0)
    debate = begun_here(hosted, "members")
    browser = client()
    browser.cookies.update(brought(hosted, debate, "a person of it"))
    with browser.websocket_connect(f"/api/debates/{debate}/live") as line:
        assert {json.loads(line.receive_text())[0][0] for _ in range(3)} == {"snapshot", "panel", "here"}
        hosted.door.cookies.bar(debate, ANN.id)
        gives(hosted, debate)
        with pytest.raises(WebSocketDisconnect) as left:
            line.receive_text()
    assert left.value.code == socket.NOT_LET_IN


@pytest.mark.parametrize("page", ["results.py", "record.py", "screen.py"])
def test_a_private_window_shows_a_judge_no_more_than_the_desk(app: AppTest, host: Host, page: str):
    debate = over(host, "members", EVERYBODY)
    app.run()
    assert JUDGE_FIRST in words(app)
    at(app, debate, page=page)
    assert "still judging this debate" in words(app)
    assert FILES not in [h.value for h in app.header]
    assert FILES in [h.value for h in at(new_browser(), debate, FAY, "results.py", tab="Files").header]
    host.submit(debate, Act(by=JUNE.id, act=belief(1, final=True, explanation="it holds")))
    assert "still judging this debate" not in words(at(new_browser(), debate, page=page))


def test_the_room_shows_no_count_in_a_private_window_of_a_judge(app: AppTest, host: Host):
    debate = over(host, "members", EVERYBODY)
    shown = [[s.value for s in at(new_browser(), debate, who).subheader] for who in (FAY, JUNE, None)]
    assert ["The count of the seats" in subheaders for subheaders in shown] == [True, False, False]


def test_the_socket_tells_a_private_window_no_early_vote(host: Host):
    debate = over(host, "members", EVERYBODY)
    app = Starlette(routes=list(launch.routes), middleware=list(launch.middleware))

    def votes(asked: str = "", cookies: dict[str, str] | None = None) -> str:
        browser = WebClient(app)
        browser.cookies.update(cookies or {})
        with browser.websocket_connect(f"/api/debates/{debate}/live{asked}") as line:
            picture = json.loads(line.receive_text())[0][1]
        told = [group["tally"] for group in picture["groups"]] + [item.get("vote", "") for item in picture["items"]]
        return json.dumps(list(filter(None, told)))

    wall = {screen_cookie_name(debate): host.door.screen_token(debate)}
    june = {cookie_name(debate): cookie_of(host, debate, JUNE)}
    assert [votes(), votes("?screen=1"), votes("", june), votes("?screen=1", june)] == ["[]"] * 4
    assert "adopt" in votes("?screen=1", wall)
    host.submit(debate, Act(by=ABE.id, act=Signed(verdict="accept", option="adopt")))
    assert "adopt" in votes()


def test_an_imported_record_waits_for_no_judge_and_is_for_hosts(app: AppTest, host: Host):
    held = judged(room_spec(readers="members", pre_vote="none", final_vote="none"))
    debate = host.import_record(dump_record(held.events).encode())
    assert still_judging(host.state(debate)) == (JUNE.id,)
    assert [(row.for_hosts, row.awaits_judges) for row in host.debates()] == [(True, False)]
    assert FILES in [h.value for h in at(app, debate, page="results.py", tab="Files").header]
