"""Events in one SQLite file: the default store. Durable when `append` returns, append-only by triggers.

Written with SQLAlchemy Core. The body is kept as the text that was hashed; prev_hash is the hash of the row before.
Several threads and processes may use one file. Knows no rules; opened through `stores.open_store`.
"""

import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import sqlalchemy as sa

from debate_core.errors import BrokenRecord, Busy, Conflict, Leased, NewerRecord, StoreError, UnknownDebate, Unwritable
from debate_core.host.stores import Lease, NoteChange, SecretOf, refuse_misfit, secret_file
from debate_core.host.stores.owner import is_dead
from debate_core.record.events import GENESIS, Event, read_body

driver: ModuleType = sqlite3
try:
    import pysqlite3

    driver = pysqlite3.dbapi2
except ImportError:
    pass  # no build for this machine: the module of Python does, in the slower journal mode if it must

SCHEMA = 1
APPLICATION = 0x64656261
"""Marks a file as ours (`PRAGMA application_id`), so that no other program's database is written to."""
BUSY_S = 30.0
LEASED_BUSY_S = 0.5
"""The same for whoever runs debates: many of them in one thread, and a lease lives for some seconds only."""

_META = sa.MetaData()
_DEBATES = sa.Table(
    "debates",
    _META,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("id", sa.Text, nullable=False, unique=True),
)
_EVENTS = sa.Table(
    "events",
    _META,
    sa.Column("id", sa.Integer, primary_key=True),
    # The number, not the id: it stands three times in every event (here and in two indexes).
    sa.Column("debate", sa.Integer, nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("hash", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("debate", "seq"),
    sa.UniqueConstraint("debate", "key"),
)
_LEASES = sa.Table(
    "leases",
    _META,
    sa.Column("debate", sa.Text, primary_key=True),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("fence", sa.Integer, nullable=False),
    sa.Column("until_s", sa.Float, nullable=False),
    sqlite_with_rowid=False,
)
# Stores that were made while notes were called papers have the table under that name.
_NOTES = sa.Table(
    "papers",
    _META,
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at_ns", sa.Integer, nullable=False),
    sqlite_with_rowid=False,
)
# What every append asks is built once: building it again would cost more than the answer.
_MINE = _DEBATES.c.id == sa.bindparam("debate")
_ROWS = sa.select(_EVENTS).join(_DEBATES, _DEBATES.c.number == _EVENTS.c.debate).where(_MINE)
_HASHES = _ROWS.with_only_columns(_EVENTS.c.debate, _EVENTS.c.seq, _EVENTS.c.hash)
_LATEST = (
    _HASHES.add_columns(_LEASES.c.fence, _LEASES.c.owner)
    .outerjoin(_LEASES, _LEASES.c.debate == _DEBATES.c.id)
    .order_by(_EVENTS.c.seq.desc())
    .limit(1)
)
_AFTER = _ROWS.where(_EVENTS.c.seq > sa.bindparam("after")).order_by(_EVENTS.c.seq)
_AT = _HASHES.where(_EVENTS.c.seq == sa.bindparam("after"))
_OF_KEY = _ROWS.where(_EVENTS.c.key == sa.bindparam("key"))
_HOLDER = sa.select(_LEASES).where(_LEASES.c.debate == sa.bindparam("debate"))
_INSERT = _EVENTS.insert()
_NOTED = sa.and_(_NOTES.c.kind == sa.bindparam("kind"), _NOTES.c.name == sa.bindparam("name"))
_NOTE = sa.select(_NOTES.c.text).where(_NOTED)
# REPLACE deletes rows without asking the delete trigger, so an insert may neither repeat a key nor leave the order.
_GUARDS = {
    "events": "NEW.seq IS NOT 1 + coalesce((SELECT max(seq) FROM events WHERE debate = NEW.debate), 0)"
    " OR EXISTS (SELECT 1 FROM events WHERE debate = NEW.debate AND key = NEW.key)"
    " OR EXISTS (SELECT 1 FROM events WHERE id = NEW.id)",
    "debates": "EXISTS (SELECT 1 FROM debates WHERE number = NEW.number OR id = NEW.id)",
}


def journal_mode(version: str) -> str:
    """WAL where SQLite is free of the WAL-reset bug (3.51.3, back-ported to 3.50.7 and 3.44.6), else TRUNCATE."""
    number = tuple(int(part) for part in version.split("."))
    fixed = number >= (3, 51, 3) or (3, 50, 7) <= number < (3, 51) or (3, 44, 6) <= number < (3, 45)
    return "WAL" if fixed else "TRUNCATE"


class SqliteStore:
    """A `Store` in the file at `path`; folder and file are made if they are not there."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).absolute()
        if self.path.is_dir():
            raise Unwritable(f"{self.path} is a folder: name a file in it")
        self._secret_path = self.path.with_name(f"{self.path.name}.secret")
        _make_private(self.path)
        self._engine = self._connecting(BUSY_S)
        self._writer = self._engine.execution_options(writes=True)
        self._impatient_writer = self._connecting(LEASED_BUSY_S).execution_options(writes=True)
        try:
            with self._writing() as db:
                self._settle_schema(db)
        except StoreError:
            self._engine.dispose()
            raise
        # One that an earlier version made was readable by everybody; whose file it is may close it.
        with suppress(OSError):
            self.path.chmod(secret_file.OWNER_ONLY)

    def _connecting(self, busy_s: float) -> sa.Engine:
        """Connections that wait so long for other writers."""
        url = sa.URL.create("sqlite", database=str(self.path))
        engine = sa.create_engine(url, module=driver, max_overflow=-1, pool_size=4)
        sa.event.listen(engine, "connect", partial(_prepare, busy_s=busy_s))
        sa.event.listen(engine, "begin", _begin)
        return engine

    def _settle_schema(self, db: sa.Connection) -> None:
        application, schema, tables = (
            db.exec_driver_sql(question).scalar_one()
            for question in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
        )
        if application != APPLICATION:
            if tables:
                raise BrokenRecord(f"{self.path} is a database, but not one of debates: name another file", 0)
            _META.create_all(db)
            for trigger in _triggers():
                db.exec_driver_sql(trigger)
            db.exec_driver_sql(f"PRAGMA application_id = {APPLICATION}")
            db.exec_driver_sql(f"PRAGMA user_version = {SCHEMA}")
        elif schema > SCHEMA:
            raise NewerRecord(f"{self.path} was written by a newer version (schema {schema}, known: {SCHEMA}): update")

    def load(self, debate_id: str, after: int = 0) -> tuple[Event, ...]:
        which = {"debate": debate_id, "after": after}
        with self._reading() as db:
            rows = db.execute(_AFTER, which).all()
            before = db.execute(_AT, which).first() if after else None
            if not rows and before is None and db.execute(_LATEST, which).first() is None:
                raise UnknownDebate(f"there is no debate {debate_id!r} in {self.path}")
        events: list[Event] = []
        head = before.hash.hex() if before else GENESIS
        for row in rows:
            events.append(self._event(row, debate_id, head))
            head = events[-1].hash
        return tuple(events)

    def find(self, debate_id: str, key: str) -> Event | None:
        with self._reading() as db:
            row = db.execute(_OF_KEY, {"debate": debate_id, "key": key}).first()
            before = db.execute(_AT, {"debate": debate_id, "after": row.seq - 1}).first() if row else None
        return self._event(row, debate_id, before.hash.hex() if before else GENESIS) if row else None

    def _event(self, row: sa.Row[Any], debate_id: str, prev_hash: str) -> Event:
        try:
            body = read_body(row.kind, row.body)
        except BrokenRecord as error:
            raise BrokenRecord(f"event {row.seq} of {debate_id} in {self.path}: {error}", row.seq) from None
        return Event(
            debate_id, row.seq, row.at, row.actor, row.kind, row.key, body, row.body, prev_hash, row.hash.hex()
        )

    def append(self, debate_id: str, events: Sequence[Event], *, after: int, lease: Lease | None = None) -> None:
        if not events:
            return
        with self._writing() if lease is None else self._running() as db:
            last = db.execute(_LATEST, {"debate": debate_id}).first()
            if after and last is None:
                raise UnknownDebate(f"there is no debate {debate_id!r} in {self.path}")
            if lease is not None and last is not None:
                _refuse_fenced(last, lease)
            version = last.seq if last else 0
            if version != after:
                raise Conflict(f"{debate_id} is at event {version}, not {after}: somebody else was first")
            refuse_misfit(debate_id, events, after, last.hash.hex() if last else GENESIS)
            number = last.debate if last else db.execute(_DEBATES.insert(), {"id": debate_id}).lastrowid
            try:
                db.execute(_INSERT, [_row(event, number) for event in events])
            except sa.exc.IntegrityError:
                keys = ", ".join(e.key for e in events)
                raise Conflict(f"{debate_id} has one of these already: {keys}; somebody else was first") from None

    def debates(self) -> Mapping[str, int]:
        columns, all_events = _EVENTS.c, _EVENTS.alias()
        version = (
            sa.select(sa.func.max(all_events.c.seq)).where(all_events.c.debate == columns.debate).scalar_subquery()
        )
        opened = sa.select(_DEBATES.c.id, version).join_from(_DEBATES, _EVENTS, columns.debate == _DEBATES.c.number)
        with self._reading() as db:
            rows = db.execute(opened.where(columns.seq == 1).order_by(columns.at.desc(), columns.id.desc())).all()
        return {row[0]: row[1] for row in rows}

    def acquire(self, debate_id: str, owner: str, *, ttl_s: float) -> Lease:
        with self._running() as db:
            holder = db.execute(_HOLDER, {"debate": debate_id}).first()
            now_s = time.time()
            if holder and holder.until_s > now_s and not is_dead(holder.owner):
                raise Leased(f"{debate_id} is being run by {holder.owner}: wait, or stop that one")
            lease = Lease(debate_id, owner, holder.fence + 1 if holder else 1)
            values = {"owner": owner, "fence": lease.fence, "until_s": now_s + ttl_s}
            if holder:
                db.execute(_LEASES.update().where(_LEASES.c.debate == debate_id).values(values))
            else:
                db.execute(_LEASES.insert().values(debate=debate_id, **values))
        return lease

    def renew(self, lease: Lease, *, ttl_s: float) -> None:
        with self._running() as db:
            _refuse_fenced(db.execute(_HOLDER, {"debate": lease.debate}).one(), lease)
            db.execute(_held_by(lease).values(until_s=time.time() + ttl_s))

    def release(self, lease: Lease) -> None:
        with self._running() as db:
            db.execute(_held_by(lease).values(until_s=0))

    def put_note(self, kind: str, name: str, text: str) -> None:
        with self._writing() as db:
            _put_note(db, kind, name, text)

    def add_note(self, kind: str, name: str, text: str) -> bool:
        with self._writing() as db:
            insert = _NOTES.insert().prefix_with("OR IGNORE")
            return db.execute(insert.values(kind=kind, name=name, text=text, at_ns=time.time_ns())).rowcount == 1

    def change_note(self, kind: str, name: str, change: NoteChange) -> None:
        with self._running() as db:
            text = change(db.execute(_NOTE, {"kind": kind, "name": name}).scalar(), time.time())
            if text is not None:
                _put_note(db, kind, name, text)

    def note(self, kind: str, name: str) -> str | None:
        with self._reading() as db:
            return db.execute(_NOTE, {"kind": kind, "name": name}).scalar()

    def notes(self, kind: str) -> Mapping[str, str]:
        with self._reading() as db:
            wanted = sa.select(_NOTES.c.name, _NOTES.c.text).where(_NOTES.c.kind == kind)
            rows = db.execute(wanted.order_by(_NOTES.c.at_ns.desc())).all()
        return {row.name: row.text for row in rows}

    def drop_note(self, kind: str, name: str) -> None:
        with self._writing() as db:
            db.execute(_NOTES.delete().where(_NOTES.c.kind == kind, _NOTES.c.name == name))

    def secret(self, of: SecretOf) -> str:
        if of == "records":
            return secret_file.read_or_make(self.path.with_name(f"{self.path.name}.key"))
        former = self.note("secret", "door")
        secret = secret_file.read_or_make(self._secret_path, former=former)
        if former is not None:
            self.drop_note("secret", "door")
        return secret

    def renew_secret(self) -> None:
        secret_file.replace(self._secret_path)

    def about(self) -> str:
        return f"SQLite {driver.sqlite_version}, journal mode {journal_mode(driver.sqlite_version)}"

    def close(self) -> None:
        self._engine.dispose()
        self._impatient_writer.dispose()

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        """One transaction that holds the write lock from its start: nothing it read can change under it."""
        with self._in_plain_words(), self._writer.begin() as db:
            yield db

    @contextmanager
    def _running(self) -> Iterator[sa.Connection]:
        """The same for whoever holds a lease, or wants one: Busy rather than a long wait."""
        with self._in_plain_words(), self._impatient_writer.begin() as db:
            yield db

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        """No transaction: each question sees the file as it is, and stands in nobody's way."""
        with self._in_plain_words(), self._engine.connect() as db:
            yield db

    @contextmanager
    def _in_plain_words(self) -> Iterator[None]:
        try:
            yield
        except (sa.exc.DBAPIError, driver.Error) as error:
            why = str(getattr(error, "orig", None) or error)
            if "not a database" in why or "malformed" in why:
                raise BrokenRecord(f"{self.path} is no readable database ({why}): name another file", 0) from None
            kind = Busy if "is locked" in why else Unwritable
            raise kind(f"{self.path} cannot be written or read: {why}") from None


def _make_private(path: Path) -> None:
    """A new folder and a new file are for their owner alone; SQLite gives the files beside it the same rights."""
    try:
        if not path.parent.is_dir():
            path.parent.parent.mkdir(parents=True, exist_ok=True)
            path.parent.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise Unwritable(f"the folder {path.parent} cannot be made: {error.strerror}") from None
    # A file that cannot be opened is told of by SQLite, in the words of all its troubles.
    with suppress(OSError):
        path.touch(mode=secret_file.OWNER_ONLY)


def _prepare(connection: Any, _record: object, *, busy_s: float) -> None:
    """Each new connection: transactions are begun by us, waits are bounded, what is committed survives a power cut.

    Small pages hold events of 1 to 2 kB with the least room left over, and cost no time.
    """
    connection.isolation_level = None
    for setting in (
        "page_size = 512",
        f"busy_timeout = {round(busy_s * 1000)}",
        f"journal_mode = {journal_mode(driver.sqlite_version)}",
        "synchronous = FULL",
    ):
        connection.execute(f"PRAGMA {setting}")


def _begin(db: sa.Connection) -> None:
    if db.get_execution_options().get("writes"):
        db.exec_driver_sql("BEGIN IMMEDIATE")


def _triggers() -> Iterator[str]:
    for table, guard in _GUARDS.items():
        refuse = f"BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END"
        yield f"CREATE TRIGGER {table}_update BEFORE UPDATE ON {table} {refuse}"
        yield f"CREATE TRIGGER {table}_delete BEFORE DELETE ON {table} {refuse}"
        yield f"CREATE TRIGGER {table}_insert BEFORE INSERT ON {table} WHEN {guard} {refuse}"


def _held_by(lease: Lease) -> sa.Update:
    return _LEASES.update().where(_LEASES.c.debate == lease.debate, _LEASES.c.fence == lease.fence)


def _refuse_fenced(holder: sa.Row[Any], lease: Lease) -> None:
    if holder.fence != lease.fence:
        raise Leased(f"{lease.debate} was taken over by {holder.owner}")


def _put_note(db: sa.Connection, kind: str, name: str, text: str) -> None:
    db.execute(_NOTES.delete().where(_NOTED), {"kind": kind, "name": name})
    db.execute(_NOTES.insert().values(kind=kind, name=name, text=text, at_ns=time.time_ns()))


def _row(event: Event, number: int) -> dict[str, object]:
    return {
        "debate": number,
        "seq": event.seq,
        "at": event.at,
        "actor": event.actor,
        "kind": event.kind,
        "key": event.key,
        "body": event.body_json,
        "hash": bytes.fromhex(event.hash),
    }
