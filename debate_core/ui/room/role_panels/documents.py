"""A document that a person adds during the debate, from a file or pasted, recorded under their name.

Reads files; the engine decides about permissions and quotes.
"""

from functools import partial

import streamlit as st

from debate_core.engine import rights
from debate_core.engine.engine import requests
from debate_core.errors import DebateError
from debate_core.host.uploads import SOURCE_TYPES, read_source
from debate_core.language import _
from debate_core.record.acts import SourceAdded
from debate_core.record.state import State
from debate_core.spec.people import LEADS
from debate_core.spec.values import Source
from debate_core.ui.kit import session
from debate_core.ui.kit.click_guard import pressed
from debate_core.ui.kit.session import Me

_EXAMPLE = SourceAdded(source=Source(id="E1", title="a", text="a"))


def draw_documents(state: State, me: Me) -> None:
    """Draw the form for a person with an open turn, or a single leader; in a room, leaders have it on their desk."""
    if state.outcome is not None:
        return
    asked = any(request.seat in me.answers_for for request in requests(state))
    if state.spec.has_people:
        offered = me.role not in LEADS and rights.fault_in_act(state, _EXAMPLE, me.actor) is None
    else:
        offered = asked or me.facilitator
    if offered:
        with st.expander(_("Bring a document"), icon=":material/note_add:", key="bring-document", type="compact"):
            session.show_problem()
            draw_document_form(state, me)


def draw_document_form(state: State, me: Me) -> None:
    """Draw the file, the text, and the button that adds it to the record."""
    st.markdown(_("**A new document**"))
    place = f"document-{state.debate}-{len(state.spec.sources)}"
    file = st.file_uploader(_("File"), type=SOURCE_TYPES, key=f"{place}-file")
    title = st.text_input(_("Title"), key=f"{place}-title", max_chars=200, placeholder=_("its first heading")) or ""
    text = st.text_area(_("Or its text"), key=f"{place}-text", height=100) or ""
    name = _("Pasted text.md")
    data = text.encode()
    if file is not None:
        name = file.name
        data = file.getvalue()
    # The key counts documents, so that two presses that cross add one document.
    may = partial(session.may_still_act, state.debate, me)
    if pressed(_("Add the document"), key=f"{place}-add", icon=":material/note_add:", may=may):
        _add_document(state, me, name, data, title=title.strip())
    st.caption(_("Every seat has it from its next turn on, and quotes of it are checked. It stays in the record."))


def _add_document(state: State, me: Me, name: str, data: bytes, *, title: str) -> None:
    try:
        source = read_source(name, data, source_id="E1")
    except DebateError as error:
        session.set_problem(error)
        st.rerun()
    if title:
        source = source.model_copy(update={"title": title})
    if session.act(state, me, SourceAdded(source=source)):
        session.tell(_("Document added: {title}", title=source.title))
    st.rerun()
