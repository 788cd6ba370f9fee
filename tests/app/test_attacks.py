"""Attacks of strangers and guests on a room: links, cookies, addresses, sockets, and acts of others.

Refused acts are counted and change nothing.
"""

from collections.abc import Callable
from datetime import timedelta

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from streamlit.testing.v1 import AppTest

from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.host.access.cookies import cookie_name
from debate_core.host.access.invites import Invitations
from debate_core.host.host import Host
from debate_core.host.runner import now
from debate_core.record import acts
from debate_core.record.commands import Act, AnyCommand, Pause, Resume, SkipTurn, Stop
from debate_core.spec.people import Person
from debate_core.spec.values import Seat
from debate_core.ui.room.live.socket import NOT_LET_IN
from tests.app.visiting import PAGES, at, brings, cookie_of, drawn, invite_of, new_browser, told, viewer_of
from tests.people import ABE, ANN, BEN, FAY, GUS, JUNE, MO, OLA, room_spec

STRANGER = "To take part, open your link or enter the code."
LEADS = "Leading the debate"
SEALED = "xylophone"
Browser = Callable[[], TestClient]


@pytest.fixture
def debate(host: Host) -> str:
    """A debate in its lobby, with a sealed vote that has a word in it."""
    seats = [Seat(id=i, occupant="human") for i in ("ana", "bo", "cid")]
    made = host.create(room_spec(seats=seats), by=FAY.id)
    host.submit(made, Act(by=FAY.id, act=acts.PollOpened(poll="pre")))
    host.submit(made, Act(by=ANN.id, act=acts.BallotCast(poll="pre", choice="adopt", reason=SEALED)))
    return made


def forged(text: str) -> list[str]:
    """The same with one character more, less or other, and pieces of it."""
    body, _, mac = text.rpartition(".")
    other = "A" if mac[0] != "A" else "B"
    return [text[:-1], text + "A", f"{body}.{other}{mac[1:]}", f"{body}x.{mac}", body, mac, f"{body}.", f".{mac}"]


@pytest.mark.parametrize("how", ["forged", "revoked", "expired", "reused"])
def test_no_bad_link_opens_any_door(host: Host, debate: str, browser: Browser, how: str):
    made_ago = timedelta(days=15 if how == "expired" else 0)
    invitations = Invitations(host._store, clock=lambda: now() - made_ago)
    invite = invitations.make(debate, "facilitator", name="Eve")
    token = host.door.token(invite)
    tried = forged(token) if how == "forged" else [token]
    if how == "revoked":
        host.door.invitations.revoke(invite)
    if how == "reused":
        assert browser().post(f"/join/{token}").status_code == 303
    version, refused = host.state(debate).version, host.door.rate_limit.refused_joins
    answers = [call(f"/join/{t}") for t in tried for call in (browser().get, browser().post)]
    assert {a.status_code for a in answers} == {403}
    assert not [a for a in answers if "set-cookie" in a.headers or "<script" in a.text]
    assert host.state(debate).version == version
    assert host.health.report()["refused_joins"] == refused + len(answers)


def bad_cookies(host: Host, debate: str) -> dict[str, str]:
    """Cookies of a facilitator that must not count, by what is wrong with them."""
    good = cookie_of(host, debate, FAY)
    gone = invite_of(host, debate, FAY)
    revoked = host.door.cookies.of(gone, FAY.id)
    host.door.invitations.revoke(gone)
    other = host.create(host.state(debate).spec, by=FAY.id)
    body, _, _ = good.rpartition(".")
    late = body.rsplit(".", 1)[0] + ".1"
    old = host.door._signer.sign("room", late)
    return {
        "revoked": revoked,
        "of another debate": cookie_of(host, other, FAY),
        "a link as a cookie": host.door.token(invite_of(host, debate, FAY)),
        "too old": old,
        "of nobody": host.door.cookies.of(invite_of(host, debate, FAY), "p-nobody"),
        **{f"forged {n}": text for n, text in enumerate(forged(good))},
    }


def test_no_bad_cookie_is_anybody(host: Host, debate: str, browser: Browser):
    assert viewer_of({cookie_name(debate): cookie_of(host, debate, FAY)}, debate) == FAY
    found = {why: viewer_of({cookie_name(debate): c}, debate) for why, c in bad_cookies(host, debate).items()}
    assert {why for why, who in found.items() if who is not None} == set()


@pytest.mark.parametrize("page", PAGES)
def test_with_a_bad_cookie_every_page_is_that_of_a_stranger(
    app: AppTest, host: Host, debate: str, monkeypatch: pytest.MonkeyPatch, page: str
):
    expected = drawn(at(app, debate, None, page))
    for why in ("revoked", "of another debate", "too old", "forged 2"):
        brings(monkeypatch, debate, bad_cookies(host, debate)[why])
        fresh = new_browser()
        assert drawn(at(fresh, debate, None, page)) == expected, why
    assert not [text for text in expected if SEALED in text]


@pytest.mark.parametrize("page", PAGES)
def test_an_address_makes_nobody_somebody(app: AppTest, host: Host, debate: str, page: str):
    expected = drawn(at(app, debate, None, page))
    fresh = new_browser()
    says_so = {"as": "facilitator", "person": "p-fay", "name": "Fay", "role": "facilitator", "read": "1"}
    assert drawn(at(fresh, debate, None, page, **says_so)) == expected
    assert LEADS not in told(fresh)


