"""Rate limits of the door: refused links, codes and tokens by client, people who come in by an open link by address,
and requests by token.

All are in the memory of this process: losing them costs an attacker only time, and no record or log shows the address
of a voter.
"""

import threading
from collections import defaultdict, deque
from collections.abc import Callable
from datetime import datetime

from debate_core.errors import NotAllowed, TooMany, TooManyTries
from debate_core.sentence import Sentence

MAX_TRIES = 20
"""Per window; a person with typing errors needs a few."""
WINDOW_S = 60
MAX_KEYS = 10_000
"""Clients remembered, so that guesses from everywhere do not fill the memory."""
MAX_IN_WINDOW = 120
"""From one address to one debate: a room of a hundred may come in within a minute."""
MAX_REQUESTS = 600
"""With one token in a window: ten a second."""
CROWD = Sentence("Very many people have just come in from this address: wait a minute, then open the link again.")
FLOOD = Sentence(
    "Too many tries in one minute: wait a minute, then scan the code on the screen or open the link again."
)

MANY_REQUESTS = Sentence("There were very many requests with this token within a minute: wait a minute, then go on.")


class RateLimit:
    """Limits wrong tries. A key names the client, or the invite used."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._recent: dict[str, deque[float]] = {}
        """Key -> times of wrong tries, in seconds."""
        self.refused_joins = 0
        """Refused links and codes since the start of this process."""

    def refusal(self, message: str) -> NotAllowed:
        """Count a refusal that was not a guess; returns the error to raise."""
        with self._lock:
            self.refused_joins += 1
        return NotAllowed(message)

    def wrong_try(self, key: str, message: str, *, too_often: str = FLOOD) -> NotAllowed:
        """Count a possible guess; returns the error to raise: TooManyTries with `too_often` from the 21st on."""
        with self._lock:
            self.refused_joins += 1
            # Latest last, so that the oldest key is forgotten first.
            times = self._recent.pop(key, None) or deque(maxlen=MAX_TRIES)
            is_flood = len(times) == MAX_TRIES and times[0] > self._clock().timestamp() - WINDOW_S
            if not is_flood:
                times.append(self._clock().timestamp())
            self._recent[key] = times
            if len(self._recent) > MAX_KEYS:
                del self._recent[next(iter(self._recent))]
        return TooManyTries(too_often) if is_flood else NotAllowed(message)


class Arrivals:
    """People who came in by open links since this process started."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._recent: dict[tuple[str, str], deque[float]] = defaultdict(deque)
        """(debate, address) -> times of arrivals within the last minute, in seconds."""
        self._most: dict[str, int] = {}

    def let_in(self, debate: str, address: str) -> None:
        """Count an arrival. TooManyTries if this address had too many within the last minute."""
        now_s = self._clock().timestamp()
        with self._lock:
            times = _within_window(self._recent[debate, address], now_s)
            if len(times) >= MAX_IN_WINDOW:
                raise TooManyTries(CROWD)
            times.append(now_s)
            self._most[debate] = max(self._most.get(debate, 0), len(times))

    def most_at_once(self, debate: str) -> int:
        """The most arrivals at a debate within one minute from one address."""
        return self._most.get(debate, 0)


class TokenRequests:
    """Requests with each token since this process started."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._recent: dict[str, deque[float]] = defaultdict(deque)

    def one_more(self, token_id: str) -> None:
        """Count a request. TooMany if there were too many within the last minute."""
        now_s = self._clock().timestamp()
        with self._lock:
            times = _within_window(self._recent[token_id], now_s)
            if len(times) >= MAX_REQUESTS:
                raise TooMany(MANY_REQUESTS)
            times.append(now_s)


def _within_window(times: deque[float], now_s: float) -> deque[float]:
    """These times, without those before the last minute."""
    while times and times[0] <= now_s - WINDOW_S:
        times.popleft()
    return times
