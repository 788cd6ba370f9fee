"""The queues before the servers of models: who may call a server now, over all debates of a process.

A server that answers one call at a time says nothing to the others, and their time would run out while they wait
there. So they wait here, before they are asked, and no time of theirs runs. While a server is out of reach, one call
at a time looks whether it is back, after waits that grow. Knows no debate and opens no connection.
"""

import random
from datetime import datetime, timedelta

from debate_core.spec.models import ModelLine
from debate_core.spec.panels import server_of

BACK_OFF_S = (1.0, 3.0, 9.0, 27.0)
"""Before each look at a server that is out of reach; the last one from then on."""
JITTER = 0.25
"""Up to this share longer, at random, so that programs that lost a server together do not come back together."""


def back_off_s(n_lost: int) -> float:
    """How long to wait after so many calls were lost before this one."""
    return BACK_OFF_S[min(n_lost, len(BACK_OFF_S) - 1)] * (1 + JITTER * random.random())


class ServerQueue:
    """The queue before one server."""

    def __init__(self) -> None:
        self.n_calls = 0
        """Calls that have a place now."""
        self.down_since: datetime | None = None
        """When the first call was lost that no later one has made good; None = it answers, as far as is known."""
        self.next_look: datetime | None = None
        """When one call may look whether it is back."""
        self.n_looks = 0
        """Looks that failed, one after the other."""
        self.looking = False
        """True while a call looks whether it is back."""

    def enter(self, places: int, *, at: datetime) -> "Place | None":
        """A place, if fewer than `places` are taken; while the server is out of reach only for the one who looks."""
        if self.n_calls >= places:
            return None
        is_down = self.down_since is not None
        if is_down and (self.looking or (self.next_look is not None and at < self.next_look)):
            return None
        self.n_calls += 1
        self.looking = self.looking or is_down
        return Place(self, is_look=is_down)

    def look_now(self) -> None:
        """Somebody wants to know at once whether it is back."""
        self.next_look = None

    def answered(self) -> None:
        """It is back."""
        self.down_since = self.next_look = None
        self.n_looks = 0


class Place:
    """The right to one call to a server, from before the call until `leave`."""

    def __init__(self, queue: ServerQueue, *, is_look: bool) -> None:
        self.queue = queue
        self._is_look = is_look
        self._is_left = False

    def leave(self) -> None:
        """Give it back; a second time changes nothing."""
        if not self._is_left:
            self._is_left = True
            self.queue.n_calls -= 1
            self.queue.looking = self.queue.looking and not self._is_look

    def answered(self) -> None:
        """The server has answered this call. One that began before the server was lost says nothing of now."""
        if self._is_look:
            self.queue.answered()

    def lost(self, *, at: datetime, asked_s: float) -> None:
        """No reply came; the server asks to wait at least `asked_s`. Calls that were side by side count once."""
        queue = self.queue
        if queue.down_since is None or self._is_look:
            queue.down_since = queue.down_since or at
            queue.next_look = at + timedelta(seconds=back_off_s(queue.n_looks))
            queue.n_looks += 1
        asked = at + timedelta(seconds=asked_s)
        queue.next_look = max(queue.next_look or asked, asked)


class Servers:
    """The servers that this process calls: one queue for each address, and what each does not take."""

    def __init__(self) -> None:
        self._queues: dict[str, ServerQueue] = {}
        self._refused: dict[tuple[str, str, str], set[str]] = {}

    def queue(self, line: ModelLine) -> ServerQueue:
        """The queue before the server of this line."""
        return self._queues.setdefault(server_of(line), ServerQueue())

    def refused(self, line: ModelLine) -> set[str]:
        """Optional parts of a call that the server of this line does not take: every debate need not find out anew."""
        return self._refused.setdefault((line.base_url or line.provider, line.dialect, line.model), set())
