"""A program asks over MCP and people decide: four people vote, one signs on a phone, and the answer is verified.

docs/mcp-four-phones.png is made of the pictures that this test takes with DEBATE_SHOTS.
"""

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from playwright.sync_api import Browser, expect

from debate_core.__main__ import main
from debate_core.host.host import Host, HostOptions
from debate_core.host.stores import open_store
from debate_core.record.acts import PersonChanged
from debate_core.record.commands import Act
from tests.e2e.conftest import Server
from tests.e2e.workshop import LAPTOP, SHOTS, Links, Others, is_drawn, next_step, party, presses, says, votes
from tests.reading_api import bearer, token_for
from tests.wire.test_agent_tools import OPTIONS, QUESTION

pytestmark = pytest.mark.e2e
CONTEXT = "We run PostgreSQL 17 for all services. The peak is 300 orders a second, and no order may be lost."
NOT_COUNTED = "The rounds are over, and the final vote is not counted yet."
VOTERS = {"ann": OPTIONS[0], "ben": OPTIONS[0], "cem": OPTIONS[0], "dan": OPTIONS[1]}
PHONES = [*VOTERS] if SHOTS else ["ann"]
"""Only the pictures show more than one of them."""


@pytest.fixture
def program(server: Server) -> Server:
    """The app with a token of a program."""

    def write(database: str) -> dict[str, str]:
        with closing(Host(open_store(database), HostOptions(worker="none"))) as host:
            return {"token": token_for(host, scopes=("ask",)), "key": host.signatures.public_key}

    return server.holding(write)


def ask(program: Server, tool: str, **given: Any) -> dict[str, Any]:
    """Call a tool of `/mcp` in another thread: the browser's driver keeps an event loop running in this one."""

    async def called() -> dict[str, Any]:
        async with (
            httpx2.AsyncClient(headers=bearer(program.ids["token"]), timeout=60) as line,
            Client(streamable_http_client(f"{program.url}/mcp", http_client=line)) as client,
        ):
            result = await client.call_tool(tool, given)
        assert not result.is_error, result.content
        assert isinstance(result.structured_content, dict)
        return result.structured_content

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, called()).result()


def make_approver(database: str, debate: str, name: str) -> None:
    """The facilitator gives someone the right to sign, from another process."""
    with closing(Host(open_store(database), HostOptions(worker="none"))) as host:
        people = {person.name: person for person in host.state(debate).room.present()}
        approver = people[name].model_copy(update={"role": "approver"})
        host.submit(debate, Act(by=people["Fay"].id, act=PersonChanged(person=approver)))


def test_four_people_answer_the_question_of_a_program(
    program: Server, tmp_path: Path, browser: Browser, capsys: pytest.CaptureFixture[str]
):
    asked = ask(program, "ask_room", question=QUESTION, options=OPTIONS, context=CONTEXT)
    debate = asked["id"]
    with party(browser, program.url, Links(debate, "", "", {}, "")) as room:
        fay = room.sits("fay", LAPTOP)
        fay.goto(program.url)
        says(fay, "Questions from programs", QUESTION)
        room.shoot("1-inbox")
        fay.goto(asked["link"])
        fay.get_by_label("Your name: you facilitate").fill("Fay")
        fay.get_by_label("Your name: you facilitate").press("Tab")
        presses(fay, "Start debate")
        fay.wait_for_url("**/room?id=*")
        says(fay, "How people join")
        assert ask(program, "read_decision", id=debate)["explanation"].startswith("People are joining")
        code = fay.get_by_text(re.compile(r"^\s*[A-Z0-9]{4} [A-Z0-9]{4}\s*$")).first.inner_text()
        room.links = Links(debate, code, "", {}, "")
        for name in PHONES:
            room.types_the_code(name)
        others = Others(program.database, debate, *VOTERS.keys() - PHONES)
        presses(fay, "Skip the pre-vote")
        # The chair marks the passage of the program's context; the panel only quotes it.
        says(fay, "Passage 1 of 1")
        presses(fay, re.compile("^Neutral"))
        says(fay, "1 of 1 passage marked")
        is_drawn(fay)
        presses(fay, "Give these marks")
        next_step(fay, "Open the final vote")
        for name in PHONES:
            votes(room.pages[name], VOTERS[name])
        others.vote("final", **{name: VOTERS[name] for name in others.ids})
        says(fay, "4 of 4 ballots in")
        room.shoot("2-voted")
        answer = ask(program, "read_decision", id=debate)
        assert (answer["outcome"], answer["explanation"]) == (None, NOT_COUNTED)
        next_step(fay, "Close and reveal the final vote")
        says(room.pages["ann"], re.compile("3 of 4 voters chose it"))
        make_approver(program.database, debate, "Ann")
        presses(room.pages["ann"], re.compile("and sign$"))
        expect(room.pages["ann"].get_by_text("Accepted by").first).to_be_visible()
        room.shoot("3-signed")
    decided = ask(program, "wait_for_decision", id=debate, timeout_s=30)
    assert (decided["status"], decided["outcome"], decided["signed_by"]) == ("decided", OPTIONS[0], "Ann")
    (tmp_path / "answer.json").write_text(json.dumps(decided["answer"]), "utf-8")
    checked = ["verify", str(tmp_path / "answer.json"), "--key", program.ids["key"], "--asked", debate]
    assert main(checked) == 0
    assert f"{QUESTION} {OPTIONS[0]}" in capsys.readouterr().out
