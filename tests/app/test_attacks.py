"""What strangers and guests may try against a room: links, cookies, addresses, sockets, and text that means to be code.

Whatever is refused is counted and changes nothing; whatever people write is text on every page and in every file.
"""

import csv
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO

import pytest
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Node

from debate_core.commands import Act, AnyCommand, Pause, Resume, SkipTurn, Stop
from debate_core.engine import requests
from debate_core.errors import RuleViolation
from debate_core.events import dump_record
from debate_core.host import Host
from debate_core.invites import Invite, cookie_name
from debate_core.model import Argument, Claim, Seat, Value
from debate_core.report import csv_files
from debate_core.room import Person
from debate_core.room_acts import (
    Asked,
    BallotCast,
    BeliefReported,
    BeliefsRevealed,
    Believed,
    Compared,
    Dissented,
    Extended,
    Intervened,
    Judged,
    Noted,
    OutcomeRecorded,
    PersonChanged,
    PersonJoined,
    PersonLeft,
    PollClosed,
    PollOpened,
    PollRevealed,
    Rated,
    RoomAct,
    SeatTaken,
    Signed,
    Struck,
    Upvoted,
)
from debate_core.ui import launch
from debate_core.ui.live.socket import WRONG_ORIGIN, viewer_of
from tests.people import ABE, ANN, BEN, EVERYBODY, FAY, GUS, JUNE, MO, OLA, OPTIONS, Held, room_spec

PAGES = ("room.py", "results.py", "record.py", "screen.py")
STRANGER = "without a link of this debate you have no part in it"
LEADS = "Leading the debate"
SEALED = "xylophone"

Browser = Callable[[], TestClient]


@pytest.fixture
def browser(host: Host) -> Browser:
    """A new browser without cookies each time it is called."""
    app = Starlette(routes=list(launch.routes), middleware=list(launch.middleware))
    return lambda: TestClient(app, base_url="http://room.test", follow_redirects=False)


@pytest.fixture(autouse=True)
def _no_cookies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ContextProxy, "cookies", {})


@pytest.fixture
def debate(host: Host) -> str:
    """A debate in its lobby, with a sealed vote that has a word in it."""
    seats = [Seat(id=i, occupant="human") for i in ("ana", "bo", "cid")]
    made = host.create(room_spec(seats=seats), by=FAY.id)
    host.submit(made, Act(by=FAY.id, act=PollOpened(poll="pre")))
    host.submit(made, Act(by=ANN.id, act=BallotCast(poll="pre", choice="adopt", reason=SEALED)))
    return made


def invite_of(host: Host, debate: str, who: Person) -> Invite:
    return host.door.make(debate, who.role, name=who.name, person=who.id, electorate=who.electorate)


def cookie_of(host: Host, debate: str, who: Person) -> str:
    """The cookie that this person's browser has after they came in by their link."""
    return host.door.cookie(invite_of(host, debate, who), who.id)


def at(app: AppTest, debate: str, page: str = "room.py", **address: str) -> AppTest:
    app.query_params["id"] = debate
    for key, value in address.items():
        app.query_params[key] = value
    app.run()
    app.switch_page(page).run()
    assert not app.exception, app.exception
    return app


def brings(monkeypatch: pytest.MonkeyPatch, debate: str, cookie: str) -> None:
    monkeypatch.setattr(ContextProxy, "cookies", {cookie_name(debate): cookie})


# --- every string of a page that is drawn, whatever it is drawn as

NO_MARKDOWN = {"text_input", "text_area", "code", "arrow_data_frame", "selectbox", "multiselect", "bidi_component"}


def nodes(block: Block) -> Iterator[Node]:
    for node in block.children.values():
        yield node
        if isinstance(node, Block):
            yield from nodes(node)


def strings(message: object) -> Iterator[str]:
    """Every text field of a protobuf message, however deep."""
    for field, value in message.ListFields():  # type: ignore[attr-defined]
        if field.name in ("id", "url", "form_id", "element_id", "key"):
            continue
        repeated = value if not isinstance(value, (str, bytes)) and hasattr(value, "__iter__") else [value]
        for one in repeated:
            if isinstance(one, str):
                yield one
            elif hasattr(one, "ListFields"):
                yield from strings(one)


def drawn(app: AppTest) -> list[str]:
    """What the browser would read as Markdown or show as it is: bodies, labels, choices, tooltips."""
    found: list[str] = []
    for root in app._tree.children.values():
        if not isinstance(root, Block):
            continue
        for node in nodes(root):
            if node.type not in NO_MARKDOWN and (proto := getattr(node, "proto", None)) is not None:
                found += strings(proto)
    return found


def told(app: AppTest) -> str:
    return "\n".join(drawn(app)).replace("\\", "")


# --- links, cookies and addresses


