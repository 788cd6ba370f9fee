"""Writes commands for one debate: those that arrive during a write go together into the next transaction.

Each command is checked against the newest state, including the commands before it, while no other process writes to
the debate. Thread-safe. It knows no rules.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from debate_core.errors import Busy
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
    error: Exception | None = None
    is_done: bool = False


class _Queue:
    """The commands for one debate, of which one thread at a time writes all that wait."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.waiting: list[_QueuedCommand] = []
        self._is_writing = False

    def comes_to_write(self, mine: _QueuedCommand) -> bool:
        """Wait in the queue; True once this thread has to write, False if another one has written its command."""
        with self._changed:
            self.waiting.append(mine)
            self._changed.wait_for(lambda: mine.is_done or not self._is_writing)
            if mine.is_done:
                return False
            self._is_writing = True
            return True

    def take(self, mine: _QueuedCommand) -> list[_QueuedCommand]:
        """Take all that wait; only this one if it was taken before, by a thread that failed."""
        with self._changed:
            if mine not in self.waiting:
                return [mine]
            taken, self.waiting = self.waiting, []
            return taken

    def end_writing(self) -> None:
        """Let the next thread write."""
        with self._changed:
            self._is_writing = False
            self._changed.notify_all()


class GroupCommit:
    """Writes the commands of this process for the debates of one store."""

    def __init__(self, store: Store, on_written: OnWritten) -> None:
        self._store = store
        self._on_written = on_written
        self._lock = threading.Lock()
        self._queues: WeakKeyDictionary[DebateCache, _Queue] = WeakKeyDictionary()

    def write(self, cache: DebateCache, advance: Advance) -> None:
        """Write one command; the cache has its events afterwards. The error of a refused command changes nothing.

        Another thread may call `advance`; its error is raised here and changes nothing for the others.
        """
        with self._lock:
            queue = self._queues.setdefault(cache, _Queue())
        mine = _QueuedCommand(advance)
        if queue.comes_to_write(mine):
            try:
                self._write_group(cache, queue, mine)
            finally:
                queue.end_writing()
        if mine.error is not None:
            raise mine.error

    def _write_group(self, cache: DebateCache, queue: _Queue, mine: _QueuedCommand) -> None:
        before = cache.state
        group: list[_QueuedCommand] = []
        written: list[Event] = []

        def following(newer: Sequence[Event]) -> Sequence[Event]:
            # Only now is it this process's turn: commands that came meanwhile are written too.
            group.extend(() if group else queue.take(mine))
            written.clear()
            state = replay(newer, before)
            for command in group:
                command.error = None
                try:
                    events, state = command.advance(state)
                except Exception as error:  # noqa: BLE001 - raised in the thread whose command it is
                    command.error = error
                else:
                    written.extend(events)
            return written

        try:
            events = self._store.extend(before.debate, following, after=before.version)
        except Busy as error:
            # The others would only wait as long again.
            for command in group or queue.take(mine):
                command.error, command.is_done = error, True
            return
        for command in group:
            command.is_done = True
        cache.absorb(events)
        if written:
            self._on_written(cache, written)
