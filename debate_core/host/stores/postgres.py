"""Stores events in a PostgreSQL database that several machines can share; opened through `stores.open_store`.

Append-only by triggers and by the rights of the role; leases use the clock of the database. `migrate` makes the tables,
never this module. A separate thread listens for events that others append. Knows no rules.
"""

import logging
import re
import selectors
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any

import psycopg
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from debate_core.errors import (
    BrokenRecord,
    Busy,
    DebateError,
    DiskFault,
    InvalidSpec,
    NewerRecord,
    NotMigrated,
    StoreError,
    UnknownDebate,
    Unwritable,
)
from debate_core.host.stores import Appended, Continue, Lease, OnNews, SecretOf
from debate_core.host.stores.sql import ALEMBIC_VERSION, BUSY_S, HASH_AT, LEASED_BUSY_S, REVISION, SqlStore
from debate_core.record.events import Event
from debate_core.sentence import Sentence

CHANNEL = "debate_events"
"""The trigger of the table `events` sends `ID SEQ` of each committed event here."""
FIRST_RETRY_S, LAST_RETRY_S = 0.2, 5.0
"""Waiting time before reconnecting, doubled with each try."""


log = logging.getLogger(__name__)
ANSWER_S = 60.0
"""Statement timeout."""
IDLE_S = 5.0
"""Timeout of an idle transaction: a process stopped within one must not block other writers."""
POOL, MORE = 5, 10
"""Pooled connections for people and pages, and how many more may open at once."""
RUNNER_POOL, RUNNER_MORE = 1, 3
"""The same for the thread that runs debates, and for tools."""
LOCKS = 0x64656261
"""First number of our advisory locks, distinct from those of other programs."""
REACHED_WITHIN: dict[str, Any] = {
    "connect_timeout": 5,
    # Detect a silently lost server within half a minute.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
    "client_encoding": "utf8",
    "application_name": "debate_core",
}
NO_SECRET = {
    "links": "DEBATE_SECRET (32 characters or more), which signs links and cookies",
    "records": "DEBATE_SIGNING_KEY (64 hexadecimal digits), which signs records",
}
_NEEDED = {
    **dict.fromkeys(("debates", "events"), ("SELECT", "INSERT")),
    **dict.fromkeys(
        ("leases", "papers", "live_texts", "procrastinate_jobs", "procrastinate_workers", "procrastinate_events"),
        ("SELECT", "INSERT", "UPDATE", "DELETE"),
    ),
}
"""Rights that the app's role needs; it cannot change recorded events."""
_BUSY = ("55P03", "57014", "40P01", "40001", "53300", "25P04")
"""SQLSTATEs of lock and statement timeouts, deadlocks and overload: retrying helps."""


class _Lost(Busy):
    """The connection was lost; it is unknown whether the write succeeded."""


class PostgresStore(SqlStore):
    """A `Store` in the database at a `postgresql+psycopg://` URL, whose tables `migrate` has made."""

    keeps_secrets = False
    _insert_into = staticmethod(insert)

    def __init__(self, url: str) -> None:
        self._url = read_url(url)
        self.where = place_of(self._url)
        self._writer = connecting(self._url, BUSY_S, POOL, MORE)
        self._reader = self._writer.execution_options(isolation_level="AUTOCOMMIT")
        self._impatient_writer = connecting(self._url, LEASED_BUSY_S, RUNNER_POOL, RUNNER_MORE)
        self._trial_writer = self._impatient_writer
        self._unreachable: type[Unwritable] = Unwritable
        self._news = NewsLine(partial(connect, self._url), self.where)
        try:
            with self._reading() as db:
                self._version = db.exec_driver_sql("SHOW server_version").scalar_one().split(" ")[0]
                _refuse_other_schema(db, self.where)
                _refuse_without_rights(db, self.where)
        except DebateError:
            self.close()
            raise
        # The server was reachable, so retrying helps.
        self._unreachable = Busy

    def append(self, debate_id: str, events: Sequence[Event], *, after: int, lease: Lease | None = None) -> None:
        try:
            super().append(debate_id, events, after=after, lease=lease)
        except _Lost:
            # Lost during or after the commit: only the database knows.
            transaction = self._writing() if lease is None else self._writing_impatiently()
            if not self._has(debate_id, events[-1], transaction):
                super().append(debate_id, events, after=after, lease=lease)

    def extend(self, debate_id: str, following: Continue, *, after: int) -> tuple[Event, ...]:
        written: tuple[Event, ...] = ()

        def noted(newer: Sequence[Event]) -> Sequence[Event]:
            nonlocal written
            events = following(newer)
            written = (*newer, *events)
            return events

        try:
            return super().extend(debate_id, noted, after=after)
        except _Lost:
            if written and self._has(debate_id, written[-1], self._writing()):
                return written
            return super().extend(debate_id, following, after=after)

    def _has(self, debate_id: str, event: Event, transaction: AbstractContextManager[sa.Connection]) -> bool:
        """True if this event is stored, after other writers of the debate have finished."""
        with transaction as db:
            self._lock(db, debate_id)
            kept = db.execute(HASH_AT, {"debate": debate_id, "after": event.seq}).first()
        return kept is not None and kept.hash.hex() == event.hash

    def secret(self, of: SecretOf) -> str:
        raise InvalidSpec(
            "{where} keeps no keys, for several machines share it: set {names}",
            where=self.where,
            names=NO_SECRET[of],
        )

    def renew_secret(self) -> None:
        self.secret("links")

    def follow(self, heard: OnNews) -> bool:
        self._news.follow(heard)
        return True

    def about(self) -> str:
        return f"PostgreSQL {self._version}"

    def close(self) -> None:
        self._news.close()
        self._writer.dispose()
        self._impatient_writer.dispose()

    def _refuse_other_version(self, db: sa.Connection) -> None:
        _refuse_other_schema(db, self.where)

    def _in_plain_words(self) -> AbstractContextManager[None]:
        return in_plain_words(self.where, self._unreachable)

    def _lock(self, db: sa.Connection, what: str) -> None:
        db.execute(_LOCK, {"what": what})

    def _now_s(self) -> sa.ColumnElement[float]:
        return sa.cast(_NOW, sa.Double)

    def _now_ns(self) -> sa.ColumnElement[int]:
        return sa.cast(_NOW * 1_000_000_000, sa.BigInteger)


