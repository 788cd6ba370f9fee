"""The same questions to every store; then what only a file can get wrong."""

import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate, submit
from debate_core.errors import (
    BrokenRecord,
    Busy,
    Conflict,
    InvalidSpec,
    Leased,
    NewerRecord,
    RuleViolation,
    UnknownDebate,
    Unwritable,
)
from debate_core.host.debate_cache import DebateCaches
from debate_core.host.debate_list import DebateList
from debate_core.host.stores import Lease, Store, open_store
from debate_core.host.stores.owner import is_dead, this_process
from debate_core.host.stores.sqlite import SqliteStore, driver, journal_mode
from debate_core.record.commands import Pause, Resume, StartAttempt
from debate_core.record.events import Event
from debate_core.record.fold import replay
from debate_core.spec.presets import BOUNDED_VOTE
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Seat

ROOT = Path(__file__).resolve().parents[2]
AT = datetime(2026, 1, 1, tzinfo=UTC)
SPEC = Spec(
    question="Adopt it?",
    options=("adopt", "defer"),
    seats=(Seat(id="risk", occupant="scripted"), Seat(id="cost", occupant="scripted")),
    protocol=BOUNDED_VOTE,
)


def opened(debate_id: str = "d-1", at: datetime = AT) -> tuple[Event, ...]:
    return open_debate(SPEC, debate_id=debate_id, at=at)


def paused(events: tuple[Event, ...]) -> tuple[Event, ...]:
    return submit(replay(events), Pause(by="chair", reason="tea"), at=AT)


