"""Health checks: `/healthz` for liveness, `/readyz` for readiness with one sentence about what is missing.

Only this machine and hosts get details about the store and the runs.
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
        "schema": "The database has another version than this server: migrate its tables, or update the server.",
        "workers": "No worker is running: seats are not asked until one is started.",
    }
)


async def healthz(request: Request) -> JSONResponse:
    """Always 200, even without the database: a restart of the server would not repair that."""
    from debate_core.host.host import shared_host

    host = await asyncio.to_thread(shared_host)
    return JSONResponse({"ok": True, **await asyncio.to_thread(_collect_details, host, request)})


async def readyz(_request: Request) -> JSONResponse:
    """200 if the server can work; else 503 and the reason."""
    from debate_core.host.host import shared_host

    host = await asyncio.to_thread(shared_host)
    missing = await asyncio.to_thread(host.health.missing)
    if missing is None:
        return JSONResponse({"ready": True})
    return JSONResponse({"ready": False, "why": WHAT_IS_MISSING[missing]}, 503)


def _collect_details(host: "Host", request: Request) -> dict[str, Json]:
    """Details about the server; empty for strangers."""
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
