"""Sends one mail over SMTP, with TLS, to an address that was checked before.

smtplib waits, so the session runs in a thread; when its time is over, closing the socket ends it.
"""

import asyncio
import smtplib
import socket
from collections.abc import Sequence
from contextlib import suppress
from email.message import EmailMessage
from typing import Any

from debate_core.host.messages.channels import MailServer
from debate_core.host.messages.faults import DeliveryFault
from debate_core.seats.providers.client import tls

CONNECT_S = 8.0


class Mailing:
    """One session. `may_be_plain`: the server may be without TLS."""

    def __init__(self, server: MailServer, addresses: Sequence[str], ca_file: str, *, may_be_plain: bool) -> None:
        self._server = server
        self._addresses = addresses
        self._tls = tls(ca_file)
        self._may_be_plain = may_be_plain
        self._socket: socket.socket | None = None

    async def send(self, mail: EmailMessage) -> DeliveryFault | None:
        """Send; None = the server took it. OSError without a connection."""
        session = asyncio.create_task(asyncio.to_thread(self._send, mail))
        try:
            return await asyncio.shield(session)
        except asyncio.CancelledError:
            if self._socket is not None:
                with suppress(OSError):
                    self._socket.shutdown(socket.SHUT_RDWR)
            with suppress(OSError):
                await session
            raise

    def _send(self, mail: EmailMessage) -> DeliveryFault | None:
        try:
            with _session(self._server, self._connect()) as session:
                if fault := self._begin(session):
                    return fault
                session.send_message(mail)
        except smtplib.SMTPAuthenticationError as error:
            return DeliveryFault("login", permanent=error.smtp_code >= 500)
        except smtplib.SMTPRecipientsRefused as error:
            codes = [code for code, _text in error.recipients.values()]
            return _refused(codes[0])
        except smtplib.SMTPResponseException as error:
            return _refused(error.smtp_code)
        except smtplib.SMTPException as error:
            return DeliveryFault("connection", type(error).__name__)
        return None

    def _connect(self) -> socket.socket:
        *others, last = self._addresses
        for address in others:
            with suppress(OSError):
                return self._connect_to(address)
        return self._connect_to(last)

    def _connect_to(self, address: str) -> socket.socket:
        plain = socket.create_connection((address, self._server.port), CONNECT_S)
        self._socket = plain
        if not self._server.implicit_tls:
            return plain
        secure = self._tls.wrap_socket(plain, server_hostname=self._server.host)
        self._socket = secure
        return secure

    def _begin(self, session: smtplib.SMTP) -> DeliveryFault | None:
        """Switch to TLS and log in; the fault if the server offers no TLS."""
        session.ehlo_or_helo_if_needed()
        is_secure = self._server.implicit_tls
        if not is_secure and session.has_extn("starttls"):
            session.starttls(context=self._tls)
            self._socket = session.sock
            session.ehlo()
            is_secure = True
        if not is_secure and not self._may_be_plain:
            return DeliveryFault("no_tls", self._server.host, permanent=True)
        if self._server.user:
            session.login(self._server.user, self._server.password)
        return None


def _refused(code: int) -> DeliveryFault:
    """SMTP's codes from 500 are final, those from 400 are not."""
    return DeliveryFault("status", str(code), permanent=code >= 500)


def _session(server: MailServer, connected: socket.socket) -> smtplib.SMTP:
    """The session over an open connection. `host` is the name that certificates are checked against."""

    class Session(smtplib.SMTP):
        def _get_socket(self, _host: str, _port: int, _timeout: float) -> Any:
            return connected

    # Without this name, smtplib asks the name server for one.
    return Session(server.host, server.port, server.sender.rpartition("@")[2], timeout=CONNECT_S)
