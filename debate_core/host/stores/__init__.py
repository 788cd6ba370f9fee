"""Append-only event stores. One interface, the same questions asked of each in tests/contracts.

A store keeps events, the lease of the one runner a debate may have, and loose notes (drafts, scripts) that are
no part of any record. It knows no rules.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal, NamedTuple, Protocol

from debate_core.errors import BrokenRecord, InvalidSpec, Leased
from debate_core.record.events import Event

POSTGRES = "postgresql+psycopg://"
SecretOf = Literal["links", "records"]
NoteChange = Callable[[str | None, float], str | None]
"""From a note as it is (None = there is none), and now, to the note as it shall be (None = as it is).

Now is seconds since 1970 by the clock of the store, which is the same for every process.
"""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to run one debate. `fence` grows with every new holder; an append with an older one is refused."""

    debate: str
    owner: str
    fence: int


class Note(NamedTuple):
    """What a store keeps beside the records."""

    kind: str
    name: str
    text: str


class Appended(NamedTuple):
    """Somebody appended the event of this number to this debate."""

    debate: str
    seq: int


OnNews = Callable[[Appended | None], object]
"""Told of what was appended, by this process too. None = anything may have been, for nobody listened meanwhile."""


class Store(Protocol):
    """Synchronous and thread-safe; every append is one transaction and durable when it returns.

    Whatever takes a lease or changes a note waits only shortly for other writers, and raises Busy: a runner has other
    debates to run.
    """

    @property
    def keeps_secrets(self) -> bool:
        """False where several machines share a store: then what signs has to be set on each of them."""

    def load(self, debate_id: str, after: int = 0) -> tuple[Event, ...]:
        """Events with seq > after, in order. UnknownDebate if there is no such debate."""

    def find(self, debate_id: str, key: str) -> Event | None:
        """The one event of this key (`open`, `closed`, ...), or None; much cheaper than `load`."""

    def append(self, debate_id: str, events: Sequence[Event], *, after: int, lease: Lease | None = None) -> None:
        """Add events after version `after`. Conflict if the version moved or a key exists; Leased as in `renew`."""

    def debates(self) -> Mapping[str, int]:
        """Version (number of events) of every debate by id, latest opened first."""

    def debates_without(self, key: str) -> frozenset[str]:
        """The debates that have no event of this key."""

    def acquire(self, debate_id: str, owner: str, *, ttl_s: float) -> Lease:
        """Become the runner. Leased if somebody living holds it; an expired or dead owner is taken over."""

    def renew(self, lease: Lease, *, ttl_s: float) -> None:
        """Hold it for longer. Leased if it was taken over, or is not kept here any more."""

    def release(self, lease: Lease) -> None:
        """Give it back; no error if it is no longer held."""

    def put_note(self, kind: str, name: str, text: str) -> None:
        """Keep or replace a loose note (kind: draft, script, setup, ...)."""

    def add_note(self, kind: str, name: str, text: str) -> bool:
        """Keep a note unless there is one of this name: True for the one writer of several who was first."""

    def change_note(self, kind: str, name: str, change: NoteChange) -> None:
        """Change a note that others change too: nobody does between what `change` reads and what it gives.

        It is short, asks the store for nothing, and may be called again if the first time could not be kept.
        """

    def note(self, kind: str, name: str) -> str | None:
        """The note of this kind and name, or None."""

    def notes(self, kind: str) -> Mapping[str, str]:
        """Text by name of every note of a kind, latest first."""

    def all_notes(self) -> Sequence[Note]:
        """Every note of every kind, latest last."""

    def drop_note(self, kind: str, name: str) -> None:
        """Forget a note; no error if there is none."""

    def secret(self, of: SecretOf) -> str:
        """What signs links and cookies, or records: 64 hexadecimal digits, the same for every process of this store.

        Made when first asked for. InvalidSpec where the store keeps none.
        """

    def renew_secret(self) -> None:
        """Forget the secret of the links and make another one: none that was signed before is good any more."""

    def follow(self, heard: OnNews) -> bool:
        """Tell of what is appended, on another thread, until the store is closed.

        False if this store cannot: then whoever wants to know has to look.
        """

    def check(self) -> None:
        """Read the version of the tables, then write a note and take it back. Short, whoever else writes.

        NotMigrated or NewerRecord for tables of another version; Unwritable and its kin if nothing can be read or
        written now.
        """

    def about(self) -> str:
        """Which store this is, in words for the person who runs the program."""

    def close(self) -> None:
        """Let go of files and connections."""


def refuse_fenced(lease: Lease, kept: Lease | None) -> None:
    """Raise Leased unless this is the lease that the store keeps for the debate (None = it keeps none)."""
    if kept is None:
        raise Leased("nobody holds {debate} any more: its lease is not kept here", debate=lease.debate)
    if kept.fence != lease.fence:
        raise Leased("{debate} was taken over by {owner}", debate=lease.debate, owner=kept.owner)


def refuse_misfit(debate_id: str, events: Sequence[Event], after: int, head: str) -> None:
    """Raise BrokenRecord if these events are not the next ones of this debate: what is kept is always a chain."""
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
    """The store at a URL; a file of SQLite is made if it is not there. InvalidSpec says what is allowed.

    Unwritable, BrokenRecord, NotMigrated or NewerRecord if it cannot be used: everything is checked here, before any
    event.
    """
    if url.startswith(POSTGRES):
        return _open_postgres(url)
    path = url.removeprefix("sqlite:///")
    if path == url or path in ("", ":memory:") or "?" in path:
        raise InvalidSpec(
            "the database {url!r} is not one: write sqlite:///FILE, "
            "sqlite:////ABSOLUTE/FILE or postgresql+psycopg://USER@HOST/NAME",
            url=without_password(url),
        )
    from debate_core.host.stores.sqlite import SqliteStore  # the database library loads only when it is used

    return SqliteStore(path)


def _open_postgres(url: str) -> Store:
    refuse_without_packages()
    from debate_core.host.stores.postgres import PostgresStore

    return PostgresStore(url)


def refuse_without_packages() -> None:
    """InvalidSpec if what a server needs is not installed here."""
    missing = [name for name in ("psycopg", "alembic", "procrastinate") if find_spec(name) is None]
    if missing:
        raise InvalidSpec(
            "{missing} is not installed: run `make server`, or install requirements-server.txt",
            missing=" and ".join(missing),
        )


def without_password(url: str) -> str:
    """The URL of a database as it may be shown."""
    if url.startswith("sqlite:"):
        return url
    return re.sub(r"(?<=://).*@|(?<=password=)[^&]*", "***@", url)
