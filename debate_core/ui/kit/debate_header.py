"""The head of each page of one debate: its question, and the way to its room, results and record."""

from typing import Literal

import streamlit as st

from debate_core.language import _, message
from debate_core.record.state import State
from debate_core.ui.kit import owner_menu, session
from debate_core.ui.kit.text import question_title

PlaceOfDebate = Literal["room", "results", "record"]
_PLACES: dict[PlaceOfDebate, tuple[str, str]] = {
    "room": (message("Room"), ":material/forum:"),
    "results": (message("Results"), ":material/how_to_vote:"),
    "record": (message("Record"), ":material/receipt_long:"),
}


# What the page is about comes first: no empty lines above and below its title, and on a phone a title of its size.
_LOW = """<style>
.st-key-debate-head h1 { padding: 0; font-size: 1.5rem }
@media (max-width: 640px) {
  [data-testid=stMainBlockContainer]:has(.st-key-debate-head) { padding-top: 3.5rem; padding-bottom: 3rem }
  .st-key-debate-head h1 { padding-bottom: 0.3rem; font-size: 1.0625rem }
  .st-key-debate-head { gap: 0.25rem }
}
</style>"""


def show(state: State, here: PlaceOfDebate) -> None:
    """The question at the left; the place one is at is marked by the menu's own colour."""
    with st.container(key="debate-head"):
        st.html(_LOW)
        _show(state, here)


def _show(state: State, here: PlaceOfDebate) -> None:
    title, ways = st.columns([5, 3], vertical_alignment="center")
    with title:
        question_title(state.spec.question)
    with ways.container(
        horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="small", key="debate-places"
    ):
        for place, (name, icon) in _PLACES.items():
            # What is disabled is too faint to be read; the page one is at has a ground of its own.
            with st.container(key=f"at-{place}" if place == here else f"to-{place}", width="content"):
                st.page_link(f"{place}.py", label=_(name), icon=icon, query_params=session.address_of(state))
        owner_menu.show(state)
