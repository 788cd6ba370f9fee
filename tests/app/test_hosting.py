"""Access to this server: everyone on the machine itself; elsewhere a host, a participant, a wall."""

import json

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.websockets import WebSocketDisconnect
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from debate_core.host.access.cookies import cookie_name, screen_cookie_name
from debate_core.host.access.hosting import MANY_WRONG, NO_CODE, WRONG_CODE, is_from_here
from debate_core.host.access.rate_limit import MAX_TRIES
from debate_core.host.host import Host, reset_shared_host, shared_host
from debate_core.record import acts
from debate_core.record.commands import Act, Stop
from debate_core.spec.values import Seat
from debate_core.ui.kit import session
from debate_core.ui.kit.failures import NOT_IN
from debate_core.ui.kit.launched import set_launched
from debate_core.ui.server import launch
from debate_core.ui.server.origins import BROWSERS_NEED, STREAMLITS_OWN, is_internal
from tests.app.visiting import ELSEWHERE, PAGES, SERVER, WebClient, at, cookie_of, new_browser, on_the_wall, told, words
from tests.people import ANN, FAY, room_spec
from tests.routes import all_paths

CODE = "correct horse battery"
QUESTION = "Should we adopt the xylophone?"


@pytest.fixture
def hosted(host: Host, monkeypatch: pytest.MonkeyPatch) -> Host:
    """The host of a server with a host code."""
    monkeypatch.setenv("DEBATE_HOST_CODE", CODE)
    reset_shared_host()
    return shared_host()


@pytest.fixture
def debate(hosted: Host) -> str:
    seats = [Seat(id=i, occupant="human") for i in ("ana", "bo", "cid")]
    made = hosted.create(room_spec(seats=seats).model_copy(update={"question": QUESTION}), by=FAY.id)
    hosted.submit(made, Act(by=FAY.id, act=acts.PollOpened(poll="pre")))
    return made


def client(address: str = ELSEWHERE) -> WebClient:
    """A browser in the same network, at another machine."""
    return WebClient(Starlette(routes=list(launch.routes), middleware=list(launch.middleware)), address, SERVER)


@pytest.fixture
def guest(hosted: Host, elsewhere: None) -> AppTest:
    """The app as a browser from elsewhere finds it."""
    return new_browser()


@pytest.mark.parametrize(
    ("caller", "headers", "here"),
    [
        ("127.0.0.1", {"host": "localhost:8501"}, True),
        ("127.0.0.1", {"host": "127.0.0.1:8501"}, True),
        ("::1", {"host": "[::1]:8501"}, True),
        ("127.0.0.1", {"host": "debates.example.org"}, False),
        ("127.0.0.1", {"host": "192.168.1.5"}, False),
        ("127.0.0.1", {"host": "localhost", "x-forwarded-for": "127.0.0.1"}, False),
        ("127.0.0.1", {"host": "localhost", "forwarded": "for=10.0.0.1"}, False),
        ("127.0.0.2", {"host": "localhost"}, False),
        ("192.168.1.9", {"host": "localhost"}, False),
        ("", {}, False),
    ],
)
def test_only_this_machine_is_here(caller: str, headers: dict[str, str], here: bool):
    assert is_from_here(caller, headers) is here


@pytest.mark.parametrize(
    "header",
    [
        "Forwarded",
        "Via",
        "X-Real-IP",
        "X-Forwarded-For",
        "X-Forwarded-Host",
        "X-Forwarded-Proto",
        "X-Forwarded-Prefix",
        "X-Original-Host",
        "X-Client-IP",
        "True-Client-IP",
        "CF-Connecting-IP",
        "CF-Ray",
        "CDN-Loop",
        "X-Envoy-External-Address",
        "X-Amzn-Trace-Id",
        "X-Azure-ClientIP",
        "Tailscale-User-Login",
    ],
)
def test_header_of_a_proxy_makes_nobody_the_operator(host: Host, header: str):
    here = {"host": "127.0.0.1", "user-agent": "Mozilla/5.0", "cookie": "a=b", "sec-fetch-site": "none"}
    assert host.door.hosting.standing("127.0.0.1", here, {}) == "machine"
    for name in (header, header.lower()):
        assert host.door.hosting.standing("127.0.0.1", {**here, name: ""}, {}) == "stranger"


