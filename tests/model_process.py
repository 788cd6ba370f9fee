"""The fault server in a separate process: a measurement must not share an interpreter with what it measures.

with ModelProcess() as server:
    server.reset(latency_s=0.05)
    ... server.base_url("chat"), server.log()
"""

import multiprocessing
from multiprocessing.connection import Connection
from typing import Any, Self, cast

from tests.model_replies import Dialect
from tests.model_server import Logged, ModelServer


def _serve(asked: Connection) -> None:
    with ModelServer() as server:
        asked.send(server.port)
        while (settings := asked.recv()) is not None:
            if settings == "log":
                asked.send(server.log)
            else:
                server.reset(**settings)
                asked.send(None)


class ModelProcess:
    """A `ModelServer` elsewhere, while it is entered."""

    def __init__(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._pipe, other = spawn.Pipe()
        self._process = spawn.Process(target=_serve, args=(other,), daemon=True)
        self.port = 0

    def __enter__(self) -> Self:
        self._process.start()
        self.port = self._pipe.recv()
        return self

    def __exit__(self, *_: object) -> None:
        self._pipe.send(None)
        self._process.join()

    def base_url(self, dialect: Dialect) -> str:
        """Return the base URL for a client of this dialect."""
        return f"http://127.0.0.1:{self.port}" + ("" if dialect == "messages" else "/v1")

    def reset(self, **settings: Any) -> None:
        """Forget everything and answer like this."""
        self._pipe.send(settings)
        self._pipe.recv()

    def log(self) -> list[Logged]:
        """Every call so far."""
        self._pipe.send("log")
        return cast(list[Logged], self._pipe.recv())
