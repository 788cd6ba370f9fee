"""Wraps a store to report the events that this process appended, and the time of store operations.

Each process reports only its own events, so that every event is reported once.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, Literal, cast

from debate_core.host.stores import Continue, Lease, Store
from debate_core.record.events import Event

_OF_A_DEBATE_UNDER_WAY = frozenset(("attempt_started", "turn_taken", "turn_failed", "turn_skipped", "closed"))
Hears = Callable[[Sequence[Event]], None]
"""Receives appended events, in order. It must neither raise nor wait."""
StoreWork = Literal["append", "tail"]
Times = Callable[[StoreWork, float], None]
"""Receives the seconds of an append, or of reading new events."""


class _Observed:
    """Delegates to the store; observes `append`, `extend` and `load`."""

    def __init__(self, store: Store, hears: Sequence[Hears], times: Times | None) -> None:
        self._store = store
        self._hears = hears
        self._times = times

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def append(self, debate_id: str, events: Sequence[Event], *, after: int, lease: Lease | None = None) -> None:
        began_s = time.perf_counter()
        self._store.append(debate_id, events, after=after, lease=lease)
        self._observe_append(began_s)
        # An imported record was held elsewhere; here it was only opened.
        was_held = not after and any(event.kind in _OF_A_DEBATE_UNDER_WAY for event in events)
        happened_here = events[:1] if was_held else events
        for hear in self._hears:
            hear(happened_here)

    def extend(self, debate_id: str, following: Continue, *, after: int) -> tuple[Event, ...]:
        began_s = time.perf_counter()
        n_newer = 0

        def counted(newer: Sequence[Event]) -> Sequence[Event]:
            nonlocal n_newer
            n_newer = len(newer)
            return following(newer)

        events = self._store.extend(debate_id, counted, after=after)
        self._observe_append(began_s)
        for hear in self._hears:
            hear(events[n_newer:])
        return events

    def _observe_append(self, began_s: float) -> None:
        if self._times is not None:
            self._times("append", time.perf_counter() - began_s)

    def load(self, debate_id: str, after: int = 0) -> tuple[Event, ...]:
        began_s = time.perf_counter()
        events = self._store.load(debate_id, after)
        if after and self._times is not None:
            self._times("tail", time.perf_counter() - began_s)
        return events


def observed(store: Store, hears: Sequence[Hears], times: Times | None = None) -> Store:
    """Wrap the store; returns it unchanged without observers."""
    return cast("Store", _Observed(store, hears, times)) if hears or times is not None else store
