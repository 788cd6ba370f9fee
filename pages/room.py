"""The room: turns stream in, people take part, facilitators pause, skip and stop.

All of it is one fragment. The transcript and the shared parts of the panel update without reruns; the transcript reruns
the rest when something changes that only this page can draw, such as a form.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import streamlit as st

from debate_core.engine.anchoring import is_vote_ahead
from debate_core.engine.engine import requests
from debate_core.engine.judge_view import is_asked_to_judge
from debate_core.engine.stage import compared_from, final_decision, open_poll, waits_as_agreed
from debate_core.language import _, said
from debate_core.record.state import Request, State
from debate_core.report.phrases.rules import advice_sentence
from debate_core.spec.people import LEADS
from debate_core.ui.kit import accounts, badges, debate_header, session
from debate_core.ui.kit.click_guard import pressed
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.places import in_places
from debate_core.ui.kit.text import safe_id
from debate_core.ui.results import overview, sign_off
from debate_core.ui.room import (
    bell,
    blind_first,
    controls,
    count,
    evidence_rail,
    limit,
    own_seat,
    role_panels,
    shared_parts,
    spending,
    turnout,
    voter_shell,
    workers,
)
from debate_core.ui.room.live.component import Fold, Reruns, is_narrow, live_transcript
from debate_core.ui.room.live.transcript import sides_read
from debate_core.ui.room.live.visibility import names_for
from debate_core.ui.room.role_panels.ballot import shows_decision
from debate_core.ui.turn.form import turn_form

_UNTIL_KNOWN = """<style>@media (max-width: 639px) {
.st-key-room-columns [data-testid="stColumn"]:has(> * .st-key-to-do) { order: -1; }
}
/* Beside a longer column the transcript stays in sight. */
@media (min-width: 640px) {
.st-key-room-columns [data-testid="stColumn"] [class*="st-key-transcript-"] {
  position: sticky; top: calc(var(--header, 3.75rem) + 7rem);
}
}</style>"""
"""The server learns the width of a window one visit late; until then a phone shows the tasks above the transcript."""

_IN_SIGHT = """<style>
:has(> .st-key-now) {
  position: sticky; top: var(--header, 3.75rem); z-index: 80; padding-top: 0.5rem;
  background: light-dark(#fff, #101216);
}
[data-testid=stMain]:has(.st-key-now) h3 { padding: 0; }
</style>"""
"""The header of Streamlit covers 3.75rem of a page with a menu."""


@st.fragment(key="room")
def room(debate_id: str) -> None:
    """Draw the whole screen of one debate for the person at this browser."""
    state = session.look_at(debate_id)
    me = session.me(state)
    narrow = is_narrow(debate_id)
    # Containers keep every part at the same position: the browser restarts a transcript that moves. A part that always
    # has the same number of elements needs none: a container costs the server as much as an element.
    draw_header(state, me)
    with st.container(key="now", gap=None):
        draw_now(state, me)
    with st.container():
        draw_below_header(state, me)
    problem = st.container()
    if narrow or not voter_shell.has_no_desk(state, me):
        with st.container():
            draw_above_transcript(state, me, narrow=narrow)
    with st.container(key="room-columns"):
        left, right = st.columns([5, 3], gap="medium")
    with left:
        if leads_here(state, me) or not state.spec.has_people:
            with st.container():
                if not narrow:
                    draw_moment(state, me)
        if state.spec.protocol.paired:
            with st.container():
                draw_ranking(state, me)
        link = session.unfetched_link(state.debate)
        reruns = reruns_of(state, me)
        who = {"person": me.actor, "link": link}
        fold = fold_of(state, me)
        here = role_panels.lobby.who_is_here(state, me)
        live_transcript(state, me.answers_for, reruns=reruns, narrow=narrow, fold=fold, here=here, **who)
    with right:
        draw_beside_transcript(state, me, narrow=narrow)
    # Drawn last: an act may remove the part that would show its refusal, such as the desk of a changed role.
    with problem:
        session.show_problem()


def fold_of(state: State, me: session.Me) -> Fold:
    """Return what of the transcript is folded: all of it where the decision stands above."""
    if has_decision_of_seats(state) or shows_decision(state, me):
        return "all"
    if state.spec.has_people and state.outcome is not None and final_decision(state).pending:
        # Voters wait for the result once the vote is closed, so the debate is folded for them.
        waits = voter_shell.only_votes(state, me) and "final" in state.room.polls and open_poll(state) is None
        return "all" if waits else "vote"
    return "waits" if role_panels.lobby.gathers(state) else ""


def has_decision_of_seats(state: State) -> bool:
    """True once seats without a room have decided: the decision stands above the transcript."""
    spec = state.spec
    return state.outcome is not None and not (spec.has_people or spec.protocol.paired or spec.held_elsewhere)


def draw_ranking(state: State, me: session.Me) -> None:
    """Draw the ranking of a tournament, if this person may see it."""
    if session.may_see_result(state, me):
        count.show_ranking(state, me.answers_for)


def reruns_of(state: State, me: session.Me) -> Reruns:
    """Return what redraws this person's page: only what concerns a form, for the many who vote or watch."""
    if not state.spec.has_people or me.role not in ("voter", "observer"):
        return "at_once"
    # The socket sends neither the ranking of a tournament nor the content of opened tables.
    watches_closely = state.spec.protocol.paired or bool(me.answers_for) or shared_parts.reruns_at_every_change()
    return "in_turn" if watches_closely else "for_forms"


def draw_part(state: State, me: session.Me, name: shared_parts.PartName) -> None:
    """Draw a part of the panel that the live socket keeps up to date."""
    reader = shared_parts.PanelReader(
        host=session.host(),
        holds=me.answers_for,
        names=names_read(state, me),
        sees_result=session.may_see_result(state, me),
        leads=me.role in LEADS,
        compares=state.spec.protocol.paired and bool(my_requests(state, me)),
    )
    # The socket knows neither who compares nor for which seat a leader answers now.
    is_live = not state.spec.protocol.paired and not me.stands_in
    parts.draw_live(
        shared_parts.panel_parts(state, reader, (name,))[name],
        name=name,
        debate=state.debate if is_live else "",
        version=state.version,
        on=_presses(state, me).get(name),
    )


def _presses(state: State, me: session.Me) -> Mapping[shared_parts.PartName, Mapping[str, Callable[[str], None]]]:
    """Return the functions for the buttons within shared parts."""
    return {
        "rail": {"open": evidence_rail.note_press},
        "progress": {"answered": partial(bell.answer, state, me)},
    }


def draw_header(state: State, me: session.Me) -> None:
    """Draw the question; for people with a menu also the links to the other pages of the debate, and the bell."""
    if voter_shell.is_for(state, me):
        voter_shell.head(state)
        return
    with st.container():
        debate_header.show(state, "room", partial(bell.draw, state, me))


def draw_now(state: State, me: session.Me) -> None:
    """Draw agenda, status, count and time left, which stay in sight while the page scrolls."""
    if shared_parts.has_agenda(state):
        draw_part(state, me, "agenda")
    draw_part(state, me, "status")


def draw_below_header(state: State, me: session.Me) -> None:
    """Draw the kinds of seats, without people the controls; for strangers also the way to join."""
    workers.show(state)
    if not voter_shell.is_for(state, me):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if not (state.spec.has_people or state.outcome):
                controls.show(state, me)
            badges.seat_badges(state)
    role_panels.join_card(state, me)


def draw_beside_transcript(state: State, me: session.Me, *, narrow: bool) -> None:
    """Draw tasks, people, evidence, count and the reader's own part; for a voter also the kinds of seats."""
    if not narrow:
        with st.container(key="to-do"):
            draw_tasks(state, me, narrow=narrow)
    if state.spec.has_people:
        role_panels.always_beside(state, me, narrow=narrow)
    in_places(sections_beside(state), state, me)
    if state.spec.has_people and not role_panels.lobby.has_who_i_am(state, me):
        with st.container():
            controls.show(state, me)
    if voter_shell.is_for(state, me):
        badges.seat_badges(state)
        voter_shell.foot(state, me)


def sections_beside(state: State) -> Sequence[Callable[[State, session.Me], None]]:
    """Return the sections below the tasks and the people: the same ones during all of a debate."""
    people = role_panels.SIDE_PANELS if state.spec.has_people else ()
    costs = (spending.meter,) if spending.has_models(state) else ()
    return (*people, draw_count, *costs)


def draw_above_transcript(state: State, me: session.Me, *, narrow: bool) -> None:
    """Draw the forms in the full width of the page; on a phone also the tasks.

    On a phone the right column is below the whole transcript.
    """
    if voter_shell.has_no_desk(state, me):
        if narrow:
            draw_tasks(state, me, narrow=narrow)
            role_panels.floor.draw_form(state, me)
        return
    # The form of a turn or a judgement comes first on a phone, unless a vote is open.
    has_form = bool(my_requests(state, me)) or is_asked_to_judge(state, me.actor)
    is_asked = has_form and open_poll(state) is None
    with st.container():
        if is_asked:
            draw_forms(state, me, narrow=narrow)
    with st.container():
        if narrow:
            draw_tasks(state, me, narrow=narrow)
    with st.container():
        if not is_asked:
            draw_forms(state, me, narrow=narrow)


def draw_count(state: State, me: session.Me) -> None:
    """Draw the evidence and the count so far, if this person may see them."""
    if not session.may_see_result(state, me):
        return
    draw_part(state, me, "rail")
    evidence_rail.open_pressed(state)
    if state.spec.held_elsewhere:
        return
    if advice_sentence(state.spec) or has_decision_of_seats(state) or is_vote_ahead(state):
        # Only its warnings: the count is above, or sealed for now.
        draw_part(state, me, "count")
        return
    if not state.spec.protocol.paired:
        count.draw_rule(state, me.answers_for)
    draw_part(state, me, "count")
    if not state.spec.protocol.paired:
        count.draw_twin(state, me.answers_for)


def names_read(state: State, me: session.Me) -> Mapping[str, str]:
    """Map seat ids to shown names: aliases, or sides for a person who answers without names."""
    aliases = names_for(state, me.person)
    return {seat: said(alias) for seat, alias in aliases.items()} or sides_read(state, me.answers_for)


def leads_here(state: State, me: session.Me) -> bool:
    """True for those who lead a debate with people."""
    return state.spec.has_people and me.role in LEADS


def draw_moment(state: State, me: session.Me) -> None:
    """Draw for those who lead what the moment needs instead of the debate: the way in, a vote, the decision."""
    if has_decision_of_seats(state):
        role_panels.draw_decision_of_seats(state, me)
    if not leads_here(state, me):
        return
    with st.container():
        if turnout.has_one(state):
            draw_part(state, me, "turnout")
    with st.container():
        role_panels.wide_desks(state, me, partial(draw_part, state, me, "progress"))


def draw_tasks(state: State, me: session.Me, *, narrow: bool) -> None:
    """Draw the tasks of this person: lead, vote, take a seat, go to the results; on a phone also the moment."""
    if voter_shell.has_no_desk(state, me):
        with st.container():
            draw_hindrance(state, me)
        role_panels.own_desks(state, me)
        draw_next_pages(state, me)
        return

    is_decided = shows_decision(state, me) or has_decision_of_seats(state)

    def draw_decision_here(state: State, me: session.Me) -> None:
        if narrow and is_decided:
            draw_moment(state, me)

    def draw_moment_here(state: State, me: session.Me) -> None:
        if narrow and not is_decided:
            draw_moment(state, me)

    sections = (
        limit.show,
        limit.show_unreached,
        blind_first.show,
        draw_decision_here,
        role_panels.leading_desk,
        draw_moment_here,
        draw_progress,
        role_panels.own_desks,
        role_panels.leading_tools,
        draw_next_pages,
    )
    in_places(sections, state, me)


def draw_hindrance(state: State, me: session.Me) -> None:
    """Say why the debate waits: a limit, or seats that cannot be reached."""
    limit.show(state, me)
    limit.show_unreached(state, me)


def draw_progress(state: State, me: session.Me) -> None:
    """Draw the people and their tasks for those who lead; while people gather they are beside the way in."""
    if leads_here(state, me) and not (me.facilitator and role_panels.lobby.gathers(state)):
        with st.container(border=True, key="progress"):
            draw_part(state, me, "progress")


def draw_forms(state: State, me: session.Me, *, narrow: bool) -> None:
    """Draw wide forms: a turn, a judge's desk, a version of the synthesis."""
    in_places((draw_turn_form, partial(role_panels.writing_desks, narrow=narrow)), state, me)


def my_requests(state: State, me: session.Me) -> list[Request]:
    """The open requests that this person can answer now."""
    if waits_as_agreed(state):
        return []
    mine = [request for request in requests(state) if request.seat in me.answers_for]
    shared = {turn: place for place, turn in enumerate(compared_from(state, me.actor))}
    return sorted(mine, key=lambda request: shared.get(request.turn(), -1))


def draw_turn_form(state: State, me: session.Me) -> None:
    """Draw the form of this person's first open turn, and name their other ones."""
    mine = my_requests(state, me)
    if not mine:
        draw_no_turn(state, me)
        return
    first, *later = mine
    stands_in = first.seat == me.stands_in
    with st.container(border=True, key="your-turn"):
        turn_form(state, first, me, n_more=len(later))
        if stands_in:
            st.button(_("Leave it to the seat"), type="tertiary", on_click=session.stand_in, args=(state, None))
        if later and not state.spec.protocol.paired:
            st.caption(_("Then: {later}.", later=", ".join(safe_id(request.seat) for request in later)))


def draw_no_turn(state: State, me: session.Me) -> None:
    """Say what a person with a seat waits for; nothing for others."""
    if state.open is None:
        return
    if waits_as_agreed(state):
        if state.room.begun and not me.facilitator and not set(me.answers_for).isdisjoint(state.open.speakers):
            st.info(_("You speak as soon as the facilitator lets the round begin."))
        return
    if state.spec.protocol.paired and me.answers_for:
        st.info(_("Your comparisons of this round are in. The next ones come when the others have given theirs."))
    else:
        own_seat.draw(state, me, names_read(state, me))


def _needs_next_pages(state: State, me: session.Me) -> bool:
    if not state.spec.has_people:
        return True
    return voter_shell.is_for(state, me) and not final_decision(state).pending


def draw_next_pages(state: State, me: session.Me) -> None:
    """Draw buttons to the results and the record after the end, secondary ones if this person has a task here.

    Without people in the debate, the person at the screen signs on the results. In a debate with people only voters
    need them, once the vote is counted: the header of all others has the same links.
    """
    if not state.outcome or not _needs_next_pages(state, me):
        return
    has_task = False
    with st.container(horizontal=True):
        if not state.spec.has_people:
            label, has_task = overview.next_act(accounts.at_page(state, me.answers_for))
            if has_task and pressed(label, key="sign-here", type="primary", icon=":material/draw:"):
                sign_off.open_desk()
                session.open_page("results.py", state.debate)
        if pressed(
            _("See the results"),
            key="see-results",
            type="secondary" if has_task else "primary",
            icon=":material/how_to_vote:",
        ):
            session.open_page("results.py", state.debate)
        if state.spec.has_people and pressed(_("Check the record"), key="check-record", icon=":material/receipt_long:"):
            session.open_page("record.py", state.debate)


shown = session.debate()
st.html(_IN_SIGHT + _UNTIL_KNOWN)
room(shown.debate)
if session.host().health.is_web_only:
    workers.look_again(shown.debate)
