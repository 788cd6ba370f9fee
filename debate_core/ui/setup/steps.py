"""The three steps of set-up: the question, the material, people and rule. One is open; the draft keeps them all.

The address names the open step. Each step shows the necessary fields first; every other setting is a row with its
present value, which opens its fields.
"""

from collections.abc import Callable, Mapping
from html import escape
from typing import Literal
from urllib.parse import quote

import streamlit as st

from debate_core.language import Words, _, message
from debate_core.text import capitalized
from debate_core.ui.kit.text import safe_label
from debate_core.ui.setup import (
    advice,
    comparison,
    draft_store,
    people,
    precedents,
    question,
    rules,
    seats,
    servers,
)
from debate_core.ui.setup.draft import SetupDraft
from debate_core.ui.setup.readiness import question_fault
from debate_core.ui.setup.sections import Edit, Rows, edit_rows
from debate_core.ui.setup.taken import draw_note

OPEN = "step"
"""Name of the open step in the address, and key of the widget."""
TITLES: Words[str] = Words({"question": "Question", "material": "Material", "people": "People and rule"})
_NEXT = {
    "question": ("material", message("Next: material")),
    "material": ("people", message("Next: people and rule")),
}
"""The step after each one, with the words of its button."""


def draw_steps(draft: SetupDraft, *, warn_of_address: Callable[[], None]) -> SetupDraft:
    """Draw the open step, and save and return the updated draft.

    `warn_of_address` draws why phones may not connect; nothing if they can.
    """
    draw_step: dict[str, Edit] = {
        "question": _edit_question,
        "material": _edit_material,
        "people": lambda typed: _edit_people(typed, warn_of_address),
    }
    draft = _edit_chosen(draft, _pick_step(), draw_step, place="step")
    draft_store.keep(draft)
    return draft


def _edit_chosen(draft: SetupDraft, chosen: str, parts: Mapping[str, Edit], *, place: str) -> SetupDraft:
    """Draw the chosen part; "" = none.

    The last field of another part can arrive in the same run: that part is read, too.
    """
    key = f"setup_shown_{place}"
    before: str = st.session_state.get(key, "")
    out_of_sight = st.empty()
    if before in parts and before != chosen:
        with out_of_sight.container(key=f"left-{place}"):
            draft = parts[before](draft)
        out_of_sight.empty()
    st.session_state[key] = chosen
    return parts[chosen](draft) if chosen in parts else draft


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


def _edit_rows(draft: SetupDraft, rows: Rows) -> SetupDraft:
    """Draw the rows of a step, with the fields of the open one."""
    edits = rows.edits()
    return edit_rows(draft, rows, lambda typed: _edit_chosen(typed, rows.chosen(), edits, place=f"section-{rows.step}"))


def _each(*edits: Edit) -> Edit:
    """Join parts of a section; each has its own container, so that a change in it moves none of the others."""

    def edit(draft: SetupDraft) -> SetupDraft:
        for part in edits:
            with st.container():
                draft = part(draft)
        return draft

    return edit


def _drawn(draw: Callable[[SetupDraft], None]) -> Edit:
    """Return a part that changes nothing in the draft directly."""

    def edit(draft: SetupDraft) -> SetupDraft:
        draw(draft)
        return draft

    return edit


def draw_main_button(draft: SetupDraft, *, ready: bool) -> bool:
    """Draw the main button of the open step in the card; return whether the debate shall start.

    The first two steps lead to the next one, and offer the start once nothing is missing. The last step starts. Its
    button is disabled while the first step is incomplete. Other faults keep it enabled: a press that leaves the last
    field meets the button as it was before that input.
    """
    step: str = st.session_state[OPEN]
    if following := _NEXT.get(step):
        with st.container(key="setup-next", gap="xsmall"):
            _draw_step_button(_(following[1]), following[0], "primary")
            return ready and st.button(_("Start debate"), key="start_debate", width="stretch")
    fault = question_fault(draft)
    if fault:
        _draw_step_button(f":red[{safe_label(capitalized(fault))}]", "question", "tertiary")
    look: Literal["primary", "secondary"] = "primary" if ready or fault else "secondary"
    return st.button(_("Start debate"), key="start_debate", type=look, width="stretch", disabled=bool(fault))


def _draw_step_button(label: str, step: str, look: Literal["primary", "tertiary"]) -> None:
    icon = ":material/arrow_back:" if look == "tertiary" else ":material/arrow_forward:"
    st.button(label, key=f"setup_to_{step}", icon=icon, type=look, width="stretch", on_click=open_step, args=(step,))


def open_step(step: str) -> None:
    """Open another step, in a callback."""
    st.session_state[OPEN] = step


def _edit_question(draft: SetupDraft) -> SetupDraft:
    options = question.edit_candidates if draft.rules().paired else question.edit_options
    first = _each(question.edit_question, options, _drawn(precedents.draw_precedents), _drawn(question.draw_beginning))
    draft = first(draft)
    with st.container():
        draw_note(draft, "drivers")
    sections = {
        "drivers": question.edit_drivers,
        "kind": _each(question.edit_yes_option, question.edit_kind_of_decision),
        "method": advice.edit_advice,
    }
    draft = _edit_rows(draft, Rows("question", {}, sections))
    if draft.is_begun():
        _draw_link(_("Start over with an empty draft"), "setup")
    return draft


def _edit_material(draft: SetupDraft) -> SetupDraft:
    draft = _each(question.edit_sources, _drawn(question.draw_paste), question.edit_background)(draft)
    if draft.sources:
        readers = _each(question.edit_first_rounds, _drawn(question.draw_readers))
        draft = _edit_rows(draft, Rows("material", {}, {"readers": readers}))
    return draft


def _edit_people(draft: SetupDraft, warn_of_address: Callable[[], None]) -> SetupDraft:
    warn = _drawn(lambda typed: warn_of_address() if typed.room.on else None)
    draft = _each(rules.edit_protocol, people.edit_decider, seats.edit_judge, rules.edit_votes)(draft)
    first: dict[str, Edit] = {
        "people": _each(people.edit_people, warn),
        "seats": _each(seats.edit_seats, _drawn(servers.draw_servers)),
        "course": _each(
            rules.edit_rounds, people.edit_steps, rules.edit_questions, rules.edit_soft_stops, seats.edit_early_end
        ),
        "time": _each(people.edit_time, rules.edit_wait),
    }
    more: dict[str, Edit] = {
        "counting": rules.edit_counting,
        "polls": people.edit_polls,
        "undecided": rules.edit_escalation,
        "protocol": _each(seats.edit_chair, rules.edit_treatment, seats.edit_rotation, rules.edit_output_schema),
        "roles": _each(people.edit_readers, seats.edit_roles, people.edit_synthesiser),
        "limits": _each(rules.edit_limits, comparison.edit_comparison),
    }
    if draft.counted_rule() is None:
        del more["counting"]
    if not draft.room.on:
        del more["polls"]
    if not draft.room.on and not seats.has_roles(draft):
        del more["roles"]
    if not rules.has_limits(draft):
        del more["limits"]
    # In a tournament people compare, if they take part at all.
    needs_people = draft.decider() == "panel" or draft.room.listed or draft.rules().paired
    return _edit_rows(draft, Rows("people", first, more, opens="people" if needs_people else ""))
