"""The form of a reply in words, for servers that enforce no schema: a JSON object with gaps to be filled.

Nothing in a gap could be taken for an answer: a form that comes back as it was given holds no vote. Knows no server.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from debate_core.seats.prompts.bounds import NONE
from debate_core.spec.values import Json

MOST_NAMED = 12
"""Words to choose from that a gap lists."""
_GAP = re.compile(r"<[^<>]+>")
_GAPS: Mapping[str, str] = {
    "answers": "<ids of claims>",
    "concedes": "<ids of claims>",
    "links": "<ids of claims>",
    "quote": "<words of the source>",
    "source_id": "<id of a source, or none>",
}


def form_of(schema: Mapping[str, Json], prose_words: int = 0) -> str:
    """What a reply under this schema looks like, on one line: `{"rationale": "<at most 100 words>", ...}`."""
    gaps = dict(_GAPS)
    if prose_words:
        first = next(iter(_mapping(schema, "properties")))
        gaps[first] = f"<at most {prose_words} words>"
    return _form("", schema, gaps)


def _form(name: str, node: Mapping[str, Any], gaps: Mapping[str, str]) -> str:
    match node["type"]:
        case "object":
            fields = [f"{json.dumps(n)}: {_form(n, f, gaps)}" for n, f in _mapping(node, "properties").items()]
            return f"{{{', '.join(fields)}}}"
        case "array" if node["items"].get("enum") == [NONE]:
            return "[]"
        case "array":
            return f"[{_form(name, node['items'], gaps)}]"
        case "integer":
            return f"<{node.get('minimum', 0)} to {node.get('maximum', 100)}>"
        case "boolean":
            return "<true or false>"
        case _ if node.get("enum") == [NONE]:
            return json.dumps(NONE)
        case _:
            return json.dumps(gaps.get(name) or _gap(node.get("enum", ())), ensure_ascii=False)


def _gap(words: Sequence[str]) -> str:
    if not words:
        return "<text>"
    more = ", ..." if len(words) > MOST_NAMED else ""
    return f"<one of: {', '.join(words[:MOST_NAMED])}{more}>"


def _mapping(node: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return node[name]  # type: ignore[no-any-return]


def gaps_left(form: str, reply: Any) -> bool:
    """True if a reply repeats a gap of its form as one of its texts."""
    gaps = set(_GAP.findall(form))
    match reply:
        case dict():
            return any(gaps_left(form, value) for value in reply.values())
        case list():
            return any(gaps_left(form, value) for value in reply)
        case _:
            return isinstance(reply, str) and reply.strip() in gaps
