"""Flags of the room on lines of the synthesis: "not said", and what became of each.

A flag stays with the words it was put on, also when they are rewritten. Open ones are in every export.
"""

import streamlit as st

from debate_core.language import _
from debate_core.record.acts import Flagged, FlagResolved
from debate_core.record.state import State
from debate_core.report.facts.synthesis import FlagRow, flag_rows, lines_said, standing
from debate_core.ui.kit import session
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line
from debate_core.ui.results.synthesis import flag_words

MAX_REASON_CHARS = 500
MAX_LINE_CHARS = 2_000


def show(state: State, me: Me) -> None:
    """What was flagged, and for everybody on the floor a way to flag; nothing before there is a synthesis.

    A judge reads no line of it before their own word is given.
    """
    version = standing(state)
    if not state.spec.has_people or version is None or not session.may_see_result(state, me):
        return
    st.subheader(_("Is this what was said?"), anchor=False)
    # Others flag lines while somebody writes why: what is written below stays in its place.
    with st.container():
        _what_was_flagged(state, me)
    with st.container():
        if session.may(state, me, Flagged):
            _flag(state, me, lines_said(version.content))
    session.show_problem()


def _what_was_flagged(state: State, me: Me) -> None:
    rows = flag_rows(state)
    if not rows:
        st.caption(_("Nobody has flagged a line of the synthesis."))
    may_settle = session.may(state, me, FlagResolved)
    for row in sorted(rows, key=lambda row: bool(row.resolved)):
        with st.container(border=True, key=f"flag-{row.flag}"):
            st.markdown(flag_words(row))
            if may_settle and not row.resolved:
                _settle(state, me, row)


def _flag(state: State, me: Me, lines: tuple[str, ...]) -> None:
    with st.expander(_("Flag a line: it was not said, or not so"), key="flag-a-line"):
        st.selectbox(
            _("Line of the synthesis"),
            range(len(lines)),
            index=None,
            key=f"flag-line-{state.debate}",
            format_func=lambda i: lines[i],
            placeholder=_("choose the line"),
        )
        why = f"flag-why-{state.debate}"
        st.text_input(_("What is wrong with it (may stay empty)"), key=why, max_chars=MAX_REASON_CHARS)
        st.button(
            _("Flag it"),
            key=f"flag-send-{state.debate}",
            icon=":material/flag:",
            on_click=_send,
            args=(state, me, lines),
        )


def _send(state: State, me: Me, lines: tuple[str, ...]) -> None:
    line = f"flag-line-{state.debate}"
    why = f"flag-why-{state.debate}"
    chosen = st.session_state.get(line)
    if chosen is None:
        session.set_problem(_("choose the line that you flag"))
        return
    act = Flagged(line=lines[chosen][:MAX_LINE_CHARS], reason=str(st.session_state.get(why) or "").strip())
    if session.act(state, me, act):
        st.session_state[line] = None
        st.session_state[why] = ""


def _settle(state: State, me: Me, row: FlagRow) -> None:
    reason = f"flag-reason-{state.debate}-{row.flag}"
    st.text_input(
        _("What became of it"), key=reason, max_chars=MAX_REASON_CHARS, placeholder=_("rewritten, or why it stands")
    )
    st.button(
        _("Settle the flag of {by}", by=safe_line(row.by, max_chars=40)),
        key=f"{reason}-send",
        icon=":material/flag_check:",
        on_click=_settled,
        args=(state, me, row.flag, reason),
    )


def _settled(state: State, me: Me, flag: int, reason: str) -> None:
    why = str(st.session_state.get(reason) or "").strip()
    if not why:
        session.set_problem(_("say what became of the flag: a reason is kept with it"))
        return
    session.act(state, me, FlagResolved(flag=flag, reason=why))
