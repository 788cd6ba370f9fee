"""Look-ups of seats in the sources of their debate: the search and the passages found, as recorded values.

`debate_core/engine/source_search.py` finds the passages, `debate_core/engine/look_ups.py` has the rules.
"""

from typing import Annotated, Literal

from pydantic import Field

from debate_core.spec.values import Line, SeatId, Usage, Value

MAX_QUERY_CHARS = 200
"""Enough for a sentence; a search needs a few words."""
MAX_PASSAGES = 5
"""Passages of one answer, of at most 600 characters each."""

LookUpFault = Literal["unknown_tool", "unreadable", "too_long", "none_left"]
"""The reason for a look-up without an answer: no such tool, no readable query, too long a query, or the limit."""


class FoundPassage(Value):
    """A passage of a source, word for word. `number` is its place among the passages of this source."""

    source_id: SeatId
    number: Annotated[int, Field(ge=1)]
    text: Annotated[str, Field(max_length=1_000)]
    heading: Annotated[str, Field(max_length=200)] = ""
    """The headings above it, outermost first."""


class LookedUp(Value):
    """A seat looked something up before its turn. The engine finds the passages."""

    request: str
    tool: Annotated[str, Field(max_length=64)]
    query: Line | None = None
    """None = the call had no readable query."""
    passages: Annotated[tuple[FoundPassage, ...], Field(max_length=MAX_PASSAGES)] = ()
    """The passages in order, the best one first."""
    fault: LookUpFault | None = None
    usage: Usage | None = None
    """Usage of the call that asked for the look-up."""
