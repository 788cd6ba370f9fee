"""The language of the plain pages, and the route that stores a chosen language."""

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
    """Wrap an endpoint so that it answers in the language of the browser."""

    @wraps(endpoint)
    async def answer(request: Request) -> Response:
        with spoken(of_cookies(request.cookies, request.headers.get("accept-language", ""))):
            return await endpoint(request)

    return answer


async def choose(request: Request) -> Response:
    """GET of /language/CODE: store the language in a cookie and go back; ignore unknown languages."""
    response = RedirectResponse(_find_way_back(request), 303, headers={"Cache-Control": "no-store"})
    if language := known(request.path_params["code"]):
        keep_cookie(response, request, COOKIE, language, lasts=LASTS)
    return response


def _find_way_back(request: Request) -> str:
    """The page of this server from which the request came, else the first page."""
    came_from = urlsplit(request.headers.get("referer", ""))
    # A path with two leading slashes would redirect to another server.
    path = "/" + came_from.path.lstrip("/\\")
    if came_from.netloc != request.headers.get("host") or path.startswith(ROUTE):
        return "/"
    return f"{path}?{came_from.query}" if came_from.query else path


routes = (Route(f"{ROUTE}{{code}}", choose, methods=["GET"]),)
