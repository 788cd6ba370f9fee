"""`/mcp`: the tools of programs over HTTP, for tokens with the scope `ask`. Needs the package `mcp`; import this late.

Each request stands alone: nothing is kept between two requests of a client.
"""

import asyncio
from http import HTTPStatus
from importlib.util import find_spec

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from debate_core.api.answers import ApiRefusal, refusal
from debate_core.api.app import find_token, require_scope
from debate_core.api.reading import TokenReader
from debate_core.errors import DebateError
from debate_core.host.access.tokens import ApiToken
from debate_core.host.agents.tools import AgentTools
from debate_core.host.host import Host

NO_PACKAGES = "this server has no MCP endpoint: its operator has to run `make mcp`"


async def answer_mcp(host: Host, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one request of a client, or refuse it in one sentence."""
    request = Request(scope, receive)
    try:
        token = await asyncio.to_thread(_admitted, host, request)
    except DebateError as error:
        await refusal(error)(scope, receive, send)
        return
    from mcp.server.transport_security import TransportSecuritySettings

    from debate_core.host.agents.server import agent_server

    # A page cannot read a token, so the check of host names would add nothing behind a proxy.
    security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app_url = host.public_url or str(request.base_url).rstrip("/")
    server = agent_server(
        AgentTools(host, app_url, token.looker, token=token.id, named=TokenReader(host, token).named), asker=token.name
    )
    app = server.streamable_http_app(json_response=True, stateless_http=True, transport_security=security)
    async with app.router.lifespan_context(app):
        await app(scope, receive, send)


def _admitted(host: Host, request: Request) -> ApiToken:
    token = find_token(host, request)
    require_scope(token, "ask")
    if find_spec("mcp") is None:
        raise ApiRefusal(HTTPStatus.SERVICE_UNAVAILABLE, NO_PACKAGES)
    return token
