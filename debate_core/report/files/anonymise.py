"""Names of people, seats, claims and turns in a decision record; in an anonymous one, roles replace the names."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from debate_core.engine.rights import PROGRAMS
from debate_core.engine.stage import known_as
from debate_core.record.acts import Signed
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.phrases.names import claim_names, turn_name
from debate_core.spec.values import in_words

_CODE = frozenset(PROGRAMS)
_MIN_PART_CHARS = 3
"""Minimum length of a part of a name in characters; shorter parts are common words."""


@dataclass(frozen=True, slots=True)
class Names:
    """Names of people and seats; roles if `anonymous`."""

    people: Mapping[str, str]
    seats: Mapping[str, str]
    anonymous: bool
    swaps: re.Pattern[str] | None
    """Matches names and seat ids in texts."""
    words: Mapping[str, str]
    """Matched word -> replacement."""
    places: Mapping[str, str]
    """Ids of claims and turns -> names."""
    ids: re.Pattern[str] | None
    """Matches these ids in texts."""

    def person(self, actor: str) -> str:
        """Name of a person, or of a seat that acted."""
        return self.people.get(actor) or self.seats.get(actor, actor)

    def seat(self, seat_id: str) -> str:
        """Name of a seat."""
        return self.seats.get(seat_id, in_words(seat_id))

    def text(self, text: str) -> str:
        """Replace the ids of claims and turns in a text, and in an anonymous record the names."""
        if self.ids is not None:
            text = self.ids.sub(lambda match: self.places[match.group()], text)
        return text if self.swaps is None else self.swaps.sub(self._replacement, text)

    def _replacement(self, match: re.Match[str]) -> str:
        word = match.group()
        return self.words.get(word) or self.words.get(word.casefold(), "someone")


def names_of(account: Account, *, anonymous: bool) -> Names:
    """Names of all actors and people of a debate."""
    state = account.state
    seats = {seat.id: in_words(seat.id) for seat in state.spec.seats}
    people = _people(account)
    if not anonymous:
        places = _claim_and_turn_names(state, seats)
        return Names(people, seats, anonymous, None, {}, places, _id_pattern(places))
    aliases = _role_names(state, people)
    letters = _seat_aliases(state)
    places = _claim_and_turn_names(state, letters)
    # Acts that renamed a person contain both names.
    aliased = [(known.name, aliases[one]) for one in state.room.people for known in known_as(state, one)]
    aliased += [(name, aliases[actor]) for actor, name in people.items()]
    humans = [seat.id for seat in state.spec.seats if seat.occupant == "human" and seat.id != seat.role]
    swaps = _name_pattern((name for name, _ in aliased), seats, humans)
    return Names(aliases, letters, anonymous, swaps, _replacements(aliased) | letters, places, _id_pattern(places))


def _people(account: Account) -> dict[str, str]:
    """Actor -> name, for the people of the room and other actors except seats and the program."""
    spec = account.state.spec
    room = account.state.room
    people = {person_id: person.name for person_id, person in room.people.items()}
    known = _CODE | {seat.id for seat in spec.seats} | people.keys()
    return people | {event.actor: event.actor for event in account.events if event.actor not in known}


def _claim_and_turn_names(state: State, seats: Mapping[str, str]) -> dict[str, str]:
    """Id -> `claim 7` for a claim, `the reply of planner in round 2` for a turn."""
    names = claim_names(state)
    for turn in state.all_turns():
        name = turn_name(turn, seats[turn.seat])
        # With and without the number of the attempt.
        names |= {turn.request: name, turn.place(): name}
    return names


def _id_pattern(places: Iterable[str]) -> re.Pattern[str] | None:
    """Matches whole ids: `risk.2.3`, also at the end of a sentence, but not within `risk.2.31`."""
    ids = _alternatives(places)
    return re.compile(rf"(?<![\w.~])(?:{ids})(?![\w~]|\.\w)") if ids else None


def _role_names(state: State, people: Iterable[str]) -> dict[str, str]:
    """`approver`, `named person 2`, `person 1`: numbered if several have the same role."""
    kinds = {actor: _role_name(state, actor) for actor in people}
    sizes = Counter(kinds.values())
    numbers = Counter[str]()
    aliases = dict[str, str]()
    for actor, kind in kinds.items():
        numbers[kind] += 1
        is_numbered = sizes[kind] > 1 or kind == "person"
        aliases[actor] = f"{kind} {numbers[kind]}" if is_numbered else kind
    return aliases


def _role_name(state: State, actor: str) -> str:
    person = state.room.people.get(actor)
    if person is None:
        return "facilitator" if actor == "facilitator" else "person"
    if any(done.by == actor for done in state.room.of(Signed)):
        return "approver"  # even if the role has changed since
    if person.role != "voter" or person.electorate is None:
        return person.role
    return "named person" if person.electorate == "panel" else "room member"


def _seat_aliases(state: State) -> dict[str, str]:
    """`debater-1`: role and number of a seat; without a space, because claim ids contain it."""
    numbers = Counter[str]()
    letters = dict[str, str]()
    for seat in state.spec.seats:
        numbers[seat.role] += 1
        letters[seat.id] = f"{seat.role}-{numbers[seat.role]}"
    return letters


def _name_parts(name: str) -> list[str]:
    parts = [p for p in re.split(r"\W+", name) if len(p) >= _MIN_PART_CHARS and p[:1].isupper()]
    return parts if len(parts) > 1 else []


def _replacements(aliased: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Names and their parts -> alias; the later of two equal names wins."""
    parts = dict[str, str]()
    names = dict[str, str]()
    for name, alias in aliased:
        parts |= dict.fromkeys(_name_parts(name), alias)
        names[name.casefold()] = alias
    return parts | names


def _name_pattern(names: Iterable[str], seats: Iterable[str], humans: Iterable[str]) -> re.Pattern[str]:
    """Matches whole names in any case, parts of names as written, seat ids in ids of claims and turns."""
    named = list(dict.fromkeys(name for name in names if name != "facilitator"))
    parts = {part for name in named for part in _name_parts(name)} | set(humans)
    ids = _alternatives(seats)
    patterns = list[str]()
    if named:
        patterns.append(rf"(?<!\w)(?i:{_alternatives(named)})(?!\w)")
    if parts:
        patterns.append(rf"(?<!\w)(?:{_alternatives(sorted(parts))})(?!\w)")
    # In a claim `risk.2.3`, then in a turn `2.critique.risk` or an attempt at it.
    patterns += [rf"(?<![\w-])(?:{ids})(?=\.\d+\.\d)", rf"(?<=[a-z0-9_]\.)(?:{ids})(?![\w-])"]
    return re.compile("|".join(patterns))


def _alternatives(words: Iterable[str]) -> str:
    """A pattern for any of these words, the longest first."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
