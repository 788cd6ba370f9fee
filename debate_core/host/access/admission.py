"""Admits a person to the record by a link, and finds the person for a cookie.

`invites` decides whether a link is valid, the rules whether the room takes this person; this module combines them. It
knows no screen.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import Literal

from debate_core.engine.mistakable import taken
from debate_core.engine.rights import HOST
from debate_core.engine.stage import mistaken_for, person, present
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.host.access.cookies import cookie_name
from debate_core.host.access.door import Door
from debate_core.host.access.invites import MAX_NAME_CHARS, Invite
from debate_core.names import looks_like, told_apart, visible_name
from debate_core.record.acts import LinkChanged, PersonJoined
from debate_core.record.commands import Act
from debate_core.record.state import State
from debate_core.sentence import Sentence
from debate_core.spec.people import Person

MAX_PEOPLE = 500
"""Per room, so that an open link cannot fill the record without limit."""
MAX_SHOWN = 10
FULL = Sentence(
    "This room is full: {max_people} people have come in. Ask the facilitator for a personal link.",
    max_people=MAX_PEOPLE,
)
NO_ROOM = Sentence("This debate has no room for people: it cannot be joined by a link.")
NAMED_ONLY = Sentence("Only people on the list vote in this debate: ask the facilitator for a personal link.")
BY_THE_SERVER = "the operator of the server made it on the command line"
LEFT = Sentence(
    "The person of this link has left the debate; ballots already cast still count. Ask the facilitator for a new "
    "invite."
)


def admit(door: Door, invite: Invite, state: State, name: str, join: Callable[[Callable[[State], Act]], object]) -> str:
    """Admit a person by an invite; returns the person id. NotAllowed or RuleViolation explains a refusal.

    On any failure the link stays unused. Someone in the record already, from the start or by a rotated link,
    just returns. `join` builds its act from the state in which it is recorded, because others may come in at the same
    time.
    """
    _refuse(door, invite, state, name)
    newcomer = invite.newcomer(name)

    def joining(now: State) -> Act:
        _refuse(door, invite, now, name)
        free_name = name_here(now, invite.name or name) or _guest_name(now)
        return Act(by=newcomer.id, act=PersonJoined(person=newcomer.model_copy(update={"name": free_name})))

    with door.admit(invite, newcomer.id):
        if person(state, newcomer.id) is None:
            join(joining)
    return newcomer.id


def _refuse(door: Door, invite: Invite, state: State, name: str) -> None:
    """Raise NotAllowed if the room does not take this person by this invite."""
    if why := _fault_in(invite, state, name):
        raise door.rate_limit.refusal(why)


def _fault_in(invite: Invite, state: State, name: str) -> Sentence | None:
    terms = state.spec.terms
    room = state.room
    if not state.spec.has_people:
        return NO_ROOM
    if invite.person in room.left:
        return LEFT
    if invite.kind == "open" and invite.role == "voter" and terms.joining == "named":
        return NAMED_ONLY
    if invite.kind == "open" and len(room.people) >= MAX_PEOPLE:
        return FULL
    if invite.kind == "open" and (other := taken_by(state, name)):
        return taken(other)
    return None


def name_here(state: State, typed: str, *, but: str = "") -> str:
    """The name a person gets for what they typed: marked if it could be mistaken, empty if nothing is visible.

    `but`: the person's id, if they are in the room already.
    """
    others = [who.name for who in present(state) if who.id != but]
    return told_apart(visible_name(typed), others, max_chars=MAX_NAME_CHARS)


def taken_by(state: State, typed: str) -> str | None:
    """The name of a person in the room with this name, or one that looks the same."""
    name = name_here(state, typed)
    return mistaken_for(state, name) if name else None


def _guest_name(state: State) -> str:
    """`Guest` and the first free number, for guests without a name. Names are in the record, so English in every
    room."""
    came_as = {joined.fact.person.name for joined in state.room.of(PersonJoined)}
    known = came_as | {who.name for who in state.room.people.values()}
    names = (f"Guest {number}" for number in count(1))
    return next(name for name in names if looks_like(name, known) is None)


def renew(door: Door, state: State, person_id: str, record: Callable[[Act], object]) -> tuple[Invite, int]:
    """Make a personal invite for someone in the record; returns it and the number of older ones revoked.

    For the operator: no permission of the room is needed, and the record names the server. InvalidSpec if it is
    impossible.
    """
    who = _find_person(state, person_id)
    in_use = [listed.invite for listed in door.invitations.of(state.debate) if listed.status != "revoked"]
    older = [invite for invite in in_use if invite.person == who.id]
    what: Literal["made", "replaced"] = "replaced" if older else "made"
    fact = LinkChanged(what=what, person=who.id, role=who.role, electorate=who.electorate, reason=BY_THE_SERVER)
    record(Act(by=HOST, act=fact))
    # New one first: if the store fails in between, two links work rather than none.
    invite = door.invitations.make_for(state.debate, who)
    for one in older:
        door.invitations.revoke(one)
    return invite, len(older)


def _find_person(state: State, person_id: str) -> Person:
    who = state.room.people.get(person_id)
    if who is None:
        raise InvalidSpec(
            "there is no person with the id {person_id!r} in {debate}: choose {known}",
            person_id=person_id,
            debate=state.debate,
            known=id_words(present(state)),
        )
    if who.id in state.room.left:
        raise InvalidSpec(
            "{name} ({id}) has left {debate} or was removed: no link brings them back",
            name=visible_name(who.name),
            id=who.id,
            debate=state.debate,
        )
    return who


def id_words(people: Iterable[Person]) -> str:
    """`p-fay (Fay, facilitator), p-ann (Ann, voter)`; after ten, the number of the others."""
    words = [f"{who.id} ({visible_name(who.name)}, {who.role})" for who in people]
    more = f" and {len(words) - MAX_SHOWN} more" if len(words) > MAX_SHOWN else ""
    return ", ".join(words[:MAX_SHOWN]) + more


def viewer(
    door: Door, state: State, cookies: Mapping[str, str], *, former: Iterable[str] = (), again: bool = False
) -> Person | None:
    """The person with these cookies, as in the record now; None for others.

    `former`: debates that this one replaces; their people count, too. `again` as in `Cookies`.
    """
    for debate_id in (state.debate, *former):
        person_id = door.cookies.person_of(cookies.get(cookie_name(debate_id), ""), debate_id, again=again)
        if person_id and (who := person(state, person_id)):
            return who
    return None


def refuse_but_facilitator(state: State, by: str) -> None:
    """Raise RuleViolation unless `by` is a facilitator."""
    who = person(state, by)
    if who is None or who.role != "facilitator":
        name = who.name if who else by[:60]
        raise RuleViolation("invites are for the facilitator; {name!r} is not one here", name=name)
