"""One attempt to deliver a message, to real servers on this machine."""

import asyncio
import base64
import email
import email.policy
import email.utils
import hashlib
import hmac
import json
import socket
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from debate_core.host.messages import delivery
from debate_core.host.messages.addresses import is_outside
from debate_core.host.messages.channels import ChannelSpec, MailServer, MessageChannel, MessageSettings
from debate_core.host.messages.delivery import deliver
from debate_core.host.messages.faults import DeliveryFault
from debate_core.host.messages.formats import mail_of, webhook_body
from debate_core.host.messages.mail import Mailing
from debate_core.report.phrases.letters import Letter
from debate_core.seats.providers.network import Network
from tests.receivers import MailBox, WebhookServer
from tests.wire.authority import Authority

SECRET = bytes(range(32))
HOSTILE = "<!channel> *bold* [x](http://evil.example)\r\nBcc: eve@evil.example\r\n\r\n& `code` \u202eright"


def letter(sentence: str = "It is your turn.", **fields: Any) -> Letter:
    given = {"kind": "your_turn", "debate": "d-1", "roles": ("debater",)}
    link = "https://debates.example/room?id=d-1"
    return Letter("msg_1", "2026-03-04T05:06:07.000000Z", "Your turn", sentence, link, "Open", **{**given, **fields})


def channel(url: str, kind: str = "json", secret: bytes = SECRET) -> MessageChannel:
    spec = ChannelSpec.model_validate({"kind": kind, "url": url, "secret_env": "DEBATE_HOOK_SECRET"})
    return MessageChannel("bus", spec, url, secret)


def send(to: MessageChannel, *, inside: str = "127.0.0.1", **fields: Any) -> DeliveryFault | None:
    return asyncio.run(deliver(letter(), to, MessageSettings(inside_hosts=frozenset({inside}), **fields)))


def test_webhook_is_signed_as_standard_webhooks_describe() -> None:
    with WebhookServer() as server:
        assert send(channel(f"http://127.0.0.1:{server.port}/hook?key=s3cret")) is None
    path, headers, body = server.received[0]
    assert path == "/hook?key=s3cret"
    assert headers["host"] == f"127.0.0.1:{server.port}"
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    assert headers["webhook-id"] == "msg_1"
    assert json.loads(body) == {
        "type": "debate.your_turn",
        "timestamp": "2026-03-04T05:06:07.000000Z",
        "data": {
            "debate": "d-1",
            "text": "It is your turn.",
            "link": "https://debates.example/room?id=d-1",
            "roles": ["debater"],
        },
    }


def test_signature_equals_the_published_example() -> None:
    """The vector of the Standard Webhooks libraries."""
    secret = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    headers = delivery.signature_headers(
        "msg_p5jXN8AQM9LWM0D4loKWxJek", b'{"test": 2432232314}', secret, at_s=1614265330
    )
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_private_host_is_refused_without_a_connection() -> None:
    with WebhookServer() as server:
        fault = send(channel(f"http://127.0.0.1:{server.port}/"), inside="other.example")
    assert fault == DeliveryFault("inside", "127.0.0.1", permanent=True)
    assert server.received == []


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:4136:e378:8000:63bf:80ff:fffe",
        "localhost", "",
    ],
)  # fmt: skip
def test_address_inside_the_network_is_recognised(address: str) -> None:
    assert not is_outside(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_public_address_is_recognised(address: str) -> None:
    assert is_outside(address)


@pytest.mark.parametrize("host", ["10.0.0.5", "[fc00::1]", "127.1", "2130706433", "0x7f.1"])
def test_address_inside_is_refused_before_a_proxy(host: str) -> None:
    network = Network(https_proxy="http://127.0.0.1:9")
    fault = send(channel(f"https://{host}/x"), network=network)
    assert fault is not None
    assert fault.reason == "inside"


def test_name_is_left_to_a_proxy() -> None:
    """This process does not resolve it; the proxy is away."""
    fault = send(channel("https://hooks.example/x"), network=Network(https_proxy="http://127.0.0.1:9"))
    assert fault is not None
    assert (fault.reason, fault.permanent) == ("connection", False)


def test_name_that_resolves_inside_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [socket.getaddrinfo("93.184.216.34", 80, type=socket.SOCK_STREAM)]
    answers[0] += socket.getaddrinfo("10.0.0.7", 80, type=socket.SOCK_STREAM)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_named: answers[0])
    assert send(channel("https://hooks.example/x")) == DeliveryFault("inside", "hooks.example", permanent=True)


