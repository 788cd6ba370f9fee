"""Who is logged in with the organisation: on a page as Streamlit says, at a route or socket by the cookie it signed.

Only where the secrets file has an [auth] section. Knows no debate.
"""

import json
from collections.abc import Mapping

import streamlit as st
from starlette.requests import HTTPConnection
from streamlit.auth_util import get_cookie_with_chunks, get_secrets_auth_section
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from debate_core.host.door.accounts import UserAccount
from debate_core.host.door.reading import Looker
from debate_core.host.host import Host

_NOBODY: Mapping[str, object] = {}


def is_configured() -> bool:
    """True where people can log in; for pages."""
    return "is_logged_in" in st.user


def on_page() -> Mapping[str, object]:
    """What the identity provider says of whoever looks at this page; empty if they are not logged in."""
    return dict(st.user) if is_configured() and st.user.is_logged_in else _NOBODY


def by_cookies(cookies: Mapping[str, str]) -> Mapping[str, object]:
    """The same by what a browser brings to a route or a socket."""
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
    """Who sends this request or opens this socket: whoever is logged in may host."""
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
    """The account of whoever looks at this page; None if they are not logged in, or nobody says who they are."""
    claims = on_page()
    return host.accounts.of_login(claims) if claims else None
