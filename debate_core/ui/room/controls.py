"""The controls of the procedure (pause, resume, skip, stop), and the choice of who I am.

In a debate with people, a name and an interest are the person's own; all else is changed by the facilitator. Knows no
rules: the engine refuses what is not allowed.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import streamlit as st

from debate_core.engine import stage
from debate_core.engine.engine import next_requests
from debate_core.engine.stage import unreached
from debate_core.host.access.admission import name_here
from debate_core.language import _
from debate_core.names import visible_name
from debate_core.record.acts import PersonChanged
from debate_core.record.commands import Pause, Resume, SkipTurn, Stop
from debate_core.record.state import Request, State
from debate_core.report.facts.terms import named
from debate_core.spec.values import in_words
from debate_core.ui.kit import session, single_keys
from debate_core.ui.kit.text import safe_line
from debate_core.ui.room.buttons import Reasoned, command_button

_SKIPPED = "skipped"
PAUSED_WITHOUT_WORDS = "paused in the room, no reason given"


def show(state: State, me: session.Me, *, is_named: bool = False) -> None:
    """Draw who I am, and the controls of the facilitator; `is_named`: the name already stands above."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _draw_who(state, me, is_named=is_named)
        # In a room with people, the facilitator has a desk.
        if not me.facilitator or state.outcome or state.spec.has_people:
            return
        if state.paused is None:
            pause_button(state, me)
        elif state.limit_met is None and not unreached(state):
            command_button(
                state,
                me,
                _("Resume"),
                Resume,
                key="resume",
                icon=":material/play_arrow:",
                shortcut=single_keys.single_key(state, me, "p"),
                type="primary",
            )
        # With its state kept, it can close over the form that opens beside it.
        with st.popover(_("Intervene"), icon=":material/gavel:", key="intervene", on_change="rerun"):
            interventions(state, me)
    session.show_problem()


def _draw_who(state: State, me: session.Me, *, is_named: bool) -> None:
    label = _("I am watching") if me.only_watches else _("I am: {words}", words=safe_line(me.words))
    if is_named:
        who = st.popover(_("Change my name"), type="tertiary", key="who", on_change="rerun")
    else:
        who = st.popover(label, icon=":material/person:", key="who", on_change="rerun")
    with who:
        if not session.may_take_part(state):
            st.caption(_("This debate belongs to someone else. You can only read it."))
        elif not state.spec.has_people:
            choose_who_i_am(state, me)
        # Drawn only when open: the room is redrawn at each change, for up to a hundred people.
        elif who.open:
            _draw_person(state, me)
        if who.open:
            single_keys.setting(state, me)


def _draw_person(state: State, me: session.Me) -> None:
    if me.person is None:
        st.caption(_("You have no part in this debate: you only watch."))
        return
    st.markdown(f"**{safe_line(me.person.name)}**, {named(me.person.role)}")
    with st.container(key="myself"), st.form(f"myself-{state.debate}", border=False):
        st.text_input(_("My name, for the record"), me.person.name, max_chars=80, key="my-name")
        st.text_input(
            _("An interest in the outcome that I declare"),
            me.person.interest,
            max_chars=300,
            key="my-interest",
            help=_("Shown to everyone and kept in the record."),
        )
        st.form_submit_button(_("Keep"), on_click=_keep_person, args=(state, me))
    st.link_button(_("Leave on this device"), f"/leave/{state.debate}", type="tertiary")


def _keep_person(state: State, me: session.Me) -> None:
    # The facilitator may have changed their role since the page was drawn.
    before = stage.person(session.host().state(state.debate), me.actor) or me.person
    if before is None:
        return
    name = name_here(state, str(st.session_state.get("my-name") or ""), but=before.id)
    interest = visible_name(str(st.session_state.get("my-interest") or ""))
    changed = before.model_copy(update={"name": name or before.name, "interest": interest})
    # Permitted in every role: the name is their own.
    session.act(state, replace(me, person=before), PersonChanged(person=changed))


def pause_button(state: State, me: session.Me) -> None:
    """Draw the button that pauses without a reason."""
    command_button(
        state,
        me,
        _("Pause"),
        partial(Pause, reason=PAUSED_WITHOUT_WORDS),
        key="pause",
        icon=":material/pause:",
        shortcut=single_keys.single_key(state, me, "p"),
    )


def choose_who_i_am(state: State, me: session.Me) -> None:
    """Draw the choice of facilitator and human seats; an empty choice means only watching."""
    # A seat taken elsewhere on the page gives this field a new key: a browser keeps sending the old value of a closed
    # popover, which would give the seat back at once.
    taken = session.times_taken()
    roles = f"roles {state.debate} {taken}"

    def changed() -> None:
        # Both the old field and the address of the browser may be out of date.
        is_outdated = session.times_taken() != taken
        chosen = session.held() if is_outdated else st.session_state[roles]
        session.hold(chosen, st.session_state["name"])

    # Code writes nothing into the fields, because a person may be typing there when the room is redrawn.
    st.pills(
        _("I take part as"),
        session.roles_of(state),
        key=roles,
        default=me.roles,
        selection_mode="multi",
        format_func=in_words,
        on_change=changed,
    )
    st.caption(_("Choose nothing to watch only. With a seat you see only what that seat may see."))
    st.text_input(_("My name, for the record"), me.name, key="name", max_chars=80, on_change=changed)


def interventions(state: State, me: session.Me) -> None:
    """Draw what the facilitator may do only with a reason for the record."""
    why = Reasoned(state, me)
    why.field()
    asked = next_requests(state)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if asked:
            request = skip_turn(why, asked)
            if state.spec.seat(request.seat).occupant != "human":
                answer = (why, asked, request)
                st.button(_("Answer it myself"), key="answer", on_click=_answer_myself, args=answer)
    st.caption(_("A skipped turn counts as an abstention. A turn that you answer for a seat is recorded as yours."))
    with st.container(horizontal=True):
        if state.paused is None:
            why.button(_("Pause for this reason"), "pause_because", Pause)
        why.button(_("Stop the debate"), "stop", Stop)


def skip_turn(why: Reasoned, asked: Mapping[str, Request]) -> Request:
    """Draw a choice among the open turns by seat, and a button that skips the chosen one; return that turn."""
    request = asked[st.selectbox(_("Open turn"), [*asked], key=_SKIPPED, format_func=in_words)]

    def skip(by: str, reason: str) -> SkipTurn:
        return SkipTurn(by=by, request=_chosen_turn(why.state, asked, request).id, reason=reason)

    # One key for each turn: a press that crosses an answer must not skip the next turn.
    why.button(_("Skip this turn"), f"skip {request.id}", skip, icon=":material/skip_next:")
    return request


def _chosen_turn(state: State, asked: Mapping[str, Request], drawn: Request) -> Request:
    """The turn that is chosen at the press.

    Once the turn it was `drawn` for is answered, the list moves on to another one; `drawn` then stays chosen.
    """
    open_now = next_requests(session.host().state(state.debate))
    if drawn not in open_now.values():
        return drawn
    return asked.get(st.session_state.get(_SKIPPED, ""), drawn)


def _answer_myself(why: Reasoned, asked: Mapping[str, Request], drawn: Request) -> None:
    request = _chosen_turn(why.state, asked, drawn)
    if why.state.spec.seat(request.seat).occupant == "human":
        return
    if not session.own_name().strip():
        why.show_missing(_("Write your name first, under “I am”: the record says who gave the turn."))
        return
    session.stand_in(why.state, request)
    st.session_state["intervene"] = False
