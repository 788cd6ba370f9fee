"""Receivers of messages on this machine: an HTTP server and an SMTP server that keep what comes in."""

import socketserver
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple, Self


class Received(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes


class _Listening:
    """Serves in a thread while it is entered."""

    _server: socketserver.BaseServer

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class WebhookServer(_Listening):
    """Answers with the statuses of `answers`, the last one again and again; a number of seconds = too late."""

    def __init__(self, *answers: int | float, tls: ssl.SSLContext | None = None, location: str = "") -> None:
        self.received: list[Received] = []
        self.answers = list(answers) or [204]
        self.location = location
        self.retry_after = ""
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                server.received.append(Received(self.path, headers, body))
                answer = server.answers.pop(0) if len(server.answers) > 1 else server.answers[0]
                if isinstance(answer, float):
                    time.sleep(answer)
                    return
                self.send_response(answer)
                if server.location:
                    self.send_header("location", server.location)
                if server.retry_after:
                    self.send_header("retry-after", server.retry_after)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_args: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_address[1]


class Mail(NamedTuple):
    sender: str
    to: str
    text: str
    was_secure: bool
    login: str


class MailBox(_Listening):
    """An SMTP server. `tls` = it offers STARTTLS; `code` = its answer to a mail."""

    def __init__(self, *, tls: ssl.SSLContext | None = None, code: int = 250) -> None:
        self.mails: list[Mail] = []
        self.hellos: list[str] = []
        self.code = code
        box = self

        class Session(socketserver.StreamRequestHandler):
            def say(self, line: str) -> None:
                self.wfile.write(f"{line}\r\n".encode())

            def handle(self) -> None:
                self.say("220 box")
                sender = to = login = ""
                is_secure = False
                while line := self.rfile.readline().decode().rstrip("\r\n"):
                    match line[:4].upper():
                        case "EHLO":
                            box.hellos.append(line[5:])
                            self.say("250-box")
                            self.say("250-AUTH PLAIN" if tls is None or is_secure else "250-STARTTLS")
                            self.say("250 SMTPUTF8")
                        case "STAR":
                            assert tls is not None
                            self.say("220 go")
                            self.connection = tls.wrap_socket(self.request, server_side=True)
                            self.rfile = self.connection.makefile("rb")
                            self.wfile = self.connection.makefile("wb", 0)
                            is_secure = True
                        case "AUTH":
                            login = line[11:]
                            self.say("235 in")
                        case "MAIL":
                            sender = line[10:].partition(">")[0].lstrip("<")
                            self.say("250 ok")
                        case "RCPT":
                            to = line[8:].partition(">")[0].lstrip("<")
                            self.say("250 ok")
                        case "DATA":
                            self.say("354 on")
                            text = b""
                            while (part := self.rfile.readline()) != b".\r\n":
                                text += part
                            if box.code == 250:
                                box.mails.append(Mail(sender, to, text.decode(), is_secure, login))
                            self.say(f"{box.code} done")
                        case "QUIT":
                            self.say("221 bye")
                            break
                        case _:
                            self.say("250 ok")
                self.connection.close()

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True

        self._server = Server(("127.0.0.1", 0), Session)
        self.port = self._server.server_address[1]
