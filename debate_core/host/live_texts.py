"""Sends texts of turns being given from the process that asks the seats to all others, through PostgreSQL.

Every 30 ms the asking process sends new text as NOTIFY messages and stores it in an unlogged table until the end of the
turn, for processes that start later, lost their connection or stop a debate. Records do not depend on it: the turn
itself contains the text. Knows no rules.
"""

import json
import logging
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import psycopg

from debate_core.errors import StoreError
from debate_core.host.debate_cache import DebateCache, DebateCaches
from debate_core.host.settings import Worker

CHANNEL = "debate_texts"
TELL_S = 0.03
PIECE_CHARS = 1_000
"""Per piece: several fit into one notification in any script."""
NOTICE_BYTES = 7_900
"""PostgreSQL's limit is 8,000 bytes."""
RETRY_S = 1.0
OLD = "1 day"
"""Age at which rows of killed workers are deleted."""

log = logging.getLogger(__name__)
Connect = Callable[[], "psycopg.Connection[Any]"]
Side = tuple[str, bool]
"""A request, and whether the text is the model's reasoning before its turn."""


class TextPiece(NamedTuple):
    """Replaces the text from `start` on by `more`. Streams, and pieces within one, have ascending numbers."""

    debate: str
    request: str
    thinking: bool
    stream: int
    number: int
    start: int
    more: str


@dataclass(slots=True)
class _Saying:
    """One text as received; `number` is that of its last piece."""

    stream: int
    number: int
    text: str

    @property
    def age(self) -> tuple[int, int]:
        return self.stream, self.number

    def take(self, piece: TextPiece) -> bool:
        """Add the piece; False if an earlier one is missing."""
        if piece.number <= self.number:
            return True
        if piece.number > self.number + 1 or piece.start > len(self.text):
            return False
        self.number = piece.number
        self.text = self.text[: piece.start] + piece.more
        return True


class Publisher:
    """Sends what the seats of this process say; `running` are its debates."""

    def __init__(self, connect: Connect, caches: DebateCaches, running: Callable[[], Collection[str]]) -> None:
        self._connect = connect
        self._caches = caches
        self._running = running
        self._feeds: dict[str, int] = {}
        self._told: dict[str, dict[Side, _Saying]] = {}
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._send_all, name="publishing texts", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self._thread.join()

    def _send_all(self) -> None:
        while not self._closing.is_set():
            try:
                with self._connect() as db:
                    db.execute("DELETE FROM live_texts WHERE at < now() - %s::interval", [OLD])
                    # After a reconnect it is unknown which pieces arrived: send everything again.
                    self._feeds = {}
                    self._told = {}
                    while not self._closing.wait(TELL_S):
                        self._send_news(db)
            except (psycopg.Error, OSError) as error:
                log.warning("texts cannot be sent for now: %s", " ".join(str(error).split()))
                self._closing.wait(RETRY_S)

    def _send_news(self, db: "psycopg.Connection[Any]") -> None:
        pieces: list[TextPiece] = []
        ended: list[int] = []
        for debate_id in {*self._running(), *self._told}:
            cache = self._caches.known(debate_id)
            if cache is None or self._feeds.get(debate_id) == cache.feed:
                continue
            self._feeds[debate_id] = cache.feed
            told = self._told.setdefault(debate_id, {})
            now = _current_texts(cache)
            ended += [told.pop(side).stream for side in list(told) if side not in now]
            for side, text in now.items():
                pieces += self._news(db, debate_id, side, text, told)
            if not told:
                del self._told[debate_id]
        if pieces or ended:
            _write_pieces(db, pieces, ended)

    def _news(
        self, db: "psycopg.Connection[Any]", debate_id: str, side: Side, text: str, told: dict[Side, _Saying]
    ) -> Iterator[TextPiece]:
        if side not in told:
            row = db.execute("SELECT nextval('live_streams')").fetchone()
            assert row is not None
            told[side] = _Saying(int(row[0]), -1, "")
        stream = told[side]
        start = _common_length(stream.text, text)
        if start == len(text) == len(stream.text):
            return
        for at in range(start, max(len(text), start + 1), PIECE_CHARS):
            stream.number += 1
            yield TextPiece(debate_id, *side, stream.stream, stream.number, at, text[at : at + PIECE_CHARS])
        stream.text = text


def _current_texts(cache: DebateCache) -> dict[Side, str]:
    texts = {(request, False): _storable(text) for request, text in cache.live().items() if text}
    return texts | {(request, True): _storable(text) for request, text in cache.thinking().items() if text}


def _common_length(before: str, now: str) -> int:
    if now.startswith(before):
        return len(before)
    return next(at for at, (old, new) in enumerate(zip(f"{before}\0", f"{now}\1", strict=False)) if old != new)


