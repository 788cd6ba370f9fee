"""The three steps of set-up: the question, the material, people and rule. One is open; the draft keeps them all.

Which one is open stands in the address. Each step shows what has to be decided first and the rest under *Adjust*.
"""

from collections.abc import Callable
from typing import Literal

import streamlit as st

from debate_core.language import Words, _, message
from debate_core.ui.setup import advice, comparison, draft_store, other_drafts, people, question, rules, seats, servers
from debate_core.ui.setup.candidates import candidates
from debate_core.ui.setup.draft import SetupDraft
from debate_core.ui.setup.readiness import problem

OPEN = "step"
"""In the address, and of the widget."""
_SHOWN = "setup_shown_step"
TITLES: Words[str] = Words({"question": "Question", "material": "Material", "people": "People and rule"})
_NEXT = {"material": message("Next: material"), "people": message("Next: people and rule")}
_ADJUST = ":material/tune:"
_ADJUSTED = (
    seats.who_sits,
    rules.votes,
    rules.rules,
    rules.limits,
    comparison.compare,
    seats.details,
    people.details,
)
"""What can be adjusted for people and rule, in its order."""


def show(draft: SetupDraft, *, not_for_phones: str) -> SetupDraft:
    """The step that is open; the draft as it stands now, kept. `not_for_phones` says why they cannot come, if so."""
    drawn: dict[str, Callable[[SetupDraft], SetupDraft]] = {
        "question": _question,
        "material": _material,
        "people": lambda typed: _people(typed, not_for_phones),
    }
    at = _open_step()
    # What was typed in the step that is being left: a field and the way on can come in one and the same visit.
    before = st.session_state.get(_SHOWN, at)
    out_of_sight = st.empty()
    if before != at:
        with out_of_sight.container(key="step-left"):
            draft = drawn[before](draft)
        out_of_sight.empty()
    draft = drawn[at](draft)
    draft_store.keep(draft)
    st.session_state[_SHOWN] = at
    return draft


def _open_step() -> str:
    if st.session_state.get(OPEN) not in TITLES:
        asked = st.query_params.get(OPEN, "")
        st.session_state[OPEN] = asked if asked in TITLES else "question"
    numbers = {step: number for number, step in enumerate(TITLES, start=1)}
    at = st.segmented_control(
        _("Step"),
        list(TITLES),
        key=OPEN,
        format_func=lambda step: f":gray[{numbers[step]} · {TITLES[step]}]",
        required=True,
        width="stretch",
        label_visibility="collapsed",
    )
    st.query_params[OPEN] = at or "question"
    return at or "question"


def _in_place(section: Callable[[SetupDraft], SetupDraft], draft: SetupDraft) -> SetupDraft:
    """A section in a place of its own: however it grows, what is open below stays open."""
    with st.container():
        return section(draft)


def _next(draft: SetupDraft, step: str) -> None:
    """The way on; it is what to do next for as long as the debate cannot be started."""
    with st.container(horizontal=True, horizontal_alignment="right"):
        words = _(_NEXT[step])
        look: Literal["primary", "secondary"] = "primary" if problem(draft) else "secondary"
        icon = ":material/arrow_forward:"
        st.button(words, key=f"setup_to_{step}", icon=icon, type=look, on_click=_open, args=(step,))


def _open(step: str) -> None:
    st.session_state[OPEN] = step


def _question(draft: SetupDraft) -> SetupDraft:
    with st.container():
        question.beginning(draft)
    draft = _in_place(question.question, draft)
    draft = _in_place(candidates if draft.rules().paired else question.options, draft)
    with st.container():
        question.drivers_to_review(draft)
    title = _("Adjust: drivers, kind of decision, whether to debate at all")
    with st.expander(title, icon=_ADJUST, key="setup_adjust_question"):
        question.later(draft)
        draft = question.yes_option(draft)
        draft = question.kind_of_decision(draft)
        draft = question.drivers(draft)
        draft = advice.advice(draft)
        other_drafts.start_over()
    _next(draft, "material")
    return draft


def _material(draft: SetupDraft) -> SetupDraft:
    draft = _in_place(question.sources, draft)
    with st.expander(_("Adjust: paste a text, from which round it is read"), icon=_ADJUST, key="setup_adjust_material"):
        question.paste(draft)
        draft = question.from_rounds(draft)
    _next(draft, "people")
    return draft


def _people(draft: SetupDraft, not_for_phones: str) -> SetupDraft:
    draft = _in_place(lambda typed: people.people(typed, not_for_phones), draft)
    with st.container():
        if not draft.people_decide():
            draft = rules.need(draft)
    # Said at once, and put right below where it has changed: a line that comes late moves what somebody is pressing.
    sit = st.caption(seats.sit_words(draft))
    with st.expander(_("Adjust: seats, votes needed, protocol, limits"), icon=_ADJUST, key="setup_adjust_people"):
        for section in _ADJUSTED:
            draft = _in_place(section, draft)
        servers.servers(draft)
    sit.caption(seats.sit_words(draft))
    return draft
