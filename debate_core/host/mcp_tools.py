"""Tools of MCP servers that seats may call: the list of the operator, and the calls.

Off unless DEBATE_MCP_SERVERS names a file:

    [servers.wiki]
    url = "https://wiki.example.org/mcp"
    key_env = "WIKI_TOKEN"
    tools = { search = "query" }

Seats may call only the listed tools, here `mcp__wiki__search`, each with one text, the argument named beside it. The
SDK is imported with the first call.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.util import find_spec
from math import ceil
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from debate_core.errors import InvalidSpec
from debate_core.host.setting_files import read_named_file
from debate_core.host.settings import Settings
from debate_core.record.look_ups import MAX_RESULT_CHARS, MAX_RESULTS, ToolAnswer
from debate_core.seats.providers.network import DIRECT, Network
from debate_core.spec.decode import Undecodable, decode_toml
from debate_core.spec.panels import check_base_url
from debate_core.spec.protocol import Protocol, read
from debate_core.spec.tools import server_tools
from debate_core.spec.values import Value
from debate_core.text import line

if TYPE_CHECKING:
    from mcp.types import CallToolResult

MAX_WAIT_S = 30.0
MAX_WHY_CHARS = 200
ServerName = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,20}$")]
ToolName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,36}$")]


class McpServer(Value):
    """A server that the operator lists. `tools`: name of each allowed tool -> its argument for the query."""

    url: str
    key_env: str = ""
    """Variable with a token for the server; empty = none."""
    tools: Annotated[dict[ToolName, Annotated[str, Field(min_length=1, max_length=100)]], Field(min_length=1)]


class _McpFile(Value):
    servers: dict[ServerName, McpServer]


@dataclass(frozen=True, slots=True)
class McpTools:
    """The tools that seats of this installation may call; none without servers."""

    servers: Mapping[str, McpServer] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    network: Network = field(default=DIRECT, repr=False)
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)

    def names(self) -> frozenset[str]:
        """The listed tools: `mcp__wiki__search`."""
        return frozenset(f"mcp__{name}__{tool}" for name, server in self.servers.items() for tool in server.tools)

    def refuse_unlisted(self, protocol: Protocol) -> None:
        """Raise InvalidSpec if seats may call a tool that is not listed here."""
        missing = sorted({*server_tools(protocol)} - self.names())
        if missing:
            raise InvalidSpec(
                "{name} has the tool {tool}, which this installation does not list: its operator can add it to the "
                "file of DEBATE_MCP_SERVERS",
                name=protocol.name,
                tool=missing[0],
            )

    async def ask(self, tool: str, query: str, left_s: float) -> ToolAnswer:
        """The answer of a listed tool to a query; without results, with the reason, if the server gives none."""
        _, name, tool_name = tool.split("__", 2)
        server = self.servers.get(name)
        if server is None or tool_name not in server.tools:
            return ToolAnswer(origin=name, results=(), why="this installation does not list the tool")
        wait_s = min(MAX_WAIT_S, left_s)
        try:
            async with asyncio.timeout(wait_s):
                answer = await self._call(server, tool_name, query)
            results, why = _read(answer, key=self.keys.get(server.key_env, ""))
        except TimeoutError:
            results, why = (), f"no answer within {ceil(wait_s)} s"
        except _failures() as error:
            results, why = (), f"the call failed ({_kind(error)})"
        at = self.clock().astimezone(UTC)
        return ToolAnswer(origin=f"{name} ({server.url}), {at:%Y-%m-%d %H:%M} UTC", results=results, why=why)

    async def _call(self, server: McpServer, tool: str, query: str) -> "CallToolResult":
        import httpx2
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client

        from debate_core.seats.providers.client import transport_to

        key = self.keys.get(server.key_env, "")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        transport = transport_to(server.url, self.network)
        # No redirects: a token must not reach another host.
        async with (
            httpx2.AsyncClient(transport=transport, headers=headers, follow_redirects=False) as http,
            Client(streamable_http_client(server.url, http_client=http)) as client,
        ):
            return await client.call_tool(tool, {server.tools[tool]: query})


NO_TOOLS = McpTools()


def _read(result: "CallToolResult", *, key: str) -> tuple[tuple[str, ...], str]:
    """The texts of an answer without the key, cut where they are too long; for an error, its first words."""
    without_key = (text.replace(key, "***") if key else text for text in _parts(result))
    texts = tuple(filter(None, map(_text, without_key)))
    if result.is_error:
        return (), f"the server reports an error: {line(texts[0])[:MAX_WHY_CHARS]}" if texts else "an error"
    return texts[:MAX_RESULTS], "" if texts else "the answer has no text"


def _parts(result: "CallToolResult") -> Iterator[str]:
    for part in result.content:
        if part.type == "text":
            yield part.text
        elif part.type == "resource" and hasattr(part.resource, "text"):
            yield part.resource.text


def _text(text: str) -> str:
    """The text as a record can hold it."""
    kept = text.encode("utf-8", "replace").decode().strip()
    return kept if len(kept) <= MAX_RESULT_CHARS else f"{kept[: MAX_RESULT_CHARS - 2]} …"


def _failures() -> tuple[type[Exception], ...]:
    """The errors that the SDK and its libraries raise for a failing server, often in groups."""
    import anyio
    import httpx2
    from mcp import MCPError

    closed = (anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.EndOfStream)
    return (MCPError, httpx2.HTTPError, OSError, ValueError, RuntimeError, ExceptionGroup, *closed)


def _kind(error: BaseException) -> str:
    """The innermost kind of an error; its text may contain a token."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return type(error).__name__


def read_mcp_tools(settings: Settings) -> McpTools:
    """Read the file of the operator; no tools without one, or offline. InvalidSpec names the fault."""
    path = settings.mcp_path
    if path is None or settings.offline:
        return NO_TOOLS
    if find_spec("mcp") is None:
        raise InvalidSpec("DEBATE_MCP_SERVERS needs the packages of requirements-mcp.lock: run `make mcp`")
    text = read_named_file("DEBATE_MCP_SERVERS", path)
    try:
        listed = read(_McpFile, decode_toml(text))
        for name, server in listed.servers.items():
            check_base_url(server.url)
            if server.key_env and server.key_env not in settings.keys:
                raise InvalidSpec("{key}, the key of {name}, is not set", key=server.key_env, name=name)
    except (InvalidSpec, Undecodable) as error:
        why = error.sentence if isinstance(error, InvalidSpec) else str(error)
        raise InvalidSpec("DEBATE_MCP_SERVERS: {path}: {why}", path=path, why=why) from None
    return McpTools(listed.servers, settings.keys, settings.network)
