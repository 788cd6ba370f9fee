"""Other names for the fields of contents, as sources and models spell them: one table, applied before a reply is read.

Form only: a field that is known under no name stays as it is, and is refused where contents are validated. Knows no
debate.
"""

import re
from collections.abc import Mapping
from typing import Any

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
"""Content kind -> other name in snake case -> name (seeds 001, 002 and 004)."""
NO_REASON = "no reason was given"
"""What a directive says that came without one, and positions: seeds 001 and 002 have no field for it."""
_BANDS = {"medium": "MODERATE"}
_KEY_ARGUMENT = re.compile(r"key_arg(?:ument)?_(\w+)")


def own_name(gives: Gives, given: str) -> str:
    """The name of a field for any way to spell it; an unknown one in snake case."""
    plain = _snake(given)
    return _SPELT.get(gives, {}).get(plain, plain)


def spelt(gives: Gives, data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a reply under their own names, without those that are null; a name that is there twice stays."""
    found: dict[str, Any] = {}
    for given, value in _without_nulls(data).items():
        name = own_name(gives, given)
        found[given if name in found or (name != given and name in data) else name] = _plain_list(name, value)
    if "confidence" in found:
        found["confidence"] = _percent(found["confidence"])
    if "strength" in found:
        found["strength"] = _out_of(10, found["strength"])
    match gives:
        case "evaluation":
            return _evaluation(found)
        case "positions":
            return {"reason": NO_REASON, **found, **_positions(found)}
        case "directive":
            return {"reason": NO_REASON, **found}
        case "synthesis":
            return _with_key_arguments(found)
        case _:
            return _with_evidence(found) if gives in ARGUMENT_KINDS else found


_OF_LINES = frozenset({"claims", "strongest", "established", "contested", "resolved", "unresolved"})
"""Fields with a list of lines, each a text or an object."""
_OF_TEXTS = frozenset({"criteria", "key_sources", "uncertainties"})
_OF_IDS = frozenset({"answers", "concedes", "links"})
_ID = re.compile(r"[\w.-]*\d[\w.-]*")
"""What may be the id of a claim: `risk.2.3`; no word without a number is one."""


def _plain_list(name: str, value: Any) -> Any:
    """A list of one where a list was asked and one thing was given; ids in one text, one by one."""
    if name in _OF_LINES and isinstance(value, list):
        return [_with_plain_ids(line) for line in value]
    if name in _OF_LINES | _OF_TEXTS and isinstance(value, str):
        return [value] if value.strip() else []
    if name in _OF_LINES and isinstance(value, dict) and "text" in value:
        return [_with_plain_ids(value)]
    return _plain_ids(value) if name in _OF_IDS else value


def _with_plain_ids(line: Any) -> Any:
    if not isinstance(line, dict):
        return line
    return {name: _plain_ids(value) if name in _OF_IDS else value for name, value in line.items()}


def _plain_ids(value: Any) -> Any:
    """`risk.1.1, cost.2.1` as two ids; a text that is not made of ids stays what it is."""
    if not isinstance(value, str):
        return value
    ids = re.split(r"[\s,;]+", value.strip()) if value.strip() else []
    return ids if all(_ID.fullmatch(i) for i in ids) else value


_AMOUNT = re.compile(
    r"(?P<n>\d{1,15}(?:\.\d+)?)\s*(?:(?P<percent>%|percent\b|per cent\b)|(?:/|(?:out )?of)\s*(?P<of>\d{1,15}))?"
)
"""80, 0.8, 80%, 80 percent, 8/10, 8 of 10, 8 out of 10; a number that no float holds is none"""


def _out_of(most: int, value: Any) -> Any:
    """A number that was written as text, as one out of `most`; a text that is no number stays what it is."""
    said = _AMOUNT.fullmatch(value.strip().lower()) if isinstance(value, str) else None
    if said is None:
        return value
    number = float(said["n"])
    of = 100 if said["percent"] else int(said["of"] or 0)
    if of:
        return round(number * most / of)
    if said["of"]:  # of 0
        return value
    return number if "." in said["n"] else int(number)


def _percent(value: Any) -> Any:
    """How sure, of 100; a number between 0 and 1 with a decimal point is a share."""
    number = _out_of(100, value)
    return round(number * 100) if isinstance(number, float) and 0 < number <= 1 else number


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _without_nulls(data: Mapping[str, Any]) -> dict[str, Any]:
    """Null says of any field but a vote that it is empty; a vote of null is an abstention."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: plain(v) for k, v in value.items() if v is not None}
        return [plain(v) for v in value] if isinstance(value, list) else value

    return {k: plain(v) for k, v in data.items() if v is not None or k == "vote"}


def _evaluation(found: dict[str, Any]) -> dict[str, Any]:
    """Scores as a map from seat to score; the words of the bands in any case."""
    quality, band = found.get("quality"), found.get("confidence_level")
    if isinstance(quality, dict):
        found["quality"] = [{"seat": seat, "score": _out_of(10, score)} for seat, score in quality.items()]
    if isinstance(band, str):
        found["confidence_level"] = _BANDS.get(band.strip().casefold(), band.strip().upper())
    return found


def _positions(found: dict[str, Any]) -> dict[str, Any]:
    """Seed 002 calls what a position rests on its key evidence, and may list it."""
    given = found.get("positions")
    return {"positions": [_position(p) if isinstance(p, dict) else p for p in given]} if isinstance(given, list) else {}


def _position(given: dict[str, Any]) -> dict[str, Any]:
    named = {_snake(name): value for name, value in given.items()}
    if "because" in named or "key_evidence" not in named:
        return given
    cited = named.pop("key_evidence")
    listed = isinstance(cited, list) and all(isinstance(c, str) for c in cited)
    return {**named, "because": "; ".join(cited) if listed else cited}


def _with_key_arguments(found: dict[str, Any]) -> dict[str, Any]:
    """Seed 002 names the best argument of side A `key_argument_a`: the strongest one for "a"."""
    named = {k: m[1] for k, v in found.items() if (m := _KEY_ARGUMENT.fullmatch(k)) and isinstance(v, str)}
    if not named or "strongest" in found:
        return found
    strongest = [{"option": side, "text": found[k]} for k, side in named.items()]
    return {**{k: v for k, v in found.items() if k not in named}, "strongest": strongest}


def _with_evidence(found: dict[str, Any]) -> dict[str, Any]:
    """Seed 004 lists its evidence in words of its own: they are neither quotes nor ids, so they stay prose."""
    cited, rationale = found.get("evidence_cited"), found.get("rationale")
    if not isinstance(cited, list) or not isinstance(rationale, str) or not all(isinstance(c, str) for c in cited):
        return found
    found.pop("evidence_cited")
    return {**found, "rationale": "\n\n".join([rationale, f"Evidence: {'; '.join(cited)}"]) if cited else rationale}


BALLOT_FIELDS: Mapping[BallotKind, str] = {
    "one": "vote",
    "approval": "approvals",
    "ranking": "ranking",
    "score": "scores",
    "dots": "dots",
    "consent": "consent",
    "criteria": "scores",
}
"""What a reply calls its vote under each kind of ballot."""
CONSENT_WORDS = ("consent", "concern", "objection")
"""At the place of their points."""
_SAYS = {"agree": 0, "no objection": 0, "object": 2, "paramount objection": 2, "veto": 2}
_SAYS |= {word: points for points, word in enumerate(CONSENT_WORDS)}


def with_ballot(kind: BallotKind, found: dict[str, Any]) -> dict[str, Any]:
    """The vote of a reply as its ballot: `ranking: [a, [b, c]]`, `approvals: [a]`, `scores: {a: 5}` or a list.

    Under drivers `scores: {a: {cost: 4}}`.
    """
    field = BALLOT_FIELDS[kind]
    if kind == "one" or "ballot" in found or field not in found:
        return found
    return {**{k: v for k, v in found.items() if k != field}, "ballot": _given(kind, found[field])}


def _given(kind: BallotKind, value: Any) -> Any:
    match value:
        case dict() if kind == "criteria":
            return [g for option, says in value.items() for g in _under_drivers(option, says)]
        case dict():
            kept = {k: v for k, v in value.items() if v is not False} if kind == "approval" else value
            return [_of_option(kind, option, says) for option, says in kept.items()]
        case list() | tuple() if kind == "approval":
            return [{"option": o, "points": 1} if isinstance(o, str) else o for o in value]
        case list() | tuple() if kind == "ranking" and not any(isinstance(o, dict) for o in value):
            return [
                {"option": option, "points": place}
                for place, level in enumerate(value, start=1)
                for option in (level if isinstance(level, list | tuple) else [level])
            ]
        case list() | tuple():
            return [_of_option(kind, None, says) for says in value]
        case _:
            return value


def _under_drivers(option: Any, says: Any) -> list[Any]:
    """`{"adopt": {"cost": 4}}`; what is no map of drivers is refused where contents are validated."""
    if not isinstance(says, dict):
        return [{"option": option, "points": says}]
    return [{"option": option, "driver": driver, "points": points} for driver, points in says.items()]


def _of_option(kind: BallotKind, option: Any, says: Any) -> Any:
    """What is said of one option: points, a word of consent, or an object with a reason."""
    named = {} if option is None else {"option": option}
    if not isinstance(says, dict):
        points = _SAYS.get(says.strip().casefold(), says) if kind == "consent" and isinstance(says, str) else says
        return {**named, "points": 1 if kind == "approval" and says is True else points} if named else says
    plain = {**named, **says}
    for other in ("says", "score", "dots", "place", "rank"):
        if other in plain and "points" not in plain:
            plain["points"] = plain.pop(other)
    if kind == "consent" and isinstance(word := plain.get("points"), str):
        plain["points"] = _SAYS.get(word.strip().casefold(), word)
    return plain
