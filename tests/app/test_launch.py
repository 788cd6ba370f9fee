"""The server around the pages: headers on every answer, health checks, access to the live socket."""

import asyncio
import base64
import hashlib
import json
import logging
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from debate_core.host.host import Host, reset_shared_host
from debate_core.host.stores.sqlite import SqliteStore, driver
from debate_core.host.workers import Workers
from debate_core.record.commands import Pause
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from debate_core.ui.room.live.channel import n_viewers
from debate_core.ui.server import launch
from debate_core.ui.server.health_routes import WHAT_IS_MISSING
from debate_core.ui.server.origins import OwnOrigin, is_ours, known_names, same_origin
from tests.app.visiting import WebClient
from tests.waiting import until


@pytest.fixture
def client(host: Host) -> Iterator[TestClient]:
    app = Starlette(routes=list(launch.routes), middleware=list(launch.middleware))
    with WebClient(app) as client:
        yield client


@pytest.fixture
def debate(host: Host) -> str:
    seats = [Seat(id=i, occupant="human") for i in ("ana", "ben")]
    return host.create(compose("Which store?", ["a", "b"], protocol("bounded_vote"), seats), by="tests")


def test_every_answer_carries_the_security_headers(client: TestClient):
    assert client.get("/join").headers["content-type"] == "text/html; charset=utf-8"
    headers = client.get("/healthz").headers
    assert headers["content-type"] == "application/json"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
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


def test_a_server_without_its_database_runs_and_is_not_ready(client: TestClient, host: Host, tmp_path: Path):
    assert client.get("/readyz").json() == {"ready": True}
    for file in tmp_path.glob("debates.db*"):
        file.unlink()
    (tmp_path / "debates.db").write_bytes(b"no database any more " * 1_000)
    # Connections that are open still have the file that is gone.
    host._store.close()
    down = client.get("/readyz")
    assert (down.status_code, down.json()) == (503, {"ready": False, "why": WHAT_IS_MISSING["database"]})
    assert "Datenbank" in client.get("/readyz", headers={"accept-language": "de"}).json()["why"]
    up = client.get("/healthz")
    assert (up.status_code, up.json()["ok"]) == (200, True)
    # Which file it is stays on this machine.
    assert str(tmp_path) in up.text
    assert str(tmp_path) not in down.text + client.get("/healthz", headers={"x-forwarded-for": "192.0.2.1"}).text


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("DEBATE_WORKER", "many", "DEBATE_WORKER must be inline or none, not 'many'"),
        ("DEBATE_DB", "mysql://db/debates", "the database 'mysql://db/debates' is not one"),
        ("DEBATE_METRICS_PORT", "http", "DEBATE_METRICS_PORT must be a port from 1 to 65535, not 'http'"),
    ],
)
def test_a_server_that_cannot_start_ends_with_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str, told: str
):
    class Ended(Exception):
        """Instead of the end of this process."""

    def end(status: int) -> None:
        raise Ended(status)

    async def start() -> None:
        async with launch.lifespan(object()):
            pytest.fail("it started")

    reset_shared_host()
    monkeypatch.setattr(os, "_exit", end)
    monkeypatch.setenv(name, value)
    with pytest.raises(Ended, match=r"^2$"):
        asyncio.run(start())
    said = capsys.readouterr().err
    assert said.startswith(f"debate_core: {told}")
    assert said.count("\n") == 1


def test_a_server_with_a_newer_database_is_not_ready(client: TestClient, tmp_path: Path):
    with closing(driver.connect(tmp_path / "debates.db")) as db:
        db.execute("PRAGMA user_version = 99")
    down = client.get("/readyz")
    assert (down.status_code, down.json()["why"]) == (503, WHAT_IS_MISSING["schema"])


