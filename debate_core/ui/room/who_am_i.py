"""Who I am in a debate with people: another name, an interest that I declare, the way out.

A name and an interest are the person's own; everything else about them is for the facilitator.
"""

from dataclasses import replace

import streamlit as st

from debate_core.engine import stage
from debate_core.host.door.admission import name_here
from debate_core.language import _
from debate_core.names import visible_name
from debate_core.record.acts import PersonChanged
from debate_core.record.state import State
from debate_core.report.facts.terms import named
from debate_core.ui.kit import session
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line


def show(state: State, me: Me) -> None:
    """Who I am: another name, an interest that I declare, and the way out."""
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
            help=_("Shown to all, and kept."),
        )
        st.form_submit_button(_("Keep"), on_click=_keep, args=(state, me))
    st.link_button(_("Leave on this device"), f"/leave/{state.debate}", type="tertiary")


def _keep(state: State, me: Me) -> None:
    # As they are now: the facilitator may have given them another role since the page was drawn.
    before = stage.person(session.host().state(state.debate), me.actor) or me.person
    if before is None:
        return
    name = name_here(state, str(st.session_state.get("my-name") or ""), but=before.id)
    interest = visible_name(str(st.session_state.get("my-interest") or ""))
    changed = before.model_copy(update={"name": name or before.name, "interest": interest})
    # Their own name is theirs in every role.
    session.act(state, replace(me, person=before), PersonChanged(person=changed))
