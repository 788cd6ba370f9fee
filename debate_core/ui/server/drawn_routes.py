"""Serve the scripts of our own components at addresses that contain their hash. Knows no debate."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from debate_core.language import _
from debate_core.ui.kit import fetched
from debate_core.ui.server.origins import NOT_HERE

A_YEAR = "public, immutable, max-age=31536000"


async def script(request: Request) -> Response:
    """GET of /drawn/NAME: a script that browsers may cache for ever."""
    found = fetched.FILES.get(request.url.path)
    if found is None:
        return PlainTextResponse(_(NOT_HERE), 404, headers={"Cache-Control": "no-store"})
    return Response(found, media_type="text/javascript", headers={"Cache-Control": A_YEAR})


routes = (Route(f"{fetched.ROOT}{{name}}", script, methods=["GET"]),)
