"""Limits on what one client, and all clients together, may have open or start: no client can keep the server busy.

Sized for a room of a hundred people behind one address. A client is an address; it is empty for the browser and
programs on this machine, which have no limits. Kept in the memory of this process.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from debate_core.errors import TooMany
from debate_core.sentence import Sentence

HOUR_S = 3600
SOON_S = 10
"""How long a newly opened rehearsal counts as running."""


@dataclass(frozen=True, slots=True)
class Cap:
    """The maximum per client and in total, and the error message beyond it."""

    by_client: int
    in_all: int
    said: Sentence

    def refuse(self, of_client: int, of_all: int) -> None:
        """Raise TooMany if a maximum is reached."""
        if of_client >= self.by_client or of_all >= self.in_all:
            raise TooMany(self.said)


NEW_DEBATES = Cap(
    120, 600, Sentence("Very many debates were opened here within an hour: wait some minutes, then start this one.")
)
REHEARSALS = Cap(
    100, 200, Sentence("Very many rehearsals are running here: wait until some have ended, then start this one.")
)
TRIES = Cap(10, 30, Sentence("Many models are being tried here at the moment: wait half a minute, then press again."))
PAGES = Cap(
    500,
    1_500,
    Sentence(
        "Very many pages of this server are open in your network or in all: close those that you do not need, wait a "
        "minute, and open this one again."
    ),
)
"""Sockets, two per page: a hundred people with a phone and a laptop each have 400."""
STRANGERS = Cap(150, 500, PAGES.said)
"""Sockets of browsers without a cookie; they never take a page from someone who was let in."""

TOKEN_READS = Cap(
    16, 64, Sentence("Very many requests are being answered at the moment: wait until some are done, then ask again.")
)
TOKEN_STREAMS = Cap(
    20, 200, Sentence("Very many streams of events are open: close those that you do not need, or wait, then open it.")
)
"""Both by token, not by address."""


class Open:
    """Counts what is open now, by client."""

    def __init__(self, cap: Cap) -> None:
        self._cap = cap
        self._lock = threading.Lock()
        self._open: Counter[str] = Counter()

    def refuse_more(self, client: str) -> None:
        """Raise TooMany if this client is at its maximum."""
        with self._lock:
            self._cap.refuse(self._open[client] if client else 0, self._open.total() if client else 0)

    @contextmanager
    def one(self, client: str) -> Iterator[None]:
        """Count one more within the block. TooMany as for `refuse_more`."""
        with self._lock:
            if client:
                self._cap.refuse(self._open[client], self._open.total())
            self._open[client] += 1
        try:
            yield
        finally:
            with self._lock:
                self._open[client] -= 1
                if not self._open[client]:
                    del self._open[client]


@dataclass(frozen=True, slots=True)
class _Opened:
    client: str
    debate: str
    at_s: float
    rehearsal: bool


class OpenedDebates:
    """Debates that clients opened within the last hour, and their rehearsals still running."""

    def __init__(self, clock: Callable[[], datetime], is_running: Callable[[str], bool]) -> None:
        self._clock = clock
        self._is_running = is_running
        self._lock = threading.Lock()
        self._begun: list[_Opened] = []

    def one_more(self, client: str, debate: str, *, rehearsal: bool = False) -> None:
        """Count a debate before it is opened. TooMany if this client is at its maximum."""
        if not client:
            return
        now_s = self._clock().timestamp()
        with self._lock:
            self._begun = [one for one in self._begun if one.at_s > now_s - HOUR_S or self._runs(one, now_s)]
            _refuse(NEW_DEBATES, client, [one for one in self._begun if one.at_s > now_s - HOUR_S])
            if rehearsal:
                _refuse(REHEARSALS, client, [one for one in self._begun if self._runs(one, now_s)])
            self._begun.append(_Opened(client, debate, now_s, rehearsal))

    def _runs(self, one: _Opened, now_s: float) -> bool:
        return one.rehearsal and (one.at_s > now_s - SOON_S or self._is_running(one.debate))


def _refuse(cap: Cap, client: str, counted: list[_Opened]) -> None:
    cap.refuse(sum(one.client == client for one in counted), len(counted))
