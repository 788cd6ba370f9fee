"""Reads a pasted list of people, one per line, who get personal links.

Lines, CSV with commas, semicolons or tabs between the fields, or a table of Markdown. Knows no store.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import get_args

from debate_core.errors import InvalidSpec
from debate_core.host.access.invites import MAX_NAME_CHARS
from debate_core.names import is_same_name, looks_like, told_apart, visible_name
from debate_core.sentence import Sentence
from debate_core.spec.people import Electorate, RoomRole

MAX_LISTED_PEOPLE = 200
MAX_WEIGHT = 100
MAX_LINE_CHARS = 500
ROLES: tuple[RoomRole, ...] = get_args(RoomRole)
_ROLE_NAMES = Sentence.joined([Sentence(role) for role in ROLES], ", ")
FIELDS = "name, role, weight, electorate"


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """One person of a list. Listed voters vote with the named people, unless the line says room."""

    name: str
    role: RoomRole = "voter"
    electorate: Electorate | None = "panel"
    weight: int = 1


@dataclass(frozen=True, slots=True)
class PersonRow:
    """One person of a list as texts, before they are validated."""

    name: str = ""
    role: str = "voter"
    weight: str = "1"
    electorate: str = ""
    """Empty: as usual for the role."""


def read_list(text: str, *, votes_in: Electorate = "panel") -> tuple[ListedPerson, ...]:
    """Read a pasted list: `name, role, weight, electorate`; all but the name may be omitted.

    The first line may name the columns, in any order. E-mail addresses are dropped, because everyone reads the names.
    `votes_in`: the electorate of voters whose line names none.

    InvalidSpec has one sentence per faulty line, joined by line ends; then the whole list is refused.
    """
    lines = read_lines(text, votes_in=votes_in)
    people = [read for _number, read in lines if isinstance(read, ListedPerson)]
    problems = [
        Sentence("line {number}: {fault}", number=number, fault=read)
        for number, read in lines
        if isinstance(read, Sentence)
    ]
    if len(people) > MAX_LISTED_PEOPLE:
        raise InvalidSpec("the list has {n} people: at most {most} are allowed", n=len(people), most=MAX_LISTED_PEOPLE)
    if problems:
        raise InvalidSpec(Sentence.joined(problems, "\n"))
    if not people:
        raise InvalidSpec("the list is empty: write one person per line, for example `Ana Ruiz, judge`")
    return tuple(people)


def read_lines(text: str, *, votes_in: Electorate = "panel") -> tuple[tuple[int, ListedPerson | Sentence], ...]:
    """Return the number of each line with its person, or with the fault in it; a first line of columns is left out."""
    found: list[tuple[int, ListedPerson | Sentence]] = []
    line_of: dict[str, int] = {}
    for number, line, columns in _split_people(text):
        person = _read_person(line, votes_in, columns)
        if isinstance(person, ListedPerson):
            person = replace(person, name=told_apart(person.name, line_of, max_chars=MAX_NAME_CHARS))
            if other := looks_like(person.name, line_of):
                found.append((number, _duplicate_fault(person.name, other, line_of[other])))
                continue
            line_of[person.name] = number
        found.append((number, person))
    return tuple(found)


def read_rows(text: str) -> tuple[PersonRow, ...]:
    """Split a list into the texts of each person, also of lines that `read_list` refuses."""
    return tuple(_read_row(line[:MAX_LINE_CHARS], columns) for _number, line, columns in _split_people(text))


def _read_row(line: str, columns: tuple[str, ...]) -> PersonRow:
    fields = _read_fields(line, columns)
    name, role, weight, *others = (*fields, "", "", "")[: max(3, len(fields))]
    role = role.lower() or "voter"
    if not name and (address := _IN_CELL.search(line)):
        name = address.group().strip("()[]")
    return PersonRow(name, _known_role(role) or role, weight or "1", ", ".join(filter(None, others)).lower())


def _duplicate_fault(name: str, other: str, first: int) -> Sentence:
    if is_same_name(name, other):
        return Sentence("{name!r} is in line {first} too: give one of them another name", name=name, first=first)
    return Sentence(
        "{name!r} can be mistaken for {other!r} in line {first}: give one of them another name",
        name=name,
        other=other,
        first=first,
    )


def list_line(who: ListedPerson, *, votes_in: Electorate = "panel") -> str:
    """Format a line that `read_list` reads back; with tabs if the name contains a comma, a semicolon or a quote.

    Without the values that it would have anyway: a plain voter is a name alone.
    """
    electorate = ""
    if who.electorate and (who.role != "voter" or who.electorate != votes_in):
        electorate = "named" if who.electorate == "panel" else who.electorate
    return row_line(PersonRow(who.name, who.role, str(who.weight), electorate))


def row_line(row: PersonRow) -> str:
    """Format a line that `read_rows` reads back, without the values that it would have anyway.

    An address is no name, and a role after it would be read as one: it is the whole line.
    """
    if _IN_CELL.fullmatch(row.name):
        return row.name
    cells = [row.name, row.role, row.weight, *filter(None, [row.electorate])]
    if not re.search(r'[,;"\t<>@|]', row.name) and _split_role(row.name) == [row.name]:
        for usual in ("1", "voter"):
            if cells[-1] == usual:
                cells.pop()
    if not re.search(r'[,;"]', "".join(cells)):
        return ", ".join(cells)
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="").writerow(cells)
    return text.getvalue()


_ADDRESS = r"(?:mailto:)?[^\s<>()\[\],;@]{1,64}@[^\s<>()\[\],;@]{1,190}\.[^\W\d_]{2,24}"
# "Ann Lee <ann@example.org>", "Lee, Ann <ann@example.org>, judge"
_MAILBOX = re.compile(rf"\s*(?P<name>[^<>@]*?)\s*<\s*{_ADDRESS}\s*>\s*[,;\t]?(?P<rest>.*)")
# "ann@example.org", "(ann@example.org)" within a cell
_IN_CELL = re.compile(rf"[(\[]?{_ADDRESS}[)\]]?")
# A role after a name: "Bo Ray: judge", "Bo Ray - judge", "Bo Ray (judge)"
_ROLE_BEHIND = re.compile(r"(?P<name>.*[^\s:])(?::\s| [-–—] | \()\s*(?P<role>[^\W\d_]+)\)?")
# Between two people on one line, as mail programs write them: "Ann Lee <ann@a.b>; Bo Ray <bo@a.b>"
_NEXT_MAILBOX = re.compile(rf"(?<=>)\s*[;,]\s*(?=[^<>]{{1,200}}<\s*{_ADDRESS})")
# Before a name: "- ", "2. ", "[x] " of a list, "To: " of a mail
_LIST_MARK = re.compile(
    r"\ufeff?[ ]*(?:(?:[-*+•–]|\d{1,3}[.)])[ \t]+)?(?:\[[ xX]\][ ]+)?(?:(?:To|Cc|Bcc|From|An|Von|Kopie):[ ]*)?",
    re.IGNORECASE,
)
# A spreadsheet's first line
_SEPARATOR_HINT = re.compile(r"sep=[,;|]?", re.IGNORECASE)
# "|---|:---:|" below the head of a Markdown table, and a row within bars
_RULE = re.compile(r"\s*+(?=.*\|)\|?(?:\s*+:?-+:?\s*+(?:\||$))+\s*")
_ROW = re.compile(r"\s*\|.*\|\s*")
_BAR = re.compile(r"(?<!\\)\|")
_COLUMNS = {
    "name": "name|full name|display name|person|nombre|nom|nome|naam",
    "first": "first name|given name|vorname",
    "last": "last name|family name|surname|nachname",
    "role": "role|rolle|rol|rôle|função|ruolo",
    "weight": "weight|gewicht|votes|stimmen|peso|poids",
    "electorate": "electorate|votes in|wählerschaft",
}
"""Column names in the first line of a table, separated by bars; other columns are skipped."""
_POSITIONS = ("name", "role", "weight", "electorate")
_GERMAN_ROLES: Mapping[str, RoomRole] = {
    "leitung": "facilitator",
    "moderation": "moderator",
    "debattierend": "debater",
    "jury": "judge",
    "synthese": "synthesiser",
    "freigabe": "approver",
    "stimmberechtigt": "voter",
    "zuschauend": "observer",
}
"""Roles by their German names on screens."""


def _split_lines(text: str) -> Iterator[tuple[int, str]]:
    """Number and text of each non-empty line; a line of several mailboxes is split."""
    lines = text.splitlines()
    is_table = any(map(_RULE.fullmatch, lines))
    for number, line in enumerate(lines, start=1):
        if _ROW.fullmatch(line) or (is_table and "|" in line):
            if not _RULE.fullmatch(line):
                yield number, _tabbed(line)
            continue
        listed = _LIST_MARK.sub("", line, count=1)
        for part in _NEXT_MAILBOX.split(listed) if ">" in listed else [listed]:
            if part.strip() and not _SEPARATOR_HINT.fullmatch(part.strip()):
                yield number, part


def _tabbed(row: str) -> str:
    """The cells of a Markdown row with tabs between them."""
    inner = row.strip().removeprefix("|").removesuffix("|")
    cells = [cell.strip().replace("\\|", "|").strip("*") for cell in _BAR.split(inner)]
    return row_line(PersonRow(*cells)) if len(cells) == 1 else "\t".join(cells)


def _split_people(text: str) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Number and text of each person's line, with the columns that the first line names."""
    columns: tuple[str, ...] = ()
    is_first = True
    for number, line in _split_lines(text):
        if is_first and (heading := _read_heading(line)):
            columns = heading
            continue
        is_first = False
        yield number, line, columns


