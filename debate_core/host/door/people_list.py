"""A list of people as somebody pastes it, one person per line: who gets a personal link.

Lines or CSV, with commas, semicolons or tabs between the fields. Knows no store.
"""

import csv
import io
import re
from dataclasses import dataclass, replace
from typing import get_args

from debate_core.errors import InvalidSpec
from debate_core.host.door.invites import MAX_NAME_CHARS
from debate_core.names import is_same_name, looks_like, told_apart, visible_name
from debate_core.sentence import Sentence
from debate_core.spec.people import Electorate, RoomRole

MAX_LISTED_PEOPLE = 200
MAX_WEIGHT = 100
MAX_LINE_CHARS = 500
ROLES: tuple[RoomRole, ...] = get_args(RoomRole)
FIELDS = "name, role, weight, electorate"


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """One person of a list. A voter of a list has a mandate: the panel, unless the line says room."""

    name: str
    role: RoomRole = "voter"
    electorate: Electorate | None = "panel"
    weight: int = 1


def read_list(text: str, *, votes_in: Electorate = "panel") -> tuple[ListedPerson, ...]:
    """The people of a pasted list: `name, role, weight, electorate`, all but the name may be left out.

    `votes_in`: where a voter votes whose line does not say it.

    InvalidSpec has one sentence for each line that is wrong, joined by line ends; then nobody is taken.
    """
    people: list[ListedPerson] = []
    line_of: dict[str, int] = {}
    problems: list[Sentence] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or _is_heading(line):
            continue
        person = _person(line, votes_in)
        if isinstance(person, Sentence):
            problems.append(Sentence("line {number}: {fault}", number=number, fault=person))
            continue
        person = replace(person, name=told_apart(person.name, line_of, max_chars=MAX_NAME_CHARS))
        if other := looks_like(person.name, line_of):
            problems.append(_twice(person.name, number, other, line_of[other]))
        else:
            line_of[person.name] = number
            people.append(person)
    if not problems and not people:
        problems = [Sentence("the list is empty: write one person per line, for example `Ana Ruiz, judge`")]
    if len(people) > MAX_LISTED_PEOPLE:
        problems = [
            Sentence(
                "the list has {n} people: at most {most} are allowed",
                n=len(people),
                most=MAX_LISTED_PEOPLE,
            )
        ]
    if problems:
        raise InvalidSpec(Sentence.joined(problems, "\n"))
    return tuple(people)


def _twice(name: str, number: int, other: str, first: int) -> Sentence:
    if is_same_name(name, other):
        return Sentence(
            "line {number}: {name!r} is in line {first} too: give one of them another name",
            number=number,
            name=name,
            first=first,
        )
    return Sentence(
        "line {number}: {name!r} can be mistaken for {other!r} in line {first}: give one of them another name",
        number=number,
        name=name,
        other=other,
        first=first,
    )


def list_line(who: ListedPerson) -> str:
    """The line that `read_list` reads back as this person; tabs where commas would be taken for a part of the name."""
    cells = [who.name, who.role, str(who.weight)]
    if who.electorate:
        cells.append(who.electorate)
    if not re.search(r'[,;"]', who.name):
        return ", ".join(cells)
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="").writerow(cells)
    return text.getvalue()


def _cells(line: str) -> list[str]:
    separator = next((mark for mark in "\t;," if mark in line), ",")
    rows = csv.reader([line], delimiter=separator, skipinitialspace=True)
    return [visible_name(cell) for cell in next(rows, [])]


def _is_heading(line: str) -> bool:
    cells = [cell.lower() for cell in _cells(line[:MAX_LINE_CHARS])]
    return cells[:2] in (["name"], ["name", "role"], ["name", "weight"])


def _person(line: str, votes_in: Electorate) -> ListedPerson | Sentence:
    """One person, or what is wrong with the line."""
    if len(line) > MAX_LINE_CHARS:
        return Sentence(
            "it has {chars} characters: at most {most} are allowed",
            chars=len(line),
            most=MAX_LINE_CHARS,
        )
    cells = _cells(line)
    name, role, weight, electorate = (*cells, "", "", "", "")[:4]
    if problem := _name_problem(name):
        return problem
    if len(cells) > 4:
        return Sentence("{n} fields: a line has {fields}", n=len(cells), fields=FIELDS)
    role = role.lower() or "voter"
    usual_electorate = votes_in if role == "voter" else ""
    return _from_fields(name, role, weight or "1", electorate.lower() or usual_electorate)


def _name_problem(name: str) -> Sentence | None:
    if not name:
        return Sentence("a name is missing: a line has {fields}", fields=FIELDS)
    if len(name) > MAX_NAME_CHARS:
        return Sentence(
            "the name has {chars} characters: at most {most}",
            chars=len(name),
            most=MAX_NAME_CHARS,
        )
    return None


def _from_fields(name: str, role: str, weight: str, electorate: str) -> ListedPerson | Sentence:
    known = next((r for r in ROLES if r == role), None)
    if known is None:
        return Sentence("{role!r} is no role: write one of {roles}", role=role[:40], roles=", ".join(ROLES))
    is_short_number = weight.isdecimal() and len(weight) <= 3
    if not (is_short_number and 1 <= int(weight) <= MAX_WEIGHT):
        return Sentence(
            "the weight {weight!r} is no whole number from 1 to {most}", weight=weight[:40], most=MAX_WEIGHT
        )
    match electorate:
        case "panel" | "room":
            return ListedPerson(name, known, electorate, int(weight))
        case "":
            return ListedPerson(name, known, None, int(weight))
        case _:
            return Sentence(
                "{electorate!r} is no electorate: write panel or room, or leave it out", electorate=electorate[:40]
            )
