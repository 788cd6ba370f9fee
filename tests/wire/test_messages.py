"""Messages from a debate to a receiver: queued, sent, sent again, given up, kept over a restart."""

import json
import logging
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from debate_core.host.host import Host, HostOptions
from debate_core.host.messages.channels import ChannelSpec, MessageChannel, MessageSettings
from debate_core.host.messages.outbox import Outbox, QueuedMessage, RetrySteps
from debate_core.host.messages.post_office import PostOffice
from debate_core.host.stores import Store, open_store
from debate_core.host.stores.memory import MemoryStore
from debate_core.record import acts
from debate_core.record.commands import Act, Resume, TakeTurn
from debate_core.spec.contents import Argument
from tests import postgres
from tests.messaging import ABE, DEB, DON, FAY, people_spec
from tests.receivers import WebhookServer
from tests.waiting import until

PUBLIC = "https://debates.example"
QUICK = RetrySteps(first_s=0.01, factor=1, attempts=3)


def channel(server: WebhookServer, name: str = "bus", **fields: object) -> MessageChannel:
    url = f"http://127.0.0.1:{server.port}/hook"
    given = {"kind": "json", "url": url, "secret_env": "DEBATE_HOOK", **fields}
    return MessageChannel(name, ChannelSpec.model_validate(given), url, secrets.token_bytes(32))


