"""The synthesiser's desk: a person's own version of the synthesis that was given, checked line by line.

The version that was given stays beside it; neither changes a count. Where the synthesis itself is asked of this
person, the form of the turn is drawn instead.
"""

import streamlit as st

from debate_core.engine.content_faults import read_content
from debate_core.engine.engine import requests
from debate_core.engine.seat_view import view
from debate_core.errors import BadReply
from debate_core.language import _
from debate_core.record.state import Request, State
from debate_core.report.facts.synthesis import SynthesisVersion, version_sentence, versions
from debate_core.report.facts.synthesis_checks import ground_of
from debate_core.report.facts.turns import readable_turns
from debate_core.spec.contents import Synthesis
from debate_core.spec.values import MAX_TEXT_CHARS
from debate_core.ui.kit import session
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line
from debate_core.ui.results.synthesis import changes
from debate_core.ui.turn import fields, synthesis_form

MAX_REASON_CHARS = 500
_SYNTHESISER = "synthesiser"


def show(state: State, me: Me) -> None:
    """The desk of whoever is here as synthesiser."""
    if me.role != _SYNTHESISER or me.person is None:
        return
    if any(r.gives == "synthesis" and r.seat in me.answers_for for r in requests(state)):
        return
    so_far = versions(state)
    with st.container(border=True, key="synthesis-desk"):
        st.subheader(_("Synthesis"), anchor=False)
        if not so_far:
            st.caption(_nothing_yet(state))
            return
        st.caption(safe_line(version_sentence(versions(state))))
        first = so_far[0]
        if first.drafted in ("model", "offline"):
            by_model = first.drafted == "model"
            words = _("A model wrote the first draft") if by_model else _("Code wrote the first draft")
            st.badge(words, color="violet", icon=":material/smart_toy:")
        _version(state, me, so_far[-1])


def _nothing_yet(state: State) -> str:
    if not any(p.gives == "synthesis" for p in state.spec.protocol.phases()):
        return _("These rules ask nobody for a synthesis.")
    if state.outcome is not None:
        return _("The debate ended before a synthesis was given: there is nothing to write a version of.")
    return _("You write here once the synthesis was given. It comes after the last round; until then, read along.")


def _version(state: State, me: Me, standing: SynthesisVersion) -> None:
    """The form: it begins with what stands, and is checked on every change."""
    options = state.spec.options
    draft = FormDraft(f"{state.debate}/{me.actor}/synthesis", state.debate, me)
    sheet = synthesis_form.Sheet(draft, options, ground_of(state, readable_turns(state)), keeps_reasons=True)
    if not draft.get("begun"):
        _begin(draft, standing, options)
    with st.container(horizontal=True):
        st.button(
            _("Begin again with what stands"),
            key=f"{draft.name}:again",
            icon=":material/restart_alt:",
            on_click=_begin,
            args=(draft, standing, options),
        )
        turn = standing.turn
        asked = Request(turn.request, turn.seat, turn.round, turn.phase, "synthesis", turn.attempts)
        synthesis_form.code_button(draft, view(state, asked), sheet.names)
    synthesis_form.synthesis_fields(sheet)
    fields.area(draft, "reason", _("What you changed and why (may stay empty)"), max_chars=MAX_REASON_CHARS, height=70)
    _before_giving(sheet, standing)
    session.show_problem()
    st.button(
        _("Give this version"),
        key=f"{draft.name}:send",
        type="primary",
        icon=":material/send:",
        on_click=_give,
        args=(state, me, sheet),
    )
    st.caption(_("The version before it is kept, and no count changes. Your draft is kept as you leave each field."))


def _before_giving(sheet: synthesis_form.Sheet, standing: SynthesisVersion) -> None:
    checked = synthesis_form.written(sheet)
    if checked is None:
        st.caption(_("Write the answer first: what the debate showed."))
        return
    st.caption(synthesis_form.summary(checked))
    with st.expander(_("What you change"), key=sheet.draft.place("changes")):
        changes(standing.content, Synthesis.model_validate(synthesis_form.data(sheet.draft, sheet.options)))


def _begin(draft: FormDraft, standing: SynthesisVersion, options: tuple[str, ...]) -> None:
    """What stands, but for an answer by code: what the debate showed is for a person to say."""
    content = standing.content
    answer = "" if standing.drafted == "offline" else content.answer[:MAX_TEXT_CHARS]
    other_fields = {"answer": answer, "option": content.option, "confidence": content.confidence, "begun": 1}
    draft.fill(synthesis_form.lines_of(content, options) | other_fields)


def _give(state: State, me: Me, sheet: synthesis_form.Sheet) -> None:
    try:
        data = synthesis_form.data(sheet.draft, sheet.options)
        content = read_content(state.spec, "synthesis", data, asks_ballot=False)
        assert isinstance(content, Synthesis)
        own = synthesis_form.answered_for(sheet, content)
    except BadReply as error:
        session.set_problem(error)
        return
    if session.act(state, me, synthesis_form.as_version(content, own, sheet.draft.text("reason"))):
        sheet.draft.drop()
        session.tell(_("Your version stands now."))
