"""Tracks which processes ask seats, by a heartbeat beside the debates, and lets a second signal end one at once.

Heartbeats are notes of the store, so that a web process sees workers on other machines. Knows no debate.
"""

import logging
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from debate_core.errors import Busy, StoreError
from debate_core.host.stores import Store
from debate_core.host.stores.owner import is_dead, is_on_this_machine, this_process

log = logging.getLogger(__name__)
BEAT_S = 5.0
ALIVE_S = 20.0
"""Maximum age of a living process's heartbeat: four beats, because a busy database may delay one."""
LOOK_S = 2.0
"""Maximum age of a cached answer: many pages ask."""
FORGET_AFTER = timedelta(days=1)
_KIND = "worker"
_ONCE, _BEATS, _ENDED = "once", "beats", "ended"


@dataclass(frozen=True, slots=True)
class Asking:
    """Number of processes that ask seats, and the last heartbeat of a process that no longer does."""

    workers: int
    last_sign: datetime | None = None


class Workers:
    """The heartbeats in one store. Thread-safe."""

    def __init__(self, store: Store, *, process: str = "") -> None:
        self._store = store
        self._own = process or this_process()
        self._closing = threading.Event()
        self._beating: threading.Thread | None = None
        self._lock = threading.Lock()
        self._looked_s = -LOOK_S
        self._found = Asking(0)

    def begin(self, *, beats: bool) -> None:
        """Register this process. One without heartbeats is visible on this machine only, by its process id."""
        now = self._now()
        for name, text in self._store.notes(_KIND).items():
            if now - _at(text) > FORGET_AFTER:
                self._store.drop_note(_KIND, name)
        self._sign(_BEATS if beats else _ONCE)
        if beats:
            self._beating = threading.Thread(target=self._beat, name="signs of life", daemon=True)
            self._beating.start()

    def end(self) -> None:
        """Unregister this process if it is registered."""
        self._closing.set()
        if self._beating is not None:
            self._beating.join()
        # If this fails, the heartbeat expires.
        with suppress(StoreError):
            if self._store.note(_KIND, self._own) is not None:
                self._sign(_ENDED)

    def asking(self) -> Asking:
        """The processes that ask seats, at most LOOK_S old."""
        with self._lock:
            if time.monotonic() - self._looked_s > LOOK_S:
                self._looked_s = time.monotonic()
                # The cached answer is good enough while the store is busy.
                with suppress(Busy):
                    self._found = self._find_living()
            return self._found

    def _find_living(self) -> Asking:
        signs = self._store.notes(_KIND)
        now = self._now()
        living = sum(_is_alive(name, text, now) for name, text in signs.items())
        # A single heartbeat only marks the start.
        times = [_at(text) for text in signs.values() if not text.startswith(_ONCE)]
        return Asking(living, max(times, default=None))

    def _beat(self) -> None:
        while not self._closing.wait(BEAT_S):
            try:
                self._sign(_BEATS)
            except StoreError as error:
                log.warning("a heartbeat could not be written: %s", error)

    def _sign(self, how: str) -> None:
        self._store.change_note(_KIND, self._own, lambda _text, now_s: f"{how} {_time(now_s).isoformat()}")

    def _now(self) -> datetime:
        """The store's time, because clocks of machines differ."""
        told: list[float] = []
        self._store.change_note(_KIND, self._own, lambda _text, now_s: told.append(now_s))
        return _time(told[-1])


def _is_alive(process: str, text: str, now: datetime) -> bool:
    if text.startswith(_ENDED) or is_dead(process):
        return False
    if text.startswith(_ONCE):
        return is_on_this_machine(process)
    return now - _at(text) < timedelta(seconds=ALIVE_S)


def _time(now_s: float) -> datetime:
    return datetime.fromtimestamp(now_s, UTC)


def _at(text: str) -> datetime:
    return datetime.fromisoformat(text.partition(" ")[2])


@contextmanager
def second_signal_kills() -> Iterator[None]:
    """Within the block SIGTERM and Ctrl-C end this process at once. Has no effect outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
