"""The queue of messages and its dead letters, as notes beside the records: they survive a restart.

A queued message names its cause; its words are made from the record at each attempt. The id follows from the cause and
the channel, so that a repeated look adds nothing and every attempt has the same id. It sends nothing.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from pydantic import ValidationError

from debate_core.host.messages.faults import DeliveryFault, FaultReason
from debate_core.host.stores import Store
from debate_core.record.events import utc_text
from debate_core.report.facts.messages import Topic
from debate_core.spec.people import RoomRole
from debate_core.spec.values import Value

MESSAGE, CHANNEL = "message", "message-channel"
"""Kinds of notes: a message, and the latest deliveries of a channel."""
MAX_DELIVERIES = 20
"""Deliveries kept for each channel, for the page of messages."""


class QueuedMessage(Value):
    """A message for one channel. `person`: the id of its only addressee; empty = all readers of the channel."""

    channel: str
    debate: str
    topic: Topic
    key: str
    person: str = ""
    roles: tuple[RoomRole, ...] = ()
    at: str
    """Time at which it came up (UTC text)."""
    attempts: int = 0
    next_at: str = ""
    """Time of the next attempt (UTC text); empty = now."""
    reason: FaultReason | None = None
    """The latest fault, with its detail."""
    detail: str = ""
    is_dead: bool = False
    """True for a dead letter. It is one note with the queued message, so that a message is always one of the two."""

    @property
    def id(self) -> str:
        """`msg_` and 128 bits of a hash of the cause and the channel."""
        cause = "\n".join((self.channel, self.debate, self.topic, self.key, self.person))
        return f"msg_{hashlib.sha256(cause.encode()).hexdigest()[:32]}"


class Delivery(Value):
    """A message that a channel took. `debate` is empty for a test."""

    at: str
    """Time of the delivery (UTC text)."""
    debate: str = ""
    topic: Topic | None = None
    key: str = ""


class ChannelHealth(Value):
    """The deliveries of a channel: the latest successes, the latest fault, and the faults since the success."""

    delivered_at: str = ""
    failed_at: str = ""
    reason: FaultReason | None = None
    detail: str = ""
    failures: int = 0
    latest: tuple[Delivery, ...] = ()
    """Latest first, at most `MAX_DELIVERIES`."""


@dataclass(frozen=True, slots=True)
class RetrySteps:
    """Waits after failed attempts: `first_s`, then `factor` times as long each, plus up to a half by chance."""

    first_s: float = 5
    factor: float = 4
    attempts: int = 8
    """Seven waits of 5 s to 6 hours: a message is given up after 8 to 11 hours."""
    max_s: float = 6 * 3_600

    def wait(self, n_failed: int, *, chance: float) -> timedelta:
        """The wait after this number of failures; `chance` from 0 to 1."""
        usual_s = min(self.first_s * self.factor ** (n_failed - 1), self.max_s)
        return timedelta(seconds=usual_s * (1 + chance / 2))


class Outbox:
    """The queue of one store. Thread-safe, like its store."""

    def __init__(self, store: Store, *, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._clock = clock

    def add(self, message: QueuedMessage) -> None:
        """Queue a message, unless it is queued already or a dead letter."""
        self._store.add_note(MESSAGE, message.id, message.model_dump_json())

    def queued(self) -> tuple[QueuedMessage, ...]:
        """All queued messages, oldest first."""
        return tuple(sorted(self._read(is_dead=False), key=lambda one: one.at))

    def dead(self) -> tuple[QueuedMessage, ...]:
        """The dead letters, latest first."""
        return tuple(sorted(self._read(is_dead=True), key=lambda one: one.at, reverse=True))

    def dead_letter(self, message_id: str) -> QueuedMessage | None:
        return next((one for one in self._read(is_dead=True) if one.id == message_id), None)

    def drop(self, message: QueuedMessage) -> None:
        """Drop a message or dead letter."""
        self._store.drop_note(MESSAGE, message.id)

    def send_again(self, message: QueuedMessage) -> None:
        """Queue a dead letter with all its attempts."""
        again = {"attempts": 0, "next_at": "", "reason": None, "detail": "", "is_dead": False}
        self._put(message.model_copy(update=again))

    def note_delivered(self, message: QueuedMessage) -> None:
        self.drop(message)
        self.note_attempt(message.channel, None, message)

    def note_failed(self, message: QueuedMessage, fault: DeliveryFault, steps: RetrySteps, *, chance: float) -> None:
        """Put off a message after a failed attempt, or make it a dead letter."""
        n_failed = message.attempts + 1
        wait = max(steps.wait(n_failed, chance=chance), timedelta(seconds=fault.wait_s))
        next_at = utc_text(self._clock() + wait)
        told = {"reason": fault.reason, "detail": fault.detail}
        failed = message.model_copy(update={"attempts": n_failed, "next_at": next_at, **told})
        self.note_attempt(message.channel, fault)
        if fault.permanent or n_failed >= steps.attempts:
            self.give_up(failed)
        else:
            self._put(failed)

    def give_up(self, message: QueuedMessage) -> None:
        """Make a queued message a dead letter."""
        self._put(message.model_copy(update={"is_dead": True}))

    def note_attempt(self, channel: str, fault: DeliveryFault | None, message: QueuedMessage | None = None) -> None:
        """Keep the result of an attempt; without a message it was a test."""
        now = utc_text(self._clock())
        delivery = Delivery(at=now)
        if message is not None:
            delivery = Delivery(at=now, debate=message.debate, topic=message.topic, key=message.key)

        def noted(text: str | None, _now_s: float) -> str:
            known = _health(text)
            if fault is None:
                latest = (delivery, *known.latest)[:MAX_DELIVERIES]
                taken = {"delivered_at": now, "failures": 0, "latest": latest}
                return known.model_copy(update=taken).model_dump_json()
            update = {"failed_at": now, "reason": fault.reason, "detail": fault.detail, "failures": known.failures + 1}
            return known.model_copy(update=update).model_dump_json()

        self._store.change_note(CHANNEL, channel, noted)

    def health(self, channel: str) -> ChannelHealth:
        """The latest deliveries of a channel."""
        return _health(self._store.note(CHANNEL, channel))

    def _put(self, message: QueuedMessage) -> None:
        self._store.put_note(MESSAGE, message.id, message.model_dump_json())

    def _read(self, *, is_dead: bool) -> Iterator[QueuedMessage]:
        for text in self._store.notes(MESSAGE).values():
            message = _parse(text)
            if message is not None and message.is_dead is is_dead:
                yield message


def _parse(text: str) -> QueuedMessage | None:
    """The message of a note; None if another version wrote it, which then also sends it."""
    try:
        return QueuedMessage.model_validate_json(text)
    except ValidationError:
        return None


def _health(text: str | None) -> ChannelHealth:
    try:
        return ChannelHealth.model_validate_json(text or "{}")
    except ValidationError:
        return ChannelHealth()
