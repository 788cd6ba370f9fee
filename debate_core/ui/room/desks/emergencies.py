"""What to do when something fails: somebody takes a seat, hands it back, another option is wanted, a contested count.

Each is an act with a reason, or leads to where it belongs.
"""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from debate_core.engine import stage
from debate_core.language import _
from debate_core.record.acts import PersonChanged, SeatReturned, SeatTaken
from debate_core.record.state import State
from debate_core.spec.people import Person
from debate_core.spec.values import in_words
from debate_core.ui.kit import session
from debate_core.ui.kit.presses import pressed
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line
from debate_core.ui.room.desks import links
from debate_core.ui.room.reason_field import Reasoned
from debate_core.ui.setup import draft_store
from debate_core.ui.setup.fork import forked


def show(state: State, me: Me) -> None:
    """The drills, closed until somebody needs one; nothing once the debate is over."""
    if state.outcome is not None:
        return
    with st.expander(_("If something fails"), icon=":material/emergency_home:", key="drills"):
        why = Reasoned(state, me, "drills", _("Reason for the change of a seat"))
        why.field()
        _seats(state, me, why)
        if me.facilitator:
            _another_option(state)
        st.markdown(_("**Somebody contests the count**"))
        if pressed(_("Count again, before everybody"), key="recount", icon=":material/calculate:"):
            session.open_page("results.py", state.debate)


def _seats(state: State, me: Me, why: Reasoned) -> None:
    st.markdown(_("**A seat does not answer**"))
    words = {seat.id: in_words(seat.id) + _failed_words(state, seat.id) for seat in state.spec.seats}
    # None to begin with: in a hurry somebody would take the first seat for the one that fails.
    seat = st.selectbox(
        _("Seat"), [*words], index=None, key="drill-seat", format_func=words.__getitem__, placeholder=_("choose a seat")
    )
    if seat is None:
        return
    sitting = stage.sitting(state).get(seat)
    if sitting:
        name = safe_line(state.room.people[sitting].name)
        st.caption(
            _(
                "{name} speaks for {seat} now. Handed back, it is filled as agreed before the start.",
                name=name,
                seat=safe_line(seat),
            )
        )
        why.act(_("Hand the seat back"), "return", partial(_of_chosen_seat, SeatReturned))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="drill-take"):
        if sitting != me.actor:
            why.act(_("I take the seat"), "take", partial(_of_chosen_seat, SeatTaken))
        if me.facilitator:
            _give_to_somebody(state, why, seat)


def _chosen_seat() -> str | None:
    """The seat that is chosen now: as a button is pressed it may be another than when the button was drawn."""
    seat: str | None = st.session_state.get("drill-seat")
    return seat


def _of_chosen_seat(kind: type[SeatTaken | SeatReturned], reason: str) -> SeatTaken | SeatReturned | None:
    seat = _chosen_seat()
    return kind(seat=seat, reason=reason) if seat else None


def _failed_words(state: State, seat: str) -> str:
    turns = [turn for turn in state.turns if turn.seat == seat]
    if not turns or turns[-1].status in ("ok", "struck", "skipped"):
        return ""
    return _(" · its last turn failed")


def _take_from(why: Reasoned, holder: Person) -> None:
    label = _("Take it from {name}", name=safe_line(holder.name, max_chars=40))
    why.act(label, "free", partial(_freed, holder))


def _freed(holder: Person, reason: str) -> PersonChanged:
    """Whoever is named on the button, without the seat that is chosen; the engine refuses if they do not have it."""
    seat = _chosen_seat()
    freed = holder.model_copy(update={"seats": tuple(s for s in holder.seats if s != seat)})
    return PersonChanged(person=freed, reason=reason)


def _give_to_somebody(state: State, why: Reasoned, seat: str) -> None:
    """The seat goes to somebody who can hold a side, who takes it from their own page; first it has to be free."""
    holder = next((person for person in stage.present(state) if seat in person.seats), None)
    if holder is not None:
        _take_from(why, holder)
        return
    could_speak = [p for p in stage.present(state) if p.role in ("debater", "voter", "observer")]
    others = {person.id: person for person in could_speak if person.id != why.me.actor}
    if not others:
        return
    words = links.labels(others.values())
    st.selectbox(_("Or somebody else"), [*others], key="drill-who", format_func=words.__getitem__)
    why.act(_("Ask them to take it"), "give", partial(_given, others))


def _given(others: Mapping[str, Person], reason: str) -> PersonChanged | None:
    seat = _chosen_seat()
    person = others.get(st.session_state.get("drill-who") or "")
    if not seat or not person:
        return None
    seats = tuple(dict.fromkeys((*person.seats, seat)))
    return PersonChanged(person=person.model_copy(update={"role": "debater", "seats": seats}), reason=reason)


def _another_option(state: State) -> None:
    """What is voted on never changes under way: another debate begins from this one, and says so."""
    st.markdown(_("**The room wants another option**"))
    option = (st.text_input(_("The new option"), key="drill-option", max_chars=200) or "").strip()
    if pressed(_("Set up a debate with it"), key="fork", icon=":material/fork_right:"):
        if not option:
            st.error(_("Write the new option first."), icon=":material/error:")
            return
        draft_store.begin(forked(state, option))
        st.switch_page("setup.py")
    st.caption(
        _("This debate stays as it is. The new one has its question, seats and rules, and names it as its parent.")
    )
