"""Programs ask people over the official client: a real process on standard input, and the host of the app beside it."""

import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import CallToolResult, Implementation, TextResourceContents

from debate_core.__main__ import main
from debate_core.errors import InvalidSpec
from debate_core.host.agents.tools import AgentTools
from debate_core.host.host import Host, open_host
from debate_core.host.settings import read_settings
from debate_core.record.acts import BallotCast, PollClosed, PollOpened, PollRevealed, RoomAct, Signed
from debate_core.record.commands import Act, Resume
from debate_core.record.events import parse_record
from debate_core.spec.people import Person, Room
from debate_core.spec.presets import compose
from debate_core.spec.protocol import Phase, Protocol
from debate_core.spec.rules import MaxRounds, Threshold
from debate_core.spec.values import Seat

QUESTION = "Which queue do we take for the order events?"
OPTIONS = ["Outbox table", "Change data capture"]
FAY = Person(id="p-fay", name="Fay", role="facilitator")
ABE = Person(id="p-abe", name="Abe", role="approver")
VOTERS = tuple(Person(id=f"p-v{n}", name=f"Vera {n}", role="voter", electorate="room") for n in range(1, 5))
ONE_ROUND = Protocol(name="own", each_round=(Phase(name="talk"),), stop=(MaxRounds(),), decide=Threshold(votes=1))


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'debates.db'}"


def held(database: str) -> Host:
    """The host of the app, on the same database."""
    return open_host(read_settings(db=database, environ={}))


def with_client(database: str, use: Callable[[Client], Awaitable[None]], **env: str) -> None:
    """Let a client of the official package use a server process."""

    async def connected() -> None:
        flags = ["-m", "debate_core", "mcp", "--db", database, "--app-url", "https://debates.example.org"]
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        server = StdioServerParameters(command=sys.executable, args=flags, env=kept | env)
        async with Client(server, client_info=Implementation(name="release-bot", version="1")) as client:
            await use(client)

    asyncio.run(connected())


async def call(client: Client, tool: str, **given: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, given)
    assert not result.is_error, result.content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def refused(client: Client, tool: str, **given: Any) -> str:
    """The one sentence of a refusal."""
    result: CallToolResult = await client.call_tool(tool, given)
    assert result.is_error
    [part] = result.content
    assert part.type == "text"
    assert "\n" not in part.text
    return part.text


async def read_text(client: Client, uri: str) -> str:
    [part] = (await client.read_resource(uri)).contents
    assert isinstance(part, TextResourceContents)
    return part.text


def start(host: Host, question_id: str, *, options: list[str] | None = None) -> None:
    """A person starts the debate of a waiting question, with four voters and an approver."""
    asked = next(one for one in host.inbox.waiting() if one.asked.id == question_id)
    spec = compose(
        asked.asked.question,
        options or asked.options,
        ONE_ROUND,
        [Seat(id="code", occupant="offline")],
        sources=asked.sources(),
        max_rounds=1,
        room=Room(people=(FAY, ABE, *VOTERS), decides="room", hold="none", pre_vote="none"),
        asked=asked.asked,
    )
    assert host.create(spec, by=FAY.id) == question_id
    host.submit(question_id, Resume(by=FAY.id))


def do(host: Host, debate: str, by: Person, act: RoomAct) -> None:
    host.submit(debate, Act(by=by.id, act=act))


def until_over(host: Host, debate: str) -> None:
    ends_s = time.monotonic() + 60
    while host.state_now(debate).outcome is None:
        assert time.monotonic() < ends_s
        time.sleep(0.05)


def vote(host: Host, debate: str, choices: list[str]) -> None:
    do(host, debate, FAY, PollOpened(poll="final"))
    for voter, choice in zip(VOTERS, choices, strict=True):
        do(host, debate, voter, BallotCast(poll="final", choice=choice, reason="It is simple"))


