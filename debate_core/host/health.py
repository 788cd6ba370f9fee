"""Reports the state of this process and of its store, for monitors and pages. Knows no screen."""

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Literal

from debate_core.errors import NewerRecord, NotMigrated, StoreError
from debate_core.host.debate_reader import DebateReader
from debate_core.host.debate_runs import DebateRuns
from debate_core.host.fillers import Access
from debate_core.host.monitor.gauges import Gauges
from debate_core.host.settings import Worker
from debate_core.host.stores import Store
from debate_core.host.workers import Asking
from debate_core.record.events import utc_text
from debate_core.spec.values import Json

Missing = Literal["database", "schema", "workers"]
"""What a process can lack: a reachable database, tables of this version, and a worker if it asks no seats itself."""


class ProcessHealth:
    """The health of one process. Thread-safe."""

    def __init__(
        self,
        store: Store,
        reader: DebateReader,
        runs: DebateRuns,
        access: Access,
        *,
        clock: Callable[[], datetime],
        worker: Worker,
    ) -> None:
        self._store = store
        self._reader = reader
        self._runs = runs
        self._access = access
        self._clock = clock
        self._worker = worker
        self._lock = threading.Lock()
        self._refused_acts = 0
        self.n_viewers: Callable[[], int] = lambda: 0
        """Number of viewers of debates in this process; the live sockets set it."""

    @property
    def is_web_only(self) -> bool:
        """True if this process never asks seats."""
        return self._worker == "none"

    def count_refused_act(self) -> None:
        """Count a command that the rules refused."""
        with self._lock:
            self._refused_acts += 1

    def missing_workers(self) -> Asking | None:
        """The last heartbeat of a worker, if no process asks the seats; None if one does."""
        if not self.is_web_only:
            return None
        asking = self._runs.workers.asking()
        return None if asking.workers else asking

    def report(self) -> Mapping[str, Json]:
        """The store, the number of debates, of those running here, and of refused links and commands.

        `workers` is the number of processes that ask seats; if it is 0, `no_worker_since` is the time of the last
        heartbeat, if known. `servers` are the model servers, as seen by all processes that share the store.
        """
        asking = self._runs.workers.asking()
        silent = {"no_worker_since": utc_text(asking.last_sign)} if not asking.workers and asking.last_sign else {}
        return {
            "store": self._store.about(),
            "debates": len(self._reader.debates()),
            "running": len(self._runs.running),
            "workers": asking.workers,
            **silent,
            "servers": self._access.servers.told(at=self._clock()),
            "refused_joins": self._reader.door.rate_limit.refused_joins,
            "refused_acts": self._refused_acts,
        }

    def gauges(self) -> Gauges:
        """The current numbers, without words of any debate. StoreError if the database cannot be read."""
        rows = self._reader.debates()
        return Gauges(
            debates=Counter(row.status for row in rows),
            paused=Counter(row.paused_for for row in rows if row.status == "paused"),
            servers=self._access.servers.circuits(at=self._clock()),
            workers=self._runs.workers.asking().workers,
            running=len(self._runs.running),
            parked=self._runs.n_parked,
            viewers=self.n_viewers(),
            refused_acts=self._refused_acts,
            refused_joins=self._reader.door.rate_limit.refused_joins,
        )

    def missing(self) -> Missing | None:
        """The reason why this process cannot do its work now; None = it can."""
        try:
            self._store.check()
            return "workers" if self.missing_workers() is not None else None
        except (NotMigrated, NewerRecord):
            return "schema"
        except StoreError:
            return "database"
