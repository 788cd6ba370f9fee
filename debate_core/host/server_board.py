"""What is known of the servers of models, in the store: calls at a time, tokens a minute and outages of a whole fleet.

One note for each server, changed in one step with all others who call it. A place of a process that has died comes back
by itself, for nobody renews it. Knows no rules of queues; the names of servers hold no key.
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
"""How old what is read may be: many seats ask at once whether there is a place, and all but a few hear no."""


class StoreBoard:
    """A `Board` of all processes that share a store. From any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._seen: dict[str, tuple[float, ServerState]] = {}
        """Server -> when it was read (monotonic), and what was known then."""
        self._owed: defaultdict[str, list[ServerChange]] = defaultdict(list)
        """Server -> what has happened and could not be kept yet."""

    def read(self, server: str) -> ServerState:
        with self._lock:
            seen_s, known = self._seen.get(server, (-SEEN_S, ServerState()))
        if time.monotonic() - seen_s < SEEN_S:
            return known
        try:
            return self._remember(server, _state(self._store.note(_KIND, server)))
        except StoreError:
            # Who changes it hears of that; who looks can go by what was known.
            return known

    def change(self, server: str, change: ServerChange, *, at: datetime) -> ServerState:
        with self._lock:
            owed = tuple(self._owed[server])
        before = after = ServerState()

        def changed(text: str | None, store_now_s: float) -> str | None:
            nonlocal before, after
            # The clock of whoever asks, put right by as much as that of this machine differs from the store's.
            now_s = at.timestamp() + store_now_s - time.time()
            before = after = _state(text)
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
            log.info("what happened at %s is kept later: %s", server, error)
            with self._lock:
                self._owed[server].append(change)

    def servers(self) -> Mapping[str, ServerState]:
        return {server: _state(text) for server, text in self._store.notes(_KIND).items()}

    def _remember(self, server: str, known: ServerState) -> ServerState:
        with self._lock:
            self._seen[server] = time.monotonic(), known
        return known


def _state(text: str | None) -> ServerState:
    try:
        return ServerState.model_validate_json(text or "{}")
    except ValidationError:
        # Another version may have written it; what is true now is soon known again.
        return ServerState()
