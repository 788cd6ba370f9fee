"""The three steps of set-up: the question, the material, people and rule. One is open; the draft keeps them all.

The address names the open step. Each step shows the necessary fields first and the others under *Adjust*.
"""

from collections.abc import Callable
from html import escape
from typing import Literal
from urllib.parse import quote

import streamlit as st

from debate_core.language import Words, _, message
from debate_core.ui.setup import advice, comparison, draft_store, people, precedents, question, rules, seats, servers
from debate_core.ui.setup.draft import SetupDraft
from debate_core.ui.setup.readiness import problem
from debate_core.ui.setup.taken import draw_note

OPEN = "step"
"""Name of the open step in the address, and key of the widget."""
_SHOWN = "setup_shown_step"
TITLES: Words[str] = Words({"question": "Question", "material": "Material", "people": "People and rule"})
_NEXT = {"material": message("Next: material"), "people": message("Next: people and rule")}
_ADJUST = ":material/tune:"
_ADJUSTED = (
    seats.edit_occupants,
    rules.edit_votes,
    rules.edit_rules,
    rules.edit_escalation,
    rules.edit_limits,
    comparison.edit_comparison,
    seats.edit_details,
    people.edit_details,
)
"""The sections under *Adjust* of people and rule, in order."""


def draw_steps(draft: SetupDraft, *, not_for_phones: str) -> SetupDraft:
    """Draw the open step, and save and return the updated draft. `not_for_phones` says why phones cannot connect."""
    draw_step: dict[str, Callable[[SetupDraft], SetupDraft]] = {
        "question": _edit_question,
        "material": _edit_material,
        "people": lambda typed: _edit_people(typed, not_for_phones),
    }
    step = _pick_step()
    # A field and the button to another step can arrive in the same run: read the fields of the step just left, too.
    before = st.session_state.get(_SHOWN, step)
    out_of_sight = st.empty()
    if before != step:
        with out_of_sight.container(key="step-left"):
            draft = draw_step[before](draft)
        out_of_sight.empty()
    draft = draw_step[step](draft)
    draft_store.keep(draft)
    st.session_state[_SHOWN] = step
    return draft


def link_back() -> None:
    """Draw a link to the draft that was left for this one, if there is one."""
    if name := draft_store.before():
        _draw_link(_("Back to the draft that you were writing"), f"setup?draft={quote(name)}")


def _draw_link(words: str, address: str) -> None:
    """Draw a link that loads the page: a browser that only redraws it keeps the values in its fields."""
    st.html(f'<a href="{escape(address)}" target="_self" style="color:inherit">{escape(words)}</a>')


def _pick_step() -> str:
    if st.session_state.get(OPEN) not in TITLES:
        asked = st.query_params.get(OPEN, "")
        st.session_state[OPEN] = asked if asked in TITLES else "question"
    numbers = {step: number for number, step in enumerate(TITLES, start=1)}
    step = st.segmented_control(
        _("Step"),
        list(TITLES),
        key=OPEN,
        format_func=lambda step: f":gray[{numbers[step]} · {TITLES[step]}]",
        required=True,
        width="stretch",
        label_visibility="collapsed",
    )
    st.query_params[OPEN] = step or "question"
    return step or "question"


def _edit_in_place(section: Callable[[SetupDraft], SetupDraft], draft: SetupDraft) -> SetupDraft:
    """Draw a section in its own container, so that a change in it does not close what is open below."""
    with st.container():
        return section(draft)


def _draw_next(draft: SetupDraft, step: str) -> None:
    """Draw the button to the next step; it is the main button until the debate can be started."""
    look: Literal["primary", "secondary"] = "primary" if problem(draft) else "secondary"
    with st.container(horizontal=True, horizontal_alignment="right"):
        st.button(
            _(_NEXT[step]),
            key=f"setup_to_{step}",
            icon=":material/arrow_forward:",
            type=look,
            on_click=_open_step,
            args=(step,),
        )


def _open_step(step: str) -> None:
    st.session_state[OPEN] = step


def _edit_question(draft: SetupDraft) -> SetupDraft:
    with st.container():
        question.draw_beginning(draft)
    draft = _edit_in_place(question.edit_question, draft)
    draft = _edit_in_place(question.edit_candidates if draft.rules().paired else question.edit_options, draft)
    with st.container():
        precedents.draw_precedents(draft)
    with st.container():
        draw_note(draft, "drivers")
    title = _("Adjust: drivers, kind of decision, whether to debate at all")
    with st.expander(title, icon=_ADJUST, key="setup_adjust_question"):
        question.offer_later(draft)
        draft = question.edit_yes_option(draft)
        draft = question.edit_kind_of_decision(draft)
        draft = question.edit_drivers(draft)
        draft = advice.edit_advice(draft)
        _draw_link(_("Start over with an empty draft"), "setup")
    _draw_next(draft, "material")
    return draft


def _edit_material(draft: SetupDraft) -> SetupDraft:
    draft = _edit_in_place(question.edit_sources, draft)
    draft = _edit_in_place(question.edit_background, draft)
    with st.expander(
        _("Adjust: paste a text, choose its first round and its readers"), icon=_ADJUST, key="setup_adjust_material"
    ):
        question.draw_paste(draft)
        draft = question.edit_first_rounds(draft)
        question.draw_readers(draft)
    _draw_next(draft, "people")
    return draft


def _edit_people(draft: SetupDraft, not_for_phones: str) -> SetupDraft:
    draft = _edit_in_place(lambda typed: people.edit_people(typed, not_for_phones), draft)
    with st.container():
        if not draft.people_decide():
            draft = rules.edit_need(draft)
    # Drawn first and corrected below: a line that appears late would move the buttons under the pointer.
    seats_line = st.caption(seats.seats_sentence(draft))
    with st.expander(_("Adjust: seats, votes needed, protocol, limits"), icon=_ADJUST, key="setup_adjust_people"):
        for section in _ADJUSTED:
            draft = _edit_in_place(section, draft)
        servers.draw_servers(draft)
    seats_line.caption(seats.seats_sentence(draft))
    return draft