def forged(text: str) -> list[str]:
    """The same with one character more, less or other, and pieces of it."""
    body, _, mac = text.rpartition(".")
    other = "A" if mac[0] != "A" else "B"
    return [text[:-1], text + "A", f"{body}.{other}{mac[1:]}", f"{body}x.{mac}", body, mac, f"{body}.", f".{mac}"]


@pytest.mark.parametrize("how", ["forged", "revoked", "expired", "reused"])
def test_no_bad_link_opens_any_door(host: Host, debate: str, browser: Browser, how: str):
    invite = host.door.make(debate, "facilitator", name="Eve", lasts=timedelta(days=-1 if how == "expired" else 1))
    token = host.door.token(invite)
    tried = forged(token) if how == "forged" else [token]
    if how == "revoked":
        host.door.revoke(invite)
    if how == "reused":
        assert browser().post(f"/join/{token}").status_code == 303
    version, refused = host.state(debate).version, host.door.tries.refused
    answers = [call(f"/join/{t}") for t in tried for call in (browser().get, browser().post)]
    assert {a.status_code for a in answers} == {403}
    assert not [a for a in answers if "set-cookie" in a.headers or "<script" in a.text]
    assert host.state(debate).version == version
    assert host.health()["refused_joins"] == refused + len(answers)


def bad_cookies(host: Host, debate: str) -> dict[str, str]:
    """Cookies of a facilitator that must not count, by what is wrong with them."""
    good = cookie_of(host, debate, FAY)
    gone = invite_of(host, debate, FAY)
    revoked = host.door.cookie(gone, FAY.id)
    host.door.revoke(gone)
    other = host.create(host.state(debate).spec, by=FAY.id)
    body, _, _ = good.rpartition(".")
    late = body.rsplit(".", 1)[0] + ".1"
    old = host.door._signed("room", late)
    return {
        "revoked": revoked,
        "of another debate": cookie_of(host, other, FAY),
        "a link as a cookie": host.door.token(invite_of(host, debate, FAY)),
        "too old": old,
        "of nobody": host.door.cookie(invite_of(host, debate, FAY), "p-nobody"),
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
    expected = drawn(at(app, debate, page))
    for why in ("revoked", "of another debate", "too old", "forged 2"):
        brings(monkeypatch, debate, bad_cookies(host, debate)[why])
        fresh = AppTest.from_file(app._script_path, default_timeout=20)
        assert drawn(at(fresh, debate, page)) == expected, why
    assert not [text for text in expected if SEALED in text]


@pytest.mark.parametrize("page", PAGES)
def test_an_address_makes_nobody_somebody(app: AppTest, host: Host, debate: str, page: str):
    expected = drawn(at(app, debate, page))
    fresh = AppTest.from_file(app._script_path, default_timeout=20)
    says_so = {"as": "facilitator", "person": "p-fay", "name": "Fay", "role": "facilitator", "read": "1"}
    assert drawn(at(fresh, debate, page, **says_so)) == expected
    assert LEADS not in told(fresh)


def test_an_address_does_not_change_who_a_cookie_is(
    app: AppTest, host: Host, debate: str, monkeypatch: pytest.MonkeyPatch
):
    brings(monkeypatch, debate, cookie_of(host, debate, OLA))
    at(app, debate, **{"as": "facilitator", "person": "p-fay", "name": "Fay"})
    assert "I am: Ola, observer" in told(app)
    assert LEADS not in told(app)


def test_whoever_is_shown_out_loses_everything_at_the_next_look(
    app: AppTest, host: Host, debate: str, monkeypatch: pytest.MonkeyPatch
):
    second = FAY.model_copy(update={"id": "p-two", "name": "Two"})
    host.submit(debate, Act(by=second.id, act=PersonJoined(person=second)))
    brings(monkeypatch, debate, cookie_of(host, debate, second))
    at(app, debate)
    assert LEADS in told(app)
    host.submit(debate, Act(by=FAY.id, act=PersonLeft(person=second.id, reason="left the firm")))
    version = host.state(debate).version
    app.button(key="next").click().run()
    assert not app.exception
    assert LEADS not in told(app)
    assert STRANGER in told(app)
    assert host.state(debate).version == version


@pytest.mark.parametrize("origin", ["http://evil.test", "https://room.test:444", "null", "http://room.test.evil.test"])
def test_a_page_of_another_server_cannot_listen(host: Host, debate: str, browser: Browser, origin: str):
    client = browser()
    client.cookies.set(cookie_name(debate), cookie_of(host, debate, FAY))
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        client.websocket_connect(f"/api/debates/{debate}/live", headers={"origin": origin}),
    ):
        pass
    assert closed.value.code == WRONG_ORIGIN
    with client.websocket_connect(f"/api/debates/{debate}/live", headers={"origin": "http://testserver"}) as live:
        assert SEALED not in live.receive_text()


