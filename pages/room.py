"""The room: turns stream in, people take part, whoever holds the procedure pauses, skips and stops.

Everything stands in one fragment: the transcript follows the debate by itself and reruns the rest when a phase,
turn or status has changed.
"""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from debate_core.engine.engine import requests
from debate_core.engine.seat_view import shuffled
from debate_core.engine.stage import compared_by_all, final_decision, open_poll, waits_as_agreed
from debate_core.language import _
from debate_core.record.state import Request, State
from debate_core.report.facts.agenda import agenda
from debate_core.report.facts.terms import named
from debate_core.report.words.outcome import wait_sentence
from debate_core.ui.kit import badges, debate_header, session
from debate_core.ui.kit.face import parts
from debate_core.ui.kit.places import in_places
from debate_core.ui.kit.presses import pressed
from debate_core.ui.kit.text import safe_id, safe_line
from debate_core.ui.room import controls, count, desks, evidence_rail, limit, spending, voter_shell, workers
from debate_core.ui.room.live.component import is_narrow, live_transcript
from debate_core.ui.room.live.transcript import agreed_wait, sides_read
from debate_core.ui.room.live.visibility import names_for, seat_name
from debate_core.ui.turn.form import turn_form

_UNTIL_KNOWN = """<style>@media (max-width: 639px) {
.st-key-room-columns [data-testid="stColumn"]:has(> * .st-key-to-do) { order: -1; }
}</style>"""
"""The width of a window is known one visit late: until then a phone draws what is to be done above the transcript."""


@st.fragment(key="room")
def room(debate_id: str) -> None:
    """The whole screen of one debate, for the person at this browser."""
    state = session.look_at(debate_id)
    me = session.me(state)
    narrow = is_narrow(debate_id)
    # Each part has a place that is kept on every screen, whatever is in it: a transcript that moves is another one for
    # the browser, and begins anew.
    with st.container():
        top(state, me)
    problem = st.container()
    with st.container():
        above_the_transcript(state, me, narrow=narrow)
    st.html(_UNTIL_KNOWN)
    with st.container(key="room-columns"):
        left, right = st.columns([5, 3], gap="medium")
    with left:
        transcript(state, me, narrow=narrow)
    with right:
        beside_the_transcript(state, me, narrow=narrow)
    # Some acts end the part that would show why they were refused, such as the desk of a role that changed.
    with problem:
        session.show_problem()


def top(state: State, me: session.Me) -> None:
    """Which debate it is; for somebody without a part also the way in."""
    if voter_shell.is_for(state, me):
        voter_shell.head(state)
    else:
        in_places((header, controls.show), state, me)
    desks.join_card(state, me)


def transcript(state: State, me: session.Me, *, narrow: bool) -> None:
    """What was said, and what is being said."""
    # Of voters and observers there can be hundreds.
    is_one_of_many = state.spec.has_people and me.role in ("voter", "observer")
    link = session.unfetched_link(state.debate)
    live_transcript(state, me.answers_for, soon=not is_one_of_many, narrow=narrow, link=link)


def beside_the_transcript(state: State, me: session.Me, *, narrow: bool) -> None:
    """What can be done now, who is here, and how it stands; for a voter also what others read in the header."""
    if not narrow:
        with st.container(key="to-do"):
            to_do(state, me)
    in_places((desks.side_panel, partial(how_it_stands, narrow=narrow), spending.meter), state, me)
    if voter_shell.is_for(state, me):
        in_places((standing, controls.show), state, me)
        voter_shell.foot()


def above_the_transcript(state: State, me: session.Me, *, narrow: bool) -> None:
    """What somebody writes, in the full width of the page; on a phone also what they can do now, and the ranking.

    There the right column lies below the whole transcript.
    """
    # On a phone a turn that is asked comes first, unless a vote is open: what comes next of the debate stays in sight.
    is_asked = bool(my_requests(state, me)) and open_poll(state) is None
    with st.container():
        if is_asked:
            write(state, me)
    with st.container():
        if narrow:
            to_do(state, me)
    with st.container():
        if not is_asked:
            write(state, me)
    if narrow and state.spec.protocol.paired and session.may_see_result(state, me):
        count.show_ranking(state, me.answers_for)


def is_to_compare(state: State, me: session.Me) -> bool:
    """True for somebody who is asked now which of two options is better."""
    return state.spec.protocol.paired and bool(my_requests(state, me))


def how_it_stands(state: State, me: session.Me, *, narrow: bool) -> None:
    """The evidence and the count so far, for those who may see it."""
    if not session.may_see_result(state, me):
        return
    names = names_read(state, me)
    evidence_rail.show(state, me.answers_for, blind=bool(names))
    if not state.spec.protocol.paired:
        count.show(state, me.answers_for, names)
    elif not narrow:
        count.show_ranking(state, me.answers_for)
    count.draw_warnings(state, me.answers_for, names)


