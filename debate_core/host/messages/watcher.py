"""Looks for new messages: compares each debate with its state at the last look, and queues what is new.

A note per debate keeps how far the last look came, so that a process that takes over continues there. No debate waits
for a look.
"""

import logging
from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime, timedelta

from pydantic import ValidationError

from debate_core.errors import BrokenRecord, NewerRecord, UnknownDebate
from debate_core.host import origin
from debate_core.host.access.door import Door
from debate_core.host.messages.channels import MessageSettings
from debate_core.host.messages.letters import addressees
from debate_core.host.messages.outbox import Outbox, QueuedMessage
from debate_core.host.stores import Store
from debate_core.record.events import utc_text
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.report.facts.messages import DebateMoment, Message, new_messages, next_time
from debate_core.spec.values import Value

log = logging.getLogger(__name__)
LOOKED = "message-look"
"""Kind of the notes."""
STALE = timedelta(days=1)
"""Events older than this give no message: messages were off, or no process was up."""
MAX_STATES = 50
"""States kept for the next look, of debates under way."""


class LookedAt(Value):
    """The last look at a debate: its version, the time, and the time of the next message without an event."""

    version: int
    at: str
    next_at: str = ""


class Watcher:
    """Queues the new messages of all debates of a store; used by one thread."""

    def __init__(
        self, store: Store, door: Door, outbox: Outbox, settings: MessageSettings, *, clock: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._door = door
        self._outbox = outbox
        self._settings = settings
        self._clock = clock
        self._looks: dict[str, LookedAt] | None = None
        self._states: OrderedDict[str, State] = OrderedDict()

    def forget(self) -> None:
        """Read the notes again at the next look, because another process may have looked in between."""
        self._looks = None
        self._states.clear()

    def look(self, is_ending: Callable[[], bool]) -> None:
        """Look at every debate with new events, or whose time has come. StoreError if the store fails."""
        if self._looks is None:
            self._looks = _read_looks(self._store)
        now = utc_text(self._clock())
        for debate_id, version in self._store.debates().items():
            looked = self._looks.get(debate_id)
            is_due = looked is not None and "" < looked.next_at <= now
            if is_ending():
                return
            if looked is None or looked.version != version or is_due:
                try:
                    self._looks[debate_id] = self._look_at(debate_id, looked)
                except (BrokenRecord, NewerRecord, UnknownDebate) as error:
                    # One unreadable record must not silence the others; a look at it comes with its next event.
                    log.warning("%s gives no messages: %s", debate_id, error)
                    self._looks[debate_id] = LookedAt(version=version, at=now)

    def _look_at(self, debate_id: str, looked: LookedAt | None) -> LookedAt:
        now = self._clock()
        before, state, is_stale = self._read(debate_id, looked, now)
        since = datetime.fromisoformat(looked.at) if looked else now - STALE
        next_at = None
        if origin.is_own(self._store, debate_id):
            # Old events are as good as known, but a review that came due in the meantime is not.
            known = DebateMoment(state if is_stale else before, since)
            for told in new_messages(known, DebateMoment(state, now)):
                self._queue(told, state, now)
            next_at = next_time(state, now)
        found = LookedAt(version=state.version, at=utc_text(now), next_at=utc_text(next_at) if next_at else "")
        self._store.put_note(LOOKED, debate_id, found.model_dump_json())
        self._states.pop(debate_id, None)
        if state.outcome is None:
            self._states[debate_id] = state
            if len(self._states) > MAX_STATES:
                self._states.popitem(last=False)
        return found

    def _read(self, debate_id: str, looked: LookedAt | None, now: datetime) -> tuple[State | None, State, bool]:
        """The state at the last look, the state now, and whether the events since then are too old."""
        before = self._states.get(debate_id)
        version = looked.version if looked else 0
        if before is None or before.version != version:
            events = self._store.load(debate_id)
            old, new = events[:version], events[version:]
            before = replay(old) if old else None
        else:
            new = self._store.load(debate_id, before.version)
        state = replay(new, before) if new or before is None else before
        is_stale = bool(new) and now - datetime.fromisoformat(new[-1].at) > STALE
        return before, state, is_stale

    def _queue(self, told: Message, state: State, now: datetime) -> None:
        for channel in self._settings.channels.values():
            for person in addressees(channel, told, state, self._door):
                self._outbox.add(
                    QueuedMessage(
                        channel=channel.name,
                        debate=state.debate,
                        topic=told.topic,
                        key=told.key if person else told.group or told.key,
                        person=person,
                        roles=told.roles,
                        at=utc_text(now),
                    )
                )


def _read_looks(store: Store) -> dict[str, LookedAt]:
    looks = {}
    for debate_id, text in store.notes(LOOKED).items():
        try:
            looks[debate_id] = LookedAt.model_validate_json(text)
        except ValidationError:
            # Another version wrote it; the look is taken from the beginning, and ids keep messages from coming twice.
            continue
    return looks
