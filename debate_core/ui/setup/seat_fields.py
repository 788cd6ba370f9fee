"""The fields of one seat of a draft: their keys, and what stands in them as a button is pressed."""

from typing import Literal, get_args

import streamlit as st

from debate_core.ui.setup.draft import SeatDraft

_Typed = Literal["id", "stance", "persona", "commitment", "weight"]
Field = Literal["who"] | _Typed


def field_key(seat: SeatDraft, field: Field) -> str:
    """The key of the widget."""
    return f"setup_seat_{seat.key}_{field}"


def as_typed(seat: SeatDraft) -> SeatDraft:
    """The seat with all that is typed about it now, which the draft may not have taken in yet."""
    shown = {field: field_key(seat, field) for field in get_args(_Typed)}
    typed = {field: st.session_state[key] for field, key in shown.items() if key in st.session_state}
    if "id" in typed:
        typed["id"] = as_id(typed["id"])
    return seat.model_copy(update=typed)


def as_id(name: str | None) -> str:
    """The id of a seat for what is typed as its name."""
    return (name or "").strip()
