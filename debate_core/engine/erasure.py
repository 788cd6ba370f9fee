"""Rewrite a record with one person's name replaced, rebuilding the hash chain.

Hashes do not allow a word to be removed, so the result is another record, which names its predecessor. Documents,
quotes from them, and ids are unchanged, except seat ids that a transcript made from the name. Knows no store.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from types import MappingProxyType
from typing import Any, NamedTuple

from debate_core.engine import audit, rights
from debate_core.engine.preparation import shown_texts
from debate_core.errors import BrokenRecord, InvalidSpec
from debate_core.names import is_same_name, name_key
from debate_core.record.acts import PersonChanged, PersonJoined, TextsShown
from debate_core.record.events import GENESIS, Body, DebateOpened, Event, Predecessor, canonical, make_event, read_body
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.spec.people import Person, SilentStep

NOBODY = "N.N."
"""Replacement for the name; a second one in the same record becomes `N.N. 2`."""
_DOCUMENTS = frozenset({"sources", "source", "quote", "quotes", "passages"})
"""Documents are unchanged, so that quotes from them can still be found."""
_IDS = frozenset(
    {
        *("id", "ids", "kind", "role", "request", "seat", "seats", "speakers", "person", "poll", "phase", "turn"),
        *("claim_id", "duplicate_of", "electorate", "occupant", "model", "models", "debate", "protocol"),
        *("tool", "origin"),
    }
)
_WITH_SEATS = frozenset({"id", "ids", "request", "seat", "seats", "speakers", "turn", "claim_id", "duplicate_of"})
_SEAT = re.compile(r"[a-z0-9_]+")
_CLAIM_ID = re.compile(r"[a-z0-9_-]+\.\d+\.\d+")
"""`risk.2.3`."""


@dataclass(frozen=True, slots=True)
class Erased:
    """A record without a name. `left` counts its occurrences in documents and ids, which stay."""

    events: tuple[Event, ...]
    left: int


class _Places(NamedTuple):
    name: re.Pattern[str]
    instead: str


@dataclass
class _Writer:
    """Rewrites each event. `links`: hash of an original event, or id of a debate -> that of its rewritten one.

    `seats`: id of a seat that was made from the name -> its new id.
    """

    places: _Places
    links: dict[str, str]
    seats: Mapping[str, str]
    left: int = 0

    def text(self, text: str) -> str:
        return self.places.name.sub(self.places.instead, text)

    def value(self, value: Any, key: str = "") -> Any:
        """JSON with the name replaced in every free text."""
        if isinstance(value, dict):
            return self._fields(value, key)
        if isinstance(value, list):
            return [self.value(one, key) for one in value]
        if not isinstance(value, str):
            return value
        if value in self.links:
            return self.links[value]
        if key in _WITH_SEATS or _CLAIM_ID.fullmatch(value):
            return self._kept(self.with_seats(value))
        return self._kept(value) if key in _DOCUMENTS | _IDS else self.text(value)

    def _fields(self, fields: dict[str, Any], key: str) -> dict[str, Any]:
        if key in _DOCUMENTS:
            self._kept(fields)
            return fields
        if key == "check" and "person" in fields:
            # The name of a person to ask, which is no id.
            return fields | {"person": self.text(fields["person"])}
        return {name: self.value(one, name) for name, one in fields.items()}

    def with_seats(self, text: str) -> str:
        """An id or key with the new ids of its seats."""
        return _SEAT.sub(lambda found: self.seats.get(found[0], found[0]), text) if self.seats else text

    def _kept(self, value: Any) -> Any:
        for text in _texts(value):
            self.left += len(self.places.name.findall(text))
        return value


def without_names(
    events: Sequence[Event],
    names: Iterable[str],
    *,
    debate_id: str,
    predecessor: Predecessor,
    others: Mapping[str, str] = MappingProxyType({}),
) -> Erased:
    """The debate under another id, without these names of a person. Raises InvalidSpec with a sentence.

    `others`: ids of linked debates that are rewritten, too -> their new ids.
    """
    instead = _instead(events)
    wordings = "|".join(re.escape(one) for one in sorted(names, key=len, reverse=True))
    places = _Places(re.compile(rf"(?<!\w)(?:{wordings})(?!\w)"), instead)
    writer = _Writer(places, dict(others), _seats_of_speakers(events, places))
    said = {field: writer.text(getattr(predecessor, field)) for field in ("by", "reason")}
    written = _written(events, writer, debate_id, predecessor.model_copy(update=said))
    findings = audit.verify(written)
    if findings:
        raise InvalidSpec(
            "the record would break its own rules without this name, so it stays unchanged: {finding}",
            finding=findings[0].message,
        )
    return Erased(written, writer.left)


def _written(events: Sequence[Event], writer: _Writer, debate_id: str, predecessor: Predecessor) -> tuple[Event, ...]:
    written: list[Event] = []
    # Facts are numbered in the order of their texts, which another word would change.
    texts = {step: shown_texts(replay(events), step) for step in _steps_shown(events)}
    for event in events:
        data = writer.value(event.body.model_dump(mode="json", exclude_none=True))
        if isinstance(event.body, DebateOpened):
            data["successor_of"] = predecessor.model_dump(mode="json")
        elif isinstance(event.body, TextsShown):
            data["texts"] = [writer.text(text) for text in texts[event.body.step]]
        head = written[-1].hash if written else GENESIS
        try:
            body = read_body(event.kind, canonical(data))
        except BrokenRecord as error:
            raise InvalidSpec(
                "event {seq} cannot be written without this name: {why}", seq=event.seq, why=error.sentence
            ) from None
        actor = writer.places.instead if writer.places.name.fullmatch(event.actor) else event.actor
        written.append(make_event(debate_id, event.seq, head, event.at, actor, writer.with_seats(event.key), body))
        writer.links[event.hash] = written[-1].hash
    return tuple(written)


def _seats_of_speakers(events: Sequence[Event], places: _Places) -> dict[str, str]:
    """Seat ids that the record of a transcript made from this name -> `nn_3`, by the place of the seat."""
    opened = events[0].body
    if not isinstance(opened, DebateOpened) or opened.spec.held_elsewhere is None:
        return {}
    spec = opened.spec
    named = {seat for one in spec.people() if places.name.fullmatch(one.name) for seat in one.seats}
    return {seat: f"nn_{n}" for n, seat in enumerate(spec.seat_ids(), start=1) if seat in named}


def _steps_shown(events: Sequence[Event]) -> list[SilentStep]:
    return [event.body.step for event in events if isinstance(event.body, TextsShown)]


def names_of(state: State, events: Iterable[Event], name: str) -> frozenset[str]:
    """Every name that this person ever had in a finished debate. Raises InvalidSpec if there is no such person."""
    if state.outcome is None:
        raise InvalidSpec("the debate is still running: a name can be removed when it is over")
    if not name_key(name):
        raise InvalidSpec("enter the name to remove")
    people = list(_names_of_people(state, events).values())
    if not people:
        raise InvalidSpec("this record contains no names of people")
    called_so = [names for names in people if any(is_same_name(one, name) for one in names)]
    if not called_so:
        there = ", ".join(sorted(frozenset().union(*people)))
        raise InvalidSpec(
            "no one in this debate is called {name!r}; its people are {people}",
            name=name.strip()[:80],
            people=there[:300],
        )
    return frozenset().union(*called_so)


def _names_of_people(state: State, events: Iterable[Event]) -> dict[str, set[str]]:
    """Id of each person -> all their names; for an actor without an id, the name alone."""
    names: dict[str, set[str]] = {}
    for event in events:
        for person in _people_in(event.body):
            names.setdefault(person.id, set()).add(person.name)
        if event.actor not in rights.PROGRAMS and not _is_id(state, event.actor):
            names.setdefault(event.actor, set()).add(event.actor)
    return names


def _people_in(body: Body) -> tuple[Person, ...]:
    match body:
        case DebateOpened():
            return body.spec.people()
        case PersonJoined() | PersonChanged():
            return (body.person,)
        case _:
            return ()


def _is_id(state: State, actor: str) -> bool:
    return actor in state.spec.seat_ids() or actor in state.room.people or actor.startswith("u-")


def _instead(events: Iterable[Event]) -> str:
    """`N.N.`, or its first numbered form that does not occur in this record."""
    texts = set[str]()
    for event in events:
        texts.add(event.actor)
        texts.update(_texts(event.body.model_dump(mode="json")))
    if NOBODY not in texts:
        return NOBODY
    return next(word for number in count(2) if (word := f"{NOBODY} {number}") not in texts)


def _texts(value: Any) -> Iterable[str]:
    """Every text in a JSON value, without field names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _texts(one)
