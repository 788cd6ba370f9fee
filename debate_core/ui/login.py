"""Logging in with an organisation's identity provider (OpenID Connect), where the secrets file has an [auth] section.

Gives a name to begin with and nothing else: rights in a debate come from its links. Called by the home page.
"""

import streamlit as st

from debate_core.ui.parts import show_line
from debate_core.ui.session import known_name


def show() -> None:
    """The button, or who is logged in; nothing where no provider is set up."""
    if "is_logged_in" not in st.user:
        return
    if st.user.is_logged_in:
        st.button(f"Log out {show_line(known_name(), max_chars=40)}", key="logout", type="tertiary", on_click=st.logout)
    else:
        st.button("Log in", key="login", type="tertiary", icon=":material/login:", on_click=st.login)
