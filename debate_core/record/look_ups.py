"""Recorded look-ups: the call of a seat before its turn, and the answer.

`debate_core/engine/source_search.py` finds passages of the sources, `debate_core/host/mcp_tools.py` asks MCP servers,
and `debate_core/engine/look_ups.py` has the rules.
"""

from typing import Annotated, Literal

from pydantic import Field

from debate_core.spec.values import Line, SeatId, Source, Usage, Value, is_none

MAX_QUERY_CHARS = 200
"""Enough for a sentence; a search needs a few words."""
MAX_PASSAGES = 5
"""Passages of one answer, of at most 600 characters each."""

MAX_RESULTS = 5
"""Results of one call of an MCP server that become sources."""
MAX_RESULT_CHARS = 8_000
MAX_ORIGIN_CHARS = 400
FoundText = Annotated[str, Field(min_length=1, max_length=MAX_RESULT_CHARS)]

LookUpFault = Literal["unknown_tool", "unreadable", "too_long", "none_left", "no_answer"]
"""The reason for a look-up without an answer: no such tool, no readable query, too long a query, the limit, or a server
that gave none."""


class FoundPassage(Value):
    """A passage of a source, word for word. `number` is its place among the passages of this source."""

    source_id: SeatId
    number: Annotated[int, Field(ge=1)]
    text: Annotated[str, Field(max_length=1_000)]
    heading: Annotated[str, Field(max_length=200)] = ""
    """The headings above it, outermost first."""


class ToolAnswer(Value):
    """The answer of an MCP server to a call. Without results, `why` says what is missing."""

    origin: Annotated[str, Field(max_length=MAX_ORIGIN_CHARS)]
    """Server and time of the answer: `wiki (https://wiki.example/mcp), 2026-11-28 22:40 UTC`."""
    results: Annotated[tuple[FoundText, ...], Field(max_length=MAX_RESULTS)]
    why: Annotated[str, Field(max_length=300)] = ""


class LookedUp(Value):
    """A seat looked something up before its turn. The engine finds the passages; an MCP server gives `sources`."""

    request: str
    tool: Annotated[str, Field(max_length=64)]
    query: Line | None = None
    """None = the call had no readable query."""
    passages: Annotated[tuple[FoundPassage, ...], Field(max_length=MAX_PASSAGES)] = ()
    """The passages in order, the best one first."""
    sources: Annotated[tuple[Source, ...] | None, Field(max_length=MAX_RESULTS, exclude_if=is_none)] = None
    """Results of an MCP server, which become sources of the debate; None for a search."""
    fault: LookUpFault | None = None
    origin: Annotated[str | None, Field(max_length=MAX_ORIGIN_CHARS, exclude_if=is_none)] = None
    """The MCP server that was asked, and the time of its answer; None for a search."""
    why: Annotated[str | None, Field(max_length=300, exclude_if=is_none)] = None
    """The reason why the server gave no answer."""
    usage: Usage | None = None
    """Usage of the call that asked for the look-up."""
