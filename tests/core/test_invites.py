"""Admission: forged, expired, revoked or used links are refused, guesses are slow, cookies end with the right."""

import random
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, strategies

from debate_core.errors import Busy, InvalidSpec, NotAllowed, RuleViolation, TooManyTries, Unwritable
from debate_core.host.access.door import EXPIRED, FORGED, NO_SUCH_CODE, REVOKED, USED, Door
from debate_core.host.access.invites import INVITE_LASTS, Invitations, Invite, InviteKind
from debate_core.host.stores.memory import MemoryStore
from debate_core.host.stores.sqlite import SqliteStore
from debate_core.spec.people import Person
from tests.joining import ready_invite

ROOT = Path(__file__).resolve().parents[2]
SECRET = "a secret of this test, thirty-two"


@dataclass
class Clock:
    now: datetime = field(default_factory=lambda: datetime(2026, 5, 4, 9, tzinfo=UTC))

    def __call__(self) -> datetime:
        return self.now

    def wait(self, **span: float) -> None:
        self.now += timedelta(**span)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def door(clock: Clock) -> Door:
    return Door(MemoryStore(), clock=clock, secret=SECRET)


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(NotAllowed) as error:
        act()
    return str(error.value)


def use(door: Door, invite: Invite) -> str:
    person = invite.newcomer("Guest")
    with door.admit(invite, person.id):
        pass
    return person.id


def test_a_personal_link_lets_one_person_in_once(door: Door, clock: Clock):
    invite = door.invitations.make("d-1", "judge", name="Ana  Ruiz\n", seats=("risk",), weight=2, electorate="panel")
    token = door.token(invite)
    assert ready_invite(door, token) == invite
    assert (invite.kind, invite.code, invite.name) == ("personal", "", "Ana Ruiz")
    assert invite.expires_at == "2026-05-18T09:00:00.000000Z"
    person = invite.newcomer("somebody else")
    assert person == Person(id=person.id, name="Ana Ruiz", role="judge", electorate="panel", weight=2, seats=("risk",))
    clock.wait(minutes=5)
    assert use(door, invite) == person.id == invite.person
    assert refused(lambda: ready_invite(door, token)) == USED
    assert refused(lambda: use(door, invite)) == USED
    [listed] = door.invitations.of("d-1")
    assert listed.status == "used"
    assert listed.use is not None
    assert (listed.use.person, listed.use.at) == (person.id, "2026-05-04T09:05:00.000000Z")


def test_an_open_link_lets_many_in_each_as_a_new_person(door: Door):
    invite = door.invitations.make("d-1", "voter", kind="open")
    people = {use(door, ready_invite(door, door.token(invite))) for _ in range(50)}
    assert len(people) == 50
    guest = invite.newcomer(" Zoë\u202e ")
    assert (guest.name, guest.role, guest.electorate, guest.weight) == ("Zoë", "voter", "room", 1)
    assert invite.newcomer("\u2066\n").name == "Guest"
    assert [(i.status, i.use) for i in door.invitations.of("d-1")] == [("ready", None)]


@pytest.mark.parametrize("role", ["facilitator", "moderator", "debater", "judge", "synthesiser", "approver"])
def test_a_link_for_everybody_carries_no_office(door: Door, role: str):
    with pytest.raises(InvalidSpec, match=r"^a link for everybody lets in observers and voters"):
        door.invitations.make("d-1", role, kind="open")  # type: ignore[arg-type]
    with pytest.raises(InvalidSpec, match=r"^a link for everybody"):
        door.invitations.make("d-1", "voter", kind="open", electorate="panel")
    with pytest.raises(InvalidSpec, match=r"^a link for everybody"):
        door.invitations.make("d-1", "voter", kind="open", weight=2)


def test_what_an_invite_cannot_be(door: Door):
    with pytest.raises(InvalidSpec, match=r"^name: string should have at most 80 characters"):
        door.invitations.make("d-1", "voter", name="x" * 81)
    with pytest.raises(InvalidSpec, match=r"^seats\.0: "):
        door.invitations.make("d-1", "debater", seats=("no such/seat",))
    with pytest.raises(InvalidSpec, match=r"^debate: "):
        door.invitations.make("d.1", "voter")
    assert door.invitations.of("d-1") == ()


