"""Failures of a PostgreSQL database: one clear sentence each, and nothing lost or written twice."""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate
from debate_core.engine.seat_view import View
from debate_core.errors import (
    BrokenRecord,
    Busy,
    Conflict,
    DebateError,
    InvalidSpec,
    Leased,
    NewerRecord,
    NotMigrated,
    UnknownDebate,
    Unwritable,
)
from debate_core.host import runner
from debate_core.host.runner import run
from debate_core.host.stores import open_store, without_password
from debate_core.host.stores import postgres as store_module
from debate_core.host.stores.migrate import migrate
from debate_core.host.stores.owner import this_process
from debate_core.host.stores.postgres import PostgresStore
from debate_core.record.commands import AnyCommand, TakeTurn
from debate_core.record.fold import replay
from debate_core.record.state import Request
from debate_core.seats import Filler, OnText
from debate_core.spec.contents import Argument
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.rules import Majority, MaxRounds
from debate_core.spec.values import Seat
from tests import postgres
from tests.contracts.test_stores import in_other_python, opened, paused
from tests.waiting import until

ROLES = Path(__file__).resolve().parents[2] / "deploy" / "postgres-role.sql"


@pytest.fixture
def store(url: sa.URL) -> Iterator[PostgresStore]:
    with closing(PostgresStore(postgres.written(url))) as made:
        yield made


def nobody_there(url: sa.URL) -> sa.URL:
    return sa.make_url("postgresql+psycopg://ann:hunter2@127.0.0.1:1/debates")


def no_such_database(url: sa.URL) -> sa.URL:
    return url.set(database="nowhere")


def wrong_password(url: sa.URL) -> sa.URL:
    with postgres.admin() as db:
        db.execute(
            "DO $$ BEGIN CREATE ROLE asked_for_password LOGIN PASSWORD 'right'; EXCEPTION WHEN OTHERS THEN END $$"
        )
    return url.set(username=postgres.ROLE_WITH_PASSWORD, password="hunter2")


def told(url: sa.URL, *statements: str) -> sa.URL:
    with postgres.admin(url) as db:
        for statement in statements:
            db.execute(statement)
    return url


@pytest.mark.parametrize(
    ("broken", "error", "sentence"),
    [
        (nobody_there, Unwritable, r"database debates at 127\.0\.0\.1:1 as ann cannot be reached: .*refused"),
        (no_such_database, Unwritable, r"cannot be reached: database \"nowhere\" does not exist"),
        (wrong_password, Unwritable, r"as asked_for_password cannot be reached: password authentication failed"),
        (lambda url: told(url, "DROP TABLE alembic_version"), NotMigrated, "has no tables of debates yet: .*migrate"),
        (
            lambda url: told(url, "UPDATE alembic_version SET version_num = '0'"),
            NotMigrated,
            r"of an older version \(schema 0, known: \d+\): .*migrate",
        ),
        (
            lambda url: told(url, "UPDATE alembic_version SET version_num = '999'"),
            NewerRecord,
            r"of a newer version \(schema 999, known: \d+\): update this program",
        ),
        (
            lambda url: told(url, "UPDATE alembic_version SET version_num = 'ab12'"),
            BrokenRecord,
            "of another program: name another one",
        ),
    ],
)
def test_a_database_that_cannot_be_used(
    url: sa.URL, broken: Callable[[sa.URL], sa.URL], error: type[DebateError], sentence: str
):
    with pytest.raises(error, match=sentence) as caught:
        open_store(postgres.written(broken(url)))
    assert "hunter2" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgresql+psycopg://ann:a@b/c@db/x", "postgresql+psycopg://***@db/x"),
        ("postgresql+psycopg://db/x?user=ann&password=p", "postgresql+psycopg://db/x?user=ann&password=***@"),
        ("sqlite:////srv/a@b/debates.db", "sqlite:////srv/a@b/debates.db"),
    ],
)
def test_a_password_is_never_shown(text: str, shown: str):
    assert without_password(text) == shown
    with pytest.raises(InvalidSpec) as caught:
        open_store(f"x{text}")
    assert "ann:a" not in str(caught.value)
    assert "=p'" not in str(caught.value)


