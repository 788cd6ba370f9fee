"""Marks of people on quoted passages, once shown: how many read each for, against, or neither.

Marks are no ballots: they enter no count, and their authors are not named.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from debate_core.engine.passage_marks import open_passages, readings, shown_readings
from debate_core.engine.stage import present
from debate_core.record.state import State

MarkReading = Literal["supports", "against", "neutral", "skipped"]


@dataclass(frozen=True, slots=True)
class MarkRow:
    """One reading of one passage. `option` is empty if the reading names none."""

    claim_id: str
    reading: MarkReading
    option: str
    people: int
    """Number of people with this reading."""
    marked_by: int
    """Number of people who marked this passage without skipping it."""


def mark_rows(state: State) -> tuple[MarkRow, ...]:
    """Shown readings by passage in schedule order, then by option as agreed; skipped ones last."""
    numbers = state.claim_numbers()
    shown = shown_readings(state)
    order: list[tuple[MarkReading, str]] = [("supports", option) for option in state.spec.options]
    order += [("against", option) for option in state.spec.options]
    order += [("neutral", ""), ("skipped", "")]
    rows = []
    for claim_id in sorted(shown, key=lambda i: numbers.get(i, 0)):
        marks = shown[claim_id].values()
        given = Counter((mark.reading, mark.option or "") for mark in marks)
        marked_by = sum(mark.reading != "skipped" for mark in marks)
        for reading, option in order:
            if people := given[reading, option]:
                rows.append(MarkRow(claim_id, reading, option, people, marked_by))
    return tuple(rows)


def by_passage(rows: Iterable[MarkRow]) -> Mapping[str, tuple[MarkRow, ...]]:
    """Claim id -> its readings."""
    found: dict[str, tuple[MarkRow, ...]] = {}
    for row in rows:
        found[row.claim_id] = (*found.get(row.claim_id, ()), row)
    return found


def by_option(state: State, rows: Iterable[MarkRow]) -> Mapping[str, tuple[int, int]]:
    """Option -> marks for it and against it, over all passages."""
    sides = sides_of(rows)
    return {option: sides.get(option, (0, 0)) for option in state.spec.options}


def sides_of(rows: Iterable[MarkRow]) -> Mapping[str, tuple[int, int]]:
    """Option -> marks for it and against it, for marked options."""
    sides = dict[str, tuple[int, int]]()
    for row in rows:
        supports, against = sides.get(row.option, (0, 0))
        if row.reading == "supports":
            sides[row.option] = supports + row.people, against
        elif row.reading == "against":
            sides[row.option] = supports, against + row.people
    return sides


def most_marked(rows: Iterable[MarkRow]) -> MarkRow | None:
    """The most frequent reading of a passage; None for a tie."""
    said = sorted((row for row in rows if row.reading != "skipped"), key=lambda row: -row.people)
    if not said or (len(said) > 1 and said[0].people == said[1].people):
        return None
    return said[0]


@dataclass(frozen=True, slots=True)
class MarkingProgress:
    """Progress of the room with open passages. `done`: people who have marked every one."""

    passages: int
    done: int
    people: int


def marking_progress(state: State) -> MarkingProgress | None:
    """Progress of marking; None without an open passage, or without people with a vote."""
    passages = open_passages(state)
    asked = [person.id for person in present(state) if person.electorate is not None]
    if not passages or not asked or not state.spec.has_people:
        return None
    given = readings(state)
    done = sum(all(person in given.get(claim_id, {}) for claim_id in passages) for person in asked)
    return MarkingProgress(len(passages), done, len(asked))
