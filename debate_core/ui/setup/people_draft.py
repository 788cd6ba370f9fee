"""People in a debate that is being set up: what was typed, the workshop formats, and the Room that it becomes.

Values only: knows neither widgets nor the host.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from debate_core.errors import InvalidSpec
from debate_core.host.door.invites import clean_name
from debate_core.host.door.people_list import ListedPerson, list_line, read_list
from debate_core.spec.people import Electorate, Person, Room, RoomRole
from debate_core.spec.protocol import read
from debate_core.spec.rules import CountedRule, Plurality
from debate_core.spec.values import Seat, Value

Decides = Literal["debaters", "panel", "room"]
DECIDES: dict[Decides, str] = {
    "debaters": "The seats that debate: their ballots are counted by the rules above. All votes of people are advice.",
    "panel": "People with a mandate, listed by name below: their final vote decides. The audience gives advice.",
    "room": "Everybody who joins as a voter: the final vote of the room decides.",
}


class HolderDraft(Value):
    """Who speaks for a seat that is kept for a person."""

    seat: str
    name: str = ""


class RoomDraft(Value):
    """What the set-up page holds on people. `on` False: whoever sits at the screen does everything."""

    on: bool = False
    name: str = ""
    """Of whoever sets this up: the facilitator."""
    decides: Decides = "debaters"
    vote: Annotated[CountedRule, Field(discriminator="kind")] = Plurality()
    pre_vote: Literal["none", "shown_at_close", "shown_at_end"] = "shown_at_end"
    final_vote: Literal["none", "asked"] = "asked"
    blind: Literal["blind", "named"] = "blind"
    afterwards: Literal["stepped", "timed"] = "stepped"
    hold: Literal["none", "round"] = "round"
    phase_minutes: int = 0
    """0 = no clock."""
    max_chars: int = 1_000
    joining: Literal["open", "named"] = "open"
    listed: str = ""
    """One person per line."""
    judges: str = ""
    """Names with commas between them."""
    synthesiser: str = ""
    approver: str = ""
    holders: tuple[HolderDraft, ...] = ()

    def holder(self, seat: str) -> str:
        """The name written for a seat."""
        return next((h.name for h in self.holders if h.seat == seat), "")

    def with_holder(self, seat: str, name: str) -> "RoomDraft":
        """The same with this name for a seat."""
        others = tuple(h for h in self.holders if h.seat != seat)
        return self.model_copy(update={"holders": (*others, HolderDraft(seat=seat, name=name)) if name else others})


SAME = RoomDraft.model_fields.keys() & Room.model_fields.keys()
"""What is agreed as it was typed."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """A format that fills in rounds, clock and votes."""

    minutes: int
    rounds: int
    phase_minutes: int
    max_chars: int
    plan: str


WORKSHOPS = (
    Workshop(25, 2, 2, 750, "One round and a rebuttal, no reading before."),
    Workshop(60, 2, 4, 1_000, "A brief to read, two rounds, judges, a synthesis, a signature."),
    Workshop(90, 3, 5, 1_000, "Three rounds; collect the options together before the start."),
)


def room_of(draft: RoomDraft, seats: Sequence[Seat]) -> Room | None:
    """What is agreed on people; None if nobody but this screen takes part. InvalidSpec says what is missing."""
    if not draft.on:
        return None
    people = _people(draft, seats)
    if draft.decides == "panel" and not any(p.electorate == "panel" for p in people):
        raise InvalidSpec("the panel decides, and nobody is in it: list its people, one per line")
    if draft.decides == "room" and draft.joining == "named" and not any(p.electorate == "room" for p in people):
        raise InvalidSpec(
            "the room decides, only people on the list may vote, and nobody on it votes in the room: "
            "write lines like `Ana Ruiz, voter, 1, room`, or open the link to all"
        )
    clock = draft.phase_minutes * 60 or None
    return read(Room, {**draft.model_dump(include={*SAME}), "people": people, "phase_seconds": clock})


def room_draft(agreed: Room, seats: Sequence[Seat]) -> RoomDraft:
    """The draft that `room_of` makes this room of, if set-up can make it; else the one that comes nearest."""
    same = {field: getattr(agreed, field) for field in SAME}
    fields = _in_fields(agreed.people)
    holders = [
        HolderDraft(seat=seat.id, name=next(p.name for p in agreed.people if seat.id in p.seats))
        for seat in seats
        if seat.occupant == "human" and any(seat.id in p.seats for p in agreed.people)
    ]
    known = {name for names in fields.values() for name in names} | {h.name for h in holders}
    listed = [p for p in agreed.people if p.name not in known or p.electorate or p.weight != 1]
    return RoomDraft(
        **same,
        on=True,
        name=", ".join(fields["facilitator"]),
        judges=", ".join(fields["judge"]),
        synthesiser=", ".join(fields["synthesiser"]),
        approver=", ".join(fields["approver"]),
        # A clock is never left out because it is set to less than a minute.
        phase_minutes=-(-(agreed.phase_seconds or 0) // 60),
        listed="\n".join(map(_line, listed)),
        holders=tuple(holders),
    )


def _in_fields(people: Sequence[Person]) -> Mapping[RoomRole, list[str]]:
    """Names by role of those who have a field for their role: they are the first, in the order of the fields."""
    left = list(people)
    names: dict[RoomRole, list[str]] = {"facilitator": [], "judge": [], "synthesiser": [], "approver": []}
    for role, those in names.items():
        while left and left[0].role == role and names_in(left[0].name) == (left[0].name,):
            those.append(left.pop(0).name)
            if role == "facilitator":
                break
    return names


def _line(who: Person) -> str:
    """A voter without an electorate votes nowhere, which a list says as observer."""
    role: RoomRole = "observer" if who.role == "voter" and who.electorate is None else who.role
    return list_line(ListedPerson(who.name, role, who.electorate, who.weight))


@dataclass(slots=True)
class _Guest:
    """One person while they are put together from several fields."""

    name: str
    role: RoomRole
    electorate: Electorate | None = None
    weight: int = 1
    seats: tuple[str, ...] = ()


def _people(draft: RoomDraft, seats: Sequence[Seat]) -> tuple[Person, ...]:
    if not clean_name(draft.name):
        raise InvalidSpec("your name is missing: the record says who facilitated")
    guests = _with_roles(draft)
    _seat_people(draft, seats, guests)
    for named in _listed(draft):
        _add_listed(named, guests)
    return tuple(
        read(
            Person,
            {"id": f"p-{n}", "name": g.name, "role": g.role, "electorate": g.electorate, "weight": g.weight}
            | {"seats": g.seats},
        )
        for n, g in enumerate(guests.values(), start=1)
    )


def names_in(text: str) -> tuple[str, ...]:
    """Names with commas, semicolons or line ends between them."""
    return tuple(filter(None, (clean_name(part) for part in re.split(r"[,;\n]", text))))


def _with_roles(draft: RoomDraft) -> dict[str, _Guest]:
    """The facilitator and the quick roles, by name."""
    asked: list[tuple[RoomRole, tuple[str, ...]]] = [
        ("facilitator", (clean_name(draft.name),)),
        ("judge", names_in(draft.judges)),
        ("synthesiser", names_in(draft.synthesiser)),
        ("approver", names_in(draft.approver)),
    ]
    guests: dict[str, _Guest] = {}
    for role, names in asked:
        for name in names:
            before = guests.setdefault(name.casefold(), _Guest(name, role))
            if before.role != role:
                raise InvalidSpec(f"{name} is named as {before.role} and as {role}: one person has one role")
    return guests


def holder_role(seat: Seat) -> RoomRole:
    """The role of somebody who comes to speak for this seat."""
    match seat.role:
        case "debater" | "synthesiser" | "moderator":
            return seat.role
        case _:
            return "moderator"


def _seat_people(draft: RoomDraft, seats: Sequence[Seat], guests: dict[str, _Guest]) -> None:
    """Whoever was written for a seat has it; an office without a name falls to its role, or to the facilitator."""
    for seat in seats:
        if seat.occupant != "human":
            continue
        name = clean_name(draft.holder(seat.id))
        if not name and seat.role == "debater":
            continue
        of_role = next((g for g in guests.values() if g.role == seat.role), None)
        found = guests.setdefault(name.casefold(), _Guest(name, holder_role(seat))) if name else of_role
        holder = found or next(iter(guests.values()))
        holder.seats = (*holder.seats, seat.id)


def _listed(draft: RoomDraft) -> tuple[ListedPerson, ...]:
    if not draft.listed.strip():
        return ()
    try:
        return read_list(draft.listed)
    except InvalidSpec as error:
        raise InvalidSpec(f"the list of people: {error}") from None


def _add_listed(named: ListedPerson, guests: dict[str, _Guest]) -> None:
    """Somebody who is known already keeps their role, and votes as the list says."""
    known = guests.setdefault(named.name.casefold(), _Guest(named.name, named.role))
    if named.role not in ("voter", known.role):
        raise InvalidSpec(f"{named.name} is named as {known.role} and as {named.role}: one person has one role")
    known.electorate, known.weight = named.electorate, named.weight


def room_doubts(draft: RoomDraft, seats: Sequence[Seat]) -> tuple[str, ...]:
    """What can be started but should be thought over first, one sentence each."""
    if not draft.on:
        return ()
    found = []
    if draft.joining == "open" and (draft.final_vote == "asked" or draft.pre_vote != "none"):
        found.append("The link is open to all: that somebody votes twice from two devices cannot be excluded.")
    if draft.joining == "named" and not draft.listed.strip():
        found.append("Only people on the list may vote, and the list is empty.")
    if not names_in(draft.approver):
        found.append("Nobody is named who signs the decision: an approver can be invited from the lobby.")
    for seat in seats:
        if seat.occupant == "human" and seat.role == "debater" and not clean_name(draft.holder(seat.id)):
            found.append(f"Nobody is named for the seat {seat.id}: invite somebody from the lobby.")
    return tuple(found)
