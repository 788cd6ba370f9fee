"""`copy`, `migrate` and `backup`: debates move from one database to another, whole and checked."""

import json
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.cli.database import copy_debates
from debate_core.engine.audit import verify
from debate_core.engine.engine import submit
from debate_core.errors import Unwritable
from debate_core.host.stores import Lease, Store, open_store
from debate_core.host.stores.memory import MemoryStore
from debate_core.host.stores.migrate import migrate
from debate_core.host.stores.sql import REVISION
from debate_core.host.stores.sqlite import SqliteStore, driver
from debate_core.record.commands import Resume
from debate_core.record.events import Event, parse_record
from debate_core.record.fold import replay
from debate_core.spec.presets import BOUNDED_VOTE, compose
from debate_core.spec.values import Seat
from tests import postgres
from tests.commanding import refused
from tests.contracts.test_stores import AT, opened, paused
from tests.playing import Played

ROOT = Path(__file__).resolve().parents[2]
RECORDS = sorted((ROOT / "tests" / "records").rglob("*.jsonl"))


def filled(store: Store) -> Store:
    """Every record of a released format, a debate that goes on, and notes of several kinds."""
    for path in RECORDS:
        events = parse_record(path.read_bytes())
        store.append(events[0].debate, events, after=0)
    store.append("d-1", opened(), after=0)
    for n, kind in enumerate(("imported", "draft", "draft", "worker", "server")):
        store.put_note(kind, f"n-{n}", f'{{"text": "{kind} größer"}}')
    store.acquire("d-1", "elsewhere:1:1", ttl_s=3_600)
    return store


@pytest.fixture
def url() -> Iterator[str]:
    with postgres.new_database() as made:
        yield postgres.written(made)


