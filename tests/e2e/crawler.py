"""Reads every answer of a server: each route by each method, each page over its own socket, each live socket.

Looks for nothing and knows no debate. `source` is the address that it calls from.
"""

import http.client
import re
import socket
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

METHODS = ("GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE")
MOST_LINKS = 50
"""There are fewer than ten; a crawl that finds more is in a circle."""
_LINKS = re.compile(r"""(?:href|src|action)=["']([^"'#]+)""")
_PARAMETER = re.compile(r"\{[^}]*\}")


@dataclass
class Crawler:
    """Visited pages and the buttons seen on them."""

    host: str
    port: int
    source: str
    cookie: str = ""
    heard: list[tuple[str, bytes]] = field(default_factory=list)
    """An address and its answer, with the headers."""
    buttons: set[str] = field(default_factory=set)

    def all_read(self) -> bytes:
        """Everything, in small letters."""
        return b"\n".join(said for _, said in self.heard).lower()

    def where(self, word: str) -> list[str]:
        """The places at which this word could be read."""
        return sorted({place for place, said in self.heard if word.encode() in said.lower()})

    # Routes and files.

    def routes(self, paths: Iterable[str], names: Sequence[str]) -> None:
        """Every route by every method, a name put in for its parameters; then what their answers link to."""
        filled = {_PARAMETER.sub(name, path) for path in paths for name in names}
        for path in sorted(filled):
            for method in METHODS:
                self._ask(method, path)
        self._follow_links()

    def _follow_links(self) -> None:
        asked = {place for place, _ in self.heard}
        for _ in range(MOST_LINKS):
            found = {path for _, said in self.heard for path in self._links(said)}
            new = sorted(path for path in found if f"GET {path}" not in asked)
            if not new:
                return
            asked.add(f"GET {new[0]}")
            self._ask("GET", new[0])
        raise AssertionError(f"more than {MOST_LINKS} links: {new[:5]}")

    def _links(self, said: bytes) -> Iterator[str]:
        for link in _LINKS.findall(said.decode("utf-8", "replace")):
            parts = urlsplit(link)
            path = "/" + parts.path.removeprefix(".").lstrip("/")
            # Streamlit's own scripts and fonts are the same everywhere.
            if not parts.netloc and parts.scheme in ("", "http") and not path.startswith("/static/"):
                yield f"{path}?{parts.query}" if parts.query else path

    def _ask(self, method: str, path: str) -> None:
        line = http.client.HTTPConnection(self.host, self.port, timeout=30, source_address=(self.source, 0))
        try:
            line.request(method, path, headers={"Cookie": self.cookie})
            answer = line.getresponse()
            head = "\n".join(f"{name}: {value}" for name, value in answer.getheaders())
            self.heard.append((f"{method} {path}", head.encode() + b"\n\n" + answer.read()))
        finally:
            line.close()

    # Sockets.

    def page(self, name: str, params: dict[str, str], *, press: Iterable[str] = ()) -> None:
        """A page as a browser asks for it; then once more with each of these buttons pressed."""
        place, query = f"page {name}", urlencode(params)
        with self._connect("/_stcore/stream") as line:
            line.send(_rerun(name, query).SerializeToString())
            self._hear_page(place, line)
            if press:
                line.send(_rerun(name, query, press).SerializeToString())
                self._hear_page(f"{place}, pressed", line)

    def _hear_page(self, place: str, line: ClientConnection) -> None:
        files, session = [], ""
        while not (told := self._hear(place, line)).HasField("script_finished"):
            session = told.new_session.initialize.session_id or session
            element = told.delta.new_element
            if element.HasField("button"):
                self.buttons.add(element.button.id)
            if element.HasField("download_button"):
                files.append(element.download_button.deferred_file_id)
        for file in filter(None, files):
            self._take(file, session, line)

    def _take(self, file: str, session: str, line: ClientConnection) -> None:
        """A file as a click makes it; it is there as long as the page that offers it is open."""
        message = BackMsg()
        wanted = message.backend_operation_request
        wanted.request_id = wanted.deferred_file.file_id = file
        wanted.session_id = session
        line.send(message.SerializeToString())
        while not (told := self._hear(file, line)).HasField("backend_operation_response"):
            pass
        self._ask("GET", told.backend_operation_response.deferred_file.url)

    def _hear(self, place: str, line: ClientConnection) -> ForwardMsg:
        data = line.recv(timeout=60)
        assert isinstance(data, bytes)
        self.heard.append((place, data))
        told: ForwardMsg = ForwardMsg.FromString(data)
        return told

    def live(self, path: str) -> None:
        """Return the first message of a live socket; None where it stays closed."""
        try:
            with self._connect(path) as line:
                self.heard.append((path, str(line.recv(timeout=10)).encode()))
        except WebSocketException as closed:
            self.heard.append((path, str(closed).encode()))

    def _connect(self, path: str) -> ClientConnection:
        line = socket.create_connection((self.host, self.port), timeout=30, source_address=(self.source, 0))
        # As the browser of a page of this server does.
        headers = {"Origin": f"http://{self.host}:{self.port}", "Cookie": self.cookie}
        spoken = [Subprotocol("streamlit")]
        url = f"ws://{self.host}:{self.port}{path}"
        return connect(url, sock=line, subprotocols=spoken, additional_headers=headers, max_size=None)


def _rerun(page: str, query: str, press: Iterable[str] = ()) -> BackMsg:
    message = BackMsg()
    message.rerun_script.page_name = page
    message.rerun_script.query_string = query
    for button in press:
        message.rerun_script.widget_states.widgets.add(id=button, trigger_value=True)
    return message
