"""Pseudonyms of seats for readers who must not know who speaks, and the way back to seat ids.

Claim and turn ids contain the id of their seat, so `claude.1.2` gives its author away. Such a reader gets a pseudonym
in place of the id:

    risk.1.2                   seat_a.1.2           a claim or turn id, alone or within a sentence
    "seat": "risk"             "seat": "seat_a"     a field that names a seat
    "as cost_hawk says"        "as seat_b says"     an id that is no ordinary word; a seat called `risk` keeps its
                                                    name in "the risk is small"

`shown` maps left to right for display. `real` maps back when a reply is read, so that records contain only ids. Text
copied from elsewhere, such as a quote or an option, is never changed.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from debate_core.spec.protocol import Spec

T = TypeVar("T")
_COPIED = frozenset({"kind", "vote", "option", "driver", "quote", "source_id", "key_sources", "stance"})
"""Fields with text that is copied, not written by the seat."""
MOST_KEPT = 2_000
"""Maximum number of cached contents."""
_NAMING = frozenset({"seat", "next_speakers"})
"""Fields whose entire text is a seat id."""


@dataclass(frozen=True)
class SeatNames:
    """Seat id -> name; without any names, values pass unchanged."""

    names: Mapping[str, str] = field(default_factory=dict)
    unmistakable: frozenset[str] = frozenset()
    """Ids that denote the seat in any text."""
    _shown_before: dict[int, tuple[object, object]] = field(default_factory=dict, repr=False, compare=False)
    """Cache of shown contents by identity, since every later turn sees all of them again."""

    def of(self, seat_id: str) -> str:
        """The name of this seat."""
        return self.names.get(seat_id, seat_id)

    def everywhere(self) -> "SeatNames":
        """A copy for the program's own sentences, in which an id always denotes its seat."""
        return SeatNames(self.names, frozenset(self.names))

    def shown(self, value: T) -> T:
        """A text, a content, or a list of them, with names in place of ids."""
        if not self.names:
            return value
        if not isinstance(value, BaseModel):
            return cast("T", self._each(value, self._shown))
        kept = self._shown_before.get(id(value))
        if kept is None or kept[0] is not value:
            if len(self._shown_before) >= MOST_KEPT:
                self._shown_before.clear()
            kept = (value, self._each(value, self._shown))
            self._shown_before[id(value)] = kept
        return cast("T", kept[1])

    def real(self, value: T) -> T:
        """A value with ids in place of names, keys of a reply included."""
        if not self.names:
            return value
        return cast("T", self._each(value, self._real))

    @cached_property
    def _ids(self) -> dict[str, str]:
        return {name.casefold(): seat_id for seat_id, name in self.names.items()}

    @cached_property
    def _of_any_case(self) -> dict[str, str]:
        return {seat_id.casefold(): name for seat_id, name in self.names.items()} | dict(self.names)

    @cached_property
    def _id_pattern(self) -> re.Pattern[str]:
        return _pattern(self.names, self.unmistakable)

    @cached_property
    def _name_pattern(self) -> re.Pattern[str]:
        return _pattern(self.names.values(), [self.names[i] for i in self.unmistakable if i in self.names])

    def _shown(self, text: str, field_name: str) -> str:
        if field_name in _NAMING:
            return self._name(text)
        return self._id_pattern.sub(lambda match: _with_seat(match, self._name), text)

    def _real(self, text: str, _field_name: str) -> str:
        alone = text.strip().casefold()
        if alone in self._ids:
            return self._ids[alone]
        return self._name_pattern.sub(lambda match: _with_seat(match, self._id), text)

    def _id(self, name: str) -> str:
        return self._ids[name.casefold()]

    def _name(self, seat_id: str) -> str:
        return self._of_any_case.get(seat_id) or self._of_any_case.get(seat_id.casefold(), seat_id)

    def _each(self, value: Any, change: Callable[[str, str], str], field_name: str = "") -> Any:
        """Change every text in the value that its seat wrote; returns the same object if nothing changes."""
        if field_name in _COPIED:
            return value
        match value:
            case str():
                return change(value, field_name)
            case BaseModel():
                return self._each_field(value, change)
            case dict():
                return {change(key, ""): self._each(item, change, key) for key, item in value.items()}
            case list() | tuple():
                return type(value)(self._each(item, change, field_name) for item in value)
            case _:
                return value

    def _each_field(self, value: BaseModel, change: Callable[[str, str], str]) -> BaseModel:
        changes = {}
        for name in type(value).model_fields:
            before = getattr(value, name)
            after = self._each(before, change, name)
            if after != before:
                changes[name] = after
        return value.model_copy(update=changes) if changes else value


BY_ID = SeatNames()
"""Every seat under its id."""


def _pattern(seats: Collection[str], unmistakable: Collection[str]) -> re.Pattern[str]:
    """A pattern for seats in turn ids (`2.critique.risk`), in claim ids (`risk.2.3`), and unmistakable ids anywhere.

    The last matched group is the seat.
    """
    seat = _one_of(seats)
    unmistakable_seat = _one_of(unmistakable)
    in_turn = rf"\d{{1,3}}\.[a-z][a-z0-9_]{{0,39}}\.({seat})(?![\w-])"
    in_claim = rf"({seat})(?=\.\d+\.\d)"
    return re.compile(rf"(?<![A-Za-z0-9_])(?:{in_turn}|{in_claim}|({unmistakable_seat})(?![\w-]))", re.IGNORECASE)


def _one_of(words: Collection[str]) -> str:
    """A pattern for any of these words, longest first; matches nothing without words."""
    longest_first = sorted(words, key=len, reverse=True)
    return "|".join(map(re.escape, longest_first)) or r"(?!)"


def _with_seat(match: re.Match[str], name: Callable[[str], str]) -> str:
    seat = match[match.lastindex or 0]
    return match[0].removesuffix(seat) + name(seat)


@lru_cache(maxsize=64)
def blind_names(spec: Spec) -> SeatNames:
    """`seat_a` for the first declared seat, and so on; the same names for every reader.

    An id counts as unmistakable if it has an underscore or is part of the name of a model or its maker, unless the
    question contains the same word.
    """
    names = {seat_id: f"seat_{_letter(place)}" for place, seat_id in enumerate(spec.seat_ids())}
    of_models = _words_of_models(spec)
    of_question = _words([spec.question, spec.context, *spec.options])
    unmistakable = set()
    for seat_id in names:
        word = seat_id.casefold()
        is_no_plain_word = "_" in seat_id or word in of_models
        if is_no_plain_word and word not in of_question:
            unmistakable.add(seat_id)
    return SeatNames(names, frozenset(unmistakable))


def _words_of_models(spec: Spec) -> set[str]:
    names: list[str | None] = []
    for line in spec.models:
        names += [line.model, line.family]
    for seat in spec.seats:
        names += [seat.model, seat.family]
    return _words(name for name in names if name)


def _letter(place: int) -> str:
    """a to z, then a2 to z2, and so on."""
    times, letter = divmod(place, 26)
    number = str(times + 1) if times else ""
    return f"{chr(ord('a') + letter)}{number}"


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in re.findall(r"\w+", text.casefold())}
