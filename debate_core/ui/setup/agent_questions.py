"""Questions that programs asked: their list for hosts, their way into set-up, and their refusal there."""

from functools import partial

import streamlit as st

from debate_core.errors import DebateError, UnknownDebate
from debate_core.host.agents.inbox import InboxQuestion
from debate_core.language import _
from debate_core.spec.values import AskedQuestion
from debate_core.ui.kit import session
from debate_core.ui.kit.click_guard import pressed
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.dates import minute_words
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.setup import draft_store
from debate_core.ui.setup.fork import of_question

SHOWN = 8
"""Questions drawn at once; the others follow when these are answered."""
_WITHOUT_ACCOUNT = "a host"


def draw_inbox() -> None:
    """Draw the waiting questions, each with a button that opens it in set-up; nothing without any."""
    waiting = session.host().inbox.waiting()
    if not waiting:
        return
    title = _("Questions from programs")
    st.subheader(title, anchor=False)
    st.caption(_("Nothing runs until you start the debate. The program that asked can only read the answer."))
    by_id = {question.asked.id: question for question in waiting[:SHOWN]}
    rows = [
        parts.plain_row(question_id, question.asked.question, _describe(question), button=_("Open"))
        for question_id, question in by_id.items()
    ]
    if chosen := parts.draw_list(rows, label=title, key="questions"):
        draft_store.begin(of_question(by_id[chosen]))
        st.switch_page("setup.py")
    if more := waiting[SHOWN:]:
        st.caption(_("{more} more", more=len(more)))


def open_from_link(question_id: str) -> None:
    """Begin the draft of a waiting question, or go to the debate that was started from it; else draw the reason."""
    host = session.host()
    waits = next((one for one in host.inbox.waiting() if one.asked.id == question_id), None)
    if waits is not None:
        draft_store.begin(of_question(waits))
        return
    try:
        state = host.state(host.stands_for(question_id))
    except UnknownDebate:
        why = _("This question does not wait here: it was declined, its deadline has passed, or the link is wrong.")
        st.error(why, icon=":material/error:")
    else:
        session.open_page("room.py" if state.outcome is None else "results.py", state.debate)


def draw_origin(asked: AskedQuestion) -> None:
    """Draw the program that asked, and the refusal of its question."""
    with st.container(horizontal=True, vertical_alignment="center"):
        words = _("The answer goes to a program: {origin}.", origin=_origin(asked))
        st.caption(safe_line(words), width="stretch")
        with st.popover(_("Decline"), key="decline"):
            _draw_refusal(asked)


def _draw_refusal(asked: AskedQuestion) -> None:
    reason = st.text_input(_("Reason, which the program gets as its answer"), key="decline-why", max_chars=300)
    if not pressed(_("Decline this question"), key="decline-now"):
        return
    account = session.user_account()
    by = account.words if account else _WITHOUT_ACCOUNT
    try:
        session.as_host(partial(session.host().inbox.decline, asked.id, reason=reason, by=by))
    except DebateError as error:
        st.error(safe_text(session.told(error)), icon=":material/error:")
        return
    draft_store.forget()
    st.switch_page("home.py")


def _describe(question: InboxQuestion) -> str:
    return f"{' · '.join(question.options)} · {_origin(question.asked)}"


def _origin(asked: AskedQuestion) -> str:
    """`claude-code asked on 29 Nov 2026, 14:05 UTC, to be answered by 1 Dec 2026, 23:59 UTC`."""
    at = minute_words(asked.at)
    if not asked.deadline:
        return _("{program} asked on {at}", program=asked.by, at=at)
    until = minute_words(asked.deadline)
    return _("{program} asked on {at}, to be answered by {deadline}", program=asked.by, at=at, deadline=until)
