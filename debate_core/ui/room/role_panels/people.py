"""The people in the room, by role. A facilitator changes roles and removes people."""

from collections.abc import Sequence
from typing import get_args

import streamlit as st

from debate_core.engine import stage
from debate_core.language import _, _n
from debate_core.record.acts import PersonChanged, PersonLeft
from debate_core.record.state import State
from debate_core.report.facts.terms import named
from debate_core.spec.people import LEADS, Person, RoomRole
from debate_core.spec.values import in_words
from debate_core.ui.kit import session
from debate_core.ui.kit.places import in_places
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_label, safe_line
from debate_core.ui.kit.words import HEADS
from debate_core.ui.room.invitations import Maker, show_out
from debate_core.ui.room.role_panels import links, newcomers

ROLES: tuple[RoomRole, ...] = get_args(RoomRole)
MANY = 12
"""Of more people than this in one role, only the number is shown."""


def draw_people(state: State, me: Me) -> None:
    """Draw everyone by role, under their number; strangers see only numbers.

    Those who lead have everyone with their tasks already: a facilitator changes them here.
    """
    if me.role in LEADS and not me.facilitator:
        return
    # Drawn only when open. Its label is constant, because with another label it would close.
    label = _("Change or remove people") if me.facilitator else _("Who takes part")
    people = st.expander(label, icon=":material/group:", key="people", type="compact", on_change="rerun")
    if not people.open:
        return
    with people:
        if me.facilitator:
            in_places((_draw_change, _draw_links), state, me)
            return
        here = stage.present(state)
        for role in ROLES:
            _draw_role(me, role, [person for person in here if person.role == role])


def _draw_links(state: State, me: Me) -> None:
    door = session.host().door_for(state.debate, by=me.actor)
    with st.container():
        newcomers.draw_removal(state, me, door)
    # Before the first turn they are in the lobby.
    if state.room.begun:
        links.show(Maker(state, me, door))


def _draw_role(me: Me, role: RoomRole, people: Sequence[Person]) -> None:
    if not people:
        return
    words = f"**{_n(len(people), *HEADS[role])}**"
    if me.person is not None and len(people) <= MANY:
        words += f": {', '.join(map(_person_words, people))}"
    st.markdown(words)


def _person_words(person: Person) -> str:
    name = safe_line(person.name, max_chars=40)
    if not person.interest:
        return name
    return f"{name} ({_('declared: {interest}', interest=safe_line(person.interest, max_chars=120))})"


def _draw_change(state: State, me: Me) -> None:
    """Draw the change of one person: fields for everyone would cost a full room a second for each click."""
    chosen = links.choose(_("Change a person"), stage.present(state), key=f"whom-{state.debate}")
    if chosen:
        with st.container(border=True, key=f"change-{chosen.id}"):
            _draw_person(state, me, chosen)


def _draw_person(state: State, me: Me, who: Person) -> None:
    name = safe_label(who.name, max_chars=40)
    form = st.session_state

    def change_role() -> None:
        _become(state, me, who, form[f"role-{who.id}"])

    def remove() -> None:
        reason = str(form.get(f"why-{who.id}") or "").strip()
        show_out(state, me, PersonLeft(person=who.id, reason=reason))

    label = _("Role of {name}", name=name)
    st.selectbox(label, ROLES, ROLES.index(who.role), key=f"role-{who.id}", format_func=named)
    st.button(_("Change the role"), key=f"set-role-{who.id}", on_click=change_role)
    _offer_seat(state, me, who, name)
    if who.role != "facilitator":
        second = (state, me, who, "facilitator")
        st.button(_("Make co-facilitator"), key=f"second-{who.id}", on_click=_become, args=second)
    if who.id != me.actor:
        st.text_input(_("Reason for removing {name}", name=name), key=f"why-{who.id}", max_chars=200)
        st.button(_("Remove from the room"), key=f"out-{who.id}", on_click=remove)
        st.caption(_("They cannot come back with their link. Ballots that they cast stay."))


def _offer_seat(state: State, me: Me, who: Person, name: str) -> None:
    held = {seat for person in stage.present(state) for seat in person.seats}
    seats = [seat.id for seat in state.spec.debaters() if seat.occupant == "human" and seat.id not in held]
    if not seats or who.role not in ("debater", "voter", "observer"):
        return

    def give() -> None:
        now = stage.person(session.host().state(state.debate), who.id) or who
        seats = (*now.seats, st.session_state[f"seat-{who.id}"])
        session.act(state, me, PersonChanged(person=now.model_copy(update={"role": "debater", "seats": seats})))

    st.selectbox(_("Seat for {name}", name=name), seats, key=f"seat-{who.id}", format_func=in_words)
    st.button(_("Give them the seat"), key=f"give-seat-{who.id}", on_click=give)


def _become(state: State, me: Me, who: Person, role: RoomRole) -> None:
    """Change only the role: all else stays as in the record at the press, not as on the drawn page."""
    now = stage.person(session.host().state(state.debate), who.id) or who
    # Observers have no vote.
    electorate = None if role == "observer" else now.electorate
    session.act(state, me, PersonChanged(person=now.model_copy(update={"role": role, "electorate": electorate})))