def test_connection_goes_to_the_checked_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name server gives another address at the second question, which is never asked; TLS checks the name."""
    authority = Authority(tmp_path)
    asked: list[str] = []
    real = socket.getaddrinfo

    def resolve(host: Any, port: Any, *rest: Any, **named: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if name == "hooks.example":
            asked.append(name)
            return real("127.0.0.1" if len(asked) == 1 else "127.0.0.99", port, type=socket.SOCK_STREAM)
        return real(host, port, *rest, **named)

    with WebhookServer(tls=authority.serving("hooks.example")) as server:
        monkeypatch.setattr(socket, "getaddrinfo", resolve)
        to = channel(f"https://hooks.example:{server.port}/x")
        network = Network(ca_file=str(authority.file))
        assert send(to, inside="hooks.example", network=network) is None
    assert asked == ["hooks.example"]
    assert server.received[0].headers["host"] == f"hooks.example:{server.port}"


def test_certificate_of_another_name_is_refused(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    with WebhookServer(tls=authority.serving("other.example")) as server:
        network = Network(ca_file=str(authority.file))
        fault = send(channel(f"https://localhost:{server.port}/x"), inside="localhost", network=network)
    assert fault is not None
    assert fault.reason == "connection"
    assert "certificate" in fault.detail
    assert server.received == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirect_is_not_followed(status: int) -> None:
    with WebhookServer() as goal, WebhookServer(status, location=f"http://127.0.0.1:{goal.port}/") as server:
        fault = send(channel(f"http://127.0.0.1:{server.port}/"))
    assert fault == DeliveryFault("redirect", str(status), permanent=True)
    assert goal.received == []


@pytest.mark.parametrize(
    ("status", "is_final"),
    [(400, True), (401, True), (404, True), (410, True), (408, False), (429, False), (500, False)],
)
def test_status_decides_about_another_attempt(status: int, is_final: bool) -> None:
    with WebhookServer(status) as server:
        server.retry_after = "7"
        fault = send(channel(f"http://127.0.0.1:{server.port}/"))
    assert fault == DeliveryFault("status", str(status), permanent=is_final, wait_s=7)


def test_receiver_may_ask_to_wait_until_a_date() -> None:
    with WebhookServer(503) as server:
        server.retry_after = email.utils.format_datetime(datetime.now(UTC) + timedelta(hours=9))
        fault = send(channel(f"http://127.0.0.1:{server.port}/"))
    assert fault == DeliveryFault("status", "503", wait_s=delivery.MAX_WAIT_S)


def test_receiver_that_does_not_answer_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "SEND_S", 0.3)
    with WebhookServer(1.0) as server:
        fault = send(channel(f"http://127.0.0.1:{server.port}/"))
    assert fault is not None
    assert fault.reason in ("late", "connection")
    assert not fault.permanent


def test_endless_headers_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that sends a byte now and then keeps every single wait short."""
    monkeypatch.setattr(delivery, "SEND_S", 0.5)

    def drip(listening: socket.socket) -> None:
        connected, _address = listening.accept()
        with connected, suppress(OSError):
            connected.sendall(b"HTTP/1.1 200 OK\r\n")
            while True:
                connected.sendall(b"x")
                time.sleep(0.05)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        dripping = threading.Thread(target=drip, args=(listening,))
        dripping.start()
        fault = send(channel(f"http://127.0.0.1:{listening.getsockname()[1]}/"))
        dripping.join()
    assert fault == DeliveryFault("late", "0.5")


