"""Debates of people who log in: whose they are, who finds and reads them, and what their owner does with them.

Ola and Una log in with the same organisation. What is in Ola's private debates has a marker in every place where
somebody can write; Una reads none of it anywhere.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.websockets import WebSocketDisconnect
from streamlit.runtime.context import ContextProxy
from streamlit.runtime.secrets import secrets_singleton
from streamlit.testing.v1 import AppTest

from debate_core.engine.engine import requests
from debate_core.engine.rights import HOST
from debate_core.evaluation import practice
from debate_core.host.access.cookies import cookie_name
from debate_core.host.host import Host
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.acts import Archived, HandedOver, Owning, PersonJoined, Shared
from debate_core.record.commands import Act, Resume, Stop, TakeTurn
from debate_core.record.events import dump_record
from debate_core.spec.contents import Argument
from debate_core.spec.people import Person
from debate_core.spec.values import Seat, Source
from debate_core.ui.pages import home
from debate_core.ui.server.open_pages import OpenPages
from debate_core.ui.setup.draft import RoomDraft, SetupDraft
from tests.app.test_hosting import client, guest, hosted
from tests.app.visiting import (
    HOLDERS,
    PAGES,
    TABS,
    at,
    cookie_of,
    drawn,
    lists,
    press,
    told,
    unfolded,
    words,
)
from tests.logging_in import SECRET, account_of, browser_of, login_cookie, organisation
from tests.people import ANN, EVERYBODY, FAY, JUNE, room_spec
from tests.practising import judged_to_the_end
from tests.routes import all_paths

__all__ = ["guest", "hosted"]
MARKER = "xylophone"
LISTS = ("setup.py", "metrics.py", "practice.py", "protocols.py")
SEATS = tuple(Seat(id=i, occupant="human", stance=s) for i, s in (("s0", "adopt"), ("s1", "defer"), ("s2", "")))
NAMED = Person(id="p-mx", name=f"Max {MARKER}", role="voter", electorate="panel")


@pytest.fixture(autouse=True)
def _organisation(tmp_path: Path) -> Iterator[None]:
    with organisation(tmp_path):
        yield


def made(
    host: Host, owner: str, *, name: str = MARKER, shared: bool = False, people: bool = False, over: bool = True
) -> str:
    """A debate with this word in its question, document, turns, people and marks."""
    everybody = (*(p for p in EVERYBODY if p is not JUNE), NAMED, *HOLDERS) if people else EVERYBODY
    readers = "hosts" if shared or not people else "members"
    spec = room_spec(everybody, seats=SEATS, readers=readers, hold="none", pre_vote="none", rounds=1)
    source = Source(id="E1", title=f"{name} title", text=f"The {name} text.")
    spec = spec.model_copy(update={"question": f"Which {name}?", "sources": (source,)})
    if not people:
        spec = spec.model_copy(update={"room": None})
    debate = host.create(spec, by=FAY.id if people else "facilitator", owner=owner, shared=shared)
    if people:
        host.submit(debate, Resume(by=FAY.id))
    while over and (asked := requests(host.state(debate))):
        by = f"p-{asked[0].seat}" if people else asked[0].seat
        said = Argument(rationale=f"because of the {name}", vote="adopt")
        host.submit(debate, TakeTurn(by=by, request=asked[0].id, content=said))
    return debate


def everything(app: AppTest) -> str:
    """Everything that this page has sent to its browser, with the data of its components."""
    assert not app.exception, app.exception
    return "\n".join([*drawn(app, but=()), told(app), words(app), str(dict(app.query_params))])


def seen(app: AppTest, debate: str, *, lists: Iterable[str] = LISTS, tabs: Iterable[str] = TABS) -> str:
    """The list of debates, other pages of lists, all pages about this debate, and tabs of its results."""
    app.run()
    shown = [everything(app)]
    shown += [everything(app.switch_page(page).run()) for page in lists]
    shown += [everything(at(app, debate, page=page)) for page in PAGES]
    shown += [everything(at(app, debate, page="results.py", tab=tab)) for tab in tabs]
    return "\n".join(shown)


def frames(debate: str, cookies: Mapping[str, str], asked: str = "") -> str:
    """The first message of the live socket; empty if it is refused."""
    browser = client()
    browser.cookies.update(dict(cookies))
    try:
        with browser.websocket_connect(f"/api/debates/{debate}/live{asked}") as line:
            return line.receive_text()
    except WebSocketDisconnect:
        return ""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["alone", "with people", "going on", "archived", "taken in"])
def test_nothing_owned_reaches_another_account(guest: AppTest, hosted: Host, kind: str):
    ola = account_of(hosted, "Ola")
    debate = made(hosted, ola, people=kind == "with people", over=kind != "going on")
    if kind == "archived":
        hosted.submit(debate, Act(by=ola, act=Archived(reason=f"{MARKER} is done")))
    if kind == "taken in":
        elsewhere = Host(MemoryStore())
        brought = made(elsewhere, "")
        debate = hosted.import_record(dump_record(elsewhere.events(brought)).encode(), owner=ola)
    assert MARKER in everything(at(browser_of("Ola"), debate, page="results.py"))
    # What differs between the kinds shows in the lists; each page and tab is looked at for one of them.
    more = {} if kind == "with people" else {"lists": ["metrics.py"], "tabs": ["Files"]}
    assert MARKER not in seen(browser_of("Una"), debate, **more)
    una_brings = login_cookie("Una")
    assert frames(debate, una_brings) == frames(debate, una_brings, "?screen=1&as=s0,s1,s2") == ""
    assert frames(debate, login_cookie("Ola"))


def test_no_route_and_no_health_tells_another_of_it(hosted: Host):
    debate = made(hosted, account_of(hosted, "Ola"))
    account_of(hosted, "Una")
    browser = client()
    browser.cookies.update(dict(login_cookie("Una")))
    answers = []
    for path in sorted(all_paths()):
        for name in ("{debate_id}", "{token}", "{file_id}", "{path:path}", "{filename:path}"):
            path = path.replace(name, debate)
        if "{" in path or path.endswith("/live") or path.startswith("/_stcore") or "oauth" in path or "auth" in path:
            continue
        answers.append(browser.get(path).text)
    assert len(answers) > 5
    assert [text for text in answers if MARKER in text or debate in text] == []


@pytest.mark.parametrize(
    ("who", "said", "reads"),
    [
        ("Ola", {}, True),
        ("Una", {}, False),
        ("Ola", {"secret": "another secret"}, False),
        ("Ola", {"is_logged_in": False}, False),
        ("Ola", {"is_logged_in": "yes"}, False),
        ("Ola", {"sub": ""}, False),
        ("Ola", {"iss": "https://elsewhere.example.org"}, False),
    ],
)
def test_the_socket_accepts_only_cookies_signed_here(hosted: Host, who: str, said: dict[str, Any], reads: bool):
    debate = made(hosted, account_of(hosted, "Ola"))
    assert bool(frames(debate, login_cookie(who, **said))) is reads
    assert not frames(debate, {name: value[:-1] for name, value in login_cookie(who, **said).items()})


@pytest.mark.parametrize(("secret", "known"), [(SECRET, True), ("another", False)])
def test_who_is_logged_in_takes_no_place_of_strangers(hosted: Host, secret: str, known: bool):
    asked = {"type": "websocket", "headers": [(b"cookie", _header(login_cookie("Ola", secret=secret)))]}
    counting = OpenPages(PlainTextResponse("x"))
    assert (asyncio.run(counting._choose_counter(asked)) is counting.known) is known


def _header(cookies: Mapping[str, str]) -> bytes:
    return "; ".join(f"{name}={value}" for name, value in cookies.items()).encode()


def test_without_an_auth_section_no_login_cookie_is_anybody(hosted: Host, tmp_path: Path):
    debate = made(hosted, account_of(hosted, "Ola"))
    with organisation(tmp_path):
        (tmp_path / "secrets.toml").write_text("", "utf-8")
        secrets_singleton._reset()
        assert not frames(debate, login_cookie("Ola"))


def group(app: AppTest, name: str) -> list[str]:
    """The questions in this group of the list."""
    app.segmented_control(key="home_group").set_value(name).run()
    assert not app.exception
    return [row["question"] for rows in lists(app).values() for row in rows if row["question"].startswith("Which")]


def test_the_list_has_my_debates_those_i_join_and_shared_ones(
    guest: AppTest, hosted: Host, monkeypatch: pytest.MonkeyPatch
):
    ola, una = account_of(hosted, "Ola"), account_of(hosted, "Una")
    made(hosted, una, name="of Una")
    made(hosted, una, name="put away")
    hosted.submit(hosted.debates()[0].id, Act(by=una, act=Archived(reason="done")))
    made(hosted, ola, name="of Ola alone")
    made(hosted, ola, name="of Ola for all", shared=True)
    made(hosted, "", name="of the server")
    taking_part = made(hosted, ola, name="of Ola with Ann", people=True)
    monkeypatch.setattr(ContextProxy, "cookies", {cookie_name(taking_part): cookie_of(hosted, taking_part, ANN)})
    app = browser_of("Una").run()
    assert group(app, "mine") == ["Which of Una?"]
    assert group(app, "part") == ["Which of Ola with Ann?"]
    assert sorted(group(app, "organisation")) == ["Which of Ola for all?", "Which of the server?"]
    assert group(app, "archive") == ["Which put away?"]


@pytest.mark.parametrize("name", ["mine", "part", "organisation"])
def test_a_group_without_debates_says_how_one_comes_there(guest: AppTest, hosted: Host, name: str):
    owner, shared = ("Ola", True) if name in ("mine", "part") else ("Una", False)
    account_of(hosted, "Una")
    made(hosted, account_of(hosted, owner), shared=shared)
    app = browser_of("Una").run()
    assert group(app, name) == []
    assert home._EMPTY[name] in words(app)


def test_a_group_without_matches_is_not_called_empty(guest: AppTest, hosted: Host, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(home, "PAGE_ROWS", 1)
    made(hosted, account_of(hosted, "Una"), name="of Una")
    made(hosted, account_of(hosted, "Ola"), name="of Ola", shared=True)
    app = browser_of("Una").run()
    app.text_input(key="home_search").set_value("of Ola").run()
    assert group(app, "mine") == []
    assert home._EMPTY["mine"] not in words(app)
    assert "No debate in this list matches the search." in words(app)
    assert group(app, "organisation") == ["Which of Ola?"]


def test_without_a_login_the_list_is_unchanged(app: AppTest, host: Host):
    made(host, "", name="shown")
    app.run()
    assert "home_group" not in {control.key for control in app.segmented_control}
    away = made(host, "", name="away")
    host.submit(away, Act(by=HOST, act=Archived(reason="done", who="Op")))
    app.run()
    assert group(app, "all") == ["Which shown?"]
    assert group(app, "archive") == ["Which away?"]


def test_a_reader_of_the_organisation_neither_leads_nor_speaks(guest: AppTest, hosted: Host):
    ola = account_of(hosted, "Ola")
    debate = made(hosted, ola, shared=True, over=False)
    account_of(hosted, "Una")
    app = at(browser_of("Una"), debate, None, "room.py", **{"as": "facilitator,s0"})
    assert MARKER in everything(app)
    assert not {"pause", "intervene"} & {b.key for b in app.button}
    assert not [b for b in app.button if b.label in ("Give this turn", "Send", "Take the seat s0")]
    mine = at(browser_of("Ola"), debate, None, "room.py", **{"as": "facilitator,s0"})
    assert "pause" in {b.key for b in mine.button}
    own, other = (frames(debate, login_cookie(name), "?as=s0") for name in ("Ola", "Una"))
    assert own
    assert other


def test_only_its_owner_vouches_for_a_record_from_a_file(guest: AppTest, hosted: Host):
    ola, elsewhere = account_of(hosted, "Ola"), Host(MemoryStore())
    data = dump_record(elsewhere.events(made(elsewhere, ""))).encode()
    debate = hosted.import_record(data, owner=ola)
    hosted.submit(debate, Act(by=ola, act=Shared(reason="all decide")))
    for name, asked in (("Ola", True), ("Una", False)):
        app = at(browser_of(name), debate, page="record.py")
        assert "What happened" in [h.value for h in app.header]
        assert ("signer" in {field.key for field in app.text_input}) is asked


def menu(app: AppTest, debate: str, reason: str = "", page: str = "results.py") -> AppTest:
    """The owner's menu, open, with this reason."""
    unfolded(at(app, debate, page=page), "owner-menu").run()
    if reason:
        app.text_input(key="owner-reason").set_value(reason).run()
    return app


