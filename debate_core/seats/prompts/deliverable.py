"""The field of a reply that holds the deliverable: an object that every server can enforce, or JSON as text.

Servers accept different parts of JSON Schema. An object whose fields have plain types passes all of them; for every
other schema the field is a text, and code checks it after the reply. Knows no views.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from debate_core.spec.decode import decode_json
from debate_core.spec.values import Json

DELIVERABLE = "deliverable"
_MAX_LEVELS = 6
_MAX_ITEMS = 8
"""Lists of more items are limited for small models (`exchange.with_max_items`), so they cannot be required."""
_SCALARS = ("string", "integer", "number", "boolean")
_REMARKS = frozenset(
    {"$schema", "$id", "$comment", "$defs", "definitions", "title", "description", "examples", "default"}
)
_BOUNDS = frozenset({"format", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})
_KNOWN: Mapping[str, frozenset[str]] = {
    "object": frozenset({"properties", "required", "additionalProperties"}),
    "array": frozenset({"items", "minItems", "maxItems", "uniqueItems"}),
    **{kind: _BOUNDS | {"enum", "const", "multipleOf"} for kind in _SCALARS},
}
"""Type -> the keywords beside it that a plain field can have; code checks those that the field leaves out."""


def deliverable_field(schema_text: str) -> Mapping[str, Json]:
    schema = decode_json(schema_text)
    plain = _plain(schema, schema, _MAX_LEVELS)
    return plain if plain and plain["type"] == "object" else {"type": "string"}


def is_text(field: Mapping[str, Json]) -> bool:
    """True if the field is a text that holds JSON."""
    return field["type"] == "string"


def _plain(node: Any, root: Any, levels: int) -> dict[str, Json] | None:
    """The node with plain types alone, every property required; None if it cannot be said like this."""
    if not isinstance(node, dict) or not levels:
        return None
    if "$ref" in node:
        return _plain(_target(root, str(node["$ref"])), root, levels - 1)
    kind = node.get("type")
    if not isinstance(kind, str) or not node.keys() <= {"type", *_REMARKS, *_KNOWN.get(kind, ())}:
        return None
    match kind:
        case "object":
            return _plain_object(node, root, levels)
        case "array":
            item = _plain(node.get("items"), root, levels - 1)
            if item is None or node.get("minItems", 0) > _MAX_ITEMS:
                return None
            return {"type": "array", "items": item}
        case _:
            return _plain_scalar(kind, node)


def object_of(fields: Mapping[str, Json]) -> dict[str, Json]:
    """The schema of an object with exactly these fields."""
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _plain_object(node: Mapping[str, Any], root: Any, levels: int) -> dict[str, Json] | None:
    fields: dict[str, Json] = {}
    for name, inner in node.get("properties", {}).items():
        field = _plain(inner, root, levels - 1)
        if field is None:
            return None
        fields[name] = field
    if not fields or not fields.keys() >= set(node.get("required", ())):
        return None
    return object_of(fields)


def _plain_scalar(kind: str, node: Mapping[str, Any]) -> dict[str, Json] | None:
    if kind not in _SCALARS:
        return None
    choices: Sequence[Any] = node.get("enum", [node["const"]] if "const" in node else [])
    if kind == "string" and choices:
        return {"type": kind, "enum": [choice for choice in choices if isinstance(choice, str)]}
    return {"type": kind}


def _target(root: Any, reference: str) -> Any:
    """The part of the schema at a reference such as `#/$defs/Risk`; None for other forms."""
    part = root
    for name in reference.removeprefix("#").split("/")[1:]:
        key = name.replace("~1", "/").replace("~0", "~")
        part = part.get(key) if isinstance(part, dict) else None
    return part
