"""How phones find the debate: the address to give them, and its picture (QR code). No file, no network.

Knows no debate. Called by the lobby and the projector's page.
"""

import io
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

import segno

from debate_core.spec.panels.addresses import is_loopback

NOT_FOR_PHONES = (
    "Phones cannot reach {url}: it is this computer alone. Start the app with `--server.address 0.0.0.0`{there}, "
    "or set DEBATE_PUBLIC_URL to the address at which others reach it."
)
GUESSED = "{url} is a guess from this computer's network: if a phone cannot open it, set DEBATE_PUBLIC_URL."


@dataclass(frozen=True, slots=True)
class JoinAddress:
    """Where a link begins, without a slash at its end, and what may be wrong with it; empty if nothing is known."""

    url: str
    warning: str = ""


def join_address(page_url: str, *, public_url: str = "", listens_on: str = "") -> JoinAddress:
    """The address for phones. `page_url` is what this browser shows, `listens_on` the setting `server.address`.

    `public_url` (DEBATE_PUBLIC_URL) beats both. Empty `listens_on` = every network of this computer.
    """
    parts = urlsplit(page_url)
    here = public_url or f"{parts.scheme or 'http'}://{parts.netloc or 'localhost:8501'}"
    if not is_loopback(here):
        return JoinAddress(here)
    lan = lan_address()
    there = f"{parts.scheme or 'http'}://{lan}{f':{parts.port}' if parts.port else ''}" if lan else ""
    if public_url or not there or (listens_on and is_loopback(f"http://{listens_on}")):
        hint = f" (phones may then reach {there})" if there and not public_url else ""
        return JoinAddress(here, NOT_FOR_PHONES.format(url=here, there=hint))
    return JoinAddress(there, GUESSED.format(url=there))


def lan_address() -> str:
    """This computer's address in its network, as far as it can tell; empty if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # A datagram socket that is connected sends nothing: it only picks the way out. The address is nobody's.
            probe.connect(("192.0.2.1", 9))
            found = str(probe.getsockname()[0])
        except OSError:
            return ""
    return "" if found.startswith(("127.", "0.")) else found


def join_link(address: JoinAddress, token: str = "") -> str:
    """The link of an invite; without a token, the page where people type the code."""
    return f"{address.url}/join/{token}" if token else f"{address.url}/join"


def qr_svg(link: str) -> str:
    """The picture of a link for `st.image`, dark on light in every theme: cameras need it so."""
    out = io.BytesIO()
    segno.make_qr(link, error="m").save(out, kind="svg", xmldecl=False, scale=8, border=4, light="#fff")
    return out.getvalue().decode().strip()
