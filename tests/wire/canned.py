"""A server on loopback that answers each call with what a test wrote down, byte for byte."""

import json
import ssl
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from debate_core.spec.models import Dialect

Events = Sequence[Mapping[str, Any] | str]
"""Events of a stream in their order; a string is sent unchanged, as in `[DONE]`."""


@dataclass(frozen=True)
class Canned:
    """One answer."""

    body: bytes
    status: int = 200
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


def stream(dialect: Dialect, events: Events) -> Canned:
    """A stream of these events, framed as the dialect frames them."""
    frames = [_frame(dialect, event) for event in events]
    return Canned("".join(frames).encode(), content_type="text/event-stream")


def error(status: int, body: object, **headers: str) -> Canned:
    """A JSON body with an HTTP status."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Canned(json.dumps(body).encode(), status, headers=named)


def page(status: int, html: str) -> Canned:
    """A web page."""
    return Canned(html.encode(), status, "text/html; charset=utf-8")


def _frame(dialect: Dialect, event: Mapping[str, Any] | str) -> str:
    if isinstance(event, str):
        return f"data: {event}\n\n"
    name = "" if dialect == "chat" else f"event: {event['type']}\n"
    return f"{name}data: {json.dumps(event)}\n\n"


class CannedServer:
    """Answers in turn; the last answer is repeated."""

    def __init__(self, answers: Sequence[Canned], port: int) -> None:
        self.answers = list(answers)
        self.port = port
        self.bodies: list[dict[str, Any]] = []
        """Requests in order."""

    def next_answer(self) -> Canned:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def base_url(self, dialect: Dialect = "chat", *, scheme: str = "http", host: str = "127.0.0.1") -> str:
        """The address as a client of this dialect wants it."""
        root = f"{scheme}://{host}:{self.port}"
        return root if dialect == "messages" else f"{root}/v1"


@contextmanager
def serving(*answers: Canned, tls: ssl.SSLContext | None = None) -> Iterator[CannedServer]:
    """A server for the time of a test; with `tls` it speaks HTTPS."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["content-length"]))
            canned.bodies.append(json.loads(raw))
            self._send(canned.next_answer())

        def do_GET(self) -> None:
            self._send(Canned(b'{"data": [{"id": "m"}]}'))

        def _send(self, answer: Canned) -> None:
            self.send_response(answer.status)
            self.send_header("content-type", answer.content_type)
            self.send_header("content-length", str(len(answer.body)))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, *_args: object) -> None:
            """Nothing is printed."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """Clients hang up: that is what many tests are about."""

    server = Server(("127.0.0.1", 0), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    canned = CannedServer(answers, server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield canned
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