# --- what people may not do, whatever page they send it from


def attempts(state_turn: str) -> list[tuple[Person, RoomAct]]:
    """One of each kind of trespass."""
    other = ANN.model_copy(update={"role": "facilitator"})
    return [
        (GUS, PollOpened(poll="final")),
        (MO, PollClosed(poll="pre")),
        (FAY, PollRevealed(poll="pre")),
        (FAY, BallotCast(poll="pre", choice="adopt")),
        (JUNE, BallotCast(poll="pre", choice="adopt")),
        (BEN, BallotCast(poll="final", choice="adopt")),
        (BEN, BallotCast(poll="pre", choice="a third thing")),
        (ANN, PersonChanged(person=other)),
        (ANN, PersonChanged(person=ANN.model_copy(update={"weight": 9}))),
        (FAY, PersonChanged(person=ANN.model_copy(update={"weight": 9}), reason="more")),
        (GUS, PersonLeft(person=ANN.id)),
        (FAY, PersonLeft(person=FAY.id)),
        (GUS, Intervened(text="Vote adopt")),
        (GUS, Struck(turn=state_turn, reason="no")),
        (GUS, SeatTaken(seat="ana", reason="mine")),
        (JUNE, BeliefsRevealed(round=0)),
        (ABE, Signed(verdict="accept", option="adopt")),
        (GUS, Extended(seconds=60, reason="more")),
        (OLA, Asked(text="May I?")),
        (GUS, Upvoted(question=99)),
        (FAY, PersonJoined(person=Person(id="p-new", name="New", role="voter"))),
        (Person(id="p-eve", name="Eve"), Asked(text="Let me in")),
    ]


def test_what_is_not_allowed_is_refused_counted_and_changes_nothing(host: Host, debate: str):
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
    assert host.health()["refused_acts"] == len(commands)


# --- text that means to be something else

NASTY = (
    '=HYPERLINK("http://evil.test","x")',
    "<img src=x onerror=alert(1)><script>alert(1)</script>",
    "**bold** _it_ `code` # head [link](http://evil.test) ![pic](http://evil.test/p.png) :red[evil] :smile:",
    "$x^2$ and $$y$$ \\(z\\)",
    "\u202egnirts desrever\u202c \u2066isolate\u2069",
    "+1\n-2\n@SUM(A1)\n\t=3\r\n=4",
    "www.evil.test mail@evil.test https://evil.test",
)
ACTIVE = re.compile(
    r"(?<!\\)(<img|<script|\*\*bold|_it_|`code`|\[link|!\[pic|:red\[evil|\$x|\$\$y|:smile:)"
    r"|[\u202a-\u202e\u2066-\u2069]|https?://evil|www\.evil|mail@evil"
)
LONG = "long " * 2_000


def text(many: int) -> str:
    """All of it on as many lines as there is room for."""
    return "\n".join(NASTY)[:many]


def nasty_people() -> list[Person]:
    """Everybody, under such a name and with such an interest."""
    names = [f"{NASTY[n % len(NASTY)][:78]} {n}" for n in range(len(EVERYBODY))]
    return [p.model_copy(update={"name": n, "interest": text(300)}) for p, n in zip(EVERYBODY, names, strict=True)]


def nasty_room() -> Held:
    """A debate that went all the way, in which everybody wrote such things wherever they could."""
    people = nasty_people()
    held = Held(room_spec(people, pre_vote="shown_at_close"))
    for kind in ("question", "concern"):
        held.did(GUS, Asked(kind=kind, text=text(1_000)))
    held.did(FAY, Intervened(kind="briefing", text=text(4_000)))
    held.did(FAY, PollOpened(poll="pre"))
    for who in (ANN, BEN, GUS):
        held.votes(who, "pre", "adopt", reason=text(200))
    held.did(FAY, PollClosed(poll="pre"))
    held.did(FAY, PollRevealed(poll="pre"))
    held.begin()
    held.did(FAY, SeatTaken(seat="s1", reason=text(500)))
    while held.state.outcome is None:
        if held.state.paused is not None:
            held.begin()
        seat = requests(held.state)[0].seat
        said = Argument(rationale=text(2_000), claims=tuple(Claim(text=n) for n in NASTY), vote="adopt")
        held.says_all(said, by=FAY.id if seat == "s1" else "")
    held.did(FAY, Struck(turn="1.opening.s0", reason=text(500)))
    claim = next(iter(held.state.claims))
    held.did(MO, Noted(claim_id=claim, resolved=True, reason=text(500)))
    judge(held)
    held.did(FAY, PollOpened(poll="final"))
    held.votes(ANN, "final", "defer", reason=text(200))
    held.votes(GUS, "final", "adopt", reason=text(200))
    held.did(FAY, PollClosed(poll="final"))
    held.did(FAY, PollRevealed(poll="final"))
    held.did(BEN, Dissented(text=text(2_000)))
    held.did(BEN, Dissented(kind="objection", text=text(2_000), named=False))
    lines = {"reason": text(300), "owner": NASTY[1], "revisit": NASTY[3], "confirmation": text(1_000)}
    informed = tuple(" ".join(n.split()) for n in NASTY)
    held.did(
        ABE, Signed(verdict="accept_with_changes", option="adopt", changes=text(1_000), informed=informed, **lines)
    )
    held.did(ABE, OutcomeRecorded(result="held", option="adopt", reason=text(500)))
    held.did(FAY, PersonLeft(person=OLA.id, reason=text(200)))
    return held


