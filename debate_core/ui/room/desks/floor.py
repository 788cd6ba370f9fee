"""The floor: questions and concerns, upvotes, and for the moderator the button that puts one to all seats.

The three with the most support stand on top for all; who moderates sees every one.
"""

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from debate_core.engine import stage
from debate_core.language import Words, _
from debate_core.record.acts import Asked, Intervened, Upvoted
from debate_core.record.state import State
from debate_core.ui.kit import session
from debate_core.ui.kit.places import in_places
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line
from debate_core.ui.room.live.transcript import TOP_QUESTIONS

MAX_CHARS = 400
AskedKind = Literal["question", "concern"]
KINDS: Words[AskedKind] = Words({"question": "Question", "concern": "Concern"})
_FIELD = "floor_text"


@dataclass(frozen=True, slots=True)
class Raised:
    """One question or concern; `id` is what an upvote names, `support` the asker and everybody who upvoted."""

    id: int
    number: int
    """1 for what was asked first."""
    kind: AskedKind
    text: str
    by: str
    support: int
    mine: bool
    """True if I asked it or want it answered too."""
    put: bool
    """True once it was put to all seats."""


def raised(state: State, me: Me) -> list[Raised]:
    """Most support first, then as they came."""
    questions = {asked.seq: asked for asked in state.room.of(Asked)}
    my_upvotes = {upvote.fact.question for upvote in state.room.of(Upvoted) if upvote.by == me.actor}
    put_to_seats = {words.fact.text for words in state.room.of(Intervened) if words.fact.kind == "question"}
    numbers = {seq: number for number, seq in enumerate(sorted(questions), start=1)}
    return [
        Raised(
            id=seq,
            number=numbers[seq],
            kind=questions[seq].fact.kind,
            text=questions[seq].fact.text,
            by=questions[seq].by,
            support=people,
            mine=questions[seq].by == me.actor or seq in my_upvotes,
            put=questions[seq].fact.text in put_to_seats,
        )
        for seq, people in stage.support(state).items()
    ]


def show(state: State, me: Me) -> None:
    """What was asked, and a field to ask."""
    if not state.spec.has_people:
        return
    st.subheader(_("From the floor"), anchor=False)
    # Others ask while somebody writes: what is written below stays in its place.
    in_places((_what_was_asked, _ask), state, me)


def _what_was_asked(state: State, me: Me) -> None:
    rows = raised(state, me)
    if not rows:
        st.caption(_("Nobody has asked anything yet."))
    for row in rows[:TOP_QUESTIONS]:
        _row(state, me, row)
    if rest := rows[TOP_QUESTIONS:]:
        with st.expander(_("{rest} more from the floor", rest=len(rest)), key="floor-more"):
            for row in rest:
                _row(state, me, row)


def _row(state: State, me: Me, row: Raised) -> None:
    moderates = session.may(state, me, Intervened)
    with st.container(border=True, key=f"floor-{row.id}"):
        st.markdown(f"**{row.number}** · {safe_line(row.text)}")
        st.caption(_row_words(state, row, with_name=moderates))
        with st.container(horizontal=True):
            if session.may(state, me, Upvoted) and not row.mine:
                st.button(
                    _("I want no. {number} answered", number=row.number),
                    key=f"up {row.id}",
                    icon=":material/arrow_upward:",
                    on_click=session.act_on_click,
                    args=(state, me, Upvoted(question=row.id)),
                )
            if moderates and not row.put and state.outcome is None:
                st.button(
                    _("Put no. {number} to all seats", number=row.number),
                    key=f"put {row.id}",
                    icon=":material/campaign:",
                    on_click=session.act_on_click,
                    args=(state, me, Intervened(kind="question", text=row.text)),
                )


def _row_words(state: State, row: Raised, *, with_name: bool) -> str:
    """`Question · 3 people · put to all seats ✓ · Ann`."""
    support = _("1 person") if row.support == 1 else _("{support} people", support=row.support)
    words = [KINDS[row.kind], support]
    if row.put:
        words.append(_("put to all seats ✓"))
    if with_name and row.by in state.room.people:
        words.append(safe_line(state.room.people[row.by].name, max_chars=40))
    return " · ".join(words)


def _ask(state: State, me: Me) -> None:
    if not session.may(state, me, Asked):
        return
    key = f"{_FIELD} {state.debate}"
    # Drawn when a person opens it; what is written stays while it is closed.
    asking = st.expander(
        _("Ask, or raise a concern"), icon=":material/contact_support:", key="floor-ask", on_change="rerun"
    )
    if not asking.open:
        return
    with asking:
        st.segmented_control(
            _("Question or concern"),
            [*KINDS],
            default="question",
            key=f"{key} kind",
            format_func=KINDS.__getitem__,
            label_visibility="collapsed",
        )
        st.text_area(_("Your question or concern"), key=key, max_chars=MAX_CHARS, height=80, persist_state="session")
        st.button(
            _("Send"),
            key="floor_send",
            icon=":material/send:",
            width="stretch",
            on_click=_send,
            args=(state, me, key),
        )
        session.show_problem()


def _send(state: State, me: Me, key: str) -> None:
    text = str(st.session_state.get(key, "")).strip()
    if not text:
        session.set_problem(_("write your question or concern first"))
        return
    kind: AskedKind = st.session_state.get(f"{key} kind") or "question"
    same = _asked_already(session.host().state(state.debate), me, text)
    if same is None:
        is_taken = session.act(state, me, Asked(kind=kind, text=text))
    else:
        # A second question in the same words is support for the first one.
        is_taken = same.mine or session.act(state, me, Upvoted(question=same.id))
        session.tell(_("This was asked already: your support is counted there."))
    if is_taken:
        st.session_state[key] = ""


def _asked_already(state: State, me: Me, text: str) -> Raised | None:
    """Find a question in the same words, ignoring case, blanks and the mark at the end."""
    return next((one for one in raised(state, me) if _plain(one.text) == _plain(text)), None)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" ?!.")
