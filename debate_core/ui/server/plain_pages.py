"""Shared parts of the routes beside the screens: plain pages without scripts, forms, cookies."""

import asyncio
import re
from datetime import timedelta
from functools import cache
from html import escape
from pathlib import Path
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from streamlit.file_util import get_static_dir

from debate_core.language import _, current
from debate_core.text import without_direction
from debate_core.ui.kit.browser_language import others_html
from debate_core.ui.server.small_fonts import FACES

MAX_FORM_BYTES = 2_000
# The colours of .streamlit/config.toml, because Streamlit does not draw these pages.
STYLE = (
    ":root{color-scheme:light dark;--ground:#fff;--field:#f6f7f9;--ink:#16181d;--mute:#65676a;--ring:#949597}"
    "@media(prefers-color-scheme:dark){:root{--ground:#101216;--field:#181b21;--ink:#e9ebf0;--mute:#9fa1a6;"
    "--ring:#74767a}}"
    "*{box-sizing:border-box}"
    "body{font:400 1.05rem/1.5 'Source Sans',system-ui,sans-serif;background:var(--ground);color:var(--ink);"
    "max-width:28rem;margin:0 auto;padding:10vh 1.2rem 2rem}"
    "h1{font-size:1.5rem;font-weight:680;line-height:1.25;margin:0 0 .5rem}p{margin:0 0 1.2rem;overflow-wrap:anywhere}"
    "small,.foot{color:var(--mute);font-size:.92rem}a{color:inherit}"
    "label{display:block;font-weight:600;margin:0 0 1rem}"
    "input{display:block;width:100%;min-height:52px;margin-top:.35rem;padding:.5em .8em;font:inherit;color:inherit;"
    "background:var(--field);border:1.5px solid var(--ring);border-radius:8px}"
    "button{display:block;width:100%;min-height:52px;font:inherit;font-weight:600;color:var(--ground);"
    "background:var(--ink);border:0;border-radius:8px;cursor:pointer}"
    "input:focus-visible,button:focus-visible,a:focus-visible{outline:2px solid var(--ink);outline-offset:2px}"
    "form+.foot{margin-top:1.2rem}"
)


def page(title: str, said: str, form: str = "", *, status: int = 200) -> Response:
    """Make a page. `title` and `said` are escaped; `form` is our own markup.

    While people read it and type, the browser fetches the scripts of the page to which the form leads.
    """
    title, said = without_direction(title), without_direction(said)
    html = (
        f'<!doctype html><html lang="{current()}"><head><meta charset="utf-8"><meta name="robots" content="noindex">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)}</title>'
        f"<style>{FACES}{STYLE}</style>{_scripts_to_come() if form else ''}</head>"
        f"<body><main><h1>{escape(title)}</h1><p>{escape(said)}</p>{form}"
        f'<p class="foot"><a href="/">{escape(_("Home"))}</a> · {others_html()}</p></main></body></html>'
    )
    return HTMLResponse(html, status, headers={"Cache-Control": "no-store"})


@cache
def _scripts_to_come() -> str:
    """Links to the scripts with which every page of Streamlit begins."""
    html = (Path(get_static_dir()) / "index.html").read_text("utf-8")
    scripts = re.findall(r'(?:src|modulepreload" crossorigin href)="\./(static/js/[\w.-]+\.js)"', html)
    return "".join(f'<link rel="modulepreload" crossorigin href="/{script}">' for script in scripts)


PAUSE_S = 0.5


async def hold_back(response: Response) -> Response:
    """Delay the answer to a client that was wrong too often; other clients do not wait."""
    if response.status_code == 429:
        await asyncio.sleep(PAUSE_S)
    return response


NAME_MAX = 80


def name_form(label: str, *, name: str = "") -> str:
    """A form that asks for a name and posts to its own address."""
    return (
        f'<form method="post"><label>{escape(_("Your name"))} '
        f'<input name="name" maxlength="{NAME_MAX}" value="{escape(name)}" '
        f'autocomplete="name" required autofocus></label><button>{escape(label)}</button></form>'
    )


def button(label: str) -> str:
    """A form with one button that posts to its own address."""
    return f'<form method="post"><button>{escape(label)}</button></form>'


async def form_values(request: Request) -> dict[str, str]:
    """The fields of a small form; empty if the body is too large or no form."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_FORM_BYTES:
            return {}
    return {name: values[0] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}


def keep_cookie(response: Response, request: Request, name: str, value: str, *, lasts: timedelta) -> None:
    """Set a cookie that scripts cannot read and other sites' forms do not send."""
    seconds = int(lasts.total_seconds())
    secure = is_https(request)
    response.set_cookie(name, value, max_age=seconds, path="/", secure=secure, httponly=True, samesite="lax")


def is_https(request: Request) -> bool:
    """True if the browser's connection is encrypted, directly or at a proxy according to the public address."""
    from debate_core.host.host import shared_host

    return request.url.scheme == "https" or shared_host().public_url.startswith("https:")
