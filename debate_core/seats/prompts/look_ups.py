"""Look-ups in a prompt: the offer to search, and what the searches of this turn found, as fenced data."""

from collections.abc import Iterator, Mapping, Sequence

from debate_core.engine.seat_view import View
from debate_core.record.look_ups import MAX_QUERY_CHARS, FoundPassage, LookedUp, LookUpFault
from debate_core.seats.prompts.blocks import fenced, prose_lines, quoted
from debate_core.seats.prompts.templates import fill
from debate_core.spec.values import SEARCH_SOURCES
from debate_core.text import one_line

_FAULTS: Mapping[LookUpFault, str] = {
    "unknown_tool": "there is no such tool",
    "unreadable": "the call had no readable query: give a few words as `query`",
    "too_long": f"the query was longer than {MAX_QUERY_CHARS} characters: give a few words",
    "none_left": "no search was left: reply now",
    "no_answer": "its server gave no answer",
}


def findings_of(view: View, texts: Mapping[str, str]) -> str:
    """The searches of this turn and their passages; "" without any."""
    if not view.look_ups:
        return ""
    lines = [line for number, one in enumerate(view.look_ups, start=1) for line in _lines(view, number, one)]
    title = texts["searched" if all(one.tool == SEARCH_SOURCES for one in view.look_ups) else "asked_tools"]
    return f"{title}\n{fenced(chr(10).join(lines))}"


def _lines(view: View, number: int, one: LookedUp) -> list[str]:
    called = "Search" if one.tool == SEARCH_SOURCES else "Call"
    said = f"{called} {number}, {quoted(one_line(one.query or '')[:MAX_QUERY_CHARS])}"
    if one.fault == "unknown_tool":
        return [f"{said}: {_FAULTS[one.fault]}; call {', '.join(view.phase.tools or ())}"]
    if one.fault:
        return [f"{said}: {_FAULTS[one.fault]}"]
    if one.sources:
        lines = [f"{said}: {len(one.sources)} results"]
        for source in one.sources:
            lines += [f"Source {source.id}, {quoted(one_line(source.title))}:", *prose_lines(source.text)]
        return lines
    return [f"{said}: {len(one.passages) or 'no'} passages", *_passage_lines(one.passages)]


def _passage_lines(passages: Sequence[FoundPassage]) -> Iterator[str]:
    for place, passage in enumerate(passages, start=1):
        under = f", under {quoted(passage.heading)}" if passage.heading else ""
        yield f"{place}. Source {passage.source_id}, passage {passage.number}{under}:"
        yield from prose_lines(passage.text)


def offer_of(view: View, texts: Mapping[str, str], *, by_form: bool) -> str:
    """The offer to search before the reply; "" for a seat without tools."""
    lines: list[str] = []
    if view.tools and view.look_ups_left:
        lines += filter(None, [_offer(view, texts, by_form=by_form)])
    elif view.phase.tools and view.look_ups:
        lines.append(texts["no_search_left"])
    if lines and view.request.gives == "directive":
        lines.append(texts["brief_them"])
    return "".join(f"{line}\n" for line in lines)


def _offer(view: View, texts: Mapping[str, str], *, by_form: bool) -> str:
    left = str(view.look_ups_left)
    if by_form:
        return fill(texts["may_write"], {"left": left}) if SEARCH_SOURCES in view.tools else ""
    if view.tools == (SEARCH_SOURCES,):
        return fill(texts["may_call"], {"left": left})
    return fill(texts["may_call_tools"], {"left": left, "tools": ", ".join(f"`{tool}`" for tool in view.tools)})