@pytest.mark.parametrize("text", ["postgresql+psycopg://", "postgresql+psycopg://host", "postgresql+psycopg://h:x/d"])
def test_an_address_that_names_no_database_of_postgresql(text: str):
    with pytest.raises(InvalidSpec, match=r"write postgresql\+psycopg://USER@HOST/NAME"):
        open_store(text)


def test_missing_server_packages_are_named_with_the_remedy():
    code = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from debate_core.host.stores import open_store\n"
        "try: open_store('postgresql+psycopg://h/d')\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    assert in_other_python(code) == (
        "InvalidSpec psycopg is not installed: run `make server`, or install requirements-server.txt\n"
    )


def test_a_database_that_cannot_keep_every_letter():
    refused = pytest.raises(Unwritable, match="keeps text as LATIN1: make one with ENCODING 'UTF8'")
    with postgres.empty_database("LATIN1") as url, refused:
        migrate(postgres.written(url))


def test_the_app_role_has_its_rights_and_cannot_alter_the_record(url: sa.URL):
    role = f"app_{url.database}"
    script = ROLES.read_text().replace("debate_app", role)
    app = url.set(username=role)
    with postgres.admin(url) as db:
        db.execute(f"CREATE ROLE {role} LOGIN")
        with pytest.raises(Unwritable, match=r"permission denied|this role may not do that"):
            open_store(postgres.written(app))
        db.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}")
        with pytest.raises(
            Unwritable, match=r"this role lacks INSERT on debates, INSERT on events, .*postgres-role\.sql"
        ):
            open_store(postgres.written(app))
        db.execute(script)
        with closing(open_store(postgres.written(app))) as store:
            events = opened()
            store.append("d-1", events, after=0)
            lease = store.acquire("d-1", this_process(), ttl_s=60)
            store.append("d-1", paused(events), after=len(events), lease=lease)
            store.release(lease)
            store.put_note("draft", "a", "one")
            store.drop_note("draft", "a")
        with postgres.admin(app) as as_app:
            for change in (
                "UPDATE events SET actor = 'x'",
                "DELETE FROM debates",
                "TRUNCATE events",
                "ALTER TABLE events DISABLE TRIGGER ALL",
                "DROP TABLE events",
                "UPDATE alembic_version SET version_num = '0'",
            ):
                with pytest.raises(Exception, match=r"permission denied|must be owner"):
                    as_app.execute(change)
        db.execute(f"REVOKE INSERT ON papers FROM {role}")
        with closing(PostgresStore(postgres.written(url))) as owner:
            assert verify(owner.load("d-1")) == ()
        db.execute(f"DROP OWNED BY {role}")
        db.execute(f"DROP ROLE {role}")


def test_a_right_that_is_taken_away_is_told(url: sa.URL, store: PostgresStore):
    told(
        url,
        "CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION "
        "'permission denied for table papers' USING ERRCODE = 'insufficient_privilege'; END $$",
        "CREATE TRIGGER no BEFORE INSERT ON papers FOR EACH ROW EXECUTE FUNCTION no()",
    )
    with pytest.raises(
        Unwritable, match=r"may not do that \(permission denied for table papers\); deploy/postgres-role"
    ):
        store.put_note("draft", "a", "one")


def test_a_full_disk_loses_nothing_that_was_kept(url: sa.URL, store: PostgresStore):
    events = opened()
    store.append("d-1", events, after=0)
    told(
        url,
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION "
        "'could not extend file \"base/1/2\": No space left on device' USING ERRCODE = 'disk_full'; END $$",
        "CREATE TRIGGER zz_full BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION full_disk()",
    )
    with pytest.raises(Unwritable, match="has no room left on its disk: could not extend file") as caught:
        store.append("d-1", paused(events), after=len(events))
    assert not isinstance(caught.value, Busy)
    told(url, "DROP TRIGGER zz_full ON events")
    store.append("d-1", paused(events), after=len(events))
    assert store.load("d-1") == events + paused(events)