def _split_cells(line: str) -> list[str]:
    separator = next((mark for mark in "\t;," if mark in line), ",")
    rows = csv.reader([line], delimiter=separator, skipinitialspace=True)
    return [visible_name(cell) for cell in next(rows, [])]


def _read_heading(line: str) -> tuple[str, ...]:
    """The field of each column, by the first line; "" for a skipped column, () without a heading."""
    words = [cell.lower() for cell in _split_cells(line[:MAX_LINE_CHARS])]
    columns = tuple(next((key for key, names in _COLUMNS.items() if word in names.split("|")), "") for word in words)
    return columns if {"name", "first", "last"}.intersection(columns) else ()


def _read_fields(line: str, columns: tuple[str, ...]) -> list[str]:
    """The cells of a line in the order name, role, weight, electorate, without addresses."""
    if mailbox := _MAILBOX.match(line):
        name = visible_name(mailbox["name"].strip("\"'"))
        rest = mailbox["rest"]
        return [name, *_split_cells(rest)] if rest.strip() else [name]
    cells = _split_cells(line)
    if columns and columns != _POSITIONS[: len(columns)]:
        return _reorder_cells(dict(zip(columns, cells, strict=False)))
    without_addresses = [visible_name(_IN_CELL.sub("", cell)) for cell in cells]
    fields = [bare for bare, cell in zip(without_addresses, cells, strict=True) if bare or not cell]
    return _split_role(fields[0]) if len(fields) == 1 else fields


