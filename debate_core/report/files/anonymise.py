"""How a decision record calls people, seats, claims and turns: by name, or people and seats by role.

Knows who took part, nothing of files.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from debate_core.engine.rights import PROGRAMS
from debate_core.engine.stage import known_as
from debate_core.record.acts import Signed
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.words.names import claim_names, turn_name
from debate_core.spec.values import in_words

_CODE = frozenset(PROGRAMS)
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
    places: Mapping[str, str]
    """Ids of claims and turns -> what people call them."""
    ids: re.Pattern[str] | None
    """Finds these ids in texts."""

    def person(self, actor: str) -> str:
        """Whoever the record calls so."""
        return self.people.get(actor) or self.seats.get(actor, actor)

    def seat(self, seat_id: str) -> str:
        """A seat."""
        return self.seats.get(seat_id, in_words(seat_id))

    def text(self, text: str) -> str:
        """Text of people without ids of claims and turns, and without names if they are to be left out."""
        if self.ids is not None:
            text = self.ids.sub(lambda match: self.places[match.group()], text)
        if self.swaps is None:
            return text
        return self.swaps.sub(lambda match: self._swapped(match.group()), text)

    def _swapped(self, word: str) -> str:
        return self.words.get(word) or self.words.get(word.casefold(), "somebody")


def names_of(account: Account, *, anonymous: bool) -> Names:
    """Everybody who acted or was there."""
    state = account.state
    seats = {seat.id: in_words(seat.id) for seat in state.spec.seats}
    people = _people(account)
    if not anonymous:
        places = _places(state, seats)
        return Names(people, seats, anonymous, None, {}, places, _ids(places))
    aliases = _roles(state, people)
    letters = _letters(state)
    places = _places(state, letters)
    aliased = _aliased(state, people, aliases)
    humans = [seat.id for seat in state.spec.seats if seat.occupant == "human" and seat.id != seat.role]
    swaps = _pattern((name for name, _ in aliased), seats, humans)
    return Names(aliases, letters, anonymous, swaps, _words(aliased) | letters, places, _ids(places))


def _people(account: Account) -> dict[str, str]:
    """Actor -> name: the people of the room, and whoever else acted and is neither a seat nor the program."""
    spec = account.state.spec
    room = account.state.room
    people = {person_id: person.name for person_id, person in room.people.items()}
    known = _CODE | {seat.id for seat in spec.seats} | people.keys()
    return people | {event.actor: event.actor for event in account.events if event.actor not in known}


def _aliased(state: State, people: Mapping[str, str], aliases: Mapping[str, str]) -> list[tuple[str, str]]:
    """Every name that somebody has or had, with what stands for it."""
    # Whoever was renamed goes by no earlier name either: the acts that renamed them tell both.
    earlier = [(known.name, aliases[one]) for one in state.room.people for known in known_as(state, one)]
    return earlier + [(name, aliases[actor]) for actor, name in people.items()]


def _places(state: State, seats: Mapping[str, str]) -> dict[str, str]:
    """`claim 7` for a claim, as on every screen, `the reply of planner in round 2` for a turn."""
    places = claim_names(state)
    for turn in state.all_turns():
        called = turn_name(turn, seats[turn.seat])
        # With and without the number of the attempt.
        places |= {turn.request: called, turn.place(): called}
    return places


def _ids(places: Iterable[str]) -> re.Pattern[str] | None:
    """Ids that stand by themselves: `risk.2.3`, also at the end of a sentence, and not in `risk.2.31`."""
    ids = _either(places)
    return re.compile(rf"(?<![\w.~])(?:{ids})(?![\w~]|\.\w)") if ids else None


def _roles(state: State, people: Iterable[str]) -> dict[str, str]:
    """`approver`, `panel member 2`, `person 1`: numbered where several are the same."""
    kinds = {actor: _kind(state, actor) for actor in people}
    sizes = Counter(kinds.values())
    numbers = Counter[str]()
    aliases = dict[str, str]()
    for actor, kind in kinds.items():
        numbers[kind] += 1
        is_numbered = sizes[kind] > 1 or kind == "person"
        aliases[actor] = f"{kind} {numbers[kind]}" if is_numbered else kind
    return aliases


def _kind(state: State, actor: str) -> str:
    person = state.room.people.get(actor)
    if actor == "facilitator" and person is None:
        return "facilitator"
    if person is None:
        return "person"
    if any(done.by == actor for done in state.room.of(Signed)):
        return "approver"  # whatever they have become since
    if person.role == "voter" and person.electorate:
        return f"{person.electorate} member"
    return person.role


def _letters(state: State) -> dict[str, str]:
    """`debater-1`: what a seat is, numbered within its role; without a space, as it is a part of claim ids."""
    numbers = Counter[str]()
    letters = dict[str, str]()
    for seat in state.spec.seats:
        numbers[seat.role] += 1
        letters[seat.id] = f"{seat.role}-{numbers[seat.role]}"
    return letters


def _parts(name: str) -> list[str]:
    parts = [p for p in re.split(r"\W+", name) if len(p) >= _SHORTEST and p[:1].isupper()]
    return parts if len(parts) > 1 else []


def _words(named: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Names and their parts -> what stands for them; of two who had one name, whoever has it now."""
    words = dict[str, str]()
    whole = dict[str, str]()
    for name, alias in named:
        words |= dict.fromkeys(_parts(name), alias)
        whole[name.casefold()] = alias
    return words | whole


def _pattern(names: Iterable[str], seats: Iterable[str], humans: Iterable[str]) -> re.Pattern[str]:
    """Whole names in any case, parts of names as written, seat ids in ids of claims and turns."""
    named = list(dict.fromkeys(name for name in names if name != "facilitator"))
    parts = {part for name in named for part in _parts(name)} | set(humans)
    ids = _either(seats)
    patterns = list[str]()
    if named:
        patterns.append(rf"(?<!\w)(?i:{_either(named)})(?!\w)")
    if parts:
        patterns.append(rf"(?<!\w)(?:{_either(sorted(parts))})(?!\w)")
    # In a claim `risk.2.3`, then in a turn `2.critique.risk` or an attempt at it.
    patterns += [rf"(?<![\w-])(?:{ids})(?=\.\d+\.\d)", rf"(?<=[a-z0-9_]\.)(?:{ids})(?![\w-])"]
    return re.compile("|".join(patterns))


def _either(words: Iterable[str]) -> str:
    """One of these words, the longest that fits."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
