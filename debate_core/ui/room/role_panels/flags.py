"""Flags of the room on lines of the synthesis that were "not said", and their settlement.

A flag keeps the words it was put on, even when they are rewritten. Every export contains the open ones.
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


def draw_flags(state: State, me: Me) -> None:
    """Draw the flags, and for everyone on the floor the form to flag; nothing before there is a synthesis.

    A judge reads no line of it before their own verdict.
    """
    version = standing(state)
    if not state.spec.has_people or version is None or not session.may_see_result(state, me):
        return
    st.subheader(_("Was this really said?"), anchor=False)
    # Containers keep the form in place when others add flags.
    with st.container():
        rows = flag_rows(state)
        if not rows:
            st.caption(_("No line of the synthesis is flagged."))
        may_settle = session.may(state, me, FlagResolved)
        for row in sorted(rows, key=lambda row: bool(row.resolved)):
            with st.container(border=True, key=f"flag-{row.flag}"):
                st.markdown(flag_words(row))
                if may_settle and not row.resolved:
                    _draw_settlement(state, me, row)
    with st.container():
        if session.may(state, me, Flagged):
            _draw_form(state, me, lines_said(version.content))
    session.show_problem()


def _draw_form(state: State, me: Me, lines: tuple[str, ...]) -> None:
    line = f"flag-line-{state.debate}"
    why = f"flag-why-{state.debate}"

    def send() -> None:
        chosen = st.session_state.get(line)
        if chosen is None:
            session.set_problem(_("choose the line that you flag"))
            return
        act = Flagged(line=lines[chosen][:MAX_LINE_CHARS], reason=str(st.session_state.get(why) or "").strip())
        if session.act(state, me, act):
            st.session_state[line] = None
            st.session_state[why] = ""

    with st.expander(_("Flag a line: it was not said, or not so"), key="flag-a-line", type="compact"):
        st.selectbox(
            _("Line of the synthesis"),
            range(len(lines)),
            index=None,
            key=line,
            format_func=lambda i: lines[i],
            placeholder=_("choose the line"),
        )
        st.text_input(_("What is wrong with it (may stay empty)"), key=why, max_chars=MAX_REASON_CHARS)
        st.button(_("Flag it"), key=f"flag-send-{state.debate}", icon=":material/flag:", on_click=send)


def _draw_settlement(state: State, me: Me, row: FlagRow) -> None:
    reason = f"flag-reason-{state.debate}-{row.flag}"

    def settle() -> None:
        why = str(st.session_state.get(reason) or "").strip()
        if not why:
            session.set_problem(_("write how the flag was settled; the record keeps it"))
            return
        session.act(state, me, FlagResolved(flag=row.flag, reason=why))

    st.text_input(
        _("How it was settled"), key=reason, max_chars=MAX_REASON_CHARS, placeholder=_("rewritten, or why it stands")
    )
    label = _("Settle the flag of {by}", by=safe_line(row.by, max_chars=40))
    st.button(label, key=f"{reason}-send", icon=":material/flag_check:", on_click=settle)