def _split_role(cell: str) -> list[str]:
    """Name and role of a cell such as `Bo Ray: judge`; the cell alone without a known role."""
    found = _ROLE_BEHIND.fullmatch(cell)
    return [found["name"], found["role"]] if found and _known_role(found["role"].lower()) else [cell]


def _reorder_cells(by_column: Mapping[str, str]) -> list[str]:
    """The cells in the order name, role, weight, electorate; the name may consist of first and last name."""
    parts = (by_column.get("first"), by_column.get("last"))
    name = by_column.get("name") or " ".join(filter(None, parts))
    return [name, *(by_column.get(column, "") for column in _POSITIONS[1:])]


def _read_person(line: str, votes_in: Electorate, columns: tuple[str, ...]) -> ListedPerson | Sentence:
    """A person, or the fault in the line."""
    if len(line) > MAX_LINE_CHARS:
        return Sentence(
            "it has {chars} characters: at most {most} are allowed",
            chars=len(line),
            most=MAX_LINE_CHARS,
        )
    fields = _read_fields(line, columns)
    name, role, weight, electorate = (*fields, "", "", "", "")[:4]
    if fault := _name_fault(name, line):
        return fault
    if len(fields) > 4:
        return Sentence("{n} fields: a line has {fields}", n=len(fields), fields=FIELDS)
    role = role.lower() or "voter"
    usual_electorate = votes_in if _known_role(role) == "voter" else ""
    return _from_fields(name, role, weight or "1", electorate.lower() or usual_electorate)


def _name_fault(name: str, line: str) -> Sentence | None:
    if not name and _IN_CELL.search(line):
        return Sentence("an e-mail address is not a name: write the name that everyone will see")
    if not name:
        return Sentence("a name is missing: a line has {fields}", fields=FIELDS)
    if len(name) > MAX_NAME_CHARS:
        return Sentence("the name has {chars} characters: at most {most}", chars=len(name), most=MAX_NAME_CHARS)
    return None


def _known_role(role: str) -> RoomRole | None:
    return _GERMAN_ROLES.get(role) or next((known for known in ROLES if known == role), None)


def _from_fields(name: str, role: str, weight: str, electorate: str) -> ListedPerson | Sentence:
    known = _known_role(role)
    if known is None:
        return Sentence("{role!r} is no role: write one of {roles}", role=role[:40], roles=_ROLE_NAMES)
    is_short_number = weight.isdecimal() and len(weight) <= 3
    if not (is_short_number and 1 <= int(weight) <= MAX_WEIGHT):
        return Sentence(
            "the weight {weight!r} is no whole number from 1 to {most}", weight=weight[:40], most=MAX_WEIGHT
        )
    match electorate:
        case "panel" | "named":
            return ListedPerson(name, known, "panel", int(weight))
        case "room":
            return ListedPerson(name, known, "room", int(weight))
        case "":
            return ListedPerson(name, known, None, int(weight))
        case _:
            return Sentence(
                "{electorate!r} is no electorate: write named or room, or leave it out", electorate=electorate[:40]
            )
