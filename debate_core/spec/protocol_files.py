"""Protocols as TOML files, both ways: a downloaded file can be edited and loaded again.

Format only; callers open the files.
"""

from typing import Any

import tomli_w
from pydantic import ValidationError

from debate_core.errors import InvalidSpec
from debate_core.sentence import Sentence
from debate_core.spec.decode import Undecodable, decode_toml
from debate_core.spec.protocol import Phase, Protocol, first_problem

_SECTIONS = ("before", "each_round", "after")


def protocol_from_toml(text: str, *, where: str) -> Protocol:
    """The protocol of a file. Raises InvalidSpec with one sentence on the phase and field; `where` names the file.

    Checks against seats come later, as for every other protocol.
    """
    try:
        data = decode_toml(text)
    except Undecodable as error:
        raise InvalidSpec("protocol {where} is not readable TOML: {error}", where=where, error=str(error)) from None
    try:
        return Protocol.model_validate(data)
    except ValidationError as error:
        raise InvalidSpec("protocol {where}: {problem}", where=where, problem=_told(data, error)) from None


def _told(data: dict[str, Any], error: ValidationError) -> Sentence:
    """The first problem; kinds of rules are listed in the terms of the file."""
    problem = error.errors(include_url=False)[0]
    where = _where(data, problem["loc"])
    known = problem.get("ctx", {})
    match problem["type"]:
        case "union_tag_not_found":
            return Sentence("{where}: its kind is missing, which says what rule it is", where=where)
        case "union_tag_invalid":
            return Sentence(
                "{where}: there is no rule of kind {kind!r}: choose one of {known}",
                where=where,
                kind=known["tag"][:80],
                known=known["expected_tags"],
            )
        case _:
            return first_problem(error, where)


def _where(data: dict[str, Any], place: tuple[int | str, ...]) -> str:
    """The field, with its phase by name rather than by index."""
    match place:
        case ("before" | "each_round" | "after" as section, int(number), _, *_):
            phase = data[section][number]
            name = phase.get("name") if isinstance(phase, dict) else None
            phase_name = repr(str(name)[:60]) if name else ""
            return Sentence(
                "phase {phase} of {section}: {field}",
                phase=phase_name or number + 1,
                section=section,
                field=".".join(str(part) for part in place[2:]),
            )
        case _:
            return ".".join(str(part) for part in place)


def protocol_to_toml(protocol: Protocol) -> str:
    """The TOML text of a protocol, without phase fields that have default values."""
    data = protocol.model_dump(mode="json", exclude_none=True)
    phases = {section: [_phase(phase) for phase in getattr(protocol, section)] for section in _SECTIONS}
    return tomli_w.dumps(data | phases, multiline_strings=False)


def _phase(phase: Phase) -> dict[str, Any]:
    said = phase.model_dump(mode="json", exclude_defaults=True)
    return {"name": phase.name, "gives": phase.gives, "role": phase.role} | said
