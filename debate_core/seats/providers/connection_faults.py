"""Faults of the exceptions of a call: the vendor's error, the connection, the proxy, the certificate, the key.

The HTTP client raises one error for most faults of a connection; the chain of its causes tells them apart. Error
answers of a server are read in `faults`.
"""

import errno
import json
import re
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass

import httpx2

from debate_core.seats.providers.client import connect_s
from debate_core.seats.providers.faults import (
    CallTerms,
    ErrorAnswer,
    Fault,
    event_fault,
    http_fault,
    permanent_fault,
    temporary_fault,
)
from debate_core.seats.providers.provider_errors import Server
from debate_core.sentence import Sentence

NOT_SENDABLE = (httpx2.InvalidURL, UnicodeEncodeError)
"""Errors for an address or a key that no request can hold, such as a key with an é."""
NOT_READABLE = (httpx2.StreamError, ValueError, TypeError, AttributeError, LookupError, RecursionError)
"""Errors of the vendors' clients for answers in shapes that they do not expect, such as half an object."""
_NO_ROUTE = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN)
_EXPIRED, _NOT_YET_VALID = 10, 9
_WRONG_HOST = (62, 64)
_UNTRUSTED = (2, 18, 19, 20, 21)
"""OpenSSL's numbers for faults of a certificate (X509_V_ERR_...)."""
# The client's words for a refusal by a proxy: "407 Proxy Authentication Required".
_STATUS = re.compile(r"\b([1-5]\d\d)\b")


class NotSendable(Exception):
    """No request can hold this address or this key."""


class NotReadable(Exception):
    """The vendor's client cannot read the answer of the server."""


@dataclass(frozen=True, slots=True)
class VendorFault:
    """Typed content of an error of a vendor's client."""

    response: httpx2.Response | None = None
    """The answer with an HTTP status, if there was one."""
    event: object = None
    """The error event of a stream that had begun."""


def call_fault(
    server: Server, error: Exception, vendor_fault: VendorFault | None, asked: CallTerms, *, answered: bool
) -> Fault:
    """The fault of an exception of a call: by its response, else by the connection, else by the request.

    `vendor_fault`: None if the error is not the vendor's. `answered`: the server had begun to answer.
    """
    response = vendor_fault.response if vendor_fault else None
    if response is not None and response.status_code >= 300:
        try:
            body: object = json.loads(response.content)
        except httpx2.StreamError:
            body = None
        except (ValueError, RecursionError):
            body = response.text
        return http_fault(server, ErrorAnswer(response.status_code, body, response.headers), asked)
    cause = error if isinstance(error, httpx2.HTTPError) else error.__cause__
    if isinstance(cause, httpx2.HTTPError):
        return _connection_fault(server, cause, answered=answered, connect_s=connect_s(asked.deadline_s))
    if not answered:
        # The client itself refused the address or the key.
        return _not_sendable_fault(server)
    if vendor_fault is not None:
        return event_fault(server, vendor_fault.event)
    # A fault of the connection, so the model gets the same prompt again, without a complaint about its reply.
    return temporary_fault(Sentence("{host} sent events that cannot be read", host=server.host), status="cut")


def _connection_fault(server: Server, error: httpx2.HTTPError, *, answered: bool, connect_s: float) -> Fault:
    if isinstance(error, httpx2.ProxyError):
        return _proxy_fault(server, error)
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout):
        return _connect_fault(server, error, connect_s)
    if isinstance(error, httpx2.LocalProtocolError | httpx2.UnsupportedProtocol):
        return _not_sendable_fault(server)
    if answered:
        return temporary_fault(
            Sentence("the connection to {host} broke before the reply was whole", host=server.host), status="cut"
        )
    return temporary_fault(Sentence("{host} closed the connection without an answer", host=server.host))


def _not_sendable_fault(server: Server) -> Fault:
    return permanent_fault(
        Sentence("the call cannot be sent to {host}: check base_url and the key", host=server.host), sent=False
    )


