"""Coming in by a link: the routes, the cookie, what a browser that was here before sees, and what strangers see."""

import json
import re
import socket
import time
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response
from starlette.testclient import TestClient, WebSocketTestSession
from streamlit.file_util import get_static_dir

from debate_core.host.access.cookies import cookie_name
from debate_core.host.access.door import FORGED, MANY_WRONG, NO_SUCH_CODE, REVOKED, USED
from debate_core.host.access.invites import Invite
from debate_core.host.host import Host, reset_shared_host, shared_host
from debate_core.host.network import client_place, lan_address
from debate_core.record.acts import BallotCast, PersonLeft, PollClosed, PollOpened
from debate_core.record.commands import Act, Resume
from debate_core.spec.values import Seat
from debate_core.ui.room import join
from debate_core.ui.room.live.visibility import own_news, sight_of
from debate_core.ui.server.plain_pages import PAUSE_S
from tests.app.visiting import viewer_of
from tests.people import FAY, room_spec

Browser = Callable[[], TestClient]


@pytest.fixture
def debate(host: Host) -> str:
    seats = [Seat(id=i, occupant="human") for i in ("ana", "ben", "cid")]
    return host.create(room_spec((FAY,), seats=seats), by=FAY.id)


def link(host: Host, invite: Invite) -> str:
    return f"/join/{host.door.token(invite)}"


def people(host: Host, debate: str) -> dict[str, str]:
    return {i: p.role for i, p in host.state(debate).room.people.items() if i != FAY.id}


def is_refused(answer: Response, said: str, status: int = 403) -> bool:
    """Return whether this is a plain page with this sentence, without a cookie and without a script."""
    text = unescape(answer.text)
    quiet = "set-cookie" not in answer.headers and "<script" not in answer.text
    return answer.status_code == status and said in text and quiet


def test_browsers_fetch_the_scripts_while_a_name_is_typed(host: Host, debate: str, browser: Browser):
    client, invite = browser(), host.door.invitations.make(debate, "voter", kind="open")
    asked, gone = client.get(link(host, invite)).text, client.get("/join/no-such-link").text
    scripts = re.findall(r'<link rel="modulepreload" crossorigin href="/static/([^"]+)">', asked)
    static = Path(get_static_dir())
    entry = re.findall(r'<script type="module" crossorigin src="./static/([^"]+)"', (static / "index.html").read_text())
    assert scripts[:1] == entry
    assert len(scripts) > 1
    assert [script for script in scripts if not (static / "static" / script).is_file()] == []
    assert "modulepreload" not in gone


def test_an_open_link_sets_a_cookie_and_cleans_the_address(host: Host, debate: str, browser: Browser):
    client, invite = browser(), host.door.invitations.make(debate, "voter", kind="open")
    asked = client.get(link(host, invite))
    assert (asked.status_code, "set-cookie" in asked.headers, people(host, debate)) == (200, False, {})
    assert ("Which?" in asked.text, 'name="name"' in asked.text) == (True, True)
    answer = client.post(link(host, invite), data={"name": " Ann  Bo "})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/room?id={debate}")
    assert answer.headers["referrer-policy"] == "same-origin"
    assert answer.headers["cache-control"] == "no-store"
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"room-{debate}={debate}.p-")
    assert {part.strip() for part in cookie.split(";")[1:]} >= {"HttpOnly", "SameSite=lax", "Path=/"}
    assert "Secure" not in cookie
    [(person, role)] = people(host, debate).items()
    assert role == "voter"
    viewer = viewer_of(dict(client.cookies), debate)
    assert viewer is not None
    assert (viewer.id, viewer.name) == (person, "Ann Bo")
    # The same phone scans the code again: no new person.
    for again in (link(host, invite), f"/join?code={invite.code.lower()}"):
        assert client.get(again).headers["location"] == f"/room?id={debate}"
    # No name can be mistaken for another one; a person without a name is a guest.
    twice = browser().post(f"/join?code={invite.code}", data={"name": "ann bo"})
    assert is_refused(twice, "The name Ann Bo is taken", 200)
    assert browser().post(f"/join?code={invite.code}").status_code == 303
    assert [p.name for i, p in host.state(debate).room.people.items() if i != FAY.id] == ["Ann Bo", "Guest 1"]


