"""What people made of each quoted passage, once it is shown: how many read it for, against, or neither.

No ballots: nothing here enters a count or names the author of a mark.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from debate_core.engine.passage_marks import open_passages, readings, shown_readings
from debate_core.engine.stage import present
from debate_core.record.state import State

MarkReading = Literal["supports", "against", "neutral", "skipped"]


@dataclass(frozen=True, slots=True)
class MarkRow:
    """One reading of one passage. `option` is empty where it speaks for none."""

    claim_id: str
    reading: MarkReading
    option: str
    people: int
    """How many read it so."""
    marked_by: int
    """How many said anything of this passage: those who skipped it are left out."""


def mark_rows(state: State) -> tuple[MarkRow, ...]:
    """By passage in schedule order, then by option as agreed; skipped ones last. Of what everybody may read alone."""
    numbers = state.claim_numbers()
    shown = shown_readings(state)
    return tuple(row for claim_id in sorted(shown, key=lambda i: numbers.get(i, 0)) for row in _rows(state, claim_id))


def _rows(state: State, claim_id: str) -> Iterator[MarkRow]:
    given = Counter((mark.reading, mark.option or "") for mark in shown_readings(state)[claim_id].values())
    marked_by = sum(number for (reading, _), number in given.items() if reading != "skipped")
    order: list[tuple[MarkReading, str]] = [("supports", option) for option in state.spec.options]
    order += [("against", option) for option in state.spec.options]
    order += [("neutral", ""), ("skipped", "")]
    for reading, option in order:
        if people := given[reading, option]:
            yield MarkRow(claim_id, reading, option, people, marked_by)


def by_passage(rows: Iterable[MarkRow]) -> Mapping[str, tuple[MarkRow, ...]]:
    """Claim id -> how it was marked."""
    found: dict[str, tuple[MarkRow, ...]] = {}
    for row in rows:
        found[row.claim_id] = (*found.get(row.claim_id, ()), row)
    return found


def by_option(state: State, rows: Iterable[MarkRow]) -> Mapping[str, tuple[int, int]]:
    """Option -> marks for it and against it, over all passages."""
    sides = sides_of(rows)
    return {option: sides.get(option, (0, 0)) for option in state.spec.options}


def sides_of(rows: Iterable[MarkRow]) -> Mapping[str, tuple[int, int]]:
    """Map each marked option to the marks for it and against it."""
    sides = dict[str, tuple[int, int]]()
    for row in rows:
        supports, against = sides.get(row.option, (0, 0))
        if row.reading == "supports":
            sides[row.option] = supports + row.people, against
        elif row.reading == "against":
            sides[row.option] = supports, against + row.people
    return sides


def most_marked(rows: Iterable[MarkRow]) -> MarkRow | None:
    """The reading of one passage that more people share than any other; None where several are level."""
    said = sorted((row for row in rows if row.reading != "skipped"), key=lambda row: -row.people)
    if not said or (len(said) > 1 and said[0].people == said[1].people):
        return None
    return said[0]


@dataclass(frozen=True, slots=True)
class MarkingProgress:
    """How far the room is with the passages that are open. `done` people have looked at each of them."""

    passages: int
    done: int
    people: int


def marking_progress(state: State) -> MarkingProgress | None:
    """None while there is no passage to be marked, or nobody who has a vote here."""
    passages = open_passages(state)
    asked = [person.id for person in present(state) if person.electorate is not None]
    if not passages or not asked or not state.spec.has_people:
        return None
    given = readings(state)
    done = sum(all(person in given.get(claim_id, {}) for claim_id in passages) for person in asked)
    return MarkingProgress(len(passages), done, len(asked))
