"""A collector of spans on loopback, and figures as Prometheus fetches them."""

import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import urlopen

from prometheus_client.parser import text_string_to_metric_families


class TakenSpans:
    """Received data: the spans, the headers of each call, and the status of its answer."""

    def __init__(self) -> None:
        self.url = ""
        self.spans: list[dict[str, object]] = []
        self.headers: list[Mapping[str, str]] = []
        self.status = 200


@contextmanager
def collecting() -> Iterator[TakenSpans]:
    """A server on loopback that takes spans as JSON."""
    taken = TakenSpans()

    class Takes(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            taken.headers.append({name.lower(): value for name, value in self.headers.items()})
            if taken.status == 200:
                taken.spans += body["resourceSpans"][0]["scopeSpans"][0]["spans"]
            self.send_response(taken.status)
            self.send_header("content-length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Nothing on the terminal of the tests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Takes)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    taken.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield taken
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def free_port() -> int:
    """A free port of this machine."""
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


def fetched(port: int) -> str:
    """The figures of a process, as text."""
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        return str(answer.read().decode())


def samples(text: str) -> dict[str, float]:
    """Name with its labels -> value, of our own figures without the buckets: `debate_turns_total argument`."""
    return {
        " ".join((sample.name, *sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name.startswith("debate_") and not sample.name.endswith(("_bucket", "_created"))
    }