def test_closed_port_is_a_fault_that_passes() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    fault = send(channel(f"http://127.0.0.1:{port}/secret-path"))
    assert fault is not None
    assert (fault.reason, fault.permanent) == ("connection", False)
    assert "secret-path" not in fault.detail


def test_slack_message_holds_hostile_text_as_plain_text() -> None:
    body = json.loads(webhook_body(letter(HOSTILE), channel("https://hooks.slack.com/x", "slack")))
    assert body["blocks"][0]["text"]["type"] == "plain_text"
    assert "<" not in body["text"]
    assert "&lt;!channel&gt;" in body["text"]
    assert body["blocks"][1]["text"]["text"] == "<https://debates.example/room?id=d-1|Open>"


def test_teams_card_holds_hostile_text_as_text_runs() -> None:
    body = json.loads(webhook_body(letter(HOSTILE), channel("https://x.webhook.office.com/x", "teams")))
    card = body["attachments"][0]["content"]
    assert {block["type"] for block in card["body"]} == {"RichTextBlock"}
    assert card["body"][1]["inlines"] == [{"type": "TextRun", "text": HOSTILE}]


MAIL = MessageChannel("ada", ChannelSpec(kind="mail", to="ada@example.org", person="Ada"))


def server_at(port: int, **fields: Any) -> MailServer:
    return MailServer("localhost", port, "debates@example.org", **fields)


def test_mail_headers_take_no_line_break_of_a_text() -> None:
    hostile = mail_of(letter(HOSTILE), MAIL, server_at(25), at=datetime(2026, 3, 4, tzinfo=UTC))
    read = email.message_from_bytes(hostile.as_bytes(), policy=email.policy.default)
    assert read["Bcc"] is None
    assert read["To"] == "ada@example.org"
    assert "\u202e" not in str(read["Subject"])


def test_mail_is_sent_over_tls_with_a_login(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    with MailBox(tls=authority.serving("localhost")) as box:
        settings = MessageSettings(
            mail=server_at(box.port, user="debates", password="pw"),
            inside_hosts=frozenset({"localhost"}),
            network=Network(ca_file=str(authority.file)),
        )
        assert asyncio.run(deliver(letter(), MAIL, settings)) is None
    mail = box.mails[0]
    assert (mail.sender, mail.to, mail.was_secure) == ("debates@example.org", "ada@example.org", True)
    assert base64.b64decode(mail.login) == b"\0debates\0pw"
    assert "Message-ID: <msg_1@example.org>" in mail.text
    assert "https://debates.example/room?id=d-1" in mail.text


def test_mail_without_tls_goes_only_to_an_allowed_host() -> None:
    mail = mail_of(letter(), MAIL, server_at(25), at=datetime(2026, 3, 4, tzinfo=UTC))
    with MailBox() as box:
        allowed, other = (
            asyncio.run(Mailing(server_at(box.port), ("127.0.0.1",), "", may_be_plain=may_be_plain).send(mail))
            for may_be_plain in (True, False)
        )
    assert allowed is None
    assert other == DeliveryFault("no_tls", "localhost", permanent=True)
    assert len(box.mails) == 1


def test_mail_server_inside_the_network_is_refused() -> None:
    with MailBox() as box:
        fault = asyncio.run(deliver(letter(), MAIL, MessageSettings(mail=server_at(box.port))))
    assert fault == DeliveryFault("inside", "localhost", permanent=True)
    assert box.hellos == []


@pytest.mark.parametrize(("code", "is_final"), [(451, False), (554, True)])
def test_mail_code_decides_about_another_attempt(code: int, is_final: bool) -> None:
    with MailBox(code=code) as box:
        settings = MessageSettings(mail=server_at(box.port), inside_hosts=frozenset({"localhost"}))
        fault = asyncio.run(deliver(letter(), MAIL, settings))
    assert fault == DeliveryFault("status", str(code), permanent=is_final)


def test_mail_server_that_hangs_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "MAIL_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        settings = MessageSettings(mail=server_at(deaf.getsockname()[1]), inside_hosts=frozenset({"localhost"}))
        assert asyncio.run(deliver(letter(), MAIL, settings)) == DeliveryFault("late", "0.5")
