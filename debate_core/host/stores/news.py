"""Hears from a PostgreSQL database what others append to it, on a thread and a connection of its own.

A connection that is lost is made again, and whoever follows is told that anything may have been missed. Knows neither
tables nor events.
"""

import logging
import selectors
import socket
import threading
from collections.abc import Callable
from typing import Any

import psycopg

from debate_core.host.stores import Appended, OnNews

CHANNEL = "debate_events"
"""Where a trigger of the table `events` tells `ID SEQ` of each event when it is committed."""
FIRST_RETRY_S, LAST_RETRY_S = 0.2, 5.0
"""How long to wait before a lost connection is made again; each try doubles it."""

log = logging.getLogger(__name__)


class NewsLine:
    """Tells all who follow; the thread starts with the first of them."""

    def __init__(self, connect: Callable[[], "psycopg.Connection[Any]"], where: str) -> None:
        self._connect = connect
        self._where = where
        self._lock = threading.Lock()
        self._heard: tuple[OnNews, ...] = ()
        self._thread: threading.Thread | None = None
        self._ended = threading.Event()
        # To wake the thread when it is to end.
        self._bell, self._ear = socket.socketpair()

    def follow(self, heard: OnNews) -> None:
        """From now on `heard` is told, on the listening thread: it must be quick and must not raise."""
        with self._lock:
            self._heard += (heard,)
            if self._thread is None and not self._ended.is_set():
                self._thread = threading.Thread(target=self._listen, name="listening", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Let go of the connection, end the thread."""
        self._ended.set()
        with self._lock:
            thread, self._thread = self._thread, None
        if self._bell.fileno() >= 0:
            self._bell.close()
        if thread is not None:
            thread.join()
        self._ear.close()

    def _listen(self) -> None:
        retry_s = FIRST_RETRY_S
        while not self._ended.is_set():
            try:
                with self._connect() as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    retry_s = FIRST_RETRY_S
                    # What was appended before this moment was told to nobody here.
                    self._tell(None)
                    self._hear(connection)
            except (psycopg.Error, OSError) as error:
                log.warning("%s tells no news for now: %s", self._where, type(error).__name__)
                self._ended.wait(retry_s)
                retry_s = min(2 * retry_s, LAST_RETRY_S)

    def _hear(self, connection: "psycopg.Connection[Any]") -> None:
        """Until the end, or until the connection is lost (psycopg.Error)."""
        with selectors.DefaultSelector() as sources:
            sources.register(connection, selectors.EVENT_READ)
            sources.register(self._ear, selectors.EVENT_READ)
            while not self._ended.is_set():
                for news in connection.notifies(timeout=0):
                    debate_id, _, seq = news.payload.rpartition(" ")
                    self._tell(Appended(debate_id, int(seq)))
                sources.select()

    def _tell(self, news: Appended | None) -> None:
        for heard in self._heard:
            heard(news)
