"""Counts links and codes that were refused, by who tried: guessing must not be fast.

In the memory of this process: what it forgets costs an attacker nothing but time.
"""

import threading
from collections import deque
from collections.abc import Callable
from datetime import datetime

from debate_core.errors import NotAllowed, TooManyTries
from debate_core.sentence import Sentence

MAX_TRIES = 20
"""In one window; somebody who types a code wrongly needs a few."""
WINDOW_S = 60
MAX_KEYS = 10_000
"""How many are remembered, so that guesses from everywhere do not fill the memory."""
FLOOD = Sentence(
    "Too many tries in one minute: wait a minute, then scan the code on the screen or open the link again."
)


class RateLimit:
    """Refuses who was wrong too often. A key says who tried, or with what."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._recent: dict[str, deque[float]] = {}
        """Key -> when it was wrong, in seconds."""
        self.refused_joins = 0
        """Links and codes since the start of this process."""

    def refusal(self, message: str) -> NotAllowed:
        """Count one that was no guess; what to raise for it."""
        with self._lock:
            self.refused_joins += 1
        return NotAllowed(message)

    def wrong_try(self, key: str, message: str, *, too_often: str = FLOOD) -> NotAllowed:
        """Count one that may be a guess; what to raise for it: TooManyTries with `too_often` from the 21st on."""
        with self._lock:
            self.refused_joins += 1
            # The latest last, so that who tried longest ago is forgotten first.
            times = self._recent.pop(key, None) or deque(maxlen=MAX_TRIES)
            is_flood = self._is_flood(times)
            if not is_flood:
                times.append(self._clock().timestamp())
            self._recent[key] = times
            if len(self._recent) > MAX_KEYS:
                del self._recent[next(iter(self._recent))]
        return TooManyTries(too_often) if is_flood else NotAllowed(message)

    def _is_flood(self, times: deque[float]) -> bool:
        return len(times) == MAX_TRIES and times[0] > self._clock().timestamp() - WINDOW_S
