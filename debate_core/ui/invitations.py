"""The links of a room: those that are made with the debate, and new ones for people who come later.

Asks the host as a facilitator; the links themselves are never part of the record. Called by set-up and the lobby.
"""

from dataclasses import dataclass

from debate_core.invites import Door, Invite, Listed
from debate_core.room import Electorate, Person, RoomRole
from debate_core.rules.room import person, present
from debate_core.state import State
from debate_core.ui import session


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody to invite who is not in the record yet."""

    role: RoomRole
    name: str = ""
    electorate: Electorate | None = None
    weight: int = 1
    seats: tuple[str, ...] = ()


def open_door(debate_id: str) -> None:
    """Make the links of a debate that this browser has just opened, and come in as its facilitator."""
    state = session.host().state(debate_id)
    if state.spec.room is None:
        return
    first = next(p for p in state.spec.room.people if p.role == "facilitator")
    door = session.host().door_for(debate_id, by=first.id)
    everybody(door, state)
    own = {p.id: door.make_for(debate_id, p) for p in present(state)}
    session.enter_as(debate_id, first.id, link=door.token(own[first.id]))


def everybody(door: Door, state: State) -> Invite:
    """A new link for all: to vote in the room, or where only the list votes, to watch."""
    room = state.spec.room
    role: RoomRole = "voter" if room and room.joining == "open" else "observer"
    return door.make(state.debate, role, kind="open")


def reopen(door: Door, state: State) -> None:
    """The same for a button."""
    everybody(door, state)


def again(door: Door, invite: Invite) -> None:
    """Another link instead of this one, for a button; people keep who they are."""
    door.rotate(invite)


def link(door: Door, state: State, who: Person) -> None:
    """A link for somebody who is in the record already, for a button."""
    door.make_for(state.debate, who)


def for_guest(door: Door, state: State, guest: Guest) -> Invite:
    """A link for somebody new."""
    return door.make(
        state.debate,
        guest.role,
        name=guest.name,
        electorate=guest.electorate,
        weight=guest.weight,
        seats=guest.seats,
    )


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list of links: whom it is for, and the link of theirs that counts."""

    name: str
    role: RoomRole
    listed: Listed


def rows(door: Door, state: State) -> tuple[Row, ...]:
    """Everybody with a personal link, facilitators first; of several links of one person the one that works."""
    latest: dict[str, Listed] = {}
    for listed in door.invites(state.debate):
        whose = listed.invite.person
        if whose and (whose not in latest or latest[whose].status == "revoked"):
            latest[whose] = listed
    found = []
    for whose, listed in latest.items():
        known = person(state, whose) or door.person(listed.invite, "No name yet")
        found.append(Row(known.name, known.role, listed))
    return tuple(sorted(found, key=lambda r: (r.role != "facilitator", r.role, r.name.casefold())))


def without_link(door: Door, state: State) -> tuple[Person, ...]:
    """Who takes part and has no personal link, not even one that was taken back."""
    linked = {listed.invite.person for listed in door.invites(state.debate)}
    return tuple(p for p in present(state) if p.id not in linked)


def come(door: Door, state: State) -> tuple[Person, ...]:
    """Who of those that take part has come in: by their own link, or as a guest. Being on the list is not enough."""
    used = {listed.use.person for listed in door.invites(state.debate) if listed.use}
    return tuple(p for p in present(state) if p.id in used or state.room.joined[p.id])


def open_invite(door: Door, state: State) -> Invite | None:
    """The link for all that works now."""
    found = (i.invite for i in door.invites(state.debate) if i.invite.kind == "open" and i.status == "ready")
    return next(found, None)
