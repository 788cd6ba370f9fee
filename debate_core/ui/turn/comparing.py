"""Compare two options with one press; the next pair follows at once.

Made for a phone: first the texts, then the buttons, then one line for the reason, which few people write.
"""

from functools import partial
from typing import Literal

import streamlit as st

from debate_core.engine.schedule import request_of
from debate_core.engine.seat_view import View
from debate_core.engine.stage import compared_by_all
from debate_core.engine.validate_content import NO_REASON
from debate_core.language import _, _n
from debate_core.record.commands import TakeTurn
from debate_core.record.state import Request, State
from debate_core.spec.contents import Verdict
from debate_core.spec.values import Source
from debate_core.ui.kit import session, single_keys
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_label, safe_line, safe_text
from debate_core.ui.turn.fields import MAX_LINE_CHARS

FOLDED = 130
"""Characters of a text that are shown at once; an expander has the rest."""
LABEL_CHARS = 70
_LARGE = """<style>.st-key-better { flex-wrap: nowrap; align-items: stretch; }
.st-key-better button { min-height: 56px; height: 100%; }
.st-key-better button p { white-space: normal; overflow-wrap: anywhere; }</style>"""
"""Large buttons for thumbs, side by side, with names of several lines."""


def show(state: State, request: Request, draft: FormDraft, seen: View, me: Me, n_more: int) -> None:
    """Draw the pair of this request and the three answers; `n_more` pairs follow for the same person."""
    st.markdown(f"**{_('Which one is better?')}** {_progress_words(state, request, me, n_more)}")
    _draw_texts(draft, seen)
    session.show_problem()
    st.html(_LARGE)

    def answer(label: str, option: str | None, key: str, look: Literal["primary", "secondary"]) -> None:
        st.button(
            label,
            key=f"{draft.name}:is {key}",
            type=look,
            width="stretch",
            shortcut=single_keys.single_key(state, me, key),
            on_click=_submit,
            args=(state, request, draft, option, me),
        )

    first, second = seen.options
    with st.container(horizontal=True, key="better"):
        answer(safe_label(first, max_chars=LABEL_CHARS), first, "1", "primary")
        answer(safe_label(second, max_chars=LABEL_CHARS), second, "2", "primary")
    with st.container(key="neither"):
        answer(_("Neither is better"), None, "3", "secondary")
    st.text_input(_("Why, before you choose (optional)"), max_chars=MAX_LINE_CHARS, **draft.value("reason"))


def _progress_words(state: State, request: Request, me: Me, n_more: int) -> str:
    """Return how many pairs follow; where everyone compares, how many this person has given."""
    if compared_by_all(state, request.seat):
        # The others may give those that follow.
        given = sum(turn.by == me.actor for turn in state.all_turns())
        return _n(given, "You have compared {n} pair.", "You have compared {n} pairs.") if given else ""
    return _n(n_more, "{n} more follows.", "{n} more follow.") if n_more else ""


def _draw_texts(draft: FormDraft, seen: View) -> None:
    """Draw the documents of both options side by side, and those for all options in an expander."""
    texts: dict[str, list[Source]] = {option: [] for option in seen.options}
    for_all: list[Source] = []
    for source in seen.sources:
        texts.get(source.title, for_all).append(source)
    # Without texts the buttons say everything, unless a name is too long for them.
    if any(texts.values()) or any(len(option) > LABEL_CHARS for option in texts):
        for column, (option, of_option) in zip(st.columns(2), texts.items(), strict=True):
            with column:
                _draw_option(draft, option, of_option)
    if not for_all:
        return
    with st.expander(_("Documents for all options"), icon=":material/description:", key=draft.place("for all")):
        for source in for_all:
            st.markdown(f"**{safe_line(source.title)}**")
            st.markdown(safe_text(source.text))


def _draw_option(draft: FormDraft, option: str, texts: list[Source]) -> None:
    with st.container(border=True, key=draft.place(f"option {option}")):
        st.markdown(f"**{safe_line(option)}**")
        text = "\n\n".join(source.text for source in texts)
        if len(text) <= FOLDED:
            st.markdown(safe_text(text))
            return
        cut = text.rfind(" ", 0, FOLDED)
        if cut <= 0:
            cut = FOLDED
        st.markdown(f"{safe_text(text[:cut])} …")
        with st.expander(_("Read the rest"), key=draft.place(f"rest {option}")):
            st.markdown(safe_text(text[cut:].lstrip()))


def _submit(state: State, request: Request, draft: FormDraft, option: str | None, me: Me) -> None:
    # Another person may have answered first, if everyone with a vote compares.
    if request_of(session.host().state(state.debate), request.id) is None:
        session.set_problem(_("These two were compared already. Here are the next ones."))
        return
    verdict = Verdict(reasoning=draft.text("reason") or NO_REASON, option=option)
    turn = partial(TakeTurn, request=request.id, content=verdict)
    if session.give(state.debate, me, turn, seat=request.seat):
        draft.drop()
