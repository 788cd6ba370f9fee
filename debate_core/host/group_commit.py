"""Writes commands for one debate: those that arrive during a write go together into the next transaction.

Each command is checked against the newest state, including the commands before it, while no other process writes to
the debate. Thread-safe. It knows no rules.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from debate_core.errors import Busy, DebateError
from debate_core.host.debate_cache import DebateCache
from debate_core.host.stores import Store
from debate_core.record.events import Event
from debate_core.record.fold import replay
from debate_core.record.state import State

Advance = Callable[[State], tuple[Sequence[Event], State]]
"""Maps a state to the events of one command and the state after them. DebateError refuses the command."""
OnWritten = Callable[[DebateCache, Sequence[Event]], object]
"""Receives the cache, already with all events, and the events of the commands."""


@dataclass(slots=True, eq=False)
class _QueuedCommand:
    advance: Advance
    error: DebateError | None = None
    is_done: bool = False


@dataclass(slots=True)
class _Queue:
    turn: threading.Lock = field(default_factory=threading.Lock)
    """The writing thread holds it."""
    waiting: deque[_QueuedCommand] = field(default_factory=deque)


class GroupCommit:
    """Writes the commands of this process for the debates of one store."""

    def __init__(self, store: Store, on_written: OnWritten) -> None:
        self._store = store
        self._on_written = on_written
        self._lock = threading.Lock()
        self._queues: WeakKeyDictionary[DebateCache, _Queue] = WeakKeyDictionary()

    def write(self, cache: DebateCache, advance: Advance) -> None:
        """Write one command; the cache has its events afterwards. The error of a refused command changes nothing.

        Another thread may call `advance`. A fault in it fails the thread that writes; the others then write alone.
        """
        with self._lock:
            queue = self._queues.setdefault(cache, _Queue())
        mine = _QueuedCommand(advance)
        queue.waiting.append(mine)
        with queue.turn:
            if not mine.is_done:
                group = [queue.waiting.popleft() for _ in queue.waiting.copy()] if mine in queue.waiting else [mine]
                self._write_group(cache, group)
        if mine.error is not None:
            raise mine.error

    def _write_group(self, cache: DebateCache, group: Sequence[_QueuedCommand]) -> None:
        before = cache.state
        written: list[Event] = []

        def following(newer: Sequence[Event]) -> Sequence[Event]:
            written.clear()
            state = replay(newer, before)
            for command in group:
                command.error = None
                try:
                    events, state = command.advance(state)
                except DebateError as error:
                    command.error = error
                else:
                    written.extend(events)
            return written

        try:
            events = self._store.extend(before.debate, following, after=before.version)
        except Busy as error:
            # The others would only wait as long again.
            for command in group:
                command.error, command.is_done = error, True
            return
        for command in group:
            command.is_done = True
        cache.absorb(events)
        if written:
            self._on_written(cache, written)