def judge(held: Held) -> None:
    """Everything that a judge gives, revealed."""
    even = [(o, p) for o, p in zip(OPTIONS, (34, 33, 33), strict=True)]
    beliefs = tuple(Believed(option=o, percent=p) for o, p in even)
    held.did(JUNE, Judged(ratings=(Rated(option="adopt", criterion="clarity", score=5),), comment=text(2_000)))
    held.did(JUNE, Compared(a="1.opening.s1", b="1.opening.s2", winner="tie", reason=text(300)))
    held.did(JUNE, BeliefReported(round=2, beliefs=beliefs, explanation=text(2_000), final=True))
    held.did(FAY, BeliefsRevealed(round=2))


@pytest.fixture(scope="module")
def nasty() -> Held:
    return nasty_room()


@pytest.mark.parametrize("who", [FAY, ABE, GUS, JUNE, None])
@pytest.mark.parametrize("page", PAGES)
def test_what_people_write_is_text_on_every_page(
    app: AppTest, host: Host, nasty: Held, who: Person | None, page: str, monkeypatch: pytest.MonkeyPatch
):
    debate = host.import_record(dump_record(nasty.events).encode())
    if who is not None:
        brings(monkeypatch, debate, cookie_of(host, debate, who))
    at(app, debate, page)
    found = {f"{m.group()} in {text[:300]!r}" for text in drawn(app) for m in ACTIVE.finditer(text)}
    assert found == set()
    assert "evil" in told(app) or page in ("screen.py", "record.py")


@pytest.mark.parametrize("who", [FAY, GUS, None])
def test_what_people_write_is_text_while_it_is_going_on(
    app: AppTest, host: Host, who: Person | None, monkeypatch: pytest.MonkeyPatch
):
    seats = [Seat(id=i, occupant="human") for i in ("ana", "bo", "cid")]
    people = nasty_people()
    debate = host.create(room_spec(people, seats=seats), by=FAY.id)
    host.submit(debate, Act(by=GUS.id, act=Asked(text=text(1_000))))
    host.submit(debate, Act(by=BEN.id, act=Asked(kind="concern", text=text(1_000))))
    if who is not None:
        brings(monkeypatch, debate, cookie_of(host, debate, who))
    for step in (None, Resume(by=FAY.id), Pause(by=FAY.id, reason=text(500))):
        if step is not None:
            host.submit(debate, step)
        at(app, debate)
        found = {f"{m.group()} in {text[:300]!r}" for text in drawn(app) for m in ACTIVE.finditer(text)}
        assert found == set()


def test_no_cell_of_any_table_runs_in_a_spreadsheet(nasty: Held):
    files = csv_files(nasty.state, nasty.events)
    cells = [(name, cell) for name, body in files.items() for row in csv.reader(StringIO(body)) for cell in row]
    runs = [(n, c[:60]) for n, c in cells if c[:1] in "=+-@\t\r" and c and not re.fullmatch(r"-?\d+(\.\d+)?", c)]
    assert runs == []
    assert any("HYPERLINK" in c for _, c in cells)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (Asked, {"text": LONG}),
        (Intervened, {"text": LONG}),
        (Dissented, {"text": LONG}),
        (Struck, {"turn": "1.opening.s0", "reason": LONG}),
        (Person, {"id": "p-x", "name": LONG}),
    ],
    ids=["asked", "intervened", "dissented", "struck", "person"],
)
def test_ten_thousand_characters_are_refused_where_they_do_not_fit(kind: type[Value], fields: dict[str, str]):
    with pytest.raises(ValidationError, match="at most"):
        kind.model_validate(fields)


@pytest.mark.parametrize("name", ["\u202eeve\u202c", "a\nb\tc", " \u2066x\u2069 "])
def test_a_name_from_a_link_is_one_line_without_directions(host: Host, debate: str, browser: Browser, name: str):
    invite = host.door.make(debate, "voter", name=name)
    assert browser().post(f"/join/{host.door.token(invite)}").status_code == 303
    known = host.state(debate).room.people[invite.person or ""].name
    assert known.isprintable()
    assert not ACTIVE.search(known)
