"""Login with an organisation's identity provider (OpenID Connect), if the secrets file has an [auth] section.

Gives a default name and no rights: rights in a debate come from its links.
"""

from importlib.util import find_spec

import streamlit as st

from debate_core.language import _
from debate_core.ui.kit import session
from debate_core.ui.kit.text import safe_line


def show() -> None:
    """Draw the button to log in or out; nothing without an identity provider."""
    session.show_problem()
    if "is_logged_in" not in st.user:
        return
    if st.user.is_logged_in:
        st.button(
            _("Log out {name}", name=safe_line(session.known_name(), max_chars=40)),
            key="logout",
            type="tertiary",
            on_click=st.logout,
        )
    else:
        st.button(_("Log in"), key="login", type="tertiary", icon=":material/login:", on_click=_login)


def _login() -> None:
    if find_spec("authlib") is None:
        session.set_problem(_("Login needs Authlib on the server: install it, or remove the [auth] section."))
    else:
        st.login()