def cut_off(url: sa.URL, connection: Any) -> None:
    """End the other side of a connection of the store, as a crash or a restart of the server does."""
    with postgres.admin(url) as db:
        db.execute("SELECT pg_terminate_backend(%s)", [connection.info.backend_pid])


@pytest.mark.parametrize("how", ["leased", "by people", "extension"])
@pytest.mark.parametrize("written", [False, True])
def test_a_connection_lost_in_an_append_changes_nothing(
    url: sa.URL, store: PostgresStore, monkeypatch: pytest.MonkeyPatch, written: bool, how: str
):
    events = opened()
    store.append("d-1", events, after=0)
    lease = store.acquire("d-1", this_process(), ttl_s=60) if how == "leased" else None
    dialect = (store._impatient_writer if lease else store._writer).dialect
    commit = dialect.do_commit
    lost: list[bool] = []

    def commit_and_lose(connection: Any) -> None:
        if lost:
            commit(connection)
            return
        lost.append(True)
        if written:
            commit(connection)
        cut_off(url, connection.dbapi_connection)
        # What psycopg says of a server that is gone.
        connection.dbapi_connection.execute("SELECT 1")

    monkeypatch.setattr(dialect, "do_commit", commit_and_lose)
    if how == "extension":
        added = store.extend("d-1", lambda newer: paused(events[:1] + tuple(newer)), after=1)
        assert added == (events + paused(events))[1:]
    else:
        store.append("d-1", paused(events), after=len(events), lease=lease)
    assert lost
    assert store.load("d-1") == events + paused(events)
    with pytest.raises(Conflict, match="someone else was first"):
        store.append("d-1", paused(events), after=len(events), lease=lease)


def test_who_is_cut_off_elsewhere_is_told_to_try_again(
    url: sa.URL, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
):
    def lose(connection: Any) -> None:
        cut_off(url, connection.dbapi_connection)
        connection.dbapi_connection.execute("SELECT 1")

    with monkeypatch.context() as patched:
        patched.setattr(store._writer.dialect, "do_commit", lose)
        with pytest.raises(Busy, match=r"the connection to the PostgreSQL database .* was lost \(.*\): try again"):
            store.put_note("draft", "a", "one")
    # The pool has other connections, some of them cut off while nobody used them.
    postgres.cut_off_everybody(url)
    assert store.note("draft", "a") is None
    store.put_note("draft", "a", "two")
    assert store.note("draft", "a") == "two"


def test_a_server_that_goes_away_and_comes_back(url: sa.URL, store: PostgresStore):
    """A restart refuses connections for a while and cuts off the open ones."""
    events = opened()
    store.append("d-1", events, after=0)
    with postgres.admin() as db:
        db.execute(f"ALTER DATABASE {url.database} ALLOW_CONNECTIONS false")
        db.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{url.database}'")
        for use in (lambda: store.load("d-1"), lambda: store.append("d-1", paused(events), after=len(events))):
            with pytest.raises(Busy, match=r"cannot be reached: .*not currently accepting connections"):
                use()
        db.execute(f"ALTER DATABASE {url.database} ALLOW_CONNECTIONS true")
    store.append("d-1", paused(events), after=len(events))
    assert store.load("d-1") == events + paused(events)


def test_whoever_runs_debates_does_not_wait_long(url: sa.URL, store: PostgresStore):
    store.append("d-1", opened(), after=0)
    lease = store.acquire("d-1", this_process(), ttl_s=60)
    with store._writing() as db:
        store._lock(db, "d-1")
        began_s = time.monotonic()
        with pytest.raises(Busy, match=r"is busy \(canceling statement due to lock timeout\): try again"):
            store.append("d-1", paused(opened()), after=len(opened()), lease=lease)
        assert time.monotonic() - began_s < 10
    with ExitStack() as held:
        for _ in range(store_module.RUNNER_POOL + store_module.RUNNER_MORE):
            held.enter_context(store._writing_impatiently())
        with pytest.raises(Busy, match="all connections of this process are in use: try again"):
            store.renew(lease, ttl_s=60)
    store.renew(lease, ttl_s=60)