@pytest.fixture(params=[("DEBATE_PUBLIC_URL", "https://debates.example.org"), ("FORWARDED_ALLOW_IPS", "10.0.0.7")])
def reached(request: pytest.FixtureRequest, host: Host, monkeypatch: pytest.MonkeyPatch) -> Host:
    """The host of a server that others reach, by a public address or through a proxy."""
    monkeypatch.setenv("DEBATE_HOST_CODE", CODE)
    monkeypatch.setenv(*request.param)
    reset_shared_host()
    return shared_host()


def test_loopback_on_a_reached_server_makes_nobody_the_operator(reached: Host):
    for name in ("127.0.0.1", "localhost", "[::1]:8501", "app.localhost"):
        assert reached.door.hosting.standing("127.0.0.1", {"host": name}, {}) == "stranger"
    cookies = {"host": reached.door.hosting.cookie(CODE, address="127.0.0.1")}
    assert reached.door.hosting.standing("127.0.0.1", {"host": "127.0.0.1"}, cookies) == "host"


def test_forwarder_to_a_reached_server_reads_and_starts_nothing(reached: Host, monkeypatch: pytest.MonkeyPatch):
    seats = [Seat(id=seat, occupant="human") for seat in ("ana", "bo", "cid")]
    debate = reached.create(room_spec(seats=seats).model_copy(update={"question": QUESTION}), by=FAY.id)
    forwarded = client("127.0.0.1")
    forwarded.headers["host"] = "127.0.0.1"
    assert forwarded.get("/healthz").json() == {"ok": True}
    assert forwarded.get(f"{STREAMLITS_OWN}metrics").status_code == 404
    with pytest.raises(WebSocketDisconnect), forwarded.websocket_connect(f"/api/debates/{debate}/live"):
        pass
    monkeypatch.setattr(ContextProxy, "headers", {"host": "127.0.0.1"})
    monkeypatch.setattr(ContextProxy, "ip_address", None)
    set_launched(up=True)
    try:
        page = new_browser().run()
        assert session.client() == "127.0.0.1"
    finally:
        set_launched(up=False)
    assert QUESTION not in told(page)
    assert [b.label for b in page.button] == []


@pytest.mark.parametrize(
    "page", ["home.py", "setup.py", "protocols.py", "metrics.py", "decisions.py", "practice.py", *PAGES]
)
def test_a_stranger_reads_no_debate_and_starts_nothing(guest: AppTest, debate: str, page: str):
    guest.query_params["id"] = debate
    guest.switch_page(page).run()
    assert not guest.exception
    assert QUESTION not in told(guest)
    assert FAY.name not in told(guest)
    assert [b.label for b in guest.button] == []
    assert NOT_IN in told(guest) or "Join a debate with the code" in told(guest)


def test_an_unknown_debate_is_told_of_in_the_same_words(guest: AppTest, debate: str):
    said = []
    for wanted in (debate, "d-nothing"):
        guest.query_params["id"] = wanted
        guest.switch_page("room.py").run()
        said.append(told(guest))
    assert said[0] == said[1]


@pytest.mark.parametrize("who", ["person", "host", "wall"])
def test_a_cookie_opens_what_it_is_for(
    guest: AppTest, hosted: Host, debate: str, monkeypatch: pytest.MonkeyPatch, who: str
):
    cookies = {
        "person": {cookie_name(debate): cookie_of(hosted, debate, ANN)},
        "host": {"host": hosted.door.hosting.cookie(CODE, address=ELSEWHERE)},
        "wall": {screen_cookie_name(debate): hosted.door.screen_token(debate)},
    }[who]
    monkeypatch.setattr(ContextProxy, "cookies", cookies)
    guest.run()
    assert (QUESTION in told(guest) + words(guest)) is (who in ("person", "host"))
    assert ("New workshop: 25 min with people" in [b.label for b in guest.button]) is (who == "host")
    at(guest, debate, page="screen.py")
    assert on_the_wall(guest)["frame"]["question"] == QUESTION
    hosted.submit(debate, Stop(by=FAY.id, reason="enough"))
    for page in ("room.py", "results.py", "record.py"):
        assert (QUESTION in told(at(guest, debate, page=page)) + words(guest)) is (who != "wall")


