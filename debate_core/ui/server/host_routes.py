"""Routes that make a browser a host, the projector of a debate, or a reader of its results. Plain pages, no scripts."""

import asyncio
from html import escape

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from debate_core.errors import NotAllowed, StoreError, TooManyTries, UnknownDebate
from debate_core.host.access.cookies import COOKIE_LASTS, results_cookie_name, screen_cookie_name
from debate_core.host.access.hosting import COOKIE
from debate_core.host.access.reading import STRANGER
from debate_core.host.network import client_place
from debate_core.language import _, message, said
from debate_core.ui.kit.failures import BUSY
from debate_core.ui.server.language_routes import in_own_language
from debate_core.ui.server.plain_pages import form_values, hold_back, keep_cookie, page

ASKED = message("Hosts create debates, see the list of all debates, and use the paid model keys of this server.")
NO_SCREEN = message("This link opens no projector page. Open it again from the facilitator's desk.")
NO_RESULTS = message(
    "This link opens nothing now: the debate is not over, its ground rules allow no such link, or it is incomplete."
)


async def host(request: Request) -> Response:
    """GET and POST of /host: ask for the code, and set a cookie if it is right."""
    if request.method != "POST":
        return page(_("Host debates here"), _(ASKED), _code_form())
    code = (await form_values(request)).get("code", "")
    return await hold_back(await asyncio.to_thread(_host, request, code))


def _host(request: Request, code: str) -> Response:
    # Imported late, so that app.py starts without loading the store.
    from debate_core.host.host import shared_host

    address = client_place(request.client.host if request.client else "")
    try:
        cookie = shared_host().door.hosting.cookie(code, address=address)
    except TooManyTries as error:
        return page(_("You cannot host yet"), said(error), _code_form(), status=429)
    except NotAllowed as error:
        return page(_("You cannot host here"), said(error), _code_form(), status=403)
    except StoreError:
        return page(_("You cannot host yet"), _(BUSY), status=503)
    response = RedirectResponse("/", 303, headers={"Cache-Control": "no-store"})
    keep_cookie(response, request, COOKIE, cookie, lasts=COOKIE_LASTS)
    return response


def _code_form() -> str:
    return (
        f'<form method="post"><label>{escape(_("Host code"))} <input name="code" type="password" maxlength="200" '
        f'autocomplete="off" required></label> <button>{escape(_("Host"))}</button></form>'
    )


async def wall(request: Request) -> Response:
    """GET of /wall/TOKEN: let this browser show the projector page of a debate, and nothing else."""
    return await asyncio.to_thread(_wall, request)


def _wall(request: Request) -> Response:
    from debate_core.host.host import shared_host

    token = request.path_params["token"]
    try:
        debate = shared_host().door.screen_of(token)
    except StoreError:
        return page(_("There is no screen"), _(BUSY), status=503)
    if debate is None:
        return page(_("There is no screen"), _(NO_SCREEN), status=403)
    return _opened(request, f"/screen?id={debate}", screen_cookie_name(debate), token)


async def read(request: Request) -> Response:
    """GET of /read/TOKEN: let this browser read a finished debate, if its rules allow that."""
    return await asyncio.to_thread(_read, request)


def _read(request: Request) -> Response:
    from debate_core.host.host import shared_host

    host = shared_host()
    token = request.path_params["token"]
    try:
        debate = host.door.results_of(token)
        now = host.stands_for(debate) if debate else ""
        opens = debate is not None and host.may_look(now, {results_cookie_name(debate): token}, STRANGER)
    except UnknownDebate:
        debate = None
        opens = False
    except StoreError:
        return page(_("You cannot read it now"), _(BUSY), status=503)
    if debate is None or not opens:
        return page(_("There are no results"), _(NO_RESULTS), status=403)
    return _opened(request, f"/results?id={now}", results_cookie_name(debate), token)


def _opened(request: Request, path: str, cookie: str, value: str) -> Response:
    response = RedirectResponse(path, 303, headers={"Cache-Control": "no-store"})
    keep_cookie(response, request, cookie, value, lasts=COOKIE_LASTS)
    return response


routes = (
    Route("/host", in_own_language(host), methods=["GET", "POST"]),
    Route("/wall/{token}", in_own_language(wall), methods=["GET"]),
    Route("/read/{token}", in_own_language(read), methods=["GET"]),
)
