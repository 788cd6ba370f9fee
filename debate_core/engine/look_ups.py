"""Look-ups of seats before their turns: the answer to a call, and the look-ups that a record may contain.

A call with a fault is answered too, and counts. The passages follow from the sources and the query, so `verify` finds
them again. The answer of an MCP server cannot be computed again: its results are recorded, and become sources.
"""

from collections.abc import Sequence

from debate_core.engine import schedule
from debate_core.engine.seat_view import look_ups_left, readable_sources, tools_of
from debate_core.record.commands import LookUp
from debate_core.record.look_ups import MAX_QUERY_CHARS, FoundPassage, LookedUp, LookUpFault, ToolAnswer
from debate_core.record.state import Request, State
from debate_core.sentence import Sentence
from debate_core.spec.tools import is_server_tool
from debate_core.spec.values import Source, free_source_id


def looked_up(state: State, command: LookUp) -> LookedUp:
    """The look-up that this command would record, with the passages that the search finds."""
    request = schedule.request_of(state, command.request)
    called = LookedUp(request=command.request, tool=command.tool, query=command.query, usage=command.usage)
    if request is None:
        return called
    fault = _call_fault(state, request, called)
    if fault:
        return called.model_copy(update={"fault": fault})
    if is_server_tool(command.tool):
        return _answered_by_server(state, request, called, command.answer)
    return called.model_copy(update={"passages": _passages(readable_sources(state, request), command.query or "")})


def _answered_by_server(state: State, request: Request, called: LookedUp, answer: ToolAnswer | None) -> LookedUp:
    if answer is None:
        return called.model_copy(update={"fault": "no_answer"})
    called = called.model_copy(update={"origin": answer.origin})
    if not answer.results:
        return called.model_copy(update={"fault": "no_answer", "why": answer.why or None})
    return called.model_copy(update={"sources": _as_sources(state, request, called, answer.results)})


def _as_sources(state: State, request: Request, called: LookedUp, results: Sequence[str]) -> tuple[Source, ...]:
    """Results as numbered sources. In a phase at once, the other seats read them from the next round on."""
    at_once = state.phase(request.phase).order == "at_once"
    # Without the query, which may name a person: documents are not changed when a name is removed.
    title = called.origin or ""
    sources: list[Source] = []
    for text in results:
        source_id = free_source_id((*state.spec.sources, *sources), "M")
        sources.append(Source(id=source_id, title=title, text=text, from_round=min(50, request.round + at_once)))
    return tuple(sources)


def fault(state: State, request: Request, body: LookedUp, *, by: str) -> Sentence | None:
    """The reason why this look-up cannot be recorded: not by its seat, not agreed, or with another answer."""
    if by != request.seat:
        return Sentence("{id}: only {seat} itself looks something up before its turn", id=request.id, seat=request.seat)
    if not tools_of(state, request):
        return Sentence("{id}: this seat may look nothing up now", id=request.id)
    if _is_answered_rightly(state, request, body):
        return None
    return Sentence("{id}: this is not what the search finds in the sources for this query", id=request.id)


def _is_answered_rightly(state: State, request: Request, body: LookedUp) -> bool:
    """True if the fault and the passages follow from the call.

    A record made with other text measures is not searched again; its passages must still be in the sources.
    """
    expected_fault = _call_fault(state, request, body)
    if expected_fault is None and is_server_tool(body.tool):
        return _fits_server(state, request, body)
    if (body.sources, body.origin, body.why) != (None, None, None):
        return False
    sources = readable_sources(state, request)
    if state.reading is not None:
        return all(_is_in(sources, passage) for passage in body.passages)
    if body.fault != expected_fault:
        return False
    return body.passages == (() if body.fault else _passages(sources, body.query or ""))


def _fits_server(state: State, request: Request, body: LookedUp) -> bool:
    """True if this can be the answer of an MCP server: sources with the ids and titles that follow, or none."""
    if body.passages:
        return False
    if not body.sources:
        return body.fault == "no_answer" and body.sources is None
    results = [source.text for source in body.sources]
    return body.fault is None and body.origin is not None and body.sources == _as_sources(state, request, body, results)


def _call_fault(state: State, request: Request, called: LookedUp) -> LookUpFault | None:
    """The fault of a call, the limit first."""
    if not look_ups_left(state, request):
        return "none_left"
    if called.tool not in tools_of(state, request):
        return "unknown_tool"
    if called.query is None or not called.query.strip():
        return "unreadable"
    return "too_long" if len(called.query) > MAX_QUERY_CHARS else None


def _passages(sources: Sequence[Source], query: str) -> tuple[FoundPassage, ...]:
    # Imported on first use: the Markdown reader would slow down every start.
    from debate_core.engine.source_search import search_sources

    return search_sources(sources, query)


def _is_in(sources: Sequence[Source], passage: FoundPassage) -> bool:
    return any(source.id == passage.source_id and passage.text in source.text for source in sources)
