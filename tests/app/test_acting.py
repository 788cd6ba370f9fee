"""Acts on pages that are open: every act looks the person up again, and no draft is lost to a store at fault."""

import ast
import os
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any, get_args

import pytest
import streamlit as st
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from debate_core.errors import NotAllowed
from debate_core.host.access import admission
from debate_core.host.host import Host, HostOptions, reset_shared_host
from debate_core.host.runner import now
from debate_core.host.stores import open_store
from debate_core.record import acts
from debate_core.record.events import dump_record
from debate_core.spec.people import Person
from debate_core.ui.kit import failures, session
from tests.app.test_judge_desk import after_round_1
from tests.app.visiting import ELSEWHERE, HOLDERS, at, begun, brings, cookie_of, did, invite_of, opened, tells, told
from tests.people import ABE, ANN, EVERYBODY, FAY, GUS, JUNE, MO, SYD, room_spec
from tests.playing import Played

ROOT = Path(__file__).resolve().parents[2]
SAM = HOLDERS[0]
CODE = "correct horse battery"
GONE = failures.LINK_GONE.split(":")[0]


@pytest.fixture
def other_process(host: Host) -> Iterator[Host]:
    """Another process on the same database, such as the command line."""
    del host
    with closing(Host(open_store(os.environ["DEBATE_DB"]), HostOptions(worker="none"))) as other:
        yield other