def test_a_web_process_without_a_worker_is_not_ready(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DEBATE_WORKER", "none")
    monkeypatch.setattr("debate_core.host.workers.LOOK_S", 0)
    reset_shared_host()
    down = client.get("/readyz")
    assert (down.status_code, down.json()["why"]) == (503, WHAT_IS_MISSING["workers"])
    worker = Workers(SqliteStore(tmp_path / "debates.db"), process="elsewhere:1:1")
    worker.begin(beats=True)
    assert client.get("/readyz").json() == {"ready": True}
    worker.end()
    assert client.get("/readyz").status_code == 503


def test_whoever_watches_is_counted(client: TestClient, debate: str):
    with client.websocket_connect(f"/api/debates/{debate}/live?as=ana") as socket:
        socket.receive_text()
        assert n_viewers() == 1
    until(lambda: n_viewers() == 0)


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("http://localhost", True),
        ("https://localhost", True),
        ("http://evil.test", False),
        ("http://localhost:81", False),
        ("null", False),
    ],
)
def test_only_pages_of_this_host_open_the_socket(origin: str | None, allowed: bool):
    assert same_origin(origin, "localhost") is allowed


@pytest.mark.parametrize(
    ("host_header", "ours"),
    [
        ("127.0.0.1:8501", True),
        ("[::1]:8501", True),
        ("192.168.1.20", True),
        ("localhost:8501", True),
        ("debates.localhost", True),
        ("Debates.example.org", True),
        ("evil.com:8501", False),
        ("127.0.0.1.evil.com", False),
        ("localhost.evil.com", False),
        ("evil.com:8501@127.0.0.1", True),
        ("127.0.0.1@evil.com", False),
        ("", False),
        ("[", False),
    ],
)
def test_the_server_answers_to_its_names_and_numeric_addresses(host_header: str, ours: bool):
    # No stranger can point any of these at this machine: DNS rebinding needs a domain of the attacker.
    assert is_ours(host_header, known_names("https://debates.example.org")) is ours


@pytest.mark.parametrize("path", ["/healthz", "/join", "/room"])
def test_a_name_that_is_not_ours_is_answered_in_one_sentence(client: TestClient, path: str):
    answer = client.get(path, headers={"host": "evil.com:8670", "origin": "http://evil.com:8670"})
    assert answer.status_code == 421
    assert "DEBATE_PUBLIC_URL" in answer.text


def test_no_socket_opens_under_a_name_that_is_not_ours(client: TestClient, debate: str):
    rebound = {"host": "evil.com:8670", "origin": "http://evil.com:8670"}
    live = client.websocket_connect(f"/api/debates/{debate}/live", headers=rebound)
    with pytest.raises(WebSocketDisconnect), live:
        pass


def test_a_foreign_page_is_turned_away(client: TestClient, debate: str):
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(f"/api/debates/{debate}/live", headers={"origin": "http://evil.test"}),
    ):
        pass


def test_the_socket_sends_a_full_state_and_then_changes(client: TestClient, host: Host, debate: str):
    with client.websocket_connect(f"/api/debates/{debate}/live?as=ana") as socket:
        [(kind, picture)] = json.loads(socket.receive_text())
        assert kind == "snapshot"
        assert [(i["id"], i["state"]) for i in picture["items"]] == [
            # A pending respondent gets no seat ids, not even their own.
            ("1.proposal.seat_a", "asked"),
            ("1.proposal.seat_b", "asked"),
        ]
        [(kind, panel)] = json.loads(socket.receive_text())
        assert (kind, panel["parts"]["status"]["words"]) == ("panel", "Now: ana and side B")
        host.submit(debate, Pause(by="facilitator", reason="tea"))
        [(kind, meta)] = json.loads(socket.receive_text())
        assert (kind, meta["status"], meta["closing"]) == ("meta", "paused", "Paused: tea")
        [(kind, panel)] = json.loads(socket.receive_text())
        assert (kind, panel["parts"]["status"]["words"]) == ("panel", "Paused")


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


@pytest.mark.parametrize(("proxy", "counted_for"), [("", "127.0.0.1"), ("127.0.0.1", "6.6.6.6")])
def test_only_a_named_proxy_says_for_whom_it_calls(
    host: Host, monkeypatch: pytest.MonkeyPatch, proxy: str, counted_for: str
):
    # Otherwise an attacker who tries codes could put a new address into each request.
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", proxy)
    app = Starlette(routes=[Route("/who", lambda request: PlainTextResponse(request.client.host))])
    # 0 is the port that uvicorn gives an address which a proxy named.
    client = TestClient(OwnOrigin(app), base_url="http://localhost", client=("6.6.6.6", 0))
    assert client.get("/who").text == counted_for