def in_other_python(code: str) -> str:
    """Return the output of a separate process."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout


def test_what_was_appended_is_loaded(store: Store):
    first = opened()
    store.append("d-1", first, after=0)
    more = paused(first)
    store.append("d-1", more, after=len(first))
    assert store.load("d-1") == first + more
    assert store.load("d-1", after=1) == (first + more)[1:]
    assert store.load("d-1", after=len(first + more)) == ()
    assert verify(store.load("d-1")) == ()


def test_one_event_by_its_key(store: Store):
    events = opened()
    store.append("d-1", events, after=0)
    assert store.find("d-1", "open") == events[0]
    assert store.find("d-1", events[1].key) == events[1]
    assert store.find("d-1", "closed") is None
    assert store.find("nobody", "open") is None


def test_the_debates_that_lack_an_event(store: Store):
    assert store.debates_without("open") == frozenset()
    for name in ("d-1", "d-2"):
        store.append(name, opened(name), after=0)
    store.append("d-2", more := paused(opened("d-2")), after=len(opened()))
    assert store.debates_without(more[0].key) == {"d-1"}
    assert store.debates_without("closed") == {"d-1", "d-2"}
    assert store.debates_without("open") == frozenset()


def test_an_unknown_debate_is_named(store: Store):
    for after in (0, 3):
        with pytest.raises(UnknownDebate, match="'nobody'"):
            store.load("nobody", after=after)
    with pytest.raises(UnknownDebate, match="'d-1'"):
        store.append("d-1", paused(opened()), after=2)
    assert dict(store.debates()) == {}


def test_debates_latest_opened_first_with_their_version(store: Store):
    late, early = opened("late", datetime(2026, 2, 1, tzinfo=UTC)), opened("early")
    store.append("late", late, after=0)
    store.append("early", early, after=0)
    store.append("twin", opened("twin"), after=0)
    assert list(store.debates().items()) == [("late", len(late)), ("twin", len(late)), ("early", len(early))]
    assert list(store.versions().items()) == [("twin", len(late)), ("early", len(early)), ("late", len(late))]
    rows = DebateList(store, DebateCaches(store)).rows()
    assert [row.id for row in rows] == [*store.debates()]


def test_the_second_writer_gets_a_conflict_and_leaves_nothing(store: Store):
    events = opened()
    store.append("d-1", events, after=0)
    more = paused(events)
    store.append("d-1", more, after=len(events))
    with pytest.raises(Conflict, match=f"at event {len(events) + 1}, not {len(events)}"):
        store.append("d-1", more, after=len(events))
    with pytest.raises(Conflict, match="at event"):
        store.append("d-1", events, after=0)
    assert store.load("d-1") == events + more


def test_extension_follows_the_newest_event(store: Store):
    events = opened()
    store.append("d-1", events, after=0)
    more = paused(events)
    store.append("d-1", more, after=len(events))
    seen: list[tuple[Event, ...]] = []

    def resumed(newer: Sequence[Event]) -> Sequence[Event]:
        seen.append(tuple(newer))
        return submit(replay(events + tuple(newer)), Resume(by="chair"), at=AT)

    added = store.extend("d-1", resumed, after=len(events))
    assert seen == [more]
    assert added[: len(more)] == more
    assert store.load("d-1") == events + added
    assert verify(store.load("d-1")) == ()
    assert store.extend("d-1", lambda _newer: (), after=len(events)) == added
    assert store.extend("d-1", lambda newer: newer, after=len(events + added)) == ()


def test_refused_extension_changes_nothing(store: Store):
    events = opened()
    store.append("d-1", events, after=0)

    def refuse(_newer: Sequence[Event]) -> Sequence[Event]:
        raise RuleViolation("no")

    with pytest.raises(RuleViolation):
        store.extend("d-1", refuse, after=1)
    with pytest.raises(UnknownDebate, match="d-2"):
        store.extend("d-2", refuse, after=1)
    with pytest.raises(Conflict, match=f"at event {len(events)}, not {len(events) + 1}"):
        store.extend("d-1", refuse, after=len(events) + 1)
    with pytest.raises(BrokenRecord, match="not the next one"):
        store.extend("d-1", lambda _newer: events, after=1)
    assert store.load("d-1") == events
    assert dict(store.debates()) == {"d-1": len(events)}


def test_a_key_is_kept_once_and_the_whole_append_is_refused(store: Store):
    events = opened()
    store.append("d-1", events, after=0)
    attempt = submit(replay(events), StartAttempt(by="risk", request="1.proposal.risk.1"), at=AT)
    state = replay(events + attempt)
    repeated = submit(state, Pause(by="chair", reason="tea"), at=AT)[0]
    twice = repeated._replace(key="open")
    with pytest.raises(Conflict, match="open"):
        store.append("d-1", (*attempt, twice), after=len(events))
    assert store.load("d-1") == events


def test_only_the_next_events_of_the_chain_are_kept(store: Store):
    events = opened()
    with pytest.raises(BrokenRecord, match="event 2 of d-1 is not the next one of d-1"):
        store.append("d-1", events[1:], after=0)
    with pytest.raises(BrokenRecord, match="event 1 of d-1 is not the next one of d-2"):
        store.append("d-2", events, after=0)
    assert dict(store.debates()) == {}
    store.append("d-1", (), after=0)
    assert dict(store.debates()) == {}


def test_one_runner_at_a_time(store: Store):
    lease = store.acquire("d-1", this_process(), ttl_s=60)
    assert lease.fence == 1
    with pytest.raises(Leased, match="d-1 is being run by") as held:
        store.acquire("d-1", this_process(), ttl_s=60)
    assert 30 < held.value.free_in_s <= 60
    store.renew(lease, ttl_s=60)
    store.release(lease)
    assert store.acquire("d-1", "elsewhere:1:1", ttl_s=60).fence == 2


def test_an_expired_lease_passes_on_and_fences_off_its_holder(store: Store):
    events = opened()
    store.append("d-1", events, after=0)
    old = store.acquire("d-1", "elsewhere:1:1", ttl_s=0)
    new = store.acquire("d-1", this_process(), ttl_s=60)
    assert new.fence == old.fence + 1
    with pytest.raises(Leased, match="taken over"):
        store.append("d-1", paused(events), after=len(events), lease=old)
    with pytest.raises(Leased, match="taken over"):
        store.renew(old, ttl_s=60)
    store.release(old)
    with pytest.raises(Leased):
        store.acquire("d-1", "elsewhere:2:2", ttl_s=60)
    assert store.load("d-1") == events
    store.append("d-1", paused(events), after=len(events), lease=new)


def test_a_lease_that_the_store_does_not_keep_holds_nothing(store: Store):
    events = opened()
    store.append("d-1", events, after=0)
    lost = Lease("d-1", this_process(), 1)
    refused = pytest.raises(Leased, match=r"^no process holds d-\d: its lease is not stored here$")
    with refused:
        store.append("d-1", paused(events), after=len(events), lease=lost)
    with refused:
        store.append("d-2", opened("d-2"), after=0, lease=replace(lost, debate="d-2"))
    with refused:
        store.renew(lost, ttl_s=60)
    store.release(lost)
    assert dict(store.debates()) == {"d-1": len(events)}
    assert store.acquire("d-1", this_process(), ttl_s=60) == lost


def test_people_need_no_lease(store: Store):
    events = opened()
    store.append("d-1", events, after=0)
    store.acquire("d-1", "elsewhere:1:1", ttl_s=60)
    store.append("d-1", paused(events), after=len(events))
    assert store.load("d-1") == (*events, *paused(events))


def test_a_dead_runner_of_this_machine_is_taken_over_at_once(store: Store):
    code = "from debate_core.host.stores.owner import this_process; print(this_process())"
    dead = in_other_python(code).strip()
    assert is_dead(dead)
    assert not is_dead(this_process())
    assert is_dead(this_process().rsplit(":", 1)[0] + ":1"), "same pid, but another start"
    assert not is_dead("elsewhere:1:1"), "nobody here can tell"
    machine, pid, start = dead.rsplit(":", 2)
    assert not is_dead(f"{machine}9:{pid}:{start}"), "a container that goes by the name of this machine"
    store.acquire("d-1", dead, ttl_s=3_600)
    assert store.acquire("d-1", this_process(), ttl_s=60).fence == 2


def test_papers(store: Store):
    store.put_note("draft", "a", "one")
    store.put_note("draft", "b", "two")
    store.put_note("setup", "a", "other")
    store.put_note("draft", "a", "three")
    assert store.note("draft", "a") == "three"
    assert list(store.notes("draft").items()) == [("a", "three"), ("b", "two")]
    store.drop_note("draft", "a")
    store.drop_note("draft", "a")
    assert store.note("draft", "a") is None
    assert dict(store.notes("setup")) == {"a": "other"}


def test_a_paper_that_only_one_can_write(store: Store):
    with ThreadPoolExecutor(8) as pool:
        first = list(pool.map(lambda n: store.add_note("used", "i-1", str(n)), range(40)))
    assert first.count(True) == 1
    assert store.note("used", "i-1") == str(first.index(True))
    store.drop_note("used", "i-1")
    assert store.add_note("used", "i-1", "again")
    assert store.note("used", "i-1") == "again"


def test_a_note_that_many_change_at_once_loses_no_change(store: Store):
    def one_more(text: str | None, now_s: float) -> str:
        assert abs(now_s - time.time()) < 5
        return str(int(text or "0") + 1)

    def add_one(_: int) -> None:
        while True:
            # A note waits only shortly for other writers, and this machine may be busy.
            with suppress(Busy):
                return store.change_note("tally", "all", one_more)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add_one, range(40)))
    assert store.note("tally", "all") == "40"
    store.change_note("tally", "all", lambda _text, _now_s: None)
    assert store.note("tally", "all") == "40"
    with pytest.raises(ZeroDivisionError):
        store.change_note("tally", "all", lambda text, _now_s: str(1 // (int(text or "0") - 40)))
    assert store.note("tally", "all") == "40"


def test_several_notes_are_stored_at_once(store: Store):
    store.put_note("row", "b", "old")
    store.put_notes("row", {"b": "new", "a": "one"})
    assert dict(store.notes("row")) == {"a": "one", "b": "new"}
    store.put_notes("row", {"a": "two"})
    assert list(store.notes("row").items()) == [("a", "two"), ("b", "new")]


def test_all_papers_in_their_order(store: Store):
    for kind, name in (("draft", "b"), ("setup", "a"), ("draft", "a")):
        store.put_note(kind, name, "one")
    store.put_note("draft", "b", "two")
    assert store.all_notes() == (("setup", "a", "one"), ("draft", "a", "one"), ("draft", "b", "two"))


def test_threads_that_write_at_once_lose_nothing(store: Store):
    store.append("d-1", opened(), after=0)

    def write(number: int) -> None:
        left = 10
        while left:
            events = store.load("d-1")
            state = replay(events)
            command = Resume(by="x") if state.paused else Pause(by="x", reason=f"{number}.{left}")
            try:
                store.append("d-1", submit(state, command, at=AT), after=state.version)
            except Conflict:
                continue
            left -= 1

    threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    events = store.load("d-1")
    assert len(events) == len(opened()) + 40
    assert verify(events) == ()


# What only a file can get wrong.


def test_a_file_needs_nothing_that_only_a_server_has(tmp_path: Path):
    code = (
        "import sys\n"
        "from debate_core.host.host import Host, HostOptions\n"
        "from debate_core.host.stores import open_store\n"
        f"store = open_store('sqlite:///{tmp_path}/debates.db')\n"
        "Host(store, HostOptions(worker='none')).start().close()\n"
        "print([name for name in ('psycopg', 'alembic', 'procrastinate') if name in sys.modules])"
    )
    assert in_other_python(code) == "[]\n"


def raw(path: Path) -> sqlite3.Connection:
    connection: sqlite3.Connection = driver.connect(str(path), isolation_level=None)
    return connection


def test_the_file_refuses_every_change_of_the_past(tmp_path: Path):
    path = tmp_path / "debates.db"
    store = SqliteStore(path)
    store.append("d-1", opened(), after=0)
    before = store.load("d-1")
    columns = "debate, seq, at, actor, kind, key, body, hash"
    rest = "at, actor, kind, key || 'x', body, hash FROM events WHERE seq = 1"
    same_key = rest.replace("|| 'x'", "")
    changes = [
        "UPDATE events SET actor = 'x'",
        "DELETE FROM events",
        f"INSERT OR REPLACE INTO events ({columns}) SELECT {columns} FROM events WHERE seq = 1",
        f"INSERT OR REPLACE INTO events ({columns}) SELECT debate, 3, {same_key}",
        f"INSERT OR REPLACE INTO events (id, {columns}) SELECT 1, debate, 3, {rest}",
        f"INSERT INTO events ({columns}) SELECT debate, 9, {rest}",
        "UPDATE debates SET id = 'x'",
        "DELETE FROM debates",
        "INSERT OR REPLACE INTO debates (id) VALUES ('d-1')",
    ]
    connection = raw(path)
    for change in changes:
        with pytest.raises(driver.IntegrityError, match="append-only"):
            connection.execute(change)
    connection.close()
    assert store.load("d-1") == before
    store.close()


@pytest.mark.parametrize(
    ("version", "mode"),
    [
        ("3.40.1", "TRUNCATE"),
        ("3.44.5", "TRUNCATE"),
        ("3.44.6", "WAL"),
        ("3.45.0", "TRUNCATE"),
        ("3.50.6", "TRUNCATE"),
        ("3.50.7", "WAL"),
        ("3.51.0", "TRUNCATE"),
        ("3.51.2", "TRUNCATE"),
        ("3.51.3", "WAL"),
        ("3.53.4", "WAL"),
    ],
)
def test_no_wal_where_sqlite_can_damage_it(version: str, mode: str):
    assert journal_mode(version) == mode


def test_the_file_is_kept_by_that_rule_and_flushed(tmp_path: Path):
    store = SqliteStore(tmp_path / "debates.db")
    with store._reading() as db:
        found = [db.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")]
    assert found == [journal_mode(driver.sqlite_version).lower(), 2]
    assert driver.sqlite_version in store.about()
    store.close()


def test_two_processes_read_and_write_one_file(tmp_path: Path):
    path = tmp_path / "debates.db"
    one, two = SqliteStore(path), SqliteStore(path)
    events = opened()
    one.append("d-1", events, after=0)
    two.append("d-1", paused(events), after=len(events))
    assert one.load("d-1") == two.load("d-1") == events + paused(events)
    one.close()
    two.close()
    again = SqliteStore(path)
    assert again.load("d-1") == events + paused(events)
    again.close()


@pytest.mark.parametrize("url", ["", "debates.db", "postgresql://localhost/x", "sqlite://", "sqlite:///", "mysql:///x"])
def test_a_url_that_names_no_database(url: str):
    with pytest.raises(InvalidSpec, match=r"sqlite:///FILE"):
        open_store(url)


def test_a_folder_is_made_for_the_file(tmp_path: Path):
    open_store(f"sqlite:///{tmp_path}/new/folder/debates.db").close()
    assert (tmp_path / "new" / "folder" / "debates.db").is_file()


def test_a_place_that_cannot_hold_the_file(tmp_path: Path):
    (tmp_path / "file").write_text("x")
    for place, sentence in ((tmp_path, "is a folder"), (tmp_path / "file" / "x.db", "cannot be made")):
        with pytest.raises(Unwritable, match=sentence):
            SqliteStore(place)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unwritable for root")
def test_a_folder_without_the_right_to_write(tmp_path: Path):
    tmp_path.chmod(0o500)
    with pytest.raises(Unwritable, match="cannot be written"):
        SqliteStore(tmp_path / "debates.db")


def test_a_file_that_is_no_database(tmp_path: Path):
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to look like one" * 40)
    before = path.read_bytes()
    with pytest.raises(BrokenRecord, match="no readable database"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_a_database_of_another_program(tmp_path: Path):
    path = tmp_path / "other.db"
    connection = raw(path)
    connection.execute("CREATE TABLE notes (text)")
    connection.close()
    with pytest.raises(BrokenRecord, match="not one of debates"):
        SqliteStore(path)
    connection = raw(path)
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("notes",)]
    connection.close()


def test_a_database_of_a_newer_version(tmp_path: Path):
    path = tmp_path / "debates.db"
    SqliteStore(path).close()
    connection = raw(path)
    connection.execute("PRAGMA user_version = 2")
    connection.close()
    with pytest.raises(NewerRecord, match="schema 2, known: 1"):
        SqliteStore(path)


def test_a_body_that_cannot_be_read_is_named(tmp_path: Path):
    path = tmp_path / "debates.db"
    store = SqliteStore(path)
    store.append("d-1", opened(), after=0)
    connection = raw(path)
    connection.execute("DROP TRIGGER events_update")
    connection.execute("UPDATE events SET body = '{}' WHERE seq = 2")
    connection.close()
    with pytest.raises(BrokenRecord, match="event 2 of d-1") as caught:
        store.load("d-1")
    assert caught.value.line == 2
    store.close()


FULL = """
import resource, signal, sys
from debate_core.errors import Unwritable
from tests.contracts.test_stores import opened
from debate_core.host.stores.sqlite import SqliteStore
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = SqliteStore(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
for n in range(1000):
    try:
        store.append(f"d-{n}", opened(f"d-{n}"), after=0)
    except Unwritable as error:
        print(n, error)
        break
"""


@pytest.mark.slow
def test_a_full_disk_loses_nothing_that_was_kept(tmp_path: Path):
    path = tmp_path / "debates.db"
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    kept, sentence = done.stdout.split(" ", 1)
    assert f"{path} cannot be written or read" in sentence
    store = SqliteStore(path)
    assert sorted(store.debates()) == sorted(f"d-{n}" for n in range(int(kept)))
    assert int(kept) > 0
    for debate_id in store.debates():
        assert verify(store.load(debate_id)) == ()
    store.close()


def test_a_file_that_everybody_could_read_is_closed(tmp_path: Path):
    path = tmp_path / "debates.db"
    SqliteStore(path).close()
    path.chmod(0o644)
    SqliteStore(path).close()
    assert path.stat().st_mode & 0o777 == 0o600
