"""From a link to a person in the record, and from a cookie back to that person.

`invites` says whether a link is good, the rules say whether the room takes this person; here the two meet. It knows no
screen.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import Literal

from debate_core.engine.mistakable import taken
from debate_core.engine.rights import HOST
from debate_core.engine.stage import mistaken_for, person, present
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.host.door.cookies import cookie_name
from debate_core.host.door.door import Door
from debate_core.host.door.invites import MAX_NAME_CHARS, Invite
from debate_core.names import looks_like, told_apart, visible_name
from debate_core.record.acts import LinkChanged, PersonJoined
from debate_core.record.commands import Act
from debate_core.record.state import State
from debate_core.sentence import Sentence
from debate_core.spec.people import Person

MAX_PEOPLE = 500
"""In one room. A link for everybody must not fill the record without end."""
MAX_SHOWN = 10
FULL = Sentence(
    "This room is full: {max_people} people have come in, so ask the facilitator for a link of your own.",
    max_people=MAX_PEOPLE,
)
NO_ROOM = Sentence("This debate was opened without a room for people: nobody can join it by a link.")
NAMED_ONLY = Sentence("In this debate only people on its list vote: ask the facilitator for a link of your own.")
BY_THE_SERVER = "whoever runs the server made it on the command line"
LEFT = Sentence(
    "Whoever this link is for has left the debate, and ballots cast stay: ask the facilitator to invite you anew."
)


def admit(door: Door, invite: Invite, state: State, name: str, join: Callable[[Callable[[State], Act]], object]) -> str:
    """Let somebody in by an invite; their person id. NotAllowed or RuleViolation says why not.

    Whatever breaks it off, the link is not used up.

    Somebody who is in the record already (from the start, or by a link that was rotated) just comes back. Others come
    in at the same time: `join` makes the act of the state in which it is recorded, and not of the one seen before.
    """
    _refuse(door, invite, state, name)
    newcomer = invite.newcomer(name)

    def joining(now: State) -> Act:
        _refuse(door, invite, now, name)
        called = name_here(now, invite.name or name) or _guest_name(now)
        return Act(by=newcomer.id, act=PersonJoined(person=newcomer.model_copy(update={"name": called})))

    with door.using_up(invite, newcomer.id):
        if person(state, newcomer.id) is None:
            join(joining)
    return newcomer.id


def _refuse(door: Door, invite: Invite, state: State, name: str) -> None:
    """NotAllowed if the room takes nobody by this invite, or nobody of this name."""
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
    """How someone is called who types this: marked where it could be mistaken, empty where nothing can be seen.

    `but` is the id of the person, if they are here.
    """
    others = [who.name for who in present(state) if who.id != but]
    return told_apart(visible_name(typed), others, max_chars=MAX_NAME_CHARS)


def taken_by(state: State, typed: str) -> str | None:
    """The name of someone here with the name that was typed, or one that looks the same."""
    name = name_here(state, typed)
    return mistaken_for(state, name) if name else None


def _guest_name(state: State) -> str:
    """What a guest who gives no name is called: `Guest` and the first number that nobody here has or came with.

    English in every room: names stand in the record.
    """
    came_as = {joined.fact.person.name for joined in state.room.of(PersonJoined)}
    known = came_as | {who.name for who in state.room.people.values()}
    names = (f"Guest {number}" for number in count(1))
    return next(name for name in names if looks_like(name, known) is None)


def renew(door: Door, state: State, person_id: str, record: Callable[[Act], object]) -> tuple[Invite, int]:
    """Make a new personal invite for somebody in the record; it, and how many older ones were taken back for it.

    For whoever holds the store: nobody in the room is asked, and the record says that the server did it. InvalidSpec
    if there can be none.
    """
    who = _whom(state, person_id)
    in_use = [listed.invite for listed in door.invitations.of(state.debate) if listed.status != "revoked"]
    older = [invite for invite in in_use if invite.person == who.id]
    what: Literal["made", "replaced"] = "replaced" if older else "made"
    fact = LinkChanged(what=what, person=who.id, role=who.role, electorate=who.electorate, reason=BY_THE_SERVER)
    record(Act(by=HOST, act=fact))
    # The new one first: should the store fail in between, somebody has two links, and never none.
    invite = door.invitations.make_for(state.debate, who)
    for one in older:
        door.invitations.revoke(one)
    return invite, len(older)


def _whom(state: State, person_id: str) -> Person:
    who = state.room.people.get(person_id)
    if who is None:
        raise InvalidSpec(
            "there is nobody with the id {person_id!r} in {debate}: choose {known}",
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
    """`p-fay (Fay, facilitator), p-ann (Ann, voter)`; after ten, how many more."""
    words = [f"{who.id} ({visible_name(who.name)}, {who.role})" for who in people]
    more = f" and {len(words) - MAX_SHOWN} more" if len(words) > MAX_SHOWN else ""
    return ", ".join(words[:MAX_SHOWN]) + more


def viewer(
    door: Door, state: State, cookies: Mapping[str, str], *, former: Iterable[str] = (), again: bool = False
) -> Person | None:
    """Who brings these cookies, as they are in the record now; None for everybody else.

    `former`: debates in whose place this one stands; who was let in there is in here. `again` as in `Cookies`.
    """
    for debate_id in (state.debate, *former):
        person_id = door.cookies.person_of(cookies.get(cookie_name(debate_id), ""), debate_id, again=again)
        if person_id and (who := person(state, person_id)):
            return who
    return None


def refuse_but_facilitator(state: State, by: str) -> None:
    """RuleViolation unless this person may make, list and take back invites."""
    who = person(state, by)
    if who is None or who.role != "facilitator":
        name = who.name if who else by[:60]
        raise RuleViolation("invites are for the facilitator; {name!r} is not one here", name=name)
