"""The floor: questions and concerns, upvotes, and for the moderator the button that puts one to all seats.

The three with the most support are on top for everyone; those who moderate also see names.
"""

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from debate_core.engine import stage
from debate_core.language import Words, _, _n
from debate_core.record.acts import Asked, Intervened, Upvoted
from debate_core.record.people import Done
from debate_core.record.state import State
from debate_core.spec.people import LEADS
from debate_core.text import folded
from debate_core.ui.kit import session
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line
from debate_core.ui.room.buttons import act_button
from debate_core.ui.room.live.transcript import TOP_QUESTIONS

MAX_CHARS = 400
AskedKind = Literal["question", "concern"]
KINDS: Words[AskedKind] = Words({"question": "Question", "concern": "Concern"})


@dataclass(frozen=True, slots=True)
class Raised:
    """One question or concern; `support` counts the asker and everyone who upvoted it."""

    number: int
    """From 1, in the order of asking."""
    asked: Done[Asked]
    support: int
    mine: bool
    """True if I asked or upvoted it."""
    put: bool
    """True once all seats were asked it."""


def raised(state: State, me: Me) -> list[Raised]:
    """List the questions and concerns, most support first, then in the order of asking."""
    in_order = sorted(state.room.of(Asked), key=lambda asked: asked.seq)
    numbered = {asked.seq: (number, asked) for number, asked in enumerate(in_order, start=1)}
    upvoted = {upvote.fact.question for upvote in state.room.of(Upvoted) if upvote.by == me.actor}
    put_to_seats = {words.fact.text for words in state.room.of(Intervened) if words.fact.kind == "question"}
    rows = []
    for seq, people in stage.support(state).items():
        number, asked = numbered[seq]
        is_mine = asked.by == me.actor or seq in upvoted
        rows.append(Raised(number, asked, people, mine=is_mine, put=asked.fact.text in put_to_seats))
    return rows


def draw_floor(state: State, me: Me) -> None:
    """Draw the questions and concerns, and a field to ask."""
    # A place keeps the field from moving when others ask.
    with st.container():
        draw_questions(state, me)
    draw_form(state, me)


def draw_questions(state: State, me: Me) -> None:
    """Draw the questions and concerns, the most supported first."""
    rows = raised(state, me)
    if rows:
        st.subheader(_("From the floor"), anchor=False)
    for row in rows[:TOP_QUESTIONS]:
        _draw_question(state, me, row)
    if rest := rows[TOP_QUESTIONS:]:
        with st.expander(_("{rest} more from the floor", rest=len(rest)), key="floor-more"):
            for row in rest:
                _draw_question(state, me, row)


def _draw_question(state: State, me: Me, row: Raised) -> None:
    moderates = session.may(state, me, Intervened)
    asked = row.asked
    # Such as `Question · 3 people · put to all seats ✓ · Ann`.
    words = [KINDS[asked.fact.kind], _n(row.support, "{n} person", "{n} people")]
    if row.put:
        words.append(_("put to all seats ✓"))
    if moderates and asked.by in state.room.people:
        words.append(safe_line(state.room.people[asked.by].name, max_chars=40))
    with st.container(border=True, key=f"floor-{asked.seq}"):
        st.markdown(f"**{row.number}** · {safe_line(asked.fact.text)}")
        st.caption(" · ".join(words))
        with st.container(horizontal=True):
            if session.may(state, me, Upvoted) and not row.mine:
                label = _("I want no. {number} answered", number=row.number)
                upvote = Upvoted(question=asked.seq)
                act_button(state, me, label, upvote, key=f"up {asked.seq}", icon=":material/arrow_upward:")
            if moderates and not row.put and state.outcome is None:
                label = _("Put no. {number} to all seats", number=row.number)
                question = Intervened(kind="question", text=asked.fact.text)
                act_button(state, me, label, question, key=f"put {asked.seq}", icon=":material/campaign:")


def draw_form(state: State, me: Me) -> None:
    """Draw the field to ask."""
    # Those who lead can say it while people gather.
    if not session.may(state, me, Asked) or (me.role in LEADS and not state.room.begun):
        return
    key = f"floor_text {state.debate}"
    # Drawn only when open; the text in it is kept while it is closed.
    form = st.expander(
        _("Ask, or raise a concern"),
        icon=":material/contact_support:",
        key="floor-ask",
        type="compact",
        on_change="rerun",
    )
    if not form.open:
        return
    with form:
        st.segmented_control(
            _("Question or concern"),
            [*KINDS],
            default="question",
            key=f"{key} kind",
            format_func=KINDS.__getitem__,
            label_visibility="collapsed",
        )
        st.text_area(_("Your question or concern"), key=key, max_chars=MAX_CHARS, height=80, persist_state="session")
        send = (state, me, key)
        st.button(_("Send"), key="floor_send", icon=":material/send:", width="stretch", on_click=_send, args=send)
        session.show_problem()


def _send(state: State, me: Me, key: str) -> None:
    text = str(st.session_state.get(key, "")).strip()
    if not text:
        session.set_problem(_("write your question or concern first"))
        return
    kind: AskedKind = st.session_state.get(f"{key} kind") or "question"
    rows = raised(session.host().state(state.debate), me)
    same = next((row for row in rows if _plain(row.asked.fact.text) == _plain(text)), None)
    if same is None:
        is_taken = session.act(state, me, Asked(kind=kind, text=text))
        if is_taken:
            session.tell(_("Sent: everyone can read it"))
    else:
        # A second question in the same words is support for the first one.
        is_taken = same.mine or session.act(state, me, Upvoted(question=same.asked.seq))
        session.tell(_("This was asked already: your support is counted there."))
    if is_taken:
        st.session_state[key] = ""


def _plain(text: str) -> str:
    """The text without case, extra blanks and final punctuation."""
    return folded(text).rstrip(" ?!.")