def test_expired_and_revoked_links_are_refused(door: Door, clock: Clock):
    invite = door.invitations.make("d-1", "judge")
    token = door.token(invite)
    clock.wait(days=13, hours=23, minutes=59, seconds=59)
    assert ready_invite(door, token) == invite
    clock.wait(seconds=1)
    assert refused(lambda: ready_invite(door, token)) == EXPIRED
    assert refused(lambda: use(door, invite)) == EXPIRED
    door.invitations.revoke(invite)
    assert refused(lambda: ready_invite(door, token)) == REVOKED
    assert [i.status for i in door.invitations.of("d-1")] == ["revoked"]


def test_rotation_ends_the_old_link_and_keeps_the_person(door: Door, clock: Clock):
    old = door.invitations.make("d-1", "voter", name="Ana", electorate="panel")
    person = use(door, old)
    cookie = door.cookies.of(old, person)
    clock.wait(seconds=1)
    new = door.invitations.rotate(old)
    assert refused(lambda: ready_invite(door, door.token(old))) == REVOKED
    assert door.cookies.person_of(cookie, "d-1") is None
    assert use(door, ready_invite(door, door.token(new))) == person
    assert [i.status for i in door.invitations.of("d-1")] == ["used", "revoked"]


OF_ONE_LINK = {"id", "code", "made_at", "expires_at", "revoked_at"}
"""What a link made anew has of its own; all else is carried over."""


def test_a_link_made_anew_loses_nothing_of_the_old_one(door: Door, clock: Clock):
    make = door.invitations.make
    full = make("d-1", "judge", name="Ana", electorate="panel", weight=2, seats=("risk",), person="p-ana")
    defaults = Invite(id=full.id, debate="d-0", kind="open", role="observer", made_at="", expires_at="")
    carried = Invite.model_fields.keys() - OF_ONE_LINK
    as_by_default = {name for name in carried if getattr(full, name) == getattr(defaults, name)}
    assert as_by_default == set(), "give the invite of this test every field that there is"
    for old in (full, make("d-1", "voter", kind="open")):
        door.invitations.revoke(old)
        [revoked] = (listed.invite for listed in door.invitations.of("d-1") if listed.invite.id == old.id)
        clock.wait(hours=1)
        new = door.invitations.rotate(revoked)
        assert new.model_dump(exclude=OF_ONE_LINK) == old.model_dump(exclude=OF_ONE_LINK)
        assert new.id != old.id
        assert (new.code != old.code) is (old.kind == "open")
        assert (new.made_at > old.made_at, new.expires_at > old.expires_at, new.revoked_at) == (True, True, "")
        assert ready_invite(door, door.token(new)) == new


def test_a_failed_check_after_a_use_leaves_the_link_ready(clock: Clock):
    class FailsAfterUse(MemoryStore):
        is_broken = False

        def add_note(self, kind: str, name: str, text: str) -> bool:
            self.is_broken = kind == "used"
            return super().add_note(kind, name, text)

        def note(self, kind: str, name: str) -> str | None:
            if self.is_broken:
                raise Busy("the database is locked")
            return super().note(kind, name)

    store = FailsAfterUse()
    door = Door(store, clock=clock, secret=SECRET)
    invite = door.invitations.make("d-1", "voter")
    with pytest.raises(Busy):
        use(door, invite)
    store.is_broken = False
    assert door.invitations.status(invite) == "ready"


@pytest.mark.parametrize("kind", ["personal", "open"])
def test_a_failed_rotation_leaves_one_working_link(clock: Clock, kind: InviteKind):
    class FullSoon(MemoryStore):
        writes_left = 1_000

        def put_note(self, kind: str, name: str, text: str) -> None:
            if self.writes_left == 0:
                raise Unwritable("the disk is full")
            self.writes_left -= 1
            super().put_note(kind, name, text)

    store = FullSoon()
    door = Door(store, clock=clock, secret=SECRET)
    old = door.invitations.make("d-1", "voter", kind=kind)
    for writes_left in (0, 1):
        store.writes_left = writes_left
        with pytest.raises(Unwritable):
            door.invitations.rotate(old)
        assert ready_invite(door, door.token(old)) == old


