"""Look-ups in a prompt: the offer to search, and what the searches of this turn found, as fenced data."""

from collections.abc import Mapping

from debate_core.engine.seat_view import View
from debate_core.record.look_ups import MAX_QUERY_CHARS, LookedUp, LookUpFault
from debate_core.seats.prompts.blocks import fenced, one_line, prose_lines, quoted
from debate_core.seats.prompts.templates import fill

_FAULTS: Mapping[LookUpFault, str] = {
    "unknown_tool": "there is no such tool; the only one is search_sources",
    "unreadable": "the call had no readable query: give a few words as `query`",
    "too_long": f"the query was longer than {MAX_QUERY_CHARS} characters: give a few words",
    "none_left": "no search was left: reply now",
}


def findings_of(view: View, texts: Mapping[str, str]) -> str:
    """The searches of this turn and their passages; "" without any."""
    if not view.look_ups:
        return ""
    lines = [line for number, one in enumerate(view.look_ups, start=1) for line in _lines(number, one)]
    return f"{texts['searched']}\n{fenced(chr(10).join(lines))}"


def _lines(number: int, one: LookedUp) -> list[str]:
    said = f"Search {number}, {quoted(one_line(one.query or '')[:MAX_QUERY_CHARS])}"
    if one.fault:
        return [f"{said}: {_FAULTS[one.fault]}"]
    lines = [f"{said}: {len(one.passages) or 'no'} passages"]
    for place, passage in enumerate(one.passages, start=1):
        under = f", under {quoted(passage.heading)}" if passage.heading else ""
        lines += [f"{place}. Source {passage.source_id}, passage {passage.number}{under}:", *prose_lines(passage.text)]
    return lines


def offer_of(view: View, texts: Mapping[str, str], *, by_form: bool) -> str:
    """The offer to search before the reply; "" for a seat without tools."""
    lines = []
    if view.tools and view.look_ups_left:
        offer = texts["may_write" if by_form else "may_call"]
        lines.append(fill(offer, {"left": str(view.look_ups_left)}))
    elif view.phase.tools and view.look_ups:
        lines.append(texts["no_search_left"])
    if lines and view.request.gives == "directive":
        lines.append(texts["brief_them"])
    return "".join(f"{line}\n" for line in lines)
