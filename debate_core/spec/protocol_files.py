"""A protocol as a TOML file and back: what is downloaded can be loaded again, changed by hand or not.

Knows the format alone; files are opened by others.
"""

import tomllib
from typing import Any

import tomli_w
from pydantic import ValidationError

from debate_core.errors import InvalidSpec
from debate_core.spec.protocol import Phase, Protocol, first_problem

_SECTIONS = ("before", "each_round", "after")


def protocol_from_toml(text: str, *, where: str) -> Protocol:
    """The protocol of a file. InvalidSpec says in one sentence which phase and field is wrong; `where` names the file.

    Whether a debate can be played by it is checked with its seats, as for every other protocol.
    """
    try:
        data = tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidSpec(f"protocol {where} is not readable TOML: {error}") from None
    try:
        return Protocol.model_validate(data)
    except ValidationError as error:
        raise InvalidSpec(f"protocol {where}: {_named(data, _told(error))}") from None


def _told(error: ValidationError) -> str:
    """The first problem; which kinds of rules there are is said in the words of the file."""
    problem = error.errors(include_url=False)[0]
    where, known = ".".join(str(part) for part in problem["loc"]), problem.get("ctx", {})
    match problem["type"]:
        case "union_tag_not_found":
            return f"{where}: its kind is missing, which says what rule it is"
        case "union_tag_invalid":
            return f"{where}: there is no rule of kind {known['tag'][:80]!r}: choose one of {known['expected_tags']}"
        case _:
            return first_problem(error)


def _named(data: dict[str, Any], problem: str) -> str:
    """The problem with the phase called by its name: a place in a list helps nobody who reads the file."""
    section, _, rest = problem.partition(".")
    place, _, told = rest.partition(".")
    if section not in _SECTIONS or not told or not place.isdigit():
        return problem
    phase = data[section][int(place)]
    name = phase.get("name") if isinstance(phase, dict) else None
    called = f"phase {str(name)[:60]!r}" if name else f"phase {int(place) + 1}"
    return f"{called} of {section}: {told}"


def protocol_to_toml(protocol: Protocol) -> str:
    """The file of a protocol; fields of a phase that are as usual are left out."""
    data = protocol.model_dump(mode="json", exclude_none=True)
    phases = {section: [_phase(phase) for phase in getattr(protocol, section)] for section in _SECTIONS}
    return tomli_w.dumps(data | phases, multiline_strings=False)


def _phase(phase: Phase) -> dict[str, Any]:
    said = phase.model_dump(mode="json", exclude_defaults=True)
    return {"name": phase.name, "gives": phase.gives, "role": phase.role} | said
