"""The owner's menu of a debate: hand it over, share it with the organisation, archive it, remove a name.

Each action needs a reason for the record. Knows no rules: the engine refuses what is not allowed.
"""

from collections.abc import Callable

import streamlit as st

from debate_core.errors import DebateError, InvalidSpec, NotAllowed
from debate_core.host.erasure import Wish
from debate_core.language import _
from debate_core.record.acts import Archived, HandedOver, Owning, Shared
from debate_core.record.commands import Act
from debate_core.record.state import State
from debate_core.ui.kit import session
from debate_core.ui.kit.failures import NOT_YOURS
from debate_core.ui.kit.text import safe_text

_REASON, _TO, _NAME, _REFUSED = "owner-reason", "owner-to", "owner-name", "owner-refused"


def show(state: State) -> None:
    """Draw the menu for the owner of this debate."""
    account = session.user_account()
    if account is None or state.ownership.owner != account.id:
        return
    menu = st.popover(_("Yours"), icon=":material/badge:", key="owner-menu", on_change="rerun", type="tertiary")
    # A room is redrawn often: draw the content only while the menu is open.
    if menu.open:
        with menu:
            _draw_menu(state, account.id)


def _draw_menu(state: State, owner: str) -> None:
    shared, archived = state.ownership.shared, state.ownership.archived
    st.markdown(_readers_sentence(state))
    st.text_input(_("Reason, for the record"), key=_REASON, max_chars=500)
    # Drawn here because the open menu covers the page.
    if refused := st.session_state.pop(_REFUSED, None):
        st.error(safe_text(refused), icon=":material/error:")
    with st.container(horizontal=True):
        if state.spec.terms.readers == "hosts":
            label = _("Close to the organisation") if shared else _("Open to the organisation")
            _draw_button(
                label, "share", owner, lambda by, reason: _submit(state, by, Shared(shared=not shared, reason=reason))
            )
        if state.outcome:
            label = _("Restore from the archive") if archived else _("Archive debate")
            _draw_button(
                label,
                "archive",
                owner,
                lambda by, reason: _submit(state, by, Archived(archived=not archived, reason=reason)),
            )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(_("E-mail address of the new owner"), key=_TO, max_chars=200)
        _draw_button(_("Hand over"), "hand-over", owner, lambda by, reason: _hand_over(state, by, reason))
    if state.outcome:
        _draw_name_removal(state, owner)


def _readers_sentence(state: State) -> str:
    if state.ownership.shared:
        return _("Everyone who logs in here may read it.")
    return _("You and its people can read it.") if state.spec.has_people else _("Only you can read it.")


def _draw_name_removal(state: State, owner: str) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(_("Name to remove from the record"), key=_NAME, max_chars=80)
        _draw_button(_("Remove name"), "erase", owner, lambda by, reason: _erase(state, by, reason))
    st.caption(
        _(
            "A record without this name replaces this one, and says so. The old record disappears from all lists; "
            "downloaded files are not changed."
        )
    )


def _draw_button(label: str, key: str, owner: str, do: Callable[[str, str], None]) -> None:
    st.button(label, key=f"owner-{key}", on_click=_run_action, args=(label, owner, do))


def _run_action(label: str, owner: str, do: Callable[[str, str], None]) -> None:
    reason = str(st.session_state.get(_REASON, "")).strip()
    if not reason:
        st.session_state[_REFUSED] = _("{label}: write a reason first, the record keeps it.", label=label)
        return
    try:
        session.as_owner(owner, lambda by: do(by, reason))
    except DebateError as error:
        st.session_state[_REFUSED] = session.told(error)
    else:
        st.session_state[_REASON] = ""


def _submit(state: State, owner: str, fact: Owning) -> None:
    session.host().submit(state.debate, Act(by=owner, act=fact))


def _hand_over(state: State, owner: str, reason: str) -> None:
    to = session.host().accounts.by_email(str(st.session_state.get(_TO, "")))
    if to.id == owner:
        raise InvalidSpec(_("This debate is already yours: name someone else."))
    _submit(state, owner, HandedOver(to=to.id, reason=reason))
    session.tell(_("The debate now belongs to {name}.", name=to.words))


def _erase(state: State, owner: str, reason: str) -> None:
    name = str(st.session_state.get(_NAME, ""))
    if session.host().state_now(state.debate).ownership.owner != owner:
        raise NotAllowed(NOT_YOURS)
    erased = session.host().erase_name(state.debate, Wish(name, owner, reason))
    if erased.left:
        session.tell(_("The name is removed from this record, except from documents and quotes from them."))
    else:
        session.tell(_("The name is removed. This record replaces the old one."))
