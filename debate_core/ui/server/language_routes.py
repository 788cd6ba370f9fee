"""The pages beside the screens in the language of whoever asks for them, and the route that keeps a chosen language."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import wraps
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from debate_core.language import known, spoken
from debate_core.ui.kit.browser_language import COOKIE, ROUTE, of_cookies
from debate_core.ui.server.plain_pages import keep_cookie

LASTS = timedelta(days=365)
Endpoint = Callable[[Request], Awaitable[Response]]


def in_own_language(endpoint: Endpoint) -> Endpoint:
    """The same, in the language of the browser that asks."""

    @wraps(endpoint)
    async def answer(request: Request) -> Response:
        with spoken(of_cookies(request.cookies, request.headers.get("accept-language", ""))):
            return await endpoint(request)

    return answer


async def choose(request: Request) -> Response:
    """GET of /language/CODE: keeps it in a cookie and leads back; a language that is none of ours changes nothing."""
    response = RedirectResponse(_back(request), 303, headers={"Cache-Control": "no-store"})
    if language := known(request.path_params["code"]):
        keep_cookie(response, request, COOKIE, language, lasts=LASTS)
    return response


def _back(request: Request) -> str:
    """The page of this server from which somebody came, else the first one."""
    came_from = urlsplit(request.headers.get("referer", ""))
    # Two slashes at the beginning would lead to another server.
    path = "/" + came_from.path.lstrip("/\\")
    if came_from.netloc != request.headers.get("host") or path.startswith(ROUTE):
        return "/"
    return f"{path}?{came_from.query}" if came_from.query else path


routes = (Route(f"{ROUTE}{{code}}", choose, methods=["GET"]),)
