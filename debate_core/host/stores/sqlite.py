"""Stores events in one SQLite file: the default store. Durable when `append` returns, append-only by triggers.

Threads and processes of one machine can share a file. Knows no rules; opened through `stores.open_store`.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from debate_core.errors import BrokenRecord, Busy, InvalidSpec, NewerRecord, NotMigrated, StoreError, Unwritable
from debate_core.host.stores import OnNews, SecretOf, secret_file
from debate_core.host.stores.disk import kind_of_fault
from debate_core.host.stores.sql import ALEMBIC_VERSION, BUSY_S, LEASED_BUSY_S, REVISION, TABLES, SqlStore
from debate_core.sentence import Sentence

driver: ModuleType = sqlite3
try:
    import pysqlite3

    driver = pysqlite3.dbapi2
except ImportError:
    pass  # no build for this machine: the module of Python does, in the slower journal mode if it must

SCHEMA = 1
"""Grows with each step in `migrations` that changes a file; PostgreSQL-only steps raise `sql.REVISION` alone."""
APPLICATION = 0x64656261
"""Marks our files (`PRAGMA application_id`), to avoid writing to another program's database."""

# REPLACE bypasses the delete trigger, so an insert must neither repeat a key nor break the order.
_GUARDS = {
    "events": "NEW.seq IS NOT 1 + coalesce((SELECT max(seq) FROM events WHERE debate = NEW.debate), 0)"
    " OR EXISTS (SELECT 1 FROM events WHERE debate = NEW.debate AND key = NEW.key)"
    " OR EXISTS (SELECT 1 FROM events WHERE id = NEW.id)",
    "debates": "EXISTS (SELECT 1 FROM debates WHERE number = NEW.number OR id = NEW.id)",
}


def journal_mode(version: str) -> str:
    """WAL if SQLite is free of the WAL-reset bug (3.51.3, back-ported to 3.50.7 and 3.44.6), else TRUNCATE."""
    number = tuple(int(part) for part in version.split("."))
    fixed = number >= (3, 51, 3) or (3, 50, 7) <= number < (3, 51) or (3, 44, 6) <= number < (3, 45)
    return "WAL" if fixed else "TRUNCATE"


class SqliteStore(SqlStore):
    """A `Store` in the file at `path`; a missing folder or file is created."""

    keeps_secrets = True
    _insert_into = staticmethod(insert)

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).absolute()
        self.where = str(self.path)
        if self.path.is_dir():
            raise Unwritable("{path} is a folder: name a file in it", path=self.path)
        self._secret_path = self.path.with_name(f"{self.path.name}.secret")
        _make_private(self.path)
        self._reader = connecting(self.path, BUSY_S)
        # Its transactions hold the write lock from their start.
        self._writer = self._reader.execution_options(writes=True)
        self._impatient_writer = connecting(self.path, LEASED_BUSY_S).execution_options(writes=True)
        # Without a cache: a trial transaction has to reach the disk before it is rolled back.
        self._trial_writer = connecting(self.path, LEASED_BUSY_S, cache_pages=1).execution_options(writes=True)
        try:
            with self._writing() as db:
                _settle_schema(db, self.path)
        except StoreError:
            self.close()
            raise
        # Files of earlier versions were readable by everyone; only the owner can change that.
        with suppress(OSError):
            self.path.chmod(secret_file.OWNER_ONLY)

    def secret(self, of: SecretOf) -> str:
        if of == "records":
            return secret_file.read_or_make(self.path.with_name(f"{self.path.name}.key"))
        # Files of earlier versions keep it as a note, and links signed with it stay valid.
        former = self.note("secret", "door")
        secret = secret_file.read_or_make(self._secret_path, former=former)
        if former is not None:
            self.drop_note("secret", "door")
        return secret

    def renew_secret(self) -> None:
        secret_file.replace(self._secret_path)

    def follow(self, _heard: OnNews) -> bool:
        return False

    def copy_to(self, path: Path) -> None:
        """Copy the database at one moment into a new file, readable by its owner only; others continue to write.

        InvalidSpec if the file exists; Unwritable if it cannot be written, and then it is deleted again.
        """
        try:
            path.touch(mode=secret_file.OWNER_ONLY, exist_ok=False)
        except FileExistsError:
            raise InvalidSpec("{path} is there already: name a file that is not", path=path) from None
        except OSError as error:
            raise kind_of_fault(error)("{path} cannot be written: {why}", path=path, why=error.strerror) from None
        try:
            with self._in_plain_words(path), self._reader.connect() as db:
                db.exec_driver_sql("VACUUM INTO ?", (str(path),))
        except StoreError:
            path.unlink(missing_ok=True)
            raise

    def about(self) -> str:
        return f"SQLite {driver.sqlite_version}, journal mode {journal_mode(driver.sqlite_version)}"

    def close(self) -> None:
        self._reader.dispose()
        self._impatient_writer.dispose()
        self._trial_writer.dispose()

    def _refuse_other_version(self, db: sa.Connection) -> None:
        _refuse_other_schema(db.exec_driver_sql("PRAGMA user_version").scalar_one(), self.path)

    def _lock(self, db: sa.Connection, what: str) -> None:
        """Do nothing: the BEGIN IMMEDIATE of every transaction locks the whole file."""

    def _now_s(self) -> sa.ColumnElement[float]:
        return sa.literal(time.time())

    def _now_ns(self) -> sa.ColumnElement[int]:
        return sa.literal(time.time_ns())

    @contextmanager
    def _in_plain_words(self, path: Path | None = None) -> Iterator[None]:
        """Translate driver errors; `path` is the file concerned, if it is not the store's own."""
        path = path or self.path
        try:
            yield
        except (sa.exc.DBAPIError, driver.Error) as error:
            why = str(getattr(error, "orig", None) or error)
            if "not a database" in why or "malformed" in why:
                raise BrokenRecord(
                    "{path} is no readable database ({why}): name another file", 0, path=path, why=why
                ) from None
            kind = Busy if "is locked" in why else kind_of_fault(error)
            raise kind(Sentence("{where} cannot be written or read: {why}", where=path, why=why)) from None


