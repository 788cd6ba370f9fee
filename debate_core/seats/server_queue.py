"""The queues before the servers of models: who may call a server now, over all debates of a process.

A server that answers one call at a time says nothing to the others, and their time would run out while they wait
there. So they wait here, before they are asked, and no time of theirs runs. Knows no debate and opens no connection.
"""

from urllib.parse import urlsplit

from debate_core.spec.models import ModelLine


class Place:
    """The right to one call to a server, from before the call until `leave`."""

    def __init__(self, queue: "ServerQueue") -> None:
        self._queue: ServerQueue | None = queue

    def leave(self) -> None:
        """Give it back; a second time changes nothing."""
        queue, self._queue = self._queue, None
        if queue is not None:
            queue.asking -= 1


class ServerQueue:
    """The queue before one server."""

    def __init__(self) -> None:
        self.asking = 0
        """Calls that have a place now."""

    def enter(self, places: int) -> Place | None:
        """A place, if fewer than `places` are taken."""
        if self.asking >= places:
            return None
        self.asking += 1
        return Place(self)


class Servers:
    """The servers that this process calls: one queue for each address."""

    def __init__(self) -> None:
        self._queues: dict[str, ServerQueue] = {}

    def queue(self, line: ModelLine) -> ServerQueue:
        """The queue before the server of this line."""
        parts = urlsplit(line.base_url)
        address = f"{parts.scheme}://{parts.netloc}" if line.base_url else line.provider
        return self._queues.setdefault(address, ServerQueue())
