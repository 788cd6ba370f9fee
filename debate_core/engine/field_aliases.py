"""Aliases of content fields in published patterns and in models' replies: one table, applied before validation.

Form only: unknown fields pass unchanged and are refused by validation. Independent of any debate.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from debate_core.spec.contents import ARGUMENT_KINDS, Gives
from debate_core.spec.values import BallotKind

_ARGUMENT = {
    "thesis": "rationale",
    "argument": "rationale",
    "text": "rationale",
    "supporting_arguments": "claims",
    "counter_arguments": "claims",
    "rebuttals": "claims",
    "concessions": "concedes",
    "challenge_strength": "strength",
}
_SPELT: Mapping[str, Mapping[str, str]] = {
    **dict.fromkeys(ARGUMENT_KINDS, _ARGUMENT),
    "framing": {"key_evidence": "key_sources", "key_evidence_documents": "key_sources"},
    "evaluation": {
        "argument_quality_score": "quality",
        "argument_quality": "quality",
        "resolved_points": "resolved",
        "unresolved_points": "unresolved",
        "contested_points": "unresolved",
        "explicit_uncertainties": "uncertainties",
        "critique": "synthesis",
    },
    "verdict": {"winner": "option"},
}
"""Content kind -> alias in snake case -> field name, as published patterns name their fields."""
NO_REASON = "no reason was given"
"""Default reason of directives and positions: published patterns have no field for it."""
_BANDS = {"medium": "MODERATE"}
_KEY_ARGUMENT = re.compile(r"key_arg(?:ument)?_(\w+)")


def own_name(gives: Gives, spelling: str) -> str:
    """The field name for any spelling; an unknown one in snake case."""
    plain = _snake(spelling)
    return _SPELT.get(gives, {}).get(plain, plain)


def spelt(gives: Gives, data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a reply under their own names, without nulls; the second spelling of a field keeps its name."""
    fields: dict[str, Any] = {}
    for spelling, value in _without_nulls(data).items():
        name = own_name(gives, spelling)
        is_there_twice = name in fields or (name != spelling and name in data)
        fields[spelling if is_there_twice else name] = _plain_list(name, value)
    if "confidence" in fields:
        fields["confidence"] = _percent(fields["confidence"])
    if "strength" in fields:
        fields["strength"] = _out_of(10, fields["strength"])
    if gives in ARGUMENT_KINDS:
        return _with_evidence(fields)
    match gives:
        case "evaluation":
            return _evaluation(fields)
        case "positions":
            return {"reason": NO_REASON, **_with_positions(fields)}
        case "directive":
            return {"reason": NO_REASON, **fields}
        case "synthesis":
            return _with_key_arguments(fields)
        case _:
            return fields


_OF_LINES = frozenset({"claims", "strongest", "established", "contested", "resolved", "unresolved"})
"""Fields with a list of lines, each a text or an object."""
_OF_TEXTS = frozenset({"criteria", "key_sources", "uncertainties"})
_OF_IDS = frozenset({"answers", "concedes", "links"})
_ID = re.compile(r"[\w.-]*\d[\w.-]*")
"""The form of a claim id: `risk.2.3`. It always contains a digit."""


def _plain_list(name: str, value: Any) -> Any:
    """Wrap a single value in a list where a list is expected, and split ids in one text."""
    if name in _OF_LINES:
        if isinstance(value, list):
            return [_with_plain_ids(line) for line in value]
        if isinstance(value, dict) and "text" in value:
            return [_with_plain_ids(value)]
        return _list_of_one(value)
    if name in _OF_TEXTS:
        return _list_of_one(value)
    if name in _OF_IDS:
        return _plain_ids(value)
    return value


def _list_of_one(value: Any) -> Any:
    """A text as a list; other values unchanged."""
    if not isinstance(value, str):
        return value
    return [value] if value.strip() else []


def _with_plain_ids(line: Any) -> Any:
    if not isinstance(line, dict):
        return line
    ids = {name: _plain_ids(line[name]) for name in _OF_IDS & line.keys()}
    return {**line, **ids}


