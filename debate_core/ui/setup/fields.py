"""Widgets and keys that several parts of the set-up page share. Changes no draft."""

from collections.abc import Callable
from typing import Literal, TypeVar, get_args

import streamlit as st

from debate_core.language import Words, _
from debate_core.spec.values import in_words
from debate_core.text import capitalized
from debate_core.ui.kit.text import safe_label
from debate_core.ui.setup.draft import SeatDraft

K = TypeVar("K")
_Typed = Literal["id", "stance", "persona", "commitment", "weight", "instructions"]
Field = Literal["who", "edit"] | _Typed
_ICON_ALONE = """<style>
[class*="st-key-cross-"] [data-testid="stMarkdownContainer"] {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
</style>"""


def select_word(
    label: str,
    words: Words[K],
    chosen: K,
    *,
    key: str,
    help: str | None = None,  # noqa: A002
) -> K:
    """Draw a list of the keys of `words`, and return the chosen key."""
    keys = tuple(words)
    return st.selectbox(label, keys, keys.index(chosen), key=key, format_func=words.__getitem__, help=help)


def draw_cross(what: str, key: str, remove: Callable[[], None]) -> None:
    """Draw a small button that removes `what` from the draft."""
    draw_icon(safe_label(_("Remove {what}", what=what)), icon=":material/close:", key=key, on_click=remove)


def draw_icon(label: str, *, icon: str, key: str, on_click: Callable[[], None]) -> None:
    """Draw a small button that shows its icon alone. Screen readers read its label."""
    with st.container(width=40, key=f"cross-{key}"):
        st.html(_ICON_ALONE)
        st.button(label, icon=icon, width=40, key=key, help=label, type="tertiary", on_click=on_click)


def field_key(seat: SeatDraft, field: Field) -> str:
    """Return the widget key of a field of a seat."""
    return f"setup_seat_{seat.key}_{field}"


def as_typed(seat: SeatDraft) -> SeatDraft:
    """Return the seat with the current values of its widgets, which the draft may not contain yet."""
    shown = {field: field_key(seat, field) for field in get_args(_Typed)}
    typed = {field: st.session_state[key] for field, key in shown.items() if key in st.session_state}
    if "id" in typed:
        typed["id"] = as_id(typed["id"], seat.id)
        typed["is_named"] = seat.is_named or typed["id"] != seat.id
    if "stance" in typed:
        typed["stance"] = (typed["stance"] or "").strip()
    return seat.replace(**typed)


def name_of(seat_id: str) -> str:
    """Return `Database expert` for `database_expert`, as the field of the name shows it."""
    return capitalized(in_words(seat_id))


def as_id(typed: str | None, before: str) -> str:
    """Return the seat id for a typed name: the one `before` if the name is unchanged. An empty field is None."""
    name = (typed or "").strip()
    return before if name == name_of(before) else name.replace(" ", "_")
