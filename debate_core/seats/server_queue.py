"""The queues before the servers of models: who may call a server now, over all debates of all who share a board.

A server that answers one call at a time says nothing to the others, and their time would run out while they wait
there. So they wait here, before they are asked, and no time of theirs runs. While a server is out of reach, one call
at a time looks whether it is back, after waits that grow. Knows no debate and opens no connection.
"""

import secrets
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from typing import Protocol

from debate_core.seats.server_state import LineLimits, ServerState
from debate_core.seats.wires.token_limits import ServerLimits
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import calls_at_once, server_of
from debate_core.spec.values import Json

ServerChange = Callable[[ServerState, float], ServerState]
"""What becomes of what is known of a server, and when (seconds since 1970)."""


class Board(Protocol):
    """Where it is kept what is known of the servers. Nobody else changes it between what a change reads and gives."""

    def read(self, server: str) -> ServerState:
        """What is known of this server; it may be some tenths of a second old."""

    def change(self, server: str, change: ServerChange, *, at: datetime) -> ServerState:
        """Make this change; what is known of the server then. StoreError if it cannot be kept."""

    def tell(self, server: str, change: ServerChange, *, at: datetime) -> None:
        """Make this change, now or as soon as that is possible: what has happened must not be lost."""

    def servers(self) -> Mapping[str, ServerState]:
        """All that is known."""


class MemoryBoard:
    """A board in the memory of this process, for those who share it with nobody."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, ServerState] = {}

    def read(self, server: str) -> ServerState:
        return self._known.get(server) or ServerState()

    def change(self, server: str, change: ServerChange, *, at: datetime) -> ServerState:
        with self._lock:
            after = self._known[server] = change(self.read(server), at.timestamp())
        return after

    def tell(self, server: str, change: ServerChange, *, at: datetime) -> None:
        self.change(server, change, at=at)

    def servers(self) -> Mapping[str, ServerState]:
        with self._lock:
            return dict(self._known)


class ServerQueue:
    """The queue before one server, for one line of the panel file."""

    def __init__(self, board: Board | None = None, server: str = "", line: LineLimits | None = None) -> None:
        self.board = board or MemoryBoard()
        self.server = server
        self.line = line or LineLimits()

    def known(self) -> ServerState:
        """What is known of the server."""
        return self.board.read(self.server)

    def next_call(self, *, at: datetime) -> datetime | None:
        """When the line may be called at the earliest; None = nothing is known against now."""
        next_s = self.known().not_before_s(self.line, at.timestamp())
        if next_s is None:
            return None
        return datetime.fromtimestamp(next_s, UTC)

    def may_enter(self, *, at: datetime) -> bool:
        """False if it is known that there is no place: then there is no use in preparing a call."""
        return self.known().has_place(self.line, 1, at.timestamp())

    def enter(self, tokens: int = 0, *, at: datetime) -> "Place | None":
        """A place for a call that may use so many tokens, if there is one."""
        call_id = secrets.token_hex(6)

        def entered(known: ServerState, now_s: float) -> ServerState:
            return known.entered(call_id, self.line, tokens, now_s)

        after = self.board.change(self.server, entered, at=at)
        for call in after.calls:
            if call.id == call_id:
                return Place(self, call_id, is_look=call.is_look)
        return None

    def open(self, *, at: datetime, waits_hours: bool) -> None:
        """Somebody begins to ask, and wants to know at once whether it is back.

        Not `waits_hours`: they call even where the server asked to wait, and take its no.
        """
        self.line = self.line.model_copy(update={"heeds_waits": waits_hours})
        if self.known().next_look_s is not None:
            self.board.tell(self.server, lambda known, _now_s: known.look_now(), at=at)


class Place:
    """The right to one call to a server, from before the call until `leave`. It lapses unless it is renewed."""

    def __init__(self, queue: ServerQueue, call_id: str, *, is_look: bool) -> None:
        self.queue = queue
        self.id = call_id
        self.tokens: int | None = 0
        """What the call has used; None = that is not known."""
        self._is_look = is_look
        self._is_left = False

    def begin(self) -> None:
        """The call is made: from now on it may use what was reserved for it."""
        self.tokens = None

    def leave(self, *, at: datetime) -> None:
        """Give it back; a second time changes nothing."""
        if not self._is_left:
            self._is_left = True
            self._tell(lambda known, now_s: known.left(self.id, self.tokens, now_s), at)

    def answered(self, *, at: datetime) -> None:
        """The server has answered this call. One that began before the server was lost says nothing of now."""
        if self._is_look:
            self._is_look = False
            self._tell(lambda known, _now_s: known.answered(self.queue.line.model), at)

    def lost(self, *, at: datetime, asked_s: float) -> None:
        """No reply came; the server asks to wait at least `asked_s`."""
        self._tell(lambda known, now_s: known.lost(is_look=self._is_look, asked_s=asked_s, now_s=now_s), at)

    def told_to_wait(self, *, at: datetime, asked_s: float) -> None:
        """The server is there, and asks not to be called for this model for so long."""
        self.answered(at=at)
        model = self.queue.line.model
        self._tell(lambda known, now_s: known.told_to_wait(model, asked_s, now_s), at)

    def _tell(self, change: ServerChange, at: datetime) -> None:
        self.queue.board.tell(self.queue.server, change, at=at)


def renew_places(places: Iterable[Place], *, at: datetime) -> None:
    """These calls are still under way."""

    def server(place: Place) -> str:
        return place.queue.server

    for _server, group in groupby(sorted(places, key=server), server):
        same = list(group)
        ids = {place.id for place in same}
        same[0].queue.board.tell(same[0].queue.server, partial(_renewed, ids), at=at)


def _renewed(ids: set[str], known: ServerState, now_s: float) -> ServerState:
    return known.renewed(ids, now_s)


def _json(server: str, known: ServerState, now_s: float) -> Json:
    fields: dict[str, Json] = {"server": server, "circuit": known.circuit(now_s), "calls": len(known.under_way(now_s))}
    if known.down_since_s is not None:
        fields["down_since"] = _text(known.down_since_s)
    waits = {model: _text(until_s) for model, until_s in known.waits.items() if until_s > now_s}
    if waits:
        fields["asked_to_wait"] = waits
    return fields


def _text(at_s: float) -> str:
    return datetime.fromtimestamp(at_s, UTC).isoformat(timespec="seconds")


class Servers:
    """The servers that this process calls: one queue for each address, and what each does not take."""

    def __init__(self, board: Board | None = None) -> None:
        self.board = board or MemoryBoard()
        self._limits: dict[tuple[str, str, str], ServerLimits] = {}

    def queue(self, line: ModelLine) -> ServerQueue:
        """The queue before the server of this line."""
        limits = LineLimits(model=line.model, places=calls_at_once(line), tokens_per_minute=line.tokens_per_minute)
        return ServerQueue(self.board, server_of(line), limits)

    def told(self, *, at: datetime) -> list[Json]:
        """For monitors: each server that was ever called, whether calls pass now, and who was asked to wait."""
        now_s = at.timestamp()
        return [_json(server, known, now_s) for server, known in sorted(self.board.servers().items())]

    def circuits(self, *, at: datetime) -> Mapping[str, int]:
        """How many of them let calls pass (`closed`), and how many do not."""
        return Counter(known.circuit(at.timestamp()) for known in self.board.servers().values())

    def limits(self, line: ModelLine) -> ServerLimits:
        """What the server of this line does not take: every debate need not find it out again."""
        server = (line.base_url or line.provider, line.dialect, line.model)
        return self._limits.setdefault(server, ServerLimits())
