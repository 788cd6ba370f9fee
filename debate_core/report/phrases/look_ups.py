"""Look-ups of seats in words: the query, the number of passages, and each passage with its place."""

from collections.abc import Iterator, Sequence

from debate_core.language import Words, _, _n
from debate_core.record.look_ups import MAX_QUERY_CHARS, FoundPassage, LookedUp, LookUpFault
from debate_core.text import line

_FAULTS: Words[LookUpFault] = Words(
    {
        "unknown_tool": "called a tool that it does not have",
        "unreadable": "called the search without a readable query",
        "too_long": "called the search with too long a query",
        "none_left": "called the search beyond its limit",
    }
)


def look_up_words(one: LookedUp) -> str:
    """`searched the sources for “broker costs”: 2 passages found`; for a call with a fault, the fault."""
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


def passage_place(passage: FoundPassage) -> str:
    """`E1, passage 12, Costs`."""
    place = _("{source}, passage {number}", source=passage.source_id, number=passage.number)
    return f"{place}, {line(passage.heading)}" if passage.heading else place


def look_up_lines(look_ups: Sequence[LookedUp]) -> Iterator[str]:
    """Each look-up on a line, followed by the passages that it found, word for word."""
    for one in look_ups:
        yield look_up_words(one)
        for number, passage in enumerate(one.passages, start=1):
            yield f"{number}. {passage_place(passage)}: “{line(passage.text)}”"