def test_a_participant_reads_the_record_and_starts_nothing(
    guest: AppTest, hosted: Host, debate: str, monkeypatch: pytest.MonkeyPatch
):
    hosted.submit(debate, Stop(by=FAY.id, reason="enough"))
    monkeypatch.setattr(ContextProxy, "cookies", {cookie_name(debate): cookie_of(hosted, debate, ANN)})
    at(guest, debate, page="record.py")
    assert "What happened" in [h.value for h in guest.header]
    assert "Check a file" not in [h.value for h in guest.header]
    assert not [b for b in guest.button if "again" in b.label]


@pytest.mark.parametrize("forged", ["", "x", "room", "other"])
def test_no_other_cookie_makes_a_host(hosted: Host, debate: str, forged: str):
    good = hosted.door.hosting.cookie(CODE, address="")
    cookie = {
        "": "",
        "x": good + "x",
        "room": cookie_of(hosted, debate, FAY),
        "other": hosted.door.screen_token(debate),
    }
    assert not hosted.door.hosting.is_host({"host": cookie[forged]})
    assert hosted.door.hosting.is_host({"host": good})


def test_a_new_code_ends_every_cookie_of_the_old_one(hosted: Host, monkeypatch: pytest.MonkeyPatch):
    cookie = hosted.door.hosting.cookie(CODE, address="")
    monkeypatch.setenv("DEBATE_HOST_CODE", CODE + "!")
    reset_shared_host()
    assert not shared_host().door.hosting.is_host({"host": cookie})


def test_the_code_makes_a_host_and_guessing_is_stopped(hosted: Host):
    browser = client()
    assert browser.get("/host").status_code == 200
    wrong = [client().post("/host", data={"code": f"guess {n}"}) for n in range(MAX_TRIES + 1)]
    assert [a.status_code for a in wrong] == [403] * MAX_TRIES + [429]
    assert WRONG_CODE.split(":")[0] in wrong[0].text
    assert MANY_WRONG.split(":")[0] in wrong[-1].text
    # A room may share one address: wrong guesses from it must not lock out the others.
    for address in (ELSEWHERE, "192.168.1.10"):
        answer = client(address).post("/host", data={"code": CODE})
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        assert "HttpOnly" in answer.headers["set-cookie"]


def test_without_a_code_nobody_hosts_from_elsewhere(host: Host):
    answer = client().post("/host", data={"code": ""})
    assert answer.status_code == 403
    assert NO_CODE.split(",")[0] in answer.text


def test_the_socket_of_a_debate_is_for_who_may_look(hosted: Host, debate: str):
    live = f"/api/debates/{debate}/live"
    with pytest.raises(WebSocketDisconnect), client().websocket_connect(live):
        pass
    browser = client()
    assert browser.get(f"/wall/{hosted.door.screen_token(debate)}").headers["location"] == f"/screen?id={debate}"
    with pytest.raises(WebSocketDisconnect), browser.websocket_connect(live):
        pass
    with browser.websocket_connect(f"{live}?screen=1") as socket:
        assert json.loads(socket.receive_text())[0][0] == "snapshot"
    with pytest.raises(WebSocketDisconnect), browser.websocket_connect(live.replace(debate, "d-other")):
        pass
    assert client().get(f"/wall/{hosted.door.screen_token(debate)}x").status_code == 403


def test_a_stranger_hears_that_the_server_is_up_and_nothing_else(hosted: Host, debate: str):
    assert client().get("/healthz").json() == {"ok": True}


def test_unneeded_streamlit_routes_are_closed_to_the_network():
    async def answer(_request: Request) -> PlainTextResponse:
        return PlainTextResponse("inside")

    own = {path.partition("/{")[0] for path in all_paths() if STREAMLITS_OWN in path}
    needed = {STREAMLITS_OWN + name for name in BROWSERS_NEED}
    routes = [Route(path, answer, methods=["GET", "POST"]) for path in own]
    app = Starlette(routes=routes, middleware=list(launch.middleware))
    here, elsewhere = WebClient(app), WebClient(app, ELSEWHERE, SERVER)
    assert needed < own
    assert {f"{STREAMLITS_OWN}metrics", f"{STREAMLITS_OWN}agent/interact", f"{STREAMLITS_OWN}agent/mcp"} <= own - needed
    assert {path for path in own if elsewhere.get(path).status_code == 200} == needed
    assert {path for path in own if here.get(path).status_code == 200} == own
    assert {elsewhere.post(path).status_code for path in own - needed} == {404}
    assert is_internal(f"/under/a/path{STREAMLITS_OWN}metrics")
