"""How many came in by a link for all, from where: a room behind one address is let in, a script is not overlooked.

In the memory of this process, and nowhere else: no record and no log says from which address somebody voted.
"""

import threading
from collections import defaultdict, deque
from collections.abc import Callable
from datetime import datetime

from debate_core.errors import TooManyTries
from debate_core.sentence import Sentence

WINDOW_S = 60
MAX_IN_WINDOW = 120
"""From one address to one debate: a room of a hundred that shares one may come within a minute."""
CROWD = Sentence("Very many people have just come in from this address: wait a minute, then open the link again.")


class Arrivals:
    """The people who came in by links for all since this process began."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._recent: dict[tuple[str, str], deque[float]] = defaultdict(deque)
        """(debate, address) -> when somebody came within the last minute, in seconds."""
        self._most: dict[str, int] = {}

    def let_in(self, debate: str, address: str) -> None:
        """Count one more. TooManyTries if the last minute has seen too many from this address."""
        now_s = self._clock().timestamp()
        with self._lock:
            times = self._recent[debate, address]
            while times and times[0] <= now_s - WINDOW_S:
                times.popleft()
            if len(times) >= MAX_IN_WINDOW:
                raise TooManyTries(CROWD)
            times.append(now_s)
            self._most[debate] = max(self._most.get(debate, 0), len(times))

    def most_at_once(self, debate: str) -> int:
        """The most people who came to a debate within one minute from one address."""
        return self._most.get(debate, 0)
