"""Calls from a company's network: through its proxy, to servers whose certificates its own authority has signed."""

import asyncio
import logging
import os
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from debate_core.__main__ import main
from debate_core.errors import SeatError
from debate_core.host.fillers import access_of
from debate_core.host.settings import read_settings
from debate_core.host.stores.memory import MemoryStore
from debate_core.seats.providers.dialects import server_models, wire_for
from debate_core.seats.providers.network import Network
from debate_core.seats.providers.wire import Call, Reply
from debate_core.spec.models import Dialect
from tests.model_server import ModelServer
from tests.monitoring import free_port
from tests.wire.authority import DAY, Authority
from tests.wire.forward_proxy import ForwardProxy
from tests.wire.rig import DIALECTS, KEY, line_at

# To load a vendor's package takes seconds.
pytestmark = pytest.mark.slow
HOST = "models.example"
AT = f"{HOST}:443"
PASSWORD = "p@ss/word-Kestrel"
CALL = Call("RULES", ("QUESTION",), (), "TAIL", {"type": "object", "properties": {}}, 8_000, "schema")


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def model_server(authority: Authority) -> Iterator[ModelServer]:
    """A server that the company's network knows as `models.example`."""
    with ModelServer(tls=authority.serving(HOST), votes=["adopt"], models=["m"]) as server:
        yield server


def ask(base_url: str, network: Network, dialect: Dialect = "chat", deadline_s: float = 10) -> Reply:
    """The reply to one call."""

    async def call() -> Reply:
        wire = wire_for(line_at(base_url, dialect), KEY, network=network)
        try:
            return await wire.ask(CALL, lambda _text, _thinking: None, deadline_s=deadline_s)
        finally:
            await wire.close()

    return asyncio.run(call())


class StopsAtConnect(logging.Handler):
    """Stops the process for a while as soon as the first connection is being opened."""

    def __init__(self, seconds: float) -> None:
        super().__init__(logging.DEBUG)
        self.left = [seconds]

    def emit(self, record: logging.LogRecord) -> None:
        if self.left and record.getMessage().startswith("connect_tcp.started"):
            asyncio.get_running_loop().call_soon(time.sleep, self.left.pop())


def test_a_process_that_stands_still_connects_again(caplog: pytest.LogCaptureFixture):
    halt = StopsAtConnect(1.2)
    library = logging.getLogger("httpcore2.connection")
    caplog.set_level(logging.DEBUG, library.name)
    library.addHandler(halt)
    try:
        with ModelServer(votes=["adopt"]) as server:
            reply = ask(server.base_url("chat"), Network(), deadline_s=2)
            calls = len(server.log)
    finally:
        library.removeHandler(halt)
    assert (reply.status, reply.transport, halt.left, calls) == ("complete", False, [], 1)


class Heads(BaseHTTPRequestHandler):
    """Keeps the headers of each call, and refuses it."""

    seen: ClassVar[list[dict[str, str]]] = []

    def do_POST(self) -> None:
        self.seen.append({name.casefold(): value for name, value in self.headers.items()})
        self.send_response(401)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        """Print nothing."""


@pytest.mark.parametrize("dialect", DIALECTS)
def test_key_is_a_bearer_token_in_every_dialect(dialect: Dialect):
    """Keep to the table of services in docs/models.md."""
    Heads.seen.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Heads) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        root = f"http://127.0.0.1:{server.server_address[1]}"
        ask(root if dialect == "messages" else f"{root}/v1", Network(), dialect)
        server.shutdown()
    (head,) = Heads.seen
    assert head["authorization"] == f"Bearer {KEY}"
    assert {"api-key", "x-api-key"}.isdisjoint(head)


def at_host(dialect: Dialect = "chat") -> str:
    return f"https://{HOST}" if dialect == "messages" else f"https://{HOST}/v1"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_call_goes_through_the_proxy(model_server: ModelServer, authority: Authority, dialect: Dialect):
    with ForwardProxy({AT: model_server.port}) as proxy:
        reply = ask(at_host(dialect), Network(proxy.url, ca_file=str(authority.file)), dialect)
    assert (reply.status, reply.message, proxy.asked) == ("complete", "", [AT])
    assert [call.has_key for call in model_server.log] == [True]


