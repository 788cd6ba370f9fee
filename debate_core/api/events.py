"""The events of a debate as server-sent events: past ones first, then live ones, until the client leaves.

Each client is a task that looks for news; a thread reads only when there is any. An event that the pages withhold has
only its number, time and kind.
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor

from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from debate_core.api.answers import NO_STORE, RecordLine
from debate_core.api.reading import TokenReader
from debate_core.errors import StoreError
from debate_core.host.quotas import TOKEN_STREAMS, Open
from debate_core.record.events import Event, dump_event

POLL_S = 0.25
LOOK_S = 3.0
"""Interval of checks that the token is valid and still reads the debate."""
HEARTBEAT_S = 15.0
"""Proxies close a connection that is silent for longer, often a minute."""
RETRY_MS = 3_000
MAX_BATCH = 200
_FOLLOWERS = ThreadPoolExecutor(1, "api-events")
_open = Open(TOKEN_STREAMS)


class EventStream(Response):
    """The stream of one client, from the event with the number `after` + 1. TooMany above the limit of open streams."""

    media_type = "text/event-stream"

    def __init__(self, reader: TokenReader, debate_id: str, *, after: int) -> None:
        # Proxies must not collect the stream.
        super().__init__(media_type=self.media_type, headers={**NO_STORE, "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._reader = reader
        self._debate = debate_id
        # Held here, so that a look for news never loads the record.
        self._cache = reader.host.cache(debate_id)
        self._sent = after

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream; for HEAD only its headers."""
        if scope["method"] == "HEAD":
            await super().__call__(scope, receive, send)
            return
        with _open.one(self._reader.token.id):
            stream = StreamingResponse(self._parts(), headers=dict(self.headers))
            await stream(scope, receive, send)

    async def _parts(self) -> AsyncIterator[str]:
        yield f"retry: {RETRY_MS}\n\n"
        loop = asyncio.get_running_loop()
        looked_s = sent_s = loop.time()
        while not server_stops():
            now_s = loop.time()
            is_check_due = now_s - looked_s >= LOOK_S
            if is_check_due or self._has_news():
                looked_s = now_s
                news = await loop.run_in_executor(_FOLLOWERS, self._news)
                if news is None:
                    return
                if news:
                    sent_s = now_s
                    yield news
                    continue
            if now_s - sent_s >= HEARTBEAT_S:
                sent_s = now_s
                yield ":\n\n"
            await asyncio.sleep(POLL_S)

    def _has_news(self) -> bool:
        try:
            return self._reader.host.cache(self._debate).state.version > self._sent
        except StoreError:
            return False

    def _news(self) -> str | None:
        """The next messages, at most MAX_BATCH; None if the token does not read the debate now, or the store fails."""
        try:
            if not self._reader.is_valid(self._debate):
                return None
            account = self._reader.account(self._debate)
            is_withheld = bool(self._reader.withheld(account))
        except StoreError:
            return None
        new = account.events[self._sent : self._sent + MAX_BATCH]
        self._sent += len(new)
        return "".join(messages(new, is_withheld=is_withheld))


def messages(events: tuple[Event, ...], *, is_withheld: bool) -> Iterator[str]:
    """One message for each event: its number, and its line of the record, shortened while the record is withheld."""
    for event in events:
        data = _withheld_line(event) if is_withheld else dump_event(event)
        yield f"id: {event.seq}\ndata: {data}\n\n"


def _withheld_line(event: Event) -> str:
    line = RecordLine(debate=event.debate, seq=event.seq, at=event.at, kind=event.kind, withheld=True)
    return line.model_dump_json(exclude_none=True)


def server_stops() -> bool:
    """True once the server was asked to stop; it waits for all answers, and a stream would never end."""
    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    return bool(getattr(server, "should_exit", False))