_NOW = sa.extract("epoch", sa.func.clock_timestamp())
_LOCK = sa.select(sa.func.pg_advisory_xact_lock(LOCKS, sa.func.hashtext(sa.bindparam("what"))))


def read_url(url: str) -> sa.URL:
    """Parse the URL of a PostgreSQL database; InvalidSpec, without the password, if it is malformed."""
    try:
        read = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        read = None
    if read is None or not read.database:
        raise InvalidSpec("the address of the database is not one: write postgresql+psycopg://USER@HOST/NAME")
    return read


def place_of(url: sa.URL) -> str:
    """Describe the database by user, host and name, never with a password."""
    asked = url.query.get("host", "") or url.host or "localhost"
    host = asked if isinstance(asked, str) else ",".join(asked)
    port = f":{url.port}" if url.port else ""
    user = f" as {url.username}" if url.username else ""
    return f"the PostgreSQL database {url.database} at {host}{port}{user}"


def connecting(url: sa.URL, busy_s: float, pool: int, more: int) -> sa.Engine:
    """A bounded connection pool that waits `busy_s` for other writers and for a free connection."""
    engine = sa.create_engine(
        url,
        connect_args={name: value for name, value in REACHED_WITHIN.items() if name not in url.query},
        # Appends depend on it: after waiting for a lock they see what others have committed.
        isolation_level="READ COMMITTED",
        pool_size=pool,
        max_overflow=more,
        pool_timeout=busy_s,
        # Detect connections that a restart or a firewall closed while idle.
        pool_pre_ping=True,
    )
    sa.event.listen(engine, "connect", partial(_prepare, busy_s=busy_s))
    return engine


def connect(url: sa.URL) -> psycopg.Connection[Any]:
    """One connection outside of any pool, without transactions."""
    asked = {name: value for name, value in REACHED_WITHIN.items() if name not in url.query}
    return psycopg.connect(plain_url(url), autocommit=True, **asked)


def plain_url(url: sa.URL) -> str:
    """The URL for PostgreSQL's own programs, including the password."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def _prepare(connection: Any, _record: object, *, busy_s: float) -> None:
    """Set timeouts on each new connection, and durable commits even if the server's default differs."""
    limits = {
        "lock_timeout": busy_s,
        "statement_timeout": ANSWER_S,
        "idle_in_transaction_session_timeout": IDLE_S,
    }
    settings = [f"set_config('{name}', '{round(seconds * 1000)}', false)" for name, seconds in limits.items()]
    durable = "CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false)"
    connection.autocommit = True
    connection.execute(f"SELECT {', '.join(settings)}, {durable} END")
    connection.autocommit = False


def _refuse_other_schema(db: sa.Connection, where: str) -> None:
    has_tables = db.execute(sa.select(sa.func.to_regclass(ALEMBIC_VERSION.name))).scalar() is not None
    kept = db.execute(sa.select(ALEMBIC_VERSION.c.version_num)).scalar() if has_tables else None
    if kept is not None and not kept.isdecimal():
        raise BrokenRecord("{where} is a database of another program: name another one", 0, where=where)
    if kept is None:
        raise NotMigrated(
            "{where} has no tables of debates yet: their owner runs `python -m debate_core migrate`", where=where
        )
    if int(kept) < REVISION:
        raise NotMigrated(
            "{where} is of an older version (schema {kept}, known: {known}): the owner of its "
            "tables runs `python -m debate_core migrate`",
            where=where,
            kept=kept,
            known=REVISION,
        )
    if int(kept) > REVISION:
        raise NewerRecord(
            "{where} is of a newer version (schema {kept}, known: {known}): update this program",
            where=where,
            kept=kept,
            known=REVISION,
        )