def test_a_process_stopped_in_a_transaction_blocks_no_writer(url: sa.URL, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(store_module, "IDLE_S", 0.2)
    with (
        closing(PostgresStore(postgres.written(url))) as stopped,
        closing(PostgresStore(postgres.written(url))) as other,
    ):

        def stop_and_go_on() -> None:
            with stopped._writing() as db:
                stopped._lock(db, "d-1")
                # Waits until the server has ended the other one's transaction.
                other.append("d-1", opened(), after=0)
                stopped._lock(db, "d-1")

        with pytest.raises(Busy, match="was lost"):
            stop_and_go_on()
        assert stopped.load("d-1") == opened()


def test_leases_go_by_the_clock_of_the_database(store: PostgresStore, monkeypatch: pytest.MonkeyPatch):
    right = time.time
    store.acquire("d-1", "elsewhere:1:1", ttl_s=60)
    monkeypatch.setattr(time, "time", lambda: right() + 86_400)
    with pytest.raises(Leased, match="is being run by elsewhere"):
        store.acquire("d-1", "faraway:1:1", ttl_s=60)
    monkeypatch.setattr(time, "time", lambda: right() - 86_400)
    short = store.acquire("d-2", "elsewhere:1:1", ttl_s=0.01)
    time.sleep(0.02)
    assert store.acquire("d-2", "faraway:1:1", ttl_s=60).fence == short.fence + 1


def test_a_name_that_no_database_can_keep(store: PostgresStore):
    with pytest.raises(UnknownDebate, match="keeps nothing under such a name"):
        store.load("d\0")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_runner_stopped_past_its_lease_writes_nothing(
    url: sa.URL, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
):
    for module in ("run_loop", "runner"):
        monkeypatch.setattr(f"debate_core.host.{module}.LEASE_TTL_S", 1.0)
    store.append("d-1", open_debate(RUN, debate_id="d-1", at=runner.now()), after=0)
    hear, tell = os.pipe()
    zombie = os.fork()
    if not zombie:
        # Its seats answer within the time in which it is stopped.
        said = "nothing"
        try:
            with closing(PostgresStore(postgres.written(url))) as own:
                asyncio.run(run("d-1", own, dict.fromkeys("abc", slowly(0.3))))
        except Leased as error:
            said = str(error)
        finally:
            os.write(tell, said.encode())
            os._exit(0)
    until(lambda: store.find("d-1", "attempt:1.opening.a.1") or len(store.load("d-1")) > 2)
    os.kill(zombie, signal.SIGSTOP)
    began_s = time.monotonic()
    # Nobody here can tell that it will never go on: it is taken over when its lease has ended, and not before.
    until(lambda: taken_over(store))
    assert 0.1 < time.monotonic() - began_s < 10
    state = asyncio.run(run("d-1", store, dict.fromkeys("abc", slowly(0))))
    assert state.outcome is not None
    os.kill(zombie, signal.SIGCONT)
    assert "was taken over by" in os.read(hear, 1_000).decode()
    os.waitpid(zombie, 0)
    events = store.load("d-1")
    assert verify(events) == ()
    assert replay(events).outcome is not None
    assert [t.seat for t in replay(events).turns] == ["a", "b", "c"]


def taken_over(store: PostgresStore) -> bool:
    """True once the lease was free, which it is again then."""
    try:
        store.release(store.acquire("d-1", this_process(), ttl_s=1))
    except Leased:
        return False
    return True


def slowly(seconds: float) -> Filler:
    """A seat that takes so long."""

    async def says(request: Request, view: View, on_text: OnText) -> AnyCommand:
        await asyncio.sleep(seconds)
        return TakeTurn(by=request.seat, request=request.id, content=Argument(rationale="So it is.", vote="adopt"))

    return says


RUN = Spec(
    question="Adopt it?",
    options=("adopt", "defer"),
    seats=tuple(Seat(id=seat, occupant="scripted") for seat in "abc"),
    protocol=Protocol(name="trial", each_round=(Phase(name="opening"),), decide=Majority(), stop=(MaxRounds(),)),
    max_rounds=1,
)
