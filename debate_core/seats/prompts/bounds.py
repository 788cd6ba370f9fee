"""Length limits of a reply, derived from the token limit of its line and put into its schema.

A small model continues a text or a list until it is cut off, and names ids that it never read; a server that enforces a
schema prevents both. Knows no server.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import filterfalse
from typing import Any, cast

from debate_core.engine.seat_view import View
from debate_core.seats.prompts.deliverable import DELIVERABLE
from debate_core.spec.contents import MAX_REASONS, PROSE_FIELDS, Gives
from debate_core.spec.values import Json

CHARS_PER_TOKEN = 3
"""Lower than for English, so that the limit also fits other languages."""
CHARS_PER_WORD = 7
"""Includes the blank and exceeds the average: prose within its word limit stays below this limit."""
MOST_PROSE_CHARS = 2_600
MOST_PROSE_WORDS: Mapping[Gives, int] = {
    "argument": 250,
    "critique": 250,
    "rebuttal": 250,
    "synthesis": 350,
    "verdict": 350,
    "evaluation": 300,
    "framing": 120,
    "positions": 80,
    "candidates": 80,
    "screening": 80,
    "directive": 80,
}
"""Word limits of prose; equal for all seats, because judges favour length."""
WORDS_AFTER_A_CUT = 100
MOST_LINE_CHARS = 400
LEAST_LINE_CHARS = 40
MOST_CLAIMS = 3
MOST_CANDIDATES = 6
MOST_WORDS_IN_LIST = 8
MOST_IDS = 60
"""Number of claim ids that can be named: the latest ones."""
NONE = "none"
"""Means no source or no claim: some servers refuse an empty text in an enum."""
_OF_OTHERS = ("answers", "concedes")
_OF_CLAIMS = (*_OF_OTHERS, "links")
"""Lists of claim ids."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Maximum lengths of one reply."""

    prose_chars: int
    line_chars: int
    """Limit of every other text: a claim, a quote, an item of a list."""
    claims: int
    """Limit for every other list of objects, too."""
    names_ids: bool = True
    """Limit ids to those that the seat has read; False if the schema must not change."""

    @property
    def prose_words(self) -> int:
        return max(10, self.prose_chars // CHARS_PER_WORD)


def word_limit(gives: Gives, bounds: Bounds | None, *, was_cut: bool) -> int:
    """The word limit of a prompt for the prose of its reply; 0 for a reply without prose."""
    most = MOST_PROSE_WORDS.get(gives, 0)
    if bounds is not None:
        return min(most, bounds.prose_words)
    return min(most, WORDS_AFTER_A_CUT) if was_cut else most


def bounds_of(max_tokens: int, *, was_cut: bool, names_ids: bool = True) -> Bounds:
    """Bounds for a token limit: two fifths for the prose, the rest for three claims with quotes; less after a cut."""
    chars = max_tokens * CHARS_PER_TOKEN
    prose = min(MOST_PROSE_CHARS, chars * 2 // 5)
    line = min(MOST_LINE_CHARS, max(LEAST_LINE_CHARS, chars * 2 // 25))
    if was_cut:
        return Bounds(prose // 2, line, 1, names_ids)
    return Bounds(prose, line, MOST_CLAIMS, names_ids)


def within(schema: Mapping[str, Json], view: View, bounds: Bounds) -> Mapping[str, Json]:
    """Apply the bounds to a schema, with the ids that this seat has read."""
    first = next(iter(cast(Mapping[str, Json], schema["properties"])))
    prose = first if first in PROSE_FIELDS else ""
    return _Bounding(view, bounds, prose).field("", schema)


class _Bounding:
    def __init__(self, view: View, bounds: Bounds, prose: str) -> None:
        self._view = view
        self._bounds = bounds
        self._prose = prose
        self._candidates = [c for turn in view.turns for c in getattr(turn.content, "candidates", ())]
        others = [turn for turn in view.turns if not turn.own]
        facts = [fact.id for fact in view.facts]
        self._claims = [*facts, *(claim.id for turn in view.turns for claim in turn.claims)][-MOST_IDS:]
        self._claims_of_others = [*facts, *(claim.id for turn in others for claim in turn.claims)][-MOST_IDS:]

    def field(self, name: str, node: Mapping[str, Any]) -> Mapping[str, Json]:
        if name == DELIVERABLE:
            # The author of the debate sets the bounds of a deliverable.
            return node
        match node["type"]:
            case "object":
                return {**node, "properties": {n: self.field(n, inner) for n, inner in node["properties"].items()}}
            case "array":
                return self._list(name, node)
            case "integer":
                return {**node, **self._range(name)}
            case "string":
                return node if "enum" in node else self._text(name, node)
            case _:
                return node

    def _list(self, name: str, node: Mapping[str, Any]) -> Mapping[str, Json]:
        if name in _OF_CLAIMS and self._bounds.names_ids:
            ids = self._claims_of_others if name in _OF_OTHERS else self._claims
            most = min(len(ids), MOST_WORDS_IN_LIST)
            return {**node, "items": _one_of(ids), "maxItems": max(1, most)}
        most = self._max_items(name, node["items"])
        return {**node, "items": self.field(name, node["items"]), "maxItems": most}

    def _text(self, name: str, node: Mapping[str, Any]) -> Mapping[str, Json]:
        if name == "source_id" and self._bounds.names_ids:
            return _one_of([source.id for source in self._view.sources])
        is_claim = name == "claim_id" or (name == "decided_by" and self._view.to_review)
        if is_claim and self._bounds.names_ids:
            return _one_of(self._view.to_review)
        most = self._bounds.prose_chars if name == self._prose else self._bounds.line_chars
        return {**node, "maxLength": most}

    def _range(self, name: str) -> Mapping[str, Json]:
        match name:
            case "score" | "strength":
                return {"minimum": 1, "maximum": 10}
            case "points":
                return {"minimum": 0, "maximum": self._view.dots or self._view.most_points}
            case _:
                return {"minimum": 0, "maximum": 100}

    def _max_items(self, name: str, item: Mapping[str, Any]) -> int:
        """Maximum length of a list: one item for each known thing that it is about."""
        match name:
            case "positions" | "quality":
                return max(1, len(self._view.speakers))
            case "candidates":
                return MOST_CANDIDATES
            case "struck":
                return max(1, len(self._candidates) - 2)
            case "reasons":
                return MAX_REASONS
            case "marks" | "supposed":
                return max(1, len(self._view.to_review))
            case "next_speakers":
                return max(1, len(self._view.speakers) * self._view.turns_of_one)
            case _:
                return self._max_items_of(item)

    def _max_items_of(self, item: Mapping[str, Any]) -> int:
        fields = item.get("properties", {})
        if "enum" in item:
            return len(item["enum"])
        if "driver" in fields:
            return len(self._view.options) * len(self._view.drivers)
        if "option" in fields:
            return len(self._view.options)
        return self._bounds.claims if fields else MOST_WORDS_IN_LIST


def _one_of(ids: Sequence[str]) -> Mapping[str, Json]:
    return {"type": "string", "enum": list(dict.fromkeys((*ids, NONE)))}


def without_none(reply: Any, view: View, name: str = "") -> Any:
    """Replace "none" for a source or a claim by nothing; a source of that name and a deliverable are kept."""
    if name == DELIVERABLE:
        return reply
    match reply:
        case dict():
            return {key: without_none(value, view, key) for key, value in reply.items()}
        case list():
            values = filterfalse(_is_none, reply) if name in _OF_CLAIMS else reply
            return [without_none(value, view, name) for value in values]
        case str() if name == "source_id":
            return _source_or_nothing(reply, view)
        case _:
            return reply


def _source_or_nothing(source_id: str, view: View) -> str:
    is_a_source = any(source.id == source_id for source in view.sources)
    return "" if _is_none(source_id) and not is_a_source else source_id


def _is_none(value: Any) -> bool:
    return isinstance(value, str) and value.strip().casefold() == NONE