def _refuse_without_rights(db: sa.Connection, where: str) -> None:
    """Check all rights before any event, as for a file."""
    asked = [(table, right) for table, rights in _NEEDED.items() for right in rights]
    answers = db.execute(sa.select(*(sa.func.has_table_privilege(table, right) for table, right in asked))).one()
    missing = [f"{right} on {table}" for (table, right), may in zip(asked, answers, strict=True) if not may]
    if missing:
        raise Unwritable(
            "{where}: this role lacks {missing}; deploy/postgres-role.sql grants what is needed",
            where=where,
            missing=", ".join(missing),
        )


@contextmanager
def in_plain_words(where: str, unreachable: type[Unwritable] = Unwritable) -> Iterator[None]:
    """Translate database errors into ours, in one sentence and without a password."""
    try:
        yield
    except sa.exc.TimeoutError:
        raise Busy("{where}: all connections of this process are in use: try again", where=where) from None
    except sa.exc.DBAPIError as error:
        raise _translate_error(error, where, unreachable) from None


def _translate_error(error: sa.exc.DBAPIError, where: str, unreachable: type[Unwritable]) -> StoreError:
    original = error.orig
    state = getattr(original, "sqlstate", None) or ""
    diagnosis = getattr(original, "diag", None)
    why = _first_line(str((diagnosis and diagnosis.message_primary) or original))
    if isinstance(original, psycopg.DataError) and not state:
        return UnknownDebate("{where} keeps nothing under such a name: {why}", where=where, why=why)
    if error.connection_invalidated or state.startswith(("08", "57P")):
        return _Lost(Sentence("the connection to {where} was lost ({why}): try again", where=where, why=why))
    if isinstance(original, psycopg.OperationalError) and not state:
        return unreachable(Sentence("{where} cannot be reached: {why}", where=where, why=why))
    return _error_of_state(state, where, why)


def _error_of_state(state: str, where: str, why: str) -> StoreError:
    """Map an SQLSTATE to an error."""
    if state in _BUSY:
        return Busy("{where} is busy ({why}): try again", where=where, why=why)
    if state == "53100":
        return DiskFault("{where} has no room left on its disk: {why}", where=where, why=why)
    if state == "42501":
        return Unwritable(
            "{where}: this role may not do that ({why}); deploy/postgres-role.sql grants what is needed",
            where=where,
            why=why,
        )
    return Unwritable("{where} cannot be written or read: {why}", where=where, why=why)


def _first_line(text: str) -> str:
    """The server's message without the place, which the sentence around it names.

    As in `connection failed: connection to server at "127.0.0.1", port 1 failed: Connection refused`, plus a hint
    below.
    """
    said = [line.strip() for line in text.splitlines() if line.strip()] or [text]
    failed = next((line for line in said if "failed:" in line), said[0])
    return re.sub(r"^.*(failed|FATAL|ERROR): +", "", failed)


class NewsLine:
    """Listens for appended events and notifies subscribers; the thread starts with the first one."""

    def __init__(self, connect: Callable[[], "psycopg.Connection[Any]"], where: str) -> None:
        self._connect = connect
        self._where = where
        self._lock = threading.Lock()
        self._heard: tuple[OnNews, ...] = ()
        self._thread: threading.Thread | None = None
        self._ended = threading.Event()
        # Wakes the thread at the end.
        self._bell, self._ear = socket.socketpair()

    def follow(self, heard: OnNews) -> None:
        """Subscribe; `heard` is called on the listening thread, so it must be quick and must not raise."""
        with self._lock:
            self._heard += (heard,)
            if self._thread is None and not self._ended.is_set():
                self._thread = threading.Thread(target=self._listen, name="listening", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Close the connection and end the thread."""
        self._ended.set()
        with self._lock:
            thread, self._thread = self._thread, None
        if self._bell.fileno() >= 0:
            self._bell.close()
        if thread is not None:
            thread.join()
        self._ear.close()

    def _listen(self) -> None:
        retry_s = FIRST_RETRY_S
        while not self._ended.is_set():
            try:
                with self._connect() as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    retry_s = FIRST_RETRY_S
                    # Events before LISTEN were missed.
                    self._notify(None)
                    self._forward(connection)
            except (psycopg.Error, OSError) as error:
                log.warning("%s sends no notifications for now: %s", self._where, type(error).__name__)
                self._ended.wait(retry_s)
                retry_s = min(2 * retry_s, LAST_RETRY_S)

    def _forward(self, connection: "psycopg.Connection[Any]") -> None:
        """Listen until the end or a lost connection (psycopg.Error)."""
        with selectors.DefaultSelector() as sources:
            sources.register(connection, selectors.EVENT_READ)
            sources.register(self._ear, selectors.EVENT_READ)
            while not self._ended.is_set():
                for news in connection.notifies(timeout=0):
                    debate_id, _, seq = news.payload.rpartition(" ")
                    self._notify(Appended(debate_id, int(seq)))
                sources.select()

    def _notify(self, news: Appended | None) -> None:
        for heard in self._heard:
            heard(news)