def test_proxy_takes_the_login_of_its_address(model_server: ModelServer, authority: Authority):
    with ForwardProxy({AT: model_server.port}, login=f"ana:{PASSWORD}") as proxy:
        network = Network(proxy.url_with("ana:p%40ss%2Fword-Kestrel"), ca_file=str(authority.file))
        assert ask(at_host(), network).status == "complete"


@pytest.mark.parametrize(
    ("login", "said"),
    [
        ("", "asks for a login (407): write NAME:PASSWORD@ before its host in DEBATE_HTTPS_PROXY"),
        ("ana:Merlin-wrong", "does not accept the login in DEBATE_HTTPS_PROXY (407)"),
    ],
)
def test_proxy_without_the_right_login_is_named(login: str, said: str):
    with ForwardProxy({}, login=f"ana:{PASSWORD}") as proxy:
        reply = ask(at_host(), Network(proxy.url_with(login) if login else proxy.url))
    assert reply.message == f"the proxy {proxy.place} {said}"
    assert (reply.permanent, reply.transport, reply.usage.calls) == (True, True, 0)


@pytest.mark.parametrize(
    ("status", "said", "permanent"),
    [(403, f"refuses to connect to {HOST} (403)", True), (502, f"does not reach {HOST} (502)", False)],
)
def test_proxy_that_opens_no_tunnel_is_named(status: int, said: str, permanent: bool):
    with ForwardProxy({}, refuses=status) as proxy:
        reply = ask(at_host(), Network(proxy.url))
    assert reply.message == f"the proxy {proxy.place} {said}"
    assert (reply.permanent, reply.transport, reply.usage.calls) == (permanent, True, 0)


def test_proxy_that_does_not_listen_is_named():
    place = f"127.0.0.1:{free_port()}"
    reply = ask(at_host(), Network(f"http://{place}"))
    assert reply.message.startswith(f"the proxy {place} refuses the connection")
    assert (reply.permanent, reply.usage.calls) == (False, 0)


@pytest.mark.parametrize(
    "base_url", ["https://models.invalid/v1", "https://a..b/v1", f"https://{'a' * 64}.example/v1"], ids=str
)
def test_name_that_is_not_found_is_named(base_url: str):
    reply = ask(base_url, Network())
    host = base_url.removeprefix("https://").removesuffix("/v1")
    assert reply.message.startswith(f"the name of {host} is not found"), reply.message
    assert reply.usage.calls == 0


def test_proxy_whose_name_is_not_found_is_named():
    reply = ask(at_host(), Network("http://proxy.invalid:8080"))
    assert reply.message.startswith("the name of the proxy proxy.invalid:8080 is not found"), reply.message


def test_private_authority_is_trusted_once_it_is_named(authority: Authority):
    with ModelServer(tls=authority.serving("127.0.0.1"), votes=["adopt"]) as server:
        refused = ask(server.base_url("chat"), Network())
        assert ask(server.base_url("chat"), Network(ca_file=str(authority.file))).status == "complete"
    assert refused.message.startswith(f"the certificate of 127.0.0.1:{server.port} is not trusted (")
    assert "DEBATE_CA_FILE" in refused.message
    assert (refused.permanent, refused.usage.calls) == (True, 0)


def test_proxy_that_opens_https_itself_shows_in_the_certificate(model_server: ModelServer):
    """Cover proxies that decrypt traffic: the certificate is the proxy's, and not the server's."""
    with ForwardProxy({AT: model_server.port}) as proxy:
        reply = ask(at_host(), Network(proxy.url))
    assert reply.message.startswith(f"the certificate of {HOST} is not trusted ("), reply.message


