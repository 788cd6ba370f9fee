"""The read API of a running server: every route by the OpenAPI document, streams of events, and the end of a server."""

import http.client
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from debate_core.host.access.rate_limit import MAX_REQUESTS
from debate_core.host.access.reading import OPERATOR
from debate_core.host.host import Host, HostOptions
from debate_core.host.quotas import TOKEN_STREAMS
from debate_core.host.stores import open_store
from debate_core.record.commands import Pause, Resume
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from tests.e2e.conftest import start
from tests.monitoring import free_port
from tests.people import whole_workshop
from tests.reading_api import bearer, read_messages, token_for

pytestmark = pytest.mark.slow

EXAMPLES = 500
GIVE_UP_S = 60.0


@dataclass(frozen=True)
class ApiServer:
    port: int
    process: Any
    database: str
    debates: tuple[str, ...]
    """A workshop that is over, and a debate without people that waits."""
    tokens: Mapping[str, str]
    folder: Path

    @contextmanager
    def host(self) -> Iterator[Host]:
        """Another process on the same database."""
        with closing(Host(open_store(self.database), HostOptions(worker="none"))) as host:
            yield host

    def ask(self, path: str, token: str = "", method: str = "GET", **headers: str) -> http.client.HTTPResponse:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        line.request(method, path, headers={**(bearer(token) if token else {}), **headers})
        return line.getresponse()

    def stream(self, debate: str, token: str, **headers: str) -> http.client.HTTPResponse:
        return self.ask(f"/api/v1/debates/{debate}/events", token, **headers)


def held(host: Host) -> tuple[str, ...]:
    workshop = whole_workshop()
    host._store.append("d-room", workshop.events, after=0)
    seats = [Seat(id=one, occupant="human", stance=one) for one in ("adopt", "defer", "reject")]
    waiting = host.create(compose("Adopt?", ("adopt", "defer", "reject"), protocol("single_call"), seats[:1]), by="fay")
    return "d-room", waiting


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiServer]:
    """The app as `make run` starts it, with two debates and some tokens; stopped at the end."""
    folder = tmp_path_factory.mktemp("api")
    database = f"sqlite:///{folder / 'debates.db'}"
    with closing(Host(open_store(database), HostOptions(worker="none"))) as host:
        debates = held(host)
        tokens = {
            "all": token_for(host),
            "room": token_for(host, debates=("d-room",)),
            "ask": token_for(host, scopes=("ask",)),
            "revoked": token_for(host),
            "other": token_for(host),
            "short-lived": token_for(host),
        }
        host.door.tokens.revoke(host.door.tokens.find(tokens["revoked"], address="").id, OPERATOR)
    port = free_port()
    process = start(folder, port)
    try:
        yield ApiServer(port, process, database, debates, tokens, folder)
    finally:
        process.terminate()
        process.wait(timeout=30)


# --- every route, by the document


def values(server: ApiServer, parameter: Mapping[str, Any]) -> st.SearchStrategy[str]:
    """Fitting values of a parameter, and any other."""
    schema = parameter["schema"]
    odd = st.text(st.characters(codec="utf-8"), max_size=300) | st.sampled_from(["9" * 5_000, "..", "\r\n"])
    if parameter["name"] == "debate_id":
        fit: st.SearchStrategy[str] = st.sampled_from(server.debates)
    elif "enum" in schema:
        fit = st.sampled_from(schema["enum"])
    else:
        fit = st.integers(schema["minimum"], min(schema["maximum"], 3)).map(str)
    return st.one_of(fit, fit, fit, fit, fit, odd)


@dataclass(frozen=True)
class ApiCase:
    template: str
    path: str
    method: str
    token: str
    headers: Mapping[str, str]
    is_described: bool
    """False if the case has something that the document does not know."""


@st.composite
def cases(draw: st.DrawFn, server: ApiServer, document: Mapping[str, Any]) -> ApiCase:
    template = draw(st.sampled_from(sorted(document["paths"])))
    path, query, headers = template, [], {}
    for parameter in document["paths"][template]["get"]["parameters"]:
        if parameter["in"] != "path" and draw(st.booleans()):
            continue
        value = draw(values(server, parameter))
        match parameter["in"]:
            case "path":
                path = path.replace(f"{{{parameter['name']}}}", quote(value, safe="") or "x")
            case "query":
                query.append((parameter["name"], value))
            case _:
                headers[parameter["name"]] = quote(value, safe="")
    # Not 0, which hypothesis draws more often.
    if draw(st.integers(0, 9)) == 5:
        query.append((draw(st.text(min_size=1, max_size=9)), draw(st.text(max_size=9))))
    method = draw(st.sampled_from([*["GET"] * 12, "HEAD", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]))
    kinds = ["all", "all", "all", "all", "room", "ask", "revoked", "none", "guess"]
    kind = draw(st.sampled_from(kinds))
    token = server.tokens.get(kind, "drt_guess" if kind == "guess" else "")
    accepts = draw(st.sampled_from(["*/*", "text/html", "application/json", "text/event-stream"]))
    tail = f"?{urlencode(query)}" if query else ""
    headers = {**headers, "Accept": accepts}
    return ApiCase(template, f"/api/v1{path}{tail}", method, token, headers, kind in ("all", "room"))


