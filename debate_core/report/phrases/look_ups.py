"""Look-ups of seats in words: the query, the number of passages, and each passage with its place."""

from collections.abc import Iterator, Sequence
from textwrap import shorten

from debate_core.language import Words, _, _n, quoted, spoken_list
from debate_core.record.look_ups import MAX_QUERY_CHARS, FoundPassage, LookedUp, LookUpFault
from debate_core.spec.tools import is_server_tool
from debate_core.text import line

MAX_SHOWN_CHARS = 600
"""Characters of a result in the transcript; the sources of the debate have it whole."""
_FAULTS: Words[LookUpFault] = Words(
    {
        "unknown_tool": "called a tool that it does not have",
        "unreadable": "called a tool without a readable query",
        "too_long": "called a tool with too long a query",
        "none_left": "called a tool beyond its limit",
        "no_answer": "got no answer",
    }
)


def look_up_words(one: LookedUp) -> str:
    """`searched the sources for “broker costs”: 2 passages found`; for a call with a fault, the fault."""
    if is_server_tool(one.tool) and one.fault in (None, "no_answer"):
        return _server_words(one)
    if one.fault:
        return _FAULTS[one.fault]
    query = line(one.query or "")[:MAX_QUERY_CHARS]
    if not one.passages:
        return _("searched the sources for “{query}”: nothing found", query=query)
    return _n(
        len(one.passages),
        "searched the sources for “{query}”: {n} passage found",
        "searched the sources for “{query}”: {n} passages found",
        query=query,
    )


def _server_words(one: LookedUp) -> str:
    query = line(one.query or "")[:MAX_QUERY_CHARS]
    if not one.sources:
        why = line(one.why or "") or _("unknown")
        return _("asked {tool} for “{query}”: no answer ({why})", tool=one.tool, query=query, why=why)
    return _(
        "asked {tool} for “{query}”: new documents {documents}, from {origin}",
        tool=one.tool,
        query=query,
        documents=spoken_list([source.id for source in one.sources]),
        origin=line(one.origin or ""),
    )


def server_note(look_ups: Sequence[LookedUp]) -> str:
    """States that answers of MCP servers are in a record as received; empty without any."""
    n = sum(is_server_tool(one.tool) and one.sources is not None for one in look_ups)
    if not n:
        return ""
    return _n(
        n,
        "{n} look-up was answered by an MCP server: its text is as recorded and cannot be computed again.",
        "{n} look-ups were answered by MCP servers: their texts are as recorded and cannot be computed again.",
    )


def passage_place(passage: FoundPassage) -> str:
    """`E1, passage 12, Costs`."""
    place = _("{source}, passage {number}", source=passage.source_id, number=passage.number)
    return f"{place}, {line(passage.heading)}" if passage.heading else place


def look_up_lines(look_ups: Sequence[LookedUp]) -> Iterator[str]:
    """Each look-up on a line, followed by the passages that it found, word for word."""
    for one in look_ups:
        yield look_up_words(one)
        for number, passage in enumerate(one.passages, start=1):
            yield f"{number}. {passage_place(passage)}: {quoted(line(passage.text))}"
        for source in one.sources or ():
            yield f"{source.id}: {quoted(shorten(line(source.text), MAX_SHOWN_CHARS, placeholder=' …'))}"
