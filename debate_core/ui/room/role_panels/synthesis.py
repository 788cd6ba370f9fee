"""The synthesiser's desk: a person's own version of the synthesis, checked line by line.

The given version stays beside it; neither changes a count. Where the synthesis itself is asked of this person, the form
of the turn is drawn instead.
"""

import streamlit as st

from debate_core.engine.engine import requests
from debate_core.engine.seat_view import output_schema_of, view
from debate_core.engine.validate_content import read_content
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


def draw_synthesis_desk(state: State, me: Me) -> None:
    """Draw the desk of a synthesiser."""
    if me.role != "synthesiser" or me.person is None:
        return
    if any(r.gives == "synthesis" and r.seat in me.answers_for for r in requests(state)):
        return
    so_far = versions(state)
    with st.container(border=True, key="synthesis-desk"):
        st.subheader(_("Synthesis"), anchor=False)
        if not so_far:
            st.caption(_reason_for_none(state, me))
            return
        st.caption(safe_line(version_sentence(so_far)))
        if so_far[0].drafted == "model":
            st.badge(_("A model wrote the first draft"), color="violet", icon=":material/smart_toy:")
        elif so_far[0].drafted == "offline":
            st.badge(_("Code wrote the first draft"), color="violet", icon=":material/smart_toy:")
        _draw_form(state, me, so_far[-1])


def _reason_for_none(state: State, me: Me) -> str:
    if not any(phase.gives == "synthesis" for phase in state.spec.protocol.phases()):
        return _("These rules ask for no synthesis.")
    if state.outcome is not None:
        return _("The debate ended without a synthesis, so there is nothing to revise.")
    if any(state.spec.seat(seat).role == "synthesiser" for seat in me.answers_for):
        return _("You write the synthesis here after the last round.")
    return _("You can write your version here once the synthesis is given, after the last round.")


def _draw_form(state: State, me: Me, standing: SynthesisVersion) -> None:
    """Draw the form: it begins with the current version, and is checked on every change."""
    options = state.spec.options
    draft = FormDraft(f"{state.debate}/{me.actor}/synthesis", state.debate, me)
    sheet = synthesis_form.Sheet(
        draft,
        options,
        ground_of(state, readable_turns(state)),
        keeps_reasons=True,
        schema=output_schema_of(state.spec, "synthesis"),
    )

    def begin() -> None:
        content = standing.content
        # The answer of a draft by code is dropped: a person has to say what the debate showed.
        answer = "" if standing.drafted == "offline" else content.answer[:MAX_TEXT_CHARS]
        other_fields = {"answer": answer, "option": content.option, "confidence": content.confidence, "begun": 1}
        draft.fill(synthesis_form.lines_of(content, options) | other_fields)

    if not draft.get("begun"):
        begin()
    with st.container(horizontal=True):
        again = _("Start again from the current version")
        st.button(again, key=f"{draft.name}:again", icon=":material/restart_alt:", on_click=begin)
        turn = standing.turn
        asked = Request(turn.request, turn.seat, turn.round, turn.phase, "synthesis", turn.attempts)
        synthesis_form.code_button(draft, view(state, asked), sheet.names)
    synthesis_form.synthesis_fields(sheet)
    fields.area(draft, "reason", _("What you changed and why (may stay empty)"), max_chars=MAX_REASON_CHARS, height=70)
    checked = synthesis_form.written(sheet)
    if checked is None:
        st.caption(_("Write the answer first: what the debate showed."))
    else:
        st.caption(synthesis_form.summary(checked))
        with st.expander(_("What you change"), key=draft.place("changes")):
            changes(standing.content, Synthesis.model_validate(synthesis_form.data(draft, options)))
    session.show_problem()
    st.button(
        _("Give this version"),
        key=f"{draft.name}:send",
        type="primary",
        icon=":material/send:",
        on_click=_give_version,
        args=(state, me, sheet),
    )
    st.caption(_("Earlier versions are kept, and no count changes. Your draft is saved as you leave each field."))


def _give_version(state: State, me: Me, sheet: synthesis_form.Sheet) -> None:
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
        session.tell(_("Your version is the current one now."))
