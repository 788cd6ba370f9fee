"""Stores events in tables: the tables, statements and their order for every store on SQLAlchemy Core.

The body is kept as the hashed text; prev_hash is the hash of the row before. Knows no rules; `sqlite.py` and
`postgres.py` handle connections and waiting.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

import sqlalchemy as sa

from debate_core.errors import BrokenRecord, Conflict, Leased, UnknownDebate
from debate_core.host.stores import Continue, Lease, Note, NoteChange, refuse_fenced, refuse_late, refuse_misfit
from debate_core.host.stores.owner import is_dead
from debate_core.record.events import GENESIS, Event, read_body

REVISION = 2
"""Number of the last step in `migrations`; a PostgreSQL database needs it before use.

SQLite files use `sqlite.SCHEMA`, which grows only with steps that change a file.
"""
BUSY_S = 30.0
"""Waiting time of people and pages for other writers."""
LEASED_BUSY_S = 0.5
"""The same for runners: many debates share a thread, and a lease lasts only seconds."""

# Order by bytes, independent of the collation of a PostgreSQL database.
_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_LONG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

TABLES = sa.MetaData()
_DEBATES = sa.Table(
    "debates",
    TABLES,
    sa.Column("number", sa.Integer, sa.Identity(always=True), primary_key=True),
    sa.Column("id", _TEXT, nullable=False, unique=True),
)
_EVENTS = sa.Table(
    "events",
    TABLES,
    sa.Column("id", _LONG, sa.Identity(always=True), primary_key=True),
    # The number, not the id: it is stored three times per event (here and in two indexes).
    sa.Column("debate", sa.Integer, nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("at", _TEXT, nullable=False),
    sa.Column("actor", _TEXT, nullable=False),
    sa.Column("kind", _TEXT, nullable=False),
    sa.Column("key", _TEXT, nullable=False),
    sa.Column("body", _TEXT, nullable=False),
    sa.Column("hash", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("debate", "seq"),
    sa.UniqueConstraint("debate", "key"),
)
_LEASES = sa.Table(
    "leases",
    TABLES,
    sa.Column("debate", _TEXT, primary_key=True),
    sa.Column("owner", _TEXT, nullable=False),
    sa.Column("fence", sa.Integer, nullable=False),
    sa.Column("until_s", sa.Float, nullable=False),
    sqlite_with_rowid=False,
)
# Named `papers` in existing stores, from when notes had that name.
_NOTES = sa.Table(
    "papers",
    TABLES,
    sa.Column("kind", _TEXT, primary_key=True),
    sa.Column("name", _TEXT, primary_key=True),
    sa.Column("text", _TEXT, nullable=False),
    sa.Column("at_ns", _LONG, nullable=False),
    sqlite_with_rowid=False,
)
ALEMBIC_VERSION = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""Alembic's table with the number of the last step."""

# Built once: building the statements costs more than running them.
_OF_DEBATE = _DEBATES.c.id == sa.bindparam("debate")
_ROWS = sa.select(_EVENTS).join(_DEBATES, _DEBATES.c.number == _EVENTS.c.debate).where(_OF_DEBATE)
_HASHES = _ROWS.with_only_columns(_EVENTS.c.debate, _EVENTS.c.seq, _EVENTS.c.hash)
_LATEST = (
    _HASHES.add_columns(_LEASES.c.fence, _LEASES.c.owner)
    .outerjoin(_LEASES, _LEASES.c.debate == _DEBATES.c.id)
    .order_by(_EVENTS.c.seq.desc())
    .limit(1)
)
_AFTER = _ROWS.where(_EVENTS.c.seq > sa.bindparam("after")).order_by(_EVENTS.c.seq)
_FROM = _ROWS.where(_EVENTS.c.seq >= sa.bindparam("after")).order_by(_EVENTS.c.seq)
HASH_AT = _HASHES.where(_EVENTS.c.seq == sa.bindparam("after"))
_OF_KEY = _ROWS.where(_EVENTS.c.key == sa.bindparam("key"))
_INSERT_EVENTS = _EVENTS.insert()
_ALL_EVENTS = _EVENTS.alias()
_VERSION = sa.select(sa.func.max(_ALL_EVENTS.c.seq)).where(_ALL_EVENTS.c.debate == _DEBATES.c.number)
_VERSIONS = sa.select(_DEBATES.c.id, _VERSION.scalar_subquery())
_NOTE = sa.select(_NOTES.c.text).where(_NOTES.c.kind == sa.bindparam("kind"), _NOTES.c.name == sa.bindparam("name"))