@pytest.mark.parametrize("behind_a_proxy", [False, True])
@pytest.mark.parametrize("url", ["https://localhost", "http://localhost"])
def test_the_cookie_is_secure_where_the_connection_is(
    host: Host, debate: str, browser: Browser, url: str, behind_a_proxy: bool
):
    client, invite = browser(), host.door.invitations.make(debate, "voter", kind="open")
    # Behind a proxy only the public address decides: headers of the client are not trusted.
    host.public_url = "https://localhost" if behind_a_proxy else ""
    headers = {"sec-fetch-site": "same-origin", "x-forwarded-proto": "https"}
    cookie = client.post(url + link(host, invite), headers=headers).headers["set-cookie"]
    assert ("Secure" in cookie) is (url.startswith("https") or behind_a_proxy)


def test_a_personal_link_asks_first_and_is_used_once(host: Host, debate: str, browser: Browser):
    client, invite = browser(), host.door.invitations.make(debate, "judge", name="June <b>")
    url = link(host, invite)
    for looked in (client.get(url), client.head(url)):  # a mail program looks at it
        assert (looked.status_code, "set-cookie" in looked.headers) == (200, False)
    shown = client.get(url).text
    assert "June &lt;b&gt;, judge in the debate: Which?" in shown
    assert '<form method="post"><button>Come in</button></form>' in shown
    assert people(host, debate) == {}
    assert client.post(url).headers["location"] == f"/room?id={debate}"
    assert people(host, debate) == {invite.person: "judge"}
    # In the same browser it goes on working, in any other it does not.
    for answer in (client.get(url), client.post(url)):
        assert (answer.status_code, answer.headers["location"]) == (303, f"/room?id={debate}")
    assert is_refused(browser().get(url), USED)
    assert is_refused(browser().post(url), USED)
    assert people(host, debate) == {invite.person: "judge"}


def test_a_click_confirmed_by_the_browser_needs_no_second_one(host: Host, debate: str, browser: Browser):
    invite = host.door.invitations.make(debate, "facilitator", name="Co")
    assert browser().get(link(host, invite), headers={"sec-fetch-user": "?1"}).status_code == 303
    assert people(host, debate) == {invite.person: "facilitator"}


def test_viewing_the_open_link_creates_no_guest_with_a_vote(host: Host, debate: str, browser: Browser):
    invite = host.door.invitations.make(debate, "voter", kind="open")
    for url in (link(host, invite), f"/join?code={invite.code}"):
        url = f"https://localhost{url}"
        # A preview in a chat program, an image on a page of another site, a prefetch of the browser.
        for headers in ({}, {"sec-fetch-mode": "no-cors"}, {"sec-fetch-user": "?1"}):
            assert (browser().get(url, headers=headers).status_code, people(host, debate)) == (200, {})
        assert browser().head(url).status_code == 200
    assert people(host, debate) == {}
    assert browser().post(f"https://localhost{link(host, invite)}").status_code == 303
    assert len(people(host, debate)) == 1


ELSEWHERE = (({"sec-fetch-site": "cross-site"}, 200), ({"origin": "https://evil.test"}, 403), ({"origin": "null"}, 403))
"""What tells of a page of another site: a browser's word, an origin, or one that hides its origin in a frame."""


@pytest.mark.parametrize(("headers", "status"), ELSEWHERE)
def test_a_form_of_another_site_can_neither_join_nor_leave(
    host: Host, debate: str, browser: Browser, headers: dict[str, str], status: int
):
    for made in (
        host.door.invitations.make(debate, "judge", name="June"),
        host.door.invitations.make(debate, "voter", kind="open"),
    ):
        assert browser().post(link(host, made), headers=headers).status_code == status
    assert people(host, debate) == {}
    answer = browser().post(f"/leave/{debate}", headers=headers)
    assert (answer.status_code, "set-cookie" in answer.headers) == (status, False)
    assert browser().post(f"/leave/{debate}", headers={"sec-fetch-site": "same-origin"}).status_code == 303


def test_a_role_in_the_address_counts_for_nothing(host: Host, debate: str, browser: Browser):
    invite = host.door.invitations.make(debate, "observer", kind="open")
    more = "?role=facilitator&as=facilitator&electorate=panel&weight=9&person=p-fay&name=Fay"
    assert browser().post(link(host, invite) + more).headers["location"] == f"/room?id={debate}"
    [person] = [p for i, p in host.state(debate).room.people.items() if i != FAY.id]
    assert (person.role, person.electorate, person.weight, person.name) == ("observer", None, 1, "Guest 1")


def test_bad_links_are_refused_in_one_sentence_and_counted(host: Host, debate: str, browser: Browser):
    made = {n: host.door.invitations.make(debate, "judge", name=n) for n in ("revoked", "expired", "good")}
    host.door.invitations.revoke(made["revoked"])
    token = host.door.token(made["good"])
    assert is_refused(browser().post(link(host, made["revoked"])), REVOKED)
    assert is_refused(browser().post(f"/join/{token[:-1]}"), FORGED)
    assert is_refused(browser().get("/join/%3Cscript%3Ealert(1)"), FORGED)
    assert is_refused(browser().get("/join?code=%22%3E%3Cb%3E"), NO_SUCH_CODE)
    assert people(host, debate) == {}
    assert browser().get("/healthz").json()["refused_joins"] == 4


