"""Set up a past debate again: what is taken over, and the draft that set-up opens with.

A person takes over only what they may read; names come with the right to the room's list of people.
"""

from collections.abc import Iterator

import streamlit as st

from debate_core.engine.stage import present
from debate_core.errors import DebateError, UnknownDebate
from debate_core.host.access.reading import finds, is_for_hosts
from debate_core.language import _, _n, spoken_list
from debate_core.record.state import State
from debate_core.report.phrases.protocol_titles import title_of
from debate_core.ui.kit import session
from debate_core.ui.kit.click_guard import pressed
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.setup import draft_store
from debate_core.ui.setup.draft import SetupDraft
from debate_core.ui.setup.fork import CopiedPart, of_parts, sources_of_parts

_OF = "set_up_again"


def open_for(debate: str) -> None:
    """Open the dialog for this debate in the next run."""
    st.session_state[_OF] = debate


def _close() -> None:
    st.session_state.pop(_OF, None)


def draw() -> None:
    """Draw the dialog if it is open."""
    if debate := st.session_state.get(_OF):
        # Made here, because the title is in the language of this reader.
        st.dialog(_("Set up again"), on_dismiss=_close)(_draw_choice)(debate)


def _draw_choice(debate: str) -> None:
    try:
        state = _past_debate(debate)
    except DebateError as error:
        st.error(safe_text(session.told(error)), icon=":material/error:")
        return
    st.markdown(f"**{safe_line(state.spec.question)}**")
    st.caption(_("Choose what the new debate takes over. You can change all of it before the start."))
    chosen = {part for part, label in _describe_parts(state) if st.checkbox(label, value=True, key=f"again_{part}")}
    for words in _left_out(state, chosen):
        st.caption(words)
    if pressed(_("Open set-up"), key="again_open", type="primary", icon=":material/arrow_forward:"):
        _close()
        draft_store.begin(_draft(state, chosen))
        st.switch_page("setup.py")


def _past_debate(debate: str) -> State:
    """Return a debate that is over. Raise UnknownDebate if this person may not see it or its result."""
    state = session.host().state(debate)
    is_readable = session.may_look(state) and session.may_see_result(state, session.me(state))
    if not is_readable or state.outcome is None:
        raise UnknownDebate(_("This debate cannot be set up again from here."))
    return state


def _may_name(state: State) -> bool:
    """Return whether this person may take over the names: the facilitator, and the owner who finds it in a list."""
    if session.me(state).facilitator:
        return True
    for_hosts = is_for_hosts(state.spec, imported=session.host().is_imported(state.debate))
    return session.owns(state) and finds(state.ownership, session.looker(), for_hosts=for_hosts)


def _draft(state: State, chosen: set[CopiedPart]) -> SetupDraft:
    draft = of_parts(state, chosen, with_names=_may_name(state))
    if draft.room.on and not draft.room.name:
        return draft.replace(room=draft.room.replace(name=session.known_name()))
    return draft


def _describe_parts(state: State) -> Iterator[tuple[CopiedPart, str]]:
    """Yield each part that the debate has, with its content in a few words."""
    spec = state.spec
    yield "question", _("**Question** and its context")
    if spec.options:
        yield "options", _("**Options**: {options}", options=safe_line(spoken_list(spec.options)))
    if spec.has_people:
        n = len(present(state))
        yield "people", _("**People**: {n}", n=_n(n, "{n} person", "{n} people"))
    seats = _n(len(spec.seats), "{n} seat", "{n} seats")
    title = safe_line(title_of(spec.protocol.name))
    yield "rule", _("**Rule and seats**: {protocol}, {seats}", protocol=title, seats=seats)
    if spec.sources:
        titles = spoken_list([source.title for source in spec.sources])
        yield "sources", _("**Documents**: {titles}", titles=safe_line(titles))


def _left_out(state: State, chosen: set[CopiedPart]) -> Iterator[str]:
    if "people" in chosen and not _may_name(state):
        yield _("Names are left out: only its facilitator and its owner may take them over.")
    if "sources" in chosen and (n := len(state.spec.sources) - len(sources_of_parts(state, chosen))):
        yield _n(
            n,
            "{n} document is left out, because only some seats may read it.",
            "{n} documents are left out, because only some seats may read them.",
        )