def test_asked_question_is_decided_and_verified(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    app = held(database).start()

    async def use(client: Client) -> None:
        began_s = time.monotonic()
        asked = await call(client, "ask_room", question=QUESTION, options=OPTIONS, context="We run PostgreSQL 17.")
        assert time.monotonic() - began_s < 2
        debate = asked["id"]
        assert asked["link"] == f"https://debates.example.org/setup?asked={debate}"
        assert app.debates() == ()
        assert (await call(client, "read_decision", id=debate))["status"] == "waiting"
        [waiting] = app.inbox.waiting()
        assert waiting.asked.by == "release-bot"

        start(app, debate)
        until_over(app, debate)
        vote(app, debate, [*OPTIONS[:1] * 3, OPTIONS[1]])
        sealed = await call(client, "read_decision", id=debate)
        assert (sealed["status"], sealed["outcome"], sealed["count"]) == ("running", None, "")
        assert "Sealed" in await refused(client, "verify_record", id=debate)
        do(app, debate, FAY, PollClosed(poll="final"))
        do(app, debate, FAY, PollRevealed(poll="final"))
        counted = await call(client, "read_decision", id=debate)
        assert (counted["status"], counted["outcome"], counted["answer"]) == ("to_sign", None, None)
        waits = asyncio.create_task(call(client, "wait_for_decision", id=debate, timeout_s=30))
        await asyncio.sleep(0.5)
        do(app, debate, ABE, Signed(verdict="accept", option=OPTIONS[0], reason="Three of four want it"))
        decided = await waits

        assert (decided["status"], decided["outcome"], decided["signed_by"]) == ("decided", OPTIONS[0], "Abe")
        assert decided["rejected"] == [{"option": OPTIONS[1], "votes": "1", "why": []}]
        assert decided["why"][0] == "Three of four want it"
        (tmp_path / "answer.json").write_text(json.dumps(decided["answer"]), "utf-8")
        [found] = (await call(client, "search_decisions", query="queue outbox"))["decisions"]
        assert found["id"] == debate
        assert (await call(client, "search_decisions", query="queue zebra"))["decisions"] == []
        checked = await call(client, "verify_record", id=debate)
        assert checked["ok"]
        assert checked["key"] == decided["answer"]["statement"]["key"]
        record = await read_text(client, f"debate://{debate}/record.jsonl")
        assert parse_record(record.encode())[-1].hash == decided["answer"]["statement"]["head"]
        assert OPTIONS[0] in await read_text(client, f"debate://{debate}/adr.md")
        with pytest.raises(MCPError, match="no question and no debate"):
            await client.read_resource("debate://nothing/adr.md")

    try:
        with_client(database, use)
        key = app.signatures.public_key
    finally:
        app.close()
    capsys.readouterr()
    # Checked elsewhere: without the database, in another folder.
    monkeypatch.chdir(tmp_path)
    assert main(["verify", "answer.json", "--key", key, "--question", QUESTION]) == 0
    shown = capsys.readouterr().out
    assert f"answer.json is valid: {QUESTION} {OPTIONS[0]}" in shown
    assert "signed by Abe" in shown
    assert main(["verify", "answer.json", "--key", key, "--question", "Another?"]) == 6
    assert "answers another question" in capsys.readouterr().err


def test_twenty_questions_at_once_are_answered_at_once(database: str):
    async def use(client: Client) -> None:
        async def timed(number: int) -> tuple[float, str]:
            began_s = time.monotonic()
            asked = await call(client, "ask_room", question=f"Question {number}?", options=OPTIONS)
            return time.monotonic() - began_s, asked["id"]

        took = await asyncio.gather(*map(timed, range(20)))
        assert max(seconds for seconds, _id in took) < 2
        assert len({question_id for _seconds, question_id in took}) == 20

    with_client(database, use)
    app = held(database)
    assert len(app.inbox.waiting()) == 20
    app.close()


LONG = "x" * 3_000


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"question": ""}, "question is empty"),
        ({"question": LONG}, "3,000 characters"),
        ({"question": "Which\none?"}, "one line"),
        ({"question": "Which \u202eone?"}, "cannot be seen"),
        ({"options": []}, "2 to 8 options, this one has 0"),
        ({"options": ["one"]}, "this one has 1"),
        ({"options": [f"option {n}" for n in range(1_000)]}, "this one has 1000"),
        ({"options": ["Paris", "P\u0430ris"]}, "can be mistaken"),
        ({"options": ["one", "One"]}, "named twice"),
        ({"options": ["abstain", "two"]}, "abstain"),
        ({"options": ["one", "two\u200b"]}, "cannot be seen"),
        ({"options": ["one", "x" * 300]}, "300 characters"),
        ({"context": "bell \x07"}, "control characters"),
        ({"context": "\ud800"}, "context"),
        ({"deadline": "soon"}, "no date"),
        ({"deadline": "2020-01-01"}, "not in the future"),
        ({"deadline": "9999-12-31"}, "within 366 days"),
        ({"deadline": "2030-01-01T12:00"}, "time with its zone"),
    ],
)
def test_bad_question_is_refused_in_one_sentence(database: str, given: dict[str, Any], words: str):
    app = held(database)
    fit = {"question": QUESTION, "options": OPTIONS} | given
    with pytest.raises(InvalidSpec, match=words):
        AgentTools(app).ask_room(**fit)
    assert app.inbox.waiting() == ()
    app.close()


def test_a_client_meets_refusals_timeouts_and_the_daily_limit(database: str):
    async def use(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        reads = {name for name, tool in tools.items() if tool.annotations and tool.annotations.read_only_hint}
        assert reads == {"read_decision", "search_decisions", "wait_for_decision", "verify_record"}
        assert set(tools) - reads == {"ask_room"}
        await meet_refusals(client)
        app = held(database)
        assert app.inbox.waiting() == ()
        app.close()
        asked = await call(client, "ask_room", question=QUESTION, options=OPTIONS)
        began_s = time.monotonic()
        answer = await call(client, "wait_for_decision", id=asked["id"], timeout_s=1)
        assert answer["status"] == "waiting"
        assert "no debate about the question" in await refused(client, "verify_record", id=asked["id"])
        assert 1 <= time.monotonic() - began_s < 10
        await call(client, "ask_room", question="Another question?", options=OPTIONS)
        assert "takes 2 questions of programs in a day" in await refused(
            client, "ask_room", question=QUESTION, options=OPTIONS
        )

    with_client(database, use, DEBATE_DAILY_QUESTIONS="2")


async def meet_refusals(client: Client) -> None:
    """Bad arguments reach the program as one sentence each."""
    assert "options" in await refused(client, "ask_room", question=QUESTION, options={"a": 1})
    assert "named twice" in await refused(client, "ask_room", question=QUESTION, options=["one", "One"])
    assert "no question and no debate 'x'" in await refused(client, "read_decision", id="x")
    assert "no question and no debate" in await refused(client, "read_decision", id="../../etc/passwd")
    assert "no question and no debate" in await refused(client, "verify_record", id=LONG)
    assert "from 1 to 300" in await refused(client, "wait_for_decision", id="x", timeout_s=100_000)
    misspelt = await refused(client, "ask_room", question=QUESTION, options=OPTIONS, until="2027-01-15")
    lacking = await refused(client, "ask_room", context="x")
    assert lacking == "ask_room also needs question, options: it has question, options, context, deadline"
    assert misspelt == "ask_room has no argument 'until': it has question, options, context, deadline"
    assert "1 to 200 characters" in await refused(client, "search_decisions", query=" ")