def test_proxy_that_speaks_https_is_trusted_and_named(model_server: ModelServer, authority: Authority):
    with ForwardProxy({AT: model_server.port}, tls=authority.serving("127.0.0.1")) as proxy:
        assert ask(at_host(), Network(proxy.url, ca_file=str(authority.file))).status == "complete"
        reply = ask(at_host(), Network(proxy.url))
    said = f"the certificate of {HOST} (or the proxy {proxy.place}) is not trusted ("
    assert reply.message.startswith(said), reply.message


@pytest.mark.parametrize(
    ("host", "begins", "ends", "said"),
    [
        ("127.0.0.1", -2 * DAY, -DAY, "has expired, or the clock of this machine is wrong"),
        ("127.0.0.1", DAY, 2 * DAY, "is not valid yet, or the clock of this machine is wrong"),
        ("other.example", -DAY, DAY, "is for another name ("),
        ("127.0.0.2", -DAY, DAY, "is for another name ("),
    ],
)
def test_certificate_that_does_not_hold_is_named(
    authority: Authority, host: str, begins: timedelta, ends: timedelta, said: str
):
    with ModelServer(tls=authority.serving(host, begins=begins, ends=ends)) as server:
        reply = ask(server.base_url("chat"), Network(ca_file=str(authority.file)))
    assert reply.message.startswith(f"the certificate of 127.0.0.1:{server.port} {said}"), reply.message
    assert reply.permanent


def test_https_to_a_server_of_plain_http_is_named():
    with ModelServer() as server:
        reply = ask(server.base_url("chat").replace("http:", "https:"), Network())
    assert reply.message.startswith(f"TLS with 127.0.0.1:{server.port} fails ("), reply.message


def test_models_are_listed_through_the_proxy(model_server: ModelServer, authority: Authority):
    async def listed(network: Network) -> list[str]:
        offers = await server_models(line_at(at_host(), model=""), KEY, deadline_s=10, network=network)
        return [offer.id for offer in offers]

    with ForwardProxy({AT: model_server.port}) as proxy:
        assert asyncio.run(listed(Network(proxy.url, ca_file=str(authority.file)))) == ["m"]
        assert proxy.asked == [AT]
        with pytest.raises(SeatError, match=f"^the certificate of {HOST} is not trusted"):
            asyncio.run(listed(Network(proxy.url)))


@pytest.fixture
def company(model_server: ModelServer, authority: Authority, monkeypatch: pytest.MonkeyPatch) -> Iterator[ForwardProxy]:
    """A network in which only the settings lead to the server."""
    with ForwardProxy({AT: model_server.port}, login="ana:Kestrel") as proxy:
        monkeypatch.setenv("DEBATE_HTTPS_PROXY", proxy.url_with("ana:Kestrel"))
        monkeypatch.setenv("DEBATE_CA_FILE", str(authority.file))
        yield proxy


def test_run_and_probe_use_the_settings(
    company: ForwardProxy, model_server: ModelServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    asked = ["--model", "m", "--base-url", at_host()]
    assert main(["run", "Adopt it?", *asked, "--out", str(tmp_path / "d.jsonl"), "--rounds", "1"]) == 0
    held = len(model_server.log)
    assert held > 0
    # Without --model, the list of models is asked for first.
    out = str(tmp_path / "e.jsonl")
    assert main(["run", "Adopt it?", "--base-url", at_host(), "--out", out, "--rounds", "1"]) == 0
    assert main(["probe", *asked]) == 0
    assert len(model_server.log) > 2 * held
    assert set(company.asked) == {AT}
    told = capsys.readouterr()
    assert "Kestrel" not in told.out + told.err + Path(out).read_text("utf-8")


def test_app_uses_the_settings(company: ForwardProxy):
    settings = read_settings(environ={**os.environ, "DEBATE_BASE_URLS": at_host()}, secrets=Path("nowhere"))
    access = access_of(settings, MemoryStore())
    assert "Kestrel" not in repr(settings) + repr(access)
    line = line_at(at_host(), key_env="")
    assert [offer.id for offer in access.server_models(line)] == ["m"]
    assert access.probe(line).answered
    assert set(company.asked) == {AT}
