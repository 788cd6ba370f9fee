"""Texts of turns that are being given, from the process that asks the seats to all that show them, through PostgreSQL.

Every 30 ms whoever asks tells what its seats have said since, in a NOTIFY that carries the words; the same pieces stand
in an unlogged table until the turn has ended, for a process that comes later, has lost its connection, or stops a
debate. No record depends on any of it: whatever is lost here comes with the turn itself. Knows no rules.
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
from debate_core.host.mirror import Mirror, Mirrors
from debate_core.host.settings import Worker

CHANNEL = "debate_texts"
TELL_S = 0.03
PIECE_CHARS = 1_000
"""Of one piece: some of them fit into a notice with whatever signs they are written."""
NOTICE_BYTES = 7_900
"""PostgreSQL takes less than 8,000 bytes."""
RETRY_S = 1.0
OLD = "1 day"
"""What a worker that was killed has left in the table goes then."""

log = logging.getLogger(__name__)
Connect = Callable[[], "psycopg.Connection[Any]"]
Side = tuple[str, bool]
"""A request, and whether it is about what the model thinks before its turn."""


class TextPiece(NamedTuple):
    """From `start` on the text is `more`. Streams, and the pieces of one, are numbered upwards."""

    debate: str
    request: str
    thinking: bool
    stream: int
    number: int
    start: int
    more: str


@dataclass(slots=True)
class _Saying:
    """One text as far as it is known; `number` is that of its last piece."""

    stream: int
    number: int
    text: str

    def take(self, piece: TextPiece) -> bool:
        """Go on with it; False if something is missing before it."""
        if piece.number <= self.number:
            return True
        if piece.number > self.number + 1 or piece.start > len(self.text):
            return False
        self.number = piece.number
        self.text = self.text[: piece.start] + piece.more
        return True


class Teller:
    """Tells what the seats of this process say; `running` are the debates that it runs."""

    def __init__(self, connect: Connect, mirrors: Mirrors, running: Callable[[], Collection[str]]) -> None:
        self._connect = connect
        self._mirrors = mirrors
        self._running = running
        self._feeds: dict[str, int] = {}
        self._told: dict[str, dict[Side, _Saying]] = {}
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._tell_all, name="telling texts", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Tell no more."""
        self._closing.set()
        self._thread.join()

    def _tell_all(self) -> None:
        while not self._closing.is_set():
            try:
                with self._connect() as db:
                    db.execute("DELETE FROM live_texts WHERE at < now() - %s::interval", [OLD])
                    # Begun anew: nobody here knows what was heard of the last words.
                    self._feeds = {}
                    self._told = {}
                    while not self._closing.wait(TELL_S):
                        self._tell(db)
            except (psycopg.Error, OSError) as error:
                log.warning("texts cannot be told for now: %s", " ".join(str(error).split()))
                self._closing.wait(RETRY_S)

    def _tell(self, db: "psycopg.Connection[Any]") -> None:
        pieces: list[TextPiece] = []
        ended: list[int] = []
        for debate_id in {*self._running(), *self._told}:
            mirror = self._mirrors.known(debate_id)
            if mirror is None or self._feeds.get(debate_id) == mirror.feed:
                continue
            self._feeds[debate_id] = mirror.feed
            told = self._told.setdefault(debate_id, {})
            now = _texts(mirror)
            ended += [told.pop(side).stream for side in list(told) if side not in now]
            for side, text in now.items():
                pieces += self._news(db, debate_id, side, text, told)
            if not told:
                del self._told[debate_id]
        if pieces or ended:
            _write(db, pieces, ended)

    def _news(
        self, db: "psycopg.Connection[Any]", debate_id: str, side: Side, text: str, told: dict[Side, _Saying]
    ) -> Iterator[TextPiece]:
        if side not in told:
            told[side] = _Saying(_next_stream(db), -1, "")
        stream = told[side]
        start = _common(stream.text, text)
        if start == len(text) == len(stream.text):
            return
        for at in range(start, max(len(text), start + 1), PIECE_CHARS):
            stream.number += 1
            yield TextPiece(debate_id, *side, stream.stream, stream.number, at, text[at : at + PIECE_CHARS])
        stream.text = text


def _texts(mirror: Mirror) -> dict[Side, str]:
    said = {(request, False): _storable(text) for request, text in mirror.live().items() if text}
    return said | {(request, True): _storable(text) for request, text in mirror.thinking().items() if text}


def _common(before: str, now: str) -> int:
    """How many letters both begin with."""
    if now.startswith(before):
        return len(before)
    return next(at for at, (old, new) in enumerate(zip(f"{before}\0", f"{now}\1", strict=False)) if old != new)


