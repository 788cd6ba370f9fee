"""Who I am, and what whoever holds the procedure may do: pause, resume, skip a turn, stop.

Knows no rules: the engine refuses what is not allowed.
"""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from debate_core.engine.engine import next_requests
from debate_core.engine.stage import unreached
from debate_core.language import _
from debate_core.record.commands import Pause, Resume, SkipTurn, Stop
from debate_core.record.state import Request, State
from debate_core.spec.values import in_words
from debate_core.ui.kit import session, single_keys
from debate_core.ui.kit.text import safe_line
from debate_core.ui.room import who_am_i
from debate_core.ui.room.reason_field import Reasoned

_SKIPPED = "skipped"
PAUSED_WITHOUT_WORDS = "paused in the room, no reason given"


def show(state: State, me: session.Me) -> None:
    """Who I am, and what the facilitator may do."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _who(state, me)
        # With people in a room whoever leads has a desk of their own.
        if not me.facilitator or state.outcome or state.spec.has_people:
            return
        if state.paused is None:
            pause_button(state, me)
        elif state.limit_met is None and not unreached(state):
            _resume_button(state, me)
        # Its state is kept, so that it can close over the form that opens beside it.
        with st.popover(_("Intervene"), icon=":material/gavel:", key="intervene", on_change="rerun"):
            interventions(state, me)
    session.show_problem()


def _who(state: State, me: session.Me) -> None:
    label = _("I am watching") if me.only_watches else _("I am: {words}", words=safe_line(me.words))
    who = st.popover(label, icon=":material/person:", key="who", on_change="rerun")
    with who:
        if not session.may_take_part(state):
            st.caption(_("This debate belongs to somebody else: you read it."))
        elif not state.spec.has_people:
            choose_who_i_am(state, me)
        # Drawn when somebody opens it: a hundred people are drawn anew whenever the debate has news.
        elif who.open:
            who_am_i.show(state, me)
        if who.open:
            single_keys.setting(state, me)


def _resume_button(state: State, me: session.Me) -> None:
    st.button(
        _("Resume"),
        key="resume",
        icon=":material/play_arrow:",
        shortcut=single_keys.single_key(state, me, "p"),
        type="primary",
        on_click=session.send_on_click,
        args=(state.debate, me, Resume),
    )


def pause_button(state: State, me: session.Me) -> None:
    """Pauses at once; why can be said later."""
    st.button(
        _("Pause"),
        key="pause",
        icon=":material/pause:",
        shortcut=single_keys.single_key(state, me, "p"),
        on_click=session.send_on_click,
        args=(state.debate, me, partial(Pause, reason=PAUSED_WITHOUT_WORDS)),
    )


def choose_who_i_am(state: State, me: session.Me) -> None:
    """Facilitator, a seat kept for a person, several of them, or none: then only watching."""
    # A seat taken elsewhere on the page makes this another field: a browser keeps sending what a closed popover
    # held before, and would give the seat back at once.
    taken = session.times_taken()
    roles = f"roles {state.debate} {taken}"

    def changed() -> None:
        # What a browser still sends of the field before says nothing any more of which seats are held; nor does the
        # address that it still has.
        is_of_before = session.times_taken() != taken
        chosen = session.held() if is_of_before else st.session_state[roles]
        session.hold(chosen, st.session_state["name"])

    # Nothing is written into the fields: that would take away what somebody is typing there when the room has news.
    st.pills(
        _("I take part as"),
        session.roles_of(state),
        key=roles,
        default=me.roles,
        selection_mode="multi",
        format_func=in_words,
        on_change=changed,
    )
    st.caption(_("Choose nothing to watch only. Whoever holds a seat sees what that seat may see."))
    st.text_input(_("My name, for the record"), me.name, key="name", max_chars=80, on_change=changed)


def interventions(state: State, me: session.Me) -> None:
    """What the facilitator does only with a reason; it goes into the record."""
    why = Reasoned(state, me)
    why.field()
    asked = next_requests(state)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if asked:
            _about_open_turn(why, asked)
    st.caption(_("A skipped turn counts as an abstention. A turn that you answer for a seat is recorded as yours."))
    with st.container(horizontal=True):
        if state.paused is None:
            why.button(_("Pause for this reason"), "pause_because", Pause)
        why.button(_("Stop the debate"), "stop", Stop)


def skip_turn(why: Reasoned, asked: Mapping[str, Request]) -> Request:
    """Passes over the open turn that is chosen, by seat; gives that turn."""
    request = asked[st.selectbox(_("Open turn"), [*asked], key=_SKIPPED, format_func=in_words)]
    # A button for each turn: a press that crosses an answer must not skip the turn that is asked next.
    skip = partial(_skip, why, asked, request)
    why.button(_("Skip this turn"), f"skip {request.id}", skip, icon=":material/skip_next:")
    return request


def _skip(why: Reasoned, asked: Mapping[str, Request], drawn: Request, by: str, reason: str) -> SkipTurn:
    return SkipTurn(by=by, request=_chosen_turn(why.state, asked, drawn).id, reason=reason)


def _chosen_turn(state: State, asked: Mapping[str, Request], drawn: Request) -> Request:
    """The turn that is chosen as a button is pressed. Once the one it was `drawn` for is answered, the list has moved
    on to another by itself, which nobody has chosen: then still that one."""
    open_now = next_requests(session.host().state(state.debate))
    if drawn not in open_now.values():
        return drawn
    return asked.get(st.session_state.get(_SKIPPED, ""), drawn)


def _about_open_turn(why: Reasoned, asked: Mapping[str, Request]) -> None:
    request = skip_turn(why, asked)
    if why.state.spec.seat(request.seat).occupant != "human":
        st.button(_("Answer it myself"), key="answer", on_click=_answer_myself, args=(why, asked, request))


def _answer_myself(why: Reasoned, asked: Mapping[str, Request], drawn: Request) -> None:
    request = _chosen_turn(why.state, asked, drawn)
    if why.state.spec.seat(request.seat).occupant == "human":
        return
    if not session.own_name().strip():
        why.say_missing(_("Write your name first, under “I am”: the record says who gave the turn."))
        return
    session.stand_in(why.state, request)
    st.session_state["intervene"] = False