def test_guessing_codes_over_the_web_is_stopped(host: Host, debate: str, browser: Browser):
    invite = host.door.invitations.make(debate, "voter", kind="open")
    began = time.monotonic()
    answers = [browser().get(f"/join?code=CODE{n:02}") for n in range(23)]
    assert all(is_refused(a, NO_SUCH_CODE) for a in answers[:20])
    assert all(is_refused(a, MANY_WRONG, 429) for a in answers[20:])
    assert time.monotonic() - began >= 3 * PAUSE_S
    # The room behind the same address still gets in, by the code as by the link.
    for _ in range(60):
        assert browser().post(f"/join?code={invite.shown_code()}").status_code == 303
    assert browser().post(link(host, invite)).status_code == 303
    assert host.door.arrivals.most_at_once(debate) == 61


def test_a_personal_link_beats_the_guest_of_the_same_browser(host: Host, debate: str, browser: Browser):
    client = browser()
    client.post(link(host, host.door.invitations.make(debate, "voter", kind="open")))
    judge = host.door.invitations.make(debate, "judge", name="June")
    client.post(link(host, judge))
    viewer = viewer_of(dict(client.cookies), debate)
    assert viewer is not None
    assert viewer.id == judge.person


def test_whoever_is_shown_out_is_nobody_at_once(host: Host, debate: str, browser: Browser):
    client, invite = browser(), host.door.invitations.make(debate, "judge", name="June")
    client.post(link(host, invite))
    cookies = dict(client.cookies)
    assert viewer_of(cookies, debate) is not None
    host.submit(debate, Act(by=FAY.id, act=PersonLeft(person=invite.person or "")))
    assert viewer_of(cookies, debate) is None
    assert is_refused(client.post(link(host, invite)), USED)


def test_a_revoked_link_ends_the_session_that_came_by_it(host: Host, debate: str, browser: Browser):
    client, invite = browser(), host.door.invitations.make(debate, "judge", name="June")
    client.post(link(host, invite))
    host.door.invitations.revoke(invite)
    assert viewer_of(dict(client.cookies), debate) is None
    assert is_refused(client.get(link(host, invite)), REVOKED)


def test_cookies_of_others_are_nobody(host: Host, debate: str, browser: Browser):
    client = browser()
    client.post(link(host, host.door.invitations.make(debate, "voter", kind="open")))
    mine = dict(client.cookies)[cookie_name(debate)]
    other = host.create(room_spec((FAY,), seats=[Seat(id=i, occupant="human") for i in "abc"]), by=FAY.id)
    assert viewer_of({cookie_name(other): mine}, other) is None
    assert viewer_of({cookie_name(debate): mine.replace(".p-", ".p-x", 1)}, debate) is None
    assert viewer_of({}, debate) is None


def test_the_cookie_and_not_the_address_decides_the_view(host: Host, debate: str, browser: Browser):
    host.submit(debate, Resume(by=FAY.id))
    ana = host.door.invitations.make(debate, "debater", name="Ana", seats=("ana",))
    stranger, seated = browser(), browser()
    seated.post(link(host, ana))
    state, none = host.state(debate), frozenset[str]()
    for client, expected in ((stranger, none), (seated, {"ana"})):
        viewer = viewer_of(dict(client.cookies), debate)
        assert sight_of(state, viewer, "ana,ben,cid,facilitator").holds == expected
        with client.websocket_connect(f"/api/debates/{debate}/live?as=ben") as live:
            [(kind, _)] = json.loads(live.receive_text())
            assert kind == "snapshot"
    host.submit(debate, Act(by=FAY.id, act=PersonLeft(person=ana.person or "")))
    assert sight_of(host.state(debate), viewer_of(dict(seated.cookies), debate), "ana").holds == none


def test_a_ballot_of_another_window_is_news_to_its_voter_only(host: Host, debate: str, browser: Browser):
    voter, other = browser(), browser()
    invite = host.door.invitations.make(debate, "voter", kind="open")
    for client, name in ((voter, "Ann"), (other, "Ben")):
        client.post(link(host, invite), data={"name": name})
    person = viewer_of(dict(voter.cookies), debate)
    assert person is not None
    host.submit(debate, Act(by=FAY.id, act=PollOpened(poll="pre")))
    address = f"/api/debates/{debate}/live"
    with voter.websocket_connect(address) as mine, other.websocket_connect(address) as others:
        for choice in ("adopt", "defer"):
            host.submit(debate, Act(by=person.id, act=BallotCast(poll="pre", choice=choice)))
            assert next(own_marks(mine)) == own_news(host.state(debate), person.id) != ""
        host.submit(debate, Act(by=FAY.id, act=PollClosed(poll="pre")))
        assert next(own_marks(mine)) == ""
        assert [kind for kind, _ in until_closed(others) if kind == "own"] == []


