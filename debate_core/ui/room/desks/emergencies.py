"""What to do when something fails: somebody takes a seat, hands it back, another option is wanted, a contested count.

Each is an act with a reason, or leads to where it belongs.
"""

from collections.abc import Callable

import streamlit as st

from debate_core.engine import stage
from debate_core.record.acts import PersonChanged, SeatReturned, SeatTaken
from debate_core.record.commands import Act
from debate_core.record.state import State
from debate_core.spec.people import Person
from debate_core.spec.values import in_words
from debate_core.ui.kit import session
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line
from debate_core.ui.room.desks import links
from debate_core.ui.room.desks.reason_field import Reasoned
from debate_core.ui.setup import draft_store
from debate_core.ui.setup.fork import forked


def show(state: State, me: Me) -> None:
    """The drills, closed until somebody needs one."""
    with st.expander("If something fails", icon=":material/emergency_home:", key="drills"):
        why = Reasoned(state, me, "drills")
        why.field()
        _seats(state, me, why)
        if me.facilitator:
            _another_option(state)
        st.markdown("**Somebody contests the count**")
        if st.button("Count again, before everybody", key="recount", icon=":material/calculate:"):
            session.open_page("results.py", state.debate)


def _seats(state: State, me: Me, why: Reasoned) -> None:
    st.markdown("**A seat does not answer**")
    seats = {s.id: in_words(s.id) + _last_words(state, s.id) for s in state.spec.seats}
    # None to begin with: in a hurry somebody would take the first seat for the one that fails.
    seat = st.selectbox(
        "Seat", [*seats], index=None, key="drill-seat", format_func=seats.__getitem__, placeholder="choose a seat"
    )
    if seat is None:
        return
    taken = stage.sitting(state).get(seat)
    if taken:
        name = safe_line(state.room.people[taken].name)
        st.caption(f"{name} speaks for {safe_line(seat)} now. Handed back, it is filled as agreed before the start.")
        why.button("Hand it back", "return", _acting(me, lambda r: SeatReturned(seat=seat, reason=r)))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="drill-take"):
        if taken != me.actor:
            why.button("I take the seat", "take", _acting(me, lambda r: SeatTaken(seat=seat, reason=r)))
        holder = next((p for p in stage.present(state) if seat in p.seats), None)
        if holder is None:
            _somebody(state, me, why, seat)
        elif me.facilitator:
            freed = holder.model_copy(update={"seats": tuple(s for s in holder.seats if s != seat)})
            words = f"Take it from {safe_line(holder.name, max_chars=40)}"
            why.button(words, "free", _acting(me, lambda r: PersonChanged(person=freed, reason=r)))


def _last_words(state: State, seat: str) -> str:
    """Whether the last turn of a seat went wrong."""
    last = next((t for t in reversed(state.turns) if t.seat == seat), None)
    return "" if last is None or last.status in ("ok", "struck", "skipped") else " · its last turn failed"


def _somebody(state: State, me: Me, why: Reasoned, seat: str) -> None:
    """A facilitator gives the seat to somebody who can hold a side; they take it from their own page."""
    others = {p.id: p for p in stage.present(state) if _could_speak(p, seat) and p.id != me.actor}
    if not me.facilitator or not others:
        return
    words = links.labels(others.values())
    chosen = st.selectbox("Or somebody else", [*others], key="drill-who", format_func=words.__getitem__)
    who = others[chosen]
    given = who.model_copy(update={"role": "debater", "seats": (*who.seats, seat)})
    why.button("Ask them to take it", "give", _acting(me, lambda r: PersonChanged(person=given, reason=r)))


def _could_speak(who: Person, seat: str) -> bool:
    return who.role in ("debater", "voter", "observer") and seat not in who.seats


def _acting(me: Me, make: Callable[[str], SeatTaken | SeatReturned | PersonChanged]) -> Callable[[str], Act]:
    return lambda reason: Act(by=me.actor, act=make(reason))


def _another_option(state: State) -> None:
    """What is voted on never changes under way: another debate begins from this one, and says so."""
    st.markdown("**The room wants another option**")
    option = st.text_input("The new option", key="drill-option", max_chars=200)
    if st.button("Set up a debate with it", key="fork", icon=":material/fork_right:"):
        if not (option or "").strip():
            st.error("Write the new option first.", icon=":material/error:")
            return
        draft_store.begin(forked(state, (option or "").strip()))
        st.switch_page("setup.py")
    st.caption("This debate stays as it is. The new one has its question, seats and rules, and names it as its parent.")
