"""The messages of one process: its channels, the queue as a host sees it, and the sender where seats are asked.

Of several such processes one sends: a lease of the store decides which. Each channel gets one message at a time, so
that a slow one delays no other. A message leaves the queue after the receiver took it: if the process ends in between,
it is sent again with the same id.
"""

import asyncio
import logging
import random
import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from debate_core.errors import Leased, StoreError
from debate_core.host.debate_reader import DebateReader
from debate_core.host.messages.channels import MessageChannel, MessageSettings
from debate_core.host.messages.delivery import deliver
from debate_core.host.messages.faults import DeliveryFault
from debate_core.host.messages.letters import LetterWriter
from debate_core.host.messages.outbox import Outbox, QueuedMessage, RetrySteps
from debate_core.host.messages.watcher import Watcher
from debate_core.host.quotas import Cap, Open
from debate_core.host.stores import Lease, Store
from debate_core.host.stores.owner import this_process
from debate_core.record.events import utc_text
from debate_core.sentence import Sentence

log = logging.getLogger(__name__)
LOOK_S = 2.0
LEASE_NAME = "messages.sender"
"""No debate has this id: it contains a dot."""
LEASE_S = 30.0
RENEW_S = 10.0


class MessageSender:
    """The sender of one process."""

    def __init__(
        self,
        store: Store,
        watcher: Watcher,
        outbox: Outbox,
        writer: LetterWriter,
        settings: MessageSettings,
        *,
        clock: Callable[[], datetime],
        steps: RetrySteps,
        look_s: float,
    ) -> None:
        self._store = store
        self._watcher = watcher
        self._outbox = outbox
        self._writer = writer
        self._settings = settings
        self._clock = clock
        self._steps = steps
        self._look_s = look_s
        self._lease: Lease | None = None
        self._renewed_s = 0.0
        self._ending = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._wake = asyncio.Event()
        self._sending: dict[str, asyncio.Task[None]] = {}
        """Channel -> the task that sends its messages."""
        self._thread = threading.Thread(target=self._run, name="messages", daemon=True)

    def start(self) -> None:
        """Begin to look and to send."""
        self._thread.start()

    def close(self, drain_s: float = 0) -> None:
        """Begin no attempt, and cancel those under way after `drain_s`; what is not delivered stays queued."""
        self._ending.set()
        self._loop.call_soon_threadsafe(self._wake.set)
        self._thread.join(drain_s)
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._cancel_all)
            self._thread.join()

    def _cancel_all(self) -> None:
        for task in self._sending.values():
            task.cancel()

    # The methods below run on the thread.

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._look_on())
        finally:
            self._loop.close()

    async def _look_on(self) -> None:
        while not self._ending.is_set():
            self._wake.clear()
            look = asyncio.create_task(self._look())
            await asyncio.wait((look,))
            if error := look.exception():
                log.warning("messages wait: %s", error, exc_info=None if isinstance(error, StoreError) else error)
            try:
                await asyncio.wait_for(self._wake.wait(), self._look_s)
            except TimeoutError:
                continue
        if self._sending:
            await asyncio.wait(self._sending.values())
        if self._lease is not None:
            self._store.release(self._lease)

    async def _look(self) -> None:
        if not self._holds_lease():
            return
        self._watcher.look(self._ending.is_set)
        now = utc_text(self._clock())
        ready: defaultdict[str, list[QueuedMessage]] = defaultdict(list)
        for message in self._outbox.queued():
            if message.next_at <= now:
                ready[message.channel].append(message)
        for name, messages in ready.items():
            channel = self._settings.channels.get(name)
            if channel is None:
                for message in messages:
                    self._outbox.give_up(message.model_copy(update={"reason": "no_channel", "detail": ""}))
            elif name not in self._sending:
                task = self._sending[name] = asyncio.create_task(self._send_all(channel, messages))
                task.add_done_callback(partial(self._sent, name))

    def _holds_lease(self) -> bool:
        """True if this process sends; takes or renews the lease."""
        try:
            if self._lease is None:
                self._lease = self._store.acquire(LEASE_NAME, this_process(), ttl_s=LEASE_S)
                self._watcher.forget()
            elif time.monotonic() - self._renewed_s > RENEW_S:
                self._store.renew(self._lease, ttl_s=LEASE_S)
            else:
                return True
        except Leased:
            self._lease = None
            return False
        self._renewed_s = time.monotonic()
        return True

    def _sent(self, name: str, task: "asyncio.Task[None]") -> None:
        del self._sending[name]
        if not task.cancelled() and (error := task.exception()):
            log.warning("messages for %s wait: %s", name, error)

    async def _send_all(self, channel: MessageChannel, messages: Sequence[QueuedMessage]) -> None:
        for message in messages:
            if self._ending.is_set():
                return
            (error,) = await asyncio.gather(self._send(channel, message), return_exceptions=True)
            if isinstance(error, Exception):
                # A record that cannot be read, or a fault of this program, must not hold up the messages behind it.
                log.error("%s could not be sent", message.id, exc_info=error)
                self._note_fault(channel, message, DeliveryFault("broken", type(error).__name__))

    async def _send(self, channel: MessageChannel, message: QueuedMessage) -> None:
        letter = self._writer.write(message, channel, now=self._clock())
        if letter is None:
            self._outbox.drop(message)
            return
        fault = await deliver(letter, channel, self._settings)
        if fault is None:
            self._outbox.note_delivered(message)
            return
        self._note_fault(channel, message, fault)

    def _note_fault(self, channel: MessageChannel, message: QueuedMessage, fault: DeliveryFault) -> None:
        log.warning("%s was not delivered to %s (%s %s)", message.id, channel.name, fault.reason, fault.detail)
        self._outbox.note_failed(message, fault, self._steps, chance=random.random())


TESTS = Cap(2, 5, Sentence("Other tests of messages are being sent: wait half a minute, then press again."))


class PostOffice:
    """The channels and the queue. Thread-safe."""

    def __init__(
        self,
        store: Store,
        reader: DebateReader,
        settings: MessageSettings,
        *,
        clock: Callable[[], datetime],
        steps: RetrySteps | None = None,
        look_s: float = LOOK_S,
    ) -> None:
        self.settings = settings
        self.outbox = Outbox(store, clock=clock)
        self._clock = clock
        self._writer = LetterWriter(reader, settings)
        self._tests = Open(TESTS)
        self._sender: MessageSender | None = None
        watcher = Watcher(store, reader.door, self.outbox, settings, clock=clock)
        parts = store, watcher, self.outbox, self._writer, settings
        self._new_sender = partial(MessageSender, *parts, clock=clock, steps=steps or RetrySteps(), look_s=look_s)

    def start(self) -> None:
        """Begin to send."""
        self._sender = self._new_sender()
        self._sender.start()

    def close(self, drain_s: float = 0) -> None:
        """Stop sending; attempts under way get `drain_s`."""
        if self._sender is not None:
            self._sender.close(drain_s)
            self._sender = None

    def send_test(self, name: str, *, client: str = "") -> DeliveryFault | None:
        """Send a test to this channel now, and wait for the result; None = the receiver took it.

        TooMany if `client` tests others at the moment; empty = this machine.
        """
        channel = self.settings.channels[name]
        letter = self._writer.write_test(channel, now=self._clock(), letter_id=f"msg_{secrets.token_hex(16)}")
        with self._tests.one(client):
            fault = asyncio.run(deliver(letter, channel, self.settings))
        self.outbox.note_attempt(name, fault)
        return fault