def connecting(path: Path, busy_s: float, *, cache_pages: int | None = None) -> sa.Engine:
    """A pool whose connections wait `busy_s` for other writers; `cache_pages` None = default."""
    url = sa.URL.create("sqlite", database=str(path))
    engine = sa.create_engine(url, module=driver, max_overflow=-1, pool_size=4)
    sa.event.listen(engine, "connect", partial(_prepare, busy_s=busy_s, cache_pages=cache_pages))

    @sa.event.listens_for(engine, "begin")
    def lock_for_writes(db: sa.Connection) -> None:
        if db.get_execution_options().get("writes"):
            db.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _settle_schema(db: sa.Connection, path: Path) -> None:
    application, schema, tables = (
        db.exec_driver_sql(question).scalar_one()
        for question in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
    )
    if application != APPLICATION:
        if tables:
            raise BrokenRecord("{path} is a database, but not one of debates: name another file", 0, path=path)
        TABLES.create_all(db)
        for trigger in triggers():
            db.exec_driver_sql(trigger)
        stamp(db)
        ALEMBIC_VERSION.create(db)
        db.execute(ALEMBIC_VERSION.insert().values(version_num=str(REVISION)))
    else:
        _refuse_other_schema(schema, path)


def _refuse_other_schema(schema: int, path: Path) -> None:
    if schema > SCHEMA:
        raise NewerRecord(
            "{path} was written by a newer version (schema {schema}, known: {known}): update",
            path=path,
            schema=schema,
            known=SCHEMA,
        )
    if schema < SCHEMA:
        raise NotMigrated(
            "{path} was written by an older version (schema {schema}, known: {known}): run `python "
            "-m debate_core migrate --db sqlite:///{path}`",
            path=path,
            schema=schema,
            known=SCHEMA,
        )


def stamp(db: sa.Connection) -> None:
    """Mark a file as ours, with the current schema."""
    db.exec_driver_sql(f"PRAGMA application_id = {APPLICATION}")
    db.exec_driver_sql(f"PRAGMA user_version = {SCHEMA}")


def _make_private(path: Path) -> None:
    """Make a new folder and file readable by their owner only; SQLite gives the files beside it the same rights."""
    try:
        if not path.parent.is_dir():
            path.parent.parent.mkdir(parents=True, exist_ok=True)
            path.parent.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise kind_of_fault(error)(
            "the folder {folder} cannot be made: {why}", folder=path.parent, why=error.strerror
        ) from None
    # SQLite reports files that cannot be opened.
    with suppress(OSError):
        path.touch(mode=secret_file.OWNER_ONLY)


def _prepare(connection: Any, _record: object, *, busy_s: float, cache_pages: int | None) -> None:
    """Configure each new connection: explicit transactions, timeouts, durable commits.

    Small pages waste the least space for events of 1 to 2 kB, and cost no time.
    """
    connection.isolation_level = None
    for setting in (
        "page_size = 512",
        f"busy_timeout = {round(busy_s * 1000)}",
        f"journal_mode = {journal_mode(driver.sqlite_version)}",
        "synchronous = FULL",
        *([] if cache_pages is None else [f"cache_size = {cache_pages}"]),
    ):
        connection.execute(f"PRAGMA {setting}")


def triggers() -> Iterator[str]:
    """The statements that make a file append-only."""
    for table, guard in _GUARDS.items():
        refuse = f"BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END"
        yield f"CREATE TRIGGER {table}_update BEFORE UPDATE ON {table} {refuse}"
        yield f"CREATE TRIGGER {table}_delete BEFORE DELETE ON {table} {refuse}"
        yield f"CREATE TRIGGER {table}_insert BEFORE INSERT ON {table} WHEN {guard} {refuse}"
