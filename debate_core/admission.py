"""From a link to a person in the record, and from a cookie back to that person.

`invites` says whether a link is good, the rules say whether the room takes this person; here the two meet. It knows no
screen. Called by the host.
"""

from collections.abc import Callable, Mapping

from debate_core.commands import Act
from debate_core.errors import RuleViolation
from debate_core.invites import Door, Invite, cookie_name
from debate_core.room import Person
from debate_core.room_acts import PersonJoined
from debate_core.rules.room import person
from debate_core.state import State

MAX_PEOPLE = 500
"""In one room. A link for everybody must not fill the record without end."""
FULL = f"This room is full: {MAX_PEOPLE} people have come in, so ask the facilitator for a link of your own."
NO_ROOM = "This debate was opened without a room for people: nobody can join it by a link."
NAMED_ONLY = "In this debate only people on its list vote: ask the facilitator for a link of your own."
LEFT = "Whoever this link is for has left the debate, and ballots cast stay: ask the facilitator to invite you anew."


def admit(door: Door, invite: Invite, state: State, name: str, join: Callable[[Act], object]) -> str:
    """Let somebody in by an invite; their person id. NotAllowed or RuleViolation, and then the link is not used up.

    Somebody who is in the record already (from the start, or by a link that was rotated) just comes back.
    """
    if why := _fault(invite, state):
        raise door.tries.refusal(why)
    comes = door.person(invite, name or f"Guest {_guests(state) + 1}")
    with door.using_up(invite, comes.id):
        if person(state, comes.id) is None:
            join(Act(by=comes.id, act=PersonJoined(person=comes)))
    return comes.id


def _fault(invite: Invite, state: State) -> str | None:
    room, people = state.spec.room, state.room
    if room is None:
        return NO_ROOM
    if invite.person in people.left:
        return LEFT
    if invite.kind == "open" and invite.role == "voter" and room.joining == "named":
        return NAMED_ONLY
    return FULL if invite.kind == "open" and len(people.people) >= MAX_PEOPLE else None


def _guests(state: State) -> int:
    return sum(p.name.startswith("Guest ") for p in state.room.people.values())


def viewer(door: Door, state: State, cookies: Mapping[str, str]) -> Person | None:
    """Who brings these cookies, as they are in the record now; None for everybody else."""
    known = door.person_of(cookies.get(cookie_name(state.debate), ""), state.debate)
    return person(state, known) if known else None


def refuse_but_facilitator(state: State, by: str) -> None:
    """RuleViolation unless this person may make, list and take back invites."""
    who = person(state, by)
    if who is None or who.role != "facilitator":
        raise RuleViolation(f"invites are for the facilitator; {who.name if who else by[:60]!r} is not one here")
