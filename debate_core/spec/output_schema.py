"""JSON Schemas for the deliverable of a debate: whether a schema can be used, and whether a deliverable matches it.

Schema and deliverable are JSON text, because records hold neither fractions nor keys of any script. References stay
within the schema, and the work of a comparison is limited: a schema comes from a user. Knows no debates.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from debate_core.sentence import Sentence
from debate_core.spec.decode import Undecodable, decode_json
from debate_core.spec.values import MAX_TEXT_CHARS

MAX_STEPS = 10_000
"""Maximum work of one comparison, in keywords; nested references can multiply them without end."""
_VALUES_PER_STEP = 10
"""Values that a keyword reads in the time of another keyword, about."""
MAX_PROBLEM_CHARS = 300
MISSING = Sentence("the deliverable is missing")
_TOO_MUCH = Sentence("the deliverable cannot be compared with its schema: one of them is too complex")
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_EXPRESSIONS = ("pattern", "patternProperties")
_NAMED_SCHEMAS = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependencies", "dependentSchemas"}
)
"""Keywords with a schema for each name; the names themselves are no keywords."""
_DATA = frozenset({"enum", "const", "default", "examples"})


class _TooManySteps(Exception):
    """The comparison needs more than MAX_STEPS."""


def schema_text(value: Any) -> Any:
    """The text of a schema that is given as a table of a protocol file; other values stay."""
    if not isinstance(value, Mapping):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        raise ValueError(Sentence("the schema has a value that JSON does not have")) from None


def deliverable_text(value: Any) -> str | None:
    """The JSON text of a deliverable that a seat gives as a value, or as text that holds JSON; None for nothing.

    Raises Undecodable for a value that JSON does not have, such as NaN.
    """
    if value is None or value == "":
        return None
    try:
        return _dumps(decode_json(value) if isinstance(value, str) else value)
    except ValueError as error:
        # Plain text is a JSON string: a schema may ask for one.
        if isinstance(value, str):
            return _dumps(value)
        raise Undecodable(str(error)) from None


def _dumps(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    # Refuses half a surrogate pair, which no record can hold.
    text.encode()
    return text


def unreadable(deliverable: str) -> Sentence | None:
    """The reason why this text cannot be kept as a deliverable, whether it matches or not; None = it can."""
    try:
        decode_json(deliverable)
    except Undecodable as error:
        return Sentence("the deliverable is not readable JSON: {error}", error=str(error))
    return None


def indented(text: str) -> str:
    """The JSON text on several lines, for readers; a text that is no JSON stays."""
    try:
        return json.dumps(decode_json(text), ensure_ascii=False, indent=2)
    except Undecodable:
        return text


def schema_fault(text: str) -> Sentence | None:
    """The reason why this text cannot be the schema of a deliverable, or None."""
    if len(text) > MAX_TEXT_CHARS:
        return Sentence(
            "the output schema has {n} characters: at most {most} are allowed", n=len(text), most=MAX_TEXT_CHARS
        )
    try:
        schema = decode_json(text)
    except Undecodable as error:
        return Sentence("the output schema is not readable JSON: {error}", error=str(error))
    if not isinstance(schema, dict):
        return Sentence("the output schema is not a JSON object: write a JSON Schema, as in {example}", example=EXAMPLE)
    try:
        return _fault_in_kind(schema) or _fault_in_parts(schema)
    except RecursionError:
        return Sentence("the output schema is nested too deeply")


EXAMPLE = '{"type": "object", "properties": {"decision": {"type": "string"}}, "required": ["decision"]}'


def _fault_in_kind(schema: dict[str, Any]) -> Sentence | None:
    """The reason why this is no JSON Schema of a known version."""
    # Imported on first use: debates without a deliverable should not pay for it.
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import validator_for

    version = schema.get("$schema", Draft202012Validator.META_SCHEMA["$schema"])
    kind = validator_for({"$schema": version}, default=None) if isinstance(version, str) else None
    if kind is None:
        return Sentence(
            "the output schema names the unknown version {version!r}: leave $schema out, or name {known}",
            version=str(version)[:80],
            known=Draft202012Validator.META_SCHEMA["$schema"],
        )
    try:
        kind.check_schema(schema)
    except SchemaError as error:
        return Sentence(
            "the output schema is no valid JSON Schema at {place}: {problem}",
            place=error.json_path,
            problem=_shortened(error.message),
        )
    return None


def _fault_in_parts(schema: dict[str, Any]) -> Sentence | None:
    """The reason why a part of the schema cannot be used: a reference that leads out of it, or an expression."""
    from referencing.exceptions import Unresolvable

    lookup = _lookup_in(schema)
    waiting: list[Any] = [schema]
    seen = set[int]()
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, dict):
            if fault := _fault_in_keywords(part):
                return fault
            for reference in (part[name] for name in _REFERENCES if name in part):
                try:
                    target = lookup(reference)
                except Unresolvable:
                    target = None
                if not isinstance(target, dict | bool):
                    return Sentence("the output schema refers to {reference!r}, which it lacks", reference=reference)
                waiting.append(target)
        waiting += _parts(part)
    return None


def _fault_in_keywords(part: Mapping[str, Any]) -> Sentence | None:
    for name in _REFERENCES:
        if name in part and not str(part[name]).startswith("#"):
            return Sentence(
                "the output schema refers to {reference!r}: a reference must begin with #, because nothing is read "
                "from the network or from other files",
                reference=str(part[name])[:80],
            )
    for name in _EXPRESSIONS:
        if name in part:
            return Sentence(
                "the output schema uses {name}, and a regular expression can take too long to check: use enum, "
                "maxLength or a description",
                name=name,
            )
    return None


def _parts(part: Any) -> Iterator[Any]:
    """The parts of a schema that can be schemas themselves."""
    if isinstance(part, list):
        yield from part
    elif isinstance(part, dict):
        for name, inner in part.items():
            if name in _NAMED_SCHEMAS and isinstance(inner, dict):
                yield from inner.values()
            elif name not in _DATA:
                yield inner


def _lookup_in(schema: dict[str, Any]) -> Callable[[str], Any]:
    """A function that returns the part of this schema to which a reference leads."""
    from referencing import Registry, Resource
    from referencing.jsonschema import DRAFT202012

    resource = Resource.from_contents(schema, default_specification=DRAFT202012)
    resolver = Registry[Any]().resolver_with_root(resource)
    return lambda reference: resolver.lookup(reference).contents


def mismatch(schema: str, deliverable: str | None) -> Sentence | None:
    """The first point in which a deliverable does not match its schema; None = it matches. Both are JSON text."""
    if deliverable is None:
        return MISSING
    from jsonschema.exceptions import best_match

    try:
        errors = _validator(decode_json(schema)).iter_errors(decode_json(deliverable))
        error = best_match(errors)
    except (ArithmeticError, RecursionError, _TooManySteps):
        return _TOO_MUCH
    if error is None:
        return None
    return Sentence(
        "the deliverable does not match its schema at {place}: {problem}",
        place=_shortened(error.json_path),
        problem=_problem(error.validator, error.validator_value, error.instance) or _shortened(error.message),
    )


def _problem(keyword: object, expected: Any, given: Any) -> Sentence | None:
    """The most frequent problems as sentences that can be translated; None for others, which stay in English."""
    match keyword:
        case "required":
            missing = next((name for name in expected if name not in given), "")
            return Sentence("{name!r} is missing", name=_shortened(missing))
        case "type":
            kinds = [expected] if isinstance(expected, str) else expected
            return Sentence("it must be of type {kinds}, not {given}", kinds=", ".join(kinds), given=_json_words(given))
        case "enum":
            known = ", ".join(map(_json_words, expected))
            return Sentence("it must be one of {known}, not {given}", known=_shortened(known), given=_json_words(given))
        case _:
            return None


def _json_words(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:79]}…"


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_PROBLEM_CHARS else f"{text[: MAX_PROBLEM_CHARS - 1]}…"


def _validator(schema: dict[str, Any]) -> Any:
    """A validator without network access that stops after MAX_STEPS steps."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend, validator_for
    from referencing import Registry

    kind = validator_for(schema, default=Draft202012Validator)
    steps_left = MAX_STEPS

    def limited(name: str, check: Callable[..., Any]) -> Callable[..., Any]:
        def check_within_limit(validator: Any, expected: Any, given: Any, part: Any) -> Iterator[Any]:
            nonlocal steps_left
            steps_left -= _steps(name, expected, given)
            if steps_left < 0:
                raise _TooManySteps
            yield from check(validator, expected, given, part) or ()

        return check_within_limit

    checks = {name: limited(name, check) for name, check in kind.VALIDATORS.items()}
    return extend(kind, checks)(schema, registry=Registry())


def _steps(keyword: str, expected: Any, given: Any) -> int:
    """The work of one keyword: it can read all its values, and all those of what is given."""
    n_expected, n_given = (len(value) if isinstance(value, list | dict) else 0 for value in (expected, given))
    n_pairs = 0
    if keyword == "uniqueItems" and expected and not _can_be_sorted(given):
        n_pairs = n_given**2 // 2
    return 1 + (n_expected + n_given + n_pairs) // _VALUES_PER_STEP


def _can_be_sorted(given: Any) -> bool:
    """False for values that can only be compared in pairs."""
    return not isinstance(given, list) or {*map(type, given)} in ({str}, {int})
