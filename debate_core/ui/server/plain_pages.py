"""What the routes beside the screens have in common: small plain pages without scripts, cookies, who calls."""

from datetime import timedelta
from html import escape
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from debate_core.language import message

BUSY = message("The server cannot read its debates at the moment: try again in a minute.")
MAX_FORM_BYTES = 2_000
STYLE = (
    ":root{color-scheme:light dark}body{font:1.05rem/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto;"
    "padding:0 1.2rem}h1{font-size:1.5rem}"
    "button,input{font:inherit;padding:.55em 1em;border-radius:8px;border:1px solid #888}"
    "button{background:#22262f;color:#fff;border-color:#22262f}label{display:block;margin:1em 0}"
)


def page(title: str, said: str, form: str = "", *, status: int = 200) -> Response:
    """`title` and `said` are text; `form` is markup of ours."""
    html = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head><body><main><h1>{escape(title)}</h1><p>{escape(said)}</p>{form}"
        '<p><a href="/">Home</a></p></main></body></html>'
    )
    return HTMLResponse(html, status, headers={"Cache-Control": "no-store"})


def button(label: str) -> str:
    """No action: a form without one posts to the address at which it was read."""
    return f'<form method="post"><button>{escape(label)}</button></form>'


async def form_values(request: Request) -> dict[str, str]:
    """The fields of a small form; empty if it is none, or too large."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_FORM_BYTES:
            return {}
    return {name: values[0] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}


def keep_cookie(response: Response, request: Request, name: str, value: str, *, lasts: timedelta) -> None:
    """A cookie that scripts cannot read and other sites' forms do not bring along."""
    seconds = int(lasts.total_seconds())
    secure = is_https(request)
    response.set_cookie(name, value, max_age=seconds, path="/", secure=secure, httponly=True, samesite="lax")


def is_https(request: Request) -> bool:
    """True if the browser's own connection is: a proxy in between is believed only as far as it was set up."""
    from debate_core.host.host import shared_host

    return request.url.scheme == "https" or shared_host().public_url.startswith("https:")
