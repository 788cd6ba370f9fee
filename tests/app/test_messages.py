"""The page of messages: channels with a test, undelivered messages, and what a host may not see."""

import secrets
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from debate_core.host.access.hosting import COOKIE
from debate_core.host.host import Host, reset_shared_host, shared_host
from debate_core.host.messages.outbox import QueuedMessage
from debate_core.record.acts import PollOpened
from debate_core.record.commands import Act, TakeTurn
from debate_core.spec.contents import Argument
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from debate_core.ui.pages import messages_debates
from tests.app.visiting import new_browser, press, words
from tests.messaging import people_spec
from tests.receivers import WebhookServer

FAY = "p-fay"
CODE = "copper-heron-9"


@pytest.fixture
def receiver() -> Iterator[WebhookServer]:
    with WebhookServer() as server:
        yield server


@pytest.fixture
def posting(host: Host, receiver: WebhookServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    """A host with two channels; the address of one is a secret."""
    file = tmp_path / "messages.toml"
    file.write_text(
        "[channels.team]\nkind = 'slack'\nurl_env = 'DEBATE_SLACK_URL'\nevents = ['decided']\n"
        "[channels.ada]\nkind = 'teams'\nurl = 'https://x.webhook.office.example/x'\nperson = 'Ada <b>'\n"
    )
    settings = {
        "DEBATE_MESSAGES": str(file),
        "DEBATE_PUBLIC_URL": "https://debates.example",
        "DEBATE_SLACK_URL": f"http://127.0.0.1:{receiver.port}/services/k3y",
        "DEBATE_MESSAGES_ALLOW": "127.0.0.1",
        "DEBATE_HOST_CODE": CODE,
    }
    for name, text in settings.items():
        monkeypatch.setenv(name, text)
    reset_shared_host()
    return shared_host()


def host_cookie(host: Host) -> str:
    return host.door.hosting.cookie(CODE, address="")


@pytest.fixture
def as_host(posting: Host, elsewhere: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser that typed the code of hosts."""
    monkeypatch.setattr(ContextProxy, "cookies", {COOKIE: host_cookie(posting)})


def page(app: AppTest | None = None) -> AppTest:
    app = app or new_browser()
    app.switch_page("messages.py").run()
    assert not app.exception, app.exception
    return app


def plain(app: AppTest) -> str:
    return words(app).replace("\\", "")


def rows(app: AppTest) -> list[str]:
    """Titles and states of the debates."""
    return [one.label for one in app.expander if "**" in one.label]


def dead_letter(host: Host, debate: str) -> QueuedMessage:
    message = QueuedMessage(
        channel="team",
        debate=debate,
        topic="decided",
        key=secrets.token_hex(4),
        at="2026-03-04T05:06:07.000000Z",
        attempts=8,
        reason="redirect",
        detail="302",
    )
    assert host.messages is not None
    host.messages.outbox.give_up(message)
    return message


def test_page_without_channels_names_the_setting(host: Host):
    assert host.messages is None
    app = page()
    assert "No channel is set up: this server sends nothing." in plain(app)
    assert "this server sends nothing. Nothing waits for you." in plain(app).replace("**", "")
    assert "No debate waits for a person, and no message was sent." in plain(app)
    assert "A channel is a mail address" in plain(app)
    (ask,) = app.get("link_button")
    assert ask.proto.url.startswith("mailto:?subject=Messages%20for%20our%20debates&body=")
    assert "DEBATE_MESSAGES=messages.toml" in unquote(ask.proto.url)
    assert 'kind = "slack"' in app.code[0].value
    assert "DEBATE_MESSAGES=messages.toml" in app.code[1].value
    app.segmented_control(key="messages_channel").set_value("mail").run()
    assert 'kind = "mail"' in app.code[0].value
    assert "DEBATE_SMTP=" in app.code[1].value
    assert [button.key for button in app.button if (button.key or "").startswith("test-")] == []
    app.switch_page("home.py").run()
    assert "Messages" not in [link.proto.label for link in app.get("page_link")]


def test_request_is_listed_with_its_mail_without_a_channel(host: Host):
    debate = host.create(people_spec(), by=FAY)
    host.submit(debate, Act(by=FAY, act=PollOpened(poll="pre")))
    app = page()
    (row,) = rows(app)
    assert row == "**Which?** :gray[Pre-vote · 2 ballots missing]"
    assert "Vote open: the pre-vote" in plain(app)
    assert "To: 2 people (voter)" in plain(app)
    assert "Nothing waits for you. 1 debate waits for others." in plain(app)
    assert "Which?" not in plain(app)
    (mail,) = [unquote(one.proto.url) for one in app.get("link_button") if one.proto.label == "Write a mail"]
    assert mail.startswith("mailto:?subject=Your vote&body=The vote in the debate")
    assert mail.endswith(f"/room?id={debate}")


def test_debates_that_wait_without_a_message_are_listed(host: Host):
    host.create(people_spec(), by=FAY)
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben", "cleo")]
    decided = host.create(compose("Do we ship it?", ["yes", "no"], protocol("bounded_vote"), seats), by="ana")
    for seat in seats:
        said = Argument(rationale="It costs $5.", vote="yes")
        host.submit(decided, TakeTurn(by=seat.id, request=f"1.proposal.{seat.id}.1", content=said))
    assert rows(page()) == [
        "**Do we ship it?** :gray[waits for you: Sign]",
        "**Which?** :gray[Lobby · waiting for Fay]",
    ]


def test_older_debates_with_requests_are_counted(host: Host, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(messages_debates, "MAX_DEBATES", 1)
    for _debate in range(2):
        host.submit(host.create(people_spec(), by=FAY), Act(by=FAY, act=PollOpened(poll="pre")))
    app = page()
    assert len(rows(app)) == 1
    assert "1 older debate is on the page Debates." in plain(app)


@pytest.mark.usefixtures("as_host")
def test_request_says_whether_its_message_arrived(posting: Host):
    assert posting.messages is not None
    outbox = posting.messages.outbox
    debate = posting.create(people_spec(), by=FAY)
    posting.submit(debate, Act(by=FAY, act=PollOpened(poll="pre")))
    assert "not sent: no channel takes it" in plain(page())
    message = QueuedMessage(channel="team", debate=debate, topic="vote", key="pre", at="2026-03-04T05:06:07.000000Z")
    outbox.add(message)
    assert "in the queue" in plain(page())
    outbox.note_delivered(message)
    app = page()
    assert "Arrived: Your vote · team: all its readers · " in plain(app)
    assert [subheader.value for subheader in app.subheader] == ["Debates", "Where messages go"]
    assert rows(app) == ["**Which?** :gray[Pre-vote · 2 ballots missing · 1 arrived]"]
    assert "Nothing is wrong." in plain(app)


@pytest.mark.usefixtures("as_host")
def test_channels_show_hosts_and_no_secret(posting: Host):
    app = page()
    assert "127.0.0.1" in plain(app)
    assert "x.webhook.office.example" in plain(app)
    assert "k3y" not in plain(app)
    assert "To Ada \\<b\\>" in words(app)
    assert "Nothing was sent yet." in plain(app)
    app.switch_page("home.py").run()
    assert "Messages" in [link.proto.label for link in app.get("page_link")]


@pytest.mark.usefixtures("as_host")
def test_test_is_sent_and_its_fault_shown(posting: Host, receiver: WebhookServer):
    app = page()
    press(app, "test-team")
    assert [one.value for one in app.success] == ["The receiver took the test."]
    assert receiver.received[0].path == "/services/k3y"
    receiver.answers = [404]
    press(app, "test-team")
    assert [one.value.replace("\\", "") for one in app.error] == ["The receiver answered 404."]
    assert "1 failed attempt since then" in plain(app)


@pytest.mark.usefixtures("as_host")
def test_dead_letter_is_dropped_or_sent_again(posting: Host):
    assert posting.messages is not None
    debate = posting.create(people_spec(), by=FAY)
    first, second = dead_letter(posting, debate), dead_letter(posting, debate)
    app = page()
    assert "2 messages are undelivered." in plain(app)
    assert "the receiver redirects (302)" in plain(app)
    assert "2 undelivered" in rows(app)[0]
    press(app, f"drop-{first.id}")
    assert [one.id for one in posting.messages.outbox.dead()] == [second.id]
    press(app, f"again-{second.id}")
    assert posting.messages.outbox.dead() == ()


@pytest.mark.usefixtures("as_host")
def test_dead_letter_of_a_closed_group_is_only_counted(posting: Host):
    dead_letter(posting, posting.create(people_spec(readers="members"), by=FAY))
    app = page()
    assert "Which?" not in plain(app)
    assert "1 undelivered message belongs to a debate of someone else." in plain(app)
    assert rows(app) == []
    assert [button.key for button in app.button if (button.key or "").startswith("drop-")] == []


@pytest.mark.usefixtures("elsewhere")
def test_page_is_not_for_guests(posting: Host):
    app = page()
    assert "webhook" not in plain(app)


def test_page_speaks_german(posting: Host, elsewhere: None, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ContextProxy, "cookies", {COOKIE: host_cookie(posting), "language": "de"})
    app = page()
    assert "Noch wurde nichts gesendet." in plain(app)
    assert app.button(key="test-team").label == "Test an team senden"
