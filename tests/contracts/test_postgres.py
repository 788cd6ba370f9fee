"""PostgreSQL specifics; test_stores.py has what all stores have in common."""

from contextlib import closing

import psycopg
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from debate_core.engine.engine import submit
from debate_core.errors import InvalidSpec, NewerRecord, NotMigrated
from debate_core.host import runner
from debate_core.host.access.signing import Signer
from debate_core.host.host import Host
from debate_core.host.settings import Worker
from debate_core.host.signatures import Signatures
from debate_core.host.stores import Appended
from debate_core.host.stores.migrate import MIGRATIONS, migrate
from debate_core.host.stores.postgres import PostgresStore
from debate_core.host.stores.sql import REVISION, TABLES
from debate_core.record.commands import Resume, Stop
from debate_core.record.fold import replay
from tests import postgres
from tests.contracts.test_stores import opened, paused
from tests.waiting import until


def host_of(url: sa.URL, worker: Worker = "none") -> Host:
    return postgres.host_of(postgres.written(url), worker=worker)


def is_ours(name: str | None, kind: str, _parents: object) -> bool:
    """The queue and live texts have tables of their own beside those of the store."""
    return kind != "table" or not str(name).startswith(("procrastinate", "live_"))


def test_the_database_refuses_every_change_of_the_past(url: sa.URL):
    with closing(PostgresStore(postgres.written(url))) as store, postgres.admin(url) as db:
        store.append("d-1", opened(), after=0)
        before = store.load("d-1")
        columns = "debate, seq, at, actor, kind, key, body, hash"
        for change in (
            "UPDATE events SET actor = 'x'",
            "DELETE FROM events",
            "TRUNCATE events",
            "TRUNCATE debates, events",
            "UPDATE debates SET id = 'x'",
            "DELETE FROM debates",
            f"INSERT INTO events ({columns}) SELECT debate, 9, at, actor, kind, 'new', body, hash FROM events",
            f"INSERT INTO events ({columns}) SELECT debate, 3, at, actor, kind, key, body, hash FROM events LIMIT 1",
            f"INSERT INTO events ({columns}) SELECT {columns} FROM events LIMIT 1",
            "INSERT INTO debates (id) VALUES ('d-1')",
        ):
            with pytest.raises(psycopg.errors.IntegrityError):
                db.execute(change)
        assert store.load("d-1") == before


def test_a_users_own_table_does_not_disturb_event_order(url: sa.URL):
    with closing(PostgresStore(postgres.written(url))) as store, postgres.admin(url) as db:
        store.append("d-1", opened(), after=0)
        db.execute("CREATE TEMP TABLE events AS SELECT 1 AS debate, 8 AS seq")
        with pytest.raises(psycopg.errors.IntegrityError, match="append-only"):
            db.execute(
                "INSERT INTO public.events (debate, seq, at, actor, kind, key, body, hash)"
                " SELECT debate, 9, at, actor, kind, 'new', body, hash FROM public.events LIMIT 1"
            )


def test_the_steps_make_the_tables_that_the_store_uses(url: sa.URL):
    assert str(REVISION) == ScriptDirectory(str(MIGRATIONS)).get_current_head()
    engine = sa.create_engine(url)
    with engine.connect() as db:
        assert (
            compare_metadata(
                MigrationContext.configure(db, opts={"compare_type": True, "include_name": is_ours}), TABLES
            )
            == []
        )
    engine.dispose()
    assert migrate(postgres.written(url)) == 0


def test_followers_receive_every_event_even_after_a_gap(url: sa.URL):
    with closing(PostgresStore(postgres.written(url))) as here, closing(PostgresStore(postgres.written(url))) as there:
        heard: list[Appended | None] = []
        assert here.follow(heard.append)
        until(lambda: heard == [None])
        first = opened()
        there.append("d-1", first, after=0)
        until(lambda: heard[1:] == [Appended("d-1", n) for n in range(1, len(first) + 1)])
        heard.clear()
        # The connection that listens, and all others of both stores.
        postgres.cut_off_everybody(url)
        until(lambda: heard == [None])
        there.append("d-1", paused(first), after=len(first))
        until(lambda: heard[1:] == [Appended("d-1", len(first) + 1)])


def test_a_running_process_notices_tables_of_another_version(url: sa.URL):
    with closing(PostgresStore(postgres.written(url))) as store:
        store.check()
        for version, told in (("99", NewerRecord), ("0", NotMigrated)):
            with postgres.admin(url) as db:
                db.execute("UPDATE alembic_version SET version_num = %s", [version])
            with pytest.raises(told):
                store.check()


def test_a_database_that_is_shared_keeps_no_keys(url: sa.URL):
    with closing(PostgresStore(postgres.written(url))) as store:
        with pytest.raises(InvalidSpec, match=r"keeps no keys.*set DEBATE_SECRET \(32 characters or more\)"):
            Signer(store)
        with pytest.raises(InvalidSpec, match=r"keeps no keys.*set DEBATE_SIGNING_KEY"):
            Signatures(store)
        with pytest.raises(InvalidSpec, match="set DEBATE_SECRET"):
            store.renew_secret()
        assert Signer(store, "s" * 32).read("host", Signer(store, "s" * 32).sign("host", "x")) == "x"
        assert Signatures(store, "0" * 64).lasts


def test_what_one_process_appends_is_seen_at_once_in_another(url: sa.URL, monkeypatch: pytest.MonkeyPatch):
    # By themselves they would look in a minute.
    monkeypatch.setattr("debate_core.host.debate_cache.SAFETY_LOOK_S", 60)
    with (
        closing(PostgresStore(postgres.written(url))) as there,
        closing(postgres.host_of(postgres.written(url))) as here,
    ):
        first = opened()
        there.append("d-1", first, after=0)
        assert here.state("d-1").version == len(first)
        there.append("d-1", paused(first), after=len(first))
        until(lambda: here.state("d-1").paused == "tea")
        n_seen = here.cache("d-1").feed
        here.submit("d-1", Resume(by="chair"))
        assert here.cache("d-1").feed == n_seen + 1


def test_a_runner_hears_at_once_what_another_process_appends(url: sa.URL, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("debate_core.host.debate_cache.SAFETY_LOOK_S", 60)
    monkeypatch.setattr("debate_core.host.run_loop.LEASE_TTL_S", 600)
    with (
        closing(PostgresStore(postgres.written(url))) as there,
        closing(postgres.host_of(postgres.written(url), worker="inline")) as here,
    ):
        debate_id = here.start_rehearsal("orders_database_tie", by="chair", pace_cps=1)
        until(lambda: here.cache(debate_id).live())
        state = replay(there.load(debate_id))
        there.append(debate_id, submit(state, Stop(by="chair", reason="enough"), at=runner.now()), after=state.version)
        until(lambda: not here.health.report()["running"])
        assert here.state(debate_id).outcome is not None
