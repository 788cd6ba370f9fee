"""Migrates the tables of a database to this version's schema, with alembic. For the owner of the tables."""

from contextlib import closing
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from debate_core.errors import BrokenRecord, NewerRecord, NotMigrated, Unwritable
from debate_core.host.stores import POSTGRES, open_store, sqlite
from debate_core.host.stores.disk import kind_of_fault
from debate_core.host.stores.sql import ALEMBIC_VERSION, BUSY_S, REVISION

MIGRATIONS = Path(__file__).parent / "migrations"
_REVISIONS = {1: 1}
"""Step of each file schema from before alembic recorded the step."""


def migrate(url: str) -> int:
    """Migrate the database at this URL; returns the number of steps, 0 if it is up to date. Creates a missing file.

    NewerRecord or BrokenRecord if the database is not ours to change; Unwritable or Busy names the obstacle.
    """
    return _migrate_postgres(url) if url.startswith(POSTGRES) else _migrate_sqlite(url)


def take_steps(db: sa.Connection) -> int:
    """Migrate through a connection whose transaction the caller ends; returns the number of steps."""
    has_version = sa.inspect(db).has_table(ALEMBIC_VERSION.name)
    kept = db.execute(sa.select(ALEMBIC_VERSION.c.version_num)).scalar() if has_version else None
    if kept is not None and not kept.isdecimal():
        raise BrokenRecord("the database is one of another program: name another one", 0)
    before = int(kept or 0)
    if before > REVISION:
        raise NewerRecord(
            f"the database is of a newer version (schema {before}, known: {REVISION}): update this program"
        )
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = db
    command.upgrade(config, str(REVISION))
    return REVISION - before


def _migrate_sqlite(url: str) -> int:
    try:
        # Refuses unusable files as usual; creates a new file completely.
        with closing(open_store(url)):
            pass
    except NotMigrated:
        pass
    engine = sqlite.connecting(Path(url.removeprefix("sqlite:///")).absolute(), BUSY_S)
    try:
        with engine.execution_options(writes=True).begin() as db:
            if not sa.inspect(db).has_table(ALEMBIC_VERSION.name):
                ALEMBIC_VERSION.create(db)
                schema = db.exec_driver_sql("PRAGMA user_version").scalar_one()
                if schema in _REVISIONS:
                    db.execute(ALEMBIC_VERSION.insert().values(version_num=str(_REVISIONS[schema])))
            taken = take_steps(db)
            sqlite.stamp(db)
    except sa.exc.DBAPIError as error:
        raise kind_of_fault(error)(f"{url} cannot be migrated: {error.orig}") from None
    finally:
        engine.dispose()
    return taken


def _migrate_postgres(url: str) -> int:
    from debate_core.host.stores import postgres, refuse_without_packages

    refuse_without_packages()
    read = postgres.read_url(url)
    engine = postgres.connecting(read, BUSY_S, 1, 0)
    try:
        with postgres.in_plain_words(postgres.place_of(read)), engine.begin() as db:
            # Several machines may migrate at once: one after the other.
            db.execute(sa.select(sa.func.pg_advisory_xact_lock(postgres.LOCKS, 0)))
            encoding = db.exec_driver_sql("SHOW server_encoding").scalar_one()
            if encoding != "UTF8":
                raise Unwritable(f"{postgres.place_of(read)} keeps text as {encoding}: make one with ENCODING 'UTF8'")
            return take_steps(db)
    finally:
        engine.dispose()
