"""For monitors: whether this server is up (`/healthz`), and whether it can do its work (`/readyz`).

Everybody hears that much, and in one sentence what is missing. Which store it is and what runs is told to this machine
and to hosts alone.
"""

import asyncio
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from debate_core.errors import StoreError
from debate_core.language import Words
from debate_core.spec.values import Json
from debate_core.ui.server.language_routes import in_own_language

if TYPE_CHECKING:
    from debate_core.host.health import Missing
    from debate_core.host.host import Host

WHAT_IS_MISSING: "Words[Missing]" = Words(
    {
        "database": "The database cannot be read or written: new pages, votes and turns have to wait.",
        "schema": "The database is of another version than this server: its tables have to be migrated, or the server "
        "updated.",
        "workers": "No worker is running: seats are not asked until one is started.",
    }
)


async def healthz(request: Request) -> JSONResponse:
    """Up, also while the database is away: to start the server anew would not bring it back."""
    from debate_core.host.host import shared_host

    host = await asyncio.to_thread(shared_host)
    return JSONResponse({"ok": True, **await asyncio.to_thread(_known, host, request)})


async def readyz(_request: Request) -> JSONResponse:
    """200 if people can be served here; 503 and why not."""
    from debate_core.host.host import shared_host

    host = await asyncio.to_thread(shared_host)
    missing = await asyncio.to_thread(host.health.missing)
    if missing is None:
        return JSONResponse({"ready": True})
    return JSONResponse({"ready": False, "why": WHAT_IS_MISSING[missing]}, 503)


def _known(host: "Host", request: Request) -> dict[str, Json]:
    """What is told beside that the server is up; nothing to strangers."""
    client = request.client.host if request.client else ""
    is_here = host.door.hosting.is_at_machine(client, request.headers)
    try:
        return dict(host.health.report()) if is_here or host.door.hosting.is_host(request.cookies) else {}
    except StoreError as error:
        return {"store": str(error)} if is_here else {}


routes = (
    Route("/healthz", healthz, methods=["GET"]),
    Route("/readyz", in_own_language(readyz), methods=["GET"]),
)