def post_office(
    host: Host,
    *channels: MessageChannel,
    steps: RetrySteps = QUICK,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> PostOffice:
    """The messages of a host, which looks often."""
    settings = MessageSettings({one.name: one for one in channels}, PUBLIC, inside_hosts=frozenset({"127.0.0.1"}))
    return PostOffice(host._store, host, settings, clock=clock, steps=steps, look_s=0.02)


@contextmanager
def sending(
    store: Store,
    *channels: MessageChannel,
    steps: RetrySteps = QUICK,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Iterator[tuple[Host, PostOffice]]:
    """A host and its post office. The store stays open."""
    host = Host(store, HostOptions(clock=clock))
    office = post_office(host, *channels, steps=steps, clock=clock)
    office.start()
    try:
        yield host, office
    finally:
        office.close(5)
        host.runs.close(drain_s=0)


def begin(host: Host, **agreed: object) -> str:
    """A debate whose first turns are asked."""
    debate = host.create(people_spec(**agreed), by=FAY.id)
    host.submit(debate, Resume(by=FAY.id))
    return debate


def speak(host: Host, debate: str, by: str, request: str) -> None:
    content = Argument(rationale="why", vote="adopt")
    host.submit(debate, TakeTurn(by=by, request=request, content=content))


def bodies(server: WebhookServer) -> list[dict[str, str]]:
    return [json.loads(one.body)["data"] for one in server.received]


def texts(server: WebhookServer) -> list[str]:
    return [body["text"] for body in bodies(server)]


def test_shared_channel_gets_one_message_a_phase() -> None:
    with WebhookServer() as server, sending(MemoryStore(), channel(server)) as (host, _office):
        debate = begin(host)
        until(lambda: server.received)
        speak(host, debate, DEB.id, "1.opening.s0.1")
        speak(host, debate, DON.id, "1.opening.s1.1")
        speak(host, debate, "p-dot", "1.opening.s2.1")
        until(lambda: len(server.received) == 2)
    assert texts(server) == ["The debate “Which?” waits for a turn: debater."] * 2
    assert {body["link"] for body in bodies(server)} == {f"{PUBLIC}/room?id={debate}"}


def test_channel_of_a_person_gets_their_turn_with_their_link() -> None:
    with WebhookServer() as server, sending(MemoryStore(), channel(server, person="deb")) as (host, _office):
        debate = host.create(people_spec(), by=FAY.id)
        invite = host.door.invitations.make_for(debate, DEB)
        host.door.invitations.make_for(debate, DON)
        host.submit(debate, Resume(by=FAY.id))
        until(lambda: server.received)
    assert texts(server) == ["It is your turn in the debate “Which?”."]
    assert bodies(server)[0]["link"] == f"{PUBLIC}/join/{host.door.token(invite)}"


def test_person_without_a_personal_invite_gets_no_message() -> None:
    """Someone came by the link for all, under a name that the operator knows."""
    with WebhookServer() as server, WebhookServer() as shared:
        channels = channel(server, person="Deb"), channel(shared, "all")
        with sending(MemoryStore(), *channels) as (host, _office):
            begin(host)
            until(lambda: shared.received)
    assert server.received == []


def test_revoked_link_is_not_sent_again() -> None:
    """The first attempt fails; then the facilitator takes the link back."""
    steps = RetrySteps(first_s=0.5, factor=1, attempts=5)
    with (
        WebhookServer(500, 204) as server,
        sending(MemoryStore(), channel(server, person="Deb"), steps=steps) as (host, office),
    ):
        debate = host.create(people_spec(), by=FAY.id)
        invite = host.door.invitations.make_for(debate, DEB)
        host.submit(debate, Resume(by=FAY.id))
        until(lambda: server.received)
        host.door.invitations.revoke(invite)
        until(lambda: not office.outbox.queued())
    assert len(server.received) == 1


def test_failed_attempts_are_repeated_with_the_same_id() -> None:
    with WebhookServer(500, 503, 204) as server, sending(MemoryStore(), channel(server)) as (host, office):
        begin(host)
        until(lambda: len(server.received) == 3)
        until(lambda: not office.outbox.queued())
        health = office.outbox.health("bus")
    assert len({one.headers["webhook-id"] for one in server.received}) == 1
    assert len({one.body for one in server.received}) == 1
    assert (health.failures, health.detail, bool(health.delivered_at)) == (0, "503", True)


def test_message_is_a_dead_letter_after_its_attempts() -> None:
    with WebhookServer(500) as server, sending(MemoryStore(), channel(server)) as (host, office):
        begin(host)
        until(office.outbox.dead)
        dead = office.outbox.dead()[0]
        assert (dead.attempts, dead.reason, dead.detail) == (3, "status", "500")
        assert len(server.received) == 3
        server.answers = [204]
        office.outbox.send_again(dead)
        until(lambda: len(server.received) == 4)
        until(lambda: not office.outbox.queued())
        assert office.outbox.dead() == ()
    assert len({one.headers["webhook-id"] for one in server.received}) == 1


def test_dead_letter_sent_again_at_once_stays_queued() -> None:
    """Someone presses *Send again* right after the write that makes it a dead letter, before the sender goes on."""

    class Watched(MemoryStore):
        def put_note(self, kind: str, name: str, text: str) -> None:
            super().put_note(kind, name, text)
            for dead in outbox.dead():
                outbox.send_again(dead)

        def drop_note(self, kind: str, name: str) -> None:
            super().drop_note(kind, name)
            assert outbox.queued()

    outbox = Outbox(Watched(), clock=lambda: datetime.now(UTC))
    message = QueuedMessage(channel="bus", debate="d", topic="decided", key="1", at="2026-03-04T05:06:07.000000Z")
    outbox.add(message)
    outbox.give_up(message)
    assert outbox.queued() == (message,)


def test_redirect_is_a_dead_letter_at_once() -> None:
    with (
        WebhookServer(302, location="http://127.0.0.1:1/") as server,
        sending(MemoryStore(), channel(server)) as (host, office),
    ):
        begin(host)
        until(office.outbox.dead)
        assert office.outbox.dead()[0].reason == "redirect"
    assert len(server.received) == 1


def test_queue_survives_a_restart(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'debates.db'}")
    slow = RetrySteps(first_s=1, factor=1, attempts=9)
    with WebhookServer(500) as server:
        with sending(store, channel(server), steps=slow) as (host, office):
            begin(host)
            until(lambda: any(one.attempts for one in office.outbox.queued()))
        store.close()
        server.answers = [204]
        store = open_store(f"sqlite:///{tmp_path / 'debates.db'}")
        with sending(store, channel(server)) as (_host, office):
            until(lambda: len(server.received) >= 2)
            until(lambda: not office.outbox.queued())
        store.close()
    assert len({one.headers["webhook-id"] for one in server.received}) == 1


def test_restart_repeats_no_delivered_message(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'debates.db'}")
    with WebhookServer() as server:
        with sending(store, channel(server)) as (host, office):
            debate = begin(host)
            until(lambda: server.received)
            until(lambda: not office.outbox.queued())
        with sending(store, channel(server)) as (host, _office):
            for person, seat in ((DEB.id, "s0"), (DON.id, "s1"), ("p-dot", "s2")):
                speak(host, debate, person, f"1.opening.{seat}.1")
            until(lambda: len(server.received) == 2)
    store.close()
    assert len({one.headers["webhook-id"] for one in server.received}) == 2


def test_one_of_two_processes_sends() -> None:
    """The second takes over when the first has ended."""
    store = MemoryStore()
    with WebhookServer() as server:
        with sending(store, channel(server)) as (host, _first):
            until(lambda: not is_free(store))
            with sending(store, channel(server)) as (_other, second):
                debate = begin(host)
                until(lambda: server.received)
                assert second._sender is not None
                assert second._sender._lease is None
        assert is_free(store)
        with sending(store, channel(server)) as (host, _third):
            for person, seat in ((DEB.id, "s0"), (DON.id, "s1"), ("p-dot", "s2")):
                speak(host, debate, person, f"1.opening.{seat}.1")
            until(lambda: len(server.received) == 2)
    assert len({one.headers["webhook-id"] for one in server.received}) == 2


@pytest.mark.slow
def test_worker_on_postgresql_sends_what_a_web_process_queues() -> None:
    """The web process shows the undelivered message, and a worker sends it again."""
    with postgres.new_database() as url, WebhookServer(500) as server:
        web, worker = (postgres.host_of(postgres.written(url)) for _ in range(2))
        sender, shown = (post_office(one, channel(server)) for one in (worker, web))
        sender.start()
        begin(web)
        until(shown.outbox.dead)
        server.answers = [204]
        shown.outbox.send_again(shown.outbox.dead()[0])
        until(lambda: len(server.received) == 4)
        until(lambda: not shown.outbox.queued())
        sender.close(5)
        for host in (web, worker):
            host.close()
    assert len({one.headers["webhook-id"] for one in server.received}) == 1


def is_free(store: Store) -> bool:
    """True if no process sends."""
    from debate_core.errors import Leased
    from debate_core.host.messages.post_office import LEASE_NAME

    try:
        store.release(store.acquire(LEASE_NAME, "another:1:0", ttl_s=1))
    except Leased:
        return False
    return True


def test_slow_channel_delays_no_other_and_no_debate() -> None:
    with WebhookServer(5.0) as slow, WebhookServer() as quick:
        channels = channel(slow, "slow"), channel(quick, "quick")
        with sending(MemoryStore(), *channels) as (host, office):
            begin(host)
            until(lambda: quick.received, within_s=3)
            began = datetime.now(UTC)
            office._sender.close(0.1) if office._sender else None
            office._sender = None
            assert datetime.now(UTC) - began < timedelta(seconds=3)
            assert [one.channel for one in office.outbox.queued()] == ["slow"]


def test_passed_turn_is_not_announced() -> None:
    """The receiver was away while the phase was played."""
    slow = RetrySteps(first_s=0.4, factor=1, attempts=9)
    with WebhookServer(500, 204) as server, sending(MemoryStore(), channel(server), steps=slow) as (host, office):
        debate = begin(host)
        until(lambda: len(server.received) == 1)
        for person, seat in ((DEB.id, "s0"), (DON.id, "s1"), ("p-dot", "s2")):
            speak(host, debate, person, f"1.opening.{seat}.1")
        until(lambda: len(server.received) >= 2)
        until(lambda: not office.outbox.queued())
    assert len({one.headers["webhook-id"] for one in server.received[1:]} - {server.received[0].headers["webhook-id"]})
    assert len(server.received) == 2


def test_debate_of_its_members_is_not_named_in_a_shared_channel() -> None:
    with WebhookServer() as server, sending(MemoryStore(), channel(server)) as (host, _office):
        begin(host, readers="members")
        until(lambda: server.received)
    assert b"Which?" not in server.received[0].body


def test_debate_of_an_account_is_not_named_in_a_shared_channel() -> None:
    with WebhookServer() as server, sending(MemoryStore(), channel(server)) as (host, _office):
        debate = host.create(people_spec(), by=FAY.id, owner="u-ann")
        host.submit(debate, Resume(by=FAY.id))
        until(lambda: server.received)
    assert b"Which?" not in server.received[0].body


def test_channel_takes_only_its_events_in_its_language() -> None:
    with WebhookServer() as server:
        german = channel(server, events=["decided", "due"], language="de")
        day = datetime(2026, 3, 4, 12, tzinfo=UTC)
        now = [day]
        with sending(MemoryStore(), german, clock=lambda: now[0]) as (host, _office):
            debate = begin(host, hold="none", pre_vote="none", final_vote="none")
            play(host, debate)
            signed = acts.Signed(verdict="accept", option="adopt", revisit="2026-03-06, or at 1,000 users")
            host.submit(debate, Act(by=ABE.id, act=signed))
            until(lambda: server.received)
            now[0] = day + timedelta(days=2)
            until(lambda: len(server.received) == 2)
    assert [json.loads(one.body)["type"] for one in server.received] == ["debate.decided", "debate.due"]
    assert "adopt" in texts(server)[0]
    assert "2026-03-06" in texts(server)[1]
    assert "zu „Which?“ hat den Termin" in texts(server)[1]
    assert json.loads(server.received[1].body)["data"]["roles"] == ["approver", "facilitator"]


def play(host: Host, debate: str) -> None:
    """Every turn, each by its person."""
    from debate_core.engine.engine import requests

    people = {"s0": DEB.id, "s1": DON.id, "s2": "p-dot"}
    while (state := host.state_now(debate)).outcome is None:
        if state.paused is not None:
            host.submit(debate, Resume(by=FAY.id))
            continue
        request = requests(state)[0]
        speak(host, debate, people[request.seat], request.id)


def test_old_debates_are_silent_when_messages_are_first_used() -> None:
    store = MemoryStore()
    day = datetime(2026, 3, 4, 12, tzinfo=UTC)
    host = Host(store, HostOptions(clock=lambda: day))
    debate = begin(host)
    host.runs.close(drain_s=0)
    with WebhookServer() as server:
        later = day + timedelta(days=3)
        with sending(store, channel(server), clock=lambda: later) as (host, _office):
            until(lambda: store.note("message-look", debate))
            other = begin(host)
            until(lambda: server.received)
    assert [body["debate"] for body in bodies(server)] == [other]


def test_test_message_reports_its_fault(caplog: pytest.LogCaptureFixture) -> None:
    """No log line shows the address, which is a secret."""
    caplog.set_level(logging.DEBUG)
    with WebhookServer(204, 404) as server, sending(MemoryStore(), channel(server)) as (_host, office):
        assert office.send_test("bus") is None
        fault = office.send_test("bus")
    assert fault is not None
    assert (fault.reason, fault.detail) == ("status", "404")
    assert json.loads(server.received[0].body)["type"] == "test"
    assert "/hook" not in caplog.text


def test_channel_without_settings_leaves_dead_letters() -> None:
    store = MemoryStore()
    slow = RetrySteps(first_s=60, attempts=9)
    with WebhookServer(500) as server:
        with sending(store, channel(server, "old"), steps=slow) as (host, office):
            begin(host)
            until(lambda: any(one.attempts for one in office.outbox.queued()))
        queued = office.outbox.queued()[0]
        store.put_note("message", queued.id, json.dumps({**json.loads(queued.model_dump_json()), "next_at": ""}))
        with sending(store, channel(server, "new")) as (_host, office):
            until(office.outbox.dead)
            assert office.outbox.dead()[0].reason == "no_channel"
