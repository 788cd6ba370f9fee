"""The messages of one process: its channels, the queue as a host sees it, and the sender where seats are asked."""

import asyncio
import secrets
from collections.abc import Callable
from datetime import datetime

from debate_core.host.debate_reader import DebateReader
from debate_core.host.messages.channels import MessageSettings
from debate_core.host.messages.delivery import deliver
from debate_core.host.messages.faults import DeliveryFault
from debate_core.host.messages.letters import LetterWriter
from debate_core.host.messages.outbox import Outbox, RetrySteps
from debate_core.host.messages.sender import LOOK_S, MessageSender
from debate_core.host.messages.watcher import Watcher
from debate_core.host.quotas import Cap, Open
from debate_core.host.stores import Store
from debate_core.sentence import Sentence

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
        self._store = store
        self._reader = reader
        self._clock = clock
        self._steps = steps
        self._look_s = look_s
        self._writer = LetterWriter(reader, settings)
        self._sender: MessageSender | None = None
        self._tests = Open(TESTS)
        self.settings = settings
        self.outbox = Outbox(store, clock=clock)

    def start(self) -> None:
        """Begin to send."""
        watcher = Watcher(self._store, self._reader.door, self.outbox, self.settings, clock=self._clock)
        self._sender = MessageSender(
            self._store,
            watcher,
            self.outbox,
            self._writer,
            self.settings,
            clock=self._clock,
            steps=self._steps,
            look_s=self._look_s,
        )
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