def test_guests_stay_when_the_open_link_is_rotated(door: Door):
    old = door.invitations.make("d-1", "observer", kind="open")
    guest = use(door, old)
    cookie = door.cookies.of(old, guest)
    new = door.invitations.rotate(old)
    assert new.code != old.code
    assert refused(lambda: door.by_code(old.code)) == NO_SUCH_CODE
    assert door.by_code(new.code) == new
    assert door.cookies.person_of(cookie, "d-1") == guest
    door.cookies.bar("d-1", guest)
    assert door.cookies.person_of(cookie, "d-1") is None


@pytest.mark.parametrize("error", [RuleViolation("not now"), OSError("disk full"), KeyboardInterrupt()], ids=repr)
def test_an_interrupted_join_does_not_use_up_the_link(door: Door, error: BaseException):
    invite = door.invitations.make("d-1", "judge")
    with pytest.raises(type(error)), door.admit(invite, "p-a"):
        raise error
    assert use(door, ready_invite(door, door.token(invite))) == invite.person


def test_the_cookie_is_of_one_debate_and_ends(door: Door, clock: Clock):
    invite = door.invitations.make("d-1", "judge")
    person = use(door, invite)
    cookie = door.cookies.of(invite, person)
    assert door.cookies.person_of(cookie, "d-1") == person
    assert door.cookies.person_of(cookie, "d-2") is None
    clock.wait(days=29)
    assert door.cookies.person_of(cookie, "d-1") == person
    clock.wait(days=1)
    assert door.cookies.person_of(cookie, "d-1") is None