def check_answer(server: ApiServer, document: Mapping[str, Any], case: ApiCase) -> int:
    """Ask, and compare the answer with the document; returns the status."""
    answer = server.ask(case.path, case.token, case.method, **case.headers)
    is_stream = answer.getheader("Content-Type", "").startswith("text/event-stream")
    body = answer.read1(100_000) if is_stream else answer.read()
    answer.close()
    described = document["paths"][case.template]["get"]["responses"]
    assert str(answer.status) in described, (case, answer.status, body[:200])
    assert answer.getheader("X-Content-Type-Options") == "nosniff"
    assert answer.getheader("Cache-Control") == "no-store"
    assert answer.getheader("Access-Control-Allow-Origin") is None
    media_type = answer.getheader("Content-Type", "").partition(";")[0]
    content = described[str(answer.status)]["content"][media_type]
    if case.method == "HEAD":
        assert body == b""
    elif media_type == "application/json":
        found = json.loads(body)
        schema = {**content["schema"], "components": document["components"]}
        jsonschema.validate(found, schema, cls=jsonschema.Draft202012Validator)
    elif is_stream:
        schema = {**content["x-itemSchema"], "components": document["components"]}
        for _number, data in read_messages(body.decode("utf-8", "ignore").rpartition("\n\n")[0]):
            jsonschema.validate(data, schema, cls=jsonschema.Draft202012Validator)
    assert answer.status < 500
    if not case.is_described or case.method not in ("GET", "HEAD"):
        # Any valid token reads the document.
        is_document = case.template == "/openapi.json" and case.token == server.tokens["ask"]
        assert is_document or answer.status >= 400
    return int(answer.status)


def test_every_route_answers_as_the_document_says(server: ApiServer):
    document = json.loads(server.ask("/api/v1/openapi.json", server.tokens["all"]).read())
    statuses: list[int] = []

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=[*HealthCheck])
    @given(cases(server, document))
    def check(case: ApiCase) -> None:
        statuses.append(check_answer(server, document, case))

    assert EXAMPLES < MAX_REQUESTS
    check()
    assert {200, 400, 401, 403, 404, 405} <= set(statuses)
    assert statuses.count(200) > EXAMPLES / 10
    log = (server.folder / "server.log").read_text("utf-8")
    assert [token for token in server.tokens.values() if token in log] == []
    assert "Traceback" not in log


# --- streams


def until(true: Callable[[], bool]) -> None:
    give_up = time.monotonic() + GIVE_UP_S
    while not true():
        assert time.monotonic() < give_up
        time.sleep(0.05)


def read_until(stream: http.client.HTTPResponse, seq: int) -> str:
    text = ""
    give_up = time.monotonic() + GIVE_UP_S
    while f"id: {seq}\n" not in text or not text.endswith("\n\n"):
        assert time.monotonic() < give_up
        text += stream.read1(100_000).decode()
    return text


def test_stream_has_past_and_live_events_and_resumes(server: ApiServer):
    _room, debate = server.debates
    with server.host() as host:
        past = host.state(debate).version
        stream = server.stream(debate, server.tokens["all"])
        text = read_until(stream, past)
        host.submit(debate, Pause(by="fay", reason="a live one"))
        text += read_until(stream, past + 1)
        stream.close()
        host.submit(debate, Resume(by="fay"))
        again = server.stream(debate, server.tokens["all"], **{"Last-Event-ID": str(past + 1)})
        text += read_until(again, past + 2)
        again.close()
        events = host.events(debate)
    found = read_messages(text)
    assert [number for number, _ in found] == [event.seq for event in events]
    assert [(data["kind"], data["hash"]) for _, data in found] == [(event.kind, event.hash) for event in events]


def n_threads(server: ApiServer) -> int:
    return len(list(Path(f"/proc/{server.process.pid}/task").iterdir()))


def test_open_streams_hold_no_threads_and_are_limited(server: ApiServer):
    token, debate = server.tokens["all"], server.debates[1]
    # Pools make their threads when they need them: let them make all before the count.
    server.stream(debate, token).close()
    for _ in range(20):
        server.ask("/api/v1/debates", token).read()
    before = n_threads(server)
    with ExitStack() as opened:
        for _ in range(TOKEN_STREAMS.by_client):
            opened.enter_context(closing(server.stream(debate, token)))
        beyond = server.stream(debate, token)
        assert (beyond.status, beyond.getheader("Retry-After")) == (429, "60")
        assert server.stream(debate, server.tokens["other"]).status == 200
        assert n_threads(server) - before < TOKEN_STREAMS.by_client / 2
    until(lambda: server.stream(debate, token).status == 200)


def test_stream_ends_when_its_token_is_revoked(server: ApiServer):
    debate, token = server.debates[1], server.tokens["short-lived"]
    stream = server.stream(debate, token)
    with server.host() as host:
        read_until(stream, host.state(debate).version)
        host.door.tokens.revoke(host.door.tokens.find(token, address="").id, OPERATOR)
    assert stream.read() == b""
    # Earlier tests may have sent many wrong tokens from here.
    assert server.ask("/api/v1/debates", token).status in (401, 429)


# The last test of this file, because it ends the server.
def test_server_with_an_open_stream_stops(server: ApiServer):
    stream = server.stream(server.debates[1], server.tokens["all"])
    assert stream.status == 200
    server.process.terminate()
    server.process.wait(timeout=30)
    stream.close()