def _proxy_fault(server: Server, error: httpx2.ProxyError) -> Fault:
    """The fault of a proxy that refuses a CONNECT; only its status is shown, as its words may echo the login."""
    found = _STATUS.search(str(error))
    status = int(found[1]) if found else 0
    names = {"proxy": server.proxy, "host": server.host, "status": status}
    if not 400 <= status < 500:
        return temporary_fault(Sentence("the proxy {proxy} does not reach {host} ({status})", **names), sent=False)
    message = Sentence("the proxy {proxy} refuses to connect to {host} ({status})", **names)
    if status == 407 and server.proxy_password:
        message = Sentence("the proxy {proxy} does not accept the login in DEBATE_HTTPS_PROXY (407)", **names)
    elif status == 407:
        message = Sentence(
            "the proxy {proxy} asks for a login (407): write NAME:PASSWORD@ before its host in DEBATE_HTTPS_PROXY",
            **names,
        )
    return permanent_fault(message, sent=False)


def _connect_fault(server: Server, error: httpx2.HTTPError, connect_s: float) -> Fault:
    for cause in _causes(error):
        match cause:
            case ssl.SSLCertVerificationError():
                return permanent_fault(_certificate_words(server, cause), sent=False)
            case ssl.SSLError():
                reason = (cause.reason or "").replace("_", " ").lower()
                message = Sentence(
                    "TLS with {host} fails ({reason}): does the server speak https at this address?",
                    host=_certified(server),
                    reason=reason or Sentence("no reason is given"),
                )
                return permanent_fault(message, sent=False)
            case OSError():
                if words := _socket_words(server, cause):
                    return temporary_fault(words, sent=False)
    peer = _peer(server)
    if isinstance(error, httpx2.ConnectTimeout):
        message = Sentence("{peer} did not answer within {seconds:g} s", peer=peer, seconds=round(connect_s, 1))
    else:
        message = Sentence("no connection to {peer}: is the server running, and its address right?", peer=peer)
    return temporary_fault(message, sent=False)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """This error and its causes, the nearest first."""
    while error is not None:
        if isinstance(error, BaseExceptionGroup):
            for part in error.exceptions:
                yield from _causes(part)
        yield error
        error = error.__cause__ or error.__context__


def _peer(server: Server) -> str:
    return Sentence("the proxy {proxy}", proxy=server.proxy) if server.proxy else server.host


def _socket_words(server: Server, error: OSError) -> str:
    """The reason for the missing connection; "" if this error does not give it."""
    peer = _peer(server)
    if isinstance(error, socket.gaierror):
        return Sentence(
            "the name of {peer} is not found: is the address right, and this machine connected to a network?", peer=peer
        )
    if isinstance(error, ConnectionRefusedError):
        return Sentence("{peer} refuses the connection: is the server running, and its port right?", peer=peer)
    if error.errno in _NO_ROUTE:
        return Sentence("no route to {peer}: is this machine connected to a network?", peer=peer)
    return ""


def _certified(server: Server) -> str:
    """The owner of the certificate; the error does not distinguish the server from an https proxy."""
    if server.proxy_has_certificate:
        return Sentence("{host} (or the proxy {proxy})", host=server.host, proxy=server.proxy)
    return server.host


def _certificate_words(server: Server, error: ssl.SSLCertVerificationError) -> str:
    code, host = error.verify_code, _certified(server)
    if code in _UNTRUSTED:
        return Sentence(
            "the certificate of {host} is not trusted ({reason}): name the file of the authority that signed it, as "
            "companies have one, in DEBATE_CA_FILE",
            host=host,
            reason=error.verify_message,
        )
    if code == _EXPIRED:
        return Sentence("the certificate of {host} has expired, or the clock of this machine is wrong", host=host)
    if code == _NOT_YET_VALID:
        return Sentence("the certificate of {host} is not valid yet, or the clock of this machine is wrong", host=host)
    if code in _WRONG_HOST:
        return Sentence(
            "the certificate of {host} is for another name ({reason}): check base_url",
            host=host,
            reason=error.verify_message,
        )
    return Sentence("the certificate of {host} is refused ({reason})", host=host, reason=error.verify_message)
