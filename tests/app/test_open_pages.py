"""Sockets and debates that one client may have: strangers are counted apart, and every refusal is one sentence."""

import asyncio
from collections.abc import Iterator

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from debate_core.host.access.cookies import cookie_name, screen_cookie_name
from debate_core.host.host import Host, reset_shared_host, shared_host
from debate_core.host.quotas import NEW_DEBATES, PAGES, STRANGERS
from debate_core.spec.values import Seat
from debate_core.ui.kit.launched import set_launched
from debate_core.ui.kit.text import safe_text
from debate_core.ui.server.open_pages import OpenPages
from tests.app.visiting import cookie_of, new_browser, press
from tests.people import FAY, room_spec

ELSEWHERE = "192.168.1.9"
CODE = "CDFGHJKMNP"


class Network:
    """Browsers that keep their sockets open until `end`."""

    def __init__(self) -> None:
        self.end = asyncio.Event()
        self.served = 0
        self.app = OpenPages(self.page)
        self.tasks: list[asyncio.Task[None]] = []

    async def page(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.served += 1
        if scope["type"] == "websocket":
            await self.end.wait()

    async def ask(self, kind: str, address: str, cookie: str = "") -> list[Message]:
        """Return the server's refusal of a socket or an address; None if it is allowed."""
        said: list[Message] = []
        headers = [(b"host", b"192.168.1.5:8501"), (b"accept", b"text/html"), (b"cookie", cookie.encode())]
        scope = {"type": kind, "method": "GET", "path": "/x", "client": (address, 1), "headers": headers}

        async def receive() -> Message:
            return {"type": "websocket.connect"}

        async def send(message: Message) -> None:
            said.append(message)

        before = self.served
        task = asyncio.create_task(self.app(scope, receive, send))
        self.tasks.append(task)
        while not task.done() and self.served == before:
            await asyncio.sleep(0)
        return said


@pytest.fixture
def hosted(host: Host, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    monkeypatch.setenv("DEBATE_HOST_CODE", CODE)
    reset_shared_host()
    yield shared_host()
    reset_shared_host()


async def a_full_network(cookies: dict[str, str]) -> None:
    network = Network()
    for _ in range(STRANGERS.by_client):
        assert await network.ask("websocket", ELSEWHERE) == []
    [refused] = await network.ask("websocket", ELSEWHERE)
    assert refused["type"] == "websocket.close"
    start, body = await network.ask("http", ELSEWHERE)
    assert start["status"] == 503
    assert PAGES.said.encode() in body["body"]
    # This keeps out neither admitted people nor other addresses nor this machine.
    for cookie in cookies.values():
        assert await network.ask("websocket", ELSEWHERE, cookie) == []
        assert await network.ask("http", ELSEWHERE, cookie) == []
    assert await network.ask("websocket", ELSEWHERE, cookies["person"] + "x") != []
    assert await network.ask("websocket", "192.168.1.10") == []
    network.end.set()
    await asyncio.gather(*network.tasks)
    assert await network.ask("http", ELSEWHERE) == []


def test_strangers_fill_no_room_for_those_who_were_let_in(hosted: Host):
    seats = [Seat(id=i, occupant="human") for i in ("ana", "bo", "cid")]
    debate = hosted.create(room_spec(seats=seats), by=FAY.id)
    cookies = {
        "person": f"{cookie_name(debate)}={cookie_of(hosted, debate, FAY)}",
        "host": f"host={hosted.door.hosting.cookie(CODE, address='')}",
        "wall": f"{screen_cookie_name(debate)}={hosted.door.screen_token(debate)}",
    }
    asyncio.run(a_full_network(cookies))


def test_a_host_from_elsewhere_is_told_when_enough_was_opened(hosted: Host, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ContextProxy, "headers", {"host": "192.168.1.5:8501"})
    monkeypatch.setattr(ContextProxy, "ip_address", ELSEWHERE)
    monkeypatch.setattr(ContextProxy, "cookies", {"host": hosted.door.hosting.cookie(CODE, address="")})
    set_launched(up=True)
    try:
        page = new_browser().run()
        for n in range(NEW_DEBATES.by_client):
            hosted._begun.one_more(ELSEWHERE, f"d-{n}")
        open_rehearsal(page)
        assert [e.value for e in page.error] == [safe_text(NEW_DEBATES.said)]
        assert hosted.debates() == ()
        monkeypatch.setattr(ContextProxy, "ip_address", "192.168.1.10")
        open_rehearsal(page)
        assert len(hosted.debates()) == 1
    finally:
        set_launched(up=False)


def open_rehearsal(page: AppTest) -> None:
    press(page, "watch")
