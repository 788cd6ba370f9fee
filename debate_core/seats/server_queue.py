"""Queues for calls to model servers, shared by all debates of all processes with a common board.

A server that answers one call at a time would let the deadlines of other calls run out. So calls wait here, before
their deadline starts. While a server is out of reach, one call at a time checks it, after growing waits. Knows no
debate and opens no connection.
"""

import secrets
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Protocol

from debate_core.seats.providers.token_limits import ServerLimits
from debate_core.seats.server_state import LineLimits, ServerState
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import calls_at_once, server_of
from debate_core.spec.values import Json

ServerChange = Callable[[ServerState, float], ServerState]
"""Change of a server's state at a time (seconds since 1970)."""


class Board(Protocol):
    """Store for the states of servers. A change is atomic."""

    def read(self, server: str) -> ServerState:
        """The state of this server; it may be some tenths of a second old."""

    def change(self, server: str, change: ServerChange, *, at: datetime) -> ServerState:
        """Apply a change and return the new state. StoreError if it cannot be kept."""

    def tell(self, server: str, change: ServerChange, *, at: datetime) -> None:
        """Apply a change now or as soon as possible: it reports an event that must not be lost."""

    def servers(self) -> Mapping[str, ServerState]:
        """Server -> state, for all known servers."""


class MemoryBoard:
    """A board in the memory of this process."""

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
    """The queue of one server, for one line of the panel file."""

    def __init__(self, board: Board | None = None, server: str = "", line: LineLimits | None = None) -> None:
        self.board = board or MemoryBoard()
        self.server = server
        self.line = line or LineLimits()

    def known(self) -> ServerState:
        return self.board.read(self.server)

    def next_call(self, *, at: datetime) -> datetime | None:
        """The earliest time for a call of this line; None = no restriction is known."""
        next_s = self.known().not_before_s(self.line, at.timestamp())
        return None if next_s is None else datetime.fromtimestamp(next_s, UTC)

    def may_enter(self, *, at: datetime) -> bool:
        """False if the server is known to have no free place, so that preparing a call is useless."""
        return self.known().has_place(self.line, 1, at.timestamp())

    def enter(self, tokens: int = 0, *, at: datetime) -> "Place | None":
        """Reserve a place for a call of at most `tokens`; None if there is none."""
        call_id = secrets.token_hex(6)

        after = self.board.change(
            self.server, lambda known, now_s: known.entered(call_id, self.line, tokens, now_s), at=at
        )
        place = next((call for call in after.calls if call.id == call_id), None)
        return Place(self, call_id, is_look=place.is_look) if place else None

    def open(self, *, at: datetime, waits_hours: bool) -> None:
        """Start a run on this server and check it at once.

        `waits_hours`: False for a run that calls even during a wait that the server asked for.
        """
        self.line = self.line.model_copy(update={"heeds_waits": waits_hours})
        if self.known().next_look_s is not None:
            self.board.tell(self.server, lambda known, _now_s: known.look_now(), at=at)


class Place:
    """The right to one call to a server, from before the call until `leave`. It expires unless it is renewed."""

    def __init__(self, queue: ServerQueue, call_id: str, *, is_look: bool) -> None:
        self.queue = queue
        self.id = call_id
        self.tokens: int | None = 0
        """Tokens that the call used; None = unknown."""
        self._is_look = is_look
        self._is_left = False

    def begin(self) -> None:
        """Mark the call as sent: from now on it may use its reservation."""
        self.tokens = None

    def leave(self, *, at: datetime) -> None:
        """Give the place back; a second call changes nothing."""
        if not self._is_left:
            self._is_left = True
            self._tell(lambda known, now_s: known.left(self.id, self.tokens, now_s), at)

    def answered(self, *, at: datetime) -> None:
        """Report an answer. Only a check counts: a call from before the server was lost proves nothing."""
        if self._is_look:
            self._is_look = False
            self._tell(lambda known, _now_s: known.answered(self.queue.line.model), at)

    def lost(self, *, at: datetime, asked_s: float) -> None:
        """Report a lost call; the server asks to wait at least `asked_s`."""
        self._tell(lambda known, now_s: known.lost(is_look=self._is_look, asked_s=asked_s, now_s=now_s), at)

    def told_to_wait(self, *, at: datetime, asked_s: float) -> None:
        """Report that the server asks not to be called for this model for `asked_s`."""
        self.answered(at=at)
        model = self.queue.line.model
        self._tell(lambda known, now_s: known.told_to_wait(model, asked_s, now_s), at)

    def _tell(self, change: ServerChange, at: datetime) -> None:
        self.queue.board.tell(self.queue.server, change, at=at)


def renew_places(places: Iterable[Place], *, at: datetime) -> None:
    """Extend the places of running calls."""
    by_server = defaultdict[str, list[Place]](list)
    for place in places:
        by_server[place.queue.server].append(place)
    for server, same in by_server.items():
        renew = partial(_renew, {place.id for place in same})
        same[0].queue.board.tell(server, renew, at=at)


def _renew(call_ids: set[str], known: ServerState, now_s: float) -> ServerState:
    return known.renewed(call_ids, now_s)


def _status_of(server: str, known: ServerState, now_s: float) -> Json:
    fields: dict[str, Json] = {"server": server, "circuit": known.circuit(now_s), "calls": len(known.under_way(now_s))}
    if known.down_since_s is not None:
        fields["down_since"] = _format_time(known.down_since_s)
    waits = {model: _format_time(until_s) for model, until_s in known.waits.items() if until_s > now_s}
    if waits:
        fields["asked_to_wait"] = waits
    return fields


def _format_time(at_s: float) -> str:
    return datetime.fromtimestamp(at_s, UTC).isoformat(timespec="seconds")


class Servers:
    """The servers that this process calls: one queue and the learned limits for each."""

    def __init__(self, board: Board | None = None) -> None:
        self.board = board or MemoryBoard()
        self._limits: dict[tuple[str, str, str], ServerLimits] = {}

    def queue(self, line: ModelLine) -> ServerQueue:
        limits = LineLimits(model=line.model, places=calls_at_once(line), tokens_per_minute=line.tokens_per_minute)
        return ServerQueue(self.board, server_of(line), limits)

    def told(self, *, at: datetime) -> list[Json]:
        """Status of every called server for monitors: its circuit, its calls, its waits."""
        now_s = at.timestamp()
        return [_status_of(server, known, now_s) for server, known in sorted(self.board.servers().items())]

    def circuits(self, *, at: datetime) -> Mapping[str, int]:
        """Number of servers by state of their circuit."""
        return Counter(known.circuit(at.timestamp()) for known in self.board.servers().values())

    def limits(self, line: ModelLine) -> ServerLimits:
        """The learned limits of this server, shared by all debates."""
        server = (line.base_url or line.provider, line.dialect, line.model)
        return self._limits.setdefault(server, ServerLimits())
