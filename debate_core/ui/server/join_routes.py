"""Routes to join a debate by link or code, and to leave it. Plain pages, no scripts.

The browser gets a cookie that scripts cannot read; no address identifies a person.
"""

import asyncio
import re
from html import escape
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from debate_core.errors import DebateError, NotAllowed, RuleViolation, StoreError, TooManyTries, UnknownDebate
from debate_core.host.access.admission import taken_by
from debate_core.host.access.cookies import COOKIE_LASTS, cookie_name
from debate_core.host.access.door import REVOKED
from debate_core.host.access.invites import Invite
from debate_core.host.network import client_place
from debate_core.language import _, message, said
from debate_core.names import visible_name
from debate_core.report.facts.terms import named
from debate_core.ui.kit.failures import BUSY
from debate_core.ui.server.language_routes import in_own_language
from debate_core.ui.server.plain_pages import (
    button,
    form_values,
    hold_back,
    is_https,
    keep_cookie,
    name_form,
    page,
)

if TYPE_CHECKING:
    from debate_core.host.host import Host

GONE = message("This debate is no longer here. Ask the facilitator where it is now.")
VOTES_SEALED = message("Votes are sealed until the reveal. The full record keeps who cast which ballot.")
WATCHING = message("The people of this debate see the name under which you join.")


async def join(request: Request) -> Response:
    """GET and POST of /join/TOKEN and /join?code=CODE: redirect to the room, or give the reason of a refusal.

    After too many wrong tries the answer is delayed, without delaying other clients.
    """
    typed = (await form_values(request)).get("name", "") if request.method == "POST" else ""
    return await hold_back(await asyncio.to_thread(_join, request, typed))


async def leave(request: Request) -> Response:
    """POST of /leave/DEBATE: delete this browser's cookie; GET asks for confirmation."""
    debate = request.path_params["debate_id"]
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", debate):
        return page(_("There is no such debate"), _(GONE), status=404)
    if request.method != "POST" or _is_cross_site(request):
        said = _("This browser forgets who you are in this debate. To come back you need a link again.")
        return page(_("Leave the debate?"), said, button(_("Leave")))
    response = RedirectResponse("/", 303)
    response.delete_cookie(cookie_name(debate), path="/", secure=is_https(request), httponly=True, samesite="lax")
    return response


def _join(request: Request, name: str) -> Response:
    token = request.path_params.get("token", "")
    code = request.query_params.get("code", "")
    if not token and not code:
        return page(_("Join a debate"), _("Type the code that is on the screen in the room."), _code_form())
    # Imported late, so that app.py starts without loading the store.
    from debate_core.host.host import shared_host

    host = shared_host()
    address = client_place(request.client.host if request.client else "")
    try:
        door = host.door
        invite = door.find(token, address=address) if token else door.by_code(code, address=address)
        return _admit(host, invite, request, name)
    except (NotAllowed, RuleViolation, StoreError) as error:
        return _refuse(error, by_code=not token)


def _admit(host: "Host", invite: Invite, request: Request, name: str) -> Response:
    known = host.viewer(invite.debate, request.cookies)
    if known is not None and invite.person in (None, known.id):
        return _redirect_to_room(invite)
    host.door.refuse_stale(invite)
    if host.stands_for(invite.debate) != invite.debate:
        # The record was replaced by another one. People of the room come back above; new people cannot join.
        raise host.door.rate_limit.refusal(REVOKED)
    if asked := _ask_first(host, invite, request, name):
        return asked
    if invite.kind == "open":
        host.door.arrivals.let_in(invite.debate, client_place(request.client.host if request.client else ""))
    person = host.admit(invite, name=name)
    response = _redirect_to_room(invite)
    cookie = host.door.cookies.of(invite, person)
    keep_cookie(response, request, cookie_name(invite.debate), cookie, lasts=COOKIE_LASTS)
    return response


def _ask_first(host: "Host", invite: Invite, request: Request, name: str) -> Response | None:
    """A page that asks for a name (public link) or a press (personal link); None if it was given."""
    is_own_form = request.method == "POST" and not _is_cross_site(request)
    if invite.kind == "open":
        return _ask_name(host, invite, name, is_own_form=is_own_form)
    # Mail and chat programs open links for a preview, which must not use up a link that works once.
    is_by_user = request.method == "GET" and request.headers.get("sec-fetch-user") == "?1"
    return None if is_own_form or is_by_user else _ask_press(host, invite)


def _ask_press(host: "Host", invite: Invite) -> Response:
    said = _(
        "{name}, {role} in the debate: {question}",
        name=invite.name or _("You"),
        role=named(invite.role),
        question=host.state(invite.debate).spec.question[:300],
    )
    return page(_("You are invited"), said, button(_("Come in")))


def _ask_name(host: "Host", invite: Invite, name: str, *, is_own_form: bool) -> Response | None:
    """The form for a name, with the typed one if it is taken; None if the name is free."""
    state = host.state(invite.debate)
    spec = state.spec
    said = _(VOTES_SEALED if spec.terms.final_vote == "asked" and invite.role == "voter" else WATCHING)
    typed = ""
    if is_own_form:
        taken = taken_by(state, name)
        if not taken:
            return None
        typed = name
        said = _("The name {name} is taken. Choose one that cannot be mistaken for it.", name=taken)
    return page(spec.question[:300], said, name_form(_("Join"), name=visible_name(typed)))


def _is_cross_site(request: Request) -> bool:
    """True for a form of another site, which must neither admit nor remove anyone.

    Browsers send this header over https; over plain http `origins` compares the origin.
    """
    return request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none")


def _redirect_to_room(invite: Invite) -> Response:
    return RedirectResponse(f"/room?id={invite.debate}", 303, headers={"Cache-Control": "no-store"})


def _refuse(error: DebateError, *, by_code: bool) -> Response:
    match error:
        case TooManyTries():
            status = 429
            why = said(error)
        case NotAllowed() | RuleViolation():
            status = 403
            why = said(error)
        case UnknownDebate():
            status = 404
            why = _(GONE)
        case _:
            # The message of a store contains paths, which strangers must not see.
            status = 503
            why = _(BUSY)
    return page(_("You cannot come in"), why[:1].upper() + why[1:], _code_form() if by_code else "", status=status)


def _code_form() -> str:
    return (
        f'<form action="/join" method="get"><label>{escape(_("Code on the screen"))} <input name="code" maxlength="20" '
        'autocomplete="off" autocapitalize="characters" spellcheck="false" required autofocus></label> '
        f"<button>{escape(_('Join'))}</button></form>"
    )


routes = (
    Route("/join", in_own_language(join), methods=["GET", "POST"]),
    Route("/join/{token}", in_own_language(join), methods=["GET", "POST"]),
    Route("/leave/{debate_id}", in_own_language(leave), methods=["GET", "POST"]),
)
