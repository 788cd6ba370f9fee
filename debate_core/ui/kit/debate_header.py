"""The header of each page of a debate: its question, links to room, results and record, and the owner's menu."""

from collections.abc import Callable
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
    "record": (message("Full record"), ":material/receipt_long:"),
}
# A compact header: no blank lines around the title, and a smaller title on a phone.
_LOW = """<style>
.st-key-debate-head { padding-bottom: 0.4rem }
.st-key-debate-head h1 { padding: 0; font-size: 1.5rem }
@media (max-width: 640px) {
  [data-testid=stMainBlockContainer]:has(.st-key-debate-head) { padding-bottom: 3rem }
  .st-key-debate-head h1 { font-size: 1.0625rem; line-height: 1.25 }
  .st-key-debate-head, .st-key-debate-head [data-testid=stHorizontalBlock] { gap: 0 0.25rem; padding: 0 }
  .st-key-debate-head [data-testid=stMarkdownContainer]:has(h1) { margin-bottom: 0 }
  .st-key-debate-head .st-key-debate-places { padding-top: 6px }
  .st-key-debate-places :has(> [data-testid=stIconMaterial]) { display: none }
  .st-key-debate-places > :has(.st-key-bell) { order: -1; margin-right: auto }
}
</style>"""


def show(state: State, here: PlaceOfDebate, draw_last: Callable[[], None] = lambda: None) -> None:
    """Draw the header; `here` is the highlighted page, and `draw_last` draws what comes after the links."""
    with st.container(key="debate-head"):
        st.html(_LOW)
        title, links = st.columns([5, 3], vertical_alignment="center")
        with title:
            question_title(state.spec.question)
        with links.container(
            horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="small", key="debate-places"
        ):
            if state.spec.match_of and session.may_host():
                tournament = {"id": state.spec.match_of.debate}
                st.page_link("results.py", label=_("Tournament"), icon=":material/arrow_back:", query_params=tournament)
            for place, (name, icon) in _PLACES.items():
                # The current page is highlighted, not disabled: disabled links are too faint to read.
                with st.container(key=f"at-{place}" if place == here else f"to-{place}", width="content"):
                    st.page_link(f"{place}.py", label=_(name), icon=icon, query_params=session.address_of(state))
            owner_menu.show(state)
            draw_last()
