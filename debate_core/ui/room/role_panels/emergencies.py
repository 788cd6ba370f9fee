"""Help when something fails: another person takes a seat or hands it back, a missing option, a contested count.

Each is an act with a reason, or leads to the right page.
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
from debate_core.ui.kit.click_guard import pressed
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line
from debate_core.ui.room.buttons import Reasoned
from debate_core.ui.room.role_panels import links
from debate_core.ui.setup import draft_store
from debate_core.ui.setup.fork import forked


def draw_emergencies(state: State, me: Me) -> None:
    """Draw the emergencies in a closed expander; nothing once the debate is over."""
    if state.outcome is not None:
        return
    with st.expander(_("If something fails"), icon=":material/emergency_home:", key="drills", type="compact"):
        why = Reasoned(state, me, "drills", _("Reason for the change of a seat"))
        why.field()
        _draw_seats(state, me, why)
        if me.facilitator:
            _draw_another_option(state)
        st.markdown(_("**Someone contests the count**"))
        if pressed(_("Recount in front of everyone"), key="recount", icon=":material/calculate:"):
            session.open_page("results.py", state.debate)


def _draw_seats(state: State, me: Me, why: Reasoned) -> None:
    st.markdown(_("**A seat does not answer**"))
    labels = {}
    for one in state.spec.seats:
        turns = [turn for turn in state.turns if turn.seat == one.id]
        has_failed = bool(turns) and turns[-1].status not in ("ok", "struck", "skipped")
        labels[one.id] = in_words(one.id) + (_(" · its last turn failed") if has_failed else "")
    # No preset, because in a hurry people would take the first seat for the one that fails.
    seat = st.selectbox(
        _("Seat"),
        [*labels],
        index=None,
        key="drill-seat",
        format_func=labels.__getitem__,
        placeholder=_("choose a seat"),
    )
    if seat is None:
        return
    sitting = stage.sitting(state).get(seat)
    if sitting:
        name = safe_line(state.room.people[sitting].name)
        st.caption(
            _(
                "{name} speaks for {seat} now. If you hand the seat back, it is filled as agreed before the start.",
                name=name,
                seat=safe_line(seat),
            )
        )
        why.act(_("Hand the seat back"), "return", partial(_fact_of_chosen_seat, SeatReturned))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="drill-take"):
        if sitting != me.actor:
            why.act(_("I take the seat"), "take", partial(_fact_of_chosen_seat, SeatTaken))
        if me.facilitator:
            _draw_reassignment(state, why, seat)


def _chosen_seat() -> str | None:
    """The seat that is chosen at the press, which may differ from the seat for which the button was drawn."""
    seat: str | None = st.session_state.get("drill-seat")
    return seat


def _fact_of_chosen_seat(kind: type[SeatTaken | SeatReturned], reason: str) -> SeatTaken | SeatReturned | None:
    seat = _chosen_seat()
    return kind(seat=seat, reason=reason) if seat else None


def _draw_reassignment(state: State, why: Reasoned, seat: str) -> None:
    """Offer the seat to a person who takes it from their own page; a seat with a holder must be freed first."""
    people = stage.present(state)
    holder = next((person for person in people if seat in person.seats), None)
    if holder is not None:
        label = _("Take it from {name}", name=safe_line(holder.name, max_chars=40))
        why.act(label, "free", partial(_free_chosen_seat, holder))
        return
    could_speak = [person for person in people if person.role in ("debater", "voter", "observer")]
    others = {person.id: person for person in could_speak if person.id != why.me.actor}
    if others:
        labels = links.labels(others.values())
        st.selectbox(_("Or someone else"), [*others], key="drill-who", format_func=labels.__getitem__)
        why.act(_("Ask them to take it"), "give", partial(_give_chosen_seat, others))


def _free_chosen_seat(holder: Person, reason: str) -> PersonChanged:
    # The engine refuses if the holder does not have the seat that is chosen now.
    kept = tuple(seat for seat in holder.seats if seat != _chosen_seat())
    return PersonChanged(person=holder.model_copy(update={"seats": kept}), reason=reason)


def _give_chosen_seat(others: Mapping[str, Person], reason: str) -> PersonChanged | None:
    seat = _chosen_seat()
    person = others.get(st.session_state.get("drill-who") or "")
    if not seat or not person:
        return None
    seats = tuple(dict.fromkeys((*person.seats, seat)))
    return PersonChanged(person=person.model_copy(update={"role": "debater", "seats": seats}), reason=reason)


def _draw_another_option(state: State) -> None:
    """Draw the start of another debate, because the options of a debate never change while it runs."""
    st.markdown(_("**The room wants another option**"))
    option = (st.text_input(_("The new option"), key="drill-option", max_chars=200) or "").strip()
    if pressed(_("Set up a debate with it"), key="fork", icon=":material/fork_right:"):
        if not option:
            st.error(_("Write the new option first."), icon=":material/error:")
            return
        draft_store.begin(forked(state, option))
        st.switch_page("setup.py")
    st.caption(
        _(
            "This debate does not change. The new one starts with the same question, seats and rules, "
            "and names this one as its parent."
        )
    )
