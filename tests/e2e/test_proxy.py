"""The deployment of `deploy/`, without containers: PostgreSQL with the role of the app, two workers, two web
processes, and nginx before them with TLS. Sessions stay, sockets live, processes are killed.

Needs nginx, in the path or named by DEBATE_TEST_NGINX; without it there is nothing to try.
"""

import http.client
import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlencode

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from playwright.sync_api import Browser, expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from debate_core.engine.audit import verify
from debate_core.host.host import Host, open_host
from debate_core.host.settings import Settings
from debate_core.record.commands import Pause, Resume
from debate_core.seats.scripted import read_script, spec_of
from tests import postgres
from tests.e2e import scripts
from tests.e2e.conftest import ROOT, start
from tests.monitoring import free_port
from tests.test_deploy import DEPLOY, tool
from tests.waiting import until

NGINX = os.environ.get("DEBATE_TEST_NGINX") or shutil.which("nginx") or ""
CODE, SECRET = "abcde-fghij", "s" * 32
NO_MORE: Mapping[str, str] = {}
pytestmark = [pytest.mark.e2e, pytest.mark.nightly, pytest.mark.skipif(not NGINX, reason="there is no nginx")]


@dataclass
class Behind:
    """A proxy at `port` of this machine, and the web processes behind it by their own ports."""

    port: int
    folder: Path
    host: Host
    """A third process, as far as the database can tell."""
    web: dict[int, "subprocess.Popen[bytes]"]
    workers: list["subprocess.Popen[bytes]"]
    trusts: ssl.SSLContext = field(repr=False)

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    def answered(self) -> list[int]:
        """Which process answered each request so far."""
        log = (self.folder / "nginx.log").read_text()
        return [int(line.rsplit(":", 1)[1]) for line in log.splitlines() if re.search(r" 127\.0\.0\.1:\d+$", line)]


class Visitor:
    """A browser without pages: it keeps its cookies."""

    def __init__(self, behind: Behind) -> None:
        self.behind = behind
        self.cookies: dict[str, str] = {}

    def headers(self) -> dict[str, str]:
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}

    def ask(
        self, path: str, more: Mapping[str, str] = NO_MORE, *, post: Mapping[str, str] | None = None
    ) -> tuple[int, str]:
        to = http.client.HTTPSConnection("127.0.0.1", self.behind.port, context=self.behind.trusts, timeout=30)
        headers = {**self.headers(), "Origin": self.behind.url, **more}
        body = None
        if post is not None:
            body, headers["Content-Type"] = urlencode(post), "application/x-www-form-urlencoded"
        to.request("GET" if post is None else "POST", path, body, headers)
        answer = to.getresponse()
        for header in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = header.partition(";")[0].partition("=")
            self.cookies[name] = value
            assert "HttpOnly" in header
            assert "Secure" in header
        text = answer.read().decode()
        to.close()
        return answer.status, text

    def watch(self, debate_id: str) -> ClientConnection:
        url = f"wss://127.0.0.1:{self.behind.port}/api/debates/{debate_id}/live"
        return connect(url, ssl=self.behind.trusts, additional_headers=self.headers(), origin=Origin(self.behind.url))


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Behind]:
    folder = tmp_path_factory.mktemp("proxy")
    ports, front = (free_port(), free_port()), free_port()
    settings = {"DEBATE_SECRET": SECRET, "DEBATE_SIGNING_KEY": "0" * 64, "DEBATE_LOG": "json"}
    of_web = {
        "DEBATE_WORKER": "none",
        "DEBATE_PUBLIC_URL": f"https://127.0.0.1:{front}",
        "DEBATE_HOST_CODE": CODE,
        "FORWARDED_ALLOW_IPS": "127.0.0.1",
        "STREAMLIT_SERVER_COOKIE_SECRET": "0" * 64,
    }
    with ExitStack() as stack:
        settings["DEBATE_DB"] = database = stack.enter_context(_database(folder))
        workers = [stack.enter_context(_worker(folder, settings)) for _ in range(2)]
        web = {port: start(folder, port, {**settings, **of_web}) for port in ports}
        for process in web.values():
            stack.callback(_end, process)
        trusts = stack.enter_context(_proxy(folder, front, ports))
        host = open_host(Settings(database, worker="none", secret=SECRET, signing_key="0" * 64))
        stack.callback(host.close)
        yield Behind(front, folder, host, web, workers, trusts)


