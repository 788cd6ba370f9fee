"""Append-only event stores with one interface; tests/contracts asks all of them the same questions.

A store keeps events, the lease of a debate's only runner, and notes (drafts, scripts) outside of any record. It knows
no rules.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal, NamedTuple, Protocol

from debate_core.errors import BrokenRecord, Conflict, InvalidSpec, Leased
from debate_core.record.events import Event

POSTGRES = "postgresql+psycopg://"
SecretOf = Literal["links", "records"]
NoteChange = Callable[[str | None, float], str | None]
"""Maps a note (None = missing) and the time to the new note (None = unchanged).

The time is seconds since 1970 by the clock of the store, which all processes share.
"""
Continue = Callable[[Sequence[Event]], Sequence[Event]]
"""Maps the events that others appended to the events that follow them (empty = nothing)."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to run one debate. `fence` grows with every holder; an append with an older one is refused."""

    debate: str
    owner: str
    fence: int


class Note(NamedTuple):
    """A note beside the records."""

    kind: str
    name: str
    text: str


class Appended(NamedTuple):
    """The event with this number was appended to this debate."""

    debate: str
    seq: int


OnNews = Callable[[Appended | None], object]
"""Receives appended events, of this process, too. None = events may have been missed."""


class Store(Protocol):
    """A synchronous, thread-safe store; every append is one durable transaction.

    Operations on leases and changes of notes wait only briefly for other writers, then raise Busy, because a runner has
    other debates to run.
    """

    @property
    def keeps_secrets(self) -> bool:
        """False if several machines share the store: then each of them needs the signing keys as settings."""

    def load(self, debate_id: str, after: int = 0) -> tuple[Event, ...]:
        """Events with seq > after, in order. UnknownDebate if there is no such debate."""

    def find(self, debate_id: str, key: str) -> Event | None:
        """The event with this key (`open`, `closed`, ...), or None; much faster than `load`."""

    def append(self, debate_id: str, events: Sequence[Event], *, after: int, lease: Lease | None = None) -> None:
        """Append events after version `after`. Conflict if the version moved or a key exists; Leased as in `renew`."""

    def extend(self, debate_id: str, following: Continue, *, after: int) -> tuple[Event, ...]:
        """Append what `following` makes of the events after version `after`; returns both, in order.

        No one else writes to the debate between reading and appending. `following` is short, does not use the store,
        and may be called again after a lost connection; its exception changes nothing. UnknownDebate if there is no
        such debate.
        """

    def debates(self) -> Mapping[str, int]:
        """Version (number of events) of every debate by id, latest opened first."""

    def versions(self) -> Mapping[str, int]:
        """The same, latest added to the store first, which takes a quarter of the time."""

    def debates_without(self, key: str) -> frozenset[str]:
        """Debates without an event of this key."""

    def acquire(self, debate_id: str, owner: str, *, ttl_s: float) -> Lease:
        """Take the lease. Leased if a living process holds it; an expired or dead owner is replaced."""

    def renew(self, lease: Lease, *, ttl_s: float) -> None:
        """Renew the lease. Leased if it was taken over or deleted."""

    def release(self, lease: Lease) -> None:
        """Release the lease; no error if it is no longer held."""

    def put_note(self, kind: str, name: str, text: str) -> None:
        """Store or replace a note (kind: draft, script, setup, ...)."""

    def put_notes(self, kind: str, texts: Mapping[str, str]) -> None:
        """Store or replace notes of a kind, text by name, in one transaction. Busy after a short wait for others."""

    def add_note(self, kind: str, name: str, text: str) -> bool:
        """Store a note unless its name exists; True for the first of several writers."""

    def change_note(self, kind: str, name: str, change: NoteChange) -> None:
        """Change a note atomically: no one else writes between reading and storing it.

        `change` is short, does not use the store, and may be called again after a failed write.
        """

    def note(self, kind: str, name: str) -> str | None:
        """The note of this kind and name, or None."""

    def notes(self, kind: str) -> Mapping[str, str]:
        """Text by name of all notes of a kind, latest first."""

    def all_notes(self) -> Sequence[Note]:
        """All notes, latest last."""

    def drop_note(self, kind: str, name: str) -> None:
        """Delete a note; no error if there is none."""

    def secret(self, of: SecretOf) -> str:
        """The key that signs links and cookies, or records: 64 hexadecimal digits, shared by all processes of the
        store.

        Created on first use. InvalidSpec if the store keeps none.
        """

    def renew_secret(self) -> None:
        """Replace the key of the links; all earlier signatures become invalid."""

    def follow(self, heard: OnNews) -> bool:
        """Call `heard` for appended events, on another thread, until the store is closed.

        False if this store cannot: then callers have to poll.
        """

    def check(self) -> None:
        """Read the version of the tables, then write and delete a note. Short even with other writers.

        NotMigrated or NewerRecord for tables of another version; Unwritable and its subclasses if reading or writing
        fails.
        """

    def about(self) -> str:
        """Describe the store for the operator."""

    def close(self) -> None:
        """Close files and connections."""