def owned(host: Host, debate: str) -> list[tuple[str, Owning]]:
    return [(e.actor, e.body) for e in host.events(debate) if isinstance(e.body, Owning)]


def test_an_owner_archives_and_hands_over_with_a_reason(guest: AppTest, hosted: Host):
    ola, una = account_of(hosted, "Ola"), account_of(hosted, "Una")
    debate = made(hosted, ola)
    app = menu(browser_of("Ola"), debate)
    press(app, "owner-share")
    assert "write a reason first" in told(app)
    acts = (("owner-share", "all decide", "room.py"), ("owner-archive", "it is built", "record.py"))
    for key, reason, page in acts:
        press(menu(app, debate, reason, page), key)
    menu(app, debate, "Una leads it now").text_input(key="owner-to").set_value(" UNA@example.org").run()
    press(app, "owner-hand-over")
    assert owned(hosted, debate) == [
        (ola, Shared(reason="all decide")),
        (ola, Archived(reason="it is built")),
        (ola, HandedOver(to=una, reason="Una leads it now")),
    ]
    assert "owner-menu" not in at(browser_of("Ola"), debate, page="results.py").session_state
    assert [b.key for b in menu(browser_of("Una"), debate).button if str(b.key).startswith("owner")]


def test_an_impossible_act_is_refused_and_changes_nothing(guest: AppTest, hosted: Host):
    debate = made(hosted, account_of(hosted, "Ola"), people=True)
    before = hosted.events(debate)
    app = menu(browser_of("Ola"), debate, "because")
    for key, field, typed, said in (
        ("owner-hand-over", "owner-to", "", "write the e-mail address"),
        ("owner-hand-over", "owner-to", "nobody@example.org", "no one has logged in here as nobody"),
        ("owner-hand-over", "owner-to", "ola@example.org", "already yours"),
        ("owner-erase", "owner-name", "Zoe", "no one in this debate is called 'Zoe'"),
        ("owner-erase", "owner-name", "", "enter the name to remove"),
    ):
        app.text_input(key=field).set_value(typed)
        press(app, key)
        assert said in told(app)
    assert hosted.events(debate) == before


