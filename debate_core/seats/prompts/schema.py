"""The JSON schema of a reply, derived from the content models: the ones that draw the forms and read the replies.

Every field is required and nothing is a union or a reference, so that all servers take it; what a person leaves out a
model says with "", "none" or []. Reason comes first, then the ballot and every other short field, then the lists: a
vote should follow from what was said, and a reply that runs on until it is cut should have said its vote before. Does
not know how a dialect asks for it.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, assert_never, cast, get_args

from pydantic import BaseModel

from debate_core.engine.field_aliases import BALLOT_FIELDS, CONSENT_WORDS
from debate_core.engine.option_names import no_option
from debate_core.engine.seat_view import View
from debate_core.seats.prompts.bounds import Bounds, within
from debate_core.spec.contents import PROSE_FIELDS, Content, Gives
from debate_core.spec.values import Json

_CONTENTS: Mapping[str, type[BaseModel]] = {
    kind: content
    for content in get_args(get_args(Content)[0])
    for kind in get_args(content.model_fields["kind"].annotation)
}
_GIVEN_BY_CODE = ("kind", "id", "stance")
"""Known before the seat is asked: what it answers, the number of a claim, the side it was given."""
_OF_THE_OTHER: Mapping[Gives, Sequence[str]] = {"candidates": ("struck",), "screening": ("candidates",)}
"""Of two kinds that share a content, the fields that only the other one asks."""
_DECIDING_LISTS = frozenset({"next_speakers", *BALLOT_FIELDS.values()})
"""Lists that stand before the others: short, and nothing goes on without them."""


def reply_schema(view: View, bounds: Bounds | None = None) -> Mapping[str, Json]:
    """What a reply to this request must look like: the same for all debaters who are asked in one phase.

    With bounds no text or list is longer than they allow, and ids are those that the seat has read: for servers that
    enforce it and models that would not come to an end. Without, it is the same in every round.
    """
    described = _described(view.request.gives)
    free = _object(described, described.get("$defs", {}), view)
    properties = cast(Mapping[str, Mapping[str, Json]], free["properties"])
    by_place = sorted(properties.items(), key=lambda field: _place(*field))
    schema = _fields(dict(by_place))
    return schema if bounds is None else within(schema, view, bounds)


def ballot_schema(view: View, bounds: Bounds | None = None) -> Mapping[str, Json]:
    """What is left of a debater's reply without its prose and its lists: the ballot, and how sure it is of it."""
    fields = cast(Mapping[str, Mapping[str, Json]], reply_schema(view, bounds)["properties"])
    return _fields({n: field for n, field in fields.items() if n not in PROSE_FIELDS and _place(n, field) == 0})


def _place(name: str, field: Mapping[str, Any]) -> int:
    """0 for prose, ballot and all that is one value, 1 for lists of words, 2 for lists of objects."""
    if field["type"] != "array" or name in _DECIDING_LISTS:
        return 0
    return 2 if field["items"]["type"] == "object" else 1


@cache
def _described(gives: Gives) -> Mapping[str, Any]:
    return _CONTENTS[gives].model_json_schema()


def content_name(gives: Gives) -> str:
    """The content model of this kind in lower case: critique and rebuttal are kinds of argument."""
    return str(_CONTENTS[gives].__name__).lower()


def _object(node: Mapping[str, Any], defs: Mapping[str, Any], view: View) -> Mapping[str, Json]:
    fields: dict[str, Json] = {}
    for name, field in node["properties"].items():
        if name in _GIVEN_BY_CODE or name in _not_asked(view):
            continue
        if name == "ballot":
            fields[BALLOT_FIELDS[view.ballot_kind]] = _ballot(view)
            continue
        fields[name] = _choice(name, field, view) or _plain(field, defs, view)
    return _fields(fields)


def _not_asked(view: View) -> Sequence[str]:
    """A vote where none is counted, a rating of its own strength where the phase sets no least one, a person's redo."""
    names = ["redo", *_OF_THE_OTHER.get(view.request.gives, ())]
    if view.ballot_kind != "one" or not view.ballot_options:
        names.append("vote")
    if view.ballot_kind == "one" or not view.ballot_options:
        names.append("ballot")
    if view.phase.min_strength is None:
        names.append("strength")
    return names


def _ballot(view: View) -> Mapping[str, Json]:
    """What the reply says of the options, in the form in which a model errs least; an empty list abstains."""
    option = _one_of(view.options)
    match view.ballot_kind:
        case "one":
            return _one_of(view.ballot_options)
        case "approval" | "ranking":
            return {"type": "array", "items": option}
        case "score" | "dots":
            return {"type": "array", "items": _fields({"option": option, "points": {"type": "integer"}})}
        case "criteria":
            driver = _one_of([d.name for d in view.drivers])
            return {
                "type": "array",
                "items": _fields({"option": option, "driver": driver, "points": {"type": "integer"}}),
            }
        case "consent":
            said = {"option": option, "says": _one_of(CONSENT_WORDS), "reason": {"type": "string"}}
            return {"type": "array", "items": _fields(said)}
        case _:
            assert_never(view.ballot_kind)


def _fields(fields: Mapping[str, Json]) -> Mapping[str, Json]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _choice(name: str, field: Mapping[str, Any], view: View) -> Mapping[str, Json] | None:
    """Fields that name an option, a seat or a source take their words from the debate, if it has any."""
    match name:
        case "vote":
            return _one_of(view.ballot_options)
        case "option":
            none = [no_option(view.options)] if "anyOf" in field else []
            return _one_of([*view.options, *none])
        case "seat" if view.speakers:
            return _one_of(view.speakers)
        case "next_speakers" if view.speakers:
            return {"type": "array", "items": _one_of(view.speakers)}
        case "builds_on" if view.options:
            return {"type": "array", "items": _one_of(view.options)}
        case "key_sources" if view.sources:
            return {"type": "array", "items": _one_of([s.id for s in view.sources])}
        case _:
            return None


def _one_of(words: Sequence[str]) -> Mapping[str, Json]:
    return {"type": "string", "enum": list(words)}


def _plain(field: Mapping[str, Any], defs: Mapping[str, Any], view: View) -> Mapping[str, Json]:
    if "$ref" in field:
        return _object(defs[field["$ref"].rsplit("/", 1)[1]], defs, view)
    if "anyOf" in field:
        return _plain(next(f for f in field["anyOf"] if f.get("type") != "null"), defs, view)
    if field["type"] == "array":
        return {"type": "array", "items": _plain(field["items"], defs, view)}
    kept: dict[str, Json] = {"type": field["type"]}
    if "enum" in field:
        kept["enum"] = field["enum"]
    return kept
