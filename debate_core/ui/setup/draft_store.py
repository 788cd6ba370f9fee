"""Storage of this browser's draft: in the session, and on the server for reloads."""

import secrets
from contextlib import suppress
from functools import partial

import streamlit as st
from pydantic import ValidationError

from debate_core.ui.kit import session
from debate_core.ui.kit.failures import UNSAVED_SETUP
from debate_core.ui.setup.draft import SetupDraft, with_key

_DRAFT = "setup_draft"
_NAME = "setup_draft_name"
_AT_FIRST = "setup_draft_at_first"
_BEFORE = "draft_before"


def load() -> SetupDraft:
    """Return the draft of the session, else the one that the server has under the name in the address."""
    name = st.session_state.get(_NAME) or st.query_params.get("draft") or secrets.token_urlsafe(9)
    st.session_state[_NAME] = name
    st.query_params["draft"] = name
    if _DRAFT not in st.session_state:
        st.session_state[_DRAFT] = _read_stored(name)
    return current()


def _read_stored(name: str) -> SetupDraft:
    # A draft of an older version of this page may be invalid.
    with suppress(ValidationError):
        if text := session.kept(_stored_name(name)):
            return SetupDraft.model_validate_json(text)
    return _with_default_models(SetupDraft())


def _with_default_models(draft: SetupDraft) -> SetupDraft:
    access = session.host().access
    return with_key(draft, access.panels, access.keys)


def _stored_name(name: str) -> str:
    return f"setup-{name[:40]}"


def current() -> SetupDraft:
    """Return the draft of the session, for callbacks."""
    draft: SetupDraft = st.session_state[_DRAFT]
    return draft


def keep(draft: SetupDraft) -> None:
    """Save the draft in the session and on the server."""
    if draft != st.session_state.get(_DRAFT):
        st.session_state[_DRAFT] = draft
        name = _stored_name(st.session_state[_NAME])
        session.keep_as_host(partial(session.host().drafts.save, name, draft.model_dump_json()), unsaved=UNSAVED_SETUP)


def change(draft: SetupDraft, **changes: object) -> None:
    """Save the draft with these changes."""
    keep(draft.replace(**changes))


def begin(draft: SetupDraft) -> None:
    """Switch to another draft, with new widgets. The draft left behind stays on the server if it has changes."""
    left: SetupDraft | None = st.session_state.get(_DRAFT)
    if left is not None and left.is_begun() and left != st.session_state.get(_AT_FIRST):
        st.session_state[_BEFORE] = _leave()
    else:
        forget()
    st.session_state[_NAME] = secrets.token_urlsafe(9)
    keep(_with_default_models(draft))
    st.session_state[_AT_FIRST] = current()


def before() -> str:
    """Return the name of the draft that was left for this one, or an empty text."""
    name: str = st.session_state.get(_BEFORE, "")
    return name


def forget() -> None:
    """Delete the draft, because it became a debate or was abandoned."""
    if name := _leave():
        session.forget(_stored_name(name))


def _leave() -> str:
    """Remove the draft from the session and the address, and return its name; empty if there is none."""
    name: str = st.session_state.get(_NAME, "")
    for name_in_address in ("draft", "step"):
        st.query_params.pop(name_in_address, None)
    st.session_state.pop("step", None)
    for key in [k for k in st.session_state if str(k).startswith("setup_")]:
        del st.session_state[key]
    return name
