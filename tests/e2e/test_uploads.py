"""Uploads forged by another site: a file without the token that only our pages know."""

import http.client
from urllib.parse import urlsplit

import pytest

from tests.e2e.conftest import Server

pytestmark = pytest.mark.e2e

SESSION = "/_stcore/upload_file/no-such-session/file"


def asked(server: Server, method: str, path: str, headers: dict[str, str]) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=20)
    try:
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        response.read()
    finally:
        connection.close()
    return response


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_uploads_need_the_token_of_our_pages(server: Server, method: str):
    cookie = (asked(server, "GET", "/_stcore/health", {}).getheader("set-cookie") or "").split(";")[0]
    name, _, token = cookie.partition("=")
    assert (name, bool(token)) == ("_streamlit_xsrf", True)
    assert asked(server, method, SESSION, {"Cookie": cookie}).status == 403
    assert asked(server, method, SESSION, {"Cookie": cookie, "X-Xsrftoken": "another"}).status == 403
    # With it, what is wrong is the session alone.
    assert asked(server, method, SESSION, {"Cookie": cookie, "X-Xsrftoken": token}).status != 403