class SlowEnd:
    """Object whose finaliser simulates another thread during garbage collection."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        self.meanwhile, self.itself = meanwhile, self

    def __del__(self) -> None:
        other = threading.Thread(target=self.meanwhile)
        other.start()
        other.join(0.02)


def test_many_who_come_in_at_once_do_not_keep_each_other_out(door: Door):
    invite = door.invitations.make("d-1", "voter", kind="open")
    names = iter([f"p-{n}" for n in range(1_000)])
    failed = list[threading.ExceptHookArgs]()

    def one_comes() -> None:
        name = next(names)
        assert door.cookies.person_of(door.cookies.of(invite, name), "d-1") == name

    threading.excepthook, usual = failed.append, threading.excepthook
    try:
        for _ in range(800):
            one_comes()
        for _ in range(60):
            SlowEnd(one_comes)
            one_comes()
    finally:
        threading.excepthook = usual
    assert failed == []


def test_whoever_is_gone_is_not_kept_in_memory(door: Door, clock: Clock):
    invite = door.invitations.make("d-1", "voter", kind="open")
    cookies = {name: door.cookies.of(invite, name) for name in ("p-1", "p-2", "p-3")}
    for name in ("p-1", "p-2"):
        assert door.cookies.person_of(cookies[name], "d-1") == name
    clock.wait(seconds=2)
    assert door.cookies.person_of(cookies["p-3"], "d-1") == "p-3"
    assert len(door.cookies._let_in) == 3
    clock.wait(seconds=1)
    assert door.cookies.person_of(cookies["p-1"], "d-1") == "p-1"
    assert sorted(known.person for known in door.cookies._let_in.values()) == ["p-1", "p-3"]
    clock.wait(days=30)
    assert [door.cookies.person_of(cookie, "d-1") for cookie in cookies.values()] == [None, None, None]
    assert door.cookies._let_in == {}


def damaged(token: str, other: str, chance: random.Random) -> str:
    """A token that somebody tampered with, and that is not the same any more."""
    at, letter = chance.randrange(len(token)), chance.choice("abcXYZ019-_. é\x00")
    body, _, mac = token.rpartition(".")
    forged = chance.choice(
        [
            token[:at] + letter + token[at + 1 :],
            token[:at],
            token[at:],
            token + letter,
            token[:at] + letter + token[at:],
            token.swapcase(),
            f"{other.rpartition('.')[0]}.{mac}",
            f"{body}.{other.rpartition('.')[2]}",
            f"{body}.",
            f".{token}",
            token * 2,
            token + "=",
        ]
    )
    return forged if forged not in (token, other) else ""


def test_two_thousand_bad_links_let_nobody_in(clock: Clock):
    # No address is given twice, so that each is looked at for itself.
    store, chance = MemoryStore(), random.Random(5)
    door = Door(store, clock=clock, secret=SECRET)
    stranger = Door(store, clock=clock, secret="another secret, also long enough")
    good, other = (door.invitations.make(debate, "facilitator") for debate in ("d-1", "d-2"))
    two_weeks_ago = Invitations(store, clock=lambda: clock() - INVITE_LASTS)
    stale: list[str] = []
    for n in range(600):
        made_by = two_weeks_ago if n % 3 == 0 else door.invitations
        invite = made_by.make("d-1", "judge")
        if n % 3 == 1:
            door.invitations.revoke(invite)
        elif n % 3 == 2:
            use(door, invite)
        stale.append(door.token(invite))
    bad = [damaged(door.token(good), door.token(other), chance) for _ in range(1200)]
    bad += [stranger.token(good) for _ in range(100)] + [door.cookies.of(good, "p-a") for _ in range(100)] + stale
    accepted = 0
    for n, token in enumerate(bad):
        try:
            ready_invite(door, token, address=f"10.0.{n // 250}.{n % 250}")
            accepted += 1
        except NotAllowed:
            continue
    assert (len(bad), accepted, door.rate_limit.refused_joins) == (2000, 0, 2000)
    assert ready_invite(door, door.token(good)) == good


@given(strategies.text(max_size=200))
def test_no_text_at_all_is_a_link_or_a_cookie(text: str):
    door = Door(MemoryStore(), clock=Clock(), secret=SECRET)
    invite = door.invitations.make("d-1", "judge")
    for token in (text, f"{invite.debate}.{invite.id}.{text}", text + door.token(invite)):
        if token != door.token(invite):
            assert refused(partial(ready_invite, door, token)) == FORGED
        assert door.cookies.person_of(token, "d-1") is None


def test_bad_cookies_are_nobody(door: Door, clock: Clock):
    chance = random.Random(6)
    invite = door.invitations.make("d-1", "judge")
    cookie = door.cookies.of(invite, "p-a")
    other = door.cookies.of(door.invitations.make("d-1", "facilitator"), "p-b")
    assert [door.cookies.person_of(damaged(cookie, other, chance), "d-1") for _ in range(1000)] == [None] * 1000
    assert door.cookies.person_of(door.token(invite), "d-1") is None


def test_guessing_codes_is_slow_and_costs_the_others_nothing(door: Door, clock: Clock):
    invite = door.invitations.make("d-1", "voter", kind="open")
    personal = door.invitations.make("d-1", "judge")
    said = [refused(lambda: door.by_code("WRONG", address="10.0.0.9")) for _ in range(20)]
    assert set(said) == {NO_SUCH_CODE}
    with pytest.raises(TooManyTries, match=r"many wrong codes have come from your network"):
        door.by_code("WRONG", address="10.0.0.9")
    with pytest.raises(TooManyTries):
        ready_invite(door, "forged", address="10.0.0.9")
    # Many people share the address of a room: who has the right code or a genuine link comes in.
    assert ready_invite(door, door.token(personal), address="10.0.0.9") == personal
    assert door.by_code(invite.code, address="10.0.0.9") == invite
    assert refused(lambda: door.by_code("WRONG", address="10.0.0.8")) == NO_SUCH_CODE
    clock.wait(seconds=61)
    assert refused(lambda: door.by_code("WRONG", address="10.0.0.9")) == NO_SUCH_CODE
    assert door.rate_limit.refused_joins == 24


def test_a_stale_link_is_not_tried_for_ever(door: Door, clock: Clock):
    token = door.token(door.invitations.make("d-1", "judge"))
    clock.wait(days=14)
    said = [refused(partial(ready_invite, door, token, address=f"10.0.0.{n}")) for n in range(20)]
    assert set(said) == {EXPIRED}
    with pytest.raises(TooManyTries):
        ready_invite(door, token, address="10.0.1.1")


def test_codes_are_read_as_people_type_them(door: Door):
    invite = door.invitations.make("d-1", "voter", kind="open")
    assert len(invite.code) == 8
    assert invite.shown_code().replace(" ", "") == invite.code
    assert not set(invite.code) & set("0O1IL2Z5S8BAEU")
    typed = f" {invite.code[:4].lower()}-{invite.code[4:]} "
    assert door.by_code(typed) == invite
    for wrong in ("", "-", invite.code[:7], invite.code + "C", "é" * 8, "x" * 10_000):
        assert refused(partial(door.by_code, wrong)) == NO_SUCH_CODE


MAKE_A_TOKEN = """
import sys
from datetime import UTC, datetime
from debate_core.host.access.door import Door
from debate_core.host.stores.sqlite import SqliteStore
store = SqliteStore(sys.argv[1])
door = Door(store, clock=lambda: datetime.now(UTC))
sys.stdin.read(1)
print(door.token(door.invitations.make("d-1", "judge")))
"""


@pytest.mark.slow
def test_processes_that_start_at_once_agree_on_the_secret(tmp_path: Path):
    path = tmp_path / "debates.db"
    SqliteStore(path).close()
    command = [sys.executable, "-c", MAKE_A_TOKEN, str(path)]
    started = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) for _ in range(2)
    ]
    for process in started:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    tokens = [process.communicate()[0].strip() for process in started]
    store = SqliteStore(path)
    door = Door(store, clock=lambda: datetime.now(UTC))
    assert [ready_invite(door, t).role for t in tokens] == ["judge", "judge"]
    store.close()


def test_the_secret_is_in_no_link_and_no_cookie(clock: Clock):
    store = MemoryStore()
    door = Door(store, clock=clock)
    invite = door.invitations.make("d-1", "judge")
    shown = (door, vars(door.rate_limit), door.invitations.of("d-1"))
    seen = f"{door.token(invite)} {door.cookies.of(invite, 'p-a')} {shown!r}"
    assert store.secret("links") not in seen
    store.renew_secret()
    assert refused(lambda: ready_invite(Door(store, clock=clock), door.token(invite))) == FORGED


def test_a_copy_of_the_database_has_no_key_to_the_door(tmp_path: Path, clock: Clock):
    folder = tmp_path / "data" / "debates"
    store = SqliteStore(folder / "debates.db")
    token = Door(store, clock=clock).token(Door(store, clock=clock).invitations.make("d-1", "facilitator"))
    modes = {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.iterdir())}
    assert set(modes.values()) == {0o700, 0o600}
    assert [name for name, mode in modes.items() if mode == 0o700] == ["debates"]
    store.close()
    kept = b"".join(path.read_bytes() for path in folder.iterdir() if not path.name.endswith(".secret"))
    assert (folder / "debates.db.secret").read_bytes().strip() not in kept
    stolen = tmp_path / "stolen.db"
    stolen.write_bytes((folder / "debates.db").read_bytes())
    elsewhere = SqliteStore(stolen)
    assert refused(lambda: ready_invite(Door(elsewhere, clock=clock), token)) == FORGED
    elsewhere.close()


def test_a_secret_moves_out_of_the_database_and_links_stay_valid(tmp_path: Path, clock: Clock):
    former = "0123456789abcdef" * 4
    store = SqliteStore(tmp_path / "debates.db")
    store.put_note("secret", "door", former)
    token = Door(store, clock=clock, secret=former).token(Door(store, clock=clock).invitations.make("d-1", "judge"))
    assert ready_invite(Door(store, clock=clock), token).role == "judge"
    assert store.notes("secret") == {}
    assert (tmp_path / "debates.db.secret").read_text() == former + "\n"
    store.close()


@pytest.mark.parametrize("text", ["", "short\n", "ä" * 40])
def test_a_secret_that_is_none_is_told_of_with_its_place(tmp_path: Path, clock: Clock, text: str):
    store = SqliteStore(tmp_path / "debates.db")
    (tmp_path / "debates.db.secret").write_text(text, "utf-8")
    with pytest.raises(Unwritable, match=r"debates\.db\.secret: .*; set DEBATE_SECRET instead$"):
        Door(store, clock=clock).token(Door(store, clock=clock).invitations.make("d-1", "judge"))
    store.close()
