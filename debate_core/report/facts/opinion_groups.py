"""What everybody accepts: groups of people who read the passages alike, what all of them read in one, what divides.

A statement is one reading of one passage: whoever read it so agrees, whoever read it otherwise disagrees, and whoever
skipped it says nothing. Groups are numbered, and nobody's name or place in one leaves this module.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from debate_core.engine.passage_marks import shown_readings
from debate_core.record.acts import PassageMarked
from debate_core.record.state import State
from debate_core.report.facts.judge_statistics import wilson
from debate_core.report.facts.people_marks import MarkReading

LEAST_PEOPLE = 20
NEARLY_PEOPLE = 15
"""From here on it is said what is missing."""
LEAST_MARKS = 5
"""Of each person: with fewer they could stand anywhere."""
RoomMarks = Mapping[str, Mapping[str, PassageMarked]]
"""Claim id -> person id -> what they read in it; in the order in which claims are told."""
PassageReading = tuple[MarkReading, str]
"""With its option, empty where it speaks for none."""
Read = Mapping[str, PassageReading]
"""Of one person: claim id -> what they read in it."""


@dataclass(frozen=True, slots=True)
class GroupShare:
    """How many of those of a group who marked the passage read it so, with Wilson's interval of 95 % for the share."""

    agree: int
    marked_by: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """From 0 to 1; nobody of a group that marked nothing agrees."""
        return self.agree / self.marked_by if self.marked_by else 0.0


@dataclass(frozen=True, slots=True)
class GroupStatement:
    """One reading of a passage. `groups` is in the order of the groups.

    All accept it if each interval is above one half; it divides them if one is above and another one below.
    """

    claim_id: str
    reading: MarkReading
    option: str
    found: Literal["accepted", "divides"]
    groups: tuple[GroupShare, ...]


@dataclass(frozen=True, slots=True)
class OpinionGroups:
    """The groups by size, the largest first; none where the marks do not carry any."""

    people: int
    """How many marked enough passages to be in one."""
    sizes: tuple[int, ...] = ()
    silhouette: float | None = None
    """How well the groups are apart; 1 is the most."""
    statements: tuple[GroupStatement, ...] = ()
    """Those that all accept, the surest first; then those that divide, the widest first."""


def opinion_groups(state: State) -> OpinionGroups | None:
    """What the marks of the room say that everybody may read; None where they are not nearly enough."""
    numbers = state.claim_numbers()
    shown = shown_readings(state)
    return grouped({claim_id: shown[claim_id] for claim_id in sorted(shown, key=lambda i: numbers.get(i, 0))})


def grouped(given: RoomMarks) -> OpinionGroups | None:
    """The groups of people among these readings; None where they are not nearly enough."""
    by_person = _by_person(given)
    enough = {person: read for person, read in by_person.items() if len(read) >= LEAST_MARKS}
    if len(enough) < LEAST_PEOPLE:
        return OpinionGroups(len(enough)) if len(by_person) >= NEARLY_PEOPLE else None
    # numpy takes a twentieth of a second to load: most debates never need it.
    from debate_core.report.facts.clusters import clusters

    people, table = _table(enough, tuple(given))
    found = clusters(table)
    if found is None:
        return OpinionGroups(len(enough))
    members = _members(people, found.labels, enough)
    statements = _told_statements(enough, members, tuple(given))
    return OpinionGroups(len(enough), tuple(map(len, members)), found.silhouette, tuple(statements))


def _told_statements(
    read: Mapping[str, Read], members: Sequence[Sequence[Read]], claims: Sequence[str]
) -> list[GroupStatement]:
    """What all groups accept, and what divides them."""
    places = {claim_id: place for place, claim_id in enumerate(claims)}
    statements = []
    for statement in _statements(read):
        found = _found(statement, members)
        if found is not None:
            statements.append(found)
    statements.sort(key=lambda told: (*_rank(told), places[told.claim_id], told.reading, told.option))
    return statements


def _by_person(given: RoomMarks) -> Mapping[str, Read]:
    """Whoever marked at least one passage; what they skipped is left out."""
    found: dict[str, dict[str, PassageReading]] = {}
    for claim_id, marks in given.items():
        for person, mark in marks.items():
            if mark.reading != "skipped":
                found.setdefault(person, {})[claim_id] = (mark.reading, mark.option or "")
    return found


def _table(read: Mapping[str, Read], claims: Sequence[str]) -> tuple[tuple[str, ...], list[list[int]]]:
    """People, and for each of them a number for what they read in each passage; -1 where they say nothing."""
    readings = set[PassageReading]()
    marked_claims = set[str]()
    for one in read.values():
        readings.update(one.values())
        marked_claims.update(one)
    codes = {reading: code for code, reading in enumerate(sorted(readings))}
    marked = [claim_id for claim_id in claims if claim_id in marked_claims]
    table = []
    for one in read.values():
        table.append([codes[one[claim_id]] if claim_id in one else -1 for claim_id in marked])
    return tuple(read), table


def _members(people: Sequence[str], labels: Sequence[int], read: Mapping[str, Read]) -> list[list[Read]]:
    """What the people of each group read; groups of one size in the order of what they read, whoever is in them."""
    groups: dict[int, list[Read]] = {}
    for person, label in zip(people, labels, strict=True):
        groups.setdefault(label, []).append(read[person])
    return sorted(groups.values(), key=lambda group: (-len(group), sorted(sorted(one.items()) for one in group)))


def _statements(read: Mapping[str, Read]) -> Iterator[tuple[str, PassageReading]]:
    """Every reading that anybody gave of any passage, once."""
    yield from dict.fromkeys((claim_id, reading) for one in read.values() for claim_id, reading in one.items())


def _found(statement: tuple[str, PassageReading], members: Sequence[Sequence[Read]]) -> GroupStatement | None:
    """None for what is neither accepted by all groups nor divides them."""
    claim_id, reading = statement
    shares = tuple(_share(claim_id, reading, group) for group in members)
    accepted = [share.low > 0.5 for share in shares]
    if all(accepted):
        return GroupStatement(claim_id, *reading, "accepted", shares)
    rejected = [share.high < 0.5 for share in shares]
    if any(accepted) and any(rejected):
        return GroupStatement(claim_id, *reading, "divides", shares)
    return None


def _share(claim_id: str, reading: PassageReading, group: Sequence[Read]) -> GroupShare:
    said = [one[claim_id] for one in group if claim_id in one]
    agree = said.count(reading)
    return GroupShare(agree, len(said), *wilson(agree, len(said)))


def _rank(statement: GroupStatement) -> tuple[bool, float]:
    """The less, the earlier it is told."""
    if statement.found == "accepted":
        return False, -min(group.low for group in statement.groups)
    shares = [group.share for group in statement.groups]
    return True, min(shares) - max(shares)
