"""People who log in with the organisation: what Streamlit says of them on a page, and the cookie it gave them."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from streamlit import config
from streamlit.runtime.secrets import secrets_singleton
from streamlit.testing.v1 import AppTest
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from debate_core.host.host import Host
from tests.app.visiting import new_browser

SECRET = "a secret of the organisation for its cookies"
AUTH = f"""[auth]
redirect_uri = "https://debates.example.org/oauth2callback"
cookie_secret = "{SECRET}"
client_id = "debates"
client_secret = "s"
server_metadata_url = "https://login.example.org/.well-known/openid-configuration"
"""


def claims(name: str) -> dict[str, object]:
    """Return the identity provider's claims about `Una`."""
    email = f"{name.lower()}@example.org"
    who = {"iss": "https://login.example.org", "sub": f"of-{name}", "name": name, "email": email}
    return {"is_logged_in": True, **who}


@contextmanager
def organisation(folder: Path) -> Iterator[None]:
    """The secrets file has an [auth] section."""
    file, before = folder / "secrets.toml", config.get_option("secrets.files")
    file.write_text(AUTH, "utf-8")
    config.set_option("secrets.files", [str(file)])
    secrets_singleton._reset()
    try:
        yield
    finally:
        config.set_option("secrets.files", before)
        secrets_singleton._reset()


def account_of(host: Host, name: str) -> str:
    """The account of a logged-in person."""
    account = host.accounts.of_login(claims(name))
    assert account is not None
    return str(account.id)


def browser_of(name: str) -> AppTest:
    """A new browser of a logged-in person."""
    app = new_browser()
    app.user = claims(name)
    return app


def login_cookie(name: str, *, secret: str = SECRET, **more: object) -> Mapping[str, str]:
    """Return the cookie that Streamlit gives a logged-in browser."""
    said = json.dumps({**claims(name), "origin": "https://debates.example.org", **more})
    return {USER_COOKIE_NAME: create_signed_value(secret, USER_COOKIE_NAME, said).decode()}
