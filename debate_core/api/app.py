"""Answers requests to the API: checks method, token, limits, scope and parameters, then calls the route."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from debate_core.api.answers import ApiRefusal, refusal
from debate_core.api.reading import TokenReader
from debate_core.api.routes import find_route, read_parameters
from debate_core.errors import DebateError, NotAllowed
from debate_core.host.access.tokens import ApiToken, Tokens, TokenScope
from debate_core.host.host import Host
from debate_core.host.network import client_place
from debate_core.host.quotas import TOKEN_READS, Open
from debate_core.language import spoken

IN_ADDRESS = "the address contains a token, and addresses are kept in logs: send it as `Authorization: Bearer TOKEN`"
MISSING = "this needs a token: send it as `Authorization: Bearer TOKEN`"
OTHER_SCOPE = "this token does not have the scope {scope!r}: make one that has it"
_TOKEN_NAMES = {"token", "access_token", "api_key", "apikey", "key", "authorization"}
# Authorization: Bearer drt_...
_BEARER = re.compile(r"bearer +(\S+)", re.IGNORECASE)
_READERS = ThreadPoolExecutor(2, "api")
"""Separate threads, so that reading takes none from pages and health checks."""
_answered = Open(TOKEN_READS)


async def answer(host: Host, path: str, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one request; `path` is that below `/api`."""
    request = Request(scope, receive)
    try:
        response = await asyncio.get_running_loop().run_in_executor(_READERS, _respond, host, path, request)
        await response(scope, receive, send)
    except DebateError as error:
        await refusal(error)(scope, receive, send)


def _respond(host: Host, path: str, request: Request) -> Response:
    """The answer; any DebateError becomes a refusal."""
    if request.method not in ("GET", "HEAD"):
        raise ApiRefusal(HTTPStatus.METHOD_NOT_ALLOWED, "this API only reads: use GET or HEAD")
    token = find_token(host, request)
    with _answered.one(token.id), spoken("en"):
        route, parts = find_route(path)
        if route.scope is not None:
            require_scope(token, route.scope)
        given = read_parameters(route, parts, request.query_params.multi_items(), request.headers)
        return route.answer(TokenReader(host, token), given)


def find_token(host: Host, request: Request) -> ApiToken:
    """The valid token of a request, counted. NotAllowed, ApiRefusal or TooMany without one."""
    names = {name.lower() for name in request.query_params}
    if Tokens.are_in(unquote(str(request.url))) or names & _TOKEN_NAMES:
        raise ApiRefusal(HTTPStatus.BAD_REQUEST, IN_ADDRESS)
    address = client_place(request.client.host if request.client else "")
    tokens = host.door.tokens
    given = _BEARER.fullmatch(request.headers.get("authorization", "").strip())
    if given is None:
        raise NotAllowed(MISSING)
    token = tokens.find(given[1], address=address)
    tokens.requests.one_more(token.id)
    return token


def require_scope(token: ApiToken, scope: TokenScope) -> None:
    """Raise ApiRefusal for a token of other scopes."""
    if scope not in token.scopes:
        raise ApiRefusal(HTTPStatus.FORBIDDEN, OTHER_SCOPE, scope=scope)