def _storable(text: str) -> str:
    """Without what no column of text takes: NUL, and halves of a character."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def _next_stream(db: "psycopg.Connection[Any]") -> int:
    row = db.execute("SELECT nextval('live_streams')").fetchone()
    assert row is not None
    return int(row[0])


def _write(db: "psycopg.Connection[Any]", pieces: list[TextPiece], ended: list[int]) -> None:
    """In one transaction: whoever is told of a piece finds it in the table as well."""
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
    """JSON lists of pieces, each as long as a notice may be."""
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


class Hearer:
    """Puts what seats say in other processes into the mirrors of this one, and nothing twice."""

    def __init__(self, connect: Connect, mirrors: Mirrors, running: Callable[[], Collection[str]]) -> None:
        """`running` are the debates that this process runs itself: their words are here before they are told."""
        self._connect = connect
        self._mirrors = mirrors
        self._running = running
        self._reading = threading.Lock()
        self._reader: psycopg.Connection[Any] | None = None
        self._lock = threading.Lock()
        self._streams: dict[str, dict[Side, _Saying]] = {}
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._hear_all, name="hearing texts", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Hear no more."""
        self._closing.set()
        self._thread.join()
        with self._reading:
            if self._reader is not None:
                self._reader.close()

    def catch_up(self, debate_id: str) -> None:
        """Take in all that is being said in this debate as it stands in the table; nothing if that cannot be read."""
        mirror = self._mirrors.known(debate_id)
        if mirror is None or mirror.state.outcome is not None:
            return
        with self._reading:
            # The connection of the last time may be lost by now.
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
                if side not in known or _age(known[side]) < _age(stream):
                    known[side] = stream
            self._show(debate_id, known)

    def _hear_all(self) -> None:
        while not self._closing.is_set():
            try:
                with self._connect() as db:
                    db.execute(f"LISTEN {CHANNEL}")
                    # What was said before this moment was told to nobody here.
                    for debate_id in self._mirrors.ids():
                        self.catch_up(debate_id)
                    while not self._closing.is_set():
                        for notice in db.notifies(timeout=0.5):
                            self._take(TextPiece._make(row) for row in json.loads(notice.payload))
            except (psycopg.Error, OSError) as error:
                log.warning("texts cannot be heard for now: %s", " ".join(str(error).split()))
                self._closing.wait(RETRY_S)

    def _take(self, pieces: Iterable[TextPiece]) -> None:
        for piece in pieces:
            if self._mirrors.known(piece.debate) is not None and not self._goes_on(piece):
                self.catch_up(piece.debate)

    def _goes_on(self, piece: TextPiece) -> bool:
        """Take it in; False if something is missing before it."""
        side = piece.request, piece.thinking
        with self._lock:
            known = self._streams.setdefault(piece.debate, {})
            stream = known.get(side)
            if stream is None or stream.stream < piece.stream:
                stream = _Saying(piece.stream, -1, "")
            # A process that was taken over may still speak.
            if stream.stream == piece.stream:
                if not stream.take(piece):
                    return False
                known[side] = stream
                self._show(piece.debate, {side: stream})
            return True

    def _show(self, debate_id: str, streams: dict[Side, _Saying]) -> None:
        """Into the mirror; the words of turns that have ended go."""
        mirror = self._mirrors.known(debate_id)
        if mirror is None or debate_id in self._running():
            return
        known = self._streams[debate_id]
        for request in {request for request, _ in streams}:
            if not mirror.is_asked(request):
                # Pieces may come before the event by which their seat is asked.
                with suppress(StoreError):
                    mirror.look()
            if mirror.is_asked(request):
                mirror.on_text(request, _text(known, request), thinking=_text(known, request, thinking=True))
        for side in [side for side in known if not mirror.is_asked(side[0])]:
            del known[side]


def _text(streams: dict[Side, _Saying], request: str, *, thinking: bool = False) -> str:
    """What is known of it; empty if nothing is."""
    stream = streams.get((request, thinking))
    return "" if stream is None else stream.text


def _age(stream: _Saying) -> tuple[int, int]:
    return stream.stream, stream.number


class LiveTexts:
    """What a process does for the texts of all: it tells what its own seats say, and hears those of others."""

    def __init__(
        self, connect: Connect, mirrors: Mirrors, running: Callable[[], Collection[str]], *, worker: Worker
    ) -> None:
        self._teller = Teller(connect, mirrors, running) if worker != "none" else None
        self._hearer = Hearer(connect, mirrors, running) if worker != "only" else None

    def catch_up(self, debate_id: str) -> None:
        """Take in all that is being said in this debate, wherever."""
        if self._hearer is not None:
            self._hearer.catch_up(debate_id)

    def close(self) -> None:
        """Tell and hear no more."""
        for one in (self._teller, self._hearer):
            if one is not None:
                one.close()