def own_marks(live: WebSocketTestSession) -> Iterator[object]:
    """Yield the marks of the viewer's own ballot as the socket sends them."""
    while True:
        yield from (value for kind, value in json.loads(live.receive_text()) if kind == "own")


def until_closed(live: WebSocketTestSession) -> Iterator[tuple[str, Any]]:
    """Yield everything that the socket sends until no poll is open after one was."""
    was_open = False
    while True:
        for kind, value in json.loads(live.receive_text()):
            yield kind, value
            meta = value["meta"] if kind == "snapshot" else value if kind == "meta" else None
            if meta is None:
                continue
            if was_open and not meta["polled"]:
                return
            was_open = was_open or bool(meta["polled"])


def test_links_and_cookies_outlive_the_server(host: Host, debate: str, browser: Browser):
    client, invite = browser(), host.door.invitations.make(debate, "judge", name="June")
    url = link(host, invite)
    reset_shared_host()
    assert client.post(url).status_code == 303
    reset_shared_host()
    viewer = viewer_of(dict(client.cookies), debate)
    assert viewer is not None
    assert viewer.id == invite.person
    assert shared_host() is not host


def test_leaving_asks_first_and_forgets_the_cookie(host: Host, debate: str, browser: Browser):
    client = browser()
    client.post(link(host, host.door.invitations.make(debate, "voter", kind="open")))
    assert "<button>Leave</button>" in client.get(f"/leave/{debate}").text
    assert viewer_of(dict(client.cookies), debate) is not None
    answer = client.post(f"/leave/{debate}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert dict(client.cookies) == {}
    assert client.post("/leave/a;b=c").status_code == 404


def test_the_page_where_a_code_is_typed(browser: Browser):
    shown = browser().get("/join").text
    assert '<form action="/join" method="get">' in shown
    assert "<script" not in shown


def test_tries_of_one_network_are_counted_together():
    places = [client_place(a) for a in ("10.0.0.1", "2001:db8::1", "2001:db8::2:1", "testclient", "")]
    assert places == ["10.0.0.1", "2001:db8::/64", "2001:db8::/64", "testclient", ""]


def test_the_picture_of_a_link_is_whole():
    url = "http://192.168.7.7:8501/join/d-abcdefghij.i-abcdefghij.abcdefghijklmnopqrstuv"
    svg = join.qr_svg(url)
    assert svg.startswith('<svg xmlns="http://www.w3.org/2000/svg" ')
    assert 'fill="#fff"' in svg


def test_the_address_for_phones(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(join, "lan_address", lambda: "192.168.7.7")
    at = join.join_address
    assert at("https://debate.example.org/room?id=1") == join.JoinAddress("https://debate.example.org")
    assert at("http://localhost:8501/x", public_url="https://d.test/a") == join.JoinAddress("https://d.test/a")
    alone = at("http://localhost:8501/room", listens_on="127.0.0.1")
    assert alone.url == "http://localhost:8501"
    assert alone.warning == "Phones cannot join yet: the app runs for this computer only."
    assert not alone.is_for_phones
    assert "`make workshop`: phones may then reach `http://192.168.7.7:8501`." in alone.how
    guess = at("http://127.0.0.1:8501/room", listens_on="0.0.0.0")
    assert guess.url == "http://192.168.7.7:8501"
    assert guess.is_for_phones
    assert "http://192.168.7.7:8501 is a guess from this computer's network" in guess.warning
    assert "Phones cannot join yet" in at("http://x.test/", public_url="http://localhost:1").warning
    monkeypatch.setattr(join, "lan_address", lambda: "")
    assert "phones may" not in at("http://localhost:8501/room").how
    assert join.join_link(guess, "a.b.c") == "http://192.168.7.7:8501/join/a.b.c"
    assert join.join_link(guess) == "http://192.168.7.7:8501/join"


def test_looking_for_the_address_sends_nothing(monkeypatch: pytest.MonkeyPatch):
    for name in ("send", "sendto", "sendall"):
        monkeypatch.setattr(socket.socket, name, lambda *_: pytest.fail("something was sent"))
    assert lan_address().count(".") in (0, 3)
