"""The head of each page of one debate: its question, and the way to its room, results and record."""

from typing import Literal

import streamlit as st

from debate_core.record.state import State
from debate_core.ui.kit import session
from debate_core.ui.kit.text import question_title

PlaceOfDebate = Literal["room", "results", "record"]
_PLACES: dict[PlaceOfDebate, tuple[str, str]] = {
    "room": ("Room", ":material/forum:"),
    "results": ("Results", ":material/how_to_vote:"),
    "record": ("Record", ":material/receipt_long:"),
}


def show(state: State, here: PlaceOfDebate) -> None:
    """The question at the left; the place one is at is marked by the menu's own colour."""
    title, ways = st.columns([5, 3], vertical_alignment="center")
    with title:
        question_title(state.spec.question)
    with ways.container(horizontal=True, horizontal_alignment="right", gap="small", key="debate-places"):
        for place, (name, icon) in _PLACES.items():
            st.page_link(
                f"{place}.py", label=name, icon=icon, query_params=session.address_of(state), disabled=place == here
            )
