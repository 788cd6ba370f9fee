"""Where the draft of this browser lives: in this visit, and on the server, so that a reload finds it."""

import secrets
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
    """The draft of this browser: from this visit, else what the server kept under the name in the address."""
    name = st.session_state.get(_NAME) or st.query_params.get("draft") or secrets.token_urlsafe(9)
    st.session_state[_NAME] = name
    st.query_params["draft"] = name
    if _DRAFT not in st.session_state:
        st.session_state[_DRAFT] = _kept(name)
    return current()


def _kept(name: str) -> SetupDraft:
    text = session.kept(_kept_as(name))
    try:
        return SetupDraft.model_validate_json(text) if text else _fresh(SetupDraft())
    except ValidationError:
        # Kept by an older version of this page: start afresh.
        return _fresh(SetupDraft())


def _fresh(draft: SetupDraft) -> SetupDraft:
    """A draft in which nobody was chosen yet: where a key is set, models sit."""
    access = session.host().access
    return with_key(draft, access.panels, access.keys)


def _kept_as(name: str) -> str:
    return f"setup-{name[:40]}"


def current() -> SetupDraft:
    """The draft as it stands in this visit, for callbacks."""
    draft: SetupDraft = st.session_state[_DRAFT]
    return draft


def keep(draft: SetupDraft) -> None:
    """Hold the draft, here and on the server."""
    if draft != st.session_state.get(_DRAFT):
        st.session_state[_DRAFT] = draft
        name = _kept_as(st.session_state[_NAME])
        session.keep_as_host(partial(session.host().drafts.save, name, draft.model_dump_json()), unsaved=UNSAVED_SETUP)


def change(draft: SetupDraft, **changes: object) -> None:
    """Hold the draft with these changes."""
    keep(draft.model_copy(update=changes))


def begin(draft: SetupDraft) -> None:
    """Another draft instead of the one at hand; its widgets start afresh. What was written can be taken back."""
    if _is_written():
        st.session_state[_BEFORE] = _leave()
    else:
        forget()
    st.session_state[_NAME] = secrets.token_urlsafe(9)
    keep(_fresh(draft))
    st.session_state[_AT_FIRST] = current()


def _is_written() -> bool:
    """True if somebody wrote in the draft at hand, beyond what it began with."""
    draft: SetupDraft | None = st.session_state.get(_DRAFT)
    return draft is not None and draft.is_begun() and draft != st.session_state.get(_AT_FIRST)


def before() -> str:
    """The name in the address of the draft that was left for the one at hand; empty if none was written."""
    name: str = st.session_state.get(_BEFORE, "")
    return name


def forget() -> None:
    """The draft became a debate, or is given up."""
    if name := _leave():
        session.forget(_kept_as(name))


def _leave() -> str:
    """The name under which the draft at hand is kept, where it stays; empty if there is none."""
    name: str = st.session_state.get(_NAME, "")
    for name_in_address in ("draft", "step"):
        st.query_params.pop(name_in_address, None)
    st.session_state.pop("step", None)
    for key in [k for k in st.session_state if str(k).startswith("setup_")]:
        del st.session_state[key]
    return name
