"""Sends one message: a signed POST, or a mail. Returns the fault, if there is one, and never raises for a receiver.

The signature is that of Standard Webhooks 1.0. Redirects are not followed, answers are not read, and every step has a
time limit. A fault names the host only, because the rest of an address can be a secret.
"""

import asyncio
import base64
import hmac
import logging
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from debate_core.host.messages.addresses import InsideNetwork, outside_addresses, refuse_inside_address
from debate_core.host.messages.channels import MessageChannel, MessageSettings
from debate_core.host.messages.faults import DeliveryFault
from debate_core.host.messages.formats import mail_of, webhook_body
from debate_core.report.phrases.letters import Letter
from debate_core.seats.providers.faults import retry_after_ms
from debate_core.text import line

if TYPE_CHECKING:
    import httpx2

SEND_S = 10.0
"""Time for one attempt at a webhook: name, connection, request and the head of the answer."""
CONNECT_S = 3.0
"""Of this, for one address of a host."""
MAIL_S = 30.0
"""The same for a mail: servers slow down senders that they do not know."""
MAX_WAIT_S = 3_600.0
MAX_WHY_CHARS = 200
_TRY_AGAIN = frozenset((408, 425, 429))
"""Statuses below 500 after which the same request may succeed."""


async def deliver(letter: Letter, channel: MessageChannel, settings: MessageSettings) -> DeliveryFault | None:
    """Make one attempt; None = the receiver took the message."""
    is_mail = channel.spec.kind == "mail"
    limit_s = MAIL_S if is_mail else SEND_S
    try:
        async with asyncio.timeout(limit_s):
            return await (_send_mail if is_mail else _post)(letter, channel, settings)
    except InsideNetwork as error:
        return DeliveryFault("inside", error.host, permanent=True)
    except TimeoutError:
        return DeliveryFault("late", f"{limit_s:g}")
    except OSError as error:
        return DeliveryFault("connection", line(str(error))[:MAX_WHY_CHARS])


def signature_headers(letter_id: str, body: bytes, secret: bytes, *, at_s: int) -> dict[str, str]:
    """The headers of Standard Webhooks: HMAC-SHA256 over id, time and body."""
    signed = b".".join((letter_id.encode(), str(at_s).encode(), body))
    signature = base64.b64encode(hmac.digest(secret, signed, "sha256")).decode()
    return {"webhook-id": letter_id, "webhook-timestamp": str(at_s), "webhook-signature": f"v1,{signature}"}


async def _post(letter: Letter, channel: MessageChannel, settings: MessageSettings) -> DeliveryFault | None:
    body = webhook_body(letter, channel)
    headers = {"content-type": "application/json", "user-agent": "debate-room"}
    if channel.secret:
        headers |= signature_headers(letter.id, body, channel.secret, at_s=int(time.time()))
    parts = urlsplit(channel.url)
    host = parts.hostname or ""
    if settings.network.proxy_for(channel.url):
        return await _through_proxy(channel, settings, body, headers)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    addresses = await outside_addresses(host, port, allowed=settings.inside_hosts)
    *others, last = addresses
    for address in others:
        try:
            return await _post_to(address, channel, settings, body, headers)
        except OSError:
            # Often an IPv6 address on a machine without IPv6; nothing was sent.
            continue
    return await _post_to(last, channel, settings, body, headers)


async def _through_proxy(
    channel: MessageChannel, settings: MessageSettings, body: bytes, headers: dict[str, str]
) -> DeliveryFault | None:
    """The proxy resolves names and decides what it reaches; addresses in figures are checked here, too."""
    host = urlsplit(channel.url).hostname or ""
    refuse_inside_address(host, allowed=settings.inside_hosts)
    return await _post_to(host, channel, settings, body, headers)


async def _post_to(
    address: str, channel: MessageChannel, settings: MessageSettings, body: bytes, headers: dict[str, str]
) -> DeliveryFault | None:
    """POST to this address under the name of the channel's host. OSError if there is no connection."""
    import httpx2  # Loaded with the first message.

    from debate_core.seats.providers.client import client_over, transport_to

    named = httpx2.URL(channel.url)
    extensions = {"sni_hostname": named.raw_host.decode("ascii")}
    # At other levels httpx2 logs every address, and an address can be a secret.
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    try:
        async with (
            client_over(transport_to(channel.url, settings.network)) as client,
            client.stream(
                "POST",
                named.copy_with(host=address),
                content=body,
                headers={**headers, "host": named.netloc.decode("ascii")},
                extensions=extensions,
                timeout=httpx2.Timeout(SEND_S, connect=CONNECT_S),
            ) as answer,
        ):
            return _fault_of(answer)
    except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
        raise ConnectionError(str(error)) from None
    except httpx2.HTTPError as error:
        return DeliveryFault("connection", type(error).__name__)


def _fault_of(answer: "httpx2.Response") -> DeliveryFault | None:
    status = answer.status_code
    if answer.is_success:
        return None
    if 300 <= status < 400:
        return DeliveryFault("redirect", str(status), permanent=True)
    wait_s = min((retry_after_ms(answer.headers) or 0) / 1000, MAX_WAIT_S)
    is_final = status < 500 and status not in _TRY_AGAIN
    return DeliveryFault("status", str(status), permanent=is_final, wait_s=wait_s)


async def _send_mail(letter: Letter, channel: MessageChannel, settings: MessageSettings) -> DeliveryFault | None:
    from debate_core.host.messages.mail import Mailing  # Loaded with the first mail.

    server = settings.mail
    assert server is not None, "the settings have a mail server for every mail channel"
    addresses = await outside_addresses(server.host, server.port, allowed=settings.inside_hosts)
    mail = mail_of(letter, channel, server, at=datetime.now(UTC))
    may_be_plain = server.host in settings.inside_hosts
    return await Mailing(server, addresses, settings.network.ca_file, may_be_plain=may_be_plain).send(mail)
