"""Common ground: groups of people who read passages alike, readings that all groups share, and divisive ones.

A statement is one reading of one passage: people who gave it agree, people who gave another one disagree, a skipped
passage is a missing value. Groups are numbered; no person's name or group leaves this module.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from debate_core.engine.passage_marks import shown_readings
from debate_core.record.acts import PassageMarked
from debate_core.record.state import State
from debate_core.report.facts.judge_statistics import wilson
from debate_core.report.facts.people_marks import MarkReading

LEAST_PEOPLE = 20
NEARLY_PEOPLE = 15
"""From this number on the missing number of people is shown."""
LEAST_MARKS = 5
"""Minimum number of marks per person: with fewer the position is arbitrary."""
RoomMarks = Mapping[str, Mapping[str, PassageMarked]]
"""Claim id -> person id -> mark, in display order."""
PassageReading = tuple[MarkReading, str]
"""A reading with its option, or with an empty one."""
Read = Mapping[str, PassageReading]
"""Readings of one person, by claim id."""


@dataclass(frozen=True, slots=True)
class GroupShare:
    """Share of a group with this reading, among its people who marked the passage, with Wilson's 95 % interval."""

    agree: int
    marked_by: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share, 0 to 1; 0 if no one in the group marked the passage."""
        return self.agree / self.marked_by if self.marked_by else 0.0


@dataclass(frozen=True, slots=True)
class GroupStatement:
    """One reading of a passage, with its share in each group.

    It is accepted if each interval is above one half; it divides if one interval is above and another below.
    """

    claim_id: str
    reading: MarkReading
    option: str
    found: Literal["accepted", "divides"]
    groups: tuple[GroupShare, ...]


@dataclass(frozen=True, slots=True)
class OpinionGroups:
    """The groups by size, the largest first; none if the marks show no structure."""

    people: int
    """Number of people with enough marks."""
    sizes: tuple[int, ...] = ()
    silhouette: float | None = None
    """Separation of the groups; 1 is the most."""
    statements: tuple[GroupStatement, ...] = ()
    """Accepted ones, the surest first; then divisive ones, the widest first."""


def opinion_groups(state: State) -> OpinionGroups | None:
    """Groups among the shown marks of the room; None with far too few marks."""
    numbers = state.claim_numbers()
    shown = shown_readings(state)
    return grouped({claim_id: shown[claim_id] for claim_id in sorted(shown, key=lambda i: numbers.get(i, 0))})


def grouped(given: RoomMarks) -> OpinionGroups | None:
    """Groups among these readings; None with far too few people."""
    by_person = _by_person(given)
    enough = {person: read for person, read in by_person.items() if len(read) >= LEAST_MARKS}
    if len(enough) < LEAST_PEOPLE:
        return OpinionGroups(len(enough)) if len(by_person) >= NEARLY_PEOPLE else None
    # numpy takes 50 ms to load, and most debates do not need it.
    from debate_core.report.facts.clusters import clusters

    found = clusters(_code_readings(enough, tuple(given)))
    if found is None:
        return OpinionGroups(len(enough))
    groups: dict[int, list[Read]] = {}
    for read, label in zip(enough.values(), found.labels, strict=True):
        groups.setdefault(label, []).append(read)
    # Groups of equal size are ordered by their readings, so that the order does not depend on the people.
    members = sorted(groups.values(), key=lambda group: (-len(group), sorted(sorted(one.items()) for one in group)))
    statements = _find_statements(enough, members, tuple(given))
    return OpinionGroups(len(enough), tuple(map(len, members)), found.silhouette, tuple(statements))


def _find_statements(
    read: Mapping[str, Read], members: Sequence[Sequence[Read]], claims: Sequence[str]
) -> list[GroupStatement]:
    places = {claim_id: place for place, claim_id in enumerate(claims)}
    given = dict.fromkeys((claim_id, reading) for one in read.values() for claim_id, reading in one.items())
    statements = []
    for statement in given:
        found = _classify(statement, members)
        if found is not None:
            statements.append(found)
    statements.sort(key=lambda told: (*_rank(told), places[told.claim_id], told.reading, told.option))
    return statements


def _by_person(given: RoomMarks) -> Mapping[str, Read]:
    """Person -> readings, without skipped passages and people without marks."""
    found: dict[str, dict[str, PassageReading]] = {}
    for claim_id, marks in given.items():
        for person, mark in marks.items():
            if mark.reading != "skipped":
                found.setdefault(person, {})[claim_id] = (mark.reading, mark.option or "")
    return found


def _code_readings(read: Mapping[str, Read], claims: Sequence[str]) -> list[list[int]]:
    """Code the readings of each person by passage; -1 for a missing one."""
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
    return table


def _classify(statement: tuple[str, PassageReading], members: Sequence[Sequence[Read]]) -> GroupStatement | None:
    """Classify a statement; None if it is neither accepted nor divisive."""
    claim_id, reading = statement
    shares = []
    for group in members:
        readings = [one[claim_id] for one in group if claim_id in one]
        agree = readings.count(reading)
        shares.append(GroupShare(agree, len(readings), *wilson(agree, len(readings))))
    accepted = [share.low > 0.5 for share in shares]
    if all(accepted):
        return GroupStatement(claim_id, *reading, "accepted", tuple(shares))
    rejected = [share.high < 0.5 for share in shares]
    if any(accepted) and any(rejected):
        return GroupStatement(claim_id, *reading, "divides", tuple(shares))
    return None


def _rank(statement: GroupStatement) -> tuple[bool, float]:
    """Sort key: accepted statements first."""
    if statement.found == "accepted":
        return False, -min(group.low for group in statement.groups)
    shares = [group.share for group in statement.groups]
    return True, min(shares) - max(shares)
