"""A forward proxy on loopback, as companies have one: it opens tunnels to the servers it knows by name.

with ForwardProxy({"models.example:443": server.port}, login="ana:secret") as proxy:
    ... proxy.url, proxy.asked
"""

import asyncio
import base64
import contextlib
import ssl
from collections.abc import Mapping

from tests.loop_thread import LoopThread

REASONS = {200: "Connection established", 403: "Forbidden", 407: "Proxy Authentication Required", 502: "Bad Gateway"}


class ForwardProxy(LoopThread):
    """Run the proxy in another thread as a context manager."""

    def __init__(
        self, servers: Mapping[str, int], *, login: str = "", refuses: int = 0, tls: ssl.SSLContext | None = None
    ) -> None:
        """`servers`: HOST:PORT -> port on this machine. `refuses`: the status with which it answers every CONNECT.

        `tls`: calls to the proxy itself are encrypted with this certificate.
        """
        self.asked: list[str] = []
        """HOST:PORT of each CONNECT, or the request line of anything else."""
        self._servers = servers
        self._login = login
        self._refuses = refuses
        self._tls = tls
        self._port = 0
        super().__init__()

    @property
    def place(self) -> str:
        """HOST:PORT, as messages name it."""
        return f"127.0.0.1:{self._port}"

    @property
    def url(self) -> str:
        """The address without a login."""
        return f"{'https' if self._tls else 'http'}://{self.place}"

    def url_with(self, login: str) -> str:
        """The address with this NAME:PASSWORD."""
        return f"http://{login}@{self.place}"

    async def listen(self) -> list[asyncio.Server]:
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0, ssl=self._tls)
        self._port = server.sockets[0].getsockname()[1]
        return [server]

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await self._answer(reader, writer)
        writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin1")
        method, target, _version = head.partition("\r\n")[0].split(" ", 2)
        self.asked.append(target if method == "CONNECT" else f"{method} {target}")
        status = self._status(head, target)
        writer.write(f"HTTP/1.1 {status} {REASONS[status]}\r\n\r\n".encode())
        await writer.drain()
        if status == 200:
            from_server, to_server = await asyncio.open_connection("127.0.0.1", self._servers[target])
            await asyncio.gather(_pass_on(reader, to_server), _pass_on(from_server, writer))

    def _status(self, head: str, target: str) -> int:
        if self._refuses:
            return self._refuses
        login = base64.b64encode(self._login.encode()).decode()
        if self._login and f"\r\nproxy-authorization: basic {login}\r\n".casefold() not in head.casefold():
            return 407
        return 200 if target in self._servers else 502


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass on until the end. A writer that stays open after its loop ends fails in whichever test runs then."""
    try:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65_536):
                writer.write(data)
                await writer.drain()
    finally:
        writer.close()
