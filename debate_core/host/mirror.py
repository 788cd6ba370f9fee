"""Debates in memory, as they stand in the store: state and events, advanced by what is new only, and live texts.

What is here is always a beginning of the record, and can be lost at any moment. Thread-safe. It does not know who
appends.
"""

import threading
import time
from collections.abc import Sequence

from debate_core.engine.engine import requests
from debate_core.host.stores import Store
from debate_core.record.events import Event
from debate_core.record.fold import replay

LOOK_S = 0.5
"""How old the picture may be of what other processes append; this process tells by `absorb`."""


class Mirror:
    """One debate. `feed` is a number that grows with everything one can see."""

    def __init__(self, store: Store, debate_id: str) -> None:
        self._store = store
        self._lock = threading.RLock()
        self._looked_s = time.monotonic()
        self._events = list(store.load(debate_id))
        self._live: dict[str, str] = {}
        self._thinking: dict[str, str] = {}
        self.state = replay(self._events)
        self.feed = len(self._events)
        self._asked = {q.id for q in requests(self.state)}

    def events(self) -> tuple[Event, ...]:
        """The record so far."""
        with self._lock:
            return tuple(self._events)

    def live(self) -> dict[str, str]:
        """Request id -> text so far of the turns that are being given."""
        with self._lock:
            return dict(self._live)

    def thinking(self) -> dict[str, str]:
        """Request id -> what the model says that it thinks, before its turn begins; no part of any turn."""
        with self._lock:
            return dict(self._thinking)

    def refresh(self) -> None:
        """Look into the store, but not more often than every LOOK_S: cheap enough to ask 25 times a second."""
        if time.monotonic() - self._looked_s > LOOK_S:
            self.look()

    def look(self) -> None:
        """Take in everything that the store has."""
        self._looked_s = time.monotonic()
        self.absorb(self._store.load(self.state.debate, self.state.version))

    def absorb(self, events: Sequence[Event]) -> None:
        """Take in events; they may be known already, and a gap before them is filled from the store."""
        with self._lock:
            if events and events[0].seq > self.state.version + 1:
                events = self._store.load(self.state.debate, self.state.version)
            new = [event for event in events if event.seq > self.state.version]
            if not new:
                return
            self.state = replay(new, self.state)
            self._events += new
            self._asked = {q.id for q in requests(self.state)}
            self._live = {request: text for request, text in self._live.items() if request in self._asked}
            self._thinking = {request: text for request, text in self._thinking.items() if request in self._asked}
            self.feed += len(new)

    def on_text(self, request: str, text: str, /, thinking: str = "") -> None:
        """Text of a turn being given; what comes after its end is too late."""
        with self._lock:
            if request in self._asked:
                self._live[request], self._thinking[request] = text, thinking
                self.feed += 1


class Mirrors:
    """A mirror of every debate of a store that was asked for."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._mirrors: dict[str, Mirror] = {}

    def of(self, debate_id: str) -> Mirror:
        """The mirror of this debate; looks into the store at most twice a second. UnknownDebate if there is none."""
        with self._lock:
            mirror = self._mirrors.get(debate_id)
        if mirror is None:
            # Without the lock: a long record takes its time, and others are asked for meanwhile.
            fresh = Mirror(self._store, debate_id)
            with self._lock:
                mirror = self._mirrors.setdefault(debate_id, fresh)
        mirror.refresh()
        return mirror