@contextmanager
def _database(folder: Path) -> Iterator[str]:
    """Create the database as the compose file does: tables by their owner, the app role by the two scripts."""
    password = folder / "password"
    password.write_text("secret")
    scripts = [word for name in ("role", "password") for word in ("-f", str(DEPLOY / f"postgres-{name}.sql"))]
    with postgres.new_database() as url:
        tool("psql", url, "-X", *scripts, APP_PASSWORD_FILE=str(password))
        yield postgres.written(url.set(username="debate_app", password="secret"))


@contextmanager
def _worker(folder: Path, settings: Mapping[str, str]) -> Iterator["subprocess.Popen[bytes]"]:
    command = [sys.executable, "-m", "debate_core", "worker"]
    with (folder / "worker.log").open("ab") as log:
        process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **settings}, stderr=log)
    try:
        yield process
    finally:
        _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    process.wait(timeout=30)


def begin(behind: Behind) -> str:
    """A debate of scripted seats that takes some seconds; paused."""
    text, _ = scripts.ALL["stream"]
    debate_id = behind.host.create(spec_of(read_script(text)), by="tests", script_text=text, pace_cps=200)
    behind.host.submit(debate_id, Pause(by="tests", reason="not yet"))
    return debate_id


@contextmanager
def _proxy(folder: Path, front: int, ports: tuple[int, int]) -> Iterator[ssl.SSLContext]:
    """nginx with the shipped file, but for names, ports and folders."""
    certificate, key = _certificate(folder)
    text = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    for ours, here in {
        "/tmp/": f"{folder}/",
        "web1:8501": f"127.0.0.1:{ports[0]}",
        "web2:8501": f"127.0.0.1:{ports[1]}",
        "listen 8080;": f"listen 127.0.0.1:{free_port()};",
        "listen 8443 ssl;": f"listen 127.0.0.1:{front} ssl;",
        "server_name debates.example.org;": "server_name 127.0.0.1;",
        "/etc/nginx/tls/fullchain.pem": str(certificate),
        "/etc/nginx/tls/privkey.pem": str(key),
        "/dev/stdout": str(folder / "nginx.log"),
    }.items():
        assert ours in text
        text = text.replace(ours, here)
    (folder / "nginx.conf").write_text(text)
    command = [NGINX, "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]
    with (folder / "nginx.err").open("ab") as log:
        proxy = subprocess.Popen(command, stderr=log)
    trusts = ssl.create_default_context(cafile=certificate)
    try:
        until(lambda: (folder / "nginx.pid").exists() or proxy.poll() is not None)
        assert proxy.poll() is None, (folder / "nginx.err").read_text()
        yield trusts
    finally:
        proxy.terminate()
        proxy.wait(timeout=10)


def _certificate(folder: Path) -> tuple[Path, Path]:
    """Create a self-signed certificate for this machine, valid for a day."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime.now(UTC) - timedelta(minutes=5))
        .not_valid_after(datetime.now(UTC) + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate, secret = folder / "cert.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    secret.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain))
    return certificate, secret


def test_each_browser_stays_with_one_process_and_both_have_some(behind: Behind):
    homes = Counter[int]()
    for _ in range(24):
        visitor, before = Visitor(behind), len(behind.answered())
        for _ in range(4):
            assert visitor.ask("/healthz")[0] == 200
        until(lambda before=before: len(behind.answered()) >= before + 4)  # type: ignore[misc]
        (home,) = set(behind.answered()[before : before + 4])
        homes[home] += 1
    assert set(homes) == set(behind.web)
    assert min(homes.values()) >= 4


def test_nobody_behind_the_proxy_is_taken_for_the_operator(behind: Behind):
    for more in ({}, {"X-Forwarded-For": "127.0.0.1"}, {"Forwarded": "for=127.0.0.1"}, {"X-Real-IP": "127.0.0.1"}):
        status, text = Visitor(behind).ask("/healthz", more)
        assert (status, json.loads(text)) == (200, {"ok": True})
    assert Visitor(behind).ask("/_stcore/metrics")[0] == 404


def test_a_page_and_its_sockets_come_through_the_proxy(behind: Behind, browser: Browser):
    context = browser.new_context(ignore_https_errors=True)
    page = context.new_page()
    page.goto(f"{behind.url}/host")
    page.get_by_label(re.compile("code", re.IGNORECASE)).fill(CODE)
    with page.expect_navigation():
        page.get_by_role("button").first.click()
    page.goto(f"{behind.url}/room?id={begin(behind)}")
    expect(page.get_by_text("Paused", exact=False).first).to_be_visible()
    sticky = [cookie for cookie in context.cookies() if cookie["name"] == "debate_door"]
    assert len(sticky) == 1
    context.close()


def test_a_lost_process_stops_neither_debate_nor_viewers(behind: Behind):
    host, debate = behind.host, begin(behind)
    visitor = Visitor(behind)
    assert visitor.ask("/host", post={"code": CODE})[0] == 303
    before = len(behind.answered())
    visitor.ask("/readyz")
    until(lambda: len(behind.answered()) > before)
    home = behind.answered()[-1]
    with visitor.watch(debate) as socket:
        assert json.loads(socket.recv(timeout=30))[0][0] == "snapshot"
        host.submit(debate, Resume(by="tests"))
        # Live text in a worker, before any of it is recorded.
        while not any(kind == "text" for kind, _ in json.loads(socket.recv(timeout=30))):
            assert not host.state(debate).all_turns()
        behind.web[home].send_signal(signal.SIGKILL)
        behind.workers[0].send_signal(signal.SIGKILL)
        died_s = time.monotonic()
        with suppress(ConnectionClosed):
            while socket.recv(timeout=30):
                pass
    with visitor.watch(debate) as socket:
        kind, _picture = json.loads(socket.recv(timeout=30))[0]
        back_s = time.monotonic() - died_s
    assert (kind, back_s <= 5) == ("snapshot", True)
    until(lambda: host.state(debate).outcome is not None)
    print(f"a viewer is back after {back_s:.2f} s; over {time.monotonic() - died_s:.1f} s after the kill")
    with postgres.admin() as db:
        counted = "SELECT application_name, count(*) FROM pg_stat_activity WHERE usename = 'debate_app' GROUP BY 1"
        print(db.execute(counted).fetchall())
    assert verify(host.events(debate)) == ()
    taken = [event.key for event in host.events(debate) if event.kind == "turn_taken"]
    assert len(taken) == len(set(taken)) > 2
    assert json.loads(visitor.ask("/readyz")[1]) == {"ready": True}


def test_all_logs_are_json_lines_without_words_of_people(behind: Behind):
    lines = (behind.folder / "worker.log").read_text().splitlines()
    # Streamlit greets in its own words.
    lines += [line for line in (behind.folder / "server.log").read_text().splitlines() if line.startswith("{")]
    told = [json.loads(line) for line in lines if line.startswith("{")]
    assert {line.get("event") for line in told} >= {"turn_taken", "closed", "visit"}
    question = spec_of(read_script(scripts.ALL["stream"][0])).question
    for word in (question, CODE, SECRET, "secret@"):
        assert word not in "\n".join(lines)
