"""What an owner does with a debate: hand it over, open it to the organisation, put it away, take a name out of it.

Each of them with a reason, for the record. Knows no rules: the engine refuses what is not allowed.
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
    """The menu, for whoever is logged in and owns this debate; nothing for everybody else."""
    account = session.user_account()
    if account is None or state.ownership.owner != account.id:
        return
    menu = st.popover(_("Yours"), icon=":material/badge:", key="owner-menu", on_change="rerun", type="tertiary")
    # Drawn when somebody opens it: a room is drawn anew whenever the debate has news.
    if menu.open:
        with menu:
            _menu(state, account.id)


def _menu(state: State, owner: str) -> None:
    st.markdown(_reads(state))
    st.text_input(_("Reason, for the record"), key=_REASON, max_chars=500)
    # Here and not on the page: what is open lies above it.
    if refused := st.session_state.pop(_REFUSED, None):
        st.error(safe_text(refused), icon=":material/error:")
    with st.container(horizontal=True):
        if state.spec.terms.readers == "hosts":
            _sharing(state, owner)
        if state.outcome:
            _archiving(state, owner)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(_("E-mail address of the new owner"), key=_TO, max_chars=200)
        _button(_("Hand over"), "hand-over", owner, lambda by, reason: _hand_over(state, by, reason))
    if state.outcome:
        _name(state, owner)


def _reads(state: State) -> str:
    if state.ownership.shared:
        return _("Everybody who logs in here may read it.")
    return _("You and its people read it.") if state.spec.has_people else _("Only you read it.")


def _sharing(state: State, owner: str) -> None:
    opens = not state.ownership.shared
    label = _("Open to the organisation") if opens else _("Close to the organisation")
    _button(label, "share", owner, lambda by, reason: _act(state, by, Shared(shared=opens, reason=reason)))


def _archiving(state: State, owner: str) -> None:
    away = not state.ownership.archived
    label = _("Put into the archive") if away else _("Take out of the archive")
    _button(label, "archive", owner, lambda by, reason: _act(state, by, Archived(archived=away, reason=reason)))


def _name(state: State, owner: str) -> None:
    """Only for who has a name here; whoever leads or signs without people of its own types one too."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(_("Name to take out of the record"), key=_NAME, max_chars=80)
        _button(_("Take it out"), "erase", owner, lambda by, reason: _erase(state, by, reason))
    st.caption(
        _(
            "A record without this name takes the place of this one, and says so. The former one leaves all lists; "
            "files that others took of it stay with them."
        )
    )


def _button(label: str, key: str, owner: str, do: Callable[[str, str], None]) -> None:
    st.button(label, key=f"owner-{key}", on_click=_press, args=(label, owner, do))


def _press(label: str, owner: str, do: Callable[[str, str], None]) -> None:
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


def _act(state: State, owner: str, fact: Owning) -> None:
    session.host().submit(state.debate, Act(by=owner, act=fact))


def _hand_over(state: State, owner: str, reason: str) -> None:
    to = session.host().accounts.by_email(str(st.session_state.get(_TO, "")))
    if to.id == owner:
        raise InvalidSpec(_("This debate is yours already: name somebody else."))
    _act(state, owner, HandedOver(to=to.id, reason=reason))
    session.tell(_("It belongs to {name} from now on.", name=to.words))


def _erase(state: State, owner: str, reason: str) -> None:
    name = str(st.session_state.get(_NAME, ""))
    if session.host().state_now(state.debate).ownership.owner != owner:
        raise NotAllowed(NOT_YOURS)
    erased = session.host().erase_name(state.debate, Wish(name, owner, reason))
    if erased.left:
        session.tell(_("The name is taken out of this record, but for documents and quotes from them."))
    else:
        session.tell(_("The name is taken out of this record, which stands in the place of the former one."))