def test_a_running_debate_is_not_archived_and_has_no_button(guest: AppTest, hosted: Host):
    debate = made(hosted, account_of(hosted, "Ola"), over=False)
    assert "owner-archive" not in {b.key for b in menu(browser_of("Ola"), debate).button}


def test_a_name_is_removed_and_a_new_record_replaces_the_old(
    guest: AppTest, hosted: Host, monkeypatch: pytest.MonkeyPatch
):
    ola = account_of(hosted, "Ola")
    debate = made(hosted, ola, name="thing", people=True)
    head = hosted.state(debate).head
    cookies = {cookie_name(debate): cookie_of(hosted, debate, ANN)}
    app = menu(browser_of("Ola"), debate, f"Max {MARKER} asked for it")
    app.text_input(key="owner-name").set_value(f"max {MARKER}").run()
    press(app, "owner-erase")
    new = hosted.stands_for(debate)
    assert new != debate
    assert app.query_params["id"] in (new, [new])
    state = hosted.state(new)
    assert state.predecessor is not None
    assert (state.predecessor.debate, state.predecessor.head, state.predecessor.by) == (debate, head, ola)
    assert MARKER not in dump_record(hosted.events(new))
    assert hosted.signed(new)[-1].statement.head == state.head
    assert [row.id for row in hosted.debates()] == [new]
    assert MARKER not in seen(browser_of("Ola"), debate, lists=()) + seen(browser_of("Ola"), new, tabs=())
    assert frames(debate, login_cookie("Ola")) == ""
    # The people of the old record are in the new one.
    monkeypatch.setattr(ContextProxy, "cookies", cookies)
    viewer = hosted.viewer(new, cookies)
    assert viewer is not None
    assert viewer.name == ANN.name
    invite = hosted.door.invitations.make(debate, "voter", kind="open")
    link = f"/join/{hosted.door.token(invite)}"
    assert client().get(link).status_code == client().post(link, data={"name": "New"}).status_code == 403
    record = at(browser_of("Una"), debate, page="record.py")
    assert head in told(record)
    with pytest.raises(Exception, match="this record was replaced"):
        hosted.submit(debate, Act(by="p-new", act=PersonJoined(person=Person(id="p-new", name="New"))))


