"""Shares the state of model servers in the store: calls in progress, tokens per minute and outages of a whole fleet.

One note per server, changed atomically by all callers. The place of a dead process expires, because it is not renewed.
Knows no queue rules; the names of servers contain no key.
"""

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime

from pydantic import ValidationError

from debate_core.errors import StoreError
from debate_core.host.stores import Store
from debate_core.seats.server_queue import ServerChange
from debate_core.seats.server_state import ServerState

log = logging.getLogger(__name__)
_KIND = "server"
SEEN_S = 0.2
"""Maximum age of a cached state: many seats ask at once for a place, and most get none."""


class StoreBoard:
    """A `Board` for all processes that share a store. Thread-safe."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._seen: dict[str, tuple[float, ServerState]] = {}
        """Server -> (monotonic time of reading, state)."""
        self._owed: defaultdict[str, list[ServerChange]] = defaultdict(list)
        """Server -> changes that could not be stored yet."""

    def read(self, server: str) -> ServerState:
        with self._lock:
            seen_s, known = self._seen.get(server, (-SEEN_S, ServerState()))
        if time.monotonic() - seen_s < SEEN_S:
            return known
        try:
            return self._remember(server, _parse_state(self._store.note(_KIND, server)))
        except StoreError:
            # Changes report the error; for reading, the cached state is good enough.
            return known

    def change(self, server: str, change: ServerChange, *, at: datetime) -> ServerState:
        with self._lock:
            owed = tuple(self._owed[server])
        before = after = ServerState()

        def changed(text: str | None, store_now_s: float) -> str | None:
            nonlocal before, after
            # The caller's time, corrected by the difference between this machine's clock and the store's.
            now_s = at.timestamp() + store_now_s - time.time()
            before = after = _parse_state(text)
            for one in (*owed, change):
                after = one(after, now_s)
            return None if after == before else after.model_dump_json(exclude_defaults=True)

        self._store.change_note(_KIND, server, changed)
        with self._lock:
            self._owed[server] = [one for one in self._owed[server] if one not in owed]
        return self._remember(server, after)

    def tell(self, server: str, change: ServerChange, *, at: datetime) -> None:
        try:
            self.change(server, change, at=at)
        except StoreError as error:
            log.info("news of the server %s is stored later: %s", server, error)
            with self._lock:
                self._owed[server].append(change)

    def servers(self) -> Mapping[str, ServerState]:
        return {server: _parse_state(text) for server, text in self._store.notes(_KIND).items()}

    def _remember(self, server: str, known: ServerState) -> ServerState:
        with self._lock:
            self._seen[server] = time.monotonic(), known
        return known


def _parse_state(text: str | None) -> ServerState:
    try:
        return ServerState.model_validate_json(text or "{}")
    except ValidationError:
        # Another version may have written it; the state is soon known again.
        return ServerState()
