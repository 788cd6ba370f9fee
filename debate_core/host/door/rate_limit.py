"""Counts what was refused: guessed codes and links by who tried, as that must not be fast, and acts against the rules.

In the memory of this process: what it forgets costs an attacker nothing but time.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from debate_core.errors import NotAllowed, RuleViolation, TooManyTries

MAX_TRIES = 20
WINDOW_S = 60
MAX_KEYS = 10_000
FLOOD = "Too many tries in one minute: wait a minute, then scan the code on the screen or open the link again."


class Tries:
    """Refused tries. A key says who tried, or with what."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._recent: dict[str, deque[float]] = {}
        self.refused = 0
        """Links and codes since the start of this process."""
        self.refused_acts = 0
        """Commands that the rules did not allow, since then."""

    def refuse_flood(self, key: str) -> None:
        """TooManyTries if this key was refused too often in the last minute."""
        with self._lock:
            times = self._recent.get(key)
            if times is None or len(times) < MAX_TRIES or times[0] <= self._clock().timestamp() - WINDOW_S:
                return
            self.refused += 1
        raise TooManyTries(FLOOD)

    def refusal(self, said: str) -> NotAllowed:
        """Count one that was no guess; what to raise for it."""
        with self._lock:
            self.refused += 1
        return NotAllowed(said)

    def failed(self, key: str, said: str) -> NotAllowed:
        """Count one; what to raise for it."""
        now_s = self._clock().timestamp()
        with self._lock:
            self.refused += 1
            # The latest last, so that who tried longest ago is forgotten first.
            times = self._recent.pop(key, None) or deque(maxlen=MAX_TRIES)
            flood = len(times) == MAX_TRIES and times[0] > now_s - WINDOW_S
            if not flood:
                times.append(now_s)
            self._recent[key] = times
            if len(self._recent) > MAX_KEYS:
                del self._recent[next(iter(self._recent))]
        return TooManyTries(FLOOD) if flood else NotAllowed(said)

    @contextmanager
    def acts(self) -> Iterator[None]:
        """Count what is asked within the block if the rules refuse it."""
        try:
            yield
        except RuleViolation:
            with self._lock:
                self.refused_acts += 1
            raise