def names_read(state: State, me: session.Me) -> Mapping[str, str]:
    """Seat id -> what stands for it: an alias, or its side for a person who has to answer without names."""
    return names_for(state, me.person) or sides_read(state, me.answers_for)


def header(state: State, me: session.Me) -> None:
    """The question, the agenda, and where the debate stands."""
    debate_header.show(state, "room")
    if len(steps := agenda(state)) > 2:
        parts.draw_steps(steps, key="agenda")
    standing(state, me)


def standing(state: State, me: session.Me) -> None:
    """Where the debate stands, and who is waited for."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        may_be_told = state.outcome is None or session.may_see_result(state, me)
        badges.status_badge(badges.status_of(state) if may_be_told else "over")
        badges.seat_badges(state)
        # Whoever compares two options reads these two, and not who else is waited for.
        if not is_to_compare(state, me):
            st.caption(where_we_are(state, me), width="content")
    if waits := wait_sentence(state):
        st.caption(f":material/hourglass_bottom: {safe_line(waits)}")
    workers.show(state)


def where_we_are(state: State, me: session.Me) -> str:
    """Round, phase and who is waited for, in one line."""
    if waits_as_agreed(state):
        return agreed_wait(state)
    rounds = _(
        "round {current_round} of {max_rounds}",
        current_round=max(state.current_round(), 1),
        max_rounds=state.spec.max_rounds,
    )
    if state.outcome:
        return _("ended in {rounds}", rounds=rounds)
    phase = named(state.open.slot.phase.name) if state.open else _("between phases")
    names = names_read(state, me)
    seats = dict.fromkeys(safe_line(seat_name(r.seat, names)) for r in requests(state))
    waiting = _("waiting for {seats}", seats=", ".join(seats)) if seats else _("nobody is asked")
    return f"{rounds} · {phase} · {waiting}"


def to_do(state: State, me: session.Me) -> None:
    """What this person can do now: lead, give a turn, take a seat, go on to the results."""
    sections = (limit.show, limit.show_unreached, desks.leading_desk, desks.own_desks, ways_on)
    in_places(sections, state, me)


def write(state: State, me: session.Me) -> None:
    """What takes room: a turn of mine, a judge's desk, a version of the synthesis."""
    in_places((turns_to_give, desks.writing_desks), state, me)


def my_requests(state: State, me: session.Me) -> list[Request]:
    """The open requests that I can answer now."""
    if waits_as_agreed(state):
        return []
    mine = [request for request in requests(state) if request.seat in me.answers_for]
    if any(compared_by_all(state, request.seat) for request in mine):
        # Each begins with another pair, so that two people seldom compare the same one.
        return shuffled(mine, f"{state.spec.seed}:{me.actor}:{state.current_round()}")
    return mine


def turns_to_give(state: State, me: session.Me) -> None:
    """The form of the first turn that I am asked for; others of mine wait for it."""
    mine = my_requests(state, me)
    if not mine:
        if has_compared(state, me):
            st.info(_("Your comparisons of this round are in. The next ones come when the others have given theirs."))
        return
    first, *later = mine
    stands_in = first.seat == me.stands_in
    with st.container(border=True, key="your-turn"):
        turn_form(state, first, me, n_more=len(later))
        if stands_in:
            st.button(_("Leave it to the seat"), type="tertiary", on_click=session.stand_in, args=(state, None))
        if later and not state.spec.protocol.paired:
            st.caption(_("Then: {later}.", later=", ".join(safe_id(request.seat) for request in later)))


def has_compared(state: State, me: session.Me) -> bool:
    """True for somebody who has given all comparisons of the open phase, unless it has to begin yet."""
    is_open = state.open is not None and not waits_as_agreed(state)
    return is_open and state.spec.protocol.paired and bool(me.answers_for)


def ways_on(state: State, me: session.Me) -> None:
    """After the end: the results and the record. Not the first thing to press for whoever has something to do here."""
    if not state.outcome:
        return
    leads = me.person is not None and me.role in ("facilitator", "moderator")
    has_something_to_do = leads or final_decision(state).pending or me.role in ("judge", "approver")
    with st.container(horizontal=True):
        if pressed(
            _("See the results"),
            key="see-results",
            type="secondary" if has_something_to_do else "primary",
            icon=":material/how_to_vote:",
        ):
            session.open_page("results.py", state.debate)
        if pressed(_("Check the record"), key="check-record", icon=":material/receipt_long:"):
            session.open_page("record.py", state.debate)


shown = session.debate()
room(shown.debate)
if desks.lobby.gathers(shown) and session.me(shown).facilitator:
    desks.lobby.look_again(shown.debate)
if session.host().is_web_only:
    workers.look_again(shown.debate)
