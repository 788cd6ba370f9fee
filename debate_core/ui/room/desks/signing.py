"""Who signs, where nobody was named for it, and the decision record once somebody has: one press each for who leads."""

from collections.abc import Mapping

import streamlit as st

from debate_core.engine import stage
from debate_core.language import _
from debate_core.record.acts import PersonChanged
from debate_core.record.state import State
from debate_core.report.files.adr.record import decision_record
from debate_core.ui.kit import accounts, session
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_label
from debate_core.ui.results.sections import sealed_here

MANY = 20
"""More people than this are chosen under *Who is here*."""
_KEY = "who-signs"


def show(state: State, me: Me) -> None:
    """Nothing before the decision; nothing for those who do not facilitate."""
    if not me.facilitator or state.outcome is None or stage.final_decision(state).pending:
        return
    if stage.signature(state) is not None:
        _record(state)
    elif not _has_approver(state):
        _choose(state, me, {person.id: person.name for person in stage.present(state) if person.role == "voter"})


def _has_approver(state: State) -> bool:
    return any(person.role == "approver" for person in stage.present(state))


def _choose(state: State, me: Me, voters: Mapping[str, str]) -> None:
    """One of these voters signs; their names by id."""
    if not voters or len(voters) > MANY:
        st.caption(_("Nobody here may sign: give somebody the role of approver under “Who is here”."))
        return
    st.pills(
        _("Who signs the decision?"),
        list(voters),
        key=_KEY,
        format_func=lambda person: f":gray[{safe_label(voters[person], max_chars=40)}]",
        on_change=_chosen,
        args=(state, me),
        help=_("They become approver, keep their vote, and sign on their own screen."),
    )


def _chosen(state: State, me: Me) -> None:
    # A browser may send the field once more after it has gone: one choice is one act.
    now = session.host().state(state.debate)
    if stage.signature(now) is not None or _has_approver(now):
        return
    person = stage.person(now, st.session_state.get(_KEY) or "")
    if person is not None:
        changed = person.model_copy(update={"role": "approver"})
        session.act(state, me, PersonChanged(person=changed, reason="signs the decision"))


def _record(state: State) -> None:
    account = accounts.mine(state)
    if sealed_here(account) or account.hides_turns:
        return
    record = decision_record(accounts.public(account))
    st.download_button(
        _("Download the decision record"),
        record.text.encode(),
        record.name,
        "text/markdown",
        key="take-record",
        icon=":material/download:",
        on_click="ignore",
    )
