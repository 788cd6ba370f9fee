"""Stores events in the memory of this process: for tests, benchmarks and temporary runs.

It behaves like any other store and is lost when the process ends.
"""

import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from debate_core.errors import Conflict, Leased, UnknownDebate
from debate_core.host.stores import (
    Continue,
    Lease,
    Note,
    NoteChange,
    OnNews,
    SecretOf,
    refuse_fenced,
    refuse_late,
    refuse_misfit,
)
from debate_core.host.stores.owner import is_dead
from debate_core.record.events import GENESIS, Event


@dataclass(frozen=True, slots=True)
class _TimedLease:
    lease: Lease
    until_s: float


class MemoryStore:
    """A `Store` of dictionaries behind one lock; its debates are lost when the process ends.

    Thread-safe, but not shared by processes. Raises the errors of every store: UnknownDebate, Conflict, Leased,
    BrokenRecord.

        store = MemoryStore()
        store.append("d1", open_debate(spec, debate_id="d1", at=datetime.now(UTC)), after=0)
        store.load("d1")
    """

    keeps_secrets = True

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        """`clock`: seconds, for leases and changes of notes."""
        self._clock = clock
        self._lock = threading.Lock()
        self._events: dict[str, list[Event]] = {}
        self._keys: dict[str, dict[str, Event]] = {}
        self._leases: dict[str, _TimedLease] = {}
        self._notes: dict[tuple[str, str], str] = {}
        self._secrets: dict[SecretOf, str] = {"links": secrets.token_hex(32), "records": secrets.token_hex(32)}

    def load(self, debate_id: str, after: int = 0) -> tuple[Event, ...]:
        with self._lock:
            return tuple(self._record(debate_id)[after:])

    def _record(self, debate_id: str) -> list[Event]:
        if debate_id not in self._events:
            raise UnknownDebate("there is no debate {debate_id!r} here", debate_id=debate_id)
        return self._events[debate_id]

    def find(self, debate_id: str, key: str) -> Event | None:
        with self._lock:
            return self._keys.get(debate_id, {}).get(key)

    def append(self, debate_id: str, events: Sequence[Event], *, after: int, lease: Lease | None = None) -> None:
        if not events:
            return
        with self._lock:
            if after:
                self._record(debate_id)
            if lease is not None:
                self._refuse_fenced(lease)
            self._append(debate_id, events, after)

    def _append(self, debate_id: str, events: Sequence[Event], after: int) -> None:
        record = self._events.get(debate_id, [])
        keys = self._keys.get(debate_id, {})
        refuse_late(debate_id, len(record), after)
        refuse_misfit(debate_id, events, after, record[-1].hash if record else GENESIS)
        for event in events:
            if event.key in keys:
                raise Conflict(
                    "{debate_id} has {key!r} already: someone else was first", debate_id=debate_id, key=event.key
                )
        self._events.setdefault(debate_id, []).extend(events)
        self._keys.setdefault(debate_id, {}).update({e.key: e for e in events})

    def extend(self, debate_id: str, following: Continue, *, after: int) -> tuple[Event, ...]:
        with self._lock:
            record = self._record(debate_id)
            if after > len(record):
                refuse_late(debate_id, len(record), after)
            events = following(tuple(record[after:]))
            self._append(debate_id, events, len(record))
            return tuple(record[after:])

    def debates(self) -> Mapping[str, int]:
        with self._lock:
            by_time = sorted(self._events.items(), key=lambda item: item[1][0].at)
            return {debate: len(events) for debate, events in reversed(by_time)}

    def versions(self) -> Mapping[str, int]:
        with self._lock:
            return {debate: len(events) for debate, events in reversed(self._events.items())}

    def debates_without(self, key: str) -> frozenset[str]:
        with self._lock:
            return frozenset(debate_id for debate_id, events in self._keys.items() if key not in events)

    def acquire(self, debate_id: str, owner: str, *, ttl_s: float) -> Lease:
        with self._lock:
            held = self._leases.get(debate_id)
            if held and held.until_s > self._clock() and not is_dead(held.lease.owner):
                raise Leased(
                    "{debate_id} is being run by {owner}: wait, or stop that one",
                    debate_id=debate_id,
                    owner=held.lease.owner,
                    free_in_s=held.until_s - self._clock(),
                )
            lease = Lease(debate_id, owner, held.lease.fence + 1 if held else 1)
            self._leases[debate_id] = _TimedLease(lease, self._clock() + ttl_s)
            return lease

    def renew(self, lease: Lease, *, ttl_s: float) -> None:
        with self._lock:
            self._refuse_fenced(lease)
            self._leases[lease.debate] = _TimedLease(lease, self._clock() + ttl_s)

    def release(self, lease: Lease) -> None:
        with self._lock:
            if self._kept(lease.debate) == lease:
                self._leases[lease.debate] = _TimedLease(lease, 0)

    def _kept(self, debate_id: str) -> Lease | None:
        held = self._leases.get(debate_id)
        return None if held is None else held.lease

    def _refuse_fenced(self, lease: Lease) -> None:
        refuse_fenced(lease, self._kept(lease.debate))

    def put_note(self, kind: str, name: str, text: str) -> None:
        self.put_notes(kind, {name: text})

    def put_notes(self, kind: str, texts: Mapping[str, str]) -> None:
        with self._lock:
            for name, text in texts.items():
                self._notes.pop((kind, name), None)
                self._notes[kind, name] = text

    def add_note(self, kind: str, name: str, text: str) -> bool:
        with self._lock:
            if (kind, name) in self._notes:
                return False
            self._notes[kind, name] = text
            return True

    def change_note(self, kind: str, name: str, change: NoteChange) -> None:
        with self._lock:
            text = change(self._notes.get((kind, name)), self._clock())
            if text is not None:
                self._notes.pop((kind, name), None)
                self._notes[kind, name] = text

    def note(self, kind: str, name: str) -> str | None:
        with self._lock:
            return self._notes.get((kind, name))

    def notes(self, kind: str) -> Mapping[str, str]:
        with self._lock:
            return {name: text for (k, name), text in reversed(self._notes.items()) if k == kind}

    def all_notes(self) -> tuple[Note, ...]:
        with self._lock:
            return tuple(Note(kind, name, text) for (kind, name), text in self._notes.items())

    def drop_note(self, kind: str, name: str) -> None:
        with self._lock:
            self._notes.pop((kind, name), None)

    def secret(self, of: SecretOf) -> str:
        return self._secrets[of]

    def renew_secret(self) -> None:
        self._secrets["links"] = secrets.token_hex(32)

    def follow(self, _heard: OnNews) -> bool:
        return False

    def check(self) -> None:
        """Do nothing: memory is always available."""

    def about(self) -> str:
        return "memory of this process"

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