TRIAL = "x" * 65_536
"""Large enough to reach the disk before the transaction ends."""


class _Undone(Exception):
    """Rolls back a transaction."""


class SqlStore:
    """A `Store` in tables. A subclass opens connections, provides the time and translates errors."""

    where: str
    """Describes the location of the database, never with a password."""
    _insert_into: Callable[[sa.Table], Any]
    """The database's insert, which supports ON CONFLICT."""

    _reader: sa.Engine
    """Without transactions: it blocks no one and sees each committed change."""
    _writer: sa.Engine
    _impatient_writer: sa.Engine
    """For runners: Busy instead of a long wait."""
    _trial_writer: sa.Engine
    """For transactions to be rolled back: gives up soon and notices a full disk before their end."""

    def _in_plain_words(self) -> AbstractContextManager[None]:
        """Translate database errors into ours."""
        raise NotImplementedError

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        with self._in_plain_words(), self._reader.connect() as db:
            yield db

    @contextmanager
    def _begin(self, engine: sa.Engine) -> Iterator[sa.Connection]:
        with self._in_plain_words(), engine.begin() as db:
            yield db

    def _writing(self) -> AbstractContextManager[sa.Connection]:
        return self._begin(self._writer)

    def _writing_impatiently(self) -> AbstractContextManager[sa.Connection]:
        return self._begin(self._impatient_writer)

    def _refuse_other_version(self, db: sa.Connection) -> None:
        """Raise NotMigrated or NewerRecord if the tables are of another version."""
        raise NotImplementedError

    def check(self) -> None:
        with suppress(_Undone), self._begin(self._trial_writer) as db:
            self._refuse_other_version(db)
            self._put_notes(db, "trial", {"written": TRIAL})
            raise _Undone

    def _lock(self, db: sa.Connection, what: str) -> None:
        """Lock this debate or note until the transaction ends."""
        raise NotImplementedError

    def _now_s(self) -> sa.ColumnElement[float]:
        """Seconds since 1970 by the clock that all processes of the database share."""
        raise NotImplementedError

    def _now_ns(self) -> sa.ColumnElement[int]:
        """The same in nanoseconds."""
        raise NotImplementedError

    def load(self, debate_id: str, after: int = 0) -> tuple[Event, ...]:
        which = {"debate": debate_id, "after": after}
        # Three reads agree without a transaction, because recorded events never change.
        with self._reading() as db:
            rows = db.execute(_AFTER, which).all()
            before = db.execute(HASH_AT, which).first() if after else None
            if not rows and before is None and db.execute(_LATEST, which).first() is None:
                raise self._unknown(debate_id)
        return self._read_events(rows, debate_id, before.hash.hex() if before else GENESIS)

    def _read_events(self, rows: Sequence[sa.Row[Any]], debate_id: str, head: str) -> tuple[Event, ...]:
        """`head`: the hash of the event before them."""
        events: list[Event] = []
        for row in rows:
            events.append(self._read_event(row, debate_id, head))
            head = events[-1].hash
        return tuple(events)

    def _unknown(self, debate_id: str) -> UnknownDebate:
        return UnknownDebate("there is no debate {debate_id!r} in {where}", debate_id=debate_id, where=self.where)

    def find(self, debate_id: str, key: str) -> Event | None:
        with self._reading() as db:
            row = db.execute(_OF_KEY, {"debate": debate_id, "key": key}).first()
            before = db.execute(HASH_AT, {"debate": debate_id, "after": row.seq - 1}).first() if row else None
        return self._read_event(row, debate_id, before.hash.hex() if before else GENESIS) if row else None

    def _read_event(self, row: Sequence[Any], debate_id: str, prev_hash: str) -> Event:
        # Unpacked, because each attribute of a row is a slow look-up.
        _, _, seq, at, actor, kind, key, body_json, digest = row
        try:
            body = read_body(kind, body_json)
        except BrokenRecord as error:
            raise BrokenRecord(
                "event {seq} of {debate_id} in {where}: {error}",
                seq,
                seq=seq,
                debate_id=debate_id,
                where=self.where,
                error=error.sentence,
            ) from None
        return Event(debate_id, seq, at, actor, kind, key, body, body_json, prev_hash, digest.hex())

    def append(self, debate_id: str, events: Sequence[Event], *, after: int, lease: Lease | None = None) -> None:
        if not events:
            return
        transaction = self._writing() if lease is None else self._writing_impatiently()
        with transaction as db:
            self._lock(db, debate_id)
            latest = db.execute(_LATEST, {"debate": debate_id}).first()
            if latest is None:
                if after:
                    raise self._unknown(debate_id)
                if lease is not None:
                    refuse_fenced(lease, _load_lease(db, debate_id))
                refuse_misfit(debate_id, events, after, GENESIS)
                inserted = db.execute(_DEBATES.insert(), {"id": debate_id})
                assert inserted.inserted_primary_key is not None
                number = int(inserted.inserted_primary_key[0])
            else:
                if lease is not None:
                    refuse_fenced(lease, _read_lease(latest, debate_id))
                refuse_late(debate_id, latest.seq, after)
                refuse_misfit(debate_id, events, after, latest.hash.hex())
                number = latest.debate
            _insert_events(db, debate_id, events, number)

    def extend(self, debate_id: str, following: Continue, *, after: int) -> tuple[Event, ...]:
        which = {"debate": debate_id, "after": after}
        with self._writing() as db:
            self._lock(db, debate_id)
            rows = db.execute(_FROM, which).all()
            if not rows:
                latest = db.execute(_LATEST, which).first()
                if latest is None:
                    raise self._unknown(debate_id)
                refuse_late(debate_id, latest.seq, after)
            known = rows[: min(after, 1)]
            newer = self._read_events(rows[len(known) :], debate_id, known[0].hash.hex() if known else GENESIS)
            events = following(newer)
            if events:
                refuse_misfit(debate_id, events, rows[-1].seq, rows[-1].hash.hex())
                _insert_events(db, debate_id, events, rows[-1].debate)
        return (*newer, *events)

    def debates(self) -> Mapping[str, int]:
        columns = _EVENTS.c
        opened = _VERSIONS.join(_EVENTS, columns.debate == _DEBATES.c.number).where(columns.seq == 1)
        with self._reading() as db:
            rows = db.execute(opened.order_by(columns.at.desc(), columns.id.desc())).all()
        return {row[0]: row[1] for row in rows}

    def versions(self) -> Mapping[str, int]:
        with self._reading() as db:
            rows = db.execute(_VERSIONS.order_by(_DEBATES.c.number.desc())).all()
        return {row[0]: row[1] for row in rows}

    def debates_without(self, key: str) -> frozenset[str]:
        of_key = sa.exists().where(_EVENTS.c.debate == _DEBATES.c.number, _EVENTS.c.key == key)
        with self._reading() as db:
            return frozenset(db.execute(sa.select(_DEBATES.c.id).where(~of_key)).scalars())

    def acquire(self, debate_id: str, owner: str, *, ttl_s: float) -> Lease:
        now_s = self._now_s()
        with self._writing_impatiently() as db:
            self._lock(db, debate_id)
            free_in_s = (_LEASES.c.until_s - now_s).label("free_in_s")
            holder = db.execute(sa.select(_LEASES, free_in_s).where(_LEASES.c.debate == debate_id)).first()
            if holder and holder.free_in_s > 0 and not is_dead(holder.owner):
                raise Leased(
                    "{debate_id} is being run by {owner}: wait, or stop that one",
                    debate_id=debate_id,
                    owner=holder.owner,
                    free_in_s=holder.free_in_s,
                )
            lease = Lease(debate_id, owner, holder.fence + 1 if holder else 1)
            values = {"owner": owner, "fence": lease.fence, "until_s": now_s + ttl_s}
            if holder:
                db.execute(_LEASES.update().where(_LEASES.c.debate == debate_id).values(values))
            else:
                db.execute(_LEASES.insert().values(debate=debate_id, **values))
        return lease

    def renew(self, lease: Lease, *, ttl_s: float) -> None:
        with self._writing_impatiently() as db:
            if db.execute(_update_held(lease).values(until_s=self._now_s() + ttl_s)).rowcount == 0:
                refuse_fenced(lease, _load_lease(db, lease.debate))

    def release(self, lease: Lease) -> None:
        with self._writing_impatiently() as db:
            db.execute(_update_held(lease).values(until_s=0))

    def put_note(self, kind: str, name: str, text: str) -> None:
        with self._writing() as db:
            self._put_notes(db, kind, {name: text})

    def put_notes(self, kind: str, texts: Mapping[str, str]) -> None:
        with self._writing_impatiently() as db:
            self._put_notes(db, kind, texts)

    def _put_notes(self, db: sa.Connection, kind: str, texts: Mapping[str, str]) -> None:
        insert = self._insert_into(_NOTES).values(
            kind=kind, name=sa.bindparam("name"), text=sa.bindparam("text"), at_ns=self._now_ns()
        )
        new = {"text": insert.excluded.text, "at_ns": insert.excluded.at_ns}
        upsert = insert.on_conflict_do_update(index_elements=["kind", "name"], set_=new)
        # In one order, so that two processes never wait for each other.
        db.execute(upsert, [{"name": name, "text": texts[name]} for name in sorted(texts)])

    def add_note(self, kind: str, name: str, text: str) -> bool:
        insert = self._insert_into(_NOTES).values(kind=kind, name=name, text=text, at_ns=self._now_ns())
        with self._writing() as db:
            added = db.execute(insert.on_conflict_do_nothing(), execution_options={"preserve_rowcount": True})
            return added.rowcount == 1

    def change_note(self, kind: str, name: str, change: NoteChange) -> None:
        with self._writing_impatiently() as db:
            self._lock(db, f"{kind} {name}")
            asked = sa.select(_NOTE.scalar_subquery(), self._now_s())
            text = change(*db.execute(asked, {"kind": kind, "name": name}).one())
            if text is not None:
                self._put_notes(db, kind, {name: text})

    def note(self, kind: str, name: str) -> str | None:
        with self._reading() as db:
            return db.execute(_NOTE, {"kind": kind, "name": name}).scalar()

    def notes(self, kind: str) -> Mapping[str, str]:
        with self._reading() as db:
            wanted = sa.select(_NOTES.c.name, _NOTES.c.text).where(_NOTES.c.kind == kind)
            rows = db.execute(wanted.order_by(_NOTES.c.at_ns.desc())).all()
        return {row.name: row.text for row in rows}

    def all_notes(self) -> tuple[Note, ...]:
        with self._reading() as db:
            rows = db.execute(sa.select(_NOTES).order_by(_NOTES.c.at_ns, _NOTES.c.kind, _NOTES.c.name)).all()
        return tuple(Note(row.kind, row.name, row.text) for row in rows)

    def drop_note(self, kind: str, name: str) -> None:
        with self._writing() as db:
            db.execute(_NOTES.delete().where(_NOTES.c.kind == kind, _NOTES.c.name == name))


def _update_held(lease: Lease) -> sa.Update:
    return _LEASES.update().where(_LEASES.c.debate == lease.debate, _LEASES.c.fence == lease.fence)


def _load_lease(db: sa.Connection, debate_id: str) -> Lease | None:
    row = db.execute(sa.select(_LEASES).where(_LEASES.c.debate == debate_id)).first()
    return None if row is None else _read_lease(row, debate_id)


def _read_lease(row: sa.Row[Any], debate_id: str) -> Lease | None:
    """The lease in a row; None for a joined row without one."""
    return None if row.fence is None else Lease(debate_id, row.owner, row.fence)


def _insert_events(db: sa.Connection, debate_id: str, events: Sequence[Event], number: int) -> None:
    try:
        db.execute(_INSERT_EVENTS, [_make_row(event, number) for event in events])
    except sa.exc.IntegrityError:
        keys = ", ".join(event.key for event in events)
        raise Conflict(
            "{debate_id} has one of these already: {keys}; someone else was first",
            debate_id=debate_id,
            keys=keys,
        ) from None


def _make_row(event: Event, number: int) -> dict[str, object]:
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
