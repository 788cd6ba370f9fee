"""The server around the pages: headers on every answer, the monitor's page, who may open the live socket."""

import base64
import hashlib
import json
import logging
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from debate_core.host.host import Host
from debate_core.record.commands import Pause
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from debate_core.ui.room.live.socket import same_origin
from debate_core.ui.server import launch


@pytest.fixture
def client(host: Host) -> Iterator[TestClient]:
    app = Starlette(routes=list(launch.routes), middleware=list(launch.middleware))
    with TestClient(app, base_url="http://room.test") as client:
        yield client


@pytest.fixture
def debate(host: Host) -> str:
    seats = [Seat(id=i, occupant="human") for i in ("ana", "ben")]
    return host.create(compose("Which store?", ["a", "b"], protocol("bounded_vote"), seats), by="tests")


def test_every_answer_carries_the_security_headers(client: TestClient):
    headers = client.get("/healthz").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == "'none'"
    assert "'unsafe-inline'" not in policy["script-src"]
    assert "'unsafe-eval'" not in policy["script-src"]
    assert "'sha256-" in policy["script-src"]


def test_the_script_in_the_page_is_allowed_by_its_hash():
    digest = base64.b64encode(hashlib.sha256(b"\n  x = 1\n").digest()).decode()
    page = "<script>\n  x = 1\n</script><script type='module' src='./a.js'></script>"
    assert launch.inline_script_hashes(page) == (f"'sha256-{digest}'",)


def test_the_monitor_sees_the_store_and_what_runs(client: TestClient, debate: str):
    health = client.get("/healthz").json()
    assert health["ok"] is True
    assert health["store"].startswith("SQLite 3.")
    assert health["store"].endswith("journal mode WAL")
    assert health["debates"] == 1


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("http://room.test", True),
        ("https://room.test", True),
        ("http://evil.test", False),
        ("http://room.test:81", False),
        ("null", False),
    ],
)
def test_only_pages_of_this_host_open_the_socket(origin: str | None, allowed: bool):
    assert same_origin(origin, "room.test") is allowed


def test_a_foreign_page_is_turned_away(client: TestClient, debate: str):
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(f"/api/debates/{debate}/live", headers={"origin": "http://evil.test"}),
    ):
        pass


def test_the_socket_gives_a_full_picture_and_then_only_what_is_new(client: TestClient, host: Host, debate: str):
    with client.websocket_connect(f"/api/debates/{debate}/live?as=ana") as socket:
        [(kind, picture)] = json.loads(socket.receive_text())
        assert kind == "snapshot"
        assert [(i["id"], i["state"]) for i in picture["items"]] == [
            ("1.proposal.ana", "asked"),
            ("1.proposal.ben", "asked"),
        ]
        host.submit(debate, Pause(by="facilitator", reason="tea"))
        [(kind, meta)] = json.loads(socket.receive_text())
        assert (kind, meta["status"], meta["closing"]) == ("meta", "paused", "Paused: tea")


def test_an_unknown_debate_closes_the_socket_in_words(client: TestClient):
    live = client.websocket_connect("/api/debates/nothing/live")
    with live as socket, pytest.raises(WebSocketDisconnect) as left:
        socket.receive_text()
    assert left.value.code == 4404
    assert "nothing" in left.value.reason


def test_what_lets_people_in_stands_in_no_access_log(caplog: pytest.LogCaptureFixture):
    log = logging.getLogger("uvicorn.access")
    log.propagate = True
    with caplog.at_level(logging.INFO, "uvicorn.access"):
        for path in ("/join/d-1.i-abc.SECRET", "/join?code=SECRET", "/join/SECRET?x=1", "/room?id=d-1"):
            log.info('%s - "%s %s HTTP/%s" %d', "127.0.0.1:1", "GET", path, "1.1", 303)
    assert "SECRET" not in caplog.text
    # A server that another test has started may write the same lines once more.
    told = dict.fromkeys(m.split()[3] for m in caplog.messages)
    assert [*told] == ["/join/…", "/join?code=…", "/join/…?x=1", "/room?id=d-1"]
