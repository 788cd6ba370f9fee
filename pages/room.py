"""The room: turns stream in, people take part, whoever holds the procedure pauses, skips and stops.

Everything stands in one fragment: the transcript follows the debate by itself and reruns the rest when a phase,
turn or status has changed.
"""

import streamlit as st

from debate_core.engine import requests
from debate_core.events import Pause, Resume, SkipTurn, Stop
from debate_core.state import Request, State
from debate_core.ui import count, parts, session
from debate_core.ui.forms import turn_form
from debate_core.ui.live import is_narrow, transcript
from debate_core.ui.live.feed import flow

PAUSED_WITHOUT_WORDS = "paused in the room, no reason given"


@st.fragment(key="room")
def room(debate_id: str) -> None:
    """The whole screen of one debate, for the person at this browser."""
    state = session.host().state(debate_id)
    me = session.me(state)
    header(state)
    controls(state, me)
    mine = tuple(r for r in requests(state) if r.seat in me.seats)
    narrow = is_narrow(debate_id)
    # On a phone the form would lie below the whole transcript: there it comes first.
    if narrow and mine:
        turns_to_give(state, mine)
    left, right = st.columns([5, 3], gap="medium")
    with left:
        transcript(state, me.seats)
    with right:
        if mine and not narrow:
            turns_to_give(state, mine)
        offer_empty_seats(state, me)
        count.show(state, me.seats)
        if state.outcome:
            ways_on(state)


def header(state: State) -> None:
    """The question, where the debate stands, who is waited for."""
    st.markdown(f"### {parts.show_line(state.spec.question)}")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        parts.status_badge(status_of(state))
        parts.seat_badges(state)
        st.caption(where_we_are(state), width="content")


def status_of(state: State) -> str:
    """How the debate stands: its outcome, else running, waiting for people, or paused."""
    return state.outcome.status if state.outcome else flow(state)


def where_we_are(state: State) -> str:
    """Round, phase and who is waited for, in one line."""
    rounds = f"round {max(state.current_round(), 1)} of {state.spec.max_rounds}"
    if state.outcome:
        return f"ended in {rounds}"
    phase = f"{state.open.slot.phase.name.replace('_', ' ')}" if state.open else "between phases"
    seats = [r.seat.replace("_", " ") for r in requests(state)]
    waiting = f"waiting for {', '.join(map(parts.show_line, seats))}" if seats else "nobody is asked"
    return f"{rounds} · {phase} · {waiting}"


def controls(state: State, me: session.Me) -> None:
    """Who I am, and what the facilitator may do."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.popover(f"I am: {me.words}", icon=":material/person:"):
            choose_who_i_am(state, me)
        if not me.facilitator or state.outcome:
            return
        if state.paused is None:
            st.button(
                "Pause",
                key="pause",
                icon=":material/pause:",
                shortcut="p",
                on_click=session.send,
                args=(state.debate, Pause(by=me.actor, reason=PAUSED_WITHOUT_WORDS)),
            )
        else:
            st.button(
                "Resume",
                key="resume",
                icon=":material/play_arrow:",
                shortcut="p",
                type="primary",
                on_click=session.send,
                args=(state.debate, Resume(by=me.actor)),
            )
        with st.popover("Intervene", icon=":material/gavel:"):
            interventions(state, me)
    session.show_problem()


def choose_who_i_am(state: State, me: session.Me) -> None:
    """Facilitator, a seat kept for a person, several of them, or none: then only watching."""

    def changed() -> None:
        session.hold(st.session_state["roles"], st.session_state["name"])

    st.session_state["roles"], st.session_state["name"] = list(me.roles), me.name
    st.pills(
        "I take part as",
        session.roles_of(state),
        key="roles",
        selection_mode="multi",
        format_func=lambda role: role.replace("_", " "),
        on_change=changed,
    )
    st.caption("Choose nothing to watch only. Whoever holds a seat sees what that seat may see.")
    st.text_input("My name, for the record", key="name", max_chars=80, on_change=changed)


def interventions(state: State, me: session.Me) -> None:
    """What the facilitator does only with a reason; it goes into the record."""
    reason = st.text_input("Reason, for the record", key="reason", max_chars=500).strip()
    asked = {r.seat: r for r in requests(state)}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seat = st.selectbox("Turn to skip", [*asked], key="skipped") if asked else None
        if seat and st.button("Skip this turn", key="skip", disabled=not reason):
            act(state, SkipTurn(by=me.actor, request=asked[seat].id, reason=reason))
    st.caption("A skipped turn counts as an abstention.")
    with st.container(horizontal=True):
        if state.paused is None and st.button("Pause", key="pause_because", disabled=not reason):
            act(state, Pause(by=me.actor, reason=reason))
        if st.button("Stop the debate", key="stop", icon=":material/stop:", disabled=not reason):
            act(state, Stop(by=me.actor, reason=reason))
    if not reason:
        st.caption("Write a reason first.")


def act(state: State, command: Pause | SkipTurn | Stop) -> None:
    """Give a command and draw the room again."""
    if isinstance(command, Stop):
        session.stop(state.debate, command)
    else:
        session.submit(state.debate, command)
    st.session_state["reason"] = ""
    st.rerun(scope="fragment")


def turns_to_give(state: State, mine: tuple[Request, ...]) -> None:
    """The form of the first turn that I am asked for; others of mine wait for it."""
    with st.container(border=True, key="your-turn"):
        turn_form(state, mine[0])
        if len(mine) > 1:
            st.caption(f"Then: {', '.join(r.seat for r in mine[1:])}.")


def offer_empty_seats(state: State, me: session.Me) -> None:
    """A person is waited for and I do not hold the seat: say so, and let me take it."""
    for request in requests(state):
        if state.spec.seat(request.seat).occupant == "human" and request.seat not in me.seats:
            with st.container(border=True, horizontal=True, vertical_alignment="center"):
                st.write(f"A person is asked: **{parts.show_line(request.seat.replace('_', ' '))}**")
                st.button(
                    "Take this seat",
                    key=f"take {request.seat}",
                    on_click=session.hold,
                    args=([*me.roles, request.seat], me.name),
                )


def ways_on(state: State) -> None:
    """After the end: the results and the record."""
    if st.button("See the results", type="primary", icon=":material/how_to_vote:"):
        session.open_page("results.py", state.debate)
    if st.button("Check the record", icon=":material/receipt_long:"):
        session.open_page("record.py", state.debate)


room(session.debate().debate)
