"""Two turns side by side, read blind: which is better. Which two is drawn, those least compared first."""

import streamlit as st

from debate_core.engine import judge_view
from debate_core.language import Words, _
from debate_core.record.acts import Compared
from debate_core.record.state import State
from debate_core.ui.kit import session
from debate_core.ui.kit.session import Me
from debate_core.ui.room.desks.judge.reading import show_turn

REASON = "pair-reason"
MAX_REASON_CHARS = 2_000
WINNERS = Words({"a": "The first", "b": "The second", "tie": "Equally good", "both_weak": "Both weak"})


def show(state: State, me: Me) -> None:
    """The next pair, and the four answers."""
    pair = judge_view.next_pair(state, me.actor)
    compared = sum(comparison.by == me.actor for comparison in state.room.of(Compared))
    if pair is None:
        nothing_left = _("You have compared every pair.")
        st.info(nothing_left if compared else _("There are no two turns of different speakers yet."))
        return
    st.caption(
        _(
            "Which turn is better argued, whatever side it takes? You have compared {compared} so far; stop any time.",
            compared=compared,
        )
    )
    for column, where, words in zip(st.columns(2), pair, (_("First"), _("Second")), strict=True):
        with column:
            st.caption(words)
            show_turn(judge_view.find(state, me.actor, where))
    st.text_input(_("Why? (may stay empty)"), key=REASON, max_chars=MAX_REASON_CHARS)
    with st.container(horizontal=True):
        for winner, words in WINNERS.items():
            st.button(words, key=f"pair-{winner}", on_click=_give, args=(state, me, pair, winner))


def _give(state: State, me: Me, pair: tuple[str, str], winner: str) -> None:
    reason = str(st.session_state.get(REASON, "")).strip()
    comparison = Compared.model_validate({"a": pair[0], "b": pair[1], "winner": winner, "reason": reason})
    if session.act(state, me, comparison):
        st.session_state[REASON] = ""
