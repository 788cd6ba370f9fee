"""Imported files that wait for set-up."""

from functools import partial

import streamlit as st
from pydantic import ValidationError

from debate_core.host.imports.accept import ImportedDraft
from debate_core.language import _, _n
from debate_core.ui.kit import session
from debate_core.ui.kit.components import parts
from debate_core.ui.setup import draft_store
from debate_core.ui.setup.imported import of_import

_MAX_ROWS = 8
"""Rows of the list, as of other lists on the page of debates."""


def draw_kept() -> None:
    """Draw the drafts of imported files, of this account and for all; one click opens one in set-up."""
    kept = _read_kept()
    if not kept:
        return
    st.subheader(_n(len(kept), "{n} imported draft", "{n} imported drafts"), anchor=False)
    rows = [
        parts.plain_row(name, draft.title, " · ".join(draft.options) or draft.name, button=_("Set it up"))
        for name, (draft, _owner) in list(kept.items())[:_MAX_ROWS]
    ]
    chosen = parts.draw_list(rows, label=_("Imported drafts"), key="imported")
    if not chosen:
        return
    draft, owner = kept[chosen]
    draft_store.begin(of_import(draft))
    session.as_host(partial(session.host().drafts.drop_imported, chosen, owner=owner))
    st.switch_page("setup.py")


def _read_kept() -> dict[str, tuple[ImportedDraft, str]]:
    """Return the readable drafts by name, each with its owner; empty = for all."""
    kept: dict[str, tuple[ImportedDraft, str]] = {}
    for owner in dict.fromkeys((session.owner(), "")):
        for name, text in session.host().drafts.imported(owner).items():
            # A draft of an older version may be invalid.
            try:
                kept.setdefault(name, (ImportedDraft.model_validate_json(text), owner))
            except ValidationError:
                continue
    return kept
