"""Automatic draft of a synthesis: it sorts the claims of a debate and links them; it adds none and names no option.

Established = conceded by another seat, or a passage that two seats quote and people marked, uncontested. Contested =
answered without a concession, or marked by people in different ways. Strongest = marked for the option, else the most
cited claim of a turn that votes for it.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from debate_core.engine.seat_view import View
from debate_core.engine.similarity import new_claims_of
from debate_core.record.ids import ClaimId
from debate_core.report.facts.claims import LinkMade, Reactions, links_made, reactions_to
from debate_core.spec.contents import Argument, Claim, Linked, Strongest, Synthesis
from debate_core.spec.decode import decode_json
from debate_core.spec.output_schema import mismatch
from debate_core.spec.values import MAX_TEXT_CHARS, Json
from debate_core.text import plural, spoken_list


@dataclass(frozen=True, slots=True)
class _Point:
    """A claim, or one passage that several claims quote."""

    claims: tuple[Claim, ...]
    reactions: tuple[Reactions, ...]
    """One for each claim."""
    readings: frozenset[tuple[str, str | None]]

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(c.id for c in self.claims)

    @property
    def text(self) -> str:
        return self.claims[0].text

    @property
    def contested(self) -> bool:
        return len(self.readings) > 1 or "contested" in self._statuses

    @property
    def established(self) -> bool:
        if self.contested:
            return False
        quoted_by = {ClaimId.parse(claim.id).seat for claim in self.claims}
        is_shared = len(quoted_by) > 1 and self.readings != frozenset()
        return is_shared or "established" in self._statuses

    @property
    def _statuses(self) -> set[str]:
        return {reactions.status() for reactions in self.reactions}

    @property
    def cited(self) -> int:
        return sum(len(found.attacks) + len(found.concessions) for found in self.reactions)


def draft_synthesis(view: View) -> Synthesis:
    points = _points(view)
    established = tuple(Linked(text=p.text, links=p.ids) for p in points if p.established)
    contested = tuple(Linked(text=p.text, links=p.ids) for p in points if p.contested)
    by_option = [_strongest(view, points, option) for option in view.options]
    strongest = tuple(claim for claim in by_option if claim is not None)
    n_open = len(points) - len(established) - len(contested)
    another = _brings_new_claims(view) if view.asks_another_round else None
    draft = Synthesis(
        answer=(
            f"Automatic draft, no recommendation: it only links claims. {_claims_sentence(view)} "
            f"Points: {len(established)} established, {len(contested)} contested, {n_open} open."
        ),
        strongest=strongest,
        established=established,
        contested=contested,
        recommend_another_round=another,
    )
    return _with_deliverable(draft, view) if view.output_schema else draft


def _brings_new_claims(view: View) -> bool:
    """True if a claim of this round restates no earlier one: only then can another round be expected to add some."""
    in_order = sorted(view.turns, key=lambda turn: turn.round)
    claims = ((turn.round, claim) for turn in in_order for claim in turn.claims)
    asked = " ".join((view.question, *view.options))
    return next(new_claims_of(claims, view.request.round, asked), None) is not None


def _claims_sentence(view: View) -> str:
    """`4 claims by 2 seats, 3 with a quote, 1 marked by people.`"""
    n_seats = len({ClaimId.parse(claim.id).seat for claim in view.claims.values()})
    n_quoting = sum(claim.quote is not None for claim in view.claims.values())
    claims = f"{plural(len(view.claims), 'claim')} by {plural(n_seats, 'seat')}"
    return f"{claims}, {n_quoting} with a quote, {len(view.marks)} marked by people."


def _with_deliverable(draft: Synthesis, view: View) -> Synthesis:
    """The draft with the fields of the deliverable that code knows; its answer names the fields that it cannot fill."""
    fields = decode_json(view.output_schema).get("properties", {})
    known = _known_fields(draft, view)
    filled = {name: known[name] for name, field in fields.items() if _takes(field, known.get(name))}
    empty = [name for name in fields if name not in filled]
    text = json.dumps(filled, ensure_ascii=False)
    if len(text) > MAX_TEXT_CHARS:
        text, empty = "{}", [*fields]
    answer = draft.answer
    if empty or mismatch(view.output_schema, text):
        what = spoken_list(empty) or "it"
        answer += f" The deliverable needs a person or a model: code cannot fill {what}."
    return draft.model_copy(update={"answer": answer[:MAX_TEXT_CHARS], "deliverable": text})


def _known_fields(draft: Synthesis, view: View) -> dict[str, Json]:
    return {
        "question": view.question,
        "options": list(view.options),
        "established": [point.text for point in draft.established],
        "contested": [point.text for point in draft.contested],
    }


def _takes(field: object, value: Json) -> bool:
    """True if a property of a schema is a text, or a list of texts, as the value is; False without a value."""
    if not isinstance(field, dict) or value is None:
        return False
    if isinstance(value, str):
        return field.get("type") == "string"
    return field.get("type") == "array" and field.get("items", {}) in ({}, {"type": "string"})


def _order(claim: Claim) -> tuple[int, str, int]:
    address = ClaimId.parse(claim.id)
    return address.round, address.seat, address.number


def _points(view: View) -> tuple[_Point, ...]:
    """The points of a view, in the order of rounds."""
    made: list[LinkMade] = []
    for turn in view.turns:
        # A view may hide the seat behind a stance, but not in the ids of its claims.
        speaker = ClaimId.parse(turn.claims[0].id).seat if turn.claims else turn.speaker
        made += links_made(speaker, "", turn.content)
    reactions = reactions_to(view.claims, made)
    points = []
    for claims in _by_quote(view.claims.values()):
        to_claims = tuple(reactions[claim.id] for claim in claims)
        points.append(_Point(tuple(claims), to_claims, _readings(view, claims)))
    return tuple(points)


def _by_quote(claims: Iterable[Claim]) -> Iterable[list[Claim]]:
    """Claims with the same quote together, in the order of rounds; one without a quote is alone."""
    groups: dict[tuple[str | None, str], list[Claim]] = {}
    for claim in sorted(claims, key=_order):
        key = (claim.source_id, claim.quote) if claim.quote else (None, claim.id)
        groups.setdefault(key, []).append(claim)
    return groups.values()


def _readings(view: View, claims: Sequence[Claim]) -> frozenset[tuple[str, str | None]]:
    marks = [view.marks[claim.id] for claim in claims if claim.id in view.marks]
    return frozenset((mark.reading, mark.option) for mark in marks if mark.reading != "neutral")


def _strongest(view: View, points: tuple[_Point, ...], option: str) -> Strongest | None:
    marked = [point for point in points if point.readings == {("supports", option)}]
    candidates = marked or _cited_for(view, points, option)
    if not candidates:
        return None
    # The first of those that are level.
    best = max(candidates, key=lambda point: point.cited + len(point.claims))
    return Strongest(option=option, text=best.text, links=best.ids)


def _cited_for(view: View, points: tuple[_Point, ...], option: str) -> list[_Point]:
    """The cited points of turns that vote for the option.

    A seat that switched to the option made its earlier claims for another one.
    """
    arguments = [turn.content for turn in view.turns if isinstance(turn.content, Argument)]
    arguments_for_it = [argument for argument in arguments if argument.vote == option]
    claims_for_it = {claim.id for argument in arguments_for_it for claim in argument.claims}
    return [point for point in points if point.cited and not claims_for_it.isdisjoint(point.ids)]
