"""Calls of tools by models: the offer of each tool, and the look-up that a call or a written line asks for.

Reads untrusted text and raises nothing: a call with a fault becomes a look-up that the engine answers with it.
"""

import json
import re
from collections.abc import Mapping

from debate_core.engine.seat_view import View
from debate_core.record.look_ups import MAX_QUERY_CHARS
from debate_core.seats.prompts.deliverable import object_of
from debate_core.seats.prompts.templates import fill, texts_of
from debate_core.seats.providers.wire import ToolOffer
from debate_core.spec.models import ModelLine
from debate_core.spec.values import SEARCH_SOURCES, Json

MAX_NAME_CHARS = 64
MAX_SAID_CHARS = 2_000
# `SEARCH: costs of the broker`, also as `**Search:** "costs"`
_LINE = re.compile(r"\A[\s*_`>\"]*SEARCH[\s*_`]*:[\s*_`]*(.*)", re.IGNORECASE)


def searches_by_form(line: ModelLine) -> bool:
    """True for models that write a search as a line, because they call no tools."""
    return line.structured in ("two_step", "prompt")


def offers_of(view: View) -> tuple[ToolOffer, ...]:
    """The tools that the seat of this view may call, without any text of an MCP server."""
    texts = texts_of(view.templates)
    query: Json = {"type": "string", "description": f"A few words, at most {MAX_QUERY_CHARS} characters."}
    parameters = object_of({"query": query})
    offers = []
    for tool in view.tools:
        about = texts["search_tool"] if tool == SEARCH_SOURCES else fill(texts["server_tool"], {"tool": tool})
        offers.append(ToolOffer(tool, about, parameters))
    return tuple(offers)


def query_in(arguments: str) -> str | None:
    """The query in the arguments of a call; None if there is none."""
    try:
        said = json.loads(arguments)
    except (ValueError, RecursionError):
        return None
    query = said.get("query") if isinstance(said, Mapping) else None
    return _cut(query) if isinstance(query, str) else None


def written_query(text: str) -> str | None:
    """The query of a reply that begins with the line of a search; None for any other reply."""
    found = _LINE.match(text)
    return _cut(found[1].strip(' \t\r*_`"')) if found else None


def may_become_search(text: str) -> bool:
    """True for the beginning of a reply that may turn out to be a search, so that it is not shown as prose."""
    start = text.lstrip(' \t\r\n*_`>"').upper()
    return written_query(text) is not None or "SEARCH**:".startswith(start)


def _cut(query: str) -> str:
    """The query as a record can hold it: without half a character, and cut where the engine refuses it anyway."""
    return query.encode("utf-8", "replace").decode()[:MAX_SAID_CHARS]
