"""The field for the code on the screen, a plain browser form for the route `/join`, and the addresses of links.

Knows no debate.
"""

import io
from dataclasses import dataclass
from functools import cache
from urllib.parse import SplitResult, urlsplit

import segno
import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from debate_core.host.network import lan_address
from debate_core.language import Language, _, current, message
from debate_core.spec.panels.addresses import is_loopback
from debate_core.ui.kit.text import safe_line

_HTML = """
<form action="/join" method="get">
  <label for="code">{label}</label>
  <input id="code" name="code" maxlength="20" autocomplete="off" autocapitalize="characters" spellcheck="false"
         placeholder="{placeholder}" required>
  <button>{button}</button>
</form>
"""
_CSS = """
form { display: flex; gap: 0.5rem; align-items: center; font-family: var(--st-font);
  color: var(--st-text-color); }
input, button { font: inherit; padding: 0.4rem 0.75rem; border-radius: var(--st-button-radius);
  border: 1px solid color-mix(in srgb, var(--st-text-color) 50%, var(--st-background-color)); min-height: 2.5rem;
  box-sizing: border-box; }
label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
input { flex: 1 1 8rem; width: 8rem; min-width: 0; letter-spacing: 0.1em; text-transform: uppercase;
  color: var(--st-text-color); background: var(--st-secondary-background-color); }
input::placeholder { letter-spacing: 0; text-transform: none; color: var(--st-text-color); opacity: 0.7; }
button { cursor: pointer; color: var(--st-text-color); background: var(--st-background-color); }
button:hover { border-color: var(--st-primary-color); }
input:focus-visible, button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 1px; }
"""


@cache
def _component(language: Language) -> ComponentRenderer:
    words = {"label": _("Join a debate: code"), "placeholder": _("Code on screen"), "button": _("Join")}
    return st.components.v2.component(f"join_by_code_{language}", html=_HTML.format(**words), css=_CSS)


def show(where: str) -> None:
    """Draw the field and its button; `where` is unique on a page."""
    _component(current())(key=f"join-{where}")


NOT_FOR_PHONES = message("Phones cannot join yet: the app runs for this computer only.")
GUESSED = message("Try the code with one phone first: {url} is a guess from this computer's network.")
HOW = message("Start the app again with `make workshop`{there}. On a server, set `DEBATE_PUBLIC_URL` to its address.")
HOW_IF_WRONG = message("If it is wrong, set `DEBATE_PUBLIC_URL` and start the app again.")


@dataclass(frozen=True, slots=True)
class JoinAddress:
    """The beginning of links, without a final slash."""

    url: str
    warning: str = ""
    """A doubt about the address in plain words; empty if no fault is known."""
    how: str = ""
    """Steps of the operator that remove the doubt."""
    is_for_phones: bool = True
    """False if only this computer can open it."""


def page_address(page_url: str, *, public_url: str = "") -> str:
    """Return the public address (DEBATE_PUBLIC_URL), else that at which this browser opened the page."""
    url = urlsplit(page_url)
    return public_url or f"{url.scheme or 'http'}://{url.netloc or 'localhost:8501'}"


def join_address(page_url: str, *, public_url: str = "", listens_on: str = "") -> JoinAddress:
    """The address for phones. `page_url` is the address in this browser, `listens_on` the setting `server.address`.

    `public_url` (DEBATE_PUBLIC_URL) beats both. Empty `listens_on` = every network of this computer.
    """
    url = urlsplit(page_url)
    here = page_address(page_url, public_url=public_url)
    if not is_loopback(here):
        return JoinAddress(here)
    lan = "" if public_url else lan_address()
    # Such as `http://192.168.1.7:8501`.
    there = f"{url.scheme or 'http'}://{lan}{_port_part(url)}"
    if lan and not (listens_on and is_loopback(f"http://{listens_on}")):
        return JoinAddress(there, _(GUESSED).format(url=there), _(HOW_IF_WRONG))
    hint = _(": phones may then reach `{there}`", there=there) if lan else ""
    return JoinAddress(here, _(NOT_FOR_PHONES), _(HOW).format(there=hint), is_for_phones=False)


def draw_warning(address: JoinAddress, *, in_lobby: bool = False) -> None:
    """Draw a doubt about the address in one line; the lobby has a fold with the operator's cure."""
    if not address.warning:
        return
    there = "" if in_lobby or address.is_for_phones else _("The lobby says how to let them in.")
    st.markdown(f":orange[:material/wifi_off: {safe_line(address.warning)}] {there}")
    if not in_lobby:
        return
    with st.expander(_("How to let phones in"), key="let-phones-in", type="compact"):
        st.markdown(address.how)


def _port_part(url: SplitResult) -> str:
    return f":{url.port}" if url.port else ""


def join_link(address: JoinAddress, token: str = "") -> str:
    """The link of an invite; without a token, the page where people type the code."""
    return f"{address.url}/join/{token}" if token else f"{address.url}/join"


def typed(link: str) -> str:
    """A link as people type it. Browsers add the scheme, but for a port they add http."""
    url = urlsplit(link)
    return link.removeprefix("http://") if url.port else link.removeprefix(f"{url.scheme}://")


def qr_svg(link: str) -> str:
    """The QR code of a link for `st.image`, dark on light in every theme because cameras need it."""
    out = io.BytesIO()
    segno.make_qr(link, error="m").save(out, kind="svg", xmldecl=False, scale=8, border=4, light="#fff")
    return out.getvalue().decode().strip()


def qr_rows(link: str) -> list[str]:
    """The same QR code as rows of 1 (dark) and 0, without a border."""
    matrix = segno.make_qr(link, error="m").matrix
    return ["".join(str(int(dark)) for dark in row) for row in matrix]
