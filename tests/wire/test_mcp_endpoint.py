"""`/mcp` on a running server: a client of the official package asks with a token, and reads the answer later."""

import asyncio
import http.client
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from dataclasses import dataclass

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from debate_core.errors import TooMany
from debate_core.host.access.reading import Looker
from debate_core.host.agents.inbox import Inbox
from debate_core.host.host import Host, HostOptions
from debate_core.host.runner import now
from debate_core.host.stores import open_store
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.acts import PollClosed, PollRevealed, Signed
from tests.e2e.conftest import start
from tests.monitoring import free_port
from tests.people import whole_workshop
from tests.reading_api import bearer, token_for
from tests.wire.test_agent_tools import ABE, FAY, OPTIONS, QUESTION, call, do, refused, until_over, vote
from tests.wire.test_agent_tools import start as start_debate

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class McpServer:
    port: int
    host: Host
    """Another process on the same database, as a worker is one."""

    def ask(self, method: str, token: str = "", path: str = "/mcp") -> tuple[int, dict[str, str]]:
        """Send an empty request; returns status and JSON."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {**(bearer(token) if token else {}), "Content-Type": "application/json"}
        line.request(method, path, body="{}", headers=headers)
        answer = line.getresponse()
        return answer.status, json.loads(answer.read() or "{}")

    def use(self, token: str, use: Callable[[Client], Awaitable[None]]) -> None:
        """Let a client of the official package use the endpoint with this token."""

        async def connected() -> None:
            async with httpx2.AsyncClient(headers=bearer(token), timeout=60) as line:
                transport = streamable_http_client(f"http://127.0.0.1:{self.port}/mcp", http_client=line)
                async with Client(transport) as client:
                    await use(client)

        asyncio.run(connected())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[McpServer]:
    """The app as `make run` starts it, with a workshop that is over."""
    folder = tmp_path_factory.mktemp("mcp")
    with closing(Host(open_store(f"sqlite:///{folder / 'debates.db'}"), HostOptions())) as host:
        host._store.append("d-room", whole_workshop().events, after=0)
        port = free_port()
        process = start(folder, port)
        try:
            yield McpServer(port, host.start())
        finally:
            process.terminate()
            process.wait(timeout=30)


def test_without_a_token_the_endpoint_is_closed(server: McpServer):
    status, told = server.ask("POST")
    assert (status, "There is no API on this server" in told["error"]) == (404, True)
    reads = token_for(server.host)
    assert server.ask("POST")[0] == 401
    status, told = server.ask("POST", reads)
    assert (status, told["error"]) == (403, "This token does not have the scope 'ask': make one that has it")
    asks = token_for(server.host, scopes=("ask",))
    status, told = server.ask("POST", path=f"/mcp?token={asks}")
    assert (status, "addresses are kept in logs" in told["error"]) == (400, True)
    assert server.ask("GET", asks, path="/api/v1/debates")[0] == 403


def test_a_question_by_token_is_decided_by_people(server: McpServer):
    text = token_for(server.host, scopes=("ask",), debates=("d-other",))
    own = list[str]()

    async def use(client: Client) -> None:
        asked = await call(client, "ask_room", question=QUESTION, options=OPTIONS)
        debate = asked["id"]
        own.append(debate)
        assert asked["link"] == f"http://127.0.0.1:{server.port}/setup?asked={debate}"
        [waiting] = server.host.inbox.waiting()
        # The name of the token, not the one that the client gives itself.
        assert waiting.asked.by == "test"
        start_debate(server.host, debate)
        until_over(server.host, debate)
        vote(server.host, debate, [*OPTIONS[:1] * 3, OPTIONS[1]])
        do(server.host, debate, FAY, PollClosed(poll="final"))
        do(server.host, debate, FAY, PollRevealed(poll="final"))
        do(server.host, debate, ABE, Signed(verdict="accept", option=OPTIONS[0]))
        decided = await call(client, "wait_for_decision", id=debate, timeout_s=30)
        assert (decided["status"], decided["outcome"], decided["signed_by"]) == ("decided", OPTIONS[0], "Abe")
        assert decided["answer"]["statement"]["asked"]["id"] == debate
        # The token reads the decision about its question, but not the record.
        assert "there is no question and no debate" in await refused(client, "verify_record", id=debate)
        # The token names one debate, and this is another.
        assert "there is no question and no debate" in await refused(client, "read_decision", id="d-room")
        assert (await call(client, "search_decisions", query="queue"))["decisions"] == []

    server.use(text, use)

    async def use_other(client: Client) -> None:
        assert (await call(client, "read_decision", id=own[0]))["status"] == "decided"
        assert (await call(client, "read_decision", id="d-room"))["id"] == "d-room"

    server.use(token_for(server.host, scopes=("ask",)), use_other)


def test_questions_of_others_are_unknown_to_a_token(server: McpServer):
    waiting = server.host.inbox.ask(QUESTION, OPTIONS, by="release-bot")

    async def use(client: Client) -> None:
        assert "there is no question" in await refused(client, "read_decision", id=waiting.asked.id)

    server.use(token_for(server.host, Looker("machine"), scopes=("ask",)), use)


def test_each_token_has_its_own_daily_limit():
    inbox = Inbox(MemoryStore(), clock=now, daily=2)
    for token in ("", "t-one", "t-two"):
        for _ in range(2):
            inbox.ask(QUESTION, OPTIONS, token=token)
        with pytest.raises(TooMany, match="takes 2 questions of programs in a day"):
            inbox.ask(QUESTION, OPTIONS, token=token)
    assert len(inbox.waiting()) == 6
