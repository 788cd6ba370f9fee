"""JSON schemas of replies, derived from the content models, and their form in words.

Every field is required and nothing is a union or a reference, so that all servers accept it; for a missing value a
model writes "", "none" or []. The order is prose, ballot and other short fields, then lists: the vote should follow
from the reasons, and a reply that is cut should already contain its vote. Knows no dialect.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, assert_never, cast

from debate_core.engine.field_aliases import BALLOT_FIELDS, CONSENT_WORDS
from debate_core.engine.option_names import no_option
from debate_core.engine.seat_view import View
from debate_core.seats.prompts.bounds import NONE, Bounds, within
from debate_core.seats.prompts.deliverable import DELIVERABLE, deliverable_field, is_text, object_of
from debate_core.spec.contents import CONTENT_OF, PROSE_FIELDS, Gives
from debate_core.spec.values import Json

_GIVEN_BY_CODE = ("kind", "id", "stance", "together")
"""Fields that code fills: the kind, the number of a claim, the stance of the seat, what a person marked in one step."""
_OF_THE_OTHER: Mapping[Gives, Sequence[str]] = {
    "candidates": ("struck",),
    "screening": ("candidates",),
    "decisive_claim": ("supposed",),
    "suppositions": ("decided_by",),
}
"""For kinds that share a content, the fields of the other kind."""
_DECIDING_LISTS = frozenset({"next_speakers", *BALLOT_FIELDS.values()})
"""Lists that come before the others: short, and required to go on."""


def reply_schema(view: View, bounds: Bounds | None = None) -> Mapping[str, Json]:
    """The schema of a reply to this request, the same for all debaters in one phase.

    With bounds, texts and lists are limited and ids are those that the seat has read: for servers that enforce it and
    models that would not stop. Without bounds it is the same in every round.

    A JSON Schema of one object: every field is required, none may be added, and there are no references. For a missing
    value the reply has "", "none" or []. Fields of a content that code fills are left out.

        schema = reply_schema(view(state, requests(state)[0]))
        list(schema["properties"])  # ["rationale", "vote", "confidence", "answers", "concedes", "claims"]
    """
    described = _content_schema(view.request.gives)
    unsorted = _object(described, described.get("$defs", {}), view)
    properties = cast(Mapping[str, Mapping[str, Json]], unsorted["properties"])
    by_place = sorted(properties.items(), key=lambda field: _place(*field))
    schema = object_of(dict(by_place))
    return schema if bounds is None else within(schema, view, bounds)


def ballot_schema(view: View, bounds: Bounds | None = None) -> Mapping[str, Json]:
    """The schema of the ballot and its confidence alone."""
    fields = cast(Mapping[str, Mapping[str, Json]], reply_schema(view, bounds)["properties"])
    return object_of({n: field for n, field in fields.items() if n not in PROSE_FIELDS and _place(n, field) == 0})


def _place(name: str, field: Mapping[str, Any]) -> int:
    """Order of a field: 0 for prose, ballot and single values, 1 for lists of words, 2 for lists of objects, 3 for the
    deliverable, which sums up the others."""
    if name == DELIVERABLE:
        return 3
    if field["type"] != "array" or name in _DECIDING_LISTS:
        return 0
    return 2 if field["items"]["type"] == "object" else 1


@cache
def _content_schema(gives: Gives) -> Mapping[str, Any]:
    return CONTENT_OF[gives].model_json_schema()


def content_name(gives: Gives) -> str:
    """Name of the content model in lower case: critiques and rebuttals are arguments."""
    return str(CONTENT_OF[gives].__name__).lower()


def _object(node: Mapping[str, Any], defs: Mapping[str, Any], view: View) -> Mapping[str, Json]:
    fields: dict[str, Json] = {}
    for name, field in node["properties"].items():
        if name in _GIVEN_BY_CODE or name in _not_asked(view):
            continue
        if name == "ballot":
            fields[BALLOT_FIELDS[view.ballot_kind]] = _ballot_field(view)
        elif name == DELIVERABLE:
            fields[name] = deliverable_field(view.output_schema)
        else:
            fields[name] = _choice(name, field, view) or _plain_field(field, defs, view)
    return object_of(fields)


def _not_asked(view: View) -> Sequence[str]:
    """Names of the fields that this request does not ask for."""
    names = ["redo", *_OF_THE_OTHER.get(view.request.gives, ())]
    if view.ballot_kind != "one" or not view.ballot_options:
        names.append("vote")
    if view.ballot_kind == "one" or not view.ballot_options:
        names.append("ballot")
    if view.phase.min_strength is None:
        names.append("strength")
    if view.request.gives == "synthesis" and not view.asks_another_round:
        names.append("recommend_another_round")
    if not view.output_schema:
        names.append(DELIVERABLE)
    return names


def _ballot_field(view: View) -> Mapping[str, Json]:
    """The ballot in the form in which models make the fewest errors; an empty list abstains."""
    option, points = _one_of(view.options), {"type": "integer"}
    match view.ballot_kind:
        case "one":
            return _one_of(view.ballot_options)
        case "approval" | "ranking":
            item = option
        case "score" | "dots":
            item = object_of({"option": option, "points": points})
        case "criteria":
            item = object_of({"option": option, "driver": _one_of([d.name for d in view.drivers]), "points": points})
        case "consent":
            item = object_of({"option": option, "says": _one_of(CONSENT_WORDS), "reason": {"type": "string"}})
        case _:
            assert_never(view.ballot_kind)
    return _list_of(item)


def _list_of(item: Mapping[str, Json]) -> Mapping[str, Json]:
    return {"type": "array", "items": item}


def _choice(name: str, field: Mapping[str, Any], view: View) -> Mapping[str, Json] | None:
    """The values of a field that names an option, a seat or a source, if the debate has any."""
    match name:
        case "vote":
            return _one_of(view.ballot_options)
        case "option":
            none = [no_option(view.options)] if "anyOf" in field else []
            return _one_of([*view.options, *none])
        case "seat" if view.speakers:
            return _one_of(view.speakers)
        case "next_speakers" if view.speakers:
            return _list_of(_one_of(view.speakers))
        case "builds_on" if view.options:
            return _list_of(_one_of(view.options))
        case "key_sources" if view.sources:
            return _list_of(_one_of([s.id for s in view.sources]))
        case _:
            return None


def _one_of(words: Sequence[str]) -> Mapping[str, Json]:
    return {"type": "string", "enum": list(words)}


def _plain_field(field: Mapping[str, Any], defs: Mapping[str, Any], view: View) -> Mapping[str, Json]:
    if "$ref" in field:
        return _object(defs[field["$ref"].rsplit("/", 1)[1]], defs, view)
    if "anyOf" in field:
        return _plain_field(next(f for f in field["anyOf"] if f.get("type") != "null"), defs, view)
    if field["type"] == "array":
        return _list_of(_plain_field(field["items"], defs, view))
    return {name: field[name] for name in ("type", "enum") if name in field}


# --- the form of a reply in words, for servers that enforce no schema

MOST_NAMED = 12
"""Maximum number of choices that a gap lists."""
_GAP = re.compile(r"<[^<>]+>")
_GAPS: Mapping[str, str] = {
    "answers": "<ids of claims>",
    "concedes": "<ids of claims>",
    "links": "<ids of claims>",
    "quote": "<words of the source>",
    "source_id": "<id of a source, or none>",
    "decided_by": "<id of a claim, or none>",
}


def form_of(schema: Mapping[str, Json], prose_words: int = 0) -> str:
    """The form of a reply on one line: `{"rationale": "<at most 100 words>", ...}`.

    No gap could be taken for an answer: a form that comes back unchanged holds no vote.
    """
    gaps = dict(_GAPS)
    if prose_words:
        first = next(iter(cast(Mapping[str, Json], schema["properties"])))
        gaps[first] = f"<at most {prose_words} words>"
    return _form_of_field("", schema, gaps)


def _form_of_field(name: str, node: Mapping[str, Any], gaps: Mapping[str, str]) -> str:
    if name == DELIVERABLE:
        return '"<JSON that matches its schema>"' if is_text(node) else "{<fields of its schema>}"
    match node["type"]:
        case "object":
            fields = [f"{json.dumps(n)}: {_form_of_field(n, f, gaps)}" for n, f in node["properties"].items()]
            return f"{{{', '.join(fields)}}}"
        case "array":
            is_empty = node["items"].get("enum") == [NONE]
            return "[]" if is_empty else f"[{_form_of_field(name, node['items'], gaps)}]"
        case "integer":
            return f"<{node.get('minimum', 0)} to {node.get('maximum', 100)}>"
        case "boolean":
            return "<true or false>"
        case _:
            if node.get("enum") == [NONE]:
                return json.dumps(NONE)
            return json.dumps(gaps.get(name) or _gap(node.get("enum", ())), ensure_ascii=False)


def _gap(words: Sequence[str]) -> str:
    if not words:
        return "<text>"
    more = ", ..." if len(words) > MOST_NAMED else ""
    return f"<one of: {', '.join(words[:MOST_NAMED])}{more}>"


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
