"""Scripts and styles are compressed once and cached; scripts of components have an address with their hash."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.testing.v1 import AppTest
from streamlit.web.server.starlette.starlette_static_routes import create_streamlit_static_assets_routes

from debate_core.host.host import Host
from debate_core.ui.kit import fetched
from debate_core.ui.server import front_page, launch, small_fonts
from tests.app.visiting import WebClient, at, begun
from tests.people import FAY

ROOT = Path(__file__).resolve().parents[2]
STATIC = Path(st.__file__).parent / "static"


def named(pattern: str) -> str:
    """The address of the largest of Streamlit's own files of this kind."""
    found = max(STATIC.glob(pattern), key=lambda path: path.stat().st_size)
    return f"/{found.relative_to(STATIC).as_posix()}"


class Asked:
    """Notes for which addresses the server behind it was asked."""

    addresses: list[str]

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            Asked.addresses.append(scope["path"])
        await self.app(scope, receive, send)


@pytest.fixture
def client(host: Host) -> Iterator[TestClient]:
    Asked.addresses = []
    around = [*launch.middleware, Middleware(Asked)]
    routes = [*launch.routes, *create_streamlit_static_assets_routes(None)]
    with WebClient(Starlette(routes=routes, middleware=around)) as client:
        yield client


def test_a_script_goes_out_packed_and_is_packed_once(client: TestClient):
    address = named("static/js/StreamlitMarkdown*.js")
    first, second = client.get(address), client.get(address)
    assert first.content == second.content == (STATIC / address[1:]).read_bytes()
    for answer in (first, second):
        assert answer.headers["content-encoding"] == "gzip"
        assert int(answer.headers["content-length"]) < len(answer.content) / 2
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["vary"] == "Accept-Encoding"
        assert answer.headers["content-type"].startswith("text/javascript")
    assert Asked.addresses == [address]


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        (named("static/js/index*.js"), {"accept-encoding": "identity"}),
        (named("static/js/index*.js"), {"range": "bytes=0-9"}),
        (named("static/media/SourceCodeVF-Upright.*.woff2"), {}),
        ("/static/js/no-such-file.js", {}),
    ],
    ids=["nobody unpacks it", "a part", "a font", "no such file"],
)
def test_all_else_goes_out_as_it_is(client: TestClient, address: str, headers: dict[str, str]):
    answers = [client.get(address, headers=headers) for _ in range(2)]
    assert [answer.headers.get("content-encoding") for answer in answers] == [None, None]
    assert answers[0].content == answers[1].content
    assert Asked.addresses == [address, address]


def test_a_drawing_names_its_script_and_does_not_bring_it_along(client: TestClient, app: AppTest, host: Host):
    at(app, begun(host), FAY)
    sent = [element.proto for element in app.get("bidi_component")]
    named = {name for one in sent for name in re.findall(r'"(/drawn/[^"]+)"', one.js_content)}
    drawn = {name.split("-")[0].removeprefix("/drawn/debate_") for name in named}
    assert drawn == {"face", "offline", "transcript"}
    assert max(len(one.js_content) + len(one.css_content) for one in sent) < 3_000
    for name in named:
        answers = [client.get(name), client.get(name), client.get(name, headers={"accept-encoding": "identity"})]
        assert [answer.headers.get("content-encoding") for answer in answers] == ["gzip", "gzip", None]
        assert {answer.text for answer in answers} == {fetched.FILES[name]}
        assert all("immutable" in answer.headers["cache-control"] for answer in answers)
    assert client.get("/drawn/another.js").status_code == 404


def test_the_icon_font_is_small_and_has_every_icon_in_use(client: TestClient):
    address = named("static/media/MaterialSymbols-Rounded.*.woff2")
    assert Path(address).name == small_fonts.FILE, "Streamlit has another font: make ours anew (bench/icons.py)"
    whole = client.get(address)
    assert whole.headers["content-type"] == "font/woff2"
    assert len(whole.content) < 80_000
    known = client.get(address, headers={"if-none-match": whole.headers["etag"]})
    assert (known.status_code, known.content, known.headers["cache-control"]) == (304, b"", "no-cache")
    sources = [*(ROOT / "debate_core").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
    used = {name for path in sources for name in re.findall(r":material/([a-z0-9_]+):", path.read_text("utf-8"))}
    assert used - {*small_fonts.NAMES} == set(), "run bench/icons.py"


def test_text_font_is_small_and_whole_for_other_letters(client: TestClient):
    address = named("static/media/SourceSansVF-Upright.*.woff2")
    assert Path(address).name == small_fonts.TEXT_FILE, "Streamlit has another font: run bench/icons.py"
    small, whole = client.get(address), client.get(f"{address}?whole")
    assert len(small.content) < 60_000 < 160_000 < len(whole.content)
    assert client.get(address, headers={"if-none-match": small.headers["etag"]}).status_code == 304
    for page in ("/", "/join"):
        styles = client.get(page, headers={"accept": "text/html"}).text
        assert f"{address}) format" in styles
        assert f"{address}?whole) format('woff2');font-weight:100 900;font-display:swap;unicode-range:U+180" in styles


def test_the_page_of_every_screen_is_told_where_its_server_is(client: TestClient):
    browser = {"accept": "text/html"}
    for address in ("/", "/results?id=d-1"):
        answers = [client.get(address, headers={**browser, **more}) for more in ({}, {"accept-encoding": "identity"})]
        assert [answer.headers.get("content-encoding") for answer in answers] == ["gzip", None]
        for answer in answers:
            before, _, _ = answer.text.partition('<script type="module"')
            digests = launch.inline_script_hashes(answer.text)
            assert before.endswith(f"<script>{front_page.SCRIPT}</script>")
            assert len(digests) == 2
            assert all(digest in answer.headers["content-security-policy"] for digest in digests)
    joining = client.get("/join", headers=browser)
    assert "<script" not in joining.text
    assert joining.status_code == 200
