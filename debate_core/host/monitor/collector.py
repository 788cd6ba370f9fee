"""Sends the spans of debates to an OpenTelemetry collector, from a separate thread.

Spans cover the events that this process appended, so that all processes together send each one once. An unavailable or
slow collector costs spans, never a turn: overflow of the queue is dropped and counted.
"""

import logging
import queue
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from debate_core.errors import StoreError
from debate_core.host.stores import Store
from debate_core.record.events import Event
from debate_core.report.facts.spans import READS, SpanReader, TraceSpan
from debate_core.report.files.otlp import SERVICE, otlp_json

log = logging.getLogger(__name__)
MOST_WAITING = 2_000
"""Queued appends: minutes of a busy day."""
MOST_KNOWN = 500
"""Debates whose span state is cached; others are read from the store."""
TIMEOUT_S = 10.0
_END: tuple[Event, ...] = ()


class Collector:
    """Converts events to spans and sends them. `dropped` counts appends without sent spans."""

    def __init__(self, store: Store, url: str, *, headers: Mapping[str, str], service: str = "") -> None:
        self._store = store
        self._url = url
        self._headers = {"Content-Type": "application/json", **headers}
        self._service = service or SERVICE
        self._waiting: queue.Queue[Sequence[Event]] = queue.Queue(MOST_WAITING)
        self._readers: OrderedDict[str, SpanReader] = OrderedDict()
        self._away = False
        self.dropped = 0
        self._thread = threading.Thread(target=self._send_all, name="spans", daemon=True)
        self._thread.start()

    def appended(self, events: Sequence[Event]) -> None:
        """Queue events that this process appended; never waits."""
        if not any(event.kind in READS for event in events):
            return
        try:
            self._waiting.put_nowait(events)
        except queue.Full:
            self.dropped += 1

    def close(self) -> None:
        """Send queued events, as far as possible within the timeout of one call."""
        try:
            self._waiting.put(_END, timeout=TIMEOUT_S)
        except queue.Full:
            return
        self._thread.join(TIMEOUT_S)

    def _send_all(self) -> None:
        goes_on = True
        while goes_on:
            batches = [self._waiting.get()]
            while batches[-1] is not _END and not self._waiting.empty():
                batches.append(self._waiting.get())
            if batches[-1] is _END:
                batches.pop()
                goes_on = False
            spans = [span for batch in batches for span in self._make_spans(batch)]
            if spans and not self._send(otlp_json(spans, service=self._service)):
                self.dropped += len(batches)

    def _make_spans(self, events: Sequence[Event]) -> list[TraceSpan]:
        """The spans that these events ended. Earlier events of other processes are read from the store."""
        debate_id = events[0].debate
        first = events[0].seq
        reader = self._readers.pop(debate_id, None) or SpanReader()
        try:
            before = self._store.load(debate_id, reader.seq) if reader.seq < first - 1 else ()
        except StoreError:
            self.dropped += 1
            return []
        for event in before:
            if event.seq < first:
                reader.take(event)
        spans = [span for event in events for span in reader.take(event)]
        if events[-1].kind != "closed":
            self._readers[debate_id] = reader
            if len(self._readers) > MOST_KNOWN:
                self._readers.popitem(last=False)
        return spans

    def _send(self, text: str) -> bool:
        """Send spans; True if the collector accepted them. An outage is logged once."""
        request = Request(self._url, text.encode(), self._headers, method="POST")
        try:
            with urlopen(request, timeout=TIMEOUT_S):
                self._away = False
                return True
        except (OSError, HTTPException) as error:
            why = f"it answered {error.code}" if isinstance(error, HTTPError) else type(error).__name__
        if not self._away:
            log.warning("the collector accepted no spans: %s", why)
        self._away = True
        return False
