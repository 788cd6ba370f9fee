"""The people of a draft and the room that is agreed, both ways: `room_from(room_draft(room, seats), seats) == room`.

On the page people are named in fields for their roles, in fields for seats and in a list; in a room each is one
person. Values only.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from debate_core.errors import InvalidSpec
from debate_core.host.door.invites import MAX_NAME_CHARS
from debate_core.host.door.people_list import ListedPerson, list_line, read_list
from debate_core.language import _
from debate_core.names import name_key, told_apart, visible_name
from debate_core.report.facts.terms import named
from debate_core.spec.people import Electorate, Person, Room, RoomRole
from debate_core.spec.protocol import read
from debate_core.spec.values import Seat
from debate_core.ui.setup.draft import HolderDraft, RoomDraft

SAME = RoomDraft.model_fields.keys() & Room.model_fields.keys()
"""What is agreed as it was typed."""


def room_from(draft: RoomDraft, seats: Sequence[Seat]) -> Room | None:
    """What is agreed on people; None if nobody but this screen takes part. InvalidSpec says what is missing."""
    if not draft.on:
        return None
    people = _people(draft, seats)
    electorates = {person.electorate for person in people}
    if draft.decides == "panel" and "panel" not in electorates:
        raise InvalidSpec(_("the panel decides, and nobody is in it: list its people, one per line"))
    if draft.decides == "room" and draft.joining == "named" and "room" not in electorates:
        raise InvalidSpec(
            _(
                "the room decides, only people on the list may vote, and nobody on it votes in the room: write "
                "lines like `Ana Ruiz, voter, 1, room`, or open the link to all"
            )
        )
    clock = draft.phase_minutes * 60 or None
    return read(Room, {**draft.model_dump(include={*SAME}), "people": people, "phase_seconds": clock})


def room_draft(room: Room, seats: Sequence[Seat]) -> RoomDraft:
    """The draft that `room_from` makes this room of, if set-up can make it; else the one that comes nearest."""
    by_role = _names_in_fields(room.people)
    holders = _holders(room.people, seats)
    in_fields = {holder.name for holder in holders}
    in_fields.update(*by_role.values())
    listed = [person for person in room.people if person.name not in in_fields or _has_vote_of_their_own(person)]
    seconds = room.phase_seconds or 0
    return RoomDraft(
        **{field: getattr(room, field) for field in SAME},
        on=True,
        name=", ".join(by_role["facilitator"]),
        judges=", ".join(by_role["judge"]),
        synthesiser=", ".join(by_role["synthesiser"]),
        approver=", ".join(by_role["approver"]),
        # A clock is never left out because it is set to less than a minute.
        phase_minutes=-(-seconds // 60),
        listed="\n".join(_line(person) for person in listed),
        holders=holders,
    )


def _holders(people: Sequence[Person], seats: Sequence[Seat]) -> tuple[HolderDraft, ...]:
    """Who speaks for each seat that is kept for a person."""
    of_people = [seat.id for seat in seats if seat.occupant == "human"]
    return tuple(
        HolderDraft(seat=seat, name=person.name) for seat in of_people for person in people if seat in person.seats
    )


def _has_vote_of_their_own(person: Person) -> bool:
    """True for what only the list can say of somebody: where they vote, and with which weight."""
    return person.electorate is not None or person.weight != 1


def _names_in_fields(people: Sequence[Person]) -> Mapping[RoomRole, list[str]]:
    """Names by role of those who have a field for their role: they are the first, in the order of the fields."""
    left = list(people)
    names: dict[RoomRole, list[str]] = {"facilitator": [], "judge": [], "synthesiser": [], "approver": []}
    for role, of_role in names.items():
        while left and left[0].role == role and names_in(left[0].name) == (left[0].name,):
            of_role.append(left.pop(0).name)
            if role == "facilitator":
                break
    return names


def _line(person: Person) -> str:
    """A voter without an electorate votes nowhere, which a list says as observer."""
    votes_nowhere = person.role == "voter" and person.electorate is None
    role: RoomRole = "observer" if votes_nowhere else person.role
    return list_line(ListedPerson(person.name, role, person.electorate, person.weight))


# --- people, put together from several fields


@dataclass(slots=True)
class _Entry:
    """One person while they are put together from several fields."""

    name: str
    role: RoomRole
    electorate: Electorate | None = None
    weight: int = 1
    seats: tuple[str, ...] = ()


class _Entries(dict[str, _Entry]):
    """Everybody so far, by the key of their name, in the order in which they were named."""

    def of(self, name: str, role: RoomRole) -> _Entry:
        """Whoever has this name; somebody new comes with this role."""
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
    return tuple(_person(n, entry) for n, entry in enumerate(entries.values(), start=1))


def _person(number: int, entry: _Entry) -> Person:
    fields = {"name": entry.name, "role": entry.role, "electorate": entry.electorate, "weight": entry.weight}
    return read(Person, {"id": f"p-{number}", **fields, "seats": entry.seats})


def names_in(text: str) -> tuple[str, ...]:
    """Names with commas, semicolons or line ends between them."""
    names = (visible_name(part) for part in re.split(r"[,;\n]", text))
    return tuple(name for name in names if name)


def _add_roles(draft: RoomDraft, entries: _Entries) -> None:
    """The facilitator, and whoever has a field for their role."""
    by_role: dict[RoomRole, tuple[str, ...]] = {
        "facilitator": (visible_name(draft.name),),
        "judge": names_in(draft.judges),
        "synthesiser": names_in(draft.synthesiser),
        "approver": names_in(draft.approver),
    }
    for role, names in by_role.items():
        for name in names:
            _refuse_two_roles(name, entries.of(name, role).role, role)


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
    """The role of somebody who comes to speak for this seat."""
    match seat.role:
        case "debater" | "synthesiser" | "moderator":
            return seat.role
        case _:
            return "moderator"


def _add_holders(draft: RoomDraft, seats: Sequence[Seat], entries: _Entries) -> None:
    """Whoever was written for a seat has it; an office without a name falls to its role, or to the facilitator."""
    facilitator = next(iter(entries.values()))
    for seat in seats:
        name = visible_name(draft.holder(seat.id))
        if seat.occupant != "human" or (not name and seat.role == "debater"):
            continue
        if name:
            holder = entries.of(name, holder_role(seat))
        else:
            holder = next((entry for entry in entries.values() if entry.role == seat.role), facilitator)
        holder.seats = (*holder.seats, seat.id)


def _add_list(draft: RoomDraft, entries: _Entries) -> None:
    """Somebody who is known already keeps their role, and votes as the list says."""
    if not draft.listed.strip():
        return
    try:
        listed = read_list(draft.listed, votes_in="room" if draft.decides == "room" else "panel")
    except InvalidSpec as error:
        raise InvalidSpec(_("the list of people: {error}", error=error)) from None
    for person in listed:
        entry = entries.of(person.name, person.role)
        if person.role != "voter":
            _refuse_two_roles(person.name, entry.role, person.role)
        entry.electorate = person.electorate
        entry.weight = person.weight