def _plain_ids(value: Any) -> Any:
    """`risk.1.1, cost.2.1` as two ids; other texts unchanged."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if not text:
        return []
    ids = re.split(r"[\s,;]+", text)
    are_ids = all(_ID.fullmatch(i) for i in ids)
    return ids if are_ids else value


_AMOUNT = re.compile(
    r"(?P<n>\d{1,15}(?:\.\d+)?)\s*(?:(?P<percent>%|percent\b|per cent\b)|(?:/|(?:out )?of)\s*(?P<of>\d{1,15}))?"
)
"""80, 0.8, 80%, 80 percent, 8/10, 8 of 10, 8 out of 10; limited to numbers that fit a float"""


def _out_of(most: int, value: Any) -> Any:
    """A number written as text, on a scale of `most`; other texts unchanged."""
    if not isinstance(value, str):
        return value
    amount = _AMOUNT.fullmatch(value.strip().lower())
    if amount is None:
        return value
    number = float(amount["n"])
    if amount["percent"]:
        return round(number * most / 100)
    if not amount["of"]:
        return number if "." in amount["n"] else int(number)
    scale = int(amount["of"])
    return round(number * most / scale) if scale else value


def _percent(value: Any) -> Any:
    """A percentage; a decimal number between 0 and 1 is a share."""
    number = _out_of(100, value)
    is_share = isinstance(number, float) and 0 < number <= 1
    return round(number * 100) if is_share else number


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _without_nulls(data: Mapping[str, Any]) -> dict[str, Any]:
    """Drop nulls, which mean empty; a null vote is an abstention and stays."""
    return {name: _filled(value) for name, value in data.items() if value is not None or name == "vote"}


def _filled(value: Any) -> Any:
    """The value without nulls in nested maps."""
    if isinstance(value, dict):
        return {name: _filled(part) for name, part in value.items() if part is not None}
    if isinstance(value, list):
        return [_filled(part) for part in value]
    return value


def _evaluation(fields: dict[str, Any]) -> dict[str, Any]:
    """Normalise a map from seat to score, and the words of the confidence bands."""
    quality = fields.get("quality")
    if isinstance(quality, dict):
        fields["quality"] = [{"seat": seat, "score": _out_of(10, score)} for seat, score in quality.items()]
    band = fields.get("confidence_level")
    if isinstance(band, str):
        fields["confidence_level"] = _BANDS.get(band.strip().casefold(), band.strip().upper())
    return fields


def _with_positions(fields: dict[str, Any]) -> dict[str, Any]:
    """Read `key_evidence` of Debate / Deliberation, possibly a list, as the reason of a position."""
    positions = fields.get("positions")
    if not isinstance(positions, list):
        return fields
    return {**fields, "positions": [_position(position) for position in positions]}


def _position(position: Any) -> Any:
    if not isinstance(position, dict):
        return position
    fields = {_snake(name): value for name, value in position.items()}
    if "because" in fields or "key_evidence" not in fields:
        return position
    evidence = fields.pop("key_evidence")
    because = "; ".join(evidence) if _is_list_of_texts(evidence) else evidence
    return {**fields, "because": because}


def _is_list_of_texts(value: Any) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _with_key_arguments(fields: dict[str, Any]) -> dict[str, Any]:
    """Read `key_argument_a` of Debate / Deliberation as the strongest argument for "a"."""
    if "strongest" in fields:
        return fields
    strongest = []
    others = {}
    for name, value in fields.items():
        key_argument = _KEY_ARGUMENT.fullmatch(name)
        if key_argument and isinstance(value, str):
            strongest.append({"option": key_argument[1], "text": value})
        else:
            others[name] = value
    return {**others, "strongest": strongest} if strongest else fields


def _with_evidence(fields: dict[str, Any]) -> dict[str, Any]:
    """Append the evidence list of Debate Agent to the prose: its texts are neither quotes nor ids."""
    rationale = fields.get("rationale")
    evidence = fields.get("evidence_cited")
    if not isinstance(rationale, str) or not _is_list_of_texts(evidence):
        return fields
    fields.pop("evidence_cited")
    if not evidence:
        return fields
    return {**fields, "rationale": f"{rationale}\n\nEvidence: {'; '.join(evidence)}"}


BALLOT_FIELDS: Mapping[BallotKind, str] = {
    "one": "vote",
    "approval": "approvals",
    "ranking": "ranking",
    "score": "scores",
    "dots": "dots",
    "consent": "consent",
    "criteria": "scores",
}
"""The name of the vote in a reply, by kind of ballot."""
CONSENT_WORDS = ("consent", "concern", "objection")
"""Indexed by their points."""
_SAYS = {"agree": 0, "no objection": 0, "object": 2, "paramount objection": 2, "veto": 2}
_SAYS |= {word: points for points, word in enumerate(CONSENT_WORDS)}


def with_ballot(kind: BallotKind, fields: dict[str, Any]) -> dict[str, Any]:
    """The vote of a reply as a ballot: `ranking: [a, [b, c]]`, `approvals: [a]`, `scores: {a: 5}` or a list.

    With drivers: `scores: {a: {cost: 4}}`.
    """
    field = BALLOT_FIELDS[kind]
    if kind == "one" or "ballot" in fields or field not in fields:
        return fields
    others = {name: value for name, value in fields.items() if name != field}
    return {**others, "ballot": _ballot(kind, fields[field])}


def _ballot(kind: BallotKind, value: Any) -> Any:
    """One line per option; a value that is neither map nor list is unchanged."""
    if isinstance(value, dict):
        return _ballot_of_map(kind, value)
    if isinstance(value, list | tuple):
        if kind == "approval":
            return [{"option": entry, "points": 1} if isinstance(entry, str) else entry for entry in value]
        if kind == "ranking" and not any(isinstance(entry, dict) for entry in value):
            return _ranked(value)
        return [_of_option(kind, None, entry) for entry in value]
    return value


def _ballot_of_map(kind: BallotKind, words: dict[Any, Any]) -> list[Any]:
    lines: list[Any] = []
    for option, says in words.items():
        is_not_approved = kind == "approval" and says is False
        if kind == "criteria":
            lines += _under_drivers(option, says)
        elif not is_not_approved:
            lines.append(_of_option(kind, option, says))
    return lines


def _ranked(levels: Sequence[Any]) -> list[Any]:
    """`["a", ["b", "c"]]`: first place, and two options that share the second."""
    lines = []
    for place, level in enumerate(levels, start=1):
        options = level if isinstance(level, list | tuple) else [level]
        lines += [{"option": option, "points": place} for option in options]
    return lines


def _under_drivers(option: Any, says: Any) -> list[Any]:
    """`{"adopt": {"cost": 4}}`; other values are refused by validation."""
    if not isinstance(says, dict):
        return [{"option": option, "points": says}]
    return [{"option": option, "driver": driver, "points": points} for driver, points in says.items()]


def _of_option(kind: BallotKind, option: Any, says: Any) -> Any:
    """The entry for one option: points, a word of consent, or an object with a reason."""
    if isinstance(says, dict):
        return _with_points(kind, says if option is None else {"option": option, **says})
    if option is None:
        return says
    return {"option": option, "points": _points(kind, says)}


def _with_points(kind: BallotKind, fields: dict[str, Any]) -> dict[str, Any]:
    """The line with its points under their own name; a word of consent becomes a number."""
    line = dict(fields)
    for other in ("says", "score", "dots", "place", "rank"):
        if other in line and "points" not in line:
            line["points"] = line.pop(other)
    if kind == "consent" and "points" in line:
        line["points"] = _consent_points(line["points"])
    return line


def _points(kind: BallotKind, says: Any) -> Any:
    if kind == "approval" and says is True:
        return 1
    return _consent_points(says) if kind == "consent" else says


def _consent_points(says: Any) -> Any:
    """The points of a word of consent; other values unchanged."""
    if not isinstance(says, str):
        return says
    return _SAYS.get(says.strip().casefold(), says)
