"""How a decision record calls people and seats: by name, or by role where names are to be left out.

Knows who took part, nothing of files.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from debate_core.engine.engine import ENGINE
from debate_core.engine.rights import HOST
from debate_core.engine.stage import known_as
from debate_core.record.acts import Signed
from debate_core.record.events import Event
from debate_core.record.state import State
from debate_core.spec.values import in_words

_CODE = frozenset({ENGINE, HOST, "runner"})
_SHORTEST = 3
"""Shorter parts of a name are words that stand everywhere."""


@dataclass(frozen=True, slots=True)
class Names:
    """Calls people and seats; `anonymous` by what they are."""

    people: Mapping[str, str]
    seats: Mapping[str, str]
    anonymous: bool
    swaps: re.Pattern[str] | None
    """Finds names and seat ids in texts."""
    words: Mapping[str, str]
    """What each found word becomes."""

    def person(self, actor: str) -> str:
        """Whoever the record calls so."""
        return self.people.get(actor) or self.seats.get(actor, actor)

    def seat(self, seat_id: str) -> str:
        """A seat."""
        return self.seats.get(seat_id, in_words(seat_id))

    def text(self, text: str) -> str:
        """Text of people, without names if they are to be left out; ids of claims go by the seats' other names."""
        if self.swaps is None:
            return text
        return self.swaps.sub(
            lambda m: self.words.get(m.group(), self.words.get(m.group().casefold(), "somebody")), text
        )


def names_of(state: State, events: Iterable[Event], *, anonymous: bool) -> Names:
    """Everybody who acted or was there."""
    people = {i: p.name for i, p in state.room.people.items()}
    seats = {s.id: in_words(s.id) for s in state.spec.seats}
    people |= {a: a for e in events if (a := e.actor) not in _CODE and a not in seats and a not in people}
    if not anonymous:
        return Names(people, seats, anonymous, None, {})
    aliases, letters = _roles(state, people), _letters(state)
    # Whoever was renamed goes by no earlier name either: the acts that renamed them tell both.
    named = [(p.name, aliases[i]) for i in state.room.people for p in known_as(state, i)]
    named += [(name, aliases[i]) for i, name in people.items()]
    words = _words(named) | {i: letters[i] for i in seats}
    humans = [s.id for s in state.spec.seats if s.occupant == "human" and s.id != s.role]
    return Names(aliases, letters, anonymous, _pattern((name for name, _ in named), seats, humans), words)


def _roles(state: State, people: Mapping[str, str]) -> dict[str, str]:
    """`approver`, `panel member 2`, `person 1`: numbered where several are the same."""
    kinds = {i: _kind(state, i) for i in people}
    many, found, numbers = Counter(kinds.values()), {}, Counter[str]()
    for actor, kind in kinds.items():
        numbers[kind] += 1
        found[actor] = f"{kind} {numbers[kind]}" if many[kind] > 1 or kind == "person" else kind
    return found


def _kind(state: State, actor: str) -> str:
    person = state.room.people.get(actor)
    if person is None:
        return "facilitator" if actor == "facilitator" else "person"
    if any(d.by == actor for d in state.room.of(Signed)):
        return "approver"  # whatever they have become since
    return f"{person.electorate} member" if person.role == "voter" and person.electorate else person.role


def _letters(state: State) -> dict[str, str]:
    """`debater-1`: what a seat is, numbered within its role; without a space, as it is a part of claim ids."""
    numbers, found = Counter[str](), {}
    for seat in state.spec.seats:
        numbers[seat.role] += 1
        found[seat.id] = f"{seat.role}-{numbers[seat.role]}"
    return found


def _parts(name: str) -> list[str]:
    parts = [p for p in re.split(r"\W+", name) if len(p) >= _SHORTEST and p[:1].isupper()]
    return parts if len(parts) > 1 else []


def _words(named: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Names and their parts -> what stands for them; of two who had one name, whoever has it now."""
    words, whole = dict[str, str](), dict[str, str]()
    for name, alias in named:
        words |= dict.fromkeys(_parts(name), alias)
        whole[name.casefold()] = alias
    return words | whole


def _pattern(names: Iterable[str], seats: Iterable[str], humans: Iterable[str]) -> re.Pattern[str]:
    """Whole names in any case, parts of names as written, seat ids in ids of claims and turns."""
    named = list(dict.fromkeys(n for n in names if n != "facilitator"))
    whole = "|".join(map(re.escape, sorted(named, key=len, reverse=True)))
    parts = "|".join(sorted({re.escape(p) for n in named for p in _parts(n)} | set(map(re.escape, humans))))
    ids = "|".join(map(re.escape, sorted(seats, key=len, reverse=True)))
    found = [rf"(?<!\w)(?i:{whole})(?!\w)"] if whole else []
    found += [rf"(?<!\w)(?:{parts})(?!\w)"] if parts else []
    found += [rf"(?<![\w-])(?:{ids})(?=\.\d+\.\d)", rf"(?<=[a-z0-9_]\.)(?:{ids})(?![\w-])"]
    return re.compile("|".join(found))
