"""The mapping between the people of a draft and a room, both ways: `room_from(room_draft(room, seats), seats) == room`.

The page names people in fields for roles, in fields for seats and in a list; a room has one entry for each person.
Values only.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from debate_core.errors import InvalidSpec
from debate_core.host.access.invites import MAX_NAME_CHARS
from debate_core.host.access.people_list import (
    ROLES,
    ListedPerson,
    PersonRow,
    list_line,
    read_lines,
    read_list,
    read_rows,
    row_line,
)
from debate_core.language import _, said
from debate_core.names import name_key, told_apart, visible_name
from debate_core.report.facts.terms import named
from debate_core.sentence import Sentence
from debate_core.spec.people import Electorate, Person, Room, RoomRole
from debate_core.spec.protocol import read
from debate_core.spec.values import Seat
from debate_core.ui.setup.draft import Decides, HolderDraft, RoomDraft

SAME = RoomDraft.model_fields.keys() & Room.model_fields.keys()
"""Fields that draft and room have in common."""


def room_from(draft: RoomDraft, seats: Sequence[Seat]) -> Room | None:
    """Return the room of a draft, or None if only this screen takes part. Raise InvalidSpec if something is missing."""
    if not draft.on:
        return None
    people = _people(draft, seats)
    electorates = {person.electorate for person in people}
    if draft.decides == "panel" and "panel" not in electorates:
        raise InvalidSpec(_("the named people decide, and none are listed: add a voter to the list"))
    if draft.decides == "room" and draft.joining == "named" and "room" not in electorates:
        raise InvalidSpec(
            _(
                "the room decides, only listed people may vote, and no listed person votes in the room: add a voter to "
                "the list, or open the link to everyone"
            )
        )
    clock = draft.phase_minutes * 60 or None
    return read(Room, {**draft.model_dump(include={*SAME}), "people": people, "phase_seconds": clock})


def room_draft(room: Room, seats: Sequence[Seat]) -> RoomDraft:
    """Return the draft for a room, or the nearest one if set-up cannot produce this room."""
    by_role = _names_in_fields(room.people)
    holders = _holders(room.people, seats)
    in_fields = {holder.name for holder in holders}
    in_fields.update(*by_role.values())
    listed = []
    for person in room.people:
        # Only the list can give someone an electorate or a weight.
        if person.name not in in_fields or person.electorate is not None or person.weight != 1:
            listed.append(_format_person(person, usual_electorate(room.decides)))
    seconds = room.phase_seconds or 0
    return RoomDraft(
        **{field: getattr(room, field) for field in SAME},
        on=True,
        name=", ".join(by_role["facilitator"]),
        judges=", ".join(by_role["judge"]),
        synthesiser=", ".join(by_role["synthesiser"]),
        approver=", ".join(by_role["approver"]),
        # Rounded up: a clock of less than a minute is still a clock.
        phase_minutes=-(-seconds // 60),
        listed="\n".join(listed),
        holders=holders,
    )


def _holders(people: Sequence[Person], seats: Sequence[Seat]) -> tuple[HolderDraft, ...]:
    of_people = [seat.id for seat in seats if seat.occupant == "human"]
    return tuple(
        HolderDraft(seat=seat, name=person.name) for seat in of_people for person in people if seat in person.seats
    )


def _names_in_fields(people: Sequence[Person]) -> Mapping[RoomRole, list[str]]:
    """Return the names in the fields for roles. These people come first in a room, in the order of the fields."""
    left = list(people)
    names: dict[RoomRole, list[str]] = {"facilitator": [], "judge": [], "synthesiser": [], "approver": []}
    for role, of_role in names.items():
        while left and left[0].role == role and names_in(left[0].name) == (left[0].name,):
            of_role.append(left.pop(0).name)
            if role == "facilitator":
                break
    return names


def usual_electorate(decides: Decides) -> Electorate:
    """Return where a listed voter votes by default."""
    return "room" if decides == "room" else "panel"


def _format_person(person: Person, votes_in: Electorate) -> str:
    """Write a person as a line of the list, where a voter without an electorate is an observer."""
    votes_nowhere = person.role == "voter" and person.electorate is None
    role: RoomRole = "observer" if votes_nowhere else person.role
    return list_line(ListedPerson(person.name, role, person.electorate, person.weight), votes_in=votes_in)


@dataclass(slots=True)
class _Entry:
    """One person, while the fields are being merged."""

    name: str
    role: RoomRole
    electorate: Electorate | None = None
    weight: int = 1
    seats: tuple[str, ...] = ()


class _Entries(dict[str, _Entry]):
    """Entries by the key of their name, in the order of the fields."""

    def find_or_add(self, name: str, role: RoomRole) -> _Entry:
        """Return the entry of this name, or add one with this role."""
        key = name_key(name)
        if key not in self:
            others = [entry.name for entry in self.values()]
            self[key] = _Entry(told_apart(name, others, max_chars=MAX_NAME_CHARS), role)
        return self[key]


def _people(draft: RoomDraft, seats: Sequence[Seat]) -> tuple[Person, ...]:
    if not visible_name(draft.name):
        raise InvalidSpec(_("your name is missing: the record says who facilitated"))
    entries = _Entries()
    _add_roles(draft, entries)
    _add_holders(draft, seats, entries)
    _add_list(draft, entries)
    return tuple(read(Person, {"id": f"p-{n}", **asdict(entry)}) for n, entry in enumerate(entries.values(), start=1))


def names_in(text: str) -> tuple[str, ...]:
    """Split a text into names, at commas, semicolons or line ends."""
    names = (visible_name(part) for part in re.split(r"[,;\n]", text))
    return tuple(name for name in names if name)


def with_one_list(room: RoomDraft) -> RoomDraft:
    """Return the room with the judges and approvers of an earlier debate as rows of the list of people."""
    rows = {name_key(row.name): row for row in read_rows(room.listed)}
    votes_in = {"panel": "named"}.get(usual := usual_electorate(room.decides), usual)
    for role, names in (("judge", room.judges), ("approver", room.approver)):
        for name in names_in(names):
            row = rows.get(name_key(name), PersonRow(name, role))
            electorate = row.electorate or (votes_in if row.role == "voter" else "")
            rows[name_key(name)] = replace(row, role=role, electorate=electorate)
    return room.replace(judges="", approver="", listed="\n".join(map(row_line, rows.values())))


def listed_people(room: RoomDraft) -> Iterator[ListedPerson]:
    """Yield the people of the lines that can be read."""
    for _number, line in read_lines(room.listed, votes_in=usual_electorate(room.decides)):
        if isinstance(line, ListedPerson):
            yield line


def approvers(room: RoomDraft) -> tuple[str, ...]:
    """Return the names of those who sign, from their field and from the list."""
    return (*names_in(room.approver), *(one.name for one in listed_people(room) if one.role == "approver"))


def _add_roles(draft: RoomDraft, entries: _Entries) -> None:
    by_role: dict[RoomRole, tuple[str, ...]] = {
        "facilitator": (visible_name(draft.name),),
        "judge": names_in(draft.judges),
        "synthesiser": names_in(draft.synthesiser),
        "approver": names_in(draft.approver),
    }
    for role, names in by_role.items():
        for name in names:
            _refuse_two_roles(name, entries.find_or_add(name, role).role, role)


def _refuse_two_roles(name: str, known: RoomRole, role: RoomRole) -> None:
    if known != role:
        raise InvalidSpec(
            _(
                "{name} is named as {known} and as {role}: one person has one role",
                name=name,
                known=named(known),
                role=named(role),
            )
        )


def holder_role(seat: Seat) -> RoomRole:
    """Return the role of a person who joins to speak for this seat."""
    match seat.role:
        case "debater" | "synthesiser" | "moderator":
            return seat.role
        case _:
            return "moderator"


def _add_holders(draft: RoomDraft, seats: Sequence[Seat], entries: _Entries) -> None:
    """Assign seats to the named people; a support role without a name goes to its role, else to the facilitator."""
    facilitator = next(iter(entries.values()))
    for seat in seats:
        name = visible_name(draft.holder(seat.id))
        if seat.occupant != "human" or (not name and seat.role == "debater"):
            continue
        if name:
            holder = entries.find_or_add(name, holder_role(seat))
        else:
            holder = next((entry for entry in entries.values() if entry.role == seat.role), facilitator)
        holder.seats = (*holder.seats, seat.id)


def list_fault(draft: RoomDraft) -> str:
    """Return why the list of people cannot be read; empty if it can."""
    try:
        _read_list(draft)
    except InvalidSpec as error:
        return said(error)
    return ""


def row_faults(listed: str) -> Mapping[int, str]:
    """Return the person and the cure for each row that cannot be read, by its line in the list."""
    rows = zip(read_rows(listed), read_lines(listed), strict=True)
    return {
        number: _("{name}: {fault}", name=row.name[:MAX_NAME_CHARS], fault=_cure(row, read))
        for row, (number, read) in rows
        if isinstance(read, Sentence)
    }


def _cure(row: PersonRow, fault: Sentence) -> str:
    return said(fault) if row.role in ROLES else _("“{role}” is no role, choose one", role=row.role)


def _read_list(draft: RoomDraft) -> Sequence[ListedPerson]:
    if not draft.listed.strip():
        return ()
    if faults := row_faults(draft.listed):
        raise InvalidSpec("; ".join(faults.values()))
    try:
        return read_list(draft.listed, votes_in=usual_electorate(draft.decides))
    except InvalidSpec as error:
        raise InvalidSpec(_("the list of people: {error}", error=error)) from None


def _add_list(draft: RoomDraft, entries: _Entries) -> None:
    """Add the listed people. A person with another role keeps it, and votes as the list says."""
    for person in _read_list(draft):
        entry = entries.find_or_add(person.name, person.role)
        if person.role != "voter":
            _refuse_two_roles(person.name, entry.role, person.role)
        entry.electorate = person.electorate
        entry.weight = person.weight
