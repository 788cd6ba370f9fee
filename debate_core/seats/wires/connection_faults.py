"""Faults of a connection before a server answers, one sentence for each cause: proxy, name, route, certificate.

The client raises one error for most of them; what lies under it tells them apart.
"""

import errno
import re
import socket
import ssl
from collections.abc import Iterator

import httpx2

from debate_core.seats.wires.faults import Fault, permanent_fault, temporary_fault
from debate_core.seats.wires.provider_errors import Server
from debate_core.sentence import Sentence

_NO_ROUTE = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN)
_EXPIRED, _NOT_YET_VALID = 10, 9
_WRONG_HOST = (62, 64)
_UNTRUSTED = (2, 18, 19, 20, 21)
"""Numbers that OpenSSL has for what is wrong with a certificate (X509_V_ERR_...)."""
# As the client says it of a proxy: "407 Proxy Authentication Required".
_STATUS = re.compile(r"\b([1-5]\d\d)\b")


def connection_fault(server: Server, error: httpx2.HTTPError, *, answered: bool, connect_s: float) -> Fault:
    """The fault of an error of the connection; `answered`: the server had begun to answer."""
    if isinstance(error, httpx2.ProxyError):
        return _proxy_fault(server, error)
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout):
        return _connect_fault(server, error, connect_s)
    if isinstance(error, httpx2.LocalProtocolError | httpx2.UnsupportedProtocol):
        return not_sendable(server)
    if answered:
        return temporary_fault(
            Sentence("the connection to {host} broke before the reply was whole", host=server.host), status="cut"
        )
    return temporary_fault(Sentence("{host} closed the connection without an answer", host=server.host))


def not_sendable(server: Server) -> Fault:
    """The fault of an address or a key that no request can hold."""
    return permanent_fault(
        Sentence("the call cannot be sent to {host}: check base_url and the key", host=server.host), sent=False
    )


def _proxy_fault(server: Server, error: httpx2.ProxyError) -> Fault:
    """A proxy that answers a CONNECT with a refusal; its other words are not told, they may echo the login."""
    found = _STATUS.search(str(error))
    status = int(found[1]) if found else 0
    if status == 407:
        return permanent_fault(_login_words(server), sent=False)
    message = Sentence(
        "the proxy {proxy} refuses to connect to {host} ({status})", proxy=server.proxy, host=server.host, status=status
    )
    if 400 <= status < 500:
        return permanent_fault(message, sent=False)
    return temporary_fault(
        Sentence(
            "the proxy {proxy} does not reach {host} ({status})", proxy=server.proxy, host=server.host, status=status
        ),
        sent=False,
    )


def _login_words(server: Server) -> str:
    if server.proxy_password:
        return Sentence("the proxy {proxy} does not accept the login in DEBATE_HTTPS_PROXY (407)", proxy=server.proxy)
    return Sentence(
        "the proxy {proxy} asks for a login (407): write NAME:PASSWORD@ before its host in DEBATE_HTTPS_PROXY",
        proxy=server.proxy,
    )


def _connect_fault(server: Server, error: httpx2.HTTPError, connect_s: float) -> Fault:
    for cause in _causes(error):
        match cause:
            case ssl.SSLCertVerificationError():
                return permanent_fault(_certificate_words(server, cause), sent=False)
            case ssl.SSLError():
                return permanent_fault(_handshake_words(server, cause), sent=False)
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
    """The errors under this one, the nearest first."""
    while error is not None:
        if isinstance(error, BaseExceptionGroup):
            for part in error.exceptions:
                yield from _causes(part)
        yield error
        error = error.__cause__ or error.__context__


def _peer(server: Server) -> str:
    """The other end of the connection."""
    return Sentence("the proxy {proxy}", proxy=server.proxy) if server.proxy else server.host


def _socket_words(server: Server, error: OSError) -> str:
    """Why there is no connection; empty where this error does not say it."""
    peer = _peer(server)
    if isinstance(error, socket.gaierror):
        return Sentence(
            "the name of {peer} is not found: is the address right, and this machine connected to a network?", peer=peer
        )
    if isinstance(error, ConnectionRefusedError):
        return Sentence("{peer} refuses the connection: is the server running, and its port right?", peer=peer)
    if error.errno in _NO_ROUTE:
        return Sentence("no way leads to {peer}: is this machine connected to a network?", peer=peer)
    return ""


def _certified(server: Server) -> str:
    """Name the owner of the certificate; the error does not tell the server from an https proxy."""
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


def _handshake_words(server: Server, error: ssl.SSLError) -> str:
    reason = (error.reason or "").replace("_", " ").lower()
    return Sentence(
        "TLS with {host} fails ({reason}): does the server speak https at this address?",
        host=_certified(server),
        reason=reason or Sentence("no reason is given"),
    )