def copied(capsys: pytest.CaptureFixture[str], source: str, target: str, status: int = 0) -> dict[str, object]:
    assert main(["copy", "--from", source, "--to", target, "--json"]) == status
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_debates_move_to_another_database_and_back_unchanged(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    here, back = (f"sqlite:///{tmp_path / name}" for name in ("here.db", "back.db"))
    with closing(filled(open_store(here))) as store:
        debates = {debate_id: store.load(debate_id) for debate_id in store.debates()}
        n_events = sum(map(len, debates.values()))
        secret = store.secret("links")
    assert len(debates) == len(RECORDS) + 1
    expected = {"debates": len(debates), "copied": len(debates), "events": n_events, "notes": 3, "troubles": []}
    assert copied(capsys, here, url) == expected
    assert copied(capsys, url, back) == expected
    for place in (url, back):
        with closing(open_store(place)) as store:
            assert list(store.debates()) == list(debates)
            assert {debate_id: store.load(debate_id) for debate_id in debates} == debates
            assert [note[:2] for note in store.all_notes()] == [("imported", "n-0"), ("draft", "n-1"), ("draft", "n-2")]
            # Leases stay where they are good, and so do secrets.
            assert store.acquire("d-1", "faraway:1:1", ttl_s=1).fence == 1
            if store.keeps_secrets:
                assert store.secret("links") != secret
    assert copied(capsys, here, back) == expected | {"copied": 0, "events": 0, "notes": 0}


def test_a_copy_that_was_interrupted_goes_on(capsys: pytest.CaptureFixture[str]):
    class Interrupted(MemoryStore):
        """Full after some debates."""

        left = 3

        def append(self, debate_id: str, events: Sequence[Event], *, after: int, lease: Lease | None = None) -> None:
            if self.left == 0:
                raise Unwritable("the disk is full")
            self.left -= 1
            super().append(debate_id, events, after=after, lease=lease)

    source, target = filled(MemoryStore()), Interrupted()
    with pytest.raises(Unwritable):
        list(copy_debates(source, target))
    there = set(target.debates())
    assert len(there) == 3
    source.append("d-1", paused(opened()), after=len(opened()))
    target.left = 100
    assert {debate.debate for debate in copy_debates(source, target) if not debate.new_events} == there - {"d-1"}
    for debate_id in source.debates():
        assert target.load(debate_id) == source.load(debate_id)
        assert verify(target.load(debate_id)) == ()


def test_what_differs_is_named_and_left_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    here, there = (f"sqlite:///{tmp_path / name}" for name in ("here.db", "there.db"))
    first = opened()
    with closing(open_store(here)) as store, closing(open_store(there)) as other:
        for debate_id in ("d-1", "d-2", "d-3"):
            store.append(debate_id, opened(debate_id), after=0)
        store.put_note("draft", "a", "one")
        other.append("d-1", (*first, *paused(first)), after=0)
        other.append("d-2", opened("d-2", datetime(2026, 3, 1, tzinfo=UTC)), after=0)
        other.put_note("draft", "a", "two")
    assert main(["copy", "--from", here, "--to", there]) == 6
    said = capsys.readouterr()
    assert said.out.startswith(f"1 debate copied and checked there: {len(first)} events, 0 notes; 0 debates there")
    assert said.err.splitlines() == [
        "not copied: the note draft a differs there: neither is overwritten",
        f"not copied: debate d-1 has continued there, to event {len(first) + 1}: nothing is overwritten",
        "not copied: debate d-2 differs there from event 1 on: nothing is overwritten",
    ]
    with closing(open_store(there)) as other:
        assert other.load("d-1") == (*first, *paused(first))
        assert other.load("d-3") == opened("d-3")


def test_a_record_that_was_changed_is_not_copied(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    here, there = (f"sqlite:///{tmp_path / name}" for name in ("here.db", "there.db"))
    with closing(open_store(here)) as store:
        for debate_id in ("d-1", "d-2"):
            store.append(debate_id, opened(debate_id), after=0)
    with closing(driver.connect(str(tmp_path / "here.db"))) as db:
        db.execute("DROP TRIGGER events_update")
        db.execute("UPDATE events SET actor = 'x' WHERE debate = 1 AND seq = 2")
        db.commit()
    found = copied(capsys, here, there, status=6)
    assert (found["copied"], len(found["troubles"])) == (1, 1)  # type: ignore[arg-type]
    assert "d-1" in str(found["troubles"])
    with closing(open_store(there)) as other:
        assert list(other.debates()) == ["d-2"]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["copy", "--from", "sqlite:///none.db", "--to", "sqlite:///b.db"], "there is no database none.db"),
        (["copy", "--from", "sqlite:///a.db", "--to", "sqlite:///a.db"], "--from and --to name the same database"),
        (["copy", "--from", "mysql://ann:hunter2@h/d", "--to", "sqlite:///b.db"], "mysql://***@h/d"),
        (
            ["migrate", "--db", "postgresql+psycopg://ann:hunter2@127.0.0.1:1/d"],
            "cannot be reached: Connection refused",
        ),
        (["migrate", "--db", "x.db"], "write sqlite:///FILE"),
        (["rotate-secret", "--db", "URL"], "keeps no keys, for several machines share it: set DEBATE_SECRET"),
        (
            ["run", "Q?", "--offline", "--db", "URL"],
            "keeps no keys, for several machines share it: set DEBATE_SIGNING_KEY",
        ),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    args: list[str], sentence: str, url: str, capsys: pytest.CaptureFixture[str]
):
    refused([url if arg == "URL" else arg for arg in args], capsys, sentence)
    with closing(open_store(url)) as store:
        assert dict(store.debates()) == {}