def refuse_fenced(lease: Lease, kept: Lease | None) -> None:
    """Raise Leased unless this is the stored lease of the debate (None = none is stored)."""
    if kept is None:
        raise Leased("no process holds {debate}: its lease is not stored here", debate=lease.debate)
    if kept.fence != lease.fence:
        raise Leased("{debate} was taken over by {owner}", debate=lease.debate, owner=kept.owner)


def refuse_late(debate_id: str, version: int, after: int) -> None:
    """Raise Conflict unless the record is at this version."""
    if version != after:
        raise Conflict(
            "{debate_id} is at event {version}, not {after}: someone else was first",
            debate_id=debate_id,
            version=version,
            after=after,
        )


def refuse_misfit(debate_id: str, events: Sequence[Event], after: int, head: str) -> None:
    """Raise BrokenRecord if these events do not continue the chain of this debate."""
    for seq, event in enumerate(events, start=after + 1):
        if (event.debate, event.seq, event.prev_hash) != (debate_id, seq, head):
            raise BrokenRecord(
                "event {seq} of {debate} is not the next one of {debate_id}",
                seq,
                seq=event.seq,
                debate=event.debate,
                debate_id=debate_id,
            )
        head = event.hash


def open_store(url: str) -> Store:
    """Open the store at a URL; creates a missing SQLite file. InvalidSpec names the allowed forms.

    Unwritable, BrokenRecord, NotMigrated or NewerRecord if it cannot be used: all checks come before any event.
    """
    if url.startswith(POSTGRES):
        refuse_without_packages()
        from debate_core.host.stores.postgres import PostgresStore

        return PostgresStore(url)
    path = url.removeprefix("sqlite:///")
    if path == url or path in ("", ":memory:") or "?" in path:
        raise InvalidSpec(
            "the database {url!r} is not one: write sqlite:///FILE, "
            "sqlite:////ABSOLUTE/FILE or postgresql+psycopg://USER@HOST/NAME",
            url=without_password(url),
        )
    from debate_core.host.stores.sqlite import SqliteStore  # the database library loads only when it is used

    return SqliteStore(path)


def refuse_without_packages() -> None:
    """Raise InvalidSpec if packages for a server are missing."""
    missing = [name for name in ("psycopg", "alembic", "procrastinate") if find_spec(name) is None]
    if missing:
        raise InvalidSpec(
            "{missing} is not installed: run `make server`, or install requirements-server.txt",
            missing=" and ".join(missing),
        )


def without_password(url: str) -> str:
    """The URL of a database for display."""
    if url.startswith("sqlite:"):
        return url
    return re.sub(r"(?<=://).*@|(?<=password=)[^&]*", "***@", url)