def _storable(text: str) -> str:
    """Remove NUL and lone surrogates, which a text column rejects."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def _write_pieces(db: "psycopg.Connection[Any]", pieces: list[TextPiece], ended: list[int]) -> None:
    """In one transaction, so that a notified piece is in the table, too."""
    with db.transaction(), db.pipeline():
        if ended:
            db.execute("DELETE FROM live_texts WHERE stream = ANY(%s)", [ended])
        if pieces:
            columns = [list(column) for column in zip(*pieces, strict=True)]
            db.execute(
                "INSERT INTO live_texts (debate, request, thinking, stream, number, start, more) SELECT * FROM "
                "unnest(%s::text[], %s::text[], %s::bool[], %s::bigint[], %s::int[], %s::int[], %s::text[])",
                columns,
            )
        for notice in _notices(pieces):
            db.execute("SELECT pg_notify(%s, %s)", [CHANNEL, notice])


def _notices(pieces: Iterable[TextPiece]) -> Iterator[str]:
    """JSON lists of pieces within the size limit."""
    rows: list[str] = []
    size = 0
    for piece in pieces:
        row = json.dumps(piece, ensure_ascii=False, separators=(",", ":"))
        if rows and size + len(row.encode()) + len(rows) + 2 > NOTICE_BYTES:
            yield f"[{','.join(rows)}]"
            rows = []
            size = 0
        rows.append(row)
        size += len(row.encode())
    if rows:
        yield f"[{','.join(rows)}]"


class Subscriber:
    """Puts texts of seats in other processes into the caches of this one, without duplicates."""

    def __init__(self, connect: Connect, caches: DebateCaches, running: Callable[[], Collection[str]]) -> None:
        """`running`: debates of this process, whose caches have the texts already."""
        self._connect = connect
        self._caches = caches
        self._running = running
        self._reading = threading.Lock()
        self._reader: psycopg.Connection[Any] | None = None
        self._lock = threading.Lock()
        self._streams: dict[str, dict[Side, _Saying]] = {}
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._receive_all, name="receiving texts", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self._thread.join()
        with self._reading:
            if self._reader is not None:
                self._reader.close()

    def catch_up(self, debate_id: str) -> None:
        """Read all current texts of this debate from the table; does nothing if that fails."""
        cache = self._caches.known(debate_id)
        if cache is None or cache.state.outcome is not None:
            return
        with self._reading:
            # The kept connection may be lost.
            for _ in range(2):
                try:
                    self._reader = self._reader or self._connect()
                    self._catch_up(self._reader, debate_id)
                    return
                except (psycopg.Error, OSError):
                    if self._reader is not None:
                        self._reader.close()
                    self._reader = None

    def _catch_up(self, db: "psycopg.Connection[Any]", debate_id: str) -> None:
        rows = db.execute(
            "SELECT debate, request, thinking, stream, number, start, more FROM live_texts WHERE debate = %s "
            "ORDER BY stream, number",
            [debate_id],
        ).fetchall()
        found: dict[Side, _Saying] = {}
        for piece in map(TextPiece._make, rows):
            side = piece.request, piece.thinking
            if side not in found or found[side].stream < piece.stream:
                found[side] = _Saying(piece.stream, -1, "")
            found[side].take(piece)
        with self._lock:
            known = self._streams.setdefault(debate_id, {})
            for side, stream in found.items():
                if side not in known or known[side].age < stream.age:
                    known[side] = stream
            self._update_cache(debate_id, known)

    def _receive_all(self) -> None:
        while not self._closing.is_set():
            try:
                with self._connect() as db:
                    db.execute(f"LISTEN {CHANNEL}")
                    # Notifications before LISTEN are lost: read the table.
                    for debate_id in self._caches.ids():
                        self.catch_up(debate_id)
                    while not self._closing.is_set():
                        for notice in db.notifies(timeout=0.5):
                            for row in json.loads(notice.payload):
                                self._receive(TextPiece._make(row))
            except (psycopg.Error, OSError) as error:
                log.warning("texts cannot be received for now: %s", " ".join(str(error).split()))
                self._closing.wait(RETRY_S)

    def _receive(self, piece: TextPiece) -> None:
        if self._caches.known(piece.debate) is not None and not self._add_piece(piece):
            self.catch_up(piece.debate)

    def _add_piece(self, piece: TextPiece) -> bool:
        """Add the piece; False if an earlier one is missing."""
        side = piece.request, piece.thinking
        with self._lock:
            known = self._streams.setdefault(piece.debate, {})
            stream = known.get(side)
            if stream is None or stream.stream < piece.stream:
                stream = _Saying(piece.stream, -1, "")
            # Ignore older streams: a process that lost the debate may still send.
            if stream.stream == piece.stream:
                if not stream.take(piece):
                    return False
                known[side] = stream
                self._update_cache(piece.debate, {side: stream})
            return True

    def _update_cache(self, debate_id: str, streams: dict[Side, _Saying]) -> None:
        """Update the cache and forget the texts of finished turns."""
        cache = self._caches.known(debate_id)
        if cache is None or debate_id in self._running():
            return
        known = self._streams[debate_id]
        for request in {request for request, _ in streams}:
            if not cache.is_asked(request):
                # A piece can arrive before the event that asks its seat.
                with suppress(StoreError):
                    cache.look()
            if cache.is_asked(request):
                cache.on_text(request, _text(known, request), thinking=_text(known, request, thinking=True))
        for side in [side for side in known if not cache.is_asked(side[0])]:
            del known[side]


def _text(streams: dict[Side, _Saying], request: str, *, thinking: bool = False) -> str:
    stream = streams.get((request, thinking))
    return "" if stream is None else stream.text


class LiveTexts:
    """`TextsOfAll` through PostgreSQL: sends the texts of this process's seats and receives those of others."""

    def __init__(
        self, connect: Connect, caches: DebateCaches, running: Callable[[], Collection[str]], *, worker: Worker
    ) -> None:
        self._publisher = Publisher(connect, caches, running) if worker != "none" else None
        self._subscriber = Subscriber(connect, caches, running) if worker != "only" else None

    def catch_up(self, debate_id: str) -> None:
        if self._subscriber is not None:
            self._subscriber.catch_up(debate_id)

    def close(self) -> None:
        for one in (self._publisher, self._subscriber):
            if one is not None:
                one.close()
