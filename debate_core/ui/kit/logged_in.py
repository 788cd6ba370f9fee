"""Login with the organisation: on pages by Streamlit's user, at routes and sockets by Streamlit's signed cookie.

Needs an [auth] section in the secrets file. Knows no debate.
"""

import json
from collections.abc import Mapping

import streamlit as st
from starlette.requests import HTTPConnection
from streamlit.auth_util import get_cookie_with_chunks, get_secrets_auth_section
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from debate_core.host.access.accounts import UserAccount
from debate_core.host.access.reading import Looker
from debate_core.host.host import Host

_NOBODY: Mapping[str, object] = {}


def on_page() -> Mapping[str, object]:
    """Return the identity provider's claims about the user of this page; empty without a login."""
    # Every look into `st.user` searches the secrets files on disk; a page asks several times per run.
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or not context.user_info.get("is_logged_in"):
        return _NOBODY
    return st.user.to_dict()


def by_cookies(cookies: Mapping[str, str]) -> Mapping[str, object]:
    """Return the claims in the cookies of a request or socket; empty without a valid login."""
    if USER_COOKIE_NAME not in cookies or not get_secrets_auth_section():
        return _NOBODY
    secret = get_cookie_secret()

    def signed(name: str) -> bytes | None:
        return decode_signed_value(secret, name, cookies.get(name, ""))

    try:
        found = json.loads(get_cookie_with_chunks(signed, USER_COOKIE_NAME) or b"{}")
    except ValueError:
        return _NOBODY
    if isinstance(found, dict) and found.get("is_logged_in") is True:
        return found
    return _NOBODY


def looker(host: Host, connection: HTTPConnection) -> Looker:
    """Identify the sender of a request or socket; every logged-in user may host."""
    client = connection.client.host if connection.client else ""
    claims = by_cookies(connection.cookies)
    standing = host.door.hosting.standing(client, connection.headers, connection.cookies)
    if not claims:
        return Looker(standing, "")
    if standing == "stranger":
        standing = "host"
    account = host.accounts.of_login(claims)
    return Looker(standing, account.id if account else "")


def account_on_page(host: Host) -> UserAccount | None:
    """Return the account of the user of this page; None without a login or an identity in its claims."""
    claims = on_page()
    return host.accounts.of_login(claims) if claims else None