def test_practice_is_for_who_practised(guest: AppTest, hosted: Host):
    ola = account_of(hosted, "Ola")
    account_of(hosted, "Una")
    case = next(iter(practice.shipped_cases().values()))
    hosted.drafts.keep_practice_debate(
        "own", case.model_copy(update={"question": f"Is it the {MARKER}?"}).model_dump_json(), owner=ola
    )
    practice.begin(hosted, "own", f"Ola {MARKER}", owner=ola)
    judged_to_the_end(hosted, "disk_space", "Bea", 70)
    for name, reads in (("Ola", True), ("Una", False)):
        app = browser_of(name)
        app.query_params["who"] = "Ola"
        shown = everything(app.run().switch_page("practice.py").run()) + everything(app.switch_page("metrics.py").run())
        assert (MARKER in shown) is reads


@pytest.mark.parametrize("shared", [True, False])
def test_set_up_asks_whether_the_organisation_may_read_it(guest: AppTest, hosted: Host, shared: bool):
    app = browser_of("Ola").run()
    app.switch_page("setup.py").run()
    app.text_area(key="setup_question").set_value("Should we adopt it?")
    app.text_input(key="setup_option_o1").set_value("adopt")
    app.text_input(key="setup_option_o2").set_value("defer").run()
    app.toggle(key="setup_shared_False").set_value(shared).run()
    press(app, "start_debate")
    (row,) = hosted.debates()
    assert (row.ownership.owner, row.ownership.shared) == (account_of(hosted, "Ola"), shared)


@pytest.mark.parametrize(
    ("room", "shared", "opens"),
    [
        (RoomDraft(), True, True),
        (RoomDraft(), False, False),
        (RoomDraft(on=True, readers="hosts"), False, True),
        (RoomDraft(on=True, readers="members"), True, False),
    ],
)
def test_with_people_what_they_agree_on_says_whether_it_is_open(room: RoomDraft, shared: bool, opens: bool):
    assert SetupDraft(room=room, shared=shared).is_shared() is opens


def test_what_is_begun_by_somebody_who_is_logged_in_is_theirs(guest: AppTest, hosted: Host):
    ola = account_of(hosted, "Ola")
    app = browser_of("Ola").run()
    press(app, "watch")
    (row,) = hosted.debates()
    assert row.ownership.owner == ola
    hosted.submit(row.id, Stop(by="facilitator", reason="seen"))
    app = at(browser_of("Ola"), row.id, page="record.py")
    next(b for b in app.button if "again" in b.label).click().run()
    assert {row.ownership.owner for row in hosted.debates()} == {ola}
    assert "of-Ola" not in dump_record(hosted.events(row.id))
