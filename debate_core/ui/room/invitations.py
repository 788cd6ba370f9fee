"""The links of a room: those that are made with the debate, and new ones for people who come later.

Acts as a facilitator. The record says that a link was made, never the link itself. Links that are made with the debate
need no event, because their people are in its spec.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Literal

import streamlit as st

from debate_core.engine.stage import person, present
from debate_core.errors import StoreError
from debate_core.host.access.door import Door
from debate_core.host.access.invites import Invite, ListedInvite, new_person_id
from debate_core.language import _
from debate_core.record.acts import LinkChanged, PersonLeft
from debate_core.record.state import State
from debate_core.spec.people import Electorate, Person, RoomRole
from debate_core.ui.kit import session
from debate_core.ui.kit.failures import UNSAVED_LINK
from debate_core.ui.kit.session import Me

LinkChange = Literal["made", "replaced", "taken_back"]
WHY = "link-why"
"""Field for the reason of the next change."""


@dataclass(frozen=True, slots=True)
class Invitee:
    """A new person to invite, not in the record yet."""

    role: RoomRole
    name: str = ""
    electorate: Electorate | None = None
    seats: tuple[str, ...] = ()


def open_door(debate_id: str) -> None:
    """Make the links of a debate that this browser has just opened, and let it in as its facilitator."""
    state = session.host().state(debate_id)
    if not state.spec.has_people:
        return
    first = next(p for p in state.spec.people() if p.role == "facilitator")
    door = session.host().door_for(debate_id, by=first.id)
    link_for_all(door, state)
    own = {p.id: door.invitations.make_for(debate_id, p) for p in present(state)}
    session.enter_as(debate_id, first.id, link=door.token(own[first.id]))


def link_for_all(door: Door, state: State) -> Invite:
    """Make a new link for all."""
    return door.invitations.make(state.debate, role_for_all(state), kind="open")


def role_for_all(state: State) -> RoomRole:
    """The role of people who come by the link for all: voters in the room, or observers if only the list votes."""
    return "voter" if state.spec.terms.joining == "open" else "observer"


@dataclass(frozen=True, slots=True)
class Maker:
    """A facilitator who makes links: each change is recorded first, with its reason."""

    state: State
    me: Me
    door: Door

    def link(self, who: Person) -> None:
        """Make a link for a person in the record."""
        make = partial(self.door.invitations.make_for, self.state.debate, who)
        self._change("made", who.id, who.role, who.electorate, make)

    def invite(self, invitee: Invitee) -> None:
        """Make a link for a new person."""
        new = new_person_id()
        make = partial(
            self.door.invitations.make,
            self.state.debate,
            invitee.role,
            name=invitee.name,
            electorate=invitee.electorate,
            seats=invitee.seats,
            person=new,
        )
        self._change("made", new, invitee.role, invitee.electorate, make)

    def reopen(self) -> None:
        """Make the link for all once more."""
        role = role_for_all(self.state)
        make = partial(link_for_all, self.door, self.state)
        self._change("made", None, role, "room" if role == "voter" else None, make)

    def again(self, invite: Invite) -> None:
        """Replace this link by another one; people keep who they are."""
        rotate = partial(self.door.invitations.rotate, invite)
        self._change("replaced", invite.person, invite.role, invite.electorate, rotate)

    def take_back(self, invite: Invite) -> None:
        """Revoke this link; a person who came in by a personal one is out at once."""
        revoke = partial(self.door.invitations.revoke, invite)
        self._change("taken_back", invite.person, invite.role, invite.electorate, revoke)

    def _change(
        self,
        what: LinkChange,
        whose: str | None,
        role: RoomRole,
        electorate: Electorate | None,
        write: Callable[[], object],
    ) -> None:
        reason = str(st.session_state.get(WHY, "")).strip()
        fact = LinkChanged(what=what, person=whose, role=role, electorate=electorate, reason=reason)
        if session.act(self.state, self.me, fact):
            if reason:
                st.session_state[WHY] = ""
            session.keep(self.state.debate, self.me, write, unsaved=UNSAVED_LINK)


def show_out(state: State, me: Me, fact: PersonLeft) -> bool:
    """Remove a person, in the record and at once in their browser; return False if it was refused."""
    if not session.act(state, me, fact):
        return False
    # If it fails, the record still keeps them out.
    with suppress(StoreError):
        session.host().door.cookies.bar(state.debate, fact.person)
    return True


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One row of the list of links: a person, and the one of their links that counts."""

    name: str
    role: RoomRole
    listed: ListedInvite


def rows(door: Door, state: State) -> tuple[LinkRow, ...]:
    """List the personal links, facilitators first; of several links of one person the valid one."""
    latest: dict[str, ListedInvite] = {}
    for listed in door.invitations.of(state.debate):
        whose = listed.invite.person
        if whose and (whose not in latest or latest[whose].status == "revoked"):
            latest[whose] = listed
    rows = []
    for whose, listed in latest.items():
        known = person(state, whose) or listed.invite.newcomer(_("No name yet"))
        rows.append(LinkRow(known.name, known.role, listed))
    return tuple(sorted(rows, key=lambda row: (row.role != "facilitator", row.role, row.name.casefold())))


def without_link(door: Door, state: State) -> tuple[Person, ...]:
    """People who take part and never had a personal link."""
    linked = {listed.invite.person for listed in door.invitations.of(state.debate)}
    return tuple(p for p in present(state) if p.id not in linked)


def come(door: Door, state: State, viewer: str = "") -> tuple[Person, ...]:
    """People who take part and have come in: by their own link, as a guest, with an open page, or with a ballot.

    `viewer` looks now. Being on the list is not enough.
    """
    used = {viewer, *(listed.use.person for listed in door.invitations.of(state.debate) if listed.use)}
    used |= {voter for poll in state.room.polls.values() for voter in poll.ballots}
    used |= session.host().attendances.of(state.debate).here
    return tuple(p for p in present(state) if p.id in used or state.room.joined[p.id])


def open_invite(door: Door, state: State) -> Invite | None:
    """The valid link for all."""
    for listed in door.invitations.of(state.debate):
        if listed.invite.kind == "open" and listed.status == "ready":
            return listed.invite
    return None