def test_a_debate_can_be_held_in_a_database_that_is_shared(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DEBATE_SECRET", "s" * 32)
    monkeypatch.setenv("DEBATE_SIGNING_KEY", "0" * 64)
    assert main(["run", "Adopt it?", "--offline", "--db", url, "--json"]) == 3
    debate_id = json.loads(capsys.readouterr().out)["debate_id"]
    assert main(["metrics", "--db", url]) == 0
    with closing(open_store(url)) as store:
        assert verify(store.load(debate_id)) == ()
        assert store.notes("signature")


# The schema of a file.


def schema_of(path: Path) -> list[tuple[str, ...]]:
    with closing(driver.connect(str(path))) as db:
        tables = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name").fetchall()
        pragmas = [db.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")]
        return [*tables, *pragmas, *db.execute("SELECT version_num FROM alembic_version")]


def test_a_new_file_is_what_the_steps_make(tmp_path: Path):
    new, stepped = tmp_path / "new.db", tmp_path / "stepped.db"
    SqliteStore(new).close()
    SqliteStore(stepped).close()
    with closing(driver.connect(str(stepped))) as db:
        for table in ("events", "debates", "leases", "papers"):
            db.execute(f"DROP TABLE {table}")
        db.execute("DELETE FROM alembic_version")
        db.commit()
    assert migrate(f"sqlite:///{stepped}") == REVISION
    assert schema_of(stepped) == schema_of(new)
    assert migrate(f"sqlite:///{stepped}") == 0


def test_a_database_of_the_first_version_opens_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path, new = tmp_path / "debates.db", tmp_path / "new.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript((ROOT / "tests" / "databases" / "schema_1.sql").read_text())
    for fence in (2, 3):
        with closing(SqliteStore(path)) as store:
            kept = store.load("d-1")
            assert kept[2].hash == "bab6714bd885ea47d42129ba3808aee8ae9dba0938bc1602285e25e88d0becb8"
            state = replay(kept)
            store.append("d-1", submit(state, Resume(by="chair"), at=AT), after=state.version)
            store.append("d-1", paused(store.load("d-1")), after=state.version + 1)
            assert verify(store.load("d-1")) == ()
            assert store.note("draft", "a") == "one"
            assert store.acquire("d-1", "elsewhere:1:1", ttl_s=0).fence == fence
        # Nothing has to be done, and once it was, it is the same file that a new one is.
        assert main(["migrate", "--db", f"sqlite:///{path}"]) == 0
    assert "is of this version: nothing to do" in capsys.readouterr().out.splitlines()[-1]
    SqliteStore(new).close()
    assert schema_of(path) == schema_of(new)


def test_a_file_that_is_too_old_is_told_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "debates.db"
    SqliteStore(path).close()
    with closing(driver.connect(str(path))) as db:
        db.execute("PRAGMA user_version = 0")
    refused(["metrics", "--db", f"sqlite:///{path}"], capsys, "older version (schema 0, known: 1): run `python -m")


SEATS = [Seat(id=name, occupant="scripted", stance="for") for name in ("ana", "ben", "cyd")]


def played(name: str) -> list[Event]:
    return Played(compose("Ship it?", ["adopt", "defer"], BOUNDED_VOTE, SEATS), name).play().events


def test_a_backup_is_the_state_of_one_moment_while_others_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    database, to, meanwhile = (tmp_path / f"{name}.db" for name in ("debates", "monday", "meanwhile"))
    command = ["backup", "--db", f"sqlite:///{database}", "--to", str(to)]
    first, second = played("d1"), played("d2")
    with closing(SqliteStore(database)) as store:
        store.append("d1", first, after=0)
        store.put_note("draft", "form", "half a sentence")
        # A transaction of somebody else is under way: it is not in the copy, and the copy does not wait for it.
        with store._writing() as writing:
            writing.exec_driver_sql("DELETE FROM papers")
            store.copy_to(meanwhile)
        assert main(command) == 0
        store.append("d2", second, after=0)
    said = capsys.readouterr().out
    with closing(SqliteStore(meanwhile)) as copy:
        assert (copy.debates(), copy.note("draft", "form")) == ({"d1": len(first)}, "half a sentence")
    assert said.startswith(f"{to}: 1 debate with {len(first)} events, read again. The two key files")
    assert stat.S_IMODE(to.stat().st_mode) == 0o600
    with closing(SqliteStore(to)) as copy:
        assert (copy.debates(), copy.load("d1")) == ({"d1": len(first)}, tuple(first))
        copy.append("d2", second, after=0)
    # Nothing is written over.
    before = to.read_bytes()
    assert main(command) == 2
    assert capsys.readouterr().err == f"debate_core: {to} is there already: name a file that is not\n"
    assert to.read_bytes() == before


@pytest.mark.parametrize(
    ("db", "to", "told"),
    [
        ("sqlite:///{folder}/none.db", "{folder}/copy.db", "there is no database {folder}/none.db"),
        ("sqlite:///{folder}/debates.db", "{folder}/no/copy.db", "{folder}/no/copy.db cannot be written: No such file"),
        (
            "postgresql+psycopg://ann:secret@db/debates",
            "{folder}/copy.db",
            "debates is no file: back it up with pg_dump",
        ),
    ],
)
def test_what_cannot_be_backed_up_is_said_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], db: str, to: str, told: str
):
    SqliteStore(tmp_path / "debates.db").close()
    url, file = db.format(folder=tmp_path), to.format(folder=tmp_path)
    assert main(["backup", "--db", url, "--to", file]) == 2
    said = capsys.readouterr().err
    assert told.format(folder=tmp_path) in said
    assert (said.count("\n"), "secret" in said, Path(file).exists()) == (1, False, False)