def test_an_address_does_not_change_who_a_cookie_is(
    app: AppTest, host: Host, debate: str, monkeypatch: pytest.MonkeyPatch
):
    brings(monkeypatch, debate, cookie_of(host, debate, OLA))
    at(app, debate, None, "room.py", **{"as": "facilitator", "person": "p-fay", "name": "Fay"})
    assert "You are **Ola**, observer" in told(app)
    assert LEADS not in told(app)


def test_whoever_is_shown_out_loses_everything_at_the_next_look(
    app: AppTest, host: Host, debate: str, monkeypatch: pytest.MonkeyPatch
):
    second = FAY.model_copy(update={"id": "p-two", "name": "Two"})
    host.submit(debate, Act(by=second.id, act=acts.PersonJoined(person=second)))
    brings(monkeypatch, debate, cookie_of(host, debate, second))
    at(app, debate)
    assert LEADS in told(app)
    host.submit(debate, Act(by=FAY.id, act=acts.PersonLeft(person=second.id, reason="left the firm")))
    version = host.state(debate).version
    app.button(key="next").click().run()
    assert not app.exception
    assert LEADS not in told(app)
    assert STRANGER in told(app)
    assert host.state(debate).version == version


@pytest.mark.parametrize("origin", ["http://evil.test", "https://localhost:444", "null", "http://localhost.evil.test"])
def test_a_page_of_another_server_cannot_listen(host: Host, debate: str, browser: Browser, origin: str):
    client = browser()
    client.cookies.set(cookie_name(debate), cookie_of(host, debate, FAY))
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        client.websocket_connect(f"/api/debates/{debate}/live", headers={"origin": origin}),
    ):
        pass
    assert closed.value.code == NOT_LET_IN
    with client.websocket_connect(f"/api/debates/{debate}/live", headers={"origin": "http://localhost"}) as live:
        assert SEALED not in live.receive_text()


def attempts(state_turn: str) -> list[tuple[Person, acts.RoomAct]]:
    """One of each kind of trespass."""
    other = ANN.model_copy(update={"role": "facilitator"})
    return [
        (GUS, acts.PollOpened(poll="final")),
        (MO, acts.PollClosed(poll="pre")),
        (FAY, acts.PollRevealed(poll="pre")),
        (FAY, acts.BallotCast(poll="pre", choice="adopt")),
        (JUNE, acts.BallotCast(poll="pre", choice="adopt")),
        (BEN, acts.BallotCast(poll="final", choice="adopt")),
        (BEN, acts.BallotCast(poll="pre", choice="a third thing")),
        (ANN, acts.PersonChanged(person=other)),
        (ANN, acts.PersonChanged(person=ANN.model_copy(update={"weight": 9}))),
        (FAY, acts.PersonChanged(person=ANN.model_copy(update={"weight": 9}), reason="more")),
        (GUS, acts.PersonLeft(person=ANN.id)),
        (FAY, acts.PersonLeft(person=FAY.id)),
        (GUS, acts.Intervened(text="Vote adopt")),
        (GUS, acts.Struck(turn=state_turn, reason="no")),
        (GUS, acts.SeatTaken(seat="ana", reason="mine")),
        (JUNE, acts.BeliefsRevealed(round=0)),
        (ABE, acts.Signed(verdict="accept", option="adopt")),
        (GUS, acts.Extended(seconds=60, reason="more")),
        (OLA, acts.Asked(text="May I?")),
        (GUS, acts.Upvoted(question=99)),
        (FAY, acts.PersonJoined(person=Person(id="p-new", name="New", role="voter"))),
        (Person(id="p-eve", name="Eve"), acts.Asked(text="Let me in")),
    ]


def test_forbidden_acts_are_refused_counted_and_change_nothing(host: Host, debate: str):
    before = host.events(debate)
    tried = attempts("1.opening.ana")
    commands: list[AnyCommand] = [Act(by=who.id, act=act) for who, act in tried]
    commands += [Resume(by=GUS.id), Pause(by=GUS.id, reason="x"), Stop(by=MO.id, reason="x"), Resume(by="p-eve")]
    commands += [SkipTurn(by=GUS.id, request="1.opening.ana.1", reason="x"), Resume(by="facilitator")]
    for command in commands:
        with pytest.raises(RuleViolation) as refused:
            host.submit(debate, command)
        said = str(refused.value)
        assert said
        assert SEALED not in said
        assert "\n" not in said, command
    assert host.events(debate) == before
    assert host.health.report()["refused_acts"] == len(commands)


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254",
        "http://169.254.169.254/latest/meta-data",
        "http://127.0.0.1:22",
        "http://localhost:11435/v1",
        "http://[::1]:11434",
        "http://2130706433",
        "http://10.0.0.1",
    ],
)
def test_models_are_asked_at_addresses_of_the_operator_alone(host: Host, url: str):
    for known in host.access.panels.lines:
        host.access.refuse_address(known)
        with pytest.raises(InvalidSpec, match=r"^this server is not set up to ask"):
            host.probe(known.model_copy(update={"base_url": url}))


@pytest.mark.parametrize("name", ["\u202eeve\u202c", "a\nb\tc", " \u2066x\u2069 "])
def test_a_name_from_a_link_is_one_line_without_directions(host: Host, debate: str, browser: Browser, name: str):
    invite = host.door.invitations.make(debate, "voter", name=name)
    assert browser().post(f"/join/{host.door.token(invite)}").status_code == 303
    known = host.state(debate).room.people[invite.person or ""].name
    assert known.isprintable()