def lets_in(host: Host, debate: str, who: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    brings(monkeypatch, debate, cookie_of(host, debate, who))


def taken_back(host: Host, debate: str, who: Person, _: pytest.MonkeyPatch) -> None:
    for listed in host.door.invitations.of(debate):
        if listed.invite.person == who.id:
            host.door.invitations.revoke(listed.invite)


def replaced(host: Host, debate: str, who: Person, _: pytest.MonkeyPatch) -> None:
    with closing(Host(open_store(os.environ["DEBATE_DB"]), HostOptions(worker="none"))) as other:
        admission.renew(other.door, other.state(debate), who.id, lambda act: other.submit(debate, act))
    host.cache(debate).look()


def expired(host: Host, _debate: str, _who: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host.door.cookies, "_clock", lambda: now() + timedelta(days=31))


def shown_out(host: Host, debate: str, who: Person, _: pytest.MonkeyPatch) -> None:
    host.door.cookies.bar(debate, who.id)


def other_role(host: Host, debate: str, who: Person, _: pytest.MonkeyPatch) -> None:
    second = SYD.model_copy(update={"role": "facilitator"})
    did(host, debate, FAY, acts.PersonChanged(person=second))
    # Votes are fixed once a poll was opened, roles are not.
    changed = who.model_copy(update={"role": "moderator" if who.role in ("facilitator", "voter") else "observer"})
    did(host, debate, SYD, acts.PersonChanged(person=changed))


LOSSES = (taken_back, replaced, expired, shown_out, other_role)


# --- presses on pages


def press(app: AppTest, label: str) -> None:
    next(button for button in app.button if button.label.startswith(label)).click().run()
    assert not app.exception, app.exception


def casts(app: AppTest) -> None:
    app.radio[0].set_value("adopt")
    press(app, "Cast my vote")


def opens_the_floor(app: AppTest) -> None:
    app.session_state["floor-ask"] = True
    app.run()


def asks(app: AppTest) -> None:
    next(field for field in app.text_area if "question" in field.label).set_value("Why now?")
    press(app, "Send")


def invites(app: AppTest) -> None:
    app.text_input(key="invite-name").set_value("Eve")
    press(app, "Make the link")


def takes_back(app: AppTest) -> None:
    next(button for button in app.button if button.label.startswith("Take back the link of ")).click().run()


def writes_a_turn(app: AppTest) -> None:
    field = next(area for area in app.text_area if area.label == "Your argument")
    field.set_value("Because.")
    app.radio[0].set_value("adopt")
    press(app, "Give this turn")


def with_reason(app: AppTest) -> None:
    app.text_input(key="reason-course").set_value("enough")
    press(app, "Stop the debate")


def brings_a_document(app: AppTest) -> None:
    next(area for area in app.text_area if area.label == "Or its text").set_value("One line.")
    press(app, "Add the document")


Opens = Callable[[Host], str]
Does = Callable[[AppTest], None]


def voting(host: Host) -> str:
    debate = opened(host)
    did(host, debate, FAY, acts.PollOpened(poll="pre"))
    return debate


def imported(held: Played) -> Opens:
    return lambda host: host.import_record(dump_record(held.events).encode())


def over() -> Played:
    held = Played(room_spec((*EVERYBODY,), rounds=1))
    held.to_the_end()
    return held


PRESSES: dict[str, tuple[Person, Opens, Does]] = {
    "the next step": (FAY, opened, lambda app: press(app, "Open the pre-vote")),
    "begin without a vote": (FAY, opened, lambda app: press(app, "Skip the pre-vote")),
    "pause": (FAY, begun, lambda app: press(app, "Pause")),
    "stop with a reason": (FAY, begun, with_reason),
    "remind": (MO, begun, lambda app: press(app, "Remind")),
    "invite": (FAY, opened, invites),
    "take a link back": (FAY, opened, takes_back),
    "ballot": (ANN, voting, casts),
    "ask from the floor": (GUS, begun, asks),
    "a document": (SAM, begun, brings_a_document),
    "a turn": (SAM, begun, writes_a_turn),
    "probabilities": (JUNE, imported(after_round_1()), lambda app: press(app, "Give these probabilities")),
    "signature": (ABE, imported(over()), lambda app: press(app, "Accept and sign")),
}


@pytest.mark.slow
@pytest.mark.parametrize("lost", LOSSES, ids=lambda lost: lost.__name__)
@pytest.mark.parametrize("does", PRESSES)
def test_press_after_the_link_was_lost_changes_nothing(
    app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch, does: str, lost: Callable[..., None]
):
    who, opens, acts_now = PRESSES[does]
    debate = opens(host)
    lets_in(host, debate, who, monkeypatch)
    at(app, debate)
    if does == "ask from the floor":
        opens_the_floor(app)
    if does == "probabilities":
        tells(app, "probs", [34, 33, 33])
    links = len(host.door.invitations.of(debate))
    lost(host, debate, who, monkeypatch)
    new_links = len(host.door.invitations.of(debate)) - links
    before = host.events(debate)
    acts_now(app)
    after = [event for event in host.events(debate)[len(before) :] if event.actor == who.id]
    assert after == []
    assert len(host.door.invitations.of(debate)) == links + new_links
    words = told(app)
    assert "Nothing was recorded" in words or "you need a link" in words


@pytest.mark.slow
@pytest.mark.parametrize("does", PRESSES)
def test_press_with_a_good_link_is_recorded(app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch, does: str):
    who, opens, acts_now = PRESSES[does]
    debate = opens(host)
    lets_in(host, debate, who, monkeypatch)
    at(app, debate)
    if does == "ask from the floor":
        opens_the_floor(app)
    if does == "probabilities":
        tells(app, "probs", [34, 33, 33])
    before = host.events(debate)
    acts_now(app)
    assert [event for event in host.events(debate)[len(before) :] if event.actor == who.id]


@pytest.mark.parametrize("lost", [taken_back, replaced], ids=lambda lost: lost.__name__)
def test_opener_who_lost_the_link_leads_no_more(
    app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch, lost: Callable[..., None]
):
    debate = opened(host)
    invite = invite_of(host, debate, FAY)
    app.session_state["own_links"] = {debate: host.door.token(invite)}
    at(app, debate, FAY)
    before = host.state(debate).version
    lost(host, debate, FAY, monkeypatch)
    version = host.state(debate).version
    press(app, "Open the pre-vote")
    assert host.state(debate).version == version >= before
    assert "Leading the debate" not in told(app)


# --- the functions, for every kind of act


@pytest.fixture
def drawn(host: Host, monkeypatch: pytest.MonkeyPatch) -> tuple[str, session.Me]:
    """A debate, and its facilitator as a page was drawn for them."""
    debate = opened(host)
    lets_in(host, debate, FAY, monkeypatch)
    return debate, session.me(host.state(debate))


def refused(debate: str, host: Host, give: Callable[[], bool]) -> str:
    """Return the reason of a refusal that recorded nothing."""
    before = host.events(debate)
    assert give() is False
    assert host.events(debate) == before
    return str(st.session_state.get("problem", ""))


def empty(kind: Any) -> acts.RoomAct:
    """An act of this kind that would fail any check of its fields."""
    act: acts.RoomAct = kind.model_construct()
    return act


@pytest.mark.parametrize("kind", get_args(acts.RoomAct), ids=lambda kind: kind.__name__)
def test_no_kind_of_act_is_made_for_a_lost_link(
    host: Host, drawn: tuple[str, session.Me], monkeypatch: pytest.MonkeyPatch, kind: type[acts.RoomAct]
):
    debate, fay = drawn
    taken_back(host, debate, FAY, monkeypatch)
    assert GONE in refused(debate, host, lambda: session.act(host.state(debate), fay, empty(kind)))


def test_command_of_a_lost_link_is_not_even_made(
    host: Host, drawn: tuple[str, session.Me], monkeypatch: pytest.MonkeyPatch
):
    debate, fay = drawn
    made: list[str] = []
    taken_back(host, debate, FAY, monkeypatch)
    assert not session.give(debate, fay, lambda by: made.append(by))
    assert made == []


def test_link_taken_back_by_another_process_is_refused(host: Host, other_process: Host, drawn: tuple[str, session.Me]):
    """Answers for cookies are cached for three seconds; an act reads past the cache."""
    debate, fay = drawn
    assert session.act(host.state(debate), fay, acts.PollOpened(poll="pre"))
    for listed in other_process.door.invitations.of(debate):
        other_process.door.invitations.revoke(listed.invite)
    assert GONE in refused(debate, host, lambda: session.act(host.state(debate), fay, acts.PollClosed(poll="pre")))


def test_browser_of_another_person_acts_not_for_the_first(
    host: Host, drawn: tuple[str, session.Me], monkeypatch: pytest.MonkeyPatch
):
    debate, fay = drawn
    lets_in(host, debate, MO, monkeypatch)
    why = refused(debate, host, lambda: session.act(host.state(debate), fay, acts.PollOpened(poll="pre")))
    assert "joined as Mo" in why


@pytest.mark.parametrize("lost", LOSSES, ids=lambda lost: lost.__name__)
def test_draft_of_a_lost_link_is_not_written(
    app: AppTest, host: Host, monkeypatch: pytest.MonkeyPatch, lost: Callable[..., None]
):
    debate = voting(host)
    lets_in(host, debate, ANN, monkeypatch)
    at(app, debate)
    lost(host, debate, ANN, monkeypatch)
    app.radio[0].set_value("defer").run()
    assert not app.exception
    assert host.drafts.text(f"{debate}/{ANN.id}/poll-pre") is None


def test_setting_of_a_lost_link_is_not_written(
    host: Host, drawn: tuple[str, session.Me], monkeypatch: pytest.MonkeyPatch
):
    debate, fay = drawn
    taken_back(host, debate, FAY, monkeypatch)
    saved = session.keep(debate, fay, lambda: host.drafts.save("x", "y"), unsaved=failures.UNSAVED)
    assert (saved, host.drafts.text("x")) == (False, None)


@pytest.mark.parametrize("lost", LOSSES, ids=lambda lost: lost.__name__)
def test_file_is_not_made_for_a_lost_link(
    host: Host, elsewhere: None, monkeypatch: pytest.MonkeyPatch, lost: Callable[..., None]
):
    debate = opened(host, readers="members")
    lets_in(host, debate, ANN, monkeypatch)
    made = session.while_let_in(host.state(debate), lambda: "the file")
    assert made() == "the file"
    lost(host, debate, ANN, monkeypatch)
    with pytest.raises(NotAllowed):
        made()


def test_record_that_is_taken_is_the_one_that_was_drawn(host: Host, app: AppTest, monkeypatch: pytest.MonkeyPatch):
    """A vote that is opened after the page was drawn stays sealed in the file."""
    debate = opened(host)
    files: list[Callable[[], bytes]] = []
    monkeypatch.setattr(st, "download_button", lambda _label, data, *_a, **_k: files.append(data))
    at(app, debate, FAY, "record.py")
    did(host, debate, FAY, acts.PollOpened(poll="pre"))
    did(host, debate, ANN, acts.BallotCast(poll="pre", choice="adopt"))
    (made,) = files
    assert b"ballot_cast" not in made()


def test_former_host_begins_nothing(host: Host, elsewhere: None, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DEBATE_HOST_CODE", CODE)
    reset_shared_host()
    cookie = session.host().door.hosting.cookie(CODE, address=ELSEWHERE)
    monkeypatch.setattr(ContextProxy, "cookies", {"host": cookie})
    began: list[int] = []
    session.as_host(lambda: began.append(1))
    monkeypatch.setattr(ContextProxy, "cookies", {})
    with pytest.raises(NotAllowed, match="can no longer host"):
        session.as_host(lambda: began.append(2))
    assert not session.keep_as_host(lambda: began.append(3), unsaved=failures.UNSAVED_SETUP)
    assert began == [1]


# --- one door

WRITING = frozenset(
    {"submit", "stop", "admit", "create", "start_rehearsal", "replay", "import_record", "vouch", "erase_name"}
    | {"keep_played", "expect_people", "save", "drop", "bar", "revoke", "rotate", "make", "make_for", "probe"}
)
OWNERS = ("host()", "host", "drafts", "door", "invitations", "cookies", "access", "tokens")
DOORS = {
    "debate_core/ui/kit/session.py give: host().stop",
    "debate_core/ui/kit/session.py give: host().submit",
    "debate_core/ui/kit/session.py forget: host().drafts.drop",
    # Through `session.keep`.
    "debate_core/ui/kit/drafts.py save_merged: session.host().drafts.save",
    "debate_core/ui/kit/single_keys.py _save_setting: session.host().drafts.save",
    "debate_core/ui/room/role_panels/judge/reading.py _first_look: session.host().drafts.save",
    "debate_core/ui/room/role_panels/newcomers.py draw_expected_people: session.host().expect_people",
    "debate_core/ui/room/invitations.py link: self.door.invitations.make_for",
    "debate_core/ui/room/invitations.py invite: self.door.invitations.make",
    "debate_core/ui/room/invitations.py again: self.door.invitations.rotate",
    "debate_core/ui/room/invitations.py take_back: self.door.invitations.revoke",
    # After `session.act`, whose event shows them out already.
    "debate_core/ui/room/invitations.py show_out: session.host().door.cookies.bar",
    # Of a debate that this browser has just opened, and within `reopen`, through `session.keep`.
    "debate_core/ui/room/invitations.py open_door: door.invitations.make_for",
    "debate_core/ui/room/invitations.py link_for_all: door.invitations.make",
    # Through `session.as_owner`.
    "debate_core/ui/kit/owner_menu.py _submit: session.host().submit",
    "debate_core/ui/kit/owner_menu.py _erase: session.host().erase_name",
    # Through `session.as_host` or `session.keep_as_host`.
    "debate_core/ui/pages/home.py welcome: session.host().start_rehearsal",
    "debate_core/ui/pages/home.py draw_rehearsals: session.host().start_rehearsal",
    "debate_core/ui/pages/protocols.py _rehearse: session.host().create",
    "debate_core/ui/pages/home.py _read_upload: session.host().import_record",
    "debate_core/ui/pages/imports.py _offer_record: session.host().keep_played",
    "debate_core/ui/pages/home.py _offer_script: session.host().create",
    "debate_core/ui/pages/record.py _draw_signature_check: session.host().vouch",
    "debate_core/ui/pages/record.py play_again: session.host().replay",
    "debate_core/ui/pages/tokens.py make_token: tokens.make",
    "debate_core/ui/pages/tokens.py revoke_token: session.host().door.tokens.revoke",
    "debate_core/ui/setup/draft_store.py keep: session.host().drafts.save",
    "debate_core/ui/setup/servers.py _try: session.host().probe",
    # By a link or a code, which is looked at here.
    "debate_core/ui/server/join_routes.py _admit: host.admit",
}
"""Every place of the screens that calls what writes, and why it may."""


def test_pages_write_through_one_door():
    found = set()
    for folder in ("debate_core/ui", "pages"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            for function in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                    found |= {f"{name} {function.name}: {call}" for call in _writes(function)}
    assert found == DOORS


def _writes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    inner = {
        node
        for part in ast.walk(function)
        if part is not function and isinstance(part, ast.FunctionDef)
        for node in ast.walk(part)
    }
    for node in ast.walk(function):
        # References too: `partial(host().create, spec)` writes where it is called.
        if node in inner or not isinstance(node, ast.Attribute):
            continue
        owner = ast.unparse(node.value)
        if node.attr in WRITING and owner.rpartition(".")[2] in OWNERS:
            yield ast.unparse(node)
